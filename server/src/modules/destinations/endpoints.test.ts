// Guards: a number that a policy is against is never called or texted, by whichever way somebody tries; ceilings hold when many
// calls and texts are asked for at once, on two nodes; nobody lifts the limits of their own key.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { keyWithPolicy, setPolicy } from '../../../test/destinations.ts'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { callIn, startCall, startQueues } from '../../../test/voice/calls.ts'
import { createTestEngine, createTestLeg } from '../../../test/voice/engine.ts'
import { sampleOffer } from '../voice/clients/schemas.ts'
import { carryCalls } from '../voice/node/jobs.ts'
import { callTools } from '../voice/node/tools.ts'

const premium = '+19005551234'
const from = '+15550100001'
const to = '+15005550200'
const path = '/v2/destinations/policies/organization'
const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Sent = { status: number; json: { error?: { code: string; message: string; details?: { field: string }[] } } }
const codeOf = ({ json }: Sent) => json.error?.code
const calls = (body: object, as = t.main.testKey) =>
  t.call('POST', '/v2/voice/calls', { as, body: { from, to, ...body } })
const texts = (body: object, as = t.main.testKey) =>
  t.call('POST', '/v2/messages/sms', { as, body: { from: '+15005550006', to: '+15005550100', body: 'Hello', ...body } })

describe('what a fresh organization calls and texts', () => {
  test('ordinary numbers, and no others: by API, text, batch, preview and browser phone', async () => {
    for (const as of [t.main.testKey, t.main.liveKey]) {
      assert.equal((await calls({}, as)).status, 200)
      assert.equal((await texts({}, as)).status, 200)
      const tried = [
        await calls({ to: premium }, as),
        await calls({ to: '+881612345678' }, as),
        await texts({ to: premium }, as),
        await texts({ to: premium, sendAt: new Date(Date.now() + 3_600_000).toISOString() }, as),
        await t.call('POST', '/v2/messages/preview', { as, body: { from: '+15005550006', to: premium, body: 'x' } }),
        await t.call('POST', '/v2/voice/client-calls', { as, body: { to: premium, sdp: sampleOffer } }),
        await t.call('POST', '/v2/voice/client-calls', {
          as,
          body: { to: `sip:${premium}@carrier.example`, sdp: sampleOffer },
        }),
      ]
      assert.deepEqual(
        tried.map(answer => [answer.status, codeOf(answer)]),
        tried.map(() => [403, 'destination_premium']),
      )
      assert.equal(tried[0]?.json.error.details[0].field, 'to')
      assert.match(tried[0]?.json.error.message, /premium-rate number.*allowedKinds/)
      const batch = await t.call('POST', '/v2/messages/sms/batch', {
        as,
        body: { messages: [premium, '+15005550100'].map(to => ({ from: '+15005550006', to, body: 'Hello' })) },
      })
      assert.deepEqual(
        batch.json.data.messages.map(({ code }: { code: string | null }) => code),
        ['destination_premium', null],
      )
    }
    assert.deepEqual(await t.ownerSql('select 1 from messages where to_address = $1', [premium]), [])
  })

  test('with ceilings in live mode; in test mode, where nobody is called, without', async () => {
    const { json: live } = await t.call('GET', path, { as: t.main.liveKey })
    assert.deepEqual([live.data.concurrentCalls, live.data.dailyCalls, live.data.allowedKinds], [200, 10_000, []])
    const { json: trial } = await t.call('GET', path, { as: t.main.testKey })
    assert.deepEqual([trial.data.concurrentCalls, trial.data.dailyCalls], [null, null])
  })
})

