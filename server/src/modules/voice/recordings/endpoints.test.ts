// Guards: recordings are found by what one looks for, heard whole and in part, and deleted for good, once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { makeRecording, soundFile } from '../../../../test/voice/recordings.ts'
import { catalog } from '../../../catalog.ts'
import { endpoints } from './endpoints.ts'

let t: TestApp
before(async () => {
  const missing = endpoints.filter(own => !catalog.some(({ id }) => id === own.id))
  t = await startTestApp({ endpoints: missing })
})
after(() => t?.close())

const path = '/v2/voice/recordings'

async function ask(method: string, url: string, as = t.main.tokens.Admin) {
  const { status, json } = await t.call(method, url, { as })
  return { status, json }
}

test('a list by call, state and time, newest first, by pages', async () => {
  const first = await makeRecording(t)
  const second = await makeRecording(t, { callId: first.call_id, state: 'paused' })
  const third = await makeRecording(t, { callId: first.call_id, state: 'absent' })
  await makeRecording(t)
  const idsOf = async (query: string) => {
    const { json } = await ask('GET', `${path}?${query}`)
    return json.data.map((row: { recordingId: string }) => row.recordingId)
  }
  const ofCall = `callId=${first.call_id}`
  assert.deepEqual(await idsOf(ofCall), [third.id, second.id, first.id])
  assert.deepEqual(await idsOf(`${ofCall}&state=paused`), [second.id])
  assert.deepEqual(await idsOf(`${ofCall}&createdAfter=${second.created_at}`), [third.id, second.id])
  assert.deepEqual(await idsOf(`${ofCall}&createdBefore=${second.created_at}`), [first.id])
  assert.deepEqual(await idsOf('callId=call_of_nobody'), [])
  const page = await ask('GET', `${path}?${ofCall}&limit=2`)
  assert.equal(page.json.meta.pagination.hasMore, true)
  assert.deepEqual(await idsOf(`${ofCall}&limit=2&cursor=${page.json.meta.pagination.nextCursor}`), [first.id])
  assert.equal((await ask('GET', `${path}?state=playing`)).status, 400)
})

test('a recording shows all there is to know of it', async () => {
  const { id, call_id } = await makeRecording(t, { bytes: soundFile(2_500) })
  const { json } = await ask('GET', `${path}/${id}`, t.main.tokens['Sales Executive'])
  const { createdAt, startedAt, endedAt, availableAt, sha256, ...rest } = json.data
  assert.deepEqual(rest, {
    recordingId: id,
    callId: call_id,
    state: 'available',
    channels: 'mono',
    durationMs: 2_500,
    sizeBytes: 40_044,
    mediaUrl: `${path}/${id}/media`,
    errorCode: null,
    metadata: { purpose: 'test' },
    deletedAt: null,
  })
  assert.match(sha256, /^[0-9a-f]{64}$/)
  assert.ok(createdAt === startedAt && startedAt <= endedAt && endedAt <= availableAt)
})

async function media(id: string, headers: Record<string, string> = {}, query = '', method: 'GET' | 'HEAD' = 'GET') {
  const authorization = `Bearer ${t.main.tokens.Admin}`
  const url = `${path}/${id}/media${query}`
  const answer = await t.app.http.inject({ method, url, headers: { authorization, ...headers } })
  return { status: answer.statusCode, headers: answer.headers, bytes: answer.rawPayload }
}

test('the sound, whole and in part, to play and to keep', async () => {
  const bytes = soundFile(1_000)
  const { id, sha256 } = await makeRecording(t, { bytes })
  const whole = await media(id)
  assert.equal(whole.status, 200)
  assert.ok(whole.bytes.equals(bytes))
  assert.equal(whole.headers['content-type'], 'audio/wav')
  assert.equal(whole.headers['etag'], `"${sha256}"`)
  assert.equal(whole.headers['content-disposition'], `inline; filename="${id}.wav"`)
  const part = await media(id, { range: 'bytes=44-143' })
  assert.equal(part.status, 206)
  assert.ok(part.bytes.equals(bytes.subarray(44, 144)))
  assert.equal((await media(id, { range: 'bytes=99999-' })).status, 416)
  const kept = await media(id, {}, '?download=1')
  assert.equal(kept.headers['content-disposition'], `attachment; filename="${id}.wav"`)
  const head = await media(id, {}, '', 'HEAD')
  assert.deepEqual([head.status, head.bytes.length, head.headers['content-length']], [200, 0, String(bytes.length)])
  assert.equal((await media(id, { 'if-none-match': `"${sha256}"` })).status, 304)
})

test('without sound there is a reason', async () => {
  for (const [state, status, code] of [
    ['recording', 409, 'recording_not_ready'],
    ['paused', 409, 'recording_not_ready'],
    ['processing', 409, 'recording_not_ready'],
    ['absent', 404, 'recording_has_no_media'],
    ['failed', 404, 'recording_has_no_media'],
    ['deleted', 404, 'recording_has_no_media'],
  ] as const) {
    const { id } = await makeRecording(t, { state })
    const answer = await ask('GET', `${path}/${id}/media`)
    assert.deepEqual([answer.status, answer.json.error.code], [status, code], state)
  }
})

test('deleting: only Admins, only what has ended, once, and with one event', async () => {
  const callbackUrl = 'https://hooks.example.com/calls'
  const { id } = await makeRecording(t, { callbackUrl })
  for (const role of ['Sales Manager', 'Sales Executive', 'Finance Manager'] as const)
    assert.equal((await ask('DELETE', `${path}/${id}`, t.main.tokens[role])).status, 403)
  const first = await ask('DELETE', `${path}/${id}`)
  assert.deepEqual([first.status, first.json.data.state, first.json.data.mediaUrl], [200, 'deleted', null])
  const again = await ask('DELETE', `${path}/${id}`)
  assert.deepEqual(again.json.data, first.json.data)
  const events = await t.ownerSql<{
    type: string
    sequence: number
    callback_url: string
    data: { deletedBy?: string }
  }>('select type, sequence, callback_url, data from event_log where resource_id = $1 order by sequence', [id])
  assert.deepEqual(
    events.map(event => [event.type, event.sequence, event.data.deletedBy]),
    [
      ['recording.available', 3, undefined],
      ['recording.deleted', 4, 'api'],
    ],
  )
  assert.ok(events.every(event => event.callback_url === callbackUrl))
  const running = await makeRecording(t, { state: 'recording' })
  const refused = await ask('DELETE', `${path}/${running.id}`)
  assert.deepEqual([refused.status, refused.json.error.code], [409, 'recording_not_ready'])
})
