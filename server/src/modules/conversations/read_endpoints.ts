// The inbox as it is read: lists, how many wait, one conversation, and its thread.
import { Type } from 'typebox'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { v2PageQuery } from '../../kernel/endpoint/page.ts'
import { OneOf } from '../../kernel/endpoint/schema.ts'
import { Problem } from '../../kernel/values/problem.ts'
import { views } from './rules.ts'
import {
  Conversation,
  ConversationParams,
  Item,
  OneConversation,
  sampleConversation,
  sampleOne,
  sampleText,
} from './schemas.ts'

export const common = { version: 'v2', category: 'Messaging' } as const

const list = endpoint({
  ...common,
  id: 'conversations.list',
  method: 'GET',
  path: '/conversations',
  name: 'List conversations',
  description:
    'The shared inbox, by view: waiting (open, and nobody answered), mine (open, assigned to the caller), unassigned (open, assigned to nobody), mentioned (a note mentions the caller), open, snoozed, closed, all. Ordered by what counts in the view: waiting by waitingSince, snoozed by snoozedUntil, others by their last activity. A conversation that moves while one reads on is not lost: it stands in front again.',
  permission: 'conversations:read',
  logBody: 'refusals',
  query: Type.Object({
    view: Type.Optional(OneOf(views, { default: 'open', description: 'Which conversations; open when left out.' })),
    order: Type.Optional(
      OneOf(['newest', 'oldest'], {
        description:
          'Newest first when left out, but in waiting who waits longest, and in snoozed who comes back first.',
      }),
    ),
    q: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 100,
        pattern: '\\S',
        description: 'Words of the name, or parts of a telephone number or e-mail address; all must be found.',
      }),
    ),
    recordId: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 60,
        description: 'Only that with this lead (`lead:17`) or contact (`con_…`).',
      }),
    ),
    address: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 254,
        description: 'Only that with this number (E.164) or e-mail address.',
      }),
    ),
    ...v2PageQuery,
  }),
  reply: Conversation,
  envelope: 'page',
  sample: { query: { view: 'waiting', limit: 20 }, reply: sampleConversation },
  async handle() {
    throw new Problem('unavailable')
  },
})

const Count = Type.Object({
  count: Type.Integer({ description: 'How many; at most 1,000.' }),
  isExact: Type.Boolean({ description: 'False where there are more.' }),
})
const sampleCount = { count: 12, isExact: true }

const counts = endpoint({
  ...common,
  id: 'conversations.counts',
  method: 'GET',
  path: '/conversations/counts',
  name: 'Count conversations',
  description:
    'How many conversations each view has, counted up to 1,000. Unread: how many of mine and unassigned ones the caller has not read.',
  permission: 'conversations:read',
  reply: Type.Object({
    waiting: Count,
    mine: Count,
    unassigned: Count,
    mentioned: Count,
    open: Count,
    snoozed: Count,
    closed: Count,
    all: Count,
    unread: Count,
  }),
  envelope: 'data',
  sample: {
    reply: {
      waiting: sampleCount,
      mine: sampleCount,
      unassigned: sampleCount,
      mentioned: sampleCount,
      open: sampleCount,
      snoozed: sampleCount,
      closed: { count: 1_000, isExact: false },
      all: { count: 1_000, isExact: false },
      unread: sampleCount,
    },
  },
  async handle() {
    throw new Problem('unavailable')
  },
})

const get = endpoint({
  ...common,
  id: 'conversations.get',
  method: 'GET',
  path: '/conversations/{conversationId}',
  name: 'Get a conversation',
  description:
    'One conversation, with how it can be answered and who else looks at it. One that became part of another is answered with that one, under its id.',
  permission: 'conversations:read',
  params: ConversationParams,
  reply: OneConversation,
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { conversationId: sampleConversation.conversationId }, reply: sampleOne },
  async handle() {
    throw new Problem('unavailable')
  },
})

const items = endpoint({
  ...common,
  id: 'conversations.items',
  method: 'GET',
  path: '/conversations/{conversationId}/items',
  name: 'List the items of a conversation',
  description:
    'The thread, newest first: texts, calls, voicemails, mails and notes, and what was done with the conversation. What the caller may not read is left out; leftOut of the conversation names it.',
  permission: 'conversations:read',
  logBody: 'refusals',
  params: ConversationParams,
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 100, default: 30, description: 'Items per page, 1 to 100.' }),
    ),
    cursor: v2PageQuery.cursor,
  }),
  reply: Item,
  envelope: 'page',
  problems: ['not_found'],
  sample: { params: { conversationId: sampleConversation.conversationId }, query: { limit: 30 }, reply: sampleText },
  async handle() {
    throw new Problem('unavailable')
  },
})

export const endpoints = [list, counts, get, items]