describe('policies over the API', () => {
  test('what is opened is open at once, on another node within two seconds; put back, it is shut', async () => {
    const node = await t.secondApp()
    const as = t.other.testKey
    const body = { from: '+15005550006', to: premium, body: 'Hello' }
    assert.equal(codeOf(await node.call('POST', '/v2/messages/sms', { as, body })), 'destination_premium')
    await setPolicy(t, 'organization', { allowedKinds: ['premium_rate'] }, as)
    assert.equal((await texts({ to: premium }, as)).status, 200)
    assert.equal(
      (await node.call('POST', '/v2/messages/sms', { as, body })).status,
      200,
      'asked again before it refuses',
    )
    const asked = await t.call('POST', '/v2/destinations/check', { as, body: { to: premium } })
    assert.equal(asked.json.data.allowed, true)
    assert.equal(codeOf(await texts({ to: premium }, t.other.liveKey)), 'destination_premium', 'live is not touched')
    assert.equal((await t.call('DELETE', path, { as })).status, 200)
    assert.equal(codeOf(await texts({ to: premium }, as)), 'destination_premium')
  })

  test('of two changes at once none undoes the other', async () => {
    const as = t.other.testKey
    for (let round = 1; round <= 15; round++) {
      const [blockedPrefixes, dailyCalls] = [[`+1242${round}`], round]
      await Promise.all([
        setPolicy(t, 'organization', { blockedPrefixes }, as),
        setPolicy(t, 'organization', { dailyCalls }, as),
      ])
      const { json } = await t.call('GET', path, { as })
      assert.deepEqual([json.data.blockedPrefixes, json.data.dailyCalls], [blockedPrefixes, dailyCalls])
    }
    assert.equal((await t.call('DELETE', path, { as })).status, 200)
  })

  test('are listed one by one, too', async () => {
    const { keyId } = await keyWithPolicy(t, { dailyCalls: 5 })
    const seen: string[] = []
    for (let cursor = ''; cursor !== 'end'; ) {
      const query = `limit=1${cursor && `&cursor=${cursor}`}`
      const { status, json, text } = await t.call('GET', `/v2/destinations/policies?${query}`, { as: t.main.testKey })
      assert.equal(status, 200, text)
      assert.equal(json.data.length, 1)
      seen.push(json.data[0].policy)
      cursor = json.meta.pagination.nextCursor ?? 'end'
    }
    assert.equal(seen[0], 'organization')
    assert.ok(seen.includes(keyId))
    assert.equal(new Set(seen).size, seen.length)
  })

  test('says of a number whether, and why not', async () => {
    const ask = (body: object) => t.call('POST', '/v2/destinations/check', { as: t.main.testKey, body })
    const { json } = await ask({ to: '+1 900 555 1234' })
    const { allowed, country, kind, refusal } = json.data
    assert.deepEqual(
      [allowed, country, kind, refusal.code, refusal.policy],
      [false, 'US', 'premium_rate', 'destination_premium', 'organization'],
    )
    assert.equal((await ask({ to })).json.data.allowed, true)
    const { keyId } = await keyWithPolicy(t, { allowedCountries: ['DE'], dailyCalls: 0 })
    const limited = (await ask({ to: '+493012345678', keyId })).json.data
    assert.deepEqual([limited.allowed, limited.reached], [true, [{ policy: keyId, ceiling: 'daily_calls' }]])
    assert.equal((await ask({ to, keyId })).json.data.refusal.policy, keyId)
  })

  test('faults name their field', async () => {
    const { json, status } = await t.call('PATCH', path, {
      as: t.main.testKey,
      body: { allowedCountries: ['XX'], dailySpend: [{ currency: 'ZZZ', amount: '1' }] },
    })
    assert.equal(status, 400)
    assert.deepEqual(
      json.error.details.map(({ field }: { field: string }) => field),
      ['allowedCountries[0]', 'dailySpend[0].currency'],
    )
    const all = await t.call('PATCH', path, { as: t.main.testKey, body: { allowedKinds: null } })
    assert.equal(all.json.error.details[0].field, 'allowedKinds')
  })

  test('a key with a policy lifts it in no way: not itself, nor by another key, nor by the one it becomes', async () => {
    const { secret, keyId } = await keyWithPolicy(t, { allowedCountries: ['DE'] })
    assert.equal(codeOf(await calls({}, secret)), 'destination_not_allowed')
    assert.equal(codeOf(await texts({}, secret)), 'destination_not_allowed')
    for (const [method, body] of [
      ['PATCH', { allowedCountries: null }],
      ['DELETE', undefined],
    ] as const)
      for (const policy of [keyId, 'organization']) {
        const answer = await t.call(method, `/v2/destinations/policies/${policy}`, { as: secret, body })
        assert.equal(codeOf(answer), 'scope_not_held')
      }
    const child = await t.call('POST', '/v2/auth/api-keys', { as: secret, body: { name: 'Child', mode: 'test' } })
    assert.equal(codeOf(child), 'scope_not_held')
    const rotated = await t.call('POST', `/v2/auth/api-keys/${keyId}/rotate`, { as: t.main.liveKey, body: {} })
    assert.equal(rotated.status, 201, rotated.text)
    assert.equal(codeOf(await calls({}, rotated.json.data.secret)), 'destination_not_allowed')
    const others = await startCall(t, to)
    const steered = await t.call('POST', `/v2/voice/calls/${others}/commands`, { as: secret, body: { verb: 'hangup' } })
    assert.equal(codeOf(steered), 'scope_not_held')
  })

  test('nor by another key it rotates, a user it makes or takes over, a phone, or what a number does with calls', async () => {
    const as = (await keyWithPolicy(t, { allowedCountries: ['DE'] }, { mode: 'live' })).secret
    const admin = { as: t.main.liveKey }
    const free = await t.call('POST', '/v2/auth/api-keys', { ...admin, body: { name: 'Free', mode: 'live' } })
    const phone = await t.call('POST', '/v2/voice/sip-credentials', { ...admin, body: { username: 'hers' } })
    const number = await t.call('POST', '/v2/numbers', { ...admin, body: { number: '+493012345699' } })
    const user = { name: 'Else', email: 'else@example.com', role: 'Sales Executive' }
    const made = await t.call('POST', '/v1/api/users', { ...admin, body: user })
    const instructions = [{ verb: 'dial', targets: [{ type: 'number', number: to }] }]
    const password = 'Vortex-Lamp-8831x'
    const tried = [
      await t.call('POST', `/v2/auth/api-keys/${free.json.data.keyId}/rotate`, { as, body: {} }),
      await t.call('POST', '/v1/api/users', { as, body: { ...user, email: 'own@example.com', role: 'Admin' } }),
      await t.call('PATCH', `/v1/api/users/${made.json.user.id}`, { as, body: { password } }),
      await t.call('POST', '/v2/voice/sip-credentials', { as, body: { username: 'mine' } }),
      await t.call('PATCH', `/v2/voice/sip-credentials/${phone.json.data.credentialId}`, { as, body: { password } }),
      await t.call('PUT', `/v2/numbers/${number.json.data.numberId}/voice`, { as, body: { instructions } }),
    ]
    for (const answer of tried) {
      assert.equal(answer.status, 403, answer.text)
      assert.match(answer.text, /destination policy of its own/)
    }
    const renamed = await t.call('PATCH', `/v1/api/users/${made.json.user.id}`, { as, body: { name: 'Other' } })
    assert.equal(renamed.status, 200, renamed.text)
  })
})

