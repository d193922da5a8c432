// Bounces and complaints as servers write them: what they make of a mail and its recipients, and who gets no more mail.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Sink, startSink } from '../../../../test/smtp_sink.ts'
import { returnPath } from './marks.ts'
import { readReport } from './report.ts'

let t: TestApp
let sink: Sink
before(async () => {
  sink = await startSink()
  const env = { TANDEM_SMTP_URL: sink.url, TANDEM_MAIL_PER_MINUTE: '1000000', TANDEM_MAIL_FROM: 'office@example.com' }
  t = await startTestApp({ work: true, env })
})
after(async () => {
  await t?.close()
  await sink?.close()
})

type Known = { mailId: string; messageId: string; address: string }
const call = (method: string, path: string, body?: unknown, as = t.main.tokens.Admin) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })
const read = async (mailId: string) => (await call('GET', `/v2/mails/${mailId}`)).json.data

let made = 0
async function sent(...more: string[]): Promise<Known> {
  const address = `ada${++made}@example.com`
  const to = [address, ...more].map(one => ({ address: one }))
  const { json } = await call('POST', '/v2/mails', { to, subject: 'Monday', text: 'See you.' })
  const { mailId } = json.data
  const mail = await eventually('it is sent', async () => {
    const now = await read(mailId)
    return now.state === 'sent' && now
  })
  return { mailId, messageId: mail.messageId, address }
}

function sample(name: string, known: Partial<Known> & { returnPath?: string; feedback?: string }): string {
  const values = { returnPath: 'office@example.com', feedback: 'abuse', mailId: '', ...known } as Record<string, string>
  const text = readFileSync(join(import.meta.dirname, 'samples', `${name}.eml`), 'utf8')
  return text.replace(/\{\{(\w+)\}\}/g, (_, key) => values[key] ?? '').replaceAll('\n', '\r\n')
}

async function handIn(text: string, { as = t.main.tokens.Admin, query = '' } = {}) {
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await t.call('POST', `/v2/mail/inbound${query}`, { as, headers, rawBody: text })
  return answer
}
const suppressionOf = async (address: string) =>
  (await call('GET', `/v2/mail/suppressions?address=${address}`)).json.data[0]

for (const [name, status] of [
  ['postfix', '5.1.1'],
  ['exchange', '5.1.10'],
  ['qmail', '5.1.1'],
] as const)
  test(`${name}: an address that takes no mail bounces and is suppressed, once`, async () => {
    const known = await sent()
    const text = sample(name, known)
    const first = await handIn(text)
    assert.equal(first.status, 200, first.text)
    const change = { address: known.address, outcome: 'bounced', status, isSuppressed: true }
    assert.deepEqual(first.json.data, { kind: 'delivery', received: [], mailId: known.mailId, recipients: [change] })
    const again = await handIn(text)
    assert.deepEqual(again.json.data, { kind: 'delivery', received: [], mailId: known.mailId, recipients: [] })
    const mail = await read(known.mailId)
    assert.deepEqual([mail.state, mail.code, mail.to[0].outcome], ['bounced', 'mail_bounced', 'bounced'])
    assert.match(mail.to[0].reply, /550/)
    assert.deepEqual(
      mail.history.map((one: { state: string }) => one.state),
      ['queued', 'sent', 'bounced'],
    )
    const entry = await suppressionOf(known.address)
    assert.deepEqual([entry.reason, entry.mailId, entry.stream], ['hard_bounce', known.mailId, null])
  })

test('the return path names the mail where nothing else does, and only with its mark', async () => {
  const known = await sent()
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const path = returnPath(t.app.services.keyring, scope, known.mailId, 'bounce.example.com')
  const forged = path.replace(/[0-9a-f]@/, digit => (digit === '0@' ? '1@' : '0@'))
  const nameless = { address: known.address, messageId: 'unknown@example.org' }
  const asked = (recipient: string) => `?recipient=${encodeURIComponent(recipient)}`
  assert.equal((await handIn(sample('exchange', nameless), { query: asked(forged) })).json.data.mailId, null)
  assert.equal((await handIn(sample('postfix', { ...nameless, returnPath: forged }))).json.data.mailId, null)
  assert.equal((await read(known.mailId)).state, 'sent')
  const answer = await handIn(sample('exchange', nameless), { query: asked(path) })
  assert.equal(answer.json.data.mailId, known.mailId)
  const other = await sent()
  const ours = returnPath(t.app.services.keyring, scope, other.mailId, 'bounce.example.com')
  const found = await handIn(sample('postfix', { ...nameless, address: other.address, returnPath: ours }))
  assert.equal(found.json.data.mailId, other.mailId)
})

test('gmail: what may pass bounces without an end; five in seven days are one', async () => {
  const known = await sent()
  const bounce = async (one: Known) => (await handIn(sample('gmail', one))).json.data.recipients[0]
  for (let n = 1; n <= 5; n++) {
    const { json } = await call('POST', '/v2/mails', {
      to: [{ address: known.address }],
      subject: 'Monday',
      text: 'See you.',
    })
    const mail = await eventually('it is sent', async () => {
      const now = await read(json.data.mailId)
      return now.state === 'sent' && now
    })
    const change = await bounce({ ...known, mailId: mail.mailId, messageId: mail.messageId })
    assert.deepEqual([change.outcome, change.status, change.isSuppressed], ['bounced', '4.4.1', n === 5])
    assert.equal((await read(mail.mailId)).code, 'mail_bounced_for_now')
    // Those of a week ago count no more.
    if (n === 1) assert.equal((await read(known.mailId)).state, 'sent')
  }
  assert.match((await suppressionOf(known.address)).note, /^5 mails came back within 7 days/)
})

