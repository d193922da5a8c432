// How the contract test meets the endpoint of traces.

import { newId } from '../../src/kernel/values/ids.ts'
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { startCall } from '../voice/calls.ts'

const to = '+15005550200'
const own = async (t: TestApp) => ({ params: { callId: await startCall(t, to, {}, t.main.tokens.Admin) } })

export const contract: ModuleContract = {
  'calls.trace': {
    prepare: own,
    problems: { not_found: async () => ({ params: { callId: newId('call') } }) },
    foreign: async t => ({ params: { callId: await startCall(t, to, {}, t.other.tokens.Admin) } }),
  },
}
