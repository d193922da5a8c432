// Guards: a process that has not taken up the trunks of an organization yet lets their calls wait, no other engine gets them; calls that
// wait for the pace of a trunk do not ask for it all at once.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setPolicy } from '../../../test/destinations.ts'
import { addTrunk, sipEnv } from '../../../test/engines/sip_carrier.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import type { Admission } from '../../modules/voice/engine/index.ts'
import { sipDriver } from '../sip/driver.ts'
import { trunkEngine } from './engine.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({ env: sipEnv })
})
after(() => t.close())

test('calls of an organization wait for its trunks, and are carried otherwise where it has none', async () => {
  const { services } = t.app
  const engine = trunkEngine([sipDriver])(services)
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const call = { callId: 'call_1', from: '+15550100001', to: '+15550100002', callerName: null, timeoutSeconds: 30 }
  const ask = () =>
    services.db.inTenant(scope, async tx => ({
      serves: await engine.serves(tx, scope, 'trunk'),
      admissions: await engine.prepare(tx, scope, [call], 'live'),
    }))
  assert.equal((await ask()).serves, false)

  // A port that nobody listens at: no call gets so far.
  const trunkId = await addTrunk(t, 9)
  const { serves, admissions } = await ask()
  assert.deepEqual([serves, admissions[0]?.type], [true, 'wait'])

  const disabled = await t.call('PATCH', `/v2/voice/trunks/${trunkId}`, {
    as: t.main.tokens.Admin,
    body: { enabled: false },
  })
  assert.equal(disabled.status, 200, disabled.text)
  assert.equal((await ask()).serves, false)
})

test('a trunk whose destination policy is against a number is passed over; where all are, the call is refused', async () => {
  const { services } = t.app
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const trunkIds = [await addTrunk(t, 9), await addTrunk(t, 9)]
  const engine = trunkEngine([sipDriver])(services)
  await engine.start({ owner: 'node_1', store: async () => ({ id: '' }), run() {}, fail() {} })
  const call = { from: '+15550100001', to: '+15550100002', callerName: null, timeoutSeconds: 30 }
  const ask = async (callId: string) => {
    // What is stored of it is not wanted here.
    const asked = services.db.inTenant(scope, async tx => {
      const [admission] = await engine.prepare(tx, scope, [{ ...call, callId }], 'live')
      throw Object.assign(new Error('enough'), { admission })
    })
    const { admission } = await asked.then(assert.fail, error => error)
    return admission.type === 'dial' ? admission.trunkId : admission.cause
  }
  try {
    assert.ok(trunkIds.includes(await ask('call_open')))
    const [first, second] = trunkIds as [string, string]
    await setPolicy(t, first, { allowedCountries: ['DE'] }, t.main.tokens.Admin)
    for (let n = 0; n < 8; n++) assert.equal(await ask(`call_${n}`), second)
    await setPolicy(t, second, { blockedPrefixes: ['+1555'] }, t.main.tokens.Admin)
    assert.equal(await ask('call_shut'), 'destination_not_allowed')
  } finally {
    await engine.stop()
  }
})

test('calls that wait for a trunk ask again one after the other, and within half a minute however many they are', async () => {
  const { services } = t.app
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  await t.ownerSql('update trunks set enabled = false')
  const trunkId = await addTrunk(t, 9, { settings: { callsPerSecond: 5 } })
  const engine = trunkEngine([sipDriver])(services)
  await engine.start({ owner: 'node_1', store: async () => ({ id: '' }), run() {}, fail() {} })
  const call = { from: '+15550100001', to: '+15550100002', callerName: null, timeoutSeconds: 30 }
  // All three ask before one may start.
  const paces = `insert into trunk_paces (tenant_id, trunk_id, next_at) values ($1, $2, clock_timestamp() + interval '5 seconds')`
  await t.ownerSql(paces, [scope.tenantId, trunkId])
  const batch = (n: number) => Array.from({ length: 80 }, (_, k) => ({ ...call, callId: `call_${n}_${k}` }))
  const asked = services.db.inTenant(scope, async tx => {
    const admissions = []
    for (const n of [1, 2, 3]) admissions.push(await engine.prepare(tx, scope, batch(n), 'live'))
    // What is stored of them is not wanted here.
    throw Object.assign(new Error('enough'), { admissions })
  })
  try {
    const { admissions } = (await asked.then(assert.fail, error => error)) as { admissions: Admission[][] }
    const waits = admissions.flat().flatMap(one => (one.type === 'wait' ? one.ms : []))
    assert.equal(waits.length, 240)
    const [first = 0, ...others] = waits.slice(0, 115)
    assert.ok(first >= 1 && first <= 5_000, `${first} ms`)
    others.reduce((before, ms) => {
      assert.ok(ms > before + 100, `${ms} ms behind ${before} ms`)
      return ms
    }, first)
    const late = waits.slice(140)
    assert.ok(late.every(ms => ms > 14_000 && ms <= 30_000))
    assert.equal(new Set(late).size > late.length / 2, true)
  } finally {
    await engine.stop()
  }
})
