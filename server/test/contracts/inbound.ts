// How the contract test meets the endpoint of inbound texts.

import { newId } from '../../src/kernel/values/ids.ts'
import type { ModuleContract } from '../contract_types.ts'

const text = { from: '+15005550100', to: '+15005550006', body: 'Hello' }

export const contract: ModuleContract = {
  'messages.test_inbound': {
    problems: {
      // Digits only, and more than any number has: no country makes it one.
      invalid_from_number: async () => ({ body: { ...text, from: '1234567890123456789012345' } }),
      invalid_to_number: async () => ({ body: { ...text, to: 'ACME' } }),
      async handset_not_in_use(t) {
        // In the other organization, so that it is in use for the rest of the test.
        await t.ownerSql(
          `insert into carriers (tenant_id, id, kind, name, settings, routes, currency, enabled)
           values ($1, $2, 'smpp', 'contract', '{}', '[]', 'USD', false)`,
          [t.other.liveTenantId, newId('car')],
        )
        return { body: text, as: t.other.tokens.Admin }
      },
    },
  },
}
