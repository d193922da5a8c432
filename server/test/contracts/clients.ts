// How the contract test meets the endpoints of phones in browsers.

import { newId } from '../../src/kernel/values/ids.ts'
import { sampleOffer } from '../../src/modules/voice/clients/schemas.ts'
import type { ModuleContract } from '../contract_types.ts'
import { keyWithPolicy } from '../destinations.ts'
import type { TestApp, TestOrganization } from '../harness.ts'
import { startCall } from '../voice/calls.ts'

const sdp = sampleOffer
const to = '+15005550200'
/** Digits only, and more than any number has: no country makes it one. */
const noNumber = '1234567890123456789012345'

/** A call that rings a browser of the Admin. */
async function ringing(t: TestApp, { users, tokens, liveTenantId }: TestOrganization = t.main) {
  const callId = await startCall(t, to, {}, tokens.Admin)
  await t.ownerSql(`insert into client_legs (tenant_id, call_id, identity, kind) values ($1, $2, $3, 'rings')`, [
    liveTenantId,
    callId,
    users.Admin.email,
  ])
  return { params: { callId } }
}

async function over(t: TestApp) {
  const request = await ringing(t)
  await t.call('POST', `/v2/voice/calls/${request.params.callId}/hangup`, { as: t.main.tokens.Admin })
  return request
}

async function taken(t: TestApp) {
  const request = await ringing(t)
  await t.ownerSql('update client_legs set taken_at = now() where call_id = $1', [request.params.callId])
  return request
}

const missing = async () => ({ params: { callId: newId('call') } })
const foreign = (t: TestApp) => ringing(t, t.other)

/** The other organization has a trunk, and a number that is not the one asked for. */
async function withTrunk(t: TestApp): Promise<string> {
  await t.ownerSql(
    `insert into trunks (tenant_id, id, name, settings, routes)
     values ($1, 'trk_client', 'One', '{}', '[]') on conflict do nothing`,
    [t.other.liveTenantId],
  )
  return t.other.tokens.Admin
}

export const contract: ModuleContract = {
  'client_tokens.create': {
    prepare: async () => ({ body: {} }),
    problems: {
      insufficient_role: async t => ({
        as: t.main.tokens['Sales Executive'],
        body: { identity: t.main.users.Admin.email },
      }),
    },
  },
  'client_stream.open': {
    problems: {
      too_many_streams: async t => {
        const as = t.other.tokens['Sales Manager']
        const headers = { authorization: `Bearer ${as}` }
        for (let opened = 0; opened < 20; opened++)
          await t.app.http.inject({ method: 'GET', url: '/v2/voice/client-stream', headers, payloadAsStream: true })
        return { as }
      },
      handset_not_in_use: async t => ({ as: await withTrunk(t), query: { number: '+15005550123' } }),
    },
  },
  'client_calls.create': {
    prepare: async () => ({ body: { to, sdp } }),
    problems: {
      invalid_offer: async () => ({ body: { to, sdp: 'v=0 and nothing that follows' } }),
      invalid_to_number: async () => ({ body: { to: noNumber, sdp } }),
      invalid_from_number: async () => ({ body: { to, from: noNumber, sdp } }),
      invalid_callback_url: async () => ({
        body: { sdp, callbackUrl: 'http://169.254.169.254/latest/meta-data' },
      }),
      invalid_instructions: async () => ({ body: { sdp, instructions: [{ verb: 'sing' }] } }),
      caller_id_not_allowed: async t => ({ as: await withTrunk(t), body: { to, from: '+15550100009', sdp } }),
      handset_not_in_use: async t => ({ as: await withTrunk(t), body: { to, number: '+15005550123', sdp } }),
      destination_not_allowed: async t => ({
        as: (await keyWithPolicy(t, { allowedCountries: ['DE'] })).secret,
        body: { to, sdp },
      }),
      destination_premium: async () => ({ body: { to: '+19005551234', sdp } }),
    },
  },
  'client_calls.answer': {
    prepare: ringing,
    problems: {
      not_found: missing,
      call_not_active: over,
      call_taken: taken,
      invalid_offer: async t => ({ ...(await ringing(t)), body: { sdp: 'v=0 and nothing that follows' } }),
    },
    foreign,
  },
  'client_calls.reject': {
    prepare: ringing,
    problems: { not_found: missing, call_not_active: over, call_taken: taken },
    foreign,
  },
  'client_calls.hangup': {
    prepare: ringing,
    problems: { not_found: missing, call_not_active: over },
    foreign,
  },
}
