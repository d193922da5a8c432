// How the contract test meets what calls to a number begin with.
import type { ModuleContract } from '../contract_types.ts'
import { keyWithPolicy } from '../destinations.ts'
import type { TestApp } from '../harness.ts'

let made = 0

async function ownNumber(t: TestApp, as = t.main.tokens.Admin) {
  const number = `+4930${String(60_000_000 + ++made)}`
  const { json } = await t.call('POST', '/v2/numbers', { as, body: { number } })
  return { params: { numberId: json.data.numberId as string } }
}

const foreign = (t: TestApp) => ownNumber(t, t.other.tokens.Admin)
const nobody = async () => ({ params: { numberId: 'num_01k9r7d3w2v8e6q4n5m1b0c9xz' } })

export const contract: ModuleContract = {
  'numbers.voice.get': { prepare: t => ownNumber(t), problems: { not_found: nobody }, foreign },
  'numbers.voice.set': {
    prepare: t => ownNumber(t),
    problems: {
      not_found: nobody,
      invalid_instructions: async t => ({ ...(await ownNumber(t)), body: { instructions: [{ verb: 'sing' }] } }),
      invalid_callback_url: async t => ({
        ...(await ownNumber(t)),
        body: { callbackUrl: 'http://169.254.169.254/latest/meta-data' },
      }),
      async caller_id_not_allowed(t) {
        await t.ownerSql(
          `insert into trunks (tenant_id, id, name, settings, routes)
           values ($1, 'trk_other', 'One', '{}', '[]') on conflict do nothing`,
          [t.other.liveTenantId],
        )
        const as = t.other.tokens.Admin
        const dial = { verb: 'dial', callerId: '+15550100009', targets: [{ type: 'number', number: '+15005550200' }] }
        return { ...(await ownNumber(t, as)), as, body: { instructions: [dial] } }
      },
      async scope_not_held(t) {
        const { secret } = await keyWithPolicy(t, { dailyCalls: 5 }, { mode: 'live' })
        return { ...(await ownNumber(t)), as: secret }
      },
    },
    foreign,
  },
}
