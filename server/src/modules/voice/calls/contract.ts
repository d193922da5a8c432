// How the contract test meets the endpoints of calls.
import type { ModuleContract } from '../../../../test/contract_types.ts'
import type { TestApp } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/ids.ts'
import { startCall } from './testing.ts'

const from = '+15550100001'
const to = '+15005550200'
/** Digits only, and more than any number has: no country makes it one. */
const noNumber = '1234567890123456789012345'

async function ownCall(t: TestApp) {
  return { params: { callId: await startCall(t, to, {}, t.main.tokens.Admin) } }
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
    },
  },
  'calls.get': { prepare: ownCall, problems: { not_found: missing }, foreign },
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
