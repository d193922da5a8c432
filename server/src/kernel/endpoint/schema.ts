// Schema pieces that many endpoints share. TypeBox values are JSON Schema: the validator, the serialiser, OpenAPI and the
// Explorer read the same object.
import { type Static, type TSchema, type TString, Type } from 'typebox'

/** A value or null, as `type: [T, 'null']`: the spelling that serialises fastest and reads best in OpenAPI 3.1. */
export function Nullable<T extends TSchema>(schema: T) {
  const plain = schema as unknown as { type?: string | string[]; enum?: unknown[] }
  if (plain.type === undefined && plain.enum === undefined)
    return Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })
  const type = plain.type ?? 'string'
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [...(Array.isArray(type) ? type : [type]), 'null'],
    ...(plain.enum === undefined ? {} : { enum: [...plain.enum, null] }),
  })
}

/** One of a fixed list of words. */
export function OneOf<const T extends readonly string[]>(
  values: T,
  options: { description?: string; default?: T[number] } = {},
) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], ...options })
}

export const IntegerId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Identifier.' })
/**
 * A parameter of the path that is the id of a record: `numberId: RecordId('num', 'Identifier of the number.')`. What no id of
 * this kind can be is answered like the id of a record that is not there.
 */
export function RecordId(prefix: string, description: string) {
  return Type.String({ pattern: `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`, description })
}

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601 in UTC, with milliseconds.' })
export const DateOnly = Type.String({ format: 'date', description: 'Calendar date, YYYY-MM-DD.' })
export const Email = Type.String({
  format: 'idn-email',
  maxLength: 254,
  description: 'E-mail address, of letters of any script (RFC 6531); blanks around it are dropped.',
})

/** A telephone number in any usual spelling; stored and answered as E.164. */
export const PhoneInput = Type.String({
  format: 'phone',
  minLength: 3,
  maxLength: 40,
  description: 'Telephone number, best in international format with +; usual spellings are understood.',
})
/** ITU-T E.164: + and at most 15 digits. */
export const PhoneNumber = Type.String({
  maxLength: 16,
  description: 'Telephone number in E.164 format with leading +.',
})

/** A query parameter holding a date or a point in time. */
export const MomentInput = Type.String({
  format: 'moment',
  maxLength: 40,
  description: 'ISO 8601 date (YYYY-MM-DD) or time with offset (2026-11-21T08:00:00Z).',
})

/** What DELETE answers for a record that is gone for good: its id under the name it has elsewhere. It has no version any more. */
export function Deleted<const Id extends string>(id: Id) {
  const fields = { [id]: Type.String({ description: 'What was deleted.' }) } as { [name in Id]: TString }
  return Type.Object({ ...fields, deleted: Type.Literal(true, { description: 'It is gone.' }) })
}

/** The reply of an endpoint that answers with a file. */
export function FileBytes(description: string) {
  return Type.String({ format: 'binary', description })
}
