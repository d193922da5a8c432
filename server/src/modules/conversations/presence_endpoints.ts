// Who looks at a conversation and who writes an answer: said again and again while it lasts, and forgotten soon after.
import { Type } from 'typebox'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { OneOf } from '../../kernel/endpoint/schema.ts'
import { Problem } from '../../kernel/values/problem.ts'
import { common } from './read_endpoints.ts'
import { ConversationParams, Presence, sampleConversation } from './schemas.ts'

const { conversationId } = sampleConversation

const put = endpoint({
  ...common,
  id: 'conversations.presence',
  method: 'PUT',
  path: '/conversations/{conversationId}/presence',
  name: 'Say that you are here',
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
  async handle() {
    throw new Problem('unavailable')
  },
})

export const endpoints = [put]
