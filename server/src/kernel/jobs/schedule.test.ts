// A scheduled job that fails is in the log and in a metric, and remains failed for the queue.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMetrics } from '../observe/metrics.ts'
import { watched } from './schedule.ts'

test('a job that fails is logged and counted', async () => {
  const said: unknown[] = []
  const note = (level: string) => (fields: { job: string; err?: Error }, text: string) =>
    said.push([level, fields.job, fields.err?.message, text])
  const watch = { log: { error: note('error'), debug: note('debug') } as never, metrics: createMetrics() }
  let isBroken = true
  const run = watched(
    {
      name: 'purge_all',
      cron: '* * * * *',
      async run() {
        if (isBroken) throw new Error('too many rows')
      },
    },
    watch,
  )
  const failures = async () =>
    /^tandem_job_failures_total\{job="purge_all"\} (\d)/m.exec((await watch.metrics.render()).text)?.[1]
  assert.equal(await failures(), '0')
  await assert.rejects(run(), /too many rows/)
  isBroken = false
  await run()
  assert.deepEqual(said, [
    ['error', 'purge_all', 'too many rows', 'a scheduled job failed'],
    ['debug', 'purge_all', undefined, 'job done'],
  ])
  assert.equal(await failures(), '1')
})
