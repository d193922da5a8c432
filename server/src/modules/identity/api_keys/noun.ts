// What API keys add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const apiKey = declareNoun({
  permissions: {
    'keys:read': { allows: 'List API keys (an Admin sees all, others their own).', roles: everyone },
    'keys:manage': {
      allows: 'Create, rotate and revoke API keys (never with more rights than one holds).',
      roles: everyone,
    },
  },
  events: {
    // A list of keys shows others than Admins their own; an event is seen by all or none of them.
    readWith: 'users:manage',
    types: {
      'api_key.created': 'An API key was created.',
      'api_key.rotated': 'An API key was replaced by another and ends, at once or after the overlap.',
      'api_key.revoked': 'An API key was revoked.',
    },
  },
  problems: {
    too_many_keys: problem(
      409,
      'Too many API keys',
      'A user has at most 50 API keys that work in a mode; rotated ones count until they end.',
      'Revoke keys that nothing uses (DELETE /v2/auth/api-keys/{keyId}), then create the new one.',
    ),
    key_not_active: problem(
      409,
      'Key not active',
      'The API key is revoked or expired, so it can be neither rotated nor used.',
      'Create a new key.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    apiKey: typeof apiKey
  }
}
