// Identities as long as they may be: what is stored of one is in lower case, where some letters are two, and stands in calls behind
// client:. What is too long for that is refused with its field.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { sampleOffer } from './schemas.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

/** One letter, and two in lower case. */
const growing = '\u0130'
const post = (path: string, body: object, as = t.main.testKey) => t.call('POST', `/v2/voice/${path}`, { as, body })

test('a token for the longest identity makes calls; one that grows beyond it is refused', async () => {
  const longest = growing.repeat(127)
  const made = await post('client-tokens', { identity: longest })
  assert.equal(made.status, 201, made.text)
  const { token, identity } = made.json.data
  assert.equal(identity, longest.toLowerCase())
  assert.equal((await post('client-calls', { sdp: sampleOffer, to: '+15005550200' }, token)).status, 201)
  assert.equal((await post('client-calls', { sdp: sampleOffer, to: `client:${identity}` })).status, 201)
  for (const count of [128, 254]) {
    const refused = await post('client-tokens', { identity: growing.repeat(count) })
    assert.deepEqual([refused.status, refused.json.error.details[0].field], [400, 'identity'], refused.text)
    assert.equal(refused.json.error.details[0].code, 'too_long')
  }
})

test('nor do instructions call one', async () => {
  const target = { type: 'client', identity: growing.repeat(128) }
  const instructions = [
    { verb: 'dial', targets: [{ type: 'number', number: '+15005550200' }, target] },
    { verb: 'transfer', to: target, mode: 'attended' },
  ]
  const refused = await post('calls', { from: '+15550100001', to: '+15005550200', instructions })
  assert.deepEqual([refused.status, refused.json.error.code], [400, 'invalid_instructions'], refused.text)
  assert.deepEqual(
    refused.json.error.details.map(({ field }: { field: string }) => field),
    ['instructions[0].targets[1].identity', 'instructions[1].to.identity'],
  )
})
