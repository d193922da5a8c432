// What an entry of the audit log is made of: the change it reports, cut down to the fields that differ, without secrets, and with
// the names and addresses of people taken out of it, to be kept beside it. Pure.
import { isSecretName, redactText } from '../values/redact.ts'

export type ActorType = 'user' | 'key' | 'app' | 'operator' | 'system' | 'scim' | 'sso' | 'anonymous'
export type AuditOutcome = 'ok' | 'denied' | 'failed'
/** `user.role_changed`: noun and verb in the past tense. */
export type AuditAction = `${string}.${string}`

export type AuditTarget = { type: string; id: string | number }

export type AuditEntry = {
  action: AuditAction
  targets: readonly AuditTarget[]
  /** `ok` when not said. */
  outcome?: AuditOutcome
  /** A code: why it was denied or failed. */
  reason?: string
  /** What changed, as the API shows it: never a secret. Only the fields that differ are kept. */
  before?: object | null
  after?: object | null
  /** More of the circumstances, without names of people: `{count: 3}`. */
  more?: Readonly<Record<string, string | number | boolean | null>>
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { [name: string]: Json }
/** A name or address, by its place in the event: a JSON pointer (RFC 6901). */
export type Label = { field: string; label: string }

/** Fields whose texts name people, wherever they stand. */
const personalNames =
  /^(?:e?mail|emailOrAdminId|phone|ip|userAgent|from|to|firstName|first_name|lastName|last_name|recipient)$/
/** What changes with every change. */
const stamps = new Set(['version', 'updatedAt', 'updated_at'])
/** Longer lists are counted, longer texts cut. */
const most = { members: 50, text: 1_000, label: 500, depth: 6 }

/** The fields of a change that differ; of a creation or a deletion all there are. */
export function differing(
  before: object | null | undefined,
  after: object | null | undefined,
): { before: JsonObject | null; after: JsonObject | null } {
  const [old, made] = [before, after].map(side => (side ? (tidied(side, 0) as JsonObject) : null)) as [
    JsonObject | null,
    JsonObject | null,
  ]
  if (old === null || made === null) return { before: old, after: made }
  const names = [...new Set([...Object.keys(old), ...Object.keys(made)])].filter(
    name => !stamps.has(name) && JSON.stringify(old[name]) !== JSON.stringify(made[name]),
  )
  const of = (side: JsonObject) =>
    Object.fromEntries(names.filter(name => Object.hasOwn(side, name)).map(name => [name, side[name]!]))
  return { before: of(old), after: of(made) }
}

/** The secrets that a request names, each with the word that stands for it: `{'settings.password': 'changed'}`. */
export function secretsIn(body: unknown, path = ''): JsonObject {
  const found: JsonObject = {}
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return found
  for (const [name, value] of Object.entries(body)) {
    const here = path === '' ? name : `${path}.${name}`
    if (isSecretName(name)) found[here] = 'changed'
    else Object.assign(found, secretsIn(value, here))
  }
  return found
}

/** A value as the log keeps it: secrets said to be changed, lists and texts of bounded length. */
function tidied(value: unknown, depth: number): Json {
  if (typeof value === 'string') return redactText(value).slice(0, most.text)
  if (typeof value !== 'object' || value === null)
    return typeof value === 'number' || typeof value === 'boolean' ? value : null
  if (depth >= most.depth) return '…'
  if (Array.isArray(value))
    return value.length > most.members ? { count: value.length } : value.map(member => tidied(member, depth + 1))
  const named = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    named.map(([name, member]) => [
      name,
      isSecretName(name) && member !== null && typeof member !== 'boolean' ? 'changed' : tidied(member, depth + 1),
    ]),
  )
}

/** Whether a record is that of a person: what has an e-mail address has the name of one. */
export function isPerson(record: object | null | undefined): boolean {
  return record != null && 'email' in record
}

/** Takes the texts that name people out of one side of a change; `place` is where that side stands in the event. */
export function withoutPeople(side: JsonObject | null, place: string, isOfPerson: boolean) {
  const labels: Label[] = []
  const walk = (value: Json, at: string): Json => {
    if (Array.isArray(value)) return value.map((member, index) => walk(member, `${at}/${index}`))
    if (typeof value !== 'object' || value === null) return value
    const kept: JsonObject = {}
    for (const [name, member] of Object.entries(value as JsonObject)) {
      const here = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
      const isPersonal = personalNames.test(name) || (isOfPerson && name === 'name')
      if (isPersonal && typeof member === 'string') labels.push({ field: here, label: member.slice(0, most.label) })
      else kept[name] = walk(member, here)
    }
    return kept
  }
  return { side: side === null ? null : (walk(side, place) as JsonObject), labels }
}

/** The labels put back where they were; what was erased is not there. */
export function withLabels<Event extends object>(event: Event, labels: readonly Label[]): Event {
  const whole = structuredClone(event) as unknown as JsonObject
  for (const { field, label } of labels) {
    const path = field
      .slice(1)
      .split('/')
      .map(step => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    const last = path.pop()!
    let place: JsonObject | undefined = whole
    for (const step of path) place = place?.[step] as JsonObject | undefined
    if (typeof place === 'object' && place !== null) place[last] = label
  }
  return whole as unknown as Event
}
