// How the contract test meets the endpoints of destination policies.

import { newId } from '../../src/kernel/values/ids.ts'
import type { ModuleContract } from '../contract_types.ts'
import { keyWithPolicy } from '../destinations.ts'
import type { TestApp } from '../harness.ts'

const missing = async () => ({ params: { policy: newId('key') } })
/** A key of the other organization that has a policy. */
const foreign = async (t: TestApp) => ({
  params: { policy: (await keyWithPolicy(t, { dailyCalls: 5 }, { mode: 'live', of: t.other })).keyId },
})
/** A key that a policy limits. */
const limited = async (t: TestApp) => ({
  params: { policy: 'organization' },
  as: (await keyWithPolicy(t, { dailyCalls: 5 })).secret,
})

/** A key of one's own: what holds for the organization is left as it is. */
const ownKey = async (t: TestApp) => ({
  params: { policy: (await keyWithPolicy(t, { dailyCalls: 5 }, { mode: 'live' })).keyId },
})

export const contract: ModuleContract = {
  'destination_policies.list': {},
  'destination_policies.get': { prepare: ownKey, problems: { not_found: missing }, foreign },
  'destination_policies.update': {
    prepare: ownKey,
    problems: { not_found: missing, scope_not_held: limited },
    foreign,
  },
  'destination_policies.delete': {
    prepare: ownKey,
    problems: { not_found: missing, scope_not_held: limited },
    foreign,
  },
  'destinations.check': {
    problems: {
      not_found: async () => ({ body: { to: '+19005551234', keyId: newId('key') } }),
      invalid_to_number: async () => ({ body: { to: 'nobody' } }),
    },
  },
}
