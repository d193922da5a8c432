// An operator holds what leaves the installation and releases it; one for support looks, and what was done is in the list.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { operatorToken } from '../../../../test/operators.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const sending = '/v2/operator/sending'
const countOf = ({ json }: { json: { data: { waiting: { kind: string; count: number }[] } } }, kind: string) =>
  json.data.waiting.find(one => one.kind === kind)!.count

async function text(): Promise<string> {
  const body = { from: '+15550100001', to: '+15005550006', body: 'Hello' }
  return (await t.call('POST', '/v2/messages/sms', { as: t.main.liveKey, body })).json.messageId
}
const stateOf = async (id: string) =>
  (await t.call('GET', `/v2/messages/${id}`, { as: t.main.liveKey })).json.data.status

test('what is held waits, is counted, and ends as the operator says', async () => {
  const as = await operatorToken(t)
  const before = await text()
  const held = await t.call('POST', `${sending}/hold`, { as, body: { reason: 'A carrier bills twice.' } })
  assert.equal(held.status, 200, held.text)
  assert.equal(held.json.data.reason, 'A carrier bills twice.')
  await t.app.startWork()
  const after = await text()
  const shown = await t.call('GET', sending, { as: await operatorToken(t, 'support') })
  assert.deepEqual([shown.json.data.held, countOf(shown, 'messages')], [true, 2])
  assert.equal(await stateOf(before), 'queued')

  const released = await t.call('POST', `${sending}/release`, { as, body: { waiting: 'expire' } })
  assert.deepEqual([released.status, released.json.data.held, released.json.data.since], [200, false, null])
  await eventually(
    'both to end',
    async () => (await stateOf(before)) !== 'queued' && (await stateOf(after)) !== 'queued',
  )
  assert.equal(await stateOf(before), 'expired')
  assert.notEqual(await stateOf(after), 'expired')

  const again = await t.call('POST', `${sending}/release`, { as, body: { waiting: 'send' } })
  assert.equal(again.status, 200)
  const { json } = await t.call('GET', '/v2/operator/audit-events', { as })
  const done: { action: string; reason: string | null; target: string | null }[] = json.data
  assert.deepEqual(
    done.map(({ action, reason, target }) => [action, reason, target]),
    [
      ['sending.release', null, 'expire'],
      ['sending.hold', 'A carrier bills twice.', null],
    ],
  )
})

test('an operator for support neither holds nor releases, and what becomes of what waits has to be said', async () => {
  const as = await operatorToken(t, 'support')
  for (const [act, body] of [
    ['hold', { reason: 'A test.' }],
    ['release', { waiting: 'send' }],
  ] as const) {
    const { json } = await t.call('POST', `${sending}/${act}`, { as, body })
    assert.equal(json.error.code, 'operator_reads_only')
  }
  const { json } = await t.call('POST', `${sending}/release`, { as: await operatorToken(t), body: {} })
  assert.equal(json.error.details[0].field, 'waiting')
})
