// Which tables are purged by age, in which class, and what an organization may choose. Pure.
import type { FieldFault } from '../../../kernel/values/problem.ts'
import type { RetentionClass, RetentionSettings } from './classes.ts'

/** A table whose ids begin with the time of their row, and the prefix of these ids. */
export type AgedTable = { table: string; prefix: string; in: RetentionClass }

/** In the order in which they are purged: conversations once their messages are gone. */
export const agedTables: readonly AgedTable[] = [
  { table: 'request_log', prefix: 'req', in: 'request_log' },
  { table: 'events', prefix: 'evt', in: 'events' },
  { table: 'message_event_batches', prefix: 'evt', in: 'events' },
  { table: 'messages', prefix: 'msg', in: 'messages' },
  { table: 'conversations', prefix: 'cnv', in: 'messages' },
  { table: 'calls', prefix: 'call', in: 'calls' },
  { table: 'conferences', prefix: 'conf', in: 'calls' },
  { table: 'mails', prefix: 'mail', in: 'mails' },
  { table: 'inbound_mails', prefix: 'inm', in: 'mails' },
]

/** What has an end and is looked at by nobody long afterwards, the same for all organizations. */
export const endedKinds = [
  'sessions',
  'invitations',
  'ownership_transfers',
  'hand_overs',
  'organization_exports',
  'imports',
  'batches',
] as const
export type EndedKind = (typeof endedKinds)[number]

/** Days after their end: of sessions and invitations, and of everything else. */
export const endedDays = { ofSessions: 90, ofWork: 400 }

export type Chosen = { class: RetentionClass; days: number | null }

/** What keeps a choice from being made: a class named twice, or days outside of the bounds of the installation. */
export function choiceFaults(classes: readonly Chosen[], settings: RetentionSettings): FieldFault[] {
  return classes.flatMap(({ class: name, days }, index) => {
    const { min, max } = settings[name]
    const field = `classes[${index}]`
    if (classes.findIndex(one => one.class === name) !== index)
      return [{ field: `${field}.class`, code: 'repeated', message: 'is named twice; name each class once' }]
    if (days === null || (days >= min && days <= max)) return []
    return [
      {
        field: `${field}.days`,
        code: 'out_of_range',
        message: `must be from ${min} to ${max} days for ${name}, or null`,
      },
    ]
  })
}
