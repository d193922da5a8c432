// How the contract test meets the status of the server.
import type { ModuleContract } from '../contract_types.ts'
import { operatorToken } from '../operators.ts'

export const contract: ModuleContract = {
  'status.get': {},
  'operator_status.get': { prepare: async t => ({ as: await operatorToken(t, 'support') }) },
}
