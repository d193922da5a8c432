// Validation: query and body of a request, and its path, are checked against the endpoint's schemas together, and every fault is
// reported at once, each with its field and what it takes; of a body of thousands of values the first one. Unknown fields and
// unknown query parameters are faults.
import { withArticle } from '@tandem/catalog/plural'
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { isDate } from '../values/clock.ts'
import { isEmail } from '../values/email.ts'
import { isE164, parsePhone } from '../values/phone.ts'
import type { FieldFault } from '../values/problem.ts'
import { sortFault, wordsFault } from './list_query.ts'

/** So many are listed: a body may hold as many as it has values. */
const maxFaults = 50

/** What is checked; of a body that is large (`kernel/http/json_body.ts`) only the first fault is looked for. */
type Input = { query: unknown; body: unknown; bodyIsLarge?: boolean }

export type Validator = (input: Input) => FieldFault[] | undefined
/** The same of the path alone. */
export type PathValidator = (params: unknown) => FieldFault[]

const options = { allErrors: true, strict: false, useDefaults: true, verbose: true, ownProperties: true } as const
const strict = withFormats(new Ajv({ ...options, coerceTypes: false }))
/** With all errors Ajv goes on through every item of an array that is too long already, and makes an object of each fault. */
const upToFirst = withFormats(new Ajv({ ...options, allErrors: false, coerceTypes: false }))
const coercing = withFormats(new Ajv({ ...options, coerceTypes: true }))

function withFormats(ajv: Ajv): Ajv {
  ;(addFormats as unknown as (ajv: Ajv, formats: string[]) => void)(ajv, ['uri', 'uuid'])
  ajv.addFormat('date', text => isDate(text))
  ajv.addFormat('date-time', text => isDateTime(text))
  // A phone without + needs the tenant's country; here only what no country could make a number is refused.
  ajv.addFormat('phone', text => isE164(text) || parsePhone(text) !== undefined || /^[\s\d().\-/]{3,}$/.test(text))
  ajv.addFormat('idn-email', text => isEmail(text))
  ajv.addFormat('moment', text => isMoment(text))
  ajv.addKeyword(listKeyword('x-words', wordsFault))
  ajv.addKeyword(listKeyword('x-sort', sortFault))
  ajv.addFormat('url', text => URL.canParse(text) && /^https?:\/\//i.test(text))
  return ajv
}

/** A keyword of our own for lists of words: `kernel/endpoint/list_query.ts` says what is wrong. */
function listKeyword(keyword: string, faultOf: (list: string, words: readonly string[]) => string | undefined) {
  return {
    keyword,
    type: 'string' as const,
    validate: (words: readonly string[], list: string) => faultOf(list, words) === undefined,
  }
}

const dateTimeShape = /^\d{4}-\d{2}-\d{2}[T ](?:[01]\d|2[0-3]):\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})$/i
const momentShape = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

const isDateTime = (text: string) => dateTimeShape.test(text) && isKnownMoment(text)
const isMoment = (text: string) => momentShape.test(text) && isKnownMoment(text)

/** Whether it is in the years that have four digits and that PostgreSQL knows, 0001 to 9999, also in UTC. */
function isKnownMoment(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && isDate(text.slice(0, 10)) && isDate(new Date(ms).toISOString().slice(0, 10))
}

/** Compiles the schema of an endpoint's path parameters, which are converted from text. */
export function compilePathValidator(schema: TSchema): PathValidator {
  const validate = coercing.compile(closed(schema))
  const ids = integersOf(schema)
  return params => {
    const faults: FieldFault[] = []
    for (const id of ids) {
      // Conversion would also take 0x10 and 1e1 for 16 and 10: an address has one spelling.
      if (!/^-?\d+$/.test(String((params as Record<string, unknown>)[id])))
        faults.push({ field: id, code: 'wrong_type', message: 'must be an integer' })
    }
    if (faults.length === 0 && !validate(params)) collect(faults, validate, '')
    return faults
  }
}

