// A trunk to be added or changed: name, settings as their schema draws them, routes. Before it is saved the new settings of a
// trunk that is there can be tried out.
import type { Trunk, TrunksCreateParams, TrunksUpdateParams } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../app/api.ts'
import { Form, useFormFields } from '../app/form.tsx'
import { useSession } from '../app/session.ts'
import styles from '../carriers/carriers.module.css'
import { PrefixRoutes, plainNumber, plainPrefix, prefixPaths } from '../carriers/prefix_routes.tsx'
import { SchemaFields } from '../carriers/schema_fields.tsx'
import { fieldPaths, type ObjectSchema, settingsOf, type TypedValues, typedValues } from '../carriers/schema_values.ts'
import { Button, Card, CheckboxField, ErrorNote, ErrorState, LoadingRows, TextField } from '../ui/index.ts'
import { TrunkTest } from './trunk_test.tsx'

export type TrunkFormProps = {
  /** The trunk to change; left out to add one. */
  trunk?: Trunk
  onCancel(): void
  onDone(trunk: Trunk): void
}

/** The schema is asked for once. */
export function TrunkForm(props: TrunkFormProps) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['trunk settings'],
    queryFn: ({ signal }) => api.trunks.settings(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (query.isPending) return <LoadingRows label="Loading the settings" />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <SettingsForm {...props} schema={query.data.settings as unknown as ObjectSchema} />
}

type RouteValues = { prefix: string; priority: string; weight: string }
type Values = { name: string; enabled: boolean; settings: TypedValues; routes: readonly RouteValues[] }

const firstRoute: RouteValues = { prefix: '', priority: '10', weight: '1' }

function valuesOf(trunk: Trunk | undefined, schema: ObjectSchema): Values {
  const routes = trunk?.routes.map(({ prefix, priority, weight }) => ({
    prefix,
    priority: String(priority),
    weight: String(weight),
  }))
  return {
    name: trunk?.name ?? '',
    enabled: trunk?.enabled ?? true,
    settings: typedValues(schema, trunk?.settings ?? {}),
    routes: routes ?? [firstRoute],
  }
}

function routesOf(values: readonly RouteValues[]) {
  return values.map(({ prefix, priority, weight }) => ({
    prefix: plainPrefix(prefix),
    priority: plainNumber(priority),
    weight: plainNumber(weight),
  }))
}

/** What differs from the form as it began. */
function changesOf(values: Values, start: Values, schema: ObjectSchema): Omit<TrunksUpdateParams, 'trunkId'> {
  const settings = settingsOf(schema, values.settings, start.settings)
  const isSame = (name: keyof Values) => JSON.stringify(values[name]) === JSON.stringify(start[name])
  return {
    ...(isSame('name') ? {} : { name: values.name }),
    ...(isSame('enabled') ? {} : { enabled: values.enabled }),
    ...(Object.keys(settings).length === 0
      ? {}
      : { settings: settings as NonNullable<TrunksUpdateParams['settings']> }),
    ...(isSame('routes') ? {} : { routes: routesOf(values.routes) }),
  }
}

function SettingsForm({ trunk, schema, onCancel, onDone }: TrunkFormProps & { schema: ObjectSchema }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [start] = useState(() => valuesOf(trunk, schema))
  const [values, setValues] = useState(start)
  const save = useMutation({
    // The body holds the password of the account: nothing keeps it.
    gcTime: 0,
    mutationFn: () => {
      if (trunk !== undefined) return api.trunks.update({ trunkId: trunk.trunkId, ...changesOf(values, start, schema) })
      return api.trunks.create({
        name: values.name,
        enabled: values.enabled,
        settings: settingsOf(schema, values.settings) as TrunksCreateParams['settings'],
        routes: routesOf(values.routes),
      })
    },
    onSuccess: saved => {
      void cache.invalidateQueries({ queryKey: [mode, 'trunks'] })
      onDone(saved)
    },
  })
  const shown = [
    'name',
    ...fieldPaths(schema, values.settings, 'settings.'),
    ...prefixPaths(values.routes, ['prefix', 'priority', 'weight']),
  ]
  const { form, fields, general, put, text } = useFormFields({ values, change: setValues }, save.error, shown)
  const changes = changesOf(values, start, schema)
  return (
    <Form ref={form} className={styles['form']} onSubmit={save.mutate}>
      <Card title="Trunk">
        <div className={styles['fields']}>
          <TextField label="Name" placeholder="Example Telecom" {...text('name')} />
          <CheckboxField
            label="Switched on"
            hint="It is watched, and calls go and come this way."
            checked={values.enabled}
            onChange={event => put('enabled', event.target.checked)}
          />
        </div>
      </Card>
      <Card title="Settings">
        <div className={styles['groups']}>
          <SchemaFields
            schema={schema}
            values={values.settings}
            secretsSet={trunk?.secretsSet ?? []}
            faults={fields}
            onChange={(name, value, field) => put('settings', { ...values.settings, [name]: value }, field)}
          />
        </div>
      </Card>
      <Card title="Routes">
        {fields['routes'] !== undefined && <ErrorNote text={fields['routes']} />}
        <PrefixRoutes
          value={values.routes}
          first={firstRoute}
          hint="The longest prefix that fits a number counts; an empty one is every destination. Of trunks with prefixes of the same length the lower priority number goes first; those of the same priority share the calls by weight. A trunk without routes makes no calls, but takes them."
          columns={[
            { name: 'prefix', label: 'Prefix', placeholder: 'Everywhere', mono: true },
            { name: 'priority', label: 'Priority', inputMode: 'numeric' },
            { name: 'weight', label: 'Weight', inputMode: 'numeric' },
          ]}
          faults={fields}
          onChange={(routes, field) => put('routes', routes, field)}
        />
      </Card>
      {trunk !== undefined && <TrunkTest trunk={trunk} settings={changes.settings} />}
      <div className={styles['save']}>
        {general !== undefined && <ErrorNote text={general} />}
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          variant="primary"
          type="submit"
          busy={save.isPending}
          disabled={trunk !== undefined && Object.keys(changes).length === 0}
        >
          {trunk === undefined ? 'Add the trunk' : 'Save'}
        </Button>
      </div>
    </Form>
  )
}
