// Files on records: their bytes come back as they were sent, shown as what they are and never run, to those who see the record; and nothing
// stays in the store that no attachment names.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { sweepAttachments } from './jobs.ts'
import { isMisnamed, plainName, typeOf } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const admin = () => t.main.tokens.Admin
async function company(ownerId: number | null = null): Promise<string> {
  const { json } = await t.call('POST', '/v1/api/companies', {
    as: admin(),
    body: { name: 'Holder', owner_id: ownerId },
  })
  return json.company.id
}
const upload = (record: string, name: string, rawBody: string, { as = admin(), headers = {} } = {}) =>
  t.call('POST', `/v1/api/attachments?${new URLSearchParams({ record_id: record, name })}`, {
    as,
    rawBody,
    headers: { 'content-type': 'application/octet-stream', ...headers },
  })
const content = (id: string, { as = admin(), query = '', headers = {} } = {}) =>
  t.call('GET', `/v1/api/attachments/${id}/content${query}`, { as, headers })
async function keysInStore(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of t.app.services.objects.current.list('attachments/')) keys.push(key)
  return keys
}

test('a file is stored, listed by record, downloaded whole and in part, renamed, deleted and restored', async () => {
  const record = await company()
  const text = 'Grüße, as agreed.\n'.repeat(50)
  const { status, json, text: answer } = await upload(record, 'Angebot Müller.txt', text)
  assert.equal(status, 201, answer)
  const { id, sha256, size_bytes, content_type, uploaded_by } = json.attachment
  assert.deepEqual(
    { sha256, size_bytes, content_type, uploaded_by },
    {
      sha256: createHash('sha256').update(text).digest('hex'),
      size_bytes: Buffer.byteLength(text),
      content_type: 'text/plain',
      uploaded_by: t.main.users.Admin.id,
    },
  )
  const whole = await content(id)
  assert.equal(whole.text, text)
  assert.equal(
    whole.headers['content-disposition'],
    `attachment; filename="Angebot_Mu_ller.txt"; filename*=UTF-8''Angebot%20M%C3%BCller.txt`,
  )
  assert.equal(whole.headers['x-content-type-options'], 'nosniff')
  assert.match(String(whole.headers['content-security-policy']), /sandbox/)
  const part = await content(id, { headers: { range: 'bytes=0-2' } })
  assert.deepEqual([part.status, part.text], [206, 'Gr\ufffd'])
  const listed = await t.call('GET', `/v1/api/attachments?record_id=${record}`, { as: admin() })
  assert.deepEqual(
    listed.json.attachments.map((one: { id: string }) => one.id),
    [id],
  )
  const path = `/v1/api/attachments/${id}`
  const renamed = await t.call('PATCH', path, { as: admin(), body: { name: 'offer.txt' } })
  assert.equal(renamed.json.attachment.name, 'offer.txt')
  assert.equal((await t.call('PATCH', path, { as: admin(), body: { content_type: 'text/html' } })).status, 400)
  await t.call('DELETE', path, { as: admin() })
  assert.equal((await content(id)).status, 404)
  await t.call('POST', `${path}/restore`, { as: admin() })
  assert.equal((await content(id)).text, text)
  await t.call('DELETE', `/v1/api/companies/${record}`, { as: admin() })
  assert.equal((await content(id)).status, 404)
})

