// Messages as they are read: the list with its filters, and one message with its parts and everything that happened to it.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, encodeCursor, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { MomentInput, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { firstIdAt } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { readSender } from '../addresses.ts'
import { findMessage, listMessages } from './read_store.ts'
import { directions, messageStatuses, presentMessage, segmentStates } from './rules.ts'
import { Message, sampleMessage } from './schemas.ts'

const idPrefix = 'msg'

export const listAllMessages = endpoint({
  id: 'messages.list',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/messages',
  name: 'List messages',
  description:
    'The messages of this tenant and mode, newest first. With `to`, `participant`, or with `from` and direction inbound, they are found however old they are; with other filters that match little, a page may hold fewer messages than the limit while hasMore is true: go on with the cursor.',
  permission: 'messages:read',
  query: Type.Object({
    status: Type.Optional(OneOf(messageStatuses, { description: 'Only messages in this status.' })),
    direction: Type.Optional(OneOf(directions, { description: 'Only messages that went out, or came in.' })),
    to: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Only messages to this recipient.' })),
    from: Type.Optional(Type.String({ minLength: 1, maxLength: 40, description: 'Only messages of this sender.' })),
    participant: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Only messages to this person, and what they wrote.' }),
    ),
    serviceId: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Only messages of this messaging service.' }),
    ),
    carrier: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'Only messages that this carrier carries.' }),
    ),
    tag: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Only messages with this tag.' })),
    createdAfter: Type.Optional(MomentInput),
    createdBefore: Type.Optional(MomentInput),
    ...v2PageQuery,
  }),
  reply: Message,
  envelope: 'page',
  sample: { query: { status: 'delivered', limit: 20 }, reply: sampleMessage },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const upper =
      filter.createdBefore === undefined ? `${idPrefix}_z` : firstIdAt(idPrefix, Date.parse(filter.createdBefore))
    const behind = cursorId(idPrefix, cursor, filter)
    const { rows, reached } = await listMessages(
      tx,
      principal,
      {
        fromId:
          filter.createdAfter === undefined ? `${idPrefix}_` : firstIdAt(idPrefix, Date.parse(filter.createdAfter)),
        beforeId: behind !== undefined && behind < upper ? behind : upper,
        status: filter.status ?? null,
        direction: filter.direction ?? null,
        to: addressFilter('to', filter.to, principal),
        from: addressFilter('from', filter.from, principal),
        participant: addressFilter('participant', filter.participant, principal),
        serviceId: filter.serviceId ?? null,
        carrier: filter.carrier ?? null,
        tag: filter.tag ?? null,
      },
      limit,
    )
    const page = cutPage(rows, limit, row => [row.id], filter)
    const goOn = reached === undefined ? page.nextCursor : encodeCursor([reached], filter)
    return { items: page.rows.map(presentMessage), limit, nextCursor: goOn }
  },
})

function addressFilter(field: string, text: string | undefined, { settings }: Principal): string | null {
  if (text === undefined) return null
  const address = readSender(text, settings.defaultCountry)
  if (address !== undefined) return address
  const message =
    'must be a telephone number, a short code or a sender id; in an address write %2B for the + of a number'
  throw invalid({ field, code: 'wrong_format', message })
}

export const getMessage = endpoint({
  id: 'messages.get',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/messages/{messageId}',
  name: 'Get a message',
  description:
    'One message with its history (every status it had, when, and why) and its parts: the carrier that has each, its id there, and what the receipt said.',
  permission: 'messages:read',
  params: Type.Object({
    messageId: RecordId('msg', 'Identifier of the message.'),
  }),
  reply: Type.Object({
    ...Message.properties,
    history: Type.Array(
      Type.Object({
        status: OneOf(messageStatuses),
        at: Timestamp,
        code: Nullable(Type.String({ description: 'Why, where that needs a reason: a problem code.' })),
      }),
      { description: 'First to last.' },
    ),
    parts: Type.Array(
      Type.Object({
        part: Type.Integer({ description: 'From 1.' }),
        attempt: Type.Integer({ description: 'The attempt in which it was handed over last.' }),
        state: OneOf(segmentStates, {
          description: 'Submitting: the carrier has not answered. Unknown: it never did.',
        }),
        carrier: Type.String({ description: 'Who got it.' }),
        carrierMessageId: Nullable(Type.String({ description: "The carrier's id of it, to ask the carrier about." })),
        code: Nullable(Type.String({ description: 'Why it was not taken or delivered: a problem code.' })),
        carrierCode: Nullable(Type.String({ description: "The carrier's own code." })),
        answeredAt: Nullable(Timestamp),
        receiptAt: Nullable(Timestamp),
      }),
      { description: 'One for each segment that was handed over.' },
    ),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { messageId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz' },
    reply: {
      ...sampleMessage,
      history: [
        { status: 'queued', at: '2026-11-21T08:44:00.123Z', code: null },
        { status: 'sending', at: '2026-11-21T08:44:00.134Z', code: null },
        { status: 'sent', at: '2026-11-21T08:44:00.161Z', code: null },
        { status: 'delivered', at: '2026-11-21T08:44:01.164Z', code: null },
      ],
      parts: [
        {
          part: 1,
          attempt: 1,
          state: 'delivered',
          carrier: 'simulator',
          carrierMessageId: 'sim_01k9r7d3w2v8e6q4n5m1b0c9xz',
          code: null,
          carrierCode: null,
          answeredAt: '2026-11-21T08:44:00.161Z',
          receiptAt: '2026-11-21T08:44:01.161Z',
        },
      ],
    },
  },
  async handle({ tx, principal, params }) {
    const row = await findMessage(tx, principal, params.messageId)
    if (row === undefined) throw new Problem('not_found')
    return { ...presentMessage(row), history: row.history, parts: row.parts }
  },
})

export const readEndpoints = [listAllMessages, getMessage]
