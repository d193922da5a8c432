// A carrier to be added or changed: name, settings as its kind's schema draws them, routes. Before it is saved the new
// settings of a carrier that is there can be tried out.
import type { Carrier, CarriersCreateParams, CarriersUpdateParams } from '@tandem/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forgetMessagingLists } from '../data/messaging_lists.ts'
import { examples } from '../forms/examples.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ErrorNote, ErrorState, LoadingRows, SelectField, TextField } from '../ui/index.ts'
import { CarrierTest } from './carrier_test.tsx'
import { LinkForm, type LinkValues, linkChanges } from './link_form.tsx'
import { firstRoute, RoutesEditor, type RouteValues, routeNames, routesOf } from './routes_editor.tsx'
import { type ObjectSchema, settingsOf, typedValues } from './schema_values.ts'
import { carrierSettings } from './settings/texts.ts'
import { type SpokenKind, spokenKind } from './spoken_settings.ts'
import { t } from './texts.ts'

export type CarrierFormProps = {
  /** The carrier to change; left out to add one. */
  carrier?: Carrier
  onCancel(): void
  onDone(carrier: Carrier): void
}

/** The kinds are asked for once; a form needs the schema of one. */
export function CarrierForm(props: CarrierFormProps) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['carrier kinds'],
    queryFn: ({ signal }) => api.carriers.kinds(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [chosen, setChosen] = useState<string | undefined>(props.carrier?.kind)
  if (query.isPending) return <LoadingRows label={t('loadingSettings')} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const kinds = query.data.kinds.map(kind => spokenKind(carrierSettings, kind))
  const kind = kinds.find(one => one.kind === chosen) ?? kinds[0]
  if (kind === undefined) return <ErrorNote text={t('noKinds')} />
  return <KindForm key={kind.kind} {...props} kind={kind} kinds={kinds} onKind={next => setChosen(next)} />
}

type Values = LinkValues<RouteValues> & { currency: string }

function valuesOf(carrier: Carrier | undefined, schema: ObjectSchema): Values {
  const routes = carrier?.routes.map(({ prefix, priority, cost }) => ({ prefix, priority: String(priority), cost }))
  return {
    name: carrier?.name ?? '',
    enabled: carrier?.enabled ?? true,
    currency: carrier?.currency ?? '',
    settings: typedValues(schema, carrier?.settings ?? {}),
    routes: routes ?? [firstRoute],
  }
}

const currencyOf = ({ currency }: Values) => currency.trim().toUpperCase()

type Changes = Omit<CarriersUpdateParams, 'carrierId'>

/** What differs from the form as it began. */
function changesOf(values: Values, start: Values, schema: ObjectSchema): Changes {
  const changes = linkChanges(values, start, schema, routesOf)
  return {
    ...(changes as Changes),
    ...(values.currency === start.currency ? {} : { currency: currencyOf(values) }),
  }
}

type KindFormProps = CarrierFormProps & { kind: SpokenKind; kinds: readonly SpokenKind[]; onKind(kind: string): void }
function KindForm({ carrier, kind, kinds, onKind, onCancel, onDone }: KindFormProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const { schema } = kind
  const write = (values: Values, changes: Changes) => {
    if (carrier !== undefined) return api.carriers.update({ carrierId: carrier.carrierId, ...changes })
    const currency = currencyOf(values)
    return api.carriers.create({
      // A newer server may know kinds that this build does not: it is drawn from what the server says.
      kind: kind.kind as CarriersCreateParams['kind'],
      name: values.name,
      enabled: values.enabled,
      settings: settingsOf(schema, values.settings) as CarriersCreateParams['settings'],
      routes: routesOf(values.routes),
      ...(currency === '' ? {} : { currency }),
    })
  }
  return (
    <LinkForm
      kind="carrier"
      title={t('carrier')}
      of={kind}
      secretsSet={carrier?.secretsSet}
      start={valuesOf(carrier, schema)}
      changesOf={(values, start) => changesOf(values, start, schema)}
      fieldNames={['currency']}
      fields={({ text }) => (
        <>
          {carrier === undefined && (
            <SelectField
              label={t('kind')}
              options={kinds.map(one => ({ value: one.kind, label: one.title }))}
              value={kind.kind}
              hint={kind.description}
              onChange={event => onKind(event.target.value)}
            />
          )}
          <TextField
            label={t('currency')}
            optional={carrier === undefined}
            placeholder={examples.currency}
            maxLength={3}
            hint={t(carrier === undefined ? 'currencyHintNew' : 'currencyHint')}
            {...text('currency')}
          />
        </>
      )}
      enabledHint={t('enabledHint')}
      routeNames={routeNames}
      routes={({ values, fields, put }) => (
        <RoutesEditor
          value={values.routes}
          currency={values.currency}
          faults={fields}
          onChange={(routes, field) => put('routes', routes, field)}
        />
      )}
      test={
        carrier && (({ settings }) => <CarrierTest carrier={carrier} settings={settings} faultText={kind.namedFault} />)
      }
      save={async (values, changes) => {
        const saved = await write(values, changes)
        forgetMessagingLists(cache, mode)
        onDone(saved)
      }}
      onCancel={onCancel}
    />
  )
}
