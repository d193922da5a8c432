// For tests of what happens at the same moment: a row is held so that a request waits in the midst of its transaction, others come beside
// it, and the row is let go.
import { setTimeout as sleep } from 'node:timers/promises'
import { connectClient } from '../src/kernel/data/session.ts'
import { eventually } from './eventually.ts'
import type { Answer, TestApp } from './harness.ts'

const waiting = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/** How long a request that meets no lock is given to be answered, where it waits for none either. */
const settledMs = 5_000

/**
 * The answers of requests that are made one after the other, each as far as it comes while the row is held.
 * @param row what selects it, without a lock: `select from notes where id = $1`
 */
export async function whileHeld(
  t: TestApp,
  row: { text: string; values: unknown[] },
  ...requests: readonly (() => Promise<Answer>)[]
): Promise<Answer[]> {
  const holder = await connectClient(t.owner)
  try {
    await holder.query('begin')
    const { rowCount } = await holder.query(`${row.text} for update`, row.values)
    if (rowCount !== 1) throw new Error(`${rowCount} rows are held, and not one`)
    const answers: Promise<Answer>[] = []
    const waits = async () => (await t.ownerSql<{ count: number }>(waiting))[0]!.count
    let before = 0
    for (const [at, request] of requests.entries()) {
      let isAnswered = false
      const answer = request().finally(() => {
        isAnswered = true
      })
      answer.catch(() => undefined)
      answers.push(answer)
      const what = `request ${at + 1}, answered or waiting for a lock,`
      await eventually(what, async () => isAnswered || (await waits()) > before, { withinMs: settledMs })
      // What left with the statement that waits is on its way.
      await sleep(20)
      before = await waits()
    }
    await holder.query('commit')
    return await Promise.all(answers)
  } finally {
    await holder.end()
  }
}
