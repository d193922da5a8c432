// Mails that leave by SMTP: what each answer of a server makes of a mail, and that none leaves twice or without a trace.
import assert from 'node:assert/strict'
import { after, afterEach, before, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Sink, startSink } from '../../../../test/smtp_sink.ts'
import { mailTemplate, queueMail } from './index.ts'
import { takeRate } from './sending_store.ts'

const reset = mailTemplate({
  key: 'test_smtp_reset',
  about: 'A template of this test.',
  stream: 'security',
  subject: 'Reset',
  text: 'Open {{ link }}.',
  sample: { link: 'https://example.com/reset#abc' },
})

let t: TestApp
let sink: Sink
before(async () => {
  sink = await startSink()
  t = await startTestApp({
    work: true,
    env: {
      TANDEM_SMTP_URL: sink.url,
      TANDEM_MAIL_PER_MINUTE: '1000000',
      TANDEM_MAIL_FROM: 'Example <office@example.com>',
    },
  })
})
after(async () => {
  await t?.close()
  await sink?.close()
})
afterEach(() => {
  assert.deepEqual(sink.tricks.splice(0), [], 'each trick was met')
  sink.mails.splice(0)
})

const call = (method: string, path: string, body?: unknown, as = t.main.tokens.Admin) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })

async function send(more: object = {}, as?: string): Promise<string> {
  const to = [{ address: 'ada@example.com' }]
  const answer = await call('POST', '/v2/mails', { to, subject: 'Monday', text: 'See you.', ...more }, as)
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data.mailId
}

const read = async (mailId: string, as?: string) => (await call('GET', `/v2/mails/${mailId}`, undefined, as)).json.data
const reaches = async (mailId: string, state: string, attempts = 1, as?: string) =>
  eventually(`${mailId} ${state}`, async () => {
    const mail = await read(mailId, as)
    return mail.state === state && mail.attempts === attempts && mail.attemptLog.at(-1)?.outcome !== null && mail
  })

test('a mail that is taken is sent, from the installation, with what the server said', async () => {
  const mail = await reaches(await send(), 'sent')
  assert.deepEqual(
    [mail.code, mail.transport, mail.from],
    [null, 'installation', { address: 'office@example.com', name: 'Example' }],
  )
  const [attempt] = mail.attemptLog
  assert.deepEqual([attempt.outcome, attempt.replyCode, attempt.host], ['accepted', 250, `127.0.0.1:${sink.port}`])
  const [{ from, to, raw }] = sink.mails as [Sink['mails'][number]]
  assert.deepEqual([from, to], ['office@example.com', ['ada@example.com']])
  const text = raw.toString()
  assert.match(text, /^From: Example <office@example\.com>\r\n/m)
  assert.match(text, new RegExp(`^Message-ID: <${mail.messageId}>\r\n`, 'm'))
  assert.match(text, /^Auto-Submitted: auto-generated\r\n/m)
  assert.doesNotMatch(text, /[^\r]\n/, 'lines end with CR LF')
  assert.equal(mail.sizeBytes, raw.length)
})

test('a blind copy is in the envelope alone', async () => {
  await reaches(await send({ cc: [{ address: 'bob@example.com' }], bcc: [{ address: 'eve@example.com' }] }), 'sent')
  assert.deepEqual(sink.mails[0]?.to, ['ada@example.com', 'bob@example.com', 'eve@example.com'])
  assert.doesNotMatch(sink.mails[0]?.raw.toString() ?? '', /eve@example/)
})

test('4yz puts it off by a minute, then it is sent once', async () => {
  sink.tricks.push({ data: '451 4.7.1 come back later' })
  const mailId = await send()
  const put = await reaches(mailId, 'queued')
  assert.deepEqual(
    [put.code, put.attemptLog[0].outcome, put.attemptLog[0].replyCode],
    ['mail_deferred', 'deferred', 451],
  )
  const [{ seconds }] = (await t.ownerSql<{ seconds: number }>(
    'select extract(epoch from due_at - now())::float8 as seconds from mail_jobs where mail_id = $1',
    [mailId],
  )) as [{ seconds: number }]
  assert.ok(seconds > 50 && seconds <= 60, String(seconds))
  await t.ownerSql('update mail_jobs set due_at = now() where mail_id = $1', [mailId])
  await reaches(mailId, 'sent', 2)
  assert.equal(sink.mails.length, 1)
})

