// Fields for reading: name, type, rules, default, example and meaning, fields within others indented below them. Schemas that a
// field only names, such as the instructions of calls, are shown by name and expanded when opened, so that a schema
// that holds itself can be followed, and never ends by itself.
import { bodyFields, choicesOf, type Field, type JsonSchema, mergedSchema, namesIn } from '@tandem/catalog'
import { createContext, Fragment, useContext, useState } from 'react'
import { AnchorMark, anchorId } from './anchor.tsx'
import styles from './endpoint.module.css'
import { inlineText, Value } from './prose.tsx'

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
    return isSure ? null : <span className={styles['faint']}>may be absent</span>
  }
  if (required) return <span className={styles['required']}>required</span>
  if (requiredWithin !== undefined) return <span className={styles['required']}>required in {requiredWithin}</span>
  return <span className={styles['faint']}>optional</span>
}

function Facts({ field }: { field: Field }) {
  const { rules, example } = field
  const facts = [
    rules !== '' && <span key="rules">{sentence(rules)}</span>,
    field.default !== undefined && (
      <span key="default">
        Default <Value value={field.default} />
      </span>
    ),
    example !== undefined && (
      <span key="example">
        Example <Value value={example} />
      </span>
    ),
  ].filter(fact => fact !== false)
  if (facts.length === 0) return null
  return <div className={styles['facts']}>{facts}</div>
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const places = [
  ['path', 'Path'],
  ['query', 'Query'],
  ['header', 'Headers'],
  ['body', 'Body'],
] as const

/** What a request takes, by where it stands, the required before the optional. */
export function Parameters({ fields, hash }: { fields: readonly Field[]; hash: string }) {
  if (fields.length === 0) return <p className={styles['muted']}>It takes no parameters and no body.</p>
  return places.map(([place, title]) => {
    const own = fields.filter(field => field.in === place)
    if (own.length === 0) return null
    const [required, optional] = parted(own)
    const list = (label: string, some: Field[]) =>
      some.length > 0 && (
        <Fragment key={label}>
          <h4>{label}</h4>
          <FieldsList
            fields={some}
            prefix={`param-${place}`}
            label={`${label} ${title.toLowerCase()} parameters`}
            hash={hash}
          />
        </Fragment>
      )
    return (
      <div key={place} className={styles['place']}>
        <h3>{title}</h3>
        {list('Required', required)}
        {list('Optional', optional)}
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
      {choices.length > 0 && <p>One of:</p>}
      <NamedSchemas names={choices} within={within} hash={hash} isReply={isReply} />
      {fields.length > 0 && (
        <FieldsList fields={fields} prefix={within} label={`Fields of ${name}`} hash={hash} isReply={isReply} />
      )}
      {choices.length === 0 && examples[0] !== undefined && (
        <div className={styles['facts']}>
          <span>
            Example <Value value={examples[0]} />
          </span>
        </div>
      )}
    </>
  )
}
