// What is held for the whole installation: nothing leaves until that ends, whatever the organizations are, and what waited is sent or ends
// as expired.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { operatorToken } from '../../../test/operators.ts'
import { somebody, tokenMailed } from '../../../test/people.ts'
import { holdSending, readHold, releaseSending } from './backup_store.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const sms = async (body: string) => {
  const { json, text } = await t.call('POST', '/v2/messages/sms', {
    as: t.main.liveKey,
    body: { from: '+15550100001', to: '+15005550006', body },
  })
  assert.ok(json.messageId, text)
  return json.messageId as string
}
const mail = async (subject: string, more: object = {}) => {
  const body = { to: [{ address: 'ada@example.com' }], subject, text: 'Hello.', ...more }
  return (await t.call('POST', '/v2/mails', { as: t.main.liveKey, body })).json.data.mailId as string
}
const stateOf = async (path: string) => (await t.call('GET', path, { as: t.main.liveKey })).json
const waiting = async () =>
  Object.fromEntries((await readHold(t.asEngine)).waiting.map(({ kind, waiting: count }) => [kind, count]))

test('an organization that is made meanwhile is held; of mails to log in with, those that waited before are', async () => {
  const [early, late] = [await somebody(t), await somebody(t)]
  const ask = async ({ email }: { email: string }) => {
    await t.call('POST', '/v2/auth/password-resets', { body: { email } })
    await tokenMailed(t, email)
  }
  await ask(early)
  await holdSending(t.asEngine, 'Restored from the backup of yesterday.')
  await ask(late)
  const made = await t.call('POST', '/v2/operator/organizations', {
    as: await operatorToken(t),
    body: { name: 'Fresh', owner: { email: 'owner@fresh.example', name: 'Alice' } },
  })
  assert.equal(made.status, 201, made.text)
  const held = `select count(*)::int as n from held_tenants h join tenants t on t.id = h.tenant_id
    where h.for_installation and t.organization_id = $1`
  const ofFresh = () => t.ownerSql<{ n: number }>(held, [made.json.data.organizationId])
  assert.deepEqual(await ofFresh(), [{ n: 2 }])

  await t.asEngine(client => client.query("select claim_mails('lse_test', 100, 100, 60, 0, '{}', '{}')"))
  const addresses = async (which: string) => {
    const jobs = `select r.address from mail_recipients r join mail_jobs j on j.tenant_id = r.tenant_id and j.mail_id = r.mail_id`
    return (await t.ownerSql<{ address: string }>(`${jobs} where ${which}`)).map(({ address }) => address)
  }
  const claimed = await addresses("j.lease_token = 'lse_test'")
  assert.ok(claimed.includes(late.email), 'asked for while it is held')
  assert.ok(!claimed.includes(early.email), 'may have been sent by the server that is lost')
  assert.equal(await releaseSending(t.asEngine, false), true)
  assert.deepEqual(await ofFresh(), [{ n: 0 }])
  assert.ok((await addresses('j.lease_token is null and j.due_at <= clock_timestamp()')).includes(early.email))
  await t.ownerSql('delete from mail_jobs')
})

test('nothing leaves while it is held, and what waited ends as expired when that is wanted', async () => {
  const [oldText, oldMail] = [await sms('old'), await mail('old')]
  const laterMail = await mail('later', { scheduledAt: new Date(t.clock.now() + 86_400_000).toISOString() })
  await holdSending(t.asEngine, 'Restored from the backup of yesterday.')
  await t.app.startWork()
  const [newText, newMail] = [await sms('new'), await mail('new')]
  const call = await t.call('POST', '/v2/voice/calls', {
    as: t.main.liveKey,
    body: { from: '+15550100001', to: '+15005550200' },
  })
  assert.equal(call.status, 200, call.text)
  await eventually('texts and mails to be set aside', async () => {
    const [row] = await t.ownerSql<{ n: number }>(
      `select (select count(*) from message_jobs where due_at = 'infinity')::int
         + (select count(*) from mail_jobs where due_at = 'infinity')::int as n`,
    )
    return row!.n === 4
  })
  assert.equal((await stateOf(`/v2/messages/${newText}`)).data.status, 'queued')
  assert.deepEqual(await waiting(), { messages: 2, mails: 3, events: 0, calls: 1 })

  // An organization that is suspended meanwhile, and resumed, is held on.
  const as = await operatorToken(t)
  const act = (event: string) =>
    t.call('POST', `/v2/operator/organizations/${t.main.organizationId}/${event}`, { as, body: { reason: 'A test.' } })
  assert.equal((await act('suspend')).status, 200)
  assert.equal((await act('resume')).status, 200)
  assert.equal((await waiting())['messages'], 2)
  assert.equal((await act('suspend')).status, 200)

  assert.equal(await releaseSending(t.asEngine, true), true)
  assert.equal((await readHold(t.asEngine)).hold, undefined)
  assert.equal((await waiting())['messages'], 2, 'what a suspended organization has waits on')
  assert.equal((await act('resume')).status, 200)
  await eventually('all of it to end', async () => {
    const states = [
      (await stateOf(`/v2/messages/${oldText}`)).data.status,
      (await stateOf(`/v2/messages/${newText}`)).data.status,
      (await stateOf(`/v2/mails/${oldMail}`)).data.state,
      (await stateOf(`/v2/mails/${newMail}`)).data.state,
    ]
    return !states.some(state => state === 'queued' || state === 'sending') && states
  })
  assert.equal((await stateOf(`/v2/messages/${oldText}`)).data.status, 'expired')
  assert.notEqual((await stateOf(`/v2/messages/${newText}`)).data.status, 'expired')
  assert.deepEqual((await stateOf(`/v2/mails/${oldMail}`)).data.state, 'expired')
  assert.equal((await stateOf(`/v2/mails/${newMail}`)).data.state, 'sent')
  const { state, expiresAt } = (await stateOf(`/v2/mails/${laterMail}`)).data
  assert.equal(state, 'queued', 'what is to be sent later was sent by nobody yet')
  assert.ok(Date.parse(expiresAt) > t.clock.now() + 86_400_000)
  assert.equal(await releaseSending(t.asEngine, false), false, 'nothing is held any more')
})
