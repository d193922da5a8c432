// Mails that stay: written in the transaction of what they are about, kept in the outbox, read like in a mail program, taken back and
// sent again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { mailTemplate, queueMail } from './index.ts'

const welcome = mailTemplate({
  key: 'test_welcome',
  about: 'A template of this test.',
  stream: 'security',
  subject: 'Welcome, {{ name }}',
  text: 'Dear {{ name }},\n\nopen https://example.com/reset#{{ code }}.\n\n{{ organization.name }}',
  sample: { name: 'Ada', code: 'abc' },
})

let t: TestApp
before(async () => {
  t = await startTestApp({ work: true })
})
after(() => t?.close())

const call = (method: string, path: string, body?: unknown, as = t.main.tokens.Admin) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })

const scope = () => ({ tenantId: t.main.liveTenantId, organizationId: t.main.organizationId })
const queue = (mail: Parameters<typeof queueMail>[2]) =>
  t.app.services.db.inTenant(scope(), tx => queueMail(tx, scope(), mail))

const sent = (mailId: string, as?: string) =>
  eventually(`the mail ${mailId}`, async () => {
    const { json } = await call('GET', `/v2/mails/${mailId}`, undefined, as)
    return json.data?.state === 'sent' && json.data
  })

const later = () => new Date(t.clock.now() + 3_600_000).toISOString()
const plain = {
  to: [{ address: 'ada@example.com', name: 'Ada Park' }],
  subject: 'Monday',
  text: 'See you.\n\n<b>Ada</b>',
}

