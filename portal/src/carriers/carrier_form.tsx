// A carrier to be added or changed: name, settings as its kind's schema draws them, routes. Before it is saved the new
// settings of a carrier that is there can be tried out.
import type { Carrier, CarriersCreateParams, CarriersKindsReply, CarriersUpdateParams } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../app/api.ts'
import { Form, useFormFields } from '../app/form.tsx'
import { forgetMessagingLists } from '../app/messaging_lists.ts'
import { useSession } from '../app/session.ts'
import { Button, Card, CheckboxField, ErrorNote, ErrorState, LoadingRows, SelectField, TextField } from '../ui/index.ts'
import { CarrierTest } from './carrier_test.tsx'
import styles from './carriers.module.css'
import { firstRoute, RoutesEditor, type RouteValues, routePaths, routesOf } from './routes_editor.tsx'
import { SchemaFields } from './schema_fields.tsx'
import { fieldPaths, type ObjectSchema, settingsOf, type TypedValues, typedValues } from './schema_values.ts'

export type CarrierFormProps = {
  /** The carrier to change; left out to add one. */
  carrier?: Carrier
  onCancel(): void
  onDone(carrier: Carrier): void
}

type Kind = CarriersKindsReply['kinds'][number]

/** The kinds are asked for once; a form needs the schema of one. */
export function CarrierForm(props: CarrierFormProps) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['carrier kinds'],
    queryFn: ({ signal }) => api.carriers.kinds(undefined, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [chosen, setChosen] = useState<string | undefined>(props.carrier?.kind)
  if (query.isPending) return <LoadingRows label="Loading the settings" />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { kinds } = query.data
  const kind = kinds.find(one => one.kind === chosen) ?? kinds[0]
  if (kind === undefined) return <ErrorNote text="This server knows no kind of carrier." />
  return <KindForm key={kind.kind} {...props} kind={kind} kinds={kinds} onKind={next => setChosen(next)} />
}

type Values = {
  name: string
  enabled: boolean
  currency: string
  settings: TypedValues
  routes: readonly RouteValues[]
}

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

/** What differs from the form as it began. */
function changesOf(values: Values, start: Values, schema: ObjectSchema): Omit<CarriersUpdateParams, 'carrierId'> {
  const settings = settingsOf(schema, values.settings, start.settings)
  const isSame = (name: keyof Values) => JSON.stringify(values[name]) === JSON.stringify(start[name])
  return {
    ...(isSame('name') ? {} : { name: values.name }),
    ...(isSame('enabled') ? {} : { enabled: values.enabled }),
    ...(isSame('currency') ? {} : { currency: values.currency.trim().toUpperCase() }),
    ...(Object.keys(settings).length === 0
      ? {}
      : { settings: settings as NonNullable<CarriersUpdateParams['settings']> }),
    ...(isSame('routes') ? {} : { routes: routesOf(values.routes) }),
  }
}

type KindFormProps = CarrierFormProps & { kind: Kind; kinds: readonly Kind[]; onKind(kind: string): void }
function KindForm({ carrier, kind, kinds, onKind, onCancel, onDone }: KindFormProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const schema = kind.settings as unknown as ObjectSchema
  const [start] = useState(() => valuesOf(carrier, schema))
  const [values, setValues] = useState(start)
  const save = useMutation({
    // The body holds the carrier's password: nothing keeps it.
    gcTime: 0,
    mutationFn: () => {
      if (carrier !== undefined)
        return api.carriers.update({ carrierId: carrier.carrierId, ...changesOf(values, start, schema) })
      const currency = values.currency.trim().toUpperCase()
      return api.carriers.create({
        // A newer server may know kinds that this build does not: it is drawn from what the server says.
        kind: kind.kind as CarriersCreateParams['kind'],
        name: values.name,
        enabled: values.enabled,
        settings: settingsOf(schema, values.settings) as CarriersCreateParams['settings'],
        routes: routesOf(values.routes),
        ...(currency === '' ? {} : { currency }),
      })
    },
    onSuccess: saved => {
      forgetMessagingLists(cache, mode)
      onDone(saved)
    },
  })
  const shown = ['name', 'currency', ...fieldPaths(schema, values.settings, 'settings.'), ...routePaths(values.routes)]
  const { form, fields, general, put, text } = useFormFields({ values, change: setValues }, save.error, shown)
  const changes = changesOf(values, start, schema)
  return (
    <Form ref={form} className={styles['form']} onSubmit={save.mutate}>
      <Card title="Carrier">
        <div className={styles['fields']}>
          <TextField label="Name" placeholder="Example Telecom" {...text('name')} />
          {carrier === undefined && (
            <SelectField
              label="Kind"
              options={kinds.map(one => ({ value: one.kind, label: one.title }))}
              value={kind.kind}
              hint={kind.description}
              onChange={event => onKind(event.target.value)}
            />
          )}
          <TextField
            label="Currency"
            optional={carrier === undefined}
            placeholder="EUR"
            maxLength={3}
            hint={`Of the costs below${carrier === undefined ? '; that of the organization when left empty' : ''}.`}
            {...text('currency')}
          />
          <CheckboxField
            label="Switched on"
            hint="Links are held, and messages whose recipient fits a route go this way."
            checked={values.enabled}
            onChange={event => put('enabled', event.target.checked)}
          />
        </div>
      </Card>
      <Card title={`Settings, ${kind.title}`}>
        <div className={styles['groups']}>
          <SchemaFields
            schema={schema}
            values={values.settings}
            secretsSet={carrier?.secretsSet ?? []}
            faults={fields}
            onChange={(name, value, field) => put('settings', { ...values.settings, [name]: value }, field)}
          />
        </div>
      </Card>
      <Card title="Routes">
        {fields['routes'] !== undefined && <ErrorNote text={fields['routes']} />}
        <RoutesEditor
          value={values.routes}
          currency={values.currency}
          faults={fields}
          onChange={(routes, field) => put('routes', routes, field)}
        />
      </Card>
      {carrier !== undefined && <CarrierTest carrier={carrier} settings={changes.settings} />}
      <div className={styles['save']}>
        {general !== undefined && <ErrorNote text={general} />}
        <Button onClick={onCancel}>Cancel</Button>
        <Button
          variant="primary"
          type="submit"
          busy={save.isPending}
          disabled={carrier !== undefined && Object.keys(changes).length === 0}
        >
          {carrier === undefined ? 'Add the carrier' : 'Save'}
        </Button>
      </div>
    </Form>
  )
}
