// Guards: what was recorded is stored whole, on disk and in a bucket, whatever dies or refuses on the way; nothing of it stays
// behind where it was made, and what is deleted is gone everywhere.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type FakeS3, startFakeS3 } from '../../../../test/s3.ts'
import { type RunningQueues, startCall, startQueues } from '../../../../test/voice/calls.ts'
import { liveScope, makeRecording, soundFile } from '../../../../test/voice/recordings.ts'
import { catalog } from '../../../catalog.ts'
import { wavData, wavHeader } from '../../../media/wav_write.ts'
import { deleteRecordings, markAvailable, recordingFile } from './changes.ts'
import { endpoints } from './endpoints.ts'
import { endLostRecordings, expireRecordings, storeRecordings } from './jobs.ts'
import { mendRecording, openRecording } from './local_file.ts'
import { objectKeyOf, type Recording } from './rules.ts'

const missing = endpoints.filter(own => !catalog.some(({ id }) => id === own.id))

async function see(t: TestApp, id: string) {
  const { json } = await t.call('GET', `/v2/voice/recordings/${id}`, { as: t.main.tokens.Admin })
  return json.data
}

/** The recording as soon as it is in one of these states. */
async function seeIn(t: TestApp, id: string, ...states: string[]) {
  for (let tries = 0; ; tries++) {
    const seen = await see(t, id)
    if (states.includes(seen.state)) return seen
    if (tries === 1_000) throw new Error(`still ${JSON.stringify(seen)}`)
    await sleep(10)
  }
}

/** Resolves when nothing is to be done any more about a recording. */
async function settled(t: TestApp, id: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const jobs = await t.ownerSql('select kind, attempts, due_at from recording_jobs where recording_id = $1', [id])
    if (jobs.length === 0) return
    if (tries === 1_000) throw new Error(`still to be done: ${JSON.stringify(jobs)}`)
    await sleep(10)
  }
}

async function soundOf(t: TestApp, id: string, headers: Record<string, string> = {}) {
  const answer = await t.app.http.inject({
    method: 'GET',
    url: `/v2/voice/recordings/${id}/media`,
    headers: { authorization: `Bearer ${t.main.tokens.Admin}`, ...headers },
  })
  return { status: answer.statusCode, bytes: answer.rawPayload, headers: answer.headers }
}

async function eventsOf(t: TestApp, id: string): Promise<string[]> {
  const rows = await t.ownerSql<{ type: string }>(
    'select type from event_log where resource_id = $1 order by sequence',
    [id],
  )
  return rows.map(row => row.type)
}

/** Paths of files that lie where recordings are made. */
async function leftovers(t: TestApp): Promise<string[]> {
  const folder = join(t.app.services.objects.folder.path, 'live')
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter(entry => entry.isFile()).map(entry => entry.name)
}

async function opened(t: TestApp, callId: string) {
  const ref = { ...liveScope(t.main), callId }
  return openRecording(t.app.services, ref, { owner: 'node_test', channels: 'mono' })
}

async function liveCall(t: TestApp): Promise<string> {
  return startCall(t, '+15005550200', {}, t.main.tokens.Admin)
}

/** Ends a call as if that had been two minutes ago. */
async function endCall(t: TestApp, callId: string): Promise<void> {
  await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: t.main.tokens.Admin })
  await t.ownerSql("update calls set ended_at = now() - interval '2 minutes' where id = $1", [callId])
}

const samples = (count: number) => Int16Array.from({ length: count }, (_, at) => at % 1_000)

