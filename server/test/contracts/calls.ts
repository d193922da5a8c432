// How the contract test meets the endpoints of calls.

import { newId } from '../../src/kernel/values/ids.ts'
import type { ModuleContract } from '../contract_types.ts'
import { keyWithPolicy } from '../destinations.ts'
import type { TestApp } from '../harness.ts'
import { startCall } from '../voice/calls.ts'

const from = '+15550100001'
const to = '+15005550200'
/** Digits only, and more than any number has: no country makes it one. */
const noNumber = '1234567890123456789012345'

async function ownCall(t: TestApp) {
  return { params: { callId: await startCall(t, to, {}, t.main.tokens.Admin) } }
}

/** The organization has a trunk, no calls that wait, and one number, which is another. */
async function withTrunk(t: TestApp) {
  await t.ownerSql(`delete from call_jobs where tenant_id = $1`, [t.other.liveTenantId])
  await t.ownerSql(
    `insert into trunks (tenant_id, id, name, settings, routes)
     values ($1, 'trk_other', 'One', '{}', '[]') on conflict do nothing`,
    [t.other.liveTenantId],
  )
  await t.call('POST', '/v2/numbers', { as: t.other.tokens.Admin, body: { number: from } })
  return { as: t.other.tokens.Admin, body: { from: '+15550100009', to } }
}

/** As many calls wait as the trunk begins in five minutes, and one more. */
async function withQueue(t: TestApp) {
  const { as } = await withTrunk(t)
  await t.ownerSql(
    `with made as (
       insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, changed_at)
       select $1, 'call_waiting' || n, 'outbound', $2, $3, 60, 60, now() from generate_series(0, 1500) n
       returning id)
     insert into call_jobs (tenant_id, call_id, kind) select $1, id, 'originate' from made`,
    [t.other.liveTenantId, from, to],
  )
  return { as, body: { from, to } }
}

/** A call that may not show the number its new instructions name. */
async function showsForeign(t: TestApp) {
  const { as, body } = await withTrunk(t)
  const callId = await startCall(t, to, {}, as)
  const instructions = [{ verb: 'dial', callerId: body.from, targets: [{ type: 'number', number: to }] }]
  return { as, params: { callId }, body: { instructions } }
}

async function missing() {
  return { params: { callId: newId('call') } }
}

async function foreign(t: TestApp) {
  return { params: { callId: await startCall(t, to, {}, t.other.tokens.Admin) } }
}

export const contract: ModuleContract = {
  'calls.create': {
    problems: {
      invalid_from_number: async () => ({ body: { from: noNumber, to } }),
      invalid_to_number: async () => ({ body: { from, to: noNumber } }),
      invalid_callback_url: async () => ({
        body: { from, to, callbackUrl: 'http://169.254.169.254/latest/meta-data' },
      }),
      invalid_instructions: async () => ({ body: { from, to, instructions: [{ verb: 'sing' }] } }),
      cps_queue_full: withQueue,
      caller_id_not_allowed: withTrunk,
      destination_not_allowed: async t => ({ as: (await keyWithPolicy(t, { allowedCountries: ['DE'] })).secret }),
      destination_premium: async () => ({ body: { from, to: '+19005551234' } }),
      concurrent_calls_exceeded: async t => ({ as: (await keyWithPolicy(t, { concurrentCalls: 0 })).secret }),
      daily_calls_exceeded: async t => ({ as: (await keyWithPolicy(t, { dailyCalls: 0 })).secret }),
    },
  },
  'calls.command': {
    prepare: ownCall,
    unknownField: 'invalid_instructions',
    problems: {
      not_found: missing,
      async call_not_active(t) {
        const request = await ownCall(t)
        await t.call('POST', `/v2/voice/calls/${request.params.callId}/hangup`, { as: t.main.tokens.Admin })
        return request
      },
      invalid_instructions: async t => ({ ...(await ownCall(t)), body: { verb: 'sing' } }),
      caller_id_not_allowed: showsForeign,
      async scope_not_held(t) {
        const { secret } = await keyWithPolicy(t, { dailyCalls: 5 })
        return { as: secret, params: { callId: await startCall(t, to) } }
      },
      command_not_allowed: async t => ({ ...(await ownCall(t)), body: { verb: 'mute' } }),
    },
    foreign,
  },
  'calls.test_inbound': {
    problems: {
      invalid_from_number: async () => ({ body: { from: noNumber, to } }),
      invalid_to_number: async () => ({ body: { from: '+15005550301', to: noNumber } }),
      async handset_not_in_use(t) {
        return { ...(await withTrunk(t)) }
      },
    },
  },
  'calls.get': { prepare: ownCall, problems: { not_found: missing }, foreign },
  'calls.update': { prepare: ownCall, problems: { not_found: missing }, foreign },
  'calls.hangup': {
    prepare: ownCall,
    problems: {
      not_found: missing,
      async call_not_active(t) {
        const request = await ownCall(t)
        await t.call('POST', `/v2/voice/calls/${request.params.callId}/hangup`, { as: t.main.tokens.Admin })
        return request
      },
    },
    foreign,
  },
}