describe('ceilings', () => {
  test('hold for calls that are asked for at once on two nodes, and an event reports each once a day', async () => {
    const node = await t.secondApp()
    const { secret, keyId } = await keyWithPolicy(t, { concurrentCalls: 7, dailyCalls: 10 })
    const many = (count: number) =>
      Promise.all(
        Array.from({ length: count }, (_, n) =>
          (n % 2 === 0 ? t : node).call('POST', '/v2/voice/calls', { as: secret, body: { from, to } }),
        ),
      )
    const first = await many(24)
    assert.equal(first.filter(({ status }) => status === 200).length, 7)
    const refused = first.find(({ status }) => status !== 200)
    assert.deepEqual(
      [refused?.status, codeOf(refused as Sent), refused?.headers['retry-after']],
      [429, 'concurrent_calls_exceeded', '10'],
    )
    const [ended] = first.filter(({ status }) => status === 200)
    await t.call('POST', `/v2/voice/calls/${ended?.json.data.callId}/hangup`, { as: t.main.testKey })
    assert.equal((await many(6)).filter(({ status }) => status === 200).length, 1, 'one place was free')
    await setPolicy(t, keyId, { concurrentCalls: null }, t.main.testKey)
    const rest = await many(12)
    assert.equal(rest.filter(({ status }) => status === 200).length, 2)
    assert.equal(codeOf(rest.find(({ status }) => status !== 200) as Sent), 'daily_calls_exceeded')
    const reported = await t.ownerSql<{ data: { ceiling: string; limit: string } }>(
      `select data from event_log where type = 'destination.ceiling_reached' and data->>'policy' = $1 order by id`,
      [keyId],
    )
    assert.deepEqual(
      reported.map(({ data }) => [data.ceiling, data.limit]),
      [
        ['concurrent_calls', '7'],
        ['daily_calls', '10'],
      ],
    )
    const { json } = await t.call('GET', `/v2/destinations/policies/${keyId}`, { as: t.main.testKey })
    assert.deepEqual([json.data.today.calls, json.data.today.activeCalls], [10, 9])
    t.clock.advance(24 * 3_600_000)
    assert.equal((await many(1))[0]?.status, 200, 'another day')
    t.clock.advance(-24 * 3_600_000)
  })

  test('hold for what texts cost, one by one, in batches and together; repeats cost nothing', async () => {
    const { secret, keyId } = await keyWithPolicy(t, { dailySpend: [{ currency: 'USD', amount: '0.105' }] })
    const repeat = (key: string, body = 'Once') =>
      t.call('POST', '/v2/messages/sms', {
        as: secret,
        body: { from: '+15005550006', to: '+15005550100', body },
        headers: { 'idempotency-key': key },
      })
    assert.deepEqual([(await repeat('a')).status, (await repeat('a')).status], [200, 200])
    for (let round = 0; round < 3; round++)
      assert.equal(codeOf(await repeat('a', `Another ${round}`)), 'idempotency_mismatch')
    const single = Array.from({ length: 8 }, () => texts({}, secret))
    const batch = t.call('POST', '/v2/messages/sms/batch', {
      as: secret,
      body: {
        messages: Array.from({ length: 8 }, () => ({ from: '+15005550006', to: '+15005550100', body: 'Hello' })),
      },
    })
    const accepted = (await Promise.all(single)).filter(({ status }) => status === 200).length
    const { data } = (await batch).json
    assert.equal(accepted + data.accepted, 9, 'a cent each, and one was sent')
    const refused = await texts({}, secret)
    assert.deepEqual([refused.status, codeOf(refused)], [403, 'daily_spend_exceeded'])
    assert.match(refused.json.error.message, /0\.105 USD/)
    assert.equal((await repeat('a')).status, 200, 'what was taken in is answered as it was')
    const { json } = await t.call('GET', `/v2/destinations/policies/${keyId}`, { as: t.main.testKey })
    assert.deepEqual(json.data.today.spend, [{ currency: 'USD', amount: '0.1' }])
    await setPolicy(t, keyId, { dailySpend: [{ currency: 'EUR', amount: '100' }] }, t.main.testKey)
    assert.equal(codeOf(await texts({}, secret)), 'daily_spend_exceeded', 'nothing limits what costs dollars')
  })
})

