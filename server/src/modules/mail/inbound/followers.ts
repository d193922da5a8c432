// When leads or contacts become one, or are removed for good, the mails on their timelines follow.
import type { Follower } from '../../../kernel/noun/registry.ts'
import { leaveRecords, moveToRecord } from './store.ts'

export const followers: readonly Follower[] = ['lead', 'contact'].map(of => ({
  of,
  follow: (tx, principal, ids, into) => moveToRecord(tx, principal, ids, into),
  empty: (tx, scope, ids, limit) => leaveRecords(tx, scope, ids, limit),
}))
