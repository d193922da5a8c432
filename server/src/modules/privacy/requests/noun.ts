// What requests of persons add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const privacyRequest = declareNoun({
  permissions: {
    'privacy_requests:read': {
      allows: 'See which persons asked for their data or its erasure, and what became of it.',
      roles: [],
    },
    'privacy_requests:create': {
      allows: 'Export all that is known of a person, or erase it for good.',
      roles: [],
    },
  },
  events: {
    readWith: 'privacy_requests:read',
    types: {
      'privacy_request.created': 'Somebody asked to export or to erase what is known of a person.',
      'privacy_request.completed': 'What is known of a person was exported or erased.',
      'privacy_request.failed': 'What is known of a person could not be exported or erased.',
    },
  },
  problems: {
    privacy_request_under_way: problem(
      409,
      'Request under way',
      'There is a request of the same kind for this person that is not finished.',
      'Wait until it is: GET /v2/privacy/requests lists them.',
    ),
    privacy_export_not_ready: problem(
      409,
      'Archive not ready',
      'The archive is not made yet, could not be made, was kept as long as archives are, or the request was an erasure.',
      'Wait until the state of the export is completed, or ask for another one.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    privacyRequest: typeof privacyRequest
  }
}