test('soft bounces of more than a week ago do not count', async () => {
  const known = await sent()
  await t.ownerSql(
    `insert into mails (tenant_id, id, stream, state, subject, expires_at, created_at, updated_at)
     select tenant_id, overlay(id placing lpad(n::text, 4, '0') from length(id) - 3), stream, 'bounced', subject, expires_at, created_at - interval '8 days', updated_at - interval '8 days'
     from mails, generate_series(1, 4) n where id = $1`,
    [known.mailId],
  )
  await t.ownerSql(
    `insert into mail_recipients (tenant_id, mail_id, place, kind, address, compared, outcome, code)
     select tenant_id, id, 1, 'to', $1, $1, 'bounced', 'mail_bounced_for_now' from mails where state = 'bounced' and created_at < now() - interval '7 days'`,
    [known.address],
  )
  const { recipients } = (await handIn(sample('gmail', known))).json.data
  assert.equal(recipients[0].isSuppressed, false)
})

test('of several recipients the one that bounced is suppressed; the others are not', async () => {
  const bob = `bob${++made}@example.com`
  const known = await sent(bob)
  await handIn(sample('postfix', known))
  const mail = await read(known.mailId)
  assert.deepEqual(
    [mail.state, ...mail.to.map((one: { outcome: string }) => one.outcome)],
    ['bounced', 'bounced', 'accepted'],
  )
  assert.equal(await suppressionOf(bob), undefined)
  const stranger = sample('exchange', { ...known, address: 'mallory@example.org' })
  assert.deepEqual((await handIn(stranger)).json.data.recipients, [])
  assert.equal(await suppressionOf('mallory@example.org'), undefined)
})

test('delivered is said when all have it; late is no end; a bounce afterwards counts', async () => {
  const bob = `bob${++made}@example.com`
  const known = await sent(bob)
  const delivered = (address: string) =>
    sample('postfix', { ...known, address })
      .replace('Action: failed', 'Action: delivered')
      .replace('5.1.1', '2.0.0')
  await handIn(sample('postfix', known).replace('Action: failed', 'Action: delayed'))
  assert.equal((await read(known.mailId)).to[0].outcome, 'accepted')
  await handIn(delivered(known.address))
  assert.equal((await read(known.mailId)).state, 'sent')
  await handIn(delivered(bob))
  assert.equal((await read(known.mailId)).state, 'delivered')
  await handIn(sample('postfix', known))
  assert.equal((await read(known.mailId)).state, 'bounced')
})

test('a complaint stops all mail that opens nothing; what is no complaint stops none', async () => {
  const known = await sent()
  assert.deepEqual((await handIn(sample('complaint', { ...known, feedback: 'not-spam' }))).json.data.recipients, [])
  const answer = await handIn(sample('complaint', known))
  assert.deepEqual(answer.json.data.recipients, [
    { address: known.address, outcome: 'complained', status: null, isSuppressed: true },
  ])
  assert.equal((await read(known.mailId)).state, 'complained')
  assert.equal((await suppressionOf(known.address)).reason, 'complaint')
})

test('mails of others stay as they are, and who may not hand in is refused', async () => {
  const known = await sent()
  const foreign = await handIn(sample('postfix', known), { as: t.other.tokens.Admin })
  assert.equal(foreign.json.data.mailId, null)
  assert.equal((await handIn(sample('postfix', known), { as: t.main.tokens['Sales Executive'] })).status, 403)
  assert.equal((await read(known.mailId)).state, 'sent')
})

test('bytes of reports are not kept', async () => {
  await handIn(sample('postfix', await sent()))
  const { liveTenantId } = t.main
  assert.deepEqual(await Array.fromAsync(t.app.services.objects.current.list(`inbound_mails/${liveTenantId}/`)), [])
})

test('NUL in what a report says, and an id that no index could hold, are no fault of the server', async () => {
  const known = await sent()
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  const part = (type: string, text: string) =>
    `--b\r\nContent-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(text)}\r\n`
  const status = `Reporting-MTA: dns; x.example\n\nFinal-Recipient: rfc822; ${known.address}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 gone\0 away`
  const report = (messageId: string, head = '') =>
    [
      `From: MAILER-DAEMON@x.example\r\nSubject: Undelivered ${messageId.length}\r\n${head}MIME-Version: 1.0`,
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n',
      part('message/delivery-status', status),
      part('text/rfc822-headers', `Message-ID: <${messageId}>\n\n`),
      '--b--\r\n',
    ].join('\r\n')
  const strange = await handIn(report('a\0b@x'))
  assert.deepEqual([strange.status, strange.json.data.mailId], [200, null], strange.text)
  assert.equal((await handIn(report(`${'漢'.repeat(890)}@x`))).status, 200)
  assert.equal((await handIn(report(known.messageId))).json.data.mailId, known.mailId)
  assert.equal((await read(known.mailId)).to[0].reply, '550 gone away')
})

test('torn and senseless reports are read without harm', async () => {
  const whole = sample('postfix', { address: 'ada@example.com', messageId: 'x@example.com' })
  for (let end = 0; end < whole.length; end += 37) await readReport(Buffer.from(whole.slice(0, end)))
  for (let n = 0; n < 200; n++) {
    const bytes = Buffer.from(whole)
    for (let k = 0; k < 8; k++) bytes[(n * 7_919 + k * 104_729) % bytes.length] = (n * 31 + k * 17) % 256
    await readReport(bytes)
  }
})
