// How the contract test meets the endpoints of opt-outs.
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

let made = 0

async function newOptOut(t: TestApp, as = t.main.tokens.Admin): Promise<{ optOutId: string }> {
  const body = { scope: '+15005550006', recipient: `+4950${String(10_000_000 + ++made)}` }
  const { json } = await t.call('POST', '/v2/messages/opt-outs', { as, body })
  return { optOutId: json.data.optOutId }
}

const withOptOut = async (t: TestApp) => ({ params: await newOptOut(t) })
const scope = 'msv_01k9r7d3w2v8e6q4n5m1b0c9xz'

export const contract: ModuleContract = {
  'opt_outs.list': { problems: { invalid_to_number: async () => ({ query: { recipient: '12345678901234567890' } }) } },
  'opt_outs.create': {
    // Of a recipient who opted out before, what is known is answered, and nothing happens.
    prepare: async () => ({ body: { scope: '+15005550006', recipient: `+4950${String(10_000_000 + ++made)}` } }),
    problems: {
      service_not_found: async () => ({ body: { scope, recipient: '+15005550110' } }),
      invalid_to_number: async () => ({ body: { scope: '+15005550006', recipient: '12345678901234567890' } }),
    },
  },
  'opt_outs.delete': {
    prepare: withOptOut,
    problems: { not_found: async () => ({ params: { optOutId: 'opt_01k9r7d3w2v8e6q4n5m1b0c9xz' } }) },
    foreign: async t => ({ params: await newOptOut(t, t.other.tokens.Admin) }),
  },
}
