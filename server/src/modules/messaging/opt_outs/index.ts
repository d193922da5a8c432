// What the rest of messaging may use of opt-outs: asking, adding, taking away, and keeping them when senders move.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { copyOptOuts, removeOptOutsOf } from './store.ts'

export type { OptOutRow } from './rules.ts'
export { optOutEvent, presentOptOut } from './schemas.ts'
export { findOptOut, insertOptOut, listOptOutsOf, removeOptOut, removeOptOutsOf } from './store.ts'

/**
 * Keeps what recipients asked for when a sender moves into a service, out of one, or from one to another: anyone who opted out
 * of the sender where it was is not texted by it where it goes.
 */
export async function moveOptOuts(
  tx: Tx,
  scope: Scope,
  address: string,
  services: { from: string | null; to: string | null },
): Promise<void> {
  if (services.from === services.to) return
  if (services.from !== null) await copyOptOuts(tx, scope, services.from, address)
  if (services.to === null) return
  await copyOptOuts(tx, scope, address, services.to)
  await removeOptOutsOf(tx, scope, address)
}
