// What calls cost while they last: takes each further minute from what may be spent a day, and ends calls for which nothing is left.
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { type DueCall, dueSpend, settleSpend } from '../../destinations/index.ts'
import { inEachTenant, isLive, lockCalls } from '../call_records/index.ts'
import { endCall } from './commands.ts'

/** Queue `call_spend`: only calls of those who have a ceiling for spend stand in it. */
export const settleCallSpend: QueueMaker = ({ db, clock, wake }) => ({
  name: 'call_spend',
  lanes: 1,
  batch: 1_000,
  pollMs: 2_000,
  claim: (_token, limit) => dueSpend(db, clock.now(), limit),
  async work(rows: DueCall[]) {
    const nowMs = clock.now()
    const ids = (group: readonly DueCall[]) => group.map(row => row.call_id)
    const { results, faults } = await inEachTenant(db, rows, async (tx, scope, group) => {
      const ending = await settleSpend(tx, scope, ids(group), nowMs)
      const calls = ending.length === 0 ? [] : (await lockCalls(tx, scope, ending)).filter(isLive)
      for (const call of calls) await endCall(tx, scope, call, nowMs, { cause: 'daily_spend_exceeded', by: 'system' })
      return calls.length
    })
    if (results.some(ended => ended > 0)) wake('call_jobs')
    if (faults.length > 0) throw faults[0]
  },
})
