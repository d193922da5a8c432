// An answer to a keyword takes the way that a request with the same sender and recipient takes, and is kept back where the request
// is refused; only an opt-out does not keep back the answer to the word itself.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recipient, type Steps, sender, startSteps, stepsOf } from '../../../../test/messages.ts'
import { type Answer, acceptAnswersIn } from './intake.ts'

const { t, s } = await startSteps()

async function answer({ db, tenantId }: Steps, mode: 'live' | 'test', more: Partial<Answer> = {}) {
  const scope = { tenantId, organizationId: t.main.organizationId }
  const text = { from: sender, to: recipient, body: 'Bye', ignoreOptOut: true, ...more }
  const [accepted] = await db.inTenant(scope, tx => acceptAnswersIn(tx, { tenantId, mode }, [text]))
  return accepted
}

test('a sender that sends no texts sends no answers', async () => {
  await s.addNumber(sender, { sms: false })
  assert.equal(await s.refusal(), '422 sender_not_capable')
  assert.equal(await answer(s, 'test'), undefined)
})

test('numbers of the test mode that refuse, refuse answers too; but for an opt-out that is answered', async () => {
  for (const last of ['0002', '0003', '0007', '0008']) {
    const to = `+1500555${last}`
    assert.match(await s.refusal({ to }), /^4\d\d \w+$/, to)
    assert.equal(await answer(s, 'test', { to }), undefined, to)
  }
  assert.equal(await answer(s, 'test', { to: '+15005550004', ignoreOptOut: false }), undefined)
  assert.equal((await answer(s, 'test', { to: '+15005550004' }))?.carrier, 'simulator')
})

test('in live mode they go by the carriers of the organization, from its own numbers', async () => {
  const live = stepsOf(t, 'live')
  await live.addCarrier('car_one', [{ prefix: '+1', cost: '0.02' }])
  assert.equal(await live.refusal(), '403 sender_not_owned')
  assert.equal(await answer(live, 'live'), undefined)
  await live.addNumber(sender)
  assert.equal((await answer(live, 'live'))?.carrier, 'car_one')
  assert.equal(await answer(live, 'live', { to: '+4915112345678' }), undefined, 'no route')
})
