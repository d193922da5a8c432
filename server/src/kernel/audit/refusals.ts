// Counts what is refused to somebody who is known, or tried in somebody's name, for the audit log: one entry a minute for each kind of
// refusal and each who met it. It is written behind the answer, so that a refusal takes as long for everybody; what a process counted and
// had not written when it was killed, at most a minute of it, is not in the log.
import type { Db } from '../data/db.ts'
import type { Log } from '../observe/log.ts'
import { type Clock, isoMs } from '../values/clock.ts'
import type { AuditAction, AuditTarget } from './entry.ts'
import { type Asked, type AuditActor, auditScope, recordAudit } from './record.ts'

export type Refusal = {
  by: AuditActor
  action: AuditAction
  /** The code of the problem. */
  reason: string
  targets?: readonly AuditTarget[]
  /** What was asked for: the id of an endpoint, a permission. */
  more?: Readonly<Record<string, string>>
  /** Of the last one. */
  asked: Asked
}

export type Refusals = {
  count(refusal: Refusal): void
  /** Writes what was counted. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Counted = Refusal & { times: number; firstMs: number; lastMs: number }

const minuteMs = 60_000
/** Sign-ins are few, and looked at while they happen. */
const signInMs = 1_000
const maxKept = 10_000

export function createRefusals({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Refusals {
  const counted = new Map<string, Counted>()
  let writing = Promise.resolve()

  async function write(ones: readonly Counted[]): Promise<void> {
    let lost = 0
    let fault: unknown
    for (const { by, times, firstMs, lastMs, asked, ...entry } of ones) {
      const span = { firstAt: isoMs(firstMs), lastAt: isoMs(lastMs) }
      const more = { ...entry.more, count: times, ...(times > 1 && span) }
      const said = { ...entry, targets: entry.targets ?? [], outcome: 'denied' as const, more }
      await db
        .inTenant(auditScope(by.organizationId), tx => recordAudit(tx, by, said, asked))
        .catch(error => {
          fault = error
          lost += times
        })
    }
    if (lost > 0) log.warn({ err: fault, lost }, 'refusals that are not in the audit log')
  }

  function writeThose(isDue: (one: Counted) => boolean): Promise<void> {
    const due = [...counted].filter(([, one]) => isDue(one))
    for (const [key] of due) counted.delete(key)
    if (due.length > 0) writing = writing.then(() => write(due.map(([, one]) => one)))
    return writing
  }

  const flush = () => writeThose(() => true)
  const timer = setInterval(() => {
    const now = clock.now()
    void writeThose(({ action, firstMs }) => now - firstMs >= (action.includes('sign_in') ? signInMs : minuteMs))
  }, signInMs)
  timer.unref()

  return {
    count(refusal) {
      const { by, action, reason, targets = [] } = refusal
      const key = JSON.stringify([by.organizationId, by.type, by.id, by.mode, action, reason, targets])
      const now = clock.now()
      const known = counted.get(key)
      if (known === undefined && counted.size >= maxKept) void flush()
      counted.set(key, {
        ...refusal,
        times: (known?.times ?? 0) + 1,
        firstMs: known?.firstMs ?? now,
        lastMs: now,
      })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
