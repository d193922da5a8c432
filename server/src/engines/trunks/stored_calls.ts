// Keeps what is stored of calls by trunks as they are: written in groups, since each by itself would take a connection and a commit
// for every step of every call. What is stored at last stands; who stores waits until it is committed.
import type { Db, Scope } from '../../kernel/data/db.ts'
import { createGroup, type Group } from '../../kernel/data/group.ts'
import { removeRemoteParties, updateRemoteParties } from '../../modules/voice/call_records/index.ts'
import type { CallRef } from '../../modules/voice/engine/index.ts'

export type StoredCalls = {
  /** Resolves when it is committed, or when something newer of the call is. */
  update(ref: CallRef, call: { trunkId: string | null; stored: object }): Promise<void>
  /** Nobody need end the call after a crash any more. Takes a moment: there is no hurry, and others come along. */
  remove(ref: CallRef): Promise<void>
  /** Resolves when nothing waits to be written. */
  flush(): Promise<void>
}

type Step = { callId: string; trunkId: string | null; stored: object }
type Groups = { update: Group<Step, void>; remove: Group<string, void> }

const maxAtOnce = 200
/** How long calls that are over are gathered. */
const removeMs = 250
const writers = new WeakMap<Db, StoredCalls>()

/** All that use a database write together. */
export function storedCallsOf(db: Db): StoredCalls {
  let writer = writers.get(db)
  if (writer === undefined) {
    writer = createStoredCalls(db)
    writers.set(db, writer)
  }
  return writer
}

function createStoredCalls(db: Db): StoredCalls {
  const tenants = new Map<number, Groups>()
  const waiting = new Set<Promise<void>>()

  function groupsOf({ tenantId, organizationId }: Scope): Groups {
    let groups = tenants.get(tenantId)
    if (groups === undefined) {
      const scope = { tenantId, organizationId }
      // One after the other, so that the newer of two steps is written last. A step of a call that went changes nothing.
      const order = { maxItems: maxAtOnce, maxInFlight: 1 }
      groups = {
        update: createGroup({
          ...order,
          async run(steps) {
            const last = [...new Map(steps.map(step => [step.callId, step])).values()]
            await db.inTenant(scope, tx => updateRemoteParties(tx, scope, last))
            return steps.map(() => undefined)
          },
        }),
        remove: createGroup({
          ...order,
          waitMs: removeMs,
          async run(callIds) {
            await db.inTenant(scope, tx => removeRemoteParties(tx, scope, callIds))
            return callIds.map(() => undefined)
          },
        }),
      }
      tenants.set(tenantId, groups)
    }
    return groups
  }

  async function written(work: Promise<void>): Promise<void> {
    waiting.add(work)
    try {
      await work
    } finally {
      waiting.delete(work)
    }
  }

  return {
    update: (ref, call) => written(groupsOf(ref).update({ callId: ref.callId, ...call })),
    remove: ref => written(groupsOf(ref).remove(ref.callId)),
    async flush() {
      while (waiting.size > 0) await Promise.allSettled(waiting)
    },
  }
}
