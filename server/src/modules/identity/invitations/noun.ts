// What invitations add to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const invitation = declareNoun({
  events: {
    readWith: 'users:manage',
    types: {
      'invitation.created': 'Somebody was invited to become a member.',
      'invitation.accepted': 'Somebody who was invited became a member.',
      'invitation.declined': 'Somebody who was invited does not want to become a member.',
      'invitation.revoked': 'An invitation was taken back.',
      'invitation.renewed': 'The mail of an invitation was sent again.',
    },
  },
  problems: {
    invitation_expired: problem(
      410,
      'Invitation over',
      'The invitation was answered already, was taken back, is older than seven days, who invited may not do so any more, or its link is not complete.',
      'Ask who invited you for another one.',
    ),
    invitation_for_other_address: problem(
      403,
      'Invitation of somebody else',
      'The invitation is for another address than that of the account that is logged in.',
      'Log out and answer with the account of that address, or ask for an invitation to your own.',
    ),
    invitation_needs_login: problem(
      409,
      'Account exists',
      'The address of the invitation has an account already, and nobody is logged in with it.',
      'Log in with that account and accept once more, with its access token.',
    ),
    invitation_decided: problem(
      409,
      'Invitation answered',
      'The invitation was accepted, declined or taken back already.',
      'Make another one.',
    ),
    already_invited: problem(
      409,
      'Invited already',
      'An invitation of this address waits for its answer.',
      'Send it again with POST /v2/invitations/{invitationId}/resend, or revoke it and make another one.',
    ),
    resend_limit_reached: problem(
      409,
      'Sent again too often',
      'The mail of the invitation was sent again five times.',
      'Hand the link to the person by another way, or revoke the invitation and make another one.',
    ),
    already_member: problem(
      409,
      'Member already',
      'The person is a member of the organization.',
      'Change what they may do with PATCH /v1/api/users/{id}.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    invitation: typeof invitation
  }
}
