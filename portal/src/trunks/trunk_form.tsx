// A trunk to be added or changed: name, settings as their schema draws them, routes. Before it is saved the new settings of a
// trunk that is there can be tried out.
import type { Trunk, TrunksCreateParams, TrunksUpdateParams } from '@tandem/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LinkForm, type LinkValues, linkChanges } from '../carriers/link_form.tsx'
import { PrefixRoutes, plainCost, plainNumber, plainPrefix } from '../carriers/prefix_routes.tsx'
import { type ObjectSchema, settingsOf, typedValues } from '../carriers/schema_values.ts'
import { type SpokenKind, spokenKind } from '../carriers/spoken_settings.ts'
import { t as tCarriers } from '../carriers/texts.ts'
import { examples } from '../forms/examples.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ErrorNote, ErrorState, LoadingRows, SelectField, TextField } from '../ui/index.ts'
import { trunkSettings } from './settings/texts.ts'
import { t } from './texts.ts'
import { TrunkTest } from './trunk_test.tsx'

export type TrunkFormProps = {
  /** The trunk to change; left out to add one. */
  trunk?: Trunk
  onCancel(): void
  onDone(trunk: Trunk): void
}

/** The schemas are asked for once; the kind says which one is drawn. */
export function TrunkForm(props: TrunkFormProps) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['trunk settings'],
    queryFn: ({ signal }) => api.trunks.settings(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [chosen, setChosen] = useState<string>(props.trunk?.kind ?? 'sip')
  if (query.isPending) return <LoadingRows label={tCarriers('loadingSettings')} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const kinds = query.data.kinds.map(one => spokenKind(trunkSettings, one))
  const kind = kinds.find(one => one.kind === chosen)
  if (kind === undefined) return <ErrorNote text={t('unknownKind', { kind: chosen })} />
  return <SettingsForm key={chosen} {...props} kind={kind} kinds={kinds} onKind={setChosen} />
}

type RouteValues = { prefix: string; priority: string; weight: string; cost: string }
type Values = LinkValues<RouteValues> & { currency: string }

const firstRoute: RouteValues = { prefix: '', priority: '10', weight: '1', cost: '0' }

function valuesOf(trunk: Trunk | undefined, schema: ObjectSchema): Values {
  const routes = trunk?.routes.map(({ prefix, priority, weight, cost }) => ({
    prefix,
    priority: String(priority),
    weight: String(weight),
    cost,
  }))
  return {
    name: trunk?.name ?? '',
    enabled: trunk?.enabled ?? true,
    settings: typedValues(schema, trunk?.settings ?? {}),
    routes: routes ?? [firstRoute],
    currency: trunk?.currency ?? '',
  }
}

function routesOf(values: readonly RouteValues[]) {
  return values.map(({ prefix, priority, weight, cost }) => ({
    prefix: plainPrefix(prefix),
    priority: plainNumber(priority),
    weight: plainNumber(weight),
    cost: plainCost(cost),
  }))
}

const currencyOf = ({ currency }: Values) => currency.trim().toUpperCase()

type Changes = Omit<TrunksUpdateParams, 'trunkId'>

type Kind = SpokenKind<Trunk['kind']>
type SettingsFormProps = TrunkFormProps & { kind: Kind; kinds: readonly Kind[]; onKind(kind: string): void }
function SettingsForm({ trunk, kind, kinds, onKind, onCancel, onDone }: SettingsFormProps) {
  const { schema } = kind
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const write = (values: Values, changes: Changes) =>
    trunk === undefined
      ? api.trunks.create({
          kind: kind.kind,
          name: values.name,
          enabled: values.enabled,
          settings: settingsOf(schema, values.settings) as TrunksCreateParams['settings'],
          routes: routesOf(values.routes),
          ...(currencyOf(values) === '' ? {} : { currency: currencyOf(values) }),
        })
      : api.trunks.update({ trunkId: trunk.trunkId, ...changes })
  return (
    <LinkForm
      kind="trunk"
      title={t('trunk')}
      of={kind}
      secretsSet={trunk?.secretsSet}
      start={valuesOf(trunk, schema)}
      changesOf={(values, start) =>
        ({
          ...linkChanges(values, start, schema, routesOf),
          ...(values.currency === start.currency ? {} : { currency: currencyOf(values) }),
        }) as Changes
      }
      fieldNames={['currency']}
      fields={({ text }) => (
        <>
          <TextField
            label={tCarriers('currency')}
            hint={tCarriers(trunk === undefined ? 'currencyHintNew' : 'currencyHint')}
            placeholder={examples.currency}
            maxLength={3}
            optional={trunk === undefined}
            {...text('currency')}
          />
          {trunk === undefined && (
            <SelectField
              label={tCarriers('kind')}
              options={kinds.map(one => ({ value: one.kind, label: one.title }))}
              value={kind.kind}
              hint={kind.description}
              onChange={event => onKind(event.target.value)}
            />
          )}
        </>
      )}
      enabledHint={t('enabledHint')}
      routeNames={['prefix', 'priority', 'weight', 'cost']}
      routes={({ values, fields, put }) => (
        <PrefixRoutes
          value={values.routes}
          first={firstRoute}
          hint={t('routesHint')}
          columns={[
            { name: 'prefix', label: tCarriers('prefix'), placeholder: tCarriers('everywhere'), mono: true },
            { name: 'priority', label: tCarriers('priority'), inputMode: 'numeric' },
            { name: 'weight', label: t('weight'), inputMode: 'numeric' },
            {
              name: 'cost',
              label: values.currency === '' ? t('costOfMinute') : t('costOfMinuteIn', { currency: values.currency }),
              inputMode: 'decimal',
            },
          ]}
          faults={fields}
          onChange={(routes, field) => put('routes', routes, field)}
        />
      )}
      test={trunk && (({ settings }) => <TrunkTest trunk={trunk} settings={settings} faultText={kind.namedFault} />)}
      save={async (values, changes) => {
        const saved = await write(values, changes)
        void cache.invalidateQueries({ queryKey: [mode, 'trunks'] })
        onDone(saved)
      }}
      onCancel={onCancel}
    />
  )
}
