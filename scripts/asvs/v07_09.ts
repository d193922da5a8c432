// Answers to the chapters 7 to 9 of ASVS: sessions, authorization, tokens.
import { type Chapter, met, metSo, open } from './answer.ts'
import { security, tests as t } from './files.ts'

const documented = [security, '## Sessions'] as const
const ends = [t.login, 'a session ends after 14 idle days, and after 90 days however busy'] as const
const policy = [t.people, 'sessions end as soon as the organization wants, and go on from its addresses only'] as const
const byAdmin = [
  t.members,
  'an Admin ends sessions of this organization only, and resets factors of no shared account',
] as const
const rights = [security, '## Who may do what'] as const
const roles = [t.contract, 'every role gets what the catalog says'] as const
const scopes = [t.contract, 'every scope gets what the catalog says'] as const
const foreign = [
  t.escapes,
  'ids of another organization in every place of every request, and its rows in every table',
] as const
const unnamed = [t.http, 'what the schema does not name cannot leak'] as const
const edited = [t.tokens, 'an edited token is refused, whatever part was edited'] as const
const claims = [
  t.tokens,
  'a token of another key, issuer, audience or kind is refused; headers that name keys are ignored',
] as const
const kinds = [t.attacks, 'a token is taken for what it is, and for nothing else'] as const

const sessions: Chapter = {
  number: 7,
  name: 'Sessions',
  answers: [
    met('7.1.1', 'Lives of sessions are documented', documented),
    met('7.1.2', 'How many at once is documented', documented, [
      t.signingIn,
      'beyond fifty logins the one used longest ago ends, and no other',
    ]),
    met('7.1.3', 'Sessions and providers are documented', documented, ['docs/sso.md', '## Whose login it is']),
    met('7.2.1', 'The server checks tokens of sessions', edited, [t.login, 'tokens that are not ours are refused']),
    met('7.2.2', 'Tokens are made for each session', [
      t.login,
      'rotates: each answer brings a new access token and the next refresh token',
    ]),
    met(
      '7.2.3',
      'Tokens of reference are random',
      ['server/src/kernel/values/ids.test.ts', 'random tokens are base64url of the asked size and never repeat'],
      [t.sources, 'what must not be guessed is drawn by the system, with 128 bits and more'],
    ),
    metSo(
      '7.2.4',
      'Another token at each authentication',
      'A login opens a session of its own and ends the one that the browser had. A fresh proof gives the session other tokens; those of before are taken for 20 seconds more (ADR 69).',
      [t.session, 'in place of another login ends that one'],
      [
        t.session,
        'a fresh proof changes both cookies at once, however short ago they changed, and ends the tokens of before',
      ],
      [t.proof, 'a fresh proof opens the session that was refused, and gives it other tokens: those of before end'],
      [t.portalAccount, 'what is worth a fresh proof asks for it, and is then done by itself'],
    ),
    met('7.3.1', 'Sessions end without use', ends, policy),
    met('7.3.2', 'Sessions end in any case', ends, policy),
    met(
      '7.4.1',
      'What ended is of no more use',
      [t.login, 'logout ends access and refresh token on every node; with an API key nothing ends'],
      [t.session, 'logging out ends both sessions on every node, and clears the cookies'],
    ),
    met(
      '7.4.2',
      'Sessions end with the account',
      [t.users, 'another role, a new password or disabling ends sessions; a name or e-mail does not'],
      [t.members, 'sessions, keys and invitations of who was removed end at once, and they cannot log in'],
    ),
    met(
      '7.4.3',
      'Other sessions can be ended when a factor changes',
      [t.people, 'changes with the present one, is long enough, and ends all other sessions'],
      [t.people, 'other sessions have not proved a factor that was just added'],
      [t.portalAccount, 'other sessions are seen and ended; the password is changed with the present one'],
    ),
    met('7.4.4', 'Logging out is offered on all pages', [
      t.portalSession,
      'logging out ends the session here, in other tabs, and on the server',
    ]),
    met('7.4.5', 'Admins end sessions', byAdmin),
    met(
      '7.5.1',
      'A fresh proof before the account changes',
      [t.proof, 'refuses sessions that were not proved of late, also with a new access token'],
      [t.proof, 'what gives somebody a way in, or rights, is among them'],
    ),
    open(
      '7.5.2',
      'Sessions are seen and ended after a fresh proof',
      'People see all their sessions and end one or all others (`other sessions are seen and ended; …`), without a fresh proof: to take a way in away must be quick, and gives nobody anything (ADR 38).',
    ),
    met(
      '7.6.1',
      'Sessions and those of providers go together as documented',
      documented,
      [t.scim, 'sessions and keys of who is disabled end'],
      [t.sso, 'enforced, passwords are not taken but of those for the day when the provider is down'],
    ),
    met(
      '7.6.2',
      'No session without an act of the person',
      [t.sso, 'a link to the start address logs nobody in and leads to no provider: a page of ours waits for a press'],
      ['portal/test/single_sign_on.test.ts', 'a link to the start address waits for a press, and then leads on'],
    ),
  ],
}

const authorization: Chapter = {
  number: 8,
  name: 'Authorization',
  answers: [
    met(
      '8.1.1',
      'Rules for functions and records are documented',
      rights,
      ['docs/roles.md', '# Roles and teams'],
      ['docs/endpoints.md', '# Endpoints'],
    ),
    met('8.1.2', 'Rules for fields are documented', rights),
    met('8.2.1', 'Functions want a permission', roles, scopes, [t.contract, 'refuses every broken credential']),
    met(
      '8.2.2',
      'Records want a permission (IDOR)',
      foreign,
      [t.contract, "another organization's id is answered like one that is not there"],
      ['server/test/row_scope.test.ts', 'every endpoint of a kind with an owner declares it'],
    ),
    met(
      '8.2.3',
      'Fields want a permission',
      unnamed,
      [t.users, 'rights cannot be smuggled in'],
      [t.details, 'bodies are for anyone who sees the row: not for colleagues, other tenants or the other mode'],
    ),
    met('8.3.1', 'The server decides', roles, [
      'server/test/reach.test.ts',
      'no sequence of three requests reaches more than its start held, from any role, scope and mode',
    ]),
    met(
      '8.4.1',
      'Tenants are apart',
      foreign,
      [t.tenancy, 'without a tenant nothing is read; with one, only its rows; and no row of another can be written'],
      [t.tenancy, 'every table forces row-level security, or is on the short list'],
    ),
  ],
}

const tokens: Chapter = {
  number: 9,
  name: 'Self-contained tokens',
  answers: [
    met('9.1.1', 'Signatures are checked', edited),
    met('9.1.2', 'Algorithms are on a list', [
      t.tokens,
      'no algorithm, another algorithm, the public key as a secret: refused',
    ]),
    met('9.1.3', 'Keys come from where we trust', claims),
    met('9.2.1', 'Time is checked', [t.tokens, 'a token ends after its hour, to the second']),
    met('9.2.2', 'The kind of a token is checked', kinds, claims),
    met('9.2.3', 'The audience is checked', claims),
    metSo(
      '9.2.4',
      'One key, audiences apart',
      'Tokens of sessions, of OAuth and seals of the audit log are signed by the same keys and differ in `typ` and `aud`; audiences are addresses of this server only.',
      kinds,
      [t.attacks, 'signed by our own key, but with other claims'],
    ),
  ],
}

export const chapters7to9: readonly Chapter[] = [sessions, authorization, tokens]
