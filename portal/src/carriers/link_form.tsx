// The form of what connects to a carrier (of messages or of calls), to be added or changed: name, settings as their schema
// draws them, routes. Before it is saved the new settings of one that is there can be tried out.
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Form, type FormFields, useFormFields } from '../forms/form.tsx'
import { Button, Card, CheckboxField, ErrorNote, TextField } from '../ui/index.ts'
import styles from './carriers.module.css'
import { prefixPaths } from './prefix_routes.tsx'
import { SchemaFields } from './schema_fields.tsx'
import { fieldPaths, type ObjectSchema, settingsOf, type TypedValues } from './schema_values.ts'
import type { SpokenKind } from './spoken_settings.ts'
import { t } from './texts.ts'

export type LinkValues<RouteValues> = {
  name: string
  enabled: boolean
  settings: TypedValues
  routes: readonly RouteValues[]
}

/** What differs from the form as it began, as the API takes it. */
export function linkChanges<RouteValues, Route>(
  values: LinkValues<RouteValues>,
  start: LinkValues<RouteValues>,
  schema: ObjectSchema,
  routesOf: (values: readonly RouteValues[]) => Route[],
) {
  const settings = settingsOf(schema, values.settings, start.settings)
  const isSame = (name: keyof typeof values) => JSON.stringify(values[name]) === JSON.stringify(start[name])
  return {
    ...(isSame('name') ? {} : { name: values.name }),
    ...(isSame('enabled') ? {} : { enabled: values.enabled }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(isSame('routes') ? {} : { routes: routesOf(values.routes) }),
  }
}

export type LinkFormProps<Values, Changes> = {
  kind: 'carrier' | 'trunk'
  title: string
  /** What it is set up as. */
  of: SpokenKind
  /** The names of the secrets that are stored; left out to add one. */
  secretsSet?: readonly string[] | undefined
  start: Values
  changesOf(values: Values, start: Values): Changes
  /** Fields of its sort between the name and the switch, and those of them that can show an error of their own. */
  fields?(form: FormFields<Values>): ReactNode
  fieldNames?: readonly string[]
  enabledHint: string
  routeNames: readonly string[]
  routes(form: FormFields<Values>): ReactNode
  /** The panel that tries the changes out. */
  test?: ((changes: Changes) => ReactNode) | undefined
  /** Gets what differs too; it is of use only where something is changed. */
  save(values: Values, changes: Changes): Promise<unknown>
  onCancel(): void
}
export function LinkForm<Values extends LinkValues<Readonly<Record<string, string>>>, Changes extends object>(
  props: LinkFormProps<Values, Changes>,
) {
  const { kind, title, of, secretsSet, changesOf, enabledHint, test, onCancel } = props
  const { schema } = of
  const isNew = secretsSet === undefined
  const [start] = useState(props.start)
  const [values, setValues] = useState(start)
  const changes = changesOf(values, start)
  // The body holds the password of the account: nothing keeps it.
  const save = useMutation({ gcTime: 0, mutationFn: () => props.save(values, changes) })
  const shown = [
    'name',
    ...(props.fieldNames ?? []),
    ...fieldPaths(schema, values.settings, 'settings.'),
    ...prefixPaths(values.routes, props.routeNames),
  ]
  const form = useFormFields<Values>({ values, change: setValues }, save.error, shown, of.faultText)
  const { fields, general, put } = form
  return (
    <Form ref={form.form} className={styles['form']} onSubmit={save.mutate}>
      <Card title={title}>
        <div className={styles['fields']}>
          <TextField
            label={t('name')}
            placeholder={t('exampleName')}
            name="name"
            value={values.name}
            error={fields['name']}
            onChange={({ target }) => put('name', target.value)}
          />
          {props.fields?.(form)}
          <CheckboxField
            label={t('enabled')}
            hint={enabledHint}
            checked={values.enabled}
            onChange={event => put('enabled', event.target.checked)}
          />
        </div>
      </Card>
      <Card title={t('settingsOf', { kind: of.title })}>
        <div className={styles['groups']}>
          <SchemaFields
            schema={schema}
            values={values.settings}
            secretsSet={secretsSet ?? []}
            faults={fields}
            onChange={(name, value, field) => put('settings', { ...values.settings, [name]: value }, field)}
          />
        </div>
      </Card>
      <Card title={t('routes')}>
        {fields['routes'] !== undefined && <ErrorNote text={fields['routes']} />}
        {props.routes(form)}
      </Card>
      {test?.(changes)}
      <div className={styles['save']}>
        {general !== undefined && <ErrorNote text={general} />}
        <Button onClick={onCancel}>{t('cancel')}</Button>
        <Button
          variant="primary"
          type="submit"
          busy={save.isPending}
          disabled={!isNew && Object.keys(changes).length === 0}
        >
          {isNew ? t(`create.${kind}`) : t('save')}
        </Button>
      </div>
    </Form>
  )
}
