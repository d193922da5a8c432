// The audit log over the API: its events, newest first, and one of them.
import { Type } from 'typebox'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../kernel/endpoint/page.ts'
import { requireRecord } from '../../kernel/endpoint/record.ts'
import { MomentInput, OneOf, RecordId } from '../../kernel/endpoint/schema.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { presentEvent } from './present.ts'
import { AuditEvent, actorTypes, outcomes, sampleEvent } from './schemas.ts'
import { type EventFilters, findEvent, listEvents } from './store.ts'

export const own = { version: 'v2', category: 'Organization' } as const

/** By what the log is searched, in lists and exports. */
export const filterQuery = {
  action: Type.Optional(
    Type.String({
      maxLength: 100,
      pattern: '^[a-z_]+(?:\\.[a-z_]+)*(?:\\.\\*)?$',
      errorMessage: 'must be an action such as user.role_changed, or user.* for all of users',
      description: 'An action, such as user.role_changed, or user.* for all of users.',
    }),
  ),
  actor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'Only what this user or key did, or had done for it, by its id.',
    }),
  ),
  actorType: Type.Optional(OneOf(actorTypes, { description: 'Only what was done as such.' })),
  target: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'Only what was done to this: an id such as whk_…, or with what it is in front, such as user:12.',
    }),
  ),
  outcome: Type.Optional(OneOf(outcomes, { description: 'Only what ended so.' })),
  ip: Type.Optional(
    Type.String({ minLength: 2, maxLength: 45, description: 'Only what was asked from this address.' }),
  ),
  from: Type.Optional(MomentInput),
  to: Type.Optional(MomentInput),
  q: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 100,
      description: 'Only events with this text in action, reason, names, addresses, targets, or what changed.',
    }),
  ),
}

export type FilterQuery = { [Name in keyof EventFilters]?: string }

/** Moments as the store takes them. */
export function filtersOf({ from, to, ...others }: FilterQuery): EventFilters {
  return { ...others, from: from && isoMs(Date.parse(from)), to: to && isoMs(Date.parse(to)) }
}

export const listAuditEvents = endpoint({
  ...own,
  id: 'audit_events.list',
  method: 'GET',
  path: '/audit-events',
  name: 'List audit events',
  description:
    'Who did what in the organization, in live and test mode, newest first: changes of configuration, sign-ins and their refusals, exports, permissions that were refused (counted, one event a minute for each kind and who met it). Each was written in the transaction of what it reports.',
  permission: 'audit:read',
  whileSuspended: true,
  query: Type.Object({ ...filterQuery, ...v2PageQuery }),
  reply: AuditEvent,
  envelope: 'page',
  sample: { query: { action: 'user.*', limit: 20 }, reply: sampleEvent },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filters } = query
    const beforeId = cursorId('aud', cursor, filters)
    const rows = await listEvents(tx, principal, filtersOf(filters), { limit, beforeId })
    const cut = cutPage(rows, limit, row => [row.id], filters)
    return { items: cut.rows.map(presentEvent) as never[], limit, nextCursor: cut.nextCursor }
  },
})

export const getAuditEvent = endpoint({
  ...own,
  id: 'audit_events.get',
  method: 'GET',
  path: '/audit-events/{auditEventId}',
  name: 'Get an audit event',
  description:
    'One event of the audit log, with what was before and after, and its place in the chain once it is sealed.',
  permission: 'audit:read',
  whileSuspended: true,
  params: Type.Object({ auditEventId: RecordId('aud', 'Identifier of the event.') }),
  reply: AuditEvent,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { auditEventId: sampleEvent.auditEventId }, reply: sampleEvent },
  async handle({ tx, principal, params }) {
    return presentEvent(requireRecord(await findEvent(tx, principal, params.auditEventId))) as never
  },
})

export const endpoints = [listAuditEvents, getAuditEvent]
