// The timeline of companies and contacts: changes, what was put on them, messages with their numbers, in one order without gap.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Entry = { id: string; kind: string; title: string; body: string | null; at: string; user_id: number | null }
const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, as = t.main.tokens.Admin) =>
  t.call(method, path, { as, ...(body && { body }) })

test('a contact has changes, notes, tasks, files and messages in one sequence, page by page', async () => {
  const as = t.main.testKey
  const created = await call('POST', '/v1/api/contacts', { name: 'Ada', phones: [{ value: '+15005550107' }] }, as)
  const { id } = created.json.contact
  await call('POST', '/v1/api/notes', { record_id: id, body: 'Called back' }, as)
  const note = await call('POST', '/v1/api/notes', { record_id: id, body: 'Deleted' }, as)
  await call('DELETE', `/v1/api/notes/${note.json.note.id}`, undefined, as)
  await call('POST', '/v1/api/tasks', { record_id: id, title: 'Offer' }, as)
  const headers = { 'content-type': 'application/octet-stream' }
  const file = await t.call('POST', `/v1/api/attachments?record_id=${id}&name=a.txt`, {
    as,
    rawBody: 'A file',
    headers,
  })
  assert.equal(file.status, 201, file.text)
  await call('PATCH', `/v1/api/contacts/${id}`, { job_title: 'Countess' }, as)
  const sent = await call('POST', '/v2/messages/sms', { from: '+15005550006', to: '+15005550107', body: 'Hello' }, as)
  assert.equal(sent.status, 200, sent.text)
  const walked: Entry[] = []
  for (let cursor = ''; ; ) {
    const { status, json, text } = await call('GET', `/v1/api/contacts/${id}/timeline?limit=2${cursor}`, undefined, as)
    assert.equal(status, 200, text)
    walked.push(...json.entries)
    assert.deepEqual(json.left_out, [])
    if (json.pagination.nextCursor === null) break
    cursor = `&cursor=${json.pagination.nextCursor}`
  }
  assert.deepEqual(walked.map(({ kind, title }) => `${kind}: ${title}`).sort(), [
    'attachment: File: a.txt',
    'change: Changed job title',
    'change: Contact created',
    'message: Text to +15005550107',
    'note: Note',
    'task: Task: Offer',
  ])
  assert.deepEqual(
    walked.map(({ at }) => at),
    walked
      .map(({ at }) => at)
      .sort()
      .reverse(),
  )
  assert.equal(walked.find(({ kind }) => kind === 'note')?.body, 'Called back')
  const whole = await call('GET', `/v1/api/contacts/${id}/timeline`, undefined, as)
  assert.deepEqual(
    whole.json.entries.map((entry: Entry) => entry.id),
    walked.map(entry => entry.id),
  )
})

test('who does not see the record sees no timeline of it, and what one may not read is named', async () => {
  const { json } = await call('POST', '/v1/api/companies', { name: 'Foreign', owner_id: t.main.users.Admin.id })
  const path = `/v1/api/companies/${json.company.id}/timeline`
  await call('POST', '/v1/api/notes', { record_id: json.company.id, body: 'Secret' })
  assert.equal((await call('GET', path, undefined, t.main.tokens['Sales Executive'])).status, 404)
  assert.equal((await call('GET', path, undefined, t.other.tokens.Admin)).status, 404)
  const scopes = ['companies:read', 'messages:read']
  const key = await call('POST', '/v2/auth/api-keys', { name: 'Narrow', mode: 'live', scopes })
  const seen = await call('GET', path, undefined, key.json.data.secret)
  assert.deepEqual(
    seen.json.entries.map(({ kind }: Entry) => kind),
    ['change'],
  )
  assert.deepEqual(
    seen.json.left_out.map(({ kind }: { kind: string }) => kind),
    ['call', 'recording', 'note', 'task', 'attachment'],
  )
})