test('5yz ends it, with the reply', async () => {
  sink.tricks.push({ data: '554 5.7.1 no thanks' })
  const mail = await reaches(await send(), 'failed')
  assert.deepEqual(
    [mail.code, mail.attemptLog[0].replyCode, mail.attemptLog[0].outcome],
    ['mail_refused', 554, 'refused'],
  )
  assert.match(mail.attemptLog[0].reply, /no thanks/)
})

test('a recipient that is refused alone is rejected alone, and a retry of others does not repeat it', async () => {
  sink.tricks.push({ rcpt: '550 5.1.1 nobody here', of: 'bob' })
  const mail = await reaches(await send({ cc: [{ address: 'bob@example.com' }] }), 'sent')
  assert.deepEqual([mail.to[0].outcome, mail.cc[0].outcome, mail.cc[0].code], ['accepted', 'rejected', 'mail_refused'])
  assert.deepEqual(sink.mails[0]?.to, ['ada@example.com'])
  sink.tricks.push({ rcpt: '550 5.1.1 nobody here', of: '@' })
  assert.equal((await reaches(await send(), 'failed')).code, 'mail_refused')
})

test('cut off after the mail it is unconfirmed, not repeated by itself, and the same mail when a person repeats it', async () => {
  sink.tricks.push('cut_after_data')
  const mailId = await send()
  const mail = await reaches(mailId, 'unconfirmed')
  assert.deepEqual([mail.code, mail.attemptLog[0].outcome], ['mail_unconfirmed', 'unconfirmed'])
  assert.deepEqual(await t.ownerSql('select from mail_jobs where mail_id = $1', [mailId]), [])
  await call('POST', `/v2/mails/${mailId}/retry`)
  await reaches(mailId, 'sent', 2)
  const ids = sink.mails.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw.toString())?.[1])
  assert.equal(ids.length, 2)
  assert.equal(new Set(ids).size, 1)
})

test('cut off in the mail it is unconfirmed, before the mail it is put off', async () => {
  sink.tricks.push('cut_in_data')
  await reaches(await send(), 'unconfirmed')
  sink.tricks.push('cut_before_data')
  assert.equal((await reaches(await send(), 'queued')).attemptLog[0].outcome, 'deferred')
  assert.equal(sink.mails.length, 0)
})

test('a late answer is waited for', async () => {
  sink.tricks.push({ lateMs: 1_500 })
  await reaches(await send(), 'sent')
  assert.equal(sink.mails.length, 1)
})

