// Whose work on many records comes first: none holds the queue for long, and one that its workers die of comes to an end.
import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { insertRecords } from '../../../../test/noun_records.ts'
import { sendFile, workOnRecords } from '../../../../test/record_work.ts'
import { findBatch } from '../../../kernel/noun/batches.ts'
import { claimJobs, holdJob, type RecordJob } from '../../../kernel/noun/record_jobs.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { runImport } from '../imports/index.ts'
import { findImport } from '../imports/store.ts'
import { changeRecords } from './jobs.ts'
import { sliceOf } from './slice.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
type Json = Record<string, any>

const rows = (name: string, count: number) =>
  [
    'name,domain',
    ...Array.from({ length: count }, (_, n) => `${name} ${n},${name.toLowerCase()}${n}.example`),
    '',
  ].join('\n')

async function begun(csv: string, verb: 'run' | 'dry-run' = 'run', as = t.main.tokens.Admin): Promise<string> {
  const { json } = await sendFile(t, 'companies', csv, { as })
  const { id } = json.import
  const { status, text } = await t.call('POST', `/v1/api/imports/${id}/${verb}`, { as })
  assert.equal(status, 200, text)
  return id
}

async function importOf(id: string, as = t.main.tokens.Admin): Promise<Json> {
  return (await t.call('GET', `/v1/api/imports/${id}`, { as })).json.import
}

/** One lane until nothing is left; the ids of what it claimed, in order. In each claim two thousand rows take longer than a worker stays. */
async function claimed(afterClaim: (id: string) => Promise<void> = async () => {}): Promise<string[]> {
  let nowMs = 0
  const time = mock.method(performance, 'now', () => nowMs)
  const tick = () => {
    nowMs += 25_000
    return false
  }
  try {
    const queue = changeRecords(t.app.services)
    const ids: string[] = []
    for (;;) {
      const token = newId('lse')
      const jobs: RecordJob[] = await queue.claim(token, 1)
      if (jobs.length === 0) return ids
      await queue.work(jobs, token, tick)
      for (const { id } of jobs) {
        ids.push(id)
        await afterClaim(id)
      }
    }
  } finally {
    time.mock.restore()
  }
}

test('a worker stays with a job for a while, which begins behind what reading on took', () => {
  let nowMs = 0
  const time = mock.method(performance, 'now', () => nowMs)
  try {
    let isStopping = false
    const isOver = sliceOf('import', () => isStopping)
    nowMs = 2_000
    assert.equal(isOver(), false)
    nowMs = 21_999
    assert.equal(isOver(), false)
    nowMs = 22_000
    assert.equal(isOver(), true)
    const slow = sliceOf('import', () => isStopping)
    nowMs += 30_000
    assert.equal(slow(), false)
    nowMs += 119_999
    assert.equal(slow(), false)
    isStopping = true
    assert.equal(slow(), true)
  } finally {
    time.mock.restore()
  }
})

test('long imports let those of other tenants go first, and those of one tenant follow one another', async () => {
  const { testKey } = t.main
  const [other] = [t.other.tokens.Admin]
  const long = await begun(rows('Long', 4_000))
  const foreign = await begun(rows('Foreign', 4_000), 'run', other)
  const next = await begun(rows('Next', 10))
  const short = await begun(rows('Short', 10), 'run', testKey)
  const states: Json[] = []
  const order = await claimed(async id => {
    if (id === short) states.push(await importOf(long), await importOf(foreign, other), await importOf(short, testKey))
  })
  assert.deepEqual(order, [long, foreign, short, long, foreign, next])
  assert.deepEqual(
    states.map(({ state, done }) => [state, done]),
    [
      ['running', 2_000],
      ['running', 2_000],
      ['completed', 10],
    ],
  )
  for (const [id, as, count] of [
    [long, undefined, 4_000],
    [foreign, other, 4_000],
    [next, undefined, 10],
  ] as const) {
    const { state, created } = await importOf(id, as)
    assert.deepEqual([state, created], ['completed', count])
  }
})

test('a tenant with many jobs waits behind others once it had one', async () => {
  const mine = [await begun(rows('Mine', 1)), await begun(rows('Mine too', 1))]
  const other = await begun(rows('Theirs', 1), 'run', t.other.tokens.Admin)
  assert.deepEqual(await claimed(), [mine[0], other, mine[1]])
})

test('a trial goes on where it was given back, and knows the rows before', async () => {
  const id = await begun(`${rows('Trial', 4_500)}Twin,trial0.example\n`, 'dry-run')
  const states: Json[] = []
  const order = await claimed(async () => void states.push(await importOf(id)))
  assert.deepEqual(order, [id, id, id])
  assert.deepEqual(
    states.map(({ state, done, created, skipped }) => [state, done, created, skipped]),
    [
      ['checking', 2_000, 2_000, 0],
      ['checking', 4_000, 4_000, 0],
      ['checked', 4_501, 4_500, 1],
    ],
  )
})

/** A worker that claims what there is and dies. */
async function lose(): Promise<RecordJob> {
  const [job] = await claimJobs(t.app.services.db, newId('lse'), 1, t.app.services.objects.folder.id())
  assert.ok(job)
  await t.sql("update record_jobs set leased_until = now() - interval '1 second'")
  return job
}