test('a mail of a template is kept in the outbox, with its words, one attempt and its history', async () => {
  const { mailId } = await queue({ template: welcome, to: 'ada@example.com', data: { name: 'Ada <b>', code: 'x&y' } })
  const mail = await sent(mailId)
  assert.equal(mail.subject, 'Welcome, Ada <b>')
  assert.match(mail.text, /^Dear Ada <b>,\n\nopen https:\/\/example\.com\/reset#x&y\.\n\nExample Company$/)
  assert.match(mail.html, /<p>Dear Ada &lt;b&gt;,<\/p>/)
  assert.match(mail.html, /<a href="https:\/\/example\.com\/reset#x&amp;y">/)
  assert.deepEqual([mail.code, mail.transport, mail.attempts], ['kept_in_outbox', 'outbox', 1])
  assert.deepEqual(mail.to, [{ address: 'ada@example.com', name: null, outcome: 'accepted', code: null, reply: null }])
  assert.deepEqual(
    mail.attemptLog.map((one: { outcome: string }) => one.outcome),
    ['kept'],
  )
  assert.deepEqual(
    mail.history.map((one: { state: string }) => one.state),
    ['queued', 'sent'],
  )
  assert.match(mail.messageId, new RegExp(`^${mailId}@`))
})

test('it is there with its transaction and not without it', async () => {
  const { db } = t.app.services
  await assert.rejects(
    db.inTenant(scope(), async tx => {
      await queueMail(tx, scope(), { template: welcome, to: 'gone@example.com', data: welcome.sample })
      throw new Error('no')
    }),
    /no/,
  )
  assert.deepEqual((await call('GET', '/v2/mails?to=gone@example.com')).json.data, [])
})

test('of one dedupe key there is one mail, also when two ask at once', async () => {
  const mail = { template: welcome, to: 'ada@example.com', data: welcome.sample, dedupeKey: 'once' }
  const made = await Promise.all([queue(mail), queue(mail), queue(mail)])
  assert.equal(new Set(made.map(({ mailId }) => mailId)).size, 1)
})

test('what opens something is seen with mail:manage alone, and others see what they had sent', async () => {
  const { mailId } = await queue({ template: welcome, to: 'ada@example.com', data: welcome.sample })
  const { tokens } = t.main
  assert.equal((await call('GET', `/v2/mails/${mailId}`, undefined, tokens['Sales Manager'])).status, 404)
  const own = (await call('POST', '/v2/mails', plain, tokens['Sales Executive'])).json.data.mailId
  const other = (await call('POST', '/v2/mails', plain)).json.data.mailId
  const seen = async (as: string) =>
    (await call('GET', '/v2/mails?limit=200', undefined, as)).json.data.map((one: { mailId: string }) => one.mailId)
  assert.deepEqual(await seen(tokens['Sales Executive']), [own])
  assert.deepEqual(await seen(tokens['Sales Manager']), [other, own])
  assert.ok((await seen(tokens.Admin)).includes(mailId))
  assert.equal((await call('GET', `/v2/mails/${other}`, undefined, t.other.tokens.Admin)).status, 404)
})

test('a scheduled mail waits, is taken back once, and can be sent after all', async () => {
  const { mailId } = (await call('POST', '/v2/mails', { ...plain, scheduledAt: later() })).json.data
  const canceled = await call('POST', `/v2/mails/${mailId}/cancel`)
  assert.equal(canceled.json.data.state, 'canceled')
  assert.equal((await call('POST', `/v2/mails/${mailId}/cancel`)).json.error.code, 'mail_not_waiting')
  assert.equal((await call('POST', `/v2/mails/${mailId}/retry`)).json.data.state, 'queued')
  const mail = await sent(mailId)
  assert.deepEqual(
    mail.history.map((one: { state: string }) => one.state),
    ['queued', 'canceled', 'queued', 'sent'],
  )
  assert.equal((await call('POST', `/v2/mails/${mailId}/retry`)).json.error.code, 'mail_not_repeatable')
})

test('own words, copies, an answer address and files go with it', async () => {
  const body = {
    ...plain,
    cc: [{ address: 'Bob@Example.com' }],
    bcc: [{ address: 'eve@example.com' }, { address: 'ADA@example.com' }],
    replyTo: 'desk@example.com',
    attachments: [
      { fileName: 'Übersicht.txt', mediaType: 'text/plain', content: Buffer.from('one').toString('base64') },
    ],
  }
  const mail = await sent((await call('POST', '/v2/mails', body)).json.data.mailId)
  const addresses = (of: 'to' | 'cc' | 'bcc') => mail[of].map((one: { address: string }) => one.address)
  assert.deepEqual(
    [addresses('to'), addresses('cc'), addresses('bcc')],
    [['ada@example.com'], ['Bob@Example.com'], ['eve@example.com']],
  )
  assert.deepEqual(mail.attachments, [{ fileName: 'Übersicht.txt', mediaType: 'text/plain', sizeBytes: 3 }])
  assert.match(mail.html, /&lt;b&gt;Ada&lt;\/b&gt;/)
  const found = (await call('GET', '/v2/mails?to=bob@example.com')).json.data
  assert.deepEqual(
    found.map((one: { mailId: string }) => one.mailId),
    [mail.mailId],
  )
})

test('nothing that would become a header of its own is taken', async () => {
  const injected = 'Hello\r\nBcc: eve@example.com'
  const faults = async (body: object) => {
    const { status, json } = await call('POST', '/v2/mails', { ...plain, ...body })
    return [status, json.error?.details?.[0]?.field]
  }
  assert.deepEqual(await faults({ subject: injected }), [400, 'subject'])
  assert.deepEqual(await faults({ to: [{ address: 'ada@example.com', name: injected }] }), [400, 'to[0].name'])
  assert.equal((await faults({ replyTo: 'a@example.com\r\nBcc: b@example.com' }))[0], 400)
  assert.equal((await faults({ to: [{ address: 'a@example.com, b@example.com' }] }))[0], 400)
  const { mailId } = await queue({
    template: welcome,
    to: 'ada@example.com',
    data: { name: 'A\r\nBcc: e@e.example', code: '' },
  })
  assert.equal((await sent(mailId)).subject, 'Welcome, A Bcc: e@e.example')
})

test('the test mode has an outbox of its own', async () => {
  const { mailId } = (await call('POST', '/v2/mails', plain, t.main.testKey)).json.data
  assert.equal((await sent(mailId, t.main.testKey)).transport, 'outbox')
  assert.equal((await call('GET', `/v2/mails/${mailId}`)).status, 404)
})