test('what a file is, its bytes say; only images and plain texts are shown, and nothing is run', async () => {
  const record = await company()
  const page = await upload(record, 'page.html', '<script>alert(1)</script>')
  const shown = await content(page.json.attachment.id, { query: '?inline=1' })
  assert.equal(shown.headers['content-type'], 'text/plain; charset=utf-8')
  assert.match(String(shown.headers['content-disposition']), /^inline/)
  const misnamed = await upload(record, 'a.png', '%PDF-1.7 …')
  assert.deepEqual([misnamed.status, misnamed.json.details[0].field], [400, 'name'], misnamed.text)
  for (const [type, name, isWrong] of [
    ['image/png', 'A.PNG', false],
    ['text/plain', 'a.png', true],
    ['text/plain', 'a.pdf', true],
    ['application/zip', 'a.txt', true],
    ['application/octet-stream', 'a.csv', false],
    ['application/octet-stream', 'a.docx', true],
    ['text/plain', 'a.html', false],
    ['application/octet-stream', 'constructor', false],
    ['application/octet-stream', 'a.constructor', false],
  ] as const)
    assert.equal(isMisnamed(type, name), isWrong, name)
  const pdf = await upload(record, 'a.PDF', '%PDF-1.7 …')
  assert.equal(pdf.json.attachment.content_type, 'application/pdf')
  const kept = await content(pdf.json.attachment.id, { query: '?inline=1' })
  assert.match(String(kept.headers['content-disposition']), /^attachment/)
  const bytes = (...list: number[]) => Uint8Array.from(list)
  assert.equal(typeOf(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), 'x.txt', false), 'image/png')
  assert.equal(
    typeOf(bytes(0x50, 0x4b, 3, 4), 'Book.XLSX', false),
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  )
  assert.equal(typeOf(bytes(0x50, 0x4b, 3, 4), 'x.html', false), 'application/zip')
  assert.equal(typeOf(bytes(1, 2, 0xff), 'x.html', false), 'application/octet-stream')
  assert.equal(typeOf(Buffer.from('<svg onload="alert(1)"/>'), 'x.svg', true), 'text/plain')
  assert.equal(plainName('../../etc/pass"wd\r\n'), 'etc_pass_wd')
  assert.equal(plainName('報告'), 'file')
})

test('a Sales Executive sees no files of records of others, and another organization none', async () => {
  const executive = t.main.tokens['Sales Executive']
  const foreign = await company(t.main.users.Admin.id)
  const { json } = await upload(foreign, 'secret.txt', 'Secret')
  const before = await keysInStore()
  for (const as of [executive, t.other.tokens.Admin]) {
    assert.equal((await content(json.attachment.id, { as })).status, 404)
    const listed = await t.call('GET', '/v1/api/attachments', { as })
    assert.ok(!listed.text.includes(json.attachment.id))
    assert.equal((await upload(foreign, 'mine.txt', 'Mine', { as })).json.code, 'record_not_found')
  }
  assert.deepEqual(await keysInStore(), before, 'what was refused is not kept')
})

test('a repeat with the same Idempotency-Key puts one file there; one that is empty or too large none', async () => {
  const record = await company()
  const headers = { 'idempotency-key': 'file-1' }
  const first = await upload(record, 'a.txt', 'Once', { headers })
  const stored = await keysInStore()
  const again = await upload(record, 'a.txt', 'Once', { headers })
  assert.equal(again.json.attachment.id, first.json.attachment.id)
  const other = await upload(record, 'a.txt', 'Twice', { headers })
  assert.equal(other.json.code, 'idempotency_mismatch')
  assert.equal((await upload(record, 'b.txt', '')).status, 400)
  assert.equal((await upload(record, 'c.txt', 'x'.repeat(25 * 1024 * 1024 + 1))).json.code, 'payload_too_large')
  assert.deepEqual((await keysInStore()).sort(), stored.sort())
})

test('files that no attachment names are removed once their upload is long over', async () => {
  const record = await company()
  const kept = await upload(record, 'kept.txt', 'Kept')
  const { objects, clock } = t.app.services
  const key = (ms: number) => `attachments/${t.main.liveTenantId}/${newId('obj', ms)}`
  const [old, young] = [key(clock.now() - 2 * 86_400_000), key(clock.now())]
  const bytes = async function* () {
    yield Buffer.from('left')
  }
  await objects.current.put(old, bytes())
  await objects.current.put(young, bytes())
  await sweepAttachments(t.app.services).run()
  const there = await keysInStore()
  assert.deepEqual([there.includes(old), there.includes(young)], [false, true])
  assert.equal((await content(kept.json.attachment.id)).text, 'Kept')
})
