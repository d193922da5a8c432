// Fields for reading: name, type, rules, default, example and meaning, fields within others indented below them. Schemas that a
// field only names, such as the instructions of calls, are shown by name and expanded when opened, so that a schema
// that holds itself can be followed, and never ends by itself.
import { bodyFields, choicesOf, type Field, type JsonSchema, mergedSchema, namesIn } from '@tandem/catalog'
import { createContext, Fragment, useContext, useState } from 'react'
import { AnchorMark, anchorId } from './anchor.tsx'
import styles from './endpoint.module.css'
import { inlineText, Value } from './prose.tsx'
import { t } from './texts.ts'

export type FieldsListProps = {
  fields: readonly Field[]
  /** Begins the ids: `param-body`. */
  prefix: string
  label: string
  hash: string
  /** In replies "required" would say something else: a field that may be missing says so instead. */
  isReply?: boolean
}

export function FieldsList({ fields, prefix, label, hash, isReply = false }: FieldsListProps) {
  return (
    <ul className={styles['fields']} aria-label={label}>
      {fields.map(field => {
        const id = anchorId(prefix, field.name)
        return (
          <li key={id} id={id} data-depth={depthOf(field)} data-target={id === hash || undefined}>
            <FieldHead field={field} id={id} isReply={isReply} />
            {field.description !== '' && <p>{inlineText(field.description)}</p>}
            <Facts field={field} />
            <NamedSchemas names={namesIn(field.schema)} within={id} hash={hash} isReply={isReply} />
          </li>
        )
      })}
    </ul>
  )
}

/** How deep a field lies: 0 at the top, 1 in `customer.name`, at most 4. */
function depthOf({ name, in: place }: Field): number {
  return place === 'body' ? Math.min(4, name.split('.').length - 1) : 0
}

function FieldHead({ field, id, isReply }: { field: Field; id: string; isReply: boolean }) {
  const { name, type } = field
  const last = depthOf(field) === 0 ? 0 : name.lastIndexOf('.') + 1
  return (
    <div className={styles['fieldHead']}>
      <code>
        {last > 0 && <span className={styles['within']}>{name.slice(0, last)}</span>}
        <b>{name.slice(last)}</b>
      </code>
      <span className={styles['type']}>{type}</span>
      <Presence field={field} isReply={isReply} />
      <AnchorMark id={id} name={name} />
    </div>
  )
}

function Presence({ field, isReply }: { field: Field; isReply: boolean }) {
  const { required, requiredWithin } = field
  if (isReply) {
    const isSure = required || requiredWithin !== undefined
    return isSure ? null : <span className={styles['faint']}>{t('mayBeAbsent')}</span>
  }
  if (required) return <span className={styles['required']}>{t('required')}</span>
  if (requiredWithin !== undefined)
    return <span className={styles['required']}>{t('requiredIn', { within: requiredWithin })}</span>
  return <span className={styles['faint']}>{t('optional')}</span>
}

function Facts({ field }: { field: Field }) {
  const { rules, example } = field
  const facts = [
    rules !== '' && <span key="rules">{sentence(rules)}</span>,
    field.default !== undefined && (
      <span key="default">{t.rich('default', { value: () => <Value value={field.default} /> })}</span>
    ),
    example !== undefined && <span key="example">{t.rich('example', { value: () => <Value value={example} /> })}</span>,
  ].filter(fact => fact !== false)
  if (facts.length === 0) return null
  return <div className={styles['facts']}>{facts}</div>
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const places = ['path', 'query', 'header', 'body'] as const

/** What a request takes, by where it stands, the required before the optional. */
export function Parameters({ fields, hash }: { fields: readonly Field[]; hash: string }) {
  if (fields.length === 0) return <p className={styles['muted']}>{t('noParameters')}</p>
  return places.map(place => {
    const own = fields.filter(field => field.in === place)
    if (own.length === 0) return null
    const [required, optional] = parted(own)
    const list = (need: 'required' | 'optional', some: Field[]) =>
      some.length > 0 && (
        <Fragment key={need}>
          <h4>{t(`need.${need}`)}</h4>
          <FieldsList fields={some} prefix={`param-${place}`} label={t(`need.${need}.${place}`)} hash={hash} />
        </Fragment>
      )
    return (
      <div key={place} className={styles['place']}>
        <h3>{t(`place.${place}`)}</h3>
        {list('required', required)}
        {list('optional', optional)}
      </div>
    )
  })
}

/** Fields within an object stay with it, whatever they are themselves. */
function parted(fields: readonly Field[]): [required: Field[], optional: Field[]] {
  const required: Field[] = []
  const optional: Field[] = []
  let group = optional
  for (const field of fields) {
    if (depthOf(field) === 0) group = field.required ? required : optional
    group.push(field)
  }
  return [required, optional]
}

/** The named schemas of the endpoint that is shown. */
export const Schemas = createContext<Readonly<Record<string, JsonSchema>>>({})

type NamedSchemasProps = {
  names: readonly string[]
  /** Id of what names them. */
  within: string
  hash: string
  isReply: boolean
}

export function NamedSchemas({ names, ...place }: NamedSchemasProps) {
  return names.map(name => <NamedSchema key={name} name={name} {...place} />)
}

function NamedSchema({ name, within, hash, isReply }: Omit<NamedSchemasProps, 'names'> & { name: string }) {
  const schema = useContext(Schemas)[name]
  const id = anchorId(within, name)
  // A link to a field in here opens the way to it.
  const [isOpen, setOpen] = useState(hash.startsWith(`${id}-`))
  if (schema === undefined) return null
  const { description = '' } = schema
  return (
    <details className={styles['named']} open={isOpen} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>
        <code>{name}</code> <span>{inlineText(firstSentence(description))}</span>
      </summary>
      {isOpen && <SchemaBody name={name} schema={schema} within={id} hash={hash} isReply={isReply} />}
    </details>
  )
}

const firstSentence = (text: string) => text.replace(/\.\s.*/s, '.')

type SchemaBodyProps = Omit<NamedSchemasProps, 'names'> & { name: string; schema: JsonSchema }

function SchemaBody({ name, schema, within, hash, isReply }: SchemaBodyProps) {
  const schemas = useContext(Schemas)
  const { description = '', examples = [] } = schema
  const choices = choicesOf(schema)
  const fields = bodyFields(mergedSchema(schema, schemas))
  return (
    <>
      {description !== firstSentence(description) && <p>{inlineText(description)}</p>}
      {choices.length > 0 && <p>{t('oneOf')}</p>}
      <NamedSchemas names={choices} within={within} hash={hash} isReply={isReply} />
      {fields.length > 0 && (
        <FieldsList fields={fields} prefix={within} label={t('fieldsOf', { name })} hash={hash} isReply={isReply} />
      )}
      {choices.length === 0 && examples[0] !== undefined && (
        <div className={styles['facts']}>
          <span>{t.rich('example', { value: () => <Value value={examples[0]} /> })}</span>
        </div>
      )}
    </>
  )
}
