// Schemas that a field only names, such as the instructions of calls: shown by their names, and told when they are opened.
// What one names in turn waits to be opened too, so that a schema that holds itself can be followed, and never ends by itself.
import { bodyFields, choicesOf, type JsonSchema, mergedSchema } from '@tandem/catalog'
import { createContext, useContext, useState } from 'react'
import { anchorId } from './anchor.tsx'
import styles from './endpoint.module.css'
import { FieldsList } from './fields_list.tsx'
import { inlineText, Value } from './prose.tsx'

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
      {isOpen && <Told name={name} schema={schema} within={id} hash={hash} isReply={isReply} />}
    </details>
  )
}

const firstSentence = (text: string) => text.replace(/\.\s.*/s, '.')

type ToldProps = Omit<NamedSchemasProps, 'names'> & { name: string; schema: JsonSchema }

function Told({ name, schema, within, hash, isReply }: ToldProps) {
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
