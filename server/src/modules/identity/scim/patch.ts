// PATCH of SCIM (RFC 7644 §3.5.2) with what Okta and Entra make of it: operations in capitals, dotted names without a path, values with
// the name of a schema before them, and members that are removed by value and not by path. It works on copies without a prototype; a
// name that is none of ours changes nothing. Pure.
import { scimFault } from './fault.ts'
import { textOfLiteral } from './filter.ts'
import { fieldOf, isObject, type Json, type JsonObject, plainCopy } from './values.ts'

export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const operationsAtMost = 100

/** What a resource is made of: texts and the like, objects with such (`name`), and lists of objects with a value (`emails`, `members`). */
export type Shape = {
  simple: readonly string[]
  complex: Readonly<Record<string, readonly string[]>>
  lists: Readonly<Record<string, readonly string[]>>
}

type Op = 'add' | 'replace' | 'remove'
type Place = { attribute: string; sub?: string; chosen?: { by: string; value: string } }

/** @returns a copy of the resource with all operations done, in their order. @throws a fault */
export function applyPatch(resource: JsonObject, body: unknown, shape: Shape): JsonObject {
  const result = plainCopy(resource) as JsonObject
  const sent = plainCopy(body)
  const operations = isObject(sent) ? fieldOf(sent, 'Operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > operationsAtMost)
    throw scimFault(400, `Operations must be a list of 1 to ${operationsAtMost} operations.`, 'invalidSyntax')
  for (const operation of operations) {
    if (!isObject(operation)) throw scimFault(400, 'An operation must be an object.', 'invalidSyntax')
    const op = opOf(fieldOf(operation, 'op'))
    const path = fieldOf(operation, 'path')
    const value = fieldOf(operation, 'value')
    if (typeof path === 'string' && path.trim() !== '') apply(result, op, path.trim(), value, shape)
    else if (isObject(value)) for (const [name, one] of Object.entries(value)) apply(result, op, name, one, shape)
    else
      throw scimFault(
        400,
        'An operation without a path needs an object as its value.',
        op === 'remove' ? 'noTarget' : 'invalidValue',
      )
  }
  return result
}

function opOf(value: Json | undefined): Op {
  const op = typeof value === 'string' ? value.toLowerCase() : ''
  if (op === 'add' || op === 'replace' || op === 'remove') return op
  throw scimFault(400, 'op must be add, replace or remove.', 'invalidSyntax')
}

function apply(resource: JsonObject, op: Op, path: string, value: Json | undefined, shape: Shape): void {
  const place = placeOf(path, shape)
  // Of an extension or none of ours: nothing of it is kept.
  if (place === undefined) return
  const { attribute, sub } = place
  if (op !== 'remove' && value === undefined) throw scimFault(400, `${path} needs a value.`, 'invalidValue')
  if (shape.simple.includes(attribute)) {
    set(resource, attribute, op === 'remove' ? null : (value as Json))
    return
  }
  if (Object.hasOwn(shape.lists, attribute)) {
    applyToList(resource, op, place, value, path)
    return
  }
  const subs = shape.complex[attribute] as readonly string[]
  const before = resource[attribute]
  const held = isObject(before as Json) ? (before as JsonObject) : (Object.create(null) as JsonObject)
  if (sub !== undefined) set(held, sub, op === 'remove' ? null : (value as Json))
  else if (op === 'remove') for (const name of subs) set(held, name, null)
  else if (isObject(value)) {
    for (const name of subs) {
      const one = fieldOf(value, name)
      if (one !== undefined) set(held, name, one)
    }
  } else if (value !== null) throw scimFault(400, `${path} needs an object as its value.`, 'invalidValue')
  resource[attribute] = held
}

/** Names are those of our shapes, so none is of a prototype. */
function set(of: JsonObject, name: string, value: Json): void {
  if (value === null) delete of[name]
  else of[name] = value
}

const path = /^([\w$-]+)(?:\[\s*([\w$.-]+)\s+eq\s+("(?:[^"\\]|\\.)*"|[\w-]+)\s*\])?(?:\.([\w$-]+))?$/i

function placeOf(text: string, shape: Shape): Place | undefined {
  const plain = text.replace(/^urn:ietf:params:scim:schemas:core:2\.0:\w+:/i, '')
  if (/^urn:/i.test(plain)) return undefined
  const match = path.exec(plain)
  const [, name = '', by, literal = '', sub] = match ?? []
  const value = textOfLiteral(literal)
  if (match === null || value === undefined)
    throw scimFault(400, `The path ${text.slice(0, 200)} is not understood.`, 'invalidPath')
  const attribute = named([...shape.simple, ...Object.keys(shape.complex), ...Object.keys(shape.lists)], name)
  if (attribute === undefined) return undefined
  const subs = shape.complex[attribute] ?? shape.lists[attribute] ?? []
  const found = sub === undefined ? undefined : named(subs, sub)
  if (sub !== undefined && found === undefined) return undefined
  if (by === undefined) return { attribute, ...(found !== undefined && { sub: found }) }
  return { attribute, ...(found !== undefined && { sub: found }), chosen: { by: named(subs, by) ?? by, value } }
}

function named(known: readonly string[], name: string): string | undefined {
  return known.find(one => one.toLowerCase() === name.toLowerCase())
}

function applyToList(resource: JsonObject, op: Op, place: Place, value: Json | undefined, path: string): void {
  const { attribute, sub, chosen } = place
  const held = Array.isArray(resource[attribute]) ? (resource[attribute] as JsonObject[]) : []
  const isChosen = (one: JsonObject) => chosen === undefined || sameText(one[chosen.by], chosen.value)
  if (op === 'remove') {
    if (sub !== undefined) for (const one of held.filter(isChosen)) delete one[sub]
    else if (chosen !== undefined) resource[attribute] = held.filter(one => !isChosen(one))
    // With values only these go, as Entra means it; without any all of them do (RFC 7644 §3.5.2.2).
    else if (value !== undefined && value !== null) {
      const gone = new Set(entriesOf(value, path).map(({ value: one }) => String(one)))
      resource[attribute] = held.filter(one => !gone.has(String(one['value'])))
    } else resource[attribute] = []
    return
  }
  if (chosen !== undefined || sub !== undefined) {
    const fields = sub === undefined ? entriesOf(value as Json, path)[0] : { [sub]: value as Json }
    const found = held.filter(isChosen)
    if (found.length === 0) {
      const made = Object.create(null) as JsonObject
      if (chosen !== undefined) made[chosen.by] = chosen.value
      held.push(made)
      found.push(made)
    }
    for (const one of found) for (const [name, field] of Object.entries(fields ?? {})) one[name] = field
    resource[attribute] = held
    return
  }
  const sent = entriesOf(value as Json, path)
  const before =
    op === 'replace' ? [] : held.filter(one => !sent.some(other => sameText(other['value'], String(one['value']))))
  resource[attribute] = [...before, ...sent]
}

/** Entries of a list: objects with a value, or the values alone, one or several. @throws a fault */
function entriesOf(value: Json, path: string): JsonObject[] {
  return [value].flat().map(one => {
    const entry = isObject(one as Json) ? (one as JsonObject) : Object.assign(Object.create(null), { value: one })
    const said = fieldOf(entry, 'value')
    if (typeof said !== 'string' && typeof said !== 'number')
      throw scimFault(400, `${path} needs entries with a value.`, 'invalidValue')
    return Object.assign(Object.create(null), entry, { value: String(said) }) as JsonObject
  })
}

function sameText(one: Json | undefined, other: string): boolean {
  return String(one ?? '').toLowerCase() === other.toLowerCase()
}