/** Compiles the schemas of an endpoint's query and body into one check. Query values are converted from text. */
export function compileValidator(schemas: { query?: TSchema; body?: TSchema }): Validator {
  const query = coercing.compile(closed(schemas.query ?? { type: 'object', properties: {} }))
  const single = propertiesOf(schemas.query).filter(([, { type }]) => type !== 'array')
  const bodySchema = schemas.body && closed(schemas.body)
  const wholeBody = bodySchema && strict.compile(bodySchema)
  // Few endpoints ever get a large body.
  let forLarge: ValidateFunction | undefined
  const bodyCheck = (isLarge: boolean | undefined) => {
    if (isLarge !== true) return wholeBody!
    forLarge ??= upToFirst.compile(bodySchema!)
    return forLarge
  }
  return input => {
    const faults: FieldFault[] = []
    const spelled = spellingFaults(single, input.query as Record<string, unknown>)
    faults.push(...spelled)
    if (!query(input.query)) {
      const found: FieldFault[] = []
      collect(found, query, '')
      faults.push(...found.filter(({ field }) => !spelled.some(fault => field.startsWith(fault.field))))
    }
    if (bodySchema !== undefined) {
      const body = bodyCheck(input.bodyIsLarge)
      if (input.body === undefined) {
        faults.push({ field: '', code: 'required', message: 'a JSON object is required as the body' })
      } else if (!body(input.body)) collect(faults, body, '')
    }
    return faults.length === 0 ? undefined : faults
  }
}

type Property = readonly [name: string, schema: { type?: string }]

function propertiesOf(schema: TSchema | undefined): Property[] {
  return Object.entries((schema as { properties?: Record<string, { type?: string }> } | undefined)?.properties ?? {})
}

/** The members of an object schema that are integers. */
export function integersOf(schema: TSchema | undefined): string[] {
  return propertiesOf(schema).flatMap(([name, { type }]) => (type === 'integer' ? [name] : []))
}

/** What conversion would pass over: parameters that take one value and are sent twice, and integers as 0x10 and 1e2. */
function spellingFaults(properties: readonly Property[], query: Record<string, unknown>): FieldFault[] {
  return properties.flatMap(([name, { type }]): FieldFault[] => {
    const value = query[name]
    if (Array.isArray(value))
      return [
        {
          field: name,
          code: 'repeated',
          message: `is sent ${value.length === 2 ? 'twice' : `${value.length} times`}; send it once`,
        },
      ]
    if (type === 'integer' && typeof value === 'string' && !/^-?\d+$/.test(value))
      return [{ field: name, code: 'wrong_type', message: 'must be an integer' }]
    return []
  })
}

/** A copy of the schema in which every object with named properties refuses all others. */
function closed(schema: object): object {
  if (Array.isArray(schema)) return schema.map(item => (isObject(item) ? closed(item) : item))
  const copy: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(schema)) copy[key] = isObject(value) ? closed(value) : value
  if (copy['properties'] !== undefined && copy['additionalProperties'] === undefined)
    copy['additionalProperties'] = false
  return copy
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function collect(faults: FieldFault[], validator: ValidateFunction, root: string): void {
  const reported = new Set<string>()
  for (const error of validator.errors ?? []) {
    if (faults.length >= maxFaults) return
    if (error.keyword === 'anyOf' || error.keyword === 'if') continue
    const fault = faultOf(error, root)
    const mark = `${fault.field} ${fault.message}`
    if (reported.has(mark)) continue
    reported.add(mark)
    faults.push(fault)
  }
  if (faults.length === 0) faults.push({ field: root, code: 'invalid', message: 'fits none of the documented forms' })
}

function faultOf(error: ErrorObject, root: string): FieldFault {
  const at = fieldPath(error.instancePath, root)
  const child = (name: unknown) => (at === '' ? String(name) : `${at}.${String(name)}`)
  const params = error.params as Record<string, unknown>
  switch (error.keyword) {
    case 'required':
      return { field: child(params['missingProperty']), code: 'required', message: 'is required' }
    case 'additionalProperties':
      return {
        field: child(params['additionalProperty']),
        code: 'unknown_field',
        message: `is not a field of this request${suggestions(error)}`,
      }
    case 'type':
      return { field: at, code: 'wrong_type', message: `must be ${typeName(params['type'])}` }
    case 'enum':
      return {
        field: at,
        code: 'not_allowed',
        message: `must be one of: ${(params['allowedValues'] as unknown[]).filter(value => value !== null).join(', ')}`,
      }
    case 'x-words':
      return { field: at, code: 'not_allowed', message: wordsFault(String(error.data), error.schema as string[]) ?? '' }
    case 'x-sort':
      return { field: at, code: 'not_allowed', message: sortFault(String(error.data), error.schema as string[]) ?? '' }
    case 'const':
      return { field: at, code: 'not_allowed', message: `must be ${JSON.stringify(params['allowedValue'])}` }
    case 'format':
      return {
        field: at,
        code: 'wrong_format',
        message: formatHint(String(params['format'])),
        format: String(params['format']),
      }
    case 'pattern':
      return { field: at, code: 'wrong_format', message: patternHint(error) }
    case 'minLength':
      return limited(
        at,
        'too_short',
        params['limit'] === 1 ? 'must not be empty' : `must have at least ${params['limit']} characters`,
        params,
      )
    case 'maxLength':
      return limited(at, 'too_long', `must have at most ${params['limit']} characters`, params)
    case 'minItems':
      return limited(at, 'too_few', `must have at least ${params['limit']} entries`, params)
    case 'maxItems':
      return limited(at, 'too_many', `must have at most ${params['limit']} entries`, params)
    case 'minProperties':
      return { field: at, code: 'too_few', message: `must name at least ${params['limit']} field to change` }
    case 'minimum':
      return limited(at, 'too_small', `must be ${comparison(params)}`, params)
    case 'maximum':
      return limited(at, 'too_large', `must be ${comparison(params)}`, params)
    case 'exclusiveMinimum':
      return { field: at, code: 'too_small', message: `must be ${comparison(params)}` }
    case 'exclusiveMaximum':
      return { field: at, code: 'too_large', message: `must be ${comparison(params)}` }
    case 'multipleOf':
      return { field: at, code: 'wrong_format', message: `must be a multiple of ${params['multipleOf']}` }
    default:
      return { field: at, code: error.keyword, message: error.message ?? 'is invalid' }
  }
}

