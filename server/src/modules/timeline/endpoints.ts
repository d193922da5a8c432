// The time line of a lead: what was written and said, and what happened to the lead, in one list.
import { Type } from 'typebox'
import { endpoint } from '../../kernel/endpoint.ts'
import { cutPage, decodeCursor } from '../../kernel/page.ts'
import type { Permission } from '../../kernel/permission.ts'
import { Problem } from '../../kernel/problem.ts'
import { IntegerId, Nullable, OneOf, Timestamp } from '../../kernel/schema.ts'
import { findVisibleLead, listLeadEvents } from '../crm/leads/index.ts'
import { listMessagesWith } from '../messaging/sms/index.ts'
import { durationsOf, listCallsWith } from '../voice/calls/index.ts'
import { listRecordingsOf, recordingStates } from '../voice/recordings/index.ts'
import { type EntryKind, entryKinds, entryOfCall, entryOfLeadEvent, entryOfMessage, merged } from './rules.ts'

const Entry = Type.Object({
  id: Type.String({ description: 'Identifier of the entry: of the message, the call or the event.' }),
  kind: OneOf(entryKinds, { description: 'A text message, a call, or something that happened to the lead itself.' }),
  at: Timestamp,
  direction: Nullable(
    OneOf(['inbound', 'outbound'], { description: 'Inbound came from the person; null for others.' }),
  ),
  title: Type.String({ description: 'What happened, in one line.' }),
  body: Nullable(
    Type.String({
      description: 'The text of a message (null when it was taken away), or the reason a lead was given up for.',
    }),
  ),
  status: Nullable(
    Type.String({ description: 'Of the message or the call as it is now; of the lead as it was then.' }),
  ),
  code: Nullable(
    Type.String({ description: 'Why, where that needs a reason: a problem code, or a cause of hanging up.' }),
  ),
  from: Nullable(Type.String({ description: 'Sender or caller.' })),
  to: Nullable(Type.String({ description: 'Recipient or callee.' })),
  duration_seconds: Nullable(Type.Integer({ description: 'Of a call that has ended.' })),
  changes: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Name of the field of the lead.' }),
      from: Nullable(Type.String()),
      to: Nullable(Type.String()),
    }),
    { description: 'What a change of the lead changed.' },
  ),
  recordings: Type.Array(
    Type.Object({
      recording_id: Type.String({ description: 'Identifier of the recording, `rec_…`.' }),
      state: OneOf(recordingStates, {
        description:
          'available can be heard at GET /v2/voice/recordings/{recordingId}/media; deleted, absent and failed have no sound.',
      }),
      duration_seconds: Nullable(Type.Integer({ description: 'Length of the sound, each second begun counts.' })),
      code: Nullable(Type.String({ description: 'Why it failed, as in GET /v2/problems.' })),
    }),
    { description: 'What was recorded of a call, oldest first.' },
  ),
  resource_id: Type.String({ description: 'The message, the call or the lead itself, to read more of it.' }),
})

const maxLimit = 100

/** What each kind is read with; events of the lead come with the lead. */
const neededFor: Record<Exclude<EntryKind, 'lead_event'> | 'recording', Permission> = {
  message: 'messages:read',
  call: 'calls:read',
  recording: 'recordings:read',
}

