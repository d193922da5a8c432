// How the contract test meets the endpoints of messaging services.
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

let made = 0

async function newService(t: TestApp, as = t.main.tokens.Admin): Promise<{ serviceId: string }> {
  const { json } = await t.call('POST', '/v2/messages/services', { as, body: { name: `contract ${++made}` } })
  return { serviceId: json.data.serviceId }
}

/** A number that is a sender of some service already. */
async function takenNumber(t: TestApp): Promise<string> {
  const body = { number: `+4940${String(10_000_000 + ++made)}`, ...(await newService(t)) }
  const { json } = await t.call('POST', '/v2/numbers', { as: t.main.tokens.Admin, body })
  return json.data.numberId
}

const withService = async (t: TestApp) => ({ params: await newService(t) })
const foreign = async (t: TestApp) => ({ params: await newService(t, t.other.tokens.Admin) })
const nobody = async () => ({ params: { serviceId: 'msv_01k9r7d3w2v8e6q4n5m1b0c9xz' } })
const innerAddress = { callbackUrl: 'http://10.0.0.1/texts' }

export const contract: ModuleContract = {
  'messaging_services.create': {
    problems: {
      sender_in_service: async t => ({ body: { name: 'Two', senders: [await takenNumber(t)] } }),
      invalid_callback_url: async () => ({ body: { name: 'Inner', ...innerAddress } }),
    },
  },
  'messaging_services.list': {},
  'messaging_services.get': { prepare: withService, problems: { not_found: nobody }, foreign },
  'messaging_services.update': {
    prepare: withService,
    problems: {
      not_found: nobody,
      sender_in_service: async t => ({ ...(await withService(t)), body: { senders: [await takenNumber(t)] } }),
      invalid_callback_url: async t => ({ ...(await withService(t)), body: innerAddress }),
    },
    foreign,
  },
  'messaging_services.delete': { prepare: withService, problems: { not_found: nobody }, foreign },
}
