// The inbox as it is read: lists, how many wait, one conversation, and its thread.
import { Type } from 'typebox'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { cutPage, readCursor, v2PageQuery } from '../../kernel/endpoint/page.ts'
import { requireRecord } from '../../kernel/endpoint/record.ts'
import { OneOf } from '../../kernel/endpoint/schema.ts'
import { countViews, findConversation, listConversations, maxCount } from './list_store.ts'
import { presentConversations } from './present.ts'
import { presentOne } from './present_one.ts'
import { type View, views } from './rules.ts'
import {
  Conversation,
  ConversationParams,
  Item,
  OneConversation,
  prefix,
  sampleConversation,
  sampleOne,
  sampleText,
} from './schemas.ts'

import { narrowed } from './searching.ts'
import { sightOf } from './sight_store.ts'
import { listItems } from './thread.ts'

/** Where who comes back first stands first, unless one asks otherwise. */
const oldestFirst: readonly View[] = ['snoozed']

export const common = { version: 'v2', category: 'Messaging' } as const

const list = endpoint({
  ...common,
  id: 'conversations.list',
  method: 'GET',
  path: '/conversations',
  name: 'List conversations',
  description:
    'The shared inbox, by view: waiting (open, and nobody answered), unread (open, with something that the caller has not read: what waits and is assigned to them or to nobody, notes that mention them, and what they marked as unread), mine (open, assigned to the caller), unassigned (open, assigned to nobody), mentioned (a note mentions the caller), open, snoozed, closed, all. Ordered by what counts in the view: waiting and unread by waitingSince, snoozed by snoozedUntil, others by their last activity. A conversation that moves while one reads on is not lost: it stands in front again.',
  permission: 'conversations:read',
  logBody: 'refusals',
  query: Type.Object({
    view: Type.Optional(OneOf(views, { default: 'open', description: 'Which conversations; open when left out.' })),
    order: Type.Optional(
      OneOf(['newest', 'oldest'], {
        description:
          'Newest first when left out, but in snoozed who comes back first. In waiting, oldest begins with who waits longest.',
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
  async handle({ tx, principal, query }) {
    const { limit = 50, cursor, ...filter } = query
    const { view = 'open', q, recordId, address } = filter
    const isOldestFirst = filter.order === undefined ? oldestFirst.includes(view) : filter.order === 'oldest'
    const listed = { ...filter, view, isOldestFirst }
    const behind = readCursor(cursor, listed, 'time', `id:${prefix}`)
    const narrow = await narrowed(tx, principal, { q, recordId, address })
    const sight = sightOf(principal)
    const asked = { view, sight, isOldestFirst, behind, limit: limit + 1, ...narrow }
    const rows = await listConversations(tx, principal, asked)
    const page = cutPage(rows, limit, row => [row.at, row.id], listed)
    return { items: await presentConversations(tx, principal, page.rows), limit, nextCursor: page.nextCursor }
  },
})

const Count = Type.Object({
  count: Type.Integer({ description: 'How many; at most 1,000.' }),
  isExact: Type.Boolean({ description: 'False where there are more.' }),
})
const sampleCount = { count: 12, isExact: true }

function ofEachView<Value>(make: (view: View) => Value): Record<View, Value> {
  return Object.fromEntries(views.map(view => [view, make(view)])) as Record<View, Value>
}

const counts = endpoint({
  ...common,
  id: 'conversations.counts',
  method: 'GET',
  path: '/conversations/counts',
  name: 'Get the counts of the inbox',
  description: 'How many conversations each view has, counted up to 1,000.',
  permission: 'conversations:read',
  reply: Type.Object(ofEachView(() => Count)),
  envelope: 'data',
  sample: {
    reply: ofEachView(view =>
      view === 'closed' || view === 'all' ? { count: maxCount, isExact: false } : sampleCount,
    ),
  },
  async handle({ tx, principal }) {
    const counted = await countViews(tx, principal, sightOf(principal), views)
    return ofEachView(view => {
      const count = counted[view] ?? 0
      return { count: Math.min(count, maxCount), isExact: count <= maxCount }
    })
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
  async handle({ tx, principal, params, setVersion }) {
    const row = requireRecord(await findConversation(tx, principal, sightOf(principal), params.conversationId))
    setVersion(row.version)
    return presentOne(tx, principal, row)
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
  async handle({ tx, principal, params, query: { limit = 30, cursor } }) {
    const row = requireRecord(await findConversation(tx, principal, sightOf(principal), params.conversationId))
    const listed = { conversationId: row.id }
    const behind = readCursor(cursor, listed, 'time', 'text')
    const items = await listItems(tx, principal, principal, row, { behind, most: limit + 1 })
    const page = cutPage(items, limit, item => [item.at, item.itemId], listed)
    return { items: page.rows, limit, nextCursor: page.nextCursor }
  },
})

export const endpoints = [list, counts, get, items]
