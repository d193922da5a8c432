// Instructions that come with a request do no more than their sender may: texts need messages:send wherever the verb stands, and
// who is only a phone gives no instructions, neither in the request nor by an address of their own.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { startCall } from '../../../../test/voice/calls.ts'
import { sampleOffer } from '../clients/schemas.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const to = '+15005550200'
const text = { verb: 'message', to: '+15005550100', body: 'Hello' }
const say = { verb: 'say', text: 'Hello' }
const dial = { verb: 'dial', targets: [{ type: 'number', number: to }] }

async function keyOf(...scopes: string[]): Promise<string> {
  const { json } = await t.call('POST', '/v2/auth/api-keys', {
    as: t.main.testKey,
    body: { name: 'Narrow', mode: 'test', scopes },
  })
  return json.data.secret
}

async function tokenOf(as: string): Promise<string> {
  const { json } = await t.call('POST', '/v2/voice/client-tokens', { as, body: { identity: 'page' } })
  return json.data.token
}

type Answer = Awaited<ReturnType<TestApp['call']>>
const refused = ({ status, json, text: all }: Answer, fields: string[], code = 'insufficient_scope') => {
  assert.deepEqual([status, json.error?.code], [403, code], all)
  assert.deepEqual(
    json.error.details.map(({ field }: { field: string }) => field),
    fields,
  )
}
const counted = async () => (await t.sql<{ count: number }>('select count(*)::integer as count from calls'))[0]?.count

describe('the verb message', () => {
  const nested = [say, { verb: 'enqueue', queue: 'q', wait: [say], onFail: [text] }, { ...text, label: 'more' }]
  const data = [{ verb: 'notify', data: { verb: 'message' } }]

  test('of a new call', async () => {
    const as = await keyOf('calls:create')
    const create = (instructions: object[], key = as) =>
      t.call('POST', '/v2/voice/calls', { as: key, body: { from: '+15550100001', to, instructions } })
    const before = await counted()
    refused(await create([text]), ['instructions[0].verb'])
    refused(await create(nested), ['instructions[1].onFail[0].verb', 'instructions[2].verb'])
    assert.equal(await counted(), before)
    assert.equal((await create([say, ...data])).status, 200)
    assert.equal((await create(nested, await keyOf('calls:create', 'messages:send'))).status, 200)
  })

  test('of a command', async () => {
    const as = await keyOf('calls:control')
    const callId = await startCall(t, to, { instructions: [say] })
    const command = (body: object, key = as) => t.call('POST', `/v2/voice/calls/${callId}/commands`, { as: key, body })
    refused(await command(text), ['verb'])
    refused(await command({ instructions: nested }), ['instructions[1].onFail[0].verb', 'instructions[2].verb'])
    assert.equal((await command({ verb: 'notify', data: { verb: 'message' } })).status, 200)
    assert.equal((await command(text, await keyOf('calls:control', 'messages:send'))).status, 200)
  })

  test('of what is kept for a number or a phone', async () => {
    const as = await keyOf('numbers:manage', 'sip_credentials:manage')
    const number = await t.call('POST', '/v2/numbers', { as: t.main.testKey, body: { number: '+15550100077' } })
    const path = `/v2/numbers/${number.json.data.numberId}/voice`
    const body = { instructions: [text] }
    refused(await t.call('PUT', path, { as, body }), ['instructions[0].verb'])
    assert.equal((await t.call('PUT', path, { as: t.main.testKey, body })).status, 200)
    const phone = { username: 'desk', ...body }
    refused(await t.call('POST', '/v2/voice/sip-credentials', { as, body: phone }), ['instructions[0].verb'])
  })
})

describe('a phone', () => {
  const call = (as: string, more: object) =>
    t.call('POST', '/v2/voice/client-calls', { as, body: { sdp: sampleOffer, ...more } })
  const callbackUrl = 'https://example.com/calls'

  test('by its token it says whom to call, and nothing else', async () => {
    const token = await tokenOf(t.main.testKey)
    const before = await counted()
    for (const instructions of [[text], [dial], [{ verb: 'conference', name: 'c' }], [{ verb: 'dequeue', queue: 'q' }]])
      refused(await call(token, { instructions }), ['instructions'])
    refused(await call(token, { to, instructions: [dial] }), ['instructions'])
    refused(await call(token, { callbackUrl }), ['callbackUrl'])
    refused(await call(token, { to, callbackUrl }), ['callbackUrl'])
    assert.equal(await counted(), before)
    assert.equal((await call(token, { to })).status, 201)
  })

  test('a key that is only that gives no instructions either; with calls:create it does, and texts need their own', async () => {
    const only = await keyOf('phone:use')
    refused(await call(only, { instructions: [dial] }), ['instructions'])
    refused(await call(only, { callbackUrl }), ['callbackUrl'])
    assert.equal((await call(only, { to, callbackUrl })).status, 201)
    const both = await keyOf('phone:use', 'calls:create')
    assert.equal((await call(both, { instructions: [dial] })).status, 201)
    refused(await call(both, { instructions: [dial, text] }), ['instructions[1].verb'])
  })
})
