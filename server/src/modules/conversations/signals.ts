// What is sent to those who have the inbox open: that a conversation changed, and who is in it. No more than that: what it is, they read.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../kernel/access/principal.ts'
import { Nullable, OneOf, Timestamp } from '../../kernel/endpoint/schema.ts'
import { Presence } from './schemas.ts'
import { type Seeable, sees, sightOf } from './sight_store.ts'

export const signalTypes = ['conversation.updated', 'conversation.presence'] as const

export type SignalRow = Seeable & {
  id: string
  type: (typeof signalTypes)[number]
  conversation_id: string
  user_id: number | null
  presence: Static<typeof Presence>[] | null
  at: string
}

export const Signal = Type.Object({
  type: OneOf(signalTypes, {
    description: 'Updated: read the conversation again. Presence: who is in it changed.',
  }),
  conversationId: Type.String({ description: 'Identifier, `cnv_…`.' }),
  at: Timestamp,
  userId: Nullable(Type.Integer({ description: 'Who did it; null for what came in, and what the server did.' })),
  presence: Nullable(
    Type.Unsafe<Static<typeof Presence>[]>(
      Type.Array(Presence, { description: 'Who is in it now, yourself included; null of updates.' }),
    ),
  ),
})

export function presentSignal({ type, conversation_id, at, user_id, presence }: SignalRow): Static<typeof Signal> {
  return { type, conversationId: conversation_id, at, userId: user_id, presence }
}

/** Those of the rows that somebody is sent. */
export function signalFilter(principal: Principal): (row: SignalRow) => boolean {
  const sight = sightOf(principal)
  return row => sees(sight, row)
}
