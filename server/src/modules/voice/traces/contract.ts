// How the contract test meets the endpoint of traces.
import type { ModuleContract } from '../../../../test/contract_types.ts'
import type { TestApp } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/ids.ts'
import { startCall } from '../calls/testing.ts'

const to = '+15005550200'
const own = async (t: TestApp) => ({ params: { callId: await startCall(t, to, {}, t.main.tokens.Admin) } })

export const contract: ModuleContract = {
  'calls.trace': {
    prepare: own,
    problems: { not_found: async () => ({ params: { callId: newId('call') } }) },
    foreign: async t => ({ params: { callId: await startCall(t, to, {}, t.other.tokens.Admin) } }),
  },
}
