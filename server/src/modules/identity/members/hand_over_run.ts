// The work of a hand-over: kind by kind, first live and then test mode, some hundred records a transaction, with what is done in it.
import type { Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { allOwned, type Owned } from '../../../kernel/noun/ownership.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import {
  changeKinds,
  endHandOver,
  type HandOverRow,
  holdHandOver,
  type KindCount,
  type Leased,
  type Mode,
} from './hand_over_store.ts'
import { presentHandOver } from './present.ts'
import { findStanding } from './store.ts'

export const leaseSeconds = 60
const recordsAtOnce = 500
/** Longer than any request's transaction may last. */
const againSeconds = 60

type Run = { services: Services; leased: Leased; token: string; isStopping(): boolean }

/** Goes on where it stands. @throws what the database does; it is tried again then */
export async function runHandOver(run: Run): Promise<void> {
  const { leased } = run
  for (const mode of ['live', 'test'] as const)
    for (const owned of allOwned())
      for (let isOn = true; isOn; ) {
        if (run.isStopping()) return
        const step = await inMode(run, mode, (tx, row) => giveSome(tx, run, { row, mode, owned }))
        if (step === undefined) return
        isOn = step.more
      }
  await inMode(run, 'live', async (tx, row) => {
    const scope = { organizationId: leased.organization_id, tenantId: leased.live_tenant_id }
    const ended = await endHandOver(tx, scope, row.id, { nowIso: isoMs(run.services.clock.now()), againSeconds })
    if (row.state !== 'running') return
    await emit(tx, scope, { type: 'hand_over.completed', resourceId: row.id, data: presentHandOver(ended) })
  })
}

/** In the tenant of a mode, while it is this worker's; undefined when it is not any more. */
function inMode<T>(
  { services, leased, token }: Run,
  mode: Mode,
  work: (tx: Tx, row: HandOverRow) => Promise<T>,
): Promise<T | undefined> {
  const tenantId = mode === 'live' ? leased.live_tenant_id : leased.test_tenant_id
  const scope = { organizationId: leased.organization_id, tenantId }
  return services.db.inTenant(scope, async tx => {
    const row = await holdHandOver(tx, scope, { id: leased.id, token, seconds: leaseSeconds })
    return row && work(tx, row)
  })
}

type Step = { row: HandOverRow; mode: Mode; owned: Owned }

async function giveSome(tx: Tx, { services, leased }: Run, { row, mode, owned }: Step): Promise<{ more: boolean }> {
  const tenantId = mode === 'live' ? leased.live_tenant_id : leased.test_tenant_id
  const scope = { organizationId: leased.organization_id, tenantId }
  const { from_user_id: from, to_user_id: to } = row
  // Who came back since keeps what they own now.
  if (row.state === 'completed' && (await findStanding(tx, scope, from)) !== 'removed') return { more: false }
  const author = { ...scope, userId: row.by_user_id, keyId: row.key_id }
  const known = row.kinds.find(one => one.mode === mode && one.kind === owned.name)
  const total = known?.total ?? (await owned.count(tx, scope, from))
  const { given, more } = await owned.give(tx, author, { from, to, nowMs: services.clock.now() }, recordsAtOnce)
  const counted: KindCount = { mode, kind: owned.name, total, given: (known?.given ?? 0) + given }
  // What was given to them meanwhile counts as well.
  counted.total = Math.max(counted.total, counted.given)
  const others = row.kinds.filter(one => one !== known)
  if (known === undefined || given > 0) await changeKinds(tx, scope, row.id, [...others, counted])
  return { more }
}
