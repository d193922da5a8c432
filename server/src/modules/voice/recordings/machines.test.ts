// Guards: where several machines share a bucket, each stores what was recorded on it, whatever else runs there, and none gives up what
// another one still has.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type FakeS3, startFakeS3 } from '../../../../test/s3.ts'
import { startCall } from '../../../../test/voice/calls.ts'
import { liveScope } from '../../../../test/voice/recordings.ts'
import { wavData, wavHeader } from '../../../media/wav_write.ts'
import { recordingFile } from './changes.ts'
import { storeRecordings } from './jobs.ts'
import { openRecording } from './local_file.ts'

let t: TestApp
let s3: FakeS3
const elsewhere = join(tmpdir(), `tandem-data-${randomUUID()}`)
before(async () => {
  s3 = await startFakeS3()
  const env = {
    TANDEM_ROLES: 'api,worker',
    TANDEM_RECORDINGS: `s3://${s3.bucket}/tandem`,
    TANDEM_S3_ENDPOINT: s3.endpoint,
    TANDEM_S3_REGION: s3.region,
    TANDEM_S3_ACCESS_KEY_ID: s3.accessKeyId,
    TANDEM_S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
  }
  t = await startTestApp({ env })
})
after(async () => {
  await t?.close()
  await s3?.close()
  await rm(elsewhere, { recursive: true, force: true })
})

/** Another machine, with a folder of its own. */
const machine = (roles: string) => t.secondApp({ TANDEM_ROLES: roles, TANDEM_DATA: elsewhere })

/** A recording of a second that was made on a machine and waits to be stored. */
async function recorded({ services }: TestApp['app']): Promise<string> {
  const callId = await startCall(t, '+15005550200', {}, t.main.tokens.Admin)
  const recording = await openRecording(
    services,
    { ...liveScope(t.main), callId },
    { owner: 'node_test', channels: 'mono' },
  )
  assert.ok(recording !== undefined)
  recording.sink.write(wavHeader(1))
  recording.sink.write(wavData(new Int16Array(8_000).fill(500)))
  recording.sink.finish({ header: wavHeader(1, 16_000), fileBytes: 16_044 })
  await recording.ended(1_000)
  return recording.recordingId
}

async function stateOf(id: string) {
  const { json } = await t.call('GET', `/v2/voice/recordings/${id}`, { as: t.main.tokens.Admin })
  return [json.data.state, json.data.errorCode]
}

const until = (holds: () => unknown) => eventually(String(holds), holds, { withinMs: 10_000, everyMs: 20 })

test('a machine that only carries calls stores what it recorded', async () => {
  const { app } = await machine('voice')
  const id = await recorded(app)
  await app.startWork()
  await until(async () => (await stateOf(id))[0] === 'available')
  await until(async () => (await t.ownerSql('select from recording_jobs')).length === 0)
  await app.stop()
})

test('a machine keeps what its bucket refuses, however long; away for a day it is given up, and back it stores it after all', async () => {
  const { app } = await machine('worker')
  const { objects, log } = app.services
  const id = await recorded(app)
  const { level } = log
  log.level = 'silent'
  s3.misbehave = () => ({ status: 403, code: 'AccessDenied' })
  const [owner, other] = [app, t.app].map(node => storeRecordings()(node.services))
  const round = async (queue = owner!) => {
    await t.ownerSql('update recording_jobs set due_at = now()')
    const jobs = await queue.claim('lse_test', 10)
    await queue.work(jobs, 'lse_test', () => false)
    return jobs.length
  }
  assert.equal(await round(), 1)
  await t.ownerSql("update recording_jobs set created_at = now() - interval '25 hours'")
  assert.deepEqual([await round(other), await round()], [0, 1])
  assert.deepEqual(await stateOf(id), ['processing', null])
  const [row] = await t.ownerSql<{ local_path: string }>('select local_path from recordings where id = $1', [id])
  assert.ok(existsSync(recordingFile(objects.folder, row!)))

  await t.ownerSql("update recording_folders set seen_at = now() - interval '25 hours'")
  assert.equal(await round(other), 1)
  assert.deepEqual(await stateOf(id), ['failed', 'recording_lost'])

  // It is back, and so is its bucket: at first not.
  assert.equal(await round(), 1)
  assert.deepEqual(await stateOf(id), ['failed', 'recording_lost'])
  s3.misbehave = undefined
  assert.deepEqual([await round(), await round()], [1, 1])
  assert.deepEqual(await stateOf(id), ['available', null])
  assert.equal(existsSync(recordingFile(objects.folder, row!)), false)
  const media = await t.call('GET', `/v2/voice/recordings/${id}/media`, { as: t.main.tokens.Admin })
  assert.equal(media.status, 200)
  assert.equal((await t.ownerSql('select from recording_jobs')).length, 0)
  log.level = level
})
