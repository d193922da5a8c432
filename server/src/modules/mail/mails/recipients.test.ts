// What becomes of a mail with several recipients: each is tried again or given up by itself, and none gets it twice.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Sink, startSink } from '../../../../test/smtp_sink.ts'

let t: TestApp
let sink: Sink
before(async () => {
  sink = await startSink({ size: 20_000 })
  const env = { TANDEM_SMTP_URL: sink.url, TANDEM_MAIL_PER_MINUTE: '1000000', TANDEM_MAIL_FROM: 'office@example.com' }
  t = await startTestApp({ work: true, env })
})
after(async () => {
  await t?.close()
  await sink?.close()
})
afterEach(() => {
  assert.deepEqual(sink.tricks.splice(0), [], 'each trick was met')
  sink.mails.splice(0)
})

const call = (method: string, path: string, body?: unknown) =>
  t.call(method, path, { as: t.main.tokens.Admin, ...(body === undefined ? {} : { body }) })
let made = 0
async function send(text = 'See you.') {
  const n = ++made
  const [ada, bob] = [`ada${n}@example.com`, `bob${n}@example.com`]
  const to = [{ address: ada }, { address: bob }]
  const { status, json, text: said } = await call('POST', '/v2/mails', { to, subject: 'Monday', text })
  assert.equal(status, 201, said)
  return { mailId: json.data.mailId as string, ada, bob }
}
const reaches = (mailId: string, state: string, attempts: number) =>
  eventually(`${mailId} ${state}`, async () => {
    const mail = (await call('GET', `/v2/mails/${mailId}`)).json.data
    const isOver = mail.attemptLog.at(-1)?.outcome !== null
    return mail.state === state && mail.attempts === attempts && isOver && mail
  })
const outcomes = (mail: { to: { outcome: string | null }[] }) => mail.to.map(one => one.outcome)
const sentTo = () => sink.mails.map(({ to }) => to)
const due = (mailId: string) => t.ownerSql('update mail_jobs set due_at = now() where mail_id = $1', [mailId])
const events = async (mailId: string) =>
  (await t.ownerSql('select type from event_log where resource_id = $1 order by sequence', [mailId])).map(
    row => row['type'],
  )
const greylisted = { rcpt: '450 4.2.0 greylisted', of: 'bob' }

test('one who is greylisted is tried again, alone, until the mail is sent', async () => {
  sink.tricks.push(greylisted)
  const { mailId, ada, bob } = await send()
  const waits = await reaches(mailId, 'queued', 1)
  assert.deepEqual(
    [outcomes(waits), waits.to[1].code, waits.code],
    [['accepted', null], 'mail_deferred', 'mail_deferred'],
  )
  assert.match(waits.to[1].reply, /greylisted/)
  sink.tricks.push(greylisted)
  await due(mailId)
  assert.deepEqual(outcomes(await reaches(mailId, 'queued', 2)), ['accepted', null])
  await due(mailId)
  const mail = await reaches(mailId, 'sent', 3)
  assert.deepEqual([outcomes(mail), mail.to[1].code, mail.code], [['accepted', 'accepted'], null, null])
  assert.deepEqual(sentTo(), [[ada], [bob]])
  assert.deepEqual(await events(mailId), ['mail.queued', 'mail.sent'])
})

test('one who is refused at last is rejected alone: the mail is sent', async () => {
  sink.tricks.push(greylisted)
  const { mailId, ada } = await send()
  await reaches(mailId, 'queued', 1)
  sink.tricks.push({ data: '554 5.7.1 no thanks' })
  await due(mailId)
  const mail = await reaches(mailId, 'sent', 2)
  assert.deepEqual([outcomes(mail), mail.to[1].code, mail.code], [['accepted', 'rejected'], 'mail_refused', null])
  assert.deepEqual(sentTo(), [[ada]])
})

test('what comes back of one while the other waits counts, and this one is not written to again', async () => {
  sink.tricks.push(greylisted)
  const { mailId, ada, bob } = await send()
  const { messageId } = await reaches(mailId, 'queued', 1)
  const report = [
    'From: MAILER-DAEMON@x.example\r\nSubject: Undelivered\r\nMIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n',
    `Reporting-MTA: dns; x.example\r\n\r\nFinal-Recipient: rfc822; ${ada}\r\nAction: failed\r\nStatus: 5.1.1\r\n`,
    `--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <${messageId}>\r\n\r\n--b--\r\n`,
  ].join('\r\n')
  const headers = { 'content-type': 'message/rfc822' }
  const taken = await t.call('POST', '/v2/mail/inbound', { as: t.main.tokens.Admin, headers, rawBody: report })
  assert.deepEqual(taken.json.data.recipients, [
    { address: ada, outcome: 'bounced', status: '5.1.1', isSuppressed: true },
  ])
  await due(mailId)
  assert.deepEqual(outcomes(await reaches(mailId, 'sent', 2)), ['bounced', 'accepted'])
  assert.deepEqual(sentTo(), [[ada], [bob]])
})

test('sent again it goes to nobody who has it, and to nobody who is suppressed', async () => {
  const { mailId, ada, bob } = await send()
  await reaches(mailId, 'sent', 1)
  const give = (address: string, outcome: string) =>
    t.ownerSql('update mail_recipients set outcome = $3 where mail_id = $1 and address = $2', [
      mailId,
      address,
      outcome,
    ])
  const bounced = async () => {
    await give(ada, 'delivered')
    await give(bob, 'bounced')
    await t.ownerSql("update mails set state = 'bounced' where id = $1", [mailId])
  }
  await bounced()
  assert.equal((await call('POST', `/v2/mails/${mailId}/retry`)).status, 200)
  assert.deepEqual(outcomes(await reaches(mailId, 'sent', 2)), ['delivered', 'accepted'])
  assert.deepEqual(sentTo(), [[ada, bob], [bob]])
  await bounced()
  assert.equal((await call('POST', '/v2/mail/suppressions', { address: bob })).status, 201)
  assert.equal((await call('POST', `/v2/mails/${mailId}/retry`)).status, 200)
  assert.equal((await reaches(mailId, 'suppressed', 2)).code, 'mail_suppressed')
  assert.equal(sink.mails.length, 2)
})

test('a mail larger than the server takes is refused at once, with a code that says so', async () => {
  const { mailId } = await send('x'.repeat(30_000))
  const mail = await reaches(mailId, 'failed', 1)
  assert.deepEqual([mail.code, mail.attemptLog[0].outcome], ['mail_too_large', 'refused'])
  assert.match(mail.attemptLog[0].reply, /larger than allowed 20000/)
})
