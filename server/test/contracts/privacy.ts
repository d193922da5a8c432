// How the contract test meets requests of persons and legal holds. Nothing is exported or erased there: no worker runs.
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

let made = 0

/** A lead of a person whom nobody else is; earlier holds are released, as one on the organization keeps everybody. */
async function person(t: TestApp, as = t.main.tokens.Admin): Promise<{ recordId: string; name: string }> {
  await t.ownerSql('update legal_holds set released_at = now(), released_by = placed_by where released_at is null')
  const name = `Contract Person ${++made}`
  const { json } = await t.call('POST', '/v1/api/leads', { as, body: { name, email: `person${made}@example.com` } })
  return { recordId: `lead:${json.lead.id}`, name }
}

const reason = 'Asked for by letter of 20 November.'

async function newRequest(t: TestApp, as = t.main.tokens.Admin): Promise<ContractRequest> {
  const { recordId } = await person(t, as)
  const { json } = await t.call('POST', '/v2/privacy/requests', { as, body: { kind: 'export', recordId, reason } })
  return { params: { privacyRequestId: json.data.privacyRequestId } }
}

/** One whose archive is there. */
async function ready(t: TestApp, as = t.main.tokens.Admin): Promise<ContractRequest> {
  const request = await newRequest(t, as)
  const { current } = t.app.services.objects
  const key = `privacy/contract/${request.params!['privacyRequestId']}.tar.gz`
  const { size, sha256 } = await current.put(
    key,
    (async function* () {
      yield Buffer.from('archive')
    })(),
  )
  await t.ownerSql(
    `update privacy_requests set state = 'completed', finished_at = now(), storage = $2, storage_key = $3, size_bytes = $4, sha256 = $5,
       expires_at = now() + interval '7 days' where id = $1`,
    [request.params!['privacyRequestId'], current.name, key, size, sha256],
  )
  return request
}

async function newHold(t: TestApp, as = t.main.tokens.Admin): Promise<ContractRequest> {
  const { recordId } = await person(t, as)
  const { json } = await t.call('POST', '/v2/privacy/holds', { as, body: { recordId, reason } })
  return { params: { holdId: json.data.holdId } }
}

const nobody = async () => ({ params: { privacyRequestId: 'dsr_01k9r7d3w2v8e6q4n5m1b0c9xy' } })
const nothing = async () => ({ params: { holdId: 'lgh_01k9r7d3w2v8e6q4n5m1b0c9xy' } })

export const contract: ModuleContract = {
  'privacy_requests.create': {
    prepare: async t => ({ body: { kind: 'export', recordId: (await person(t)).recordId, reason } }),
    problems: {
      not_found: async () => ({ body: { kind: 'export', recordId: 'lead:999999999', reason } }),
      legal_hold: async t => {
        const { recordId, name } = await person(t)
        await t.call('POST', '/v2/privacy/holds', { as: t.main.tokens.Admin, body: { recordId, reason } })
        return { body: { kind: 'erasure', recordId, confirm: name, reason } }
      },
      privacy_request_under_way: async t => {
        const body = { kind: 'export', recordId: (await person(t)).recordId, reason }
        await t.call('POST', '/v2/privacy/requests', { as: t.main.tokens.Admin, body })
        return { body }
      },
    },
  },
  'privacy_requests.list': {},
  'privacy_requests.get': {
    prepare: t => newRequest(t),
    problems: { not_found: nobody },
    foreign: t => newRequest(t, t.other.tokens.Admin),
  },
  'privacy_requests.download': {
    prepare: t => ready(t),
    problems: { not_found: nobody, privacy_export_not_ready: t => newRequest(t) },
    foreign: t => ready(t, t.other.tokens.Admin),
  },
  'legal_holds.place': {
    prepare: async t => ({ body: { recordId: (await person(t)).recordId, reason } }),
    problems: {
      not_found: async () => ({ body: { recordId: 'lead:999999999', reason } }),
      live_mode_required: async t => ({ as: t.main.testKey }),
    },
  },
  'legal_holds.list': {},
  'legal_holds.release': {
    prepare: t => newHold(t),
    problems: {
      not_found: nothing,
      hold_released: async t => {
        const request = await newHold(t)
        await t.call('POST', `/v2/privacy/holds/${request.params!['holdId']}/release`, { as: t.main.tokens.Admin })
        return request
      },
      live_mode_required: async t => ({ ...(await newHold(t)), as: t.main.testKey }),
    },
    foreign: t => newHold(t, t.other.tokens.Admin),
  },
}