function limited(field: string, code: string, message: string, { limit }: Record<string, unknown>): FieldFault {
  return { field, code, message, limit: Number(limit) }
}

function comparison({ comparison, limit }: Record<string, unknown>): string {
  const words: Record<string, string> = { '>=': 'at least', '<=': 'at most', '>': 'more than', '<': 'less than' }
  return `${words[String(comparison)] ?? comparison} ${limit}`
}

function typeName(type: unknown): string {
  const names = (Array.isArray(type) ? type : String(type).split(',')).map(name =>
    name === 'null' ? 'null' : withArticle(name),
  )
  return names.join(' or ')
}

function formatHint(format: string): string {
  const hints: Record<string, string> = {
    'idn-email': 'must be an e-mail address, such as ada@example.com',
    phone: 'must be a telephone number, best with + and country code, such as +15550100001',
    date: 'must be a calendar date, YYYY-MM-DD',
    'date-time': 'must be a time in ISO 8601 with offset, such as 2026-11-21T08:00:00Z',
    moment: 'must be a date (2026-11-21) or a time with offset (2026-11-21T08:00:00Z)',
    url: 'must be an http or https address',
    uri: 'must be an address with scheme, such as https://example.com/hook',
  }
  return hints[format] ?? `must have the format ${format}`
}

/** A schema may say its pattern in words as `errorMessage`. */
function patternHint(error: ErrorObject): string {
  const words = (error.parentSchema as { errorMessage?: string } | undefined)?.errorMessage
  return words ?? `must match ${String((error.params as { pattern: string }).pattern)}`
}

function suggestions(error: ErrorObject): string {
  const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {})
  return known.length === 0 ? '' : `; known are: ${known.join(', ')}`
}

/** `/lines/0/quantity` as `lines[0].quantity`. */
function fieldPath(pointer: string, root: string): string {
  let path = root
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    path += /^\d+$/.test(name) ? `[${name}]` : path === '' ? name : `.${name}`
  }
  return path
}

const torn = { code: 'wrong_format', message: 'must be well-formed Unicode, without lone surrogates' }
const nul = { code: 'wrong_format', message: 'must not contain the NUL character' }

/** Fields whose text holds U+0000, which no PostgreSQL text can store. */
export function nulFaults(value: unknown): FieldFault[] {
  return textFaults(value, text => text.includes('\0'), nul)
}

/** Fields whose text holds half of a surrogate pair, which UTF-8 cannot write: it would be stored as U+FFFD, which nobody sent. */
export function surrogateFaults(value: unknown): FieldFault[] {
  return textFaults(value, text => !text.isWellFormed(), torn)
}

function textFaults(
  root: unknown,
  isFaulty: (text: string) => boolean,
  fault: Omit<FieldFault, 'field'>,
): FieldFault[] {
  const faults: FieldFault[] = []
  function look(value: unknown, field: string): void {
    if (typeof value === 'string') {
      if (isFaulty(value)) faults.push({ field, ...fault })
    } else if (Array.isArray(value)) {
      for (let at = 0; at < value.length && faults.length < maxFaults; at++) look(value[at], `${field}[${at}]`)
    } else if (isObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        if (faults.length >= maxFaults) return
        if (isFaulty(key)) faults.push({ field, ...fault })
        else look(member, field === '' ? key : `${field}.${key}`)
      }
    }
  }
  look(root, '')
  return faults
}
