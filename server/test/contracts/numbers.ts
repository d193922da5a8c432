// How the contract test meets the endpoints of numbers.
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

let made = 0
/** A number that no other request of the test uses. */
const freshNumber = () => `+4930${String(10_000_000 + ++made)}`

async function newNumber(t: TestApp, as = t.main.tokens.Admin): Promise<{ numberId: string }> {
  const { json } = await t.call('POST', '/v2/numbers', { as, body: { number: freshNumber() } })
  return { numberId: json.data.numberId }
}

const withNumber = async (t: TestApp) => ({ params: await newNumber(t) })
const foreign = async (t: TestApp) => ({ params: await newNumber(t, t.other.tokens.Admin) })
const nobody = async () => ({ params: { numberId: 'num_01k9r7d3w2v8e6q4n5m1b0c9xz' } })
const noService = { serviceId: 'msv_01k9r7d3w2v8e6q4n5m1b0c9xz' }
const innerAddress = { callbackUrl: 'http://10.0.0.1/texts' }

export const contract: ModuleContract = {
  'numbers.create': {
    prepare: async () => ({ body: { number: freshNumber(), label: 'Front desk' } }),
    problems: {
      invalid_from_number: async () => ({ body: { number: '1234567890123456789012345' } }),
      async number_taken(t) {
        const number = freshNumber()
        await t.call('POST', '/v2/numbers', { as: t.main.tokens.Admin, body: { number } })
        return { body: { number } }
      },
      service_not_found: async () => ({ body: { number: freshNumber(), ...noService } }),
      invalid_callback_url: async () => ({ body: { number: freshNumber(), ...innerAddress } }),
    },
  },
  'numbers.list': {},
  // What is no telephone number is answered alike, whatever it is.
  'numbers.lookup': {
    problems: { not_found: async () => ({ params: { number: 'not-a-number' } }) },
    foreign: async () => ({ params: { number: 'not-a-number' } }),
  },
  'numbers.get': { prepare: withNumber, problems: { not_found: nobody }, foreign },
  'numbers.update': {
    prepare: withNumber,
    problems: {
      not_found: nobody,
      service_not_found: async t => ({ ...(await withNumber(t)), body: noService }),
      invalid_callback_url: async t => ({ ...(await withNumber(t)), body: innerAddress }),
    },
    foreign,
  },
  'numbers.delete': { prepare: withNumber, problems: { not_found: nobody }, foreign },
}
