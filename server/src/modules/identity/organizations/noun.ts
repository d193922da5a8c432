// What organizations add to the vocabulary of the product: who may do what. Gathered by nouns.ts; imports
// nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'
import { everyone } from '../../../kernel/values/role.ts'

export const organization = declareNoun({
  permissions: {
    'organization:read': { allows: "Read the organization's settings.", roles: everyone },
    'organization:export': { allows: 'Have all that the organization has put into one archive.', roles: [] },
    'organization:close': { allows: 'Close the organization, and take that back; its owner alone.', roles: [] },
    'organization:update': { allows: "Change the organization's settings.", roles: [] },
  },
  events: {
    readWith: 'organization:read',
    types: {
      'organization.updated': 'The settings of the organization changed.',
      'organization.state_changed': 'The organization was suspended, resumed, is being closed, or was reopened.',
      'organization.export_asked': 'Somebody asked for an archive of all that the organization has.',
    },
  },
  problems: {
    owner_required: problem(
      403,
      'Owner required',
      'Only the owner of the organization may do this, and the caller is another member.',
      'Let the owner do it: `ownerUserId` of GET /v2/organization says who that is.',
    ),
    organization_state_conflict: problem(
      409,
      'Not in this state',
      'The organization is in a state in which this cannot be done.',
      'Read its state, and do what the message names.',
    ),
    closed_by_operator: problem(
      403,
      'Closed by the operator',
      'It is the operator of the installation who is closing the organization.',
      'Ask the operator to reopen it.',
    ),
    export_under_way: problem(
      409,
      'Export under way',
      'An archive of the organization is being made already.',
      'Wait until it is ready: GET /v2/organization/exports.',
    ),
    export_not_ready: problem(
      409,
      'Export not ready',
      'The archive is not made yet, could not be made, or was kept as long as archives are.',
      'Wait until its state is ready, or ask for another one.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    organization: typeof organization
  }
}