describe('on disk', () => {
  let t: TestApp
  let work: RunningQueues
  before(async () => {
    t = await startTestApp({ endpoints: missing, env: { TANDEM_RECORDING_DAYS: '30' } })
    work = startQueues(t, [storeRecordings(), endLostRecordings])
  })
  after(async () => {
    await work?.stop()
    await t?.close()
  })

  test('a recording is made, paused, resumed, ended, stored, and heard', async () => {
    const recording = await opened(t, await liveCall(t))
    assert.ok(recording !== undefined)
    const { recordingId: id, sink } = recording
    sink.write(wavHeader(1))
    sink.write(wavData(samples(4_000)))
    await recording.paused()
    assert.equal((await see(t, id)).state, 'paused')
    await recording.resumed()
    assert.equal((await see(t, id)).state, 'recording')
    sink.write(wavData(samples(4_000)))
    sink.finish({ header: wavHeader(1, 16_000), fileBytes: 16_044 })
    await recording.ended(1_000)
    const seen = await seeIn(t, id, 'available')
    assert.deepEqual([seen.durationMs, seen.sizeBytes], [1_000, 16_044])
    const { status, bytes } = await soundOf(t, id)
    assert.equal(status, 200)
    assert.ok(bytes.equals(Buffer.concat([wavHeader(1, 16_000), wavData(samples(4_000)), wavData(samples(4_000))])))
    await settled(t, id)
    assert.deepEqual(await leftovers(t), [])
    assert.deepEqual(await eventsOf(t, id), ['recording.available'])
  })

  test('of a call that is over nothing is recorded', async () => {
    const callId = await liveCall(t)
    await endCall(t, callId)
    assert.equal(await opened(t, callId), undefined)
  })

  test('nothing recorded is absent, and leaves no file', async () => {
    const recording = await opened(t, await liveCall(t))
    assert.ok(recording !== undefined)
    recording.sink.write(wavHeader(1))
    recording.sink.finish({ header: wavHeader(1, 0), fileBytes: 44 })
    await recording.ended(0)
    const { recordingId: id } = recording
    await seeIn(t, id, 'absent')
    await settled(t, id)
    assert.deepEqual(await leftovers(t), [])
    assert.deepEqual(await eventsOf(t, id), ['recording.absent'])
  })

  test('what cannot be written has failed, and says so', async () => {
    // Something stands where the file should be.
    const callId = await liveCall(t)
    const { services } = t.app
    const folder = { ...services.objects.folder, path: join(services.objects.folder.path, 'blocked') }
    await mkdir(folder.path, { recursive: true })
    await writeFile(join(folder.path, 'live'), '')
    const blocked = { ...services, objects: { ...services.objects, folder } }
    const ref = { ...liveScope(t.main), callId }
    const asked = openRecording(blocked, ref, { owner: 'node_test', channels: 'dual' })
    await assert.rejects(asked, { code: /ENOTDIR|EEXIST/ })
    const [row] = await t.ownerSql<{ id: string; state: string; error: string }>(
      'select id, state, error from recordings where call_id = $1',
      [callId],
    )
    assert.deepEqual([row?.state, row?.error], ['failed', 'recording_write_failed'])
    assert.deepEqual(await eventsOf(t, row?.id as string), ['recording.failed'])
  })

  test('the recording of a process that died is finished from what is on disk', async () => {
    const made: [bytes: Buffer | undefined, state: string, durationMs: number | null][] = [
      // The header knows no length, and half a sample was written.
      [
        Buffer.concat([wavHeader(2), wavData(samples(8_000), samples(8_000)), Buffer.from([1, 2, 3])]),
        'available',
        1_000,
      ],
      [wavHeader(1), 'absent', 0],
      [Buffer.from('RI'), 'absent', 0],
      [undefined, 'absent', 0],
      [Buffer.alloc(5_000), 'failed', null],
    ]
    for (const [bytes, state, durationMs] of made) {
      const recording = await makeRecording(t, { state: 'recording' })
      if (bytes !== undefined) {
        const path = recordingFile(t.app.services.objects.folder, recording)
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, bytes)
      }
      await endCall(t, recording.call_id)
      const seen = await seeIn(t, recording.id, 'available', 'absent', 'failed')
      assert.deepEqual([seen.state, seen.durationMs], [state, durationMs])
      await settled(t, recording.id)
    }
    assert.deepEqual(await leftovers(t), [])
  })

  test('a recording whose call goes on is left alone', async () => {
    const running = await makeRecording(t, { state: 'paused' })
    const ended = await makeRecording(t, { state: 'recording' })
    await endCall(t, ended.call_id)
    await seeIn(t, ended.id, 'absent')
    assert.equal((await see(t, running.id)).state, 'paused')
  })

  test('a file that was there and is gone is lost', async () => {
    const callId = await liveCall(t)
    const folder = 'fld_00000000000000000000000000'
    // On a machine that is away: it waits for that one, and is given up after a day.
    const elsewhere = await makeRecording(t, { callId, state: 'recording' })
    await t.ownerSql(
      "update recordings set state = 'processing', ended_at = now(), folder = $2, sequence = 2 where id = $1",
      [elsewhere.id, folder],
    )
    const job = `insert into recording_jobs (tenant_id, recording_id, kind, folder) values ($1, $2, 'store', $3)`
    await t.ownerSql(job, [t.main.liveTenantId, elsewhere.id, folder])
    // On this one: who ended it had reported its length.
    const here = await makeRecording(t, { callId, state: 'recording' })
    await t.ownerSql(
      "update recordings set state = 'processing', ended_at = now(), duration_ms = 5, sequence = 2 where id = $1",
      [here.id],
    )
    await t.ownerSql(job, [t.main.liveTenantId, here.id, here.folder])
    assert.equal((await seeIn(t, here.id, 'failed')).errorCode, 'recording_lost')
    assert.equal((await see(t, elsewhere.id)).state, 'processing')
    await t.ownerSql("update recording_jobs set created_at = now() - interval '25 hours' where recording_id = $1", [
      elsewhere.id,
    ])
    assert.equal((await seeIn(t, elsewhere.id, 'failed')).errorCode, 'recording_lost')
    await settled(t, here.id)
    // The other machine cleans up when it is back.
    const rest = await t.ownerSql('select kind, folder from recording_jobs where recording_id = $1', [elsewhere.id])
    assert.deepEqual(rest, [{ kind: 'clean', folder }])
  })

  test('deleting removes the object, and what was there longer than allowed is deleted', async () => {
    const { objects } = t.app.services
    const deleted = await makeRecording(t)
    await t.call('DELETE', `/v2/voice/recordings/${deleted.id}`, { as: t.main.tokens.Admin })
    await settled(t, deleted.id)
    assert.equal(await objects.current.size(deleted.storage_key as string), undefined)

    const [old, young] = [await makeRecording(t), await makeRecording(t)]
    await t.ownerSql("update recordings set ended_at = now() - interval '31 days' where id = $1", [old.id])
    const of = (days: number) => ({ ...work.services.retention, recordings: { days, min: 1, max: 3_650 } })
    await expireRecordings({ ...work.services, retention: of(32) }).run()
    assert.equal((await see(t, old.id)).state, 'available')
    await expireRecordings({ ...work.services, retention: of(30) }).run()
    assert.equal((await see(t, old.id)).state, 'deleted')
    await settled(t, old.id)
    assert.equal(await objects.current.size(old.storage_key as string), undefined)
    assert.equal((await soundOf(t, young.id)).status, 200)
    const [event] = await t.ownerSql<{ data: { deletedBy: string } }>(
      "select data from event_log where resource_id = $1 and type = 'recording.deleted'",
      [old.id],
    )
    assert.equal(event?.data.deletedBy, 'retention')
  })

  test('a worker that dies between storing and saying so: stored again, reported once', async () => {
    await work.stop()
    const { id, ...recording } = await makeRecording(t, { state: 'processing' })
    const { services } = t.app
    let transactions = 0
    const inTenant: typeof services.db.inTenant = (scope, doing) =>
      ++transactions === 1 ? services.db.inTenant(scope, doing) : Promise.reject(new Error('the process is gone'))
    const dying = storeRecordings()({ ...services, db: { ...services.db, inTenant } })
    const jobs = await dying.claim('lse_dead', 1)
    await assert.rejects(
      dying.work(jobs, 'lse_dead', () => false),
      /the process is gone/,
    )
    assert.equal((await see(t, id)).state, 'processing')
    const key = objectKeyOf({ id, ...recording })
    assert.equal(await services.objects.current.size(key), soundFile(1_000).length)
    // Nobody else takes it before the lease ends.
    assert.deepEqual(await storeRecordings()(services).claim('lse_next', 1), [])
    await t.ownerSql('update recording_jobs set due_at = now() where recording_id = $1', [id])
    work = startQueues(t, [storeRecordings(), endLostRecordings])
    await seeIn(t, id, 'available')
    await settled(t, id)
    assert.deepEqual(await eventsOf(t, id), ['recording.available'])
  })

  test('a slow worker that stores what was deleted meanwhile leaves nothing', async () => {
    await work.stop()
    const recording = await makeRecording(t, { state: 'processing' })
    const { services } = t.app
    const scope = liveScope(t.main)
    const key = objectKeyOf(recording)
    let isMended = false
    const slow = storeRecordings(async path => {
      // While it mends, another worker stores the recording, and somebody deletes it.
      const put = await services.objects.current.put(key, path)
      const stored = { storage: 'disk', key, ...put, durationMs: 1_000, atMs: services.clock.now() }
      await services.db.inTenant(scope, tx => markAvailable(tx, scope, recording.id, stored))
      await services.db.inTenant(scope, tx => deleteRecordings(tx, scope, [recording.id], 'api', services.clock.now()))
      await services.objects.current.remove(key)
      isMended = true
      return mendRecording(path)
    })
    work = startQueues(t, [slow, endLostRecordings])
    await seeIn(t, recording.id, 'deleted')
    // The slow one is not done when nothing is left to do for the moment: what it stores is taken away again.
    const deadline = performance.now() + 10_000
    while (!isMended || (await services.objects.current.size(key)) !== undefined) {
      assert.ok(performance.now() < deadline, 'what was stored again stays')
      await settled(t, recording.id)
    }
    assert.deepEqual(await eventsOf(t, recording.id), ['recording.available', 'recording.deleted'])
  })
})