describe('legs of a call', () => {
  let running: { stop(): Promise<void> }
  const { engine, leg, legs, host } = createTestEngine(() => Date.now())
  before(() => {
    running = startQueues(t, [carryCalls({ engines: [() => engine], tools: callTools, drainMs: 100 })])
  })
  after(() => running?.stop())

  /** A call that is answered, and does what its list says. */
  async function answered(instructions: object[], as = t.main.testKey): Promise<string> {
    const callId = await startCall(t, to, { instructions }, as)
    await until(async () => legs.has(callId))
    leg(callId).happen({ type: 'answered' })
    return callId
  }
  const childOf = async (parentCallId: string) => {
    const { json } = await t.call('GET', `/v2/voice/calls?parentCallId=${parentCallId}`, { as: t.main.testKey })
    return json.data[0]
  }
  const eventOf = async (callId: string, type: string) =>
    until(async () => {
      const call = await callIn(t, callId, ['initiated', 'ringing', 'answered', ...over])
      return call.history.find(entry => entry.type === type)
    })
  const number = { type: 'number', number: premium }

  test('dial: the leg ends before it leaves, and history and events say why', async () => {
    for (const target of [number, { type: 'sip', uri: `sip:${premium}@carrier.example` }]) {
      const callId = await answered([{ verb: 'dial', targets: [target] }])
      const { details } = await eventOf(callId, 'call.destination_refused')
      assert.equal(details?.code, 'destination_premium')
      const child = await childOf(callId)
      assert.deepEqual([child.state, child.errorCode, child.sipCode], ['failed', 'destination_premium', 403])
      assert.equal(legs.has(child.callId), false, 'nobody was asked to dial it')
    }
  })

  test('dial counts: what one key starts stays within its ceiling, with all it dials', async () => {
    const { secret } = await keyWithPolicy(t, { concurrentCalls: 1 })
    const callId = await answered([{ verb: 'dial', targets: [{ type: 'number', number: '+15005550201' }] }], secret)
    const { details } = await eventOf(callId, 'call.destination_refused')
    assert.equal(details?.code, 'concurrent_calls_exceeded')
    assert.equal((await childOf(callId)).sipCode, 603)
  })

  test('transfer: neither called by us nor by the remote party that is sent there', async () => {
    for (const mode of ['blind', 'attended']) {
      const callId = await answered([{ verb: 'transfer', to: number, mode }, { verb: 'hangup' }])
      await eventOf(callId, 'call.transfer_failed')
      assert.deepEqual(
        leg(callId).asked.filter(asked => asked.startsWith('refer')),
        [],
      )
      assert.equal(
        [...legs.values()].some(other => other.call.to === premium),
        false,
      )
    }
  })

  test('REFER by a remote party, to a number or an address of one: refused with 403', async () => {
    for (const asked of [premium, `sip:${premium}@carrier.example`, `tel:${premium}`]) {
      const callId = await answered([{ verb: 'dial', targets: [{ type: 'number', number: '+15005550201' }] }])
      const child = await until(async () => childOf(callId))
      await until(async () => legs.has(child.callId))
      leg(child.callId).happen({ type: 'answered' })
      await eventOf(callId, 'call.bridged')
      let sipCode: number | undefined
      const settle = (code: number) => {
        sipCode = code
      }
      const before = new Set(legs.keys())
      leg(callId).happen({ type: 'transfer_requested', to: asked, replaces: null, settle })
      // Whatever comes first: the refusal, or a leg that was dialled where nobody may be called.
      const outcome = await until(async () => {
        const [, dialled] = [...legs].find(([id]) => !before.has(id)) ?? []
        return dialled === undefined ? sipCode : `dialled ${dialled.call.to}`
      })
      assert.equal(outcome, 403)
      await eventOf(child.callId, 'call.destination_refused')
      leg(callId).happen({ type: 'ended', cause: 'normal', by: 'callee' })
      await callIn(t, child.callId, over)
    }
  })

  test('a registered phone that dials: what comes in with a list of its own is refused the same', async () => {
    const scope = { tenantId: t.main.testTenantId, organizationId: t.main.organizationId }
    const dial = { verb: 'dial', targets: [number], answerOnBridge: true }
    const stored = await host().store(scope, {
      ...{ from: 'sip:desk@phones.test', to: premium, callerName: null, trunkId: null, mode: 'test' as const },
      handling: { callback_url: null, fallback_url: null, instructions: [dial] as never },
    })
    const call = { callId: stored.id, from, to: premium, callerName: null, timeoutSeconds: 60 }
    const phone = createTestLeg(call, () => Date.now())
    host().run(stored, phone)
    await until(async () => phone.asked.some(asked => asked.startsWith('reject')))
    assert.deepEqual(
      phone.asked.filter(asked => asked !== 'ring'),
      ['reject 403'],
    )
  })

  test('a text that instructions send', async () => {
    const callId = await answered([
      { verb: 'message', from: '+15005550006', to: premium, body: 'Hello' },
      { verb: 'pause', seconds: 5 },
    ])
    await eventOf(callId, 'call.message_failed')
    assert.deepEqual(
      await t.ownerSql(`select 1 from messages where to_address = $1 and body = 'Hello' and tenant_id = $2`, [
        premium,
        t.main.testTenantId,
      ]),
      [],
    )
  })
})

function until<T>(find: () => Promise<T>) {
  return eventually(String(find), find, { withinMs: 15_000 })
}
