// Who looks at a conversation and who writes an answer: said again and again while it lasts, and forgotten soon after.
import { Type } from 'typebox'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../kernel/endpoint/record.ts'
import { OneOf } from '../../kernel/endpoint/schema.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { signal } from './entries_store.ts'
import { findConversation } from './list_store.ts'
import { listPresences, putPresence, removePresence } from './presence_store.ts'
import { common } from './read_endpoints.ts'
import { ConversationParams, Presence, sampleConversation } from './schemas.ts'
import { sightOf } from './sight_store.ts'

/** How long what somebody said holds. */
const lastsMs = 30_000

const { conversationId } = sampleConversation

const put = endpoint({
  ...common,
  id: 'conversations.presence',
  method: 'PUT',
  path: '/conversations/{conversationId}/presence',
  name: 'Set your presence in a conversation',
  description:
    'Says that the caller looks at the conversation or writes an answer, for 30 seconds: say it again every 15. Away ends it at once. Answers who else is there. Others hear of it by GET /v2/stream.',
  permission: 'conversations:read',
  logBody: 'never',
  params: ConversationParams,
  body: Type.Object({
    state: OneOf(['viewing', 'composing', 'away'], { description: 'What the caller does.' }),
  }),
  reply: Type.Object({
    conversationId: Type.String(),
    presence: Type.Array(Presence, { description: 'Who else is there.' }),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { conversationId },
    body: { state: 'composing' },
    reply: {
      conversationId,
      presence: [
        {
          userId: 12,
          name: 'Grace Hopper',
          state: 'viewing',
          since: '2026-11-21T08:44:00.123Z',
          expiresAt: '2026-11-21T08:44:30.123Z',
        },
      ],
    },
  },
  async handle({ tx, principal, params, body: { state }, now }) {
    const row = requireRecord(await findConversation(tx, principal, sightOf(principal), params.conversationId))
    const { userId } = principal
    const at = isoMs(now)
    const said = { conversationId: row.id, userId, state, at, until: isoMs(now + lastsMs) }
    const isNews =
      state === 'away' ? await removePresence(tx, principal, row.id, userId) : await putPresence(tx, principal, said)
    const there = await listPresences(tx, principal, [row.id])
    const presence = there.map(({ conversationId: _, ...one }) => one)
    // A beat that says nothing new carries a new end: without it, others would take the writer for gone.
    if (isNews || state !== 'away')
      await signal(tx, principal, [{ type: 'conversation.presence', conversation: row, userId, at, presence }])
    return { conversationId: row.id, presence: presence.filter(one => one.userId !== userId) }
  },
})

export const endpoints = [put]