describe('in a bucket', () => {
  let t: TestApp
  let s3: FakeS3
  let work: RunningQueues
  before(async () => {
    s3 = await startFakeS3()
    const env = {
      TANDEM_RECORDINGS: `s3://${s3.bucket}/tandem`,
      TANDEM_S3_ENDPOINT: s3.endpoint,
      TANDEM_S3_REGION: s3.region,
      TANDEM_S3_ACCESS_KEY_ID: s3.accessKeyId,
      TANDEM_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
    }
    t = await startTestApp({ endpoints: missing, env })
    work = startQueues(t, [storeRecordings()])
  })
  after(async () => {
    await work?.stop()
    await t?.close()
    await s3?.close()
  })

  const dueAt = (kind: string, id: string) =>
    t.ownerSql<{ attempts: number; wait: number }>(
      `select attempts, extract(epoch from due_at - now())::float as wait from recording_jobs
       where kind = $1 and recording_id = $2`,
      [kind, id],
    )
  const dueNow = (id: string) => t.ownerSql('update recording_jobs set due_at = now() where recording_id = $1', [id])

  /** Resolves when a job was tried and put off. */
  async function putOff(kind: string, recording: Recording): Promise<void> {
    for (let tries = 0; tries < 1_000; tries++) {
      const [job] = await dueAt(kind, recording.id)
      if (job !== undefined && job.attempts === 1 && job.wait < 6) {
        assert.ok(job.wait > 0)
        return
      }
      await sleep(10)
    }
    throw new Error(`the job ${kind} was not put off: ${JSON.stringify(await dueAt(kind, recording.id))}`)
  }

  test('stored when the bucket takes it, heard from there, gone when deleted, whatever refuses first', async () => {
    const bytes = soundFile(3_000)
    s3.misbehave = ({ method }) => (method === 'PUT' ? { status: 403, code: 'AccessDenied' } : undefined)
    const recording = await makeRecording(t, { state: 'processing', bytes })
    work.services.wake('recordings')
    await putOff('store', recording)
    assert.equal((await see(t, recording.id)).state, 'processing')
    s3.misbehave = undefined
    await dueNow(recording.id)
    const seen = await seeIn(t, recording.id, 'available')
    assert.equal(seen.sizeBytes, bytes.length)
    await settled(t, recording.id)
    assert.deepEqual(await leftovers(t), [])
    const key = `tandem/${objectKeyOf(recording)}`
    assert.ok(s3.objects.get(key)?.equals(bytes))
    assert.ok((await soundOf(t, recording.id)).bytes.equals(bytes))
    const part = await soundOf(t, recording.id, { range: 'bytes=-100' })
    assert.equal(part.status, 206)
    assert.ok(part.bytes.equals(bytes.subarray(-100)))

    s3.misbehave = ({ method }) => (method === 'DELETE' ? { status: 403, code: 'AccessDenied' } : undefined)
    await t.call('DELETE', `/v2/voice/recordings/${recording.id}`, { as: t.main.tokens.Admin })
    work.services.wake('recordings')
    await putOff('remove', recording)
    assert.ok(s3.objects.has(key))
    s3.misbehave = undefined
    await dueNow(recording.id)
    await settled(t, recording.id)
    assert.ok(!s3.objects.has(key))
  })

  test('a bucket that does not answer is reported as that, and as passing', async () => {
    const recording = await makeRecording(t)
    s3.misbehave = () => ({ status: 403, code: 'AccessDenied' })
    const { status, bytes, headers } = await soundOf(t, recording.id)
    s3.misbehave = undefined
    const { error } = JSON.parse(String(bytes))
    assert.deepEqual([status, error.code, Number(headers['retry-after']) > 0], [503, 'recording_unreachable', true])
  })

  test('what grows after it was ended is cut by nobody: the mender sees the file as it is', async () => {
    const recording = await makeRecording(t, { state: 'recording' })
    const path = recordingFile(t.app.services.objects.folder, recording)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, soundFile(1_000))
    assert.deepEqual(await mendRecording(path), { durationMs: 1_000 })
    await appendFile(path, wavData(samples(8_000)))
    assert.deepEqual(await mendRecording(path), { durationMs: 2_000 })
    assert.deepEqual(await mendRecording(path), { durationMs: 2_000 })
  })
})
