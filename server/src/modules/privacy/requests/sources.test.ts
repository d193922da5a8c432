// A person who is erased is in no source of a mail that others wrote: not as a recipient, nor in encoded words or files. What is left of the
// mail says so, and keeps the files of others.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { askPrivacy, finishPrivacy, workPrivacy } from '../../../../test/privacy.ts'
import { sweepInboundMails } from '../../mail/inbound/index.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const ada = 'ada@engines.example'
const as = () => t.main.tokens.Admin
let received = 0
async function receive(head: string, body = 'See below.\r\n'): Promise<string> {
  const rawBody = `Message-ID: <${++received}@office.example>\r\nFrom: Bob <bob@office.example>\r\nTo: sales@example.com\r\n${head}\r\n\r\n${body}`
  const headers = { 'content-type': 'message/rfc822' }
  const { text, json } = await t.call('POST', '/v2/mail/inbound', { as: as(), headers, rawBody })
  assert.ok(json.data.received?.length > 0, text)
  return json.data.received[0].inboundId
}
const read = async (id: string, path = 'source') => t.call('GET', `/v2/mail/inbound/${id}/${path}`, { as: as() })
const filesWith = async (needle: string): Promise<string[]> => {
  const found: string[] = []
  for await (const { key } of t.app.services.objects.current.list()) {
    const bytes = Buffer.concat(await Array.fromAsync(await t.app.services.objects.current.read(key)))
    if (bytes.includes(needle)) found.push(key)
  }
  return found
}
const part = (name: string, type: string, content: string) =>
  `--b\r\nContent-Type: ${type}\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(content).toString('base64')}\r\n`

test('mails of others in which the person is named lose their source, and nothing else', async () => {
  const encoded = Buffer.from(`Ask ${ada} about it.`).toString('base64')
  const ids = {
    copied: await receive(`Cc: Ada <${ada}>\r\nSubject: Copied`),
    encoded: await receive('Subject: Encoded\r\nContent-Transfer-Encoding: base64', encoded),
    withFiles: await receive(
      'Subject: Files\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b',
      `--b\r\n\r\nTwo files.\r\n${part('people.csv', 'text/csv', `Ada,${ada}`)}${part('offer.txt', 'text/plain', 'An offer for Bob.')}--b--\r\n`,
    ),
    ofOthers: await receive('Cc: grace@ships.example\r\nSubject: Others'),
  }
  const before = (await read(ids.ofOthers)).text
  const { json } = await askPrivacy(t, { kind: 'erasure', email: ada, confirm: ada })
  const id = json.data.privacyRequestId
  // It stops after each piece of this, and goes on there.
  await workPrivacy(t, 1)
  await t.ownerSql("update privacy_requests set step = 'import_files' where id = $1", [id])
  for (let round = 0; round < 12; round++) await workPrivacy(t, 1)
  const done = await finishPrivacy(t, id)
  assert.equal(done.state, 'completed', JSON.stringify(done))
  assert.equal(done.done.find((one: { what: string }) => one.what === 'mail_sources')?.count, 3, JSON.stringify(done))
  for (const one of [ids.copied, ids.encoded, ids.withFiles]) {
    const { status, text } = await read(one)
    assert.equal(status, 200)
    assert.match(text, /The source of this mail was removed/)
    assert.match(text, /^From: Bob <bob@office\.example>/m)
  }
  assert.equal((await read(ids.ofOthers)).text, before)
  assert.deepEqual([...(await filesWith(ada)), ...(await filesWith(encoded))], [])
  assert.match((await read(ids.withFiles, 'attachments/1')).text, /This file was removed/)
  assert.equal((await read(ids.withFiles, 'attachments/2')).text, 'An offer for Bob.')
  const marked = await t.ownerSql('select id from inbound_mails where source_erased_at is not null order by id')
  assert.equal(marked.length, 3)
})

test('a source that took the place of another is a mail like others to what looks after the store', async () => {
  const before = (await Array.fromAsync(t.app.services.objects.current.list('inbound_mails/'))).length
  t.clock.advance(3 * 86_400_000)
  await sweepInboundMails(t.app.services).run()
  assert.equal((await Array.fromAsync(t.app.services.objects.current.list('inbound_mails/'))).length, before)
  assert.equal(before, 4)
})
