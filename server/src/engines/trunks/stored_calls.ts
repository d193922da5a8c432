// Keeps what is stored of calls by trunks as they are: written in batches, since each by itself would take a connection and a commit
// for every step of every call. What is stored at last stands; who stores waits until it is committed.
import type { Db, Scope } from '../../kernel/db.ts'
import type { CallRef } from '../../modules/voice/engine.ts'
import { removeStoredCalls, updateStoredCalls } from './store.ts'

export type StoredCalls = {
  /** Resolves when it is committed, or when something newer of the call is. */
  update(ref: CallRef, call: { trunkId: string | null; stored: object }): Promise<void>
  /** Nobody need end the call after a crash any more. Takes a moment: there is no hurry, and others come along. */
  remove(ref: CallRef): Promise<void>
  /** Resolves when nothing waits to be written. */
  flush(): Promise<void>
}

/** `call` is null where it goes. */
type Change = {
  callId: string
  call: { trunkId: string | null; stored: object } | null
  done: PromiseWithResolvers<void>
}
type Line = { scope: Scope; waiting: Change[]; work: Promise<void> }
/** Calls of a tenant that are over. */
type Gone = { scope: Scope; changes: Change[]; timer: NodeJS.Timeout }

const mostAtOnce = 200
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
  const lines = new Map<number, Line>()
  const gone = new Map<number, Gone>()

  async function write(scope: Scope, changes: readonly Change[]): Promise<void> {
    const last = [...new Map(changes.map(change => [change.callId, change])).values()]
    const gone = last.filter(({ call }) => call === null).map(({ callId }) => callId)
    const kept = last.flatMap(({ callId, call }) => (call === null ? [] : [{ callId, ...call }]))
    await db.inTenant(scope, tx =>
      Promise.all([
        kept.length === 0 ? undefined : updateStoredCalls(tx, scope, kept),
        gone.length === 0 ? undefined : removeStoredCalls(tx, scope, gone),
      ]),
    )
  }

  /** One that cannot be written fails by itself. */
  async function settle(scope: Scope, changes: readonly Change[]): Promise<void> {
    try {
      await write(scope, changes)
      for (const { done } of changes) done.resolve()
    } catch (error) {
      const calls = [...Map.groupBy(changes, change => change.callId).values()]
      if (calls.length > 1) for (const own of calls) await settle(scope, own)
      else for (const { done } of changes) done.reject(error)
    }
  }

  async function run(line: Line): Promise<void> {
    // All that this turn of the event loop stores goes together.
    await Promise.resolve()
    while (line.waiting.length > 0) await settle(line.scope, line.waiting.splice(0, mostAtOnce))
    lines.delete(line.scope.tenantId)
  }

  function add({ tenantId, organizationId }: Scope, changes: readonly Change[]): void {
    const line = lines.get(tenantId)
    if (line !== undefined) {
      line.waiting.push(...changes)
      return
    }
    const begun: Line = { scope: { tenantId, organizationId }, waiting: [...changes], work: Promise.resolve() }
    lines.set(tenantId, begun)
    begun.work = run(begun)
  }

  function removeGathered(scope: Scope): void {
    const gathered = gone.get(scope.tenantId)
    if (gathered === undefined) return
    clearTimeout(gathered.timer)
    gone.delete(scope.tenantId)
    add(scope, gathered.changes)
  }

  return {
    update(ref, call) {
      const done = Promise.withResolvers<void>()
      add(ref, [{ callId: ref.callId, call, done }])
      return done.promise
    },
    remove(ref) {
      const done = Promise.withResolvers<void>()
      const change = { callId: ref.callId, call: null, done }
      const gathered = gone.get(ref.tenantId)
      if (gathered !== undefined) gathered.changes.push(change)
      else {
        const scope = { tenantId: ref.tenantId, organizationId: ref.organizationId }
        gone.set(ref.tenantId, { scope, changes: [change], timer: setTimeout(removeGathered, removeMs, scope) })
      }
      return done.promise
    },
    async flush() {
      for (const { scope } of [...gone.values()]) removeGathered(scope)
      while (lines.size > 0) await Promise.all([...lines.values()].map(({ work }) => work))
    },
  }
}