test('the words of a mail that opens something are gone when it left; it expires after half an hour', async () => {
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const queue = () =>
    t.app.services.db.inTenant(scope, tx =>
      queueMail(tx, scope, { template: reset, to: 'ada@example.com', data: reset.sample }),
    )
  const mail = await reaches((await queue()).mailId, 'sent')
  assert.deepEqual([mail.text, mail.html], [null, null])
  assert.match(sink.mails[0]?.raw.toString() ?? '', /reset#abc/)
  assert.equal((await call('POST', `/v2/mails/${mail.mailId}/retry`)).json.error.code, 'mail_not_repeatable')
  sink.tricks.push({ data: '451 later' })
  const late = (await queue()).mailId
  await reaches(late, 'queued')
  await t.ownerSql("update mails set expires_at = now() - interval '1 second' where id = $1", [late])
  await t.ownerSql('update mail_jobs set due_at = now() where mail_id = $1', [late])
  assert.equal((await reaches(late, 'expired')).code, 'mail_expired')
  assert.equal(sink.mails.length, 1)
})

test('suppressed recipients get nothing; a mail with no other is not sent', async () => {
  const body = { address: 'Bob@example.com', note: 'asked' }
  assert.equal((await call('POST', '/v2/mail/suppressions', body)).status, 201)
  assert.equal((await call('POST', '/v2/mail/suppressions', body)).json.error.code, 'mail_suppression_exists')
  const mail = await reaches(await send({ cc: [{ address: 'bob@Example.com' }] }), 'sent')
  assert.deepEqual([sink.mails[0]?.to, mail.cc[0].outcome], [['ada@example.com'], 'suppressed'])
  const alone = await reaches(await send({ to: [{ address: 'bob@example.com' }] }), 'suppressed', 0).catch(
    error => error,
  )
  assert.equal(alone.code, 'mail_suppressed')
  assert.equal(sink.mails.length, 1)
})

test('many mails go over few connections, each once', async () => {
  const before = sink.connections()
  const ids = await Promise.all(Array.from({ length: 40 }, () => send()))
  for (const id of ids)
    await reaches(id, 'sent').catch(async error => {
      const mail = await read(id)
      throw new Error(
        `${error.message}: ${mail.state} ${mail.code} ${JSON.stringify(mail.attemptLog)} ${JSON.stringify(await t.ownerSql('select *, now() from mail_jobs'))}`,
      )
    })
  assert.equal(new Set(sink.mails.map(({ raw }) => /^Message-ID: (.*)\r$/m.exec(raw.toString())?.[1])).size, 40)
  assert.equal(sink.mails.length, 40)
  assert.ok(sink.connections() - before <= 5, String(sink.connections() - before))
})

test('the test mode speaks to no server', async () => {
  const before = sink.connections()
  const mail = await reaches(await send({}, t.main.testKey), 'sent', 1, t.main.testKey)
  assert.deepEqual([mail.transport, mail.code], ['outbox', 'kept_in_outbox'])
  assert.equal(sink.connections(), before)
})

test('what may leave in a minute leaves, the rest waits', async () => {
  const [{ tenantId }] = [{ tenantId: t.other.liveTenantId }]
  await t.ownerSql(
    `insert into mail_rates (tenant_id, is_urgent, minute, minute_count, day, day_count)
     values ($1, false, date_trunc('minute', now()), 999999, (now() at time zone 'UTC')::date, 5)`,
    [tenantId],
  )
  const as = t.other.tokens.Admin
  const ids = [
    await send({ scheduledAt: new Date(t.clock.now() + 400).toISOString() }, as),
    await send({ scheduledAt: new Date(t.clock.now() + 400).toISOString() }, as),
  ]
  const states = await eventually('one of two', async () => {
    const mails = await Promise.all(ids.map(id => read(id, as)))
    return mails.some(mail => mail.state === 'sent') && mails.map(mail => mail.state).sort()
  })
  assert.ok(states.join() === 'queued,sent' || new Date().getUTCSeconds() < 3, states.join())
  const scope = { tenantId, organizationId: t.other.organizationId }
  const { mailId } = await t.app.services.db.inTenant(scope, tx =>
    queueMail(tx, scope, { template: reset, to: 'ada@example.com', data: reset.sample }),
  )
  await reaches(mailId, 'sent', 1, as)
})

test('a minute that has begun does not begin again for one who read the clock before it', async () => {
  const scope = { tenantId: t.other.testTenantId, organizationId: t.other.organizationId }
  const minuteMs = Date.UTC(2026, 10, 30)
  const take = (wanted: number, nowMs: number) =>
    t.app.services.db.inTenant(scope, tx =>
      takeRate(tx, scope, { isUrgent: false, wanted, perMinute: 2, perDay: 9, nowMs }),
    )
  const [before, within] = [minuteMs - 1, minuteMs + 1]
  assert.deepEqual(
    [await take(2, before), await take(2, within), await take(2, before), await take(2, within)],
    [2, 2, 0, 0],
  )
  assert.equal(await take(9, minuteMs + 60_000), 2)
  assert.deepEqual(
    await t.ownerSql('select day::text, day_count from mail_rates where tenant_id = $1', [scope.tenantId]),
    [{ day: '2026-11-30', day_count: 4 }],
  )
  // A clock that was hours ahead and is right again holds nothing back.
  assert.equal(await take(1, minuteMs - 7_200_000), 1)
})

test('a mail whose worker died is unconfirmed and never repeated; one for the outbox is kept after all', async () => {
  const abandon = async (mailId: string, transport: string) => {
    await t.ownerSql("update mails set state = 'sending', attempts = 1, transport = $2 where id = $1", [
      mailId,
      transport,
    ])
    await t.ownerSql(
      'insert into mail_attempts (tenant_id, mail_id, number, transport, started_at) select tenant_id, id, 1, transport, now() from mails where id = $1',
      [mailId],
    )
    await t.ownerSql("update mail_jobs set lease_token = 'lse_of_the_dead', due_at = now() where mail_id = $1", [
      mailId,
    ])
  }
  const scheduledAt = new Date(t.clock.now() + 600_000).toISOString()
  const lost = await send({ scheduledAt })
  await abandon(lost, 'installation')
  const mail = await reaches(lost, 'unconfirmed')
  assert.deepEqual([mail.code, mail.attemptLog[0].outcome], ['mail_unconfirmed', 'unconfirmed'])
  assert.deepEqual(await t.ownerSql('select from mail_jobs where mail_id = $1', [lost]), [])
  assert.equal(sink.mails.length, 0)
  const kept = await send({ scheduledAt }, t.main.testKey)
  await abandon(kept, 'outbox')
  await eventually('it is kept', async () => (await read(kept, t.main.testKey)).state === 'sent')
})
