// How the contract test meets the endpoints that verify numbers. Its first organization is the operator: its carrier brings
// the codes, and they are read where they were taken in.
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

let made = 0

async function newNumber(t: TestApp, as = t.main.tokens.Admin) {
  const number = `+4930${String(70_000_000 + ++made)}`
  const { json } = await t.call('POST', '/v2/numbers', { as, body: { number } })
  return { number, params: { numberId: json.data.numberId as string } }
}

const withNumber = async (t: TestApp) => ({ params: (await newNumber(t)).params })
const foreign = async (t: TestApp) => ({ params: (await newNumber(t, t.other.tokens.Admin)).params })
const nobody = async () => ({ params: { numberId: 'num_01k9r7d3w2v8e6q4n5m1b0c9xz' } })
const testNumber = async (t: TestApp) => ({ as: t.main.testKey, params: (await newNumber(t, t.main.testKey)).params })

/** The operator texts: it has a carrier, and a sender. */
async function withCarrier(t: TestApp): Promise<void> {
  await t.ownerSql(
    `insert into carriers (tenant_id, id, kind, name, settings, routes, currency)
     values ($1, 'car_codes', 'smpp', 'Codes', '{}', '[{"prefix":""}]', 'USD') on conflict do nothing`,
    [t.main.liveTenantId],
  )
  await newNumber(t)
}

/** A number that a code was texted to, and the code. */
export async function askedFor(t: TestApp, as = t.main.tokens.Admin) {
  await withCarrier(t)
  // More are asked for here than an organization may in a day.
  await t.ownerSql('delete from number_code_requests')
  const { number, params } = await newNumber(t, as)
  const asked = await t.call('POST', `/v2/numbers/${params.numberId}/verification`, { as, body: { method: 'text' } })
  if (asked.status !== 200) throw new Error(asked.text)
  return { number, params, code: await codeTo(t, number) }
}

/** The code of the last text to a number. */
export async function codeTo(t: TestApp, number: string): Promise<string> {
  const [row] = await t.ownerSql<{ body: string }>(
    'select body from messages where to_address = $1 order by id desc limit 1',
    [number],
  )
  return /^\d{6}/.exec(row?.body ?? '')?.[0] ?? 'no code'
}

const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

export const contract: ModuleContract = {
  'numbers.verification.send': {
    async prepare(t) {
      await withCarrier(t)
      return withNumber(t)
    },
    problems: {
      not_found: nobody,
      number_verification_unneeded: testNumber,
      async number_verification_limited(t) {
        await withCarrier(t)
        const { params } = await newNumber(t)
        const as = t.main.tokens.Admin
        const body = { method: 'text' }
        for (let n = 0; n < 5; n++) await t.call('POST', `/v2/numbers/${params.numberId}/verification`, { as, body })
        return { params }
      },
      // Nobody called by the operator: it has no trunk.
      number_verification_unavailable: async t => ({ ...(await withNumber(t)), body: { method: 'call' } }),
    },
    foreign,
  },
  'numbers.verification.confirm': {
    async prepare(t) {
      const { params, code } = await askedFor(t)
      return { params, body: { code } }
    },
    problems: {
      not_found: nobody,
      number_verification_unneeded: testNumber,
      number_verification_expired: withNumber,
      async number_verification_wrong_code(t) {
        const { params, code } = await askedFor(t)
        return { params, body: { code: wrong(code) } }
      },
      async number_held(t) {
        const { number, params, code } = await askedFor(t)
        const as = t.other.tokens.Admin
        const theirs = await t.call('POST', '/v2/numbers', { as, body: { number } })
        await t.ownerSql(
          `update numbers set ownership = case id when $1 then 'contested' else ownership end where address = $2`,
          [params.numberId, number],
        )
        await t.ownerSql("update numbers set ownership = 'verified' where id = $1", [theirs.json.data.numberId])
        return { params, body: { code } }
      },
    },
    foreign,
  },
}
