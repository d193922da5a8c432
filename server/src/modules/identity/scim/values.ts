// JSON as identity providers send it: copied onto objects without a prototype, so that no name in it means anything to the language, and
// read by names in whatever case (RFC 7643 §2.1). Pure.
import { scimFault } from './fault.ts'

export type Json = null | boolean | number | string | Json[] | JsonObject
export type JsonObject = { [name: string]: Json }

const deepest = 12

/** @throws a fault for what is nested deeper than anything of ours */
export function plainCopy(value: unknown, depth = 0): Json {
  if (depth > deepest) throw scimFault(400, 'The body is nested too deep.', 'invalidSyntax')
  if (Array.isArray(value)) return value.map(one => plainCopy(one, depth + 1))
  if (typeof value !== 'object' || value === null)
    return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
  const copy = Object.create(null) as JsonObject
  for (const [name, one] of Object.entries(value)) copy[name] = plainCopy(one, depth + 1)
  return copy
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A field by its name in whatever case. */
export function fieldOf(of: JsonObject, name: string): Json | undefined {
  const wanted = name.toLowerCase()
  const found = Object.keys(of).find(known => known.toLowerCase() === wanted)
  return found === undefined ? undefined : of[found]
}

/** Also what Entra sends: `"True"`, `"False"`. @throws a fault */
export function booleanOf(value: Json | undefined, name: string): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text === 'true' || text === 'false') return text === 'true'
  throw scimFault(400, `${name} must be true or false.`, 'invalidValue')
}

/** A text without blanks around it; null where there is none. @throws a fault */
export function textOf(value: Json | undefined, name: string, most: number): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw scimFault(400, `${name} must be a text.`, 'invalidValue')
  // NUL has no place in a text of the database.
  const text = value.trim()
  if (text.length > most || /\0/.test(text) || !text.isWellFormed())
    throw scimFault(400, `${name} must be a text of at most ${most} characters.`, 'invalidValue')
  return text === '' ? null : text
}
