// The event log: everything that happened in a tenant, as webhooks deliver it, newest first.

import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { MomentInput, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { permissions } from '../../../nouns.ts'
import { idRange, newestPage, timestampOf } from '../newest_store.ts'
import { typeFilter, visibleNouns } from '../rules.ts'
import { type EventRow, listEvents } from './store.ts'

export const vocabulary = Object.keys(permissions)

export const EventItem = Type.Object({
  id: Type.String(),
  type: Type.String({ description: 'What happened: noun and verb in the past tense.' }),
  timestamp: Timestamp,
  resourceId: Type.String({ description: 'The resource it is about.' }),
  sequence: Type.Integer({ description: 'Grows with every event of one resource: receivers can order them by it.' }),
  data: Type.Unsafe<unknown>({ description: 'The resource as the API presents it, at that moment.' }),
  mode: OneOf(['live', 'test']),
})

const sampleEvent: Static<typeof EventItem> = {
  id: 'evt_01k9r7d3w2v8e6q4n5m1b0c9xz',
  type: 'message.delivered',
  timestamp: '2026-11-21T08:44:00.123Z',
  resourceId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
  sequence: 4,
  data: { messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz', status: 'delivered', previousStatus: 'sent' },
  mode: 'live',
}

export function presentEvent(row: EventRow, { mode }: Pick<Principal, 'mode'>) {
  const { id, type, at, resource_id, sequence, data } = row
  return { id, type, timestamp: at, resourceId: resource_id, sequence, data, mode }
}

export const listAllEvents = endpoint({
  id: 'events.list',
  version: 'v2',
  category: 'Developer',
  method: 'GET',
  path: '/events',
  name: 'List events',
  description:
    'What happened in this tenant and mode, newest first; each event was written together with the change' +
    ' it reports. One sees events of the resources one may read: those of invoices need invoices:read, and ' +
    'so on. With filters that match little, a page may hold fewer events than the limit while hasMore is ' +
    'true: go on with the cursor.',
  permission: 'events:read',
  query: Type.Object({
    type: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[a-z_]+(?:\\.[a-z_]+)*(?:\\.\\*)?$',
        errorMessage: 'must be a type such as lead.created, or lead.* for all of leads',
        description: 'A type, such as lead.created, or lead.* for all of leads.',
      }),
    ),
    resourceId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Events of one resource.' })),
    createdAfter: Type.Optional(MomentInput),
    createdBefore: Type.Optional(MomentInput),
    ...v2PageQuery,
  }),
  reply: EventItem,
  envelope: 'page',
  sample: { query: { type: 'message.*' }, reply: sampleEvent },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const range = idRange('evt', filter, cursorId('evt', cursor, filter))
    const { exact = null, noun = null } = filter.type === undefined ? {} : typeFilter(filter.type)
    const wanted = {
      visibleNouns: visibleNouns(principal.permissions, vocabulary),
      type: exact,
      noun,
      resourceId: filter.resourceId ?? null,
      after: timestampOf(filter.createdAfter),
      before: timestampOf(filter.createdBefore),
    }
    const { rows, reached } = await listEvents(tx, principal, range, wanted, limit)
    return newestPage(
      rows,
      limit,
      filter,
      row => presentEvent(row, principal),
      async () => reached,
    )
  },
})

export const endpoints = [listAllEvents]
