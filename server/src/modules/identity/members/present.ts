// Hand-overs as the API shows them.
import { type Static, Type } from 'typebox'
import { IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import type { HandOverRow } from './hand_over_store.ts'

export const HandOver = Type.Object({
  handOverId: Type.String(),
  fromUserId: IntegerId,
  toUserId: IntegerId,
  state: OneOf(['running', 'completed'], { description: 'Whether all is given.' }),
  kinds: Type.Array(
    Type.Object({
      kind: Type.String({ description: 'What it is, such as leads or saved_views.' }),
      mode: OneOf(['live', 'test']),
      total: Type.Integer({ description: 'How many there were.' }),
      given: Type.Integer({ description: 'How many the other one has.' }),
    }),
    { description: 'In the order in which they are given; of those that come later there is nothing yet.' },
  ),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
})

export const sampleHandOver: Static<typeof HandOver> = {
  handOverId: 'hov_01k9r7d3w2v8e6q4n5m1b0c9xz',
  fromUserId: 12,
  toUserId: 1,
  state: 'running',
  kinds: [{ kind: 'leads', mode: 'live', total: 1_200, given: 500 }],
  createdAt: '2026-11-21T08:44:00.123Z',
  finishedAt: null,
}

export function presentHandOver(row: HandOverRow) {
  return {
    handOverId: row.id,
    fromUserId: row.from_user_id,
    toUserId: row.to_user_id,
    state: row.state,
    kinds: row.kinds.filter(({ total }) => total > 0),
    createdAt: row.created_at,
    finishedAt: row.finished_at,
  }
}
