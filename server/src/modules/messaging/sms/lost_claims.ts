// Claims whose answer was lost on the way: their messages were begun, and this process knows for certain that it handed none of them over.
// They are given back, so that they go out after all and are not taken for ones that a process died with.
import { type Db, isServerError } from '../../../kernel/data/db.ts'
import { concludeMoves } from './recorder.ts'
import { partsOf } from './rules.ts'
import { type Conclusion, concludeMessages, listBegun } from './store.ts'

export type LostClaims = {
  /** A claim failed: it may have been committed all the same, or may be in a moment. */
  failed(token: string, error: unknown): void
  /** Has what such claims began wait again. */
  giveBack(): Promise<void>
}

/** @param leaseMs behind it nothing is held by a lost claim any more */
export function createLostClaims(db: Db, carrier: string, leaseMs: number): LostClaims {
  const untilOf = new Map<string, number>()
  let giving: Promise<void> | undefined

  async function give(): Promise<void> {
    const rows = await listBegun(db, [...untilOf.keys()])
    if (rows.length > 0) {
      const tokens = [...new Set(rows.map(row => row.token))]
      const conclusions = rows.map(
        (row): Conclusion => ({
          tenantId: row.tenant_id,
          id: row.id,
          attempt: row.attempt,
          segments: row.segments,
          event: 'throttled',
          code: null,
          retryMs: 0,
          parts: partsOf(row).map(part => ({ part, outcome: 'throttled' })),
        }),
      )
      await concludeMessages(db, carrier, conclusions, { tokens, receiptTimeoutMs: 0, moves: concludeMoves })
      for (const token of tokens) untilOf.delete(token)
    }
    const nowMs = performance.now()
    for (const [token, untilMs] of untilOf) if (untilMs < nowMs) untilOf.delete(token)
  }

  return {
    failed(token, error) {
      if (!isServerError(error)) untilOf.set(token, performance.now() + leaseMs)
    },
    async giveBack() {
      if (untilOf.size === 0) return
      giving ??= give().finally(() => {
        giving = undefined
      })
      await giving
    },
  }
}
