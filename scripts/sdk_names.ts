// Which shapes of the API deserve a name in the SDK: the records its endpoints return, and long lists of words.
import { singularOf } from '@tandem/catalog/plural'
import type { Operation } from './openapi_operations.ts'
import { pascal, type Schema } from './sdk_types.ts'

export type NamedType = { name: string; schema: Schema /** The operation it is known from. */; from: string }

export const keyOf = (schema: Schema): string => JSON.stringify(schema)

/** An enum this long is unreadable where it is used. */
const longEnum = 16

type Candidate = { name: string; schema: Schema; operation: Operation; rank: number; uses: number; isItem: boolean }

/**
 * Names by shape. `lead` of a v1 reply and each of `leads` are a Lead, the data of `calls.get` is a Call. Where shapes claim
 * one name, that of `get` has it, then `list`; another gets a longer one when it is the item of a list or used twice.
 * @param reserved names the document gave itself
 */
export function namedTypes(operations: readonly Operation[], reserved: readonly string[]): Map<string, NamedType> {
  const candidates = [...candidatesOf(operations).values()].sort((a, b) => a.rank - b.rank)
  const ends = ['Params', 'Reply', 'Event']
  const taken = new Set([...reserved, ...operations.flatMap(({ typeName }) => ends.map(end => typeName + end))])
  const named = new Map<string, NamedType>()
  const give = (name: string, schema: Schema, from: string) => {
    taken.add(name)
    named.set(keyOf(schema), { name, schema, from })
  }
  for (const { name, schema, operation, uses, isItem } of candidates) {
    const longer = `${operation.typeName}${isItem ? 'Item' : name}`
    if (!taken.has(name)) give(name, schema, operation.operationId)
    else if ((isItem || uses > 1) && !taken.has(longer)) give(longer, schema, operation.operationId)
  }
  for (const operation of operations) {
    for (const [field, schema] of enumsIn('', [operation.params, operation.reply])) {
      const name = pascal(singularOf(field))
      if (!named.has(keyOf(schema)) && !taken.has(name)) give(name, schema, operation.operationId)
    }
  }
  return named
}

function candidatesOf(operations: readonly Operation[]): Map<string, Candidate> {
  const byShape = new Map<string, Candidate>()
  for (const operation of operations) {
    for (const { name, schema, isItem } of recordsIn(operation)) {
      const verb = ['get', 'list', 'create'].indexOf(operation.operationId.split('.').at(-1) ?? '')
      const rank = (name === nounOf(operation.operationId) ? 0 : 10) + (verb === -1 ? 5 : verb)
      const known = byShape.get(keyOf(schema))
      const uses = (known?.uses ?? 0) + 1
      if (known === undefined || rank < known.rank)
        byShape.set(keyOf(schema), { name, schema, operation, rank, uses, isItem })
      else known.uses = uses
    }
  }
  return byShape
}

function recordsIn(operation: Operation): { name: string; schema: Schema; isItem: boolean }[] {
  const { envelope, reply, items, operationId } = operation
  const isRecord = (schema: Schema | undefined): schema is Schema => Object.keys(schema?.properties ?? {}).length > 1
  if (envelope === 's')
    return Object.entries(reply.properties ?? {}).flatMap(([field, schema]) => {
      const record = schema.type === 'array' ? schema.items : schema
      return isRecord(record) ? [{ name: nameOf(field), schema: record, isItem: field === items }] : []
    })
  const isItem = envelope === 'p' || (envelope === 'd' && reply.type === 'array')
  const record = envelope === 'd' && isItem ? reply.items : reply
  return (envelope === 'd' || envelope === 'p') && isRecord(record)
    ? [{ name: nounOf(operationId), schema: record, isItem }]
    : []
}

/** Long enums below some schemas, with the name of the field they stand in. */
function enumsIn(field: string, schemas: readonly Schema[]): [field: string, schema: Schema][] {
  return schemas.flatMap(schema => {
    const { enum: words = [], properties = {}, items, anyOf = [], oneOf = [] } = schema
    return [
      ...(words.length >= longEnum ? [[field, schema] as [string, Schema]] : []),
      ...Object.entries(properties).flatMap(([name, inner]) => enumsIn(name, [inner])),
      ...enumsIn(field, [...(items === undefined ? [] : [items]), ...anyOf, ...oneOf]),
    ]
  })
}

/** Where the noun of the id would be a poor name for the record, or that of something a browser has. */
const nounNames: Record<string, string> = {
  catalog: 'CatalogEntry',
  requests: 'RequestLogEntry',
  events: 'TandemEvent',
  numbers: 'PhoneNumber',
  entries: 'TimelineEntry',
}

function nounOf(operationId: string): string {
  return nameOf(operationId.split('.').at(-2) ?? '')
}

function nameOf(noun: string): string {
  return nounNames[noun] ?? pascal(singularOf(noun))
}
