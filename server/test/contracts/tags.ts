// How the contract test meets tags on records.
import { newId } from '../../src/kernel/values/ids.ts'
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

async function taggable(t: TestApp): Promise<{ record: string; tag: string }> {
  const as = t.main.tokens.Admin
  const company = await t.call('POST', '/v1/api/companies', { as, body: { name: 'To be tagged' } })
  const tag = await t.call('POST', '/v1/api/tags', { as, body: { name: `Tag ${company.json.company.id}` } })
  return { record: company.json.company.id, tag: tag.json.tag.id }
}

export const contract: ModuleContract = {
  'tags.assign': {
    async prepare(t): Promise<ContractRequest> {
      const { record, tag } = await taggable(t)
      return { body: { record_ids: [record], add: [tag] } }
    },
    problems: {
      tag_not_found: async t => ({ body: { record_ids: [(await taggable(t)).record], add: [newId('tag')] } }),
    },
  },
  'tags.assigned': {},
  'tags.counts': {},
}
