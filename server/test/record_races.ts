// For tests of what happens at the same moment: a lock is held so that a request waits in the midst of its transaction, others come beside
// it, and the lock is let go.
import { setTimeout as sleep } from 'node:timers/promises'
import { connectClient } from '../src/kernel/data/session.ts'
import { eventually } from './eventually.ts'
import type { Answer, TestApp } from './harness.ts'

const waiting = `select count(*)::integer as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

/** How long a request that meets no lock is given to be answered, where it waits for none either. */
const settledMs = 5_000

/**
 * The answers of requests that are made one after the other, each as far as it comes while the lock is held.
 * @param held what locks a row, or a table: `select from notes where id = $1 for update`
 */
export async function whileHeld(
  t: TestApp,
  held: { text: string; values?: unknown[] },
  ...requests: readonly (() => Promise<Answer>)[]
): Promise<Answer[]> {
  const holder = await connectClient(t.owner)
  try {
    await holder.query('begin')
    const { command, rowCount } = await holder.query(held.text, held.values)
    if (command === 'SELECT' && rowCount !== 1) throw new Error(`${rowCount} rows are held, and not one`)
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
