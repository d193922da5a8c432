// The link of marketing mails: one POST takes their recipient off the list, at once and without a login; a look changes nothing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../test/harness.ts'
import { type Sink, startSink } from '../../test/smtp_sink.ts'

let t: TestApp
let sink: Sink
before(async () => {
  sink = await startSink()
  const env = { TANDEM_PUBLIC_URL: 'https://tandem.example.com', TANDEM_SMTP_URL: sink.url }
  t = await startTestApp({ work: true, env })
})
after(async () => {
  await t?.close()
  await sink?.close()
})

const as = () => t.main.tokens.Admin

async function offer(stream = 'marketing') {
  const body = { to: [{ address: 'Ada@example.com' }], subject: 'Offer', text: 'Buy.', stream }
  const { json } = await t.call('POST', '/v2/mails', { as: as(), body })
  return eventually('an end', async () => {
    const mail = (await t.call('GET', `/v2/mails/${json.data.mailId}`, { as: as() })).json.data
    return !['queued', 'sending'].includes(mail.state) && mail
  })
}

test('one click takes a recipient off the list of marketing mails, and of no others', async () => {
  assert.equal((await offer()).state, 'sent')
  const head = sink.mails[0]!.raw.toString().replaceAll(/\r\n[ \t]+/g, ' ')
  const path = /^List-Unsubscribe: <https:\/\/tandem\.example\.com(\/u\/[^>]+)>\r$/m.exec(head)?.[1] as string
  const look = await t.call('GET', path)
  assert.equal(look.status, 200)
  assert.match(look.text, /Ada@example\.com gets no more mails of this kind from Example Company/)
  assert.match(String(look.headers['content-security-policy']), /default-src 'none'/)
  assert.equal((await offer()).state, 'sent', 'a look changes nothing')

  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const click = () => t.call('POST', path, { rawBody: 'List-Unsubscribe=One-Click', headers })
  assert.deepEqual([(await click()).status, (await click()).status], [200, 200])
  assert.equal((await offer()).state, 'suppressed')
  assert.equal((await offer('transactional')).state, 'sent')
  const { data } = (await t.call('GET', '/v2/mail/suppressions?address=ada@example.com', { as: as() })).json
  assert.deepEqual(
    data.map((one: { reason: string; stream: string }) => [one.reason, one.stream]),
    [['unsubscribe', 'marketing']],
  )
  const events = await t.sql("select from event_log where type = 'mail.unsubscribed'")
  assert.equal(events.length, 1)
})

test('a link that somebody made up does nothing', async () => {
  await offer('transactional')
  const mail = (await offer('transactional')).mailId
  for (const token of [
    'x',
    `${t.main.liveTenantId}.${t.main.organizationId}.${mail}.00000000000000000000`,
    `1.1.${mail}`,
  ]) {
    assert.equal((await t.call('GET', `/u/${token}`)).status, 404)
    assert.equal(
      (await t.call('POST', `/u/${token}`, { rawBody: '', headers: { 'content-type': 'text/plain' } })).status,
      404,
    )
  }
})