test('a trial whose worker dies behind a pause begins from the first row', async () => {
  const id = await begun(`${rows('Restarted', 2_500)}Twin,restarted0.example\n`, 'dry-run')
  const { services } = t.app
  const part = async (isDying: boolean) => {
    const token = newId('lse')
    const [job] = await claimJobs(services.db, token, 1, services.objects.folder.id())
    const scope = { tenantId: job!.tenant_id, organizationId: job!.organization_id }
    const run = { services, scope, lease: { job: job!, token } }
    if (!isDying) await runImport({ ...run, isStopping: () => true })
    else await assert.rejects(runImport({ ...run, isStopping: () => assert.fail('dies') }))
    await t.sql("update record_jobs set leased_until = now() - interval '1 second'")
  }
  await part(false)
  await part(true)
  assert.equal((await importOf(id))['done'], 2_000)
  await part(false)
  assert.equal((await importOf(id))['done'], 1_000)
  await workOnRecords(t)
  const { state, done, created, skipped } = await importOf(id)
  assert.deepEqual([state, done, created, skipped], ['checked', 2_501, 2_500, 1])
})

const stopped = /^The server stopped 5 times while it worked on this.* Do the rest in smaller parts/

test('an import whose workers die one after the other fails, and says what to do', async () => {
  const id = await begun(rows('Deadly', 10))
  for (let n = 0; n < 5; n++) assert.equal((await lose()).losses, n)
  await workOnRecords(t)
  const { state, problem, created } = await importOf(id)
  assert.deepEqual([state, created], ['failed', 0])
  assert.match(problem, stopped)
  const again = await begun(rows('Deadly', 10))
  await workOnRecords(t)
  assert.equal((await importOf(again))['created'], 10)
})

test('what waits because of a fault that passes, or gets further, is no loss', async () => {
  const id = await begun(rows('Patient', 1_500))
  const { services } = t.app
  for (let n = 0; n < 4; n++) await lose()
  const read = mock.method(services.objects.current, 'read', () => Promise.reject(new Error('no answer')), { times: 1 })
  await workOnRecords(t)
  assert.equal(read.mock.callCount(), 1)
  await t.sql("update record_jobs set leased_until = now() - interval '1 second'")
  const [job] = await claimJobs(services.db, 'further', 1, services.objects.folder.id())
  assert.equal(job?.losses, 4)
  const scope = { tenantId: job.tenant_id, organizationId: job.organization_id }
  await runImport({ services, scope, lease: { job, token: 'further' }, isStopping: () => true })
  await t.sql("update record_jobs set leased_until = now() - interval '1 second'")
  await workOnRecords(t)
  assert.deepEqual([(await importOf(id))['state'], (await importOf(id))['created']], ['completed', 1_500])
})

/** A change of many in the background; its batch. */
async function changing(name: string): Promise<string> {
  await insertRecords(
    t,
    'company',
    Array.from({ length: 1_050 }, (_, n) => ({ name: `${name} ${n}` })),
  )
  const body = { filter: { 'name[begins]': name }, expect: 1_050, set: { industry: 'Public' } }
  const { json, text } = await t.call('POST', '/v1/api/companies/bulk', { as: t.main.tokens.Admin, body })
  assert.equal(json.state, 'running', text)
  return json.batch_id
}

test('a change of many whose workers die one after the other fails too', async () => {
  const id = await changing('Fatal')
  for (let n = 0; n < 5; n++) await lose()
  await workOnRecords(t)
  const { batch } = (await t.call('GET', `/v1/api/batches/${id}`, { as: t.main.tokens.Admin })).json
  assert.deepEqual([batch.state, batch.changed], ['failed', 0])
  assert.match(batch.problem, stopped)
})

const canceled = {
  imports: { begin: () => begun(rows('Canceled', 10)), find: findImport },
  batches: { begin: () => changing('Canceled'), find: findBatch },
}
for (const [noun, { begin, find }] of Object.entries(canceled))
  test(`who cancels ${noun} waits for what their worker has begun, and keeps nothing from it`, async () => {
    const id = await begin()
    const token = newId('lse')
    const [job] = await claimJobs(t.app.services.db, token, 1, t.app.services.objects.folder.id())
    const scope = { tenantId: job!.tenant_id, organizationId: job!.organization_id }
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    const answer = await t.app.services.db.inTenant(scope, async tx => {
      assert.ok(await holdJob(tx, { job: job!, token }))
      const asked = t.call('POST', `/v1/api/${noun}/${id}/cancel`, { as: t.main.tokens.Admin })
      await eventually('who cancels', async () => (await t.ownerSql(waiting)).length > 0)
      assert.equal((await find(tx, scope, id, { locked: true }))?.state, 'running')
      return { asked }
    })
    const { status, text } = await answer.asked
    assert.equal(status, 200, text)
    await workOnRecords(t)
  })

test('who may not cancel an import ends nothing of it', async () => {
  const id = await begun(rows('Kept', 10))
  const { status, text } = await t.call('POST', `/v1/api/imports/${id}/cancel`, {
    as: t.main.tokens['Sales Executive'],
  })
  assert.equal(status, 404, text)
  await workOnRecords(t)
  assert.equal((await importOf(id))['created'], 10)
})
