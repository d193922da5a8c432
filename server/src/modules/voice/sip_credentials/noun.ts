// What SIP credentials add to the vocabulary of the product: who may do what, what happens, what can go wrong. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const sipCredential = declareNoun({
  permissions: {
    'sip_credentials:read': {
      allows: 'List SIP credentials and the phones that are registered with them.',
      roles: ['Sales Manager'],
    },
    'sip_credentials:manage': { allows: 'Add, change and remove SIP credentials.', roles: [] },
  },
  events: {
    readWith: 'sip_credentials:read',
    types: {
      'sip_credential.created': 'A SIP credential was created.',
      'sip_credential.updated': 'The settings or the password of a SIP credential changed.',
      'sip_credential.deleted': 'A SIP credential was deleted.',
    },
  },
  problems: {
    too_many_sip_credentials: problem(
      409,
      'Too many SIP credentials',
      'There are 1,000 SIP credentials, as many as there may be.',
      'Remove one whose phone is not used any more, with DELETE /v2/voice/sip-credentials/{credentialId}.',
    ),
    sip_username_taken: problem(
      409,
      'User name taken',
      'Another SIP credential has this user name.',
      'Choose another user name, or remove the credential that has it.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    sipCredential: typeof sipCredential
  }
}