export const leadTimeline = endpoint({
  id: 'leads.timeline',
  version: 'v1',
  category: 'CRM',
  method: 'GET',
  path: '/api/leads/{id}/timeline',
  name: 'Read the time line of a lead',
  description:
    'What was written and said with a lead, and what happened to the lead, newest first: messages to and from its phone number as it is now, calls likewise with their recordings, and its own events. Leads with the same number all show what was exchanged with it. What one may not read is left out, and left_out names them. Who sees the lead is as in reading it.',
  permission: 'leads:read',
  params: Type.Object({ id: IntegerId }),
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: maxLimit, default: 20, description: `Entries per page, 1 to ${maxLimit}.` }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 500, description: 'The `nextCursor` of the last answer: goes on with what is older.' }),
    ),
  }),
  reply: Type.Object({
    entries: Type.Array(Entry, { description: 'Newest first.' }),
    left_out: Type.Array(
      Type.Object({
        kind: OneOf(['message', 'call', 'recording']),
        permission: Type.String({ description: 'What one needs to see these.' }),
      }),
      { description: 'What one may not read; recordings stand with their calls.' },
    ),
    pagination: Type.Object({
      limit: Type.Integer({ description: 'The limit used.' }),
      nextCursor: Nullable(Type.String({ description: 'Cursor of what is older; null at the beginning.' })),
    }),
  }),
  envelope: 'success',
  problems: ['not_found', 'invalid_cursor'],
  sample: {
    params: { id: 17 },
    query: { limit: 3 },
    reply: {
      entries: [
        {
          id: 'call_01k9r7e3w2v8e6q4n5m1b0c9xz',
          kind: 'call',
          at: '2026-11-21T08:50:00.123Z',
          direction: 'inbound',
          title: 'Call from +15550100001',
          body: null,
          status: 'completed',
          code: 'normal',
          from: '+15550100001',
          to: '+15005550006',
          duration_seconds: 44,
          changes: [],
          recordings: [
            { recording_id: 'rec_01k9r7e4w2v8e6q4n5m1b0c9xz', state: 'available', duration_seconds: 42, code: null },
          ],
          resource_id: 'call_01k9r7e3w2v8e6q4n5m1b0c9xz',
        },
        {
          id: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
          kind: 'message',
          at: '2026-11-21T08:44:00.123Z',
          direction: 'outbound',
          title: 'Text to +15550100001',
          body: 'Your table is ready.',
          status: 'delivered',
          code: null,
          from: '+15005550006',
          to: '+15550100001',
          duration_seconds: null,
          changes: [],
          recordings: [],
          resource_id: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
        },
        {
          id: 'evt_01k9r7c3w2v8e6q4n5m1b0c9xz',
          kind: 'lead_event',
          at: '2026-11-21T08:40:00.000Z',
          direction: null,
          title: 'Lead created',
          body: null,
          status: 'New',
          code: null,
          from: null,
          to: null,
          duration_seconds: null,
          changes: [],
          recordings: [],
          resource_id: '17',
        },
      ],
      left_out: [],
      pagination: { limit: 3, nextCursor: null },
    },
  },
  async handle({ tx, params, query, principal }) {
    const lead = await findVisibleLead(tx, principal, params.id)
    if (lead === undefined) throw new Problem('not_found')
    const { limit = 20 } = query
    const { phone } = lead
    // A cursor belongs to this lead and number: with another number the story is another.
    const listed = { lead: lead.id, phone }
    const behind = query.cursor === undefined ? undefined : behindOf(query.cursor, listed)
    const mayRead = (kind: keyof typeof neededFor) => principal.permissions.has(neededFor[kind])
    const most = limit + 1
    const [events, messages, calls] = await Promise.all([
      listLeadEvents(tx, principal, lead.id, behind, most),
      phone !== null && mayRead('message') ? listMessagesWith(tx, principal, phone, behind, most) : [],
      phone !== null && mayRead('call') ? listCallsWith(tx, principal, phone, behind, most) : [],
    ])
    const recordings = Map.groupBy(
      mayRead('recording')
        ? await listRecordingsOf(
            tx,
            principal,
            calls.map(call => call.id),
          )
        : [],
      recording => recording.call_id,
    )
    const entries = merged([
      events.map(event => entryOfLeadEvent(event, lead.id)),
      messages.map(entryOfMessage),
      calls.map(call => entryOfCall(call, durationsOf(call).durationSeconds, recordings.get(call.id) ?? [])),
    ])
    const page = cutPage(entries.slice(0, most), limit, entry => [entry.at, entry.id], listed)
    const left = (['message', 'call', 'recording'] as const).filter(kind => !mayRead(kind))
    return {
      entries: page.rows,
      left_out: left.map(kind => ({ kind, permission: neededFor[kind] })),
      pagination: { limit, nextCursor: page.nextCursor },
    }
  },
})

/** @throws Problem `invalid_cursor` */
function behindOf(cursor: string, listed: unknown): readonly [at: string, id: string] {
  const [at, id, ...more] = decodeCursor(cursor, listed)
  if (typeof at !== 'string' || typeof id !== 'string' || more.length > 0 || Number.isNaN(Date.parse(at)))
    throw new Problem('invalid_cursor')
  return [at, id]
}

export const endpoints = [leadTimeline]
