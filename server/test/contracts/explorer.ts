// How the contract test meets the Explorer's endpoints.
import type { ModuleContract } from '../contract_types.ts'

export const contract: ModuleContract = {
  'catalog.get': {
    problems: { not_found: async () => ({ params: { endpointId: 'no.such.endpoint' } }) },
  },
}
