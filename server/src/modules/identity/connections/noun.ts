// What single sign-on adds to the vocabulary of the product. Gathered by nouns.ts; imports nothing but the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const ssoConnection = declareNoun({
  events: {
    readWith: 'sso:manage',
    types: {
      'sso_connection.created': 'An identity provider was set up.',
      'sso_connection.updated': 'An identity provider was changed, tested, switched on, enforced or switched off.',
      'sso_connection.deleted': 'An identity provider was removed, with what it called people.',
    },
  },
  problems: {
    sso_required: problem(
      403,
      'Single sign-on required',
      'The organization lets its people in by its identity provider only.',
      'Open the address of `ssoUrl` in a browser, or ask an Admin.',
    ),
    sso_misconfigured: problem(
      422,
      'Identity provider not reachable or wrong',
      'What the identity provider answers is not what the connection says, or it cannot be reached.',
      'Compare issuer, client id and secret with those of the provider, and run the test: its log says what was wrong.',
    ),
    sso_state_not_allowed: problem(
      409,
      'Not in this state',
      'The connection is in a state that does not lead to the one asked for: it is tested first, then switched on, then enforced.',
      'Run the test of the connection (POST /v2/organization/sso-connections/{connectionId}/test), or switch it on first.',
    ),
    sso_connection_active: problem(
      409,
      'Another connection is in use',
      'People are sent to one identity provider, and another connection is active.',
      'Disable the other one first (PATCH with `status: "disabled"`).',
    ),
    too_many_connections: problem(
      409,
      'Too many connections',
      'An organization has at most 10 identity providers.',
      'Delete a connection that is not used, then add the new one.',
    ),
    sso_session: problem(
      403,
      'Session of single sign-on',
      'The session was opened by the identity provider of one organization, which speaks for that organization only.',
      'Log in to the other organization with its own way.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    ssoConnection: typeof ssoConnection
  }
}
