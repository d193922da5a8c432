// What an erasure finds on its way: mails that wait for their time or for a retry are never sent, and hold up nothing; what is being handed
// over is waited for.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { askPrivacy, finishPrivacy, seePrivacy, workPrivacy } from '../../../../test/privacy.ts'
import { sendMails } from '../../mail/mails/jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const ada = 'ada@engines.example'
const mailTo = async (more: object = {}): Promise<string> => {
  const body = { to: [{ address: ada }], subject: 'Offer', text: 'Dear Ada.', ...more }
  const { status, text, json } = await t.call('POST', '/v2/mails', { as: t.main.tokens.Admin, body })
  assert.equal(status, 201, text)
  return json.data.mailId
}
const later = () => new Date(t.clock.now() + 20 * 86_400_000).toISOString()
const erase = async (email: string): Promise<string> => {
  const { status, text, json } = await askPrivacy(t, { kind: 'erasure', email, confirm: email })
  assert.equal(status, 201, text)
  return json.data.privacyRequestId
}
const countOf = async (table: string, id: string) =>
  (await t.ownerSql(`select from ${table} where ${table === 'mails' ? 'id' : 'mail_id'} = $1`, [id])).length

test('a mail that waits for its time, for a retry or for its worker is never sent, and holds up no other request', async () => {
  const ids = [await mailTo({ scheduledAt: later() }), await mailTo(), await mailTo()]
  await t.ownerSql(
    "update mail_jobs set lease_token = 'lse_9', due_at = now() + interval '1 minute' where mail_id = $1",
    [ids[2]],
  )
  const done = await finishPrivacy(t, await erase(ada))
  assert.equal(done.state, 'completed', JSON.stringify(done))
  for (const id of ids) assert.deepEqual([await countOf('mails', id), await countOf('mail_jobs', id)], [0, 0])
  const mails = sendMails()(t.app.services)
  assert.deepEqual(await mails.claim('lse_9', 50), [])
  await mails.closed?.()
  const { json } = await askPrivacy(t, { kind: 'export', email: 'charles@engines.example' })
  assert.equal((await finishPrivacy(t, json.data.privacyRequestId)).state, 'completed')
})

test('a mail whose worker begins it meanwhile, or has begun it, is waited for', async () => {
  const id = await mailTo()
  const request = await erase(ada)
  await t.asEngine(async worker => {
    await worker.query('select from mail_jobs where mail_id = $1 for update', [id])
    await workPrivacy(t)
  })
  assert.equal((await seePrivacy(t, request)).waitsFor, 'mails')
  await t.ownerSql("update mails set state = 'sending' where id = $1", [id])
  await workPrivacy(t)
  assert.equal((await seePrivacy(t, request)).waitsFor, 'mails')
  await t.ownerSql("update mails set state = 'sent' where id = $1", [id])
  await t.ownerSql('delete from mail_jobs where mail_id = $1', [id])
  assert.equal((await finishPrivacy(t, request)).state, 'completed')
  assert.equal(await countOf('mails', id), 0)
})
