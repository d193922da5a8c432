// How many mails an organization may send: what is accepted can leave, and what opens something waits behind nothing else. No worker runs
// here, so all that is accepted waits.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { mailTemplate, queueMail } from './index.ts'
import { claimMails, takeRate } from './sending_store.ts'

const reset = mailTemplate({
  key: 'test_caps_reset',
  about: 'A template of this test.',
  stream: 'security',
  subject: 'Reset',
  text: 'Open {{ link }}.',
  sample: { link: 'https://example.com/reset#abc' },
})

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const scope = () => ({ tenantId: t.main.liveTenantId, organizationId: t.main.organizationId })
const queueReset = async () => {
  const mail = { template: reset, to: 'ada@example.com', data: reset.sample }
  return (await t.app.services.db.inTenant(scope(), tx => queueMail(tx, scope(), mail))).mailId
}
async function send(more: object = {}): Promise<string | number> {
  const body = { to: [{ address: 'ada@example.com' }], subject: 'Monday', text: 'See you.', ...more }
  const { status, json, text } = await t.call('POST', '/v2/mails', { as: t.main.tokens.Admin, body })
  if (status === 201) return json.data.mailId
  assert.equal(json.error?.code, 'mail_rate_reached', text)
  return status
}
const allow = (perDay: number | null) =>
  t.ownerSql('update organizations set mails_per_day = $2 where id = $1', [t.main.organizationId, perDay])
const empty = async () => {
  await t.ownerSql('delete from mail_jobs')
  await t.ownerSql('delete from mail_rates')
}
const noonInDays = (days: number) => {
  const nowMs = t.clock.now()
  return new Date(nowMs - (nowMs % 86_400_000) + (days + 0.5) * 86_400_000).toISOString()
}

test('what waits counts: no more is accepted than may leave that day', async () => {
  await empty()
  await allow(3)
  const answers: (string | number)[] = []
  for (let n = 0; n < 4; n++) answers.push(await send())
  assert.deepEqual(
    answers.map(one => typeof one),
    ['string', 'string', 'string', 'number'],
  )
  for (let n = 0; n < 3; n++) assert.equal(typeof (await send({ scheduledAt: noonInDays(2) })), 'string')
  assert.equal(await send({ scheduledAt: noonInDays(2) }), 429, 'a day that is full takes no more')
  assert.equal(typeof (await send({ scheduledAt: noonInDays(3) })), 'string', 'another day does')
  await t.ownerSql("update mail_jobs set lease_token = 'lse_x' where mail_id = $1", [answers[0]])
  const { db, clock } = t.app.services
  const left = { isUrgent: false, wanted: 1, perMinute: 9, perDay: 9, nowMs: clock.now() }
  assert.equal(await db.inTenant(scope(), tx => takeRate(tx, scope(), left)), 1)
  assert.equal(await send(), 429, 'what left counts as it did while it waited')
  await queueReset()
  await allow(null)
})

test('a mail that is sent again is one more, and two at once do not take the same place', async () => {
  await empty()
  await allow(1)
  const once = await send()
  const path = `/v2/mails/${once}`
  assert.equal((await t.call('POST', `${path}/cancel`, { as: t.main.tokens.Admin })).status, 200)
  const other = await send()
  assert.equal(typeof other, 'string')
  const { status, json, headers } = await t.call('POST', `${path}/retry`, { as: t.main.tokens.Admin })
  assert.deepEqual([status, json.error.code], [429, 'mail_rate_reached'])
  const secondsLeft = (86_400_000 - (t.clock.now() % 86_400_000)) / 1_000
  assert.ok(Math.abs(Number(headers['retry-after']) - secondsLeft) < 60)
  await empty()
  await allow(2)
  const sent = await Promise.all(Array.from({ length: 6 }, () => send()))
  assert.equal(sent.filter(one => typeof one === 'string').length, 2)
  await allow(null)
})

test('what opens something is claimed first, and leaves when no other may', async () => {
  await empty()
  const usual = [await send(), await send()]
  const urgent = await queueReset()
  await t.ownerSql("update mail_jobs set due_at = now() - interval '1 hour' where mail_id = any($1)", [usual])
  const { db, clock } = t.app.services
  const claim = { limit: 1, tenantRoom: 1, leaseSeconds: 60, behindTenant: 0, busy: new Map() }
  const claimed = await claimMails(db, { token: 'lse_one', ...claim })
  assert.deepEqual(
    claimed.map(one => one.mail_id),
    [urgent],
  )
  // All room of the tenant is taken by what a slow server keeps.
  const late = await queueReset()
  const full = { ...claim, limit: 9, busy: new Map([[t.main.liveTenantId, 1]]) }
  assert.deepEqual(
    (await claimMails(db, { token: 'lse_two', ...full })).map(one => one.mail_id),
    [late],
  )
  const take = (isUrgent: boolean) =>
    db.inTenant(scope(), tx =>
      takeRate(tx, scope(), { isUrgent, wanted: 2, perMinute: 1, perDay: 9, nowMs: clock.now() }),
    )
  await take(false)
  assert.deepEqual([await take(true), await take(true)], [1, 0], 'an allowance of its own, of the same size')
})
