// What people do with conversations: give them to somebody, snooze, close and open them, read them, put them on a record.
import { Type } from 'typebox'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { requireRecord, requireVersion } from '../../kernel/endpoint/record.ts'
import { Email, IntegerId, Nullable, OneOf, PhoneInput, Timestamp } from '../../kernel/endpoint/schema.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { attachConversation } from './attaching.ts'
import { changeConversation } from './changing.ts'
import { setRead, signal } from './entries_store.ts'
import { findConversation } from './list_store.ts'
import { presentOne } from './present_one.ts'
import { common } from './read_endpoints.ts'
import { conversationStates } from './rules.ts'
import { ConversationParams, OneConversation, sampleConversation, sampleOne } from './schemas.ts'
import { sightOf } from './sight_store.ts'

const { conversationId } = sampleConversation

const change = endpoint({
  ...common,
  id: 'conversations.update',
  method: 'PATCH',
  path: '/conversations/{conversationId}',
  name: 'Update a conversation',
  description:
    'Assigns it to a person or a team, snoozes it until a time, closes it, or opens it again. Closing ends the waiting: nobody has to answer any more. Each change stands in the thread. Writes conversation.assigned, conversation.snoozed, conversation.closed or conversation.reopened.',
  permission: 'conversations:write',
  versioned: true,
  params: ConversationParams,
  body: Type.Object({
    state: Type.Optional(OneOf(conversationStates, { description: 'snoozed needs snoozedUntil.' })),
    snoozedUntil: Type.Optional(
      Type.Unsafe<string>({
        ...Timestamp,
        description: 'When it is open again, at most a year ahead; alone it snoozes, too.',
      }),
    ),
    assigneeId: Type.Optional(
      Type.Unsafe<number | null>({
        ...Nullable(IntegerId),
        description:
          'A member whose role reads conversations; null takes it away. Who it is given to sees it from then on.',
      }),
    ),
    teamId: Type.Optional(
      Nullable(Type.String({ minLength: 5, maxLength: 60, description: 'A team, `team_…`; null takes it away.' })),
    ),
  }),
  reply: OneConversation,
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { conversationId },
    body: { state: 'closed' },
    reply: { ...sampleOne, state: 'closed', waitingSince: null, version: 2 },
  },
  async handle({ tx, principal, params, body, ifMatch, now, setVersion }) {
    const row = requireVersion(
      await findConversation(tx, principal, sightOf(principal), params.conversationId, { locked: true }),
      ifMatch,
    )
    const changed = await changeConversation(tx, principal, row, body, now)
    setVersion(changed.version)
    return presentOne(tx, principal, changed)
  },
})

const read = endpoint({
  ...common,
  id: 'conversations.read',
  method: 'PUT',
  path: '/conversations/{conversationId}/read',
  name: 'Set whether a conversation is read',
  description: 'Says that the caller has read it, or with unread that it is new to them again. Nobody else sees that.',
  permission: 'conversations:read',
  params: ConversationParams,
  body: Type.Object({
    unread: Type.Boolean({ description: 'Whether it is unread.' }),
  }),
  reply: Type.Object({ conversationId: Type.String(), unread: Type.Boolean() }),
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { conversationId }, body: { unread: false }, reply: { conversationId, unread: false } },
  async handle({ tx, principal, params, body: { unread }, now }) {
    const row = requireRecord(await findConversation(tx, principal, sightOf(principal), params.conversationId))
    const at = isoMs(now)
    const { userId } = principal
    // What came in meanwhile is read too: it stands in the thread that was asked for before.
    const upTo = row.last_at > at ? row.last_at : at
    await setRead(tx, principal, { conversationId: row.id, userId, isUnread: unread, at: upTo })
    await signal(tx, principal, [{ type: 'conversation.updated', conversation: row, userId, at, onlyFor: userId }])
    return { conversationId: row.id, unread }
  },
})

const attach = endpoint({
  ...common,
  id: 'conversations.attach',
  method: 'POST',
  path: '/conversations/{conversationId}/attach',
  name: 'Assign a conversation to a record',
  description:
    'Says who an unknown sender is: a lead or contact that is there, or a new lead. The record gets the address where it has no such one yet, and mails that stand on no record move to it. Where the record has a conversation already, both become one, which is answered. Writes conversation.attached or conversation.merged.',
  permission: 'conversations:write',
  params: ConversationParams,
  body: Type.Object({
    recordId: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 60,
        description: 'A lead (`lead:17`) or contact (`con_…`) that the caller may change.',
      }),
    ),
    lead: Type.Optional(
      Type.Object(
        {
          name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Name of the person.' }),
          email: Type.Optional(Email),
          phone: Type.Optional(PhoneInput),
          company: Type.Optional(Type.String({ maxLength: 200, description: 'Company the person speaks for.' })),
        },
        { description: 'The new lead; the address of the conversation is added. Needs leads:create.' },
      ),
    ),
  }),
  reply: OneConversation,
  envelope: 'data',
  problems: ['not_found', 'record_not_found', 'conversation_has_record'],
  check: ({ body }) =>
    (body.recordId === undefined) === (body.lead === undefined)
      ? [{ field: 'recordId', code: 'required', message: 'is needed, or lead: one of the two' }]
      : [],
  sample: { params: { conversationId }, body: { lead: { name: 'Ada Lovelace' } }, reply: { ...sampleOne, version: 2 } },
  async handle({ tx, principal, params, body, now, setVersion }) {
    const row = await attachConversation(tx, principal, params.conversationId, body, now)
    setVersion(row.version)
    return presentOne(tx, principal, row)
  },
})

export const endpoints = [change, read, attach]
