// How the contract test meets files on records.
import { newId } from '../../src/kernel/values/ids.ts'
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

async function onCompany(t: TestApp, as: string): Promise<ContractRequest> {
  const { json } = await t.call('POST', '/v1/api/companies', { as, body: { name: 'Holder' } })
  return { query: { record_id: json.company.id, name: 'offer.pdf' } }
}

async function attached(t: TestApp, as: string): Promise<ContractRequest> {
  const { query } = await onCompany(t, as)
  const headers = { 'content-type': 'application/octet-stream' }
  const url = `/v1/api/attachments?${new URLSearchParams(query as Record<string, string>)}`
  const { json } = await t.call('POST', url, { as, rawBody: '%PDF-1.7 An offer.', headers })
  return { params: { id: json.attachment.id } }
}

export const contract: ModuleContract = {
  'attachments.create': {
    prepare: t => onCompany(t, t.main.tokens.Admin),
    unknownField: 'unsupported_media_type',
    problems: {
      record_not_found: async () => ({ query: { record_id: newId('cmp'), name: 'offer.pdf' } }),
    },
  },
  'attachments.content': {
    prepare: t => attached(t, t.main.tokens.Admin),
    problems: {
      not_found: async () => ({ params: { id: newId('att') } }),
      async file_unreachable(t) {
        const request = await attached(t, t.main.tokens.Admin)
        await t.ownerSql("update attachment_files set storage_key = 'attachments/0/gone' where attachment_id = $1", [
          request.params!['id'],
        ])
        return request
      },
    },
    foreign: t => attached(t, t.other.tokens.Admin),
  },
}
