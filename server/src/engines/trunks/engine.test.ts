// A process that has not taken up the trunks of an organization yet lets their calls wait: no other engine gets them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setPolicy } from '../../../test/destinations.ts'
import { addTrunk, sipEnv } from '../../../test/engines/sip_carrier.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
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
