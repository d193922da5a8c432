// Answers to the chapter 10 of ASVS: OAuth and OpenID Connect.
import { type Chapter, met, metSo, no, open } from './answer.ts'
import { tests as t } from './files.ts'

const once = [t.sso, 'an answer is taken once, in the browser that asked, with its state'] as const
const lies = [
  t.sso,
  'lies are refused: issuer, audience, nonce, no signature, a foreign key, the answer of another provider',
] as const
const asPerson = [t.code, 'gives a token that acts as the person, within what they allowed and their role may'] as const
const grants = [
  t.oauthServer,
  'gives no token by the implicit grant or a password, and a client only by the grants of its kind',
] as const
const noProvider = 'Tandem gives out no ID tokens: it is an OAuth server, and no OpenID provider.'

export const oauth: Chapter = {
  number: 10,
  name: 'OAuth and OpenID Connect',
  answers: [
    metSo(
      '10.1.1',
      'Tokens go where they are needed',
      'The portal is of the same origin: refresh tokens are in cookies that no script reads, access tokens in the memory of the page.',
      [t.session, 'sets cookies that no script reads and that go to the session only'],
      [
        'portal/test/playground_oauth.test.ts',
        'is had by choosing scopes and allowing them, sent with, kept nowhere, and ended',
      ],
    ),
    met('10.1.2', 'Answers belong to the request and browser that asked', once, [
      'portal/test/playground_oauth.test.ts',
      'an answer that nobody waits for stays in no address',
    ]),
    met('10.2.1', 'PKCE or state against forged requests', once),
    met('10.2.2', 'Providers are not mixed up', lies),
    met(
      '10.3.1',
      'Tokens for this server only',
      [t.tokens, 'a token of another key, issuer, audience or kind is refused; headers that name keys are ignored'],
      [t.attacks, 'signed by our own key, but with other claims'],
    ),
    met(
      '10.3.2',
      'Scopes are part of the decision',
      asPerson,
      [t.attacks, 'without scopes it may do nothing'],
      [t.machine, 'with fewer scopes its tokens may do less at once'],
    ),
    met('10.3.3', 'People are known by sub', asPerson, [
      t.members,
      'who was removed and is invited again is the same user, chooses a password, and has nothing from before',
    ]),
    met(
      '10.3.4',
      'Strength and age of the proof',
      [t.people, 'is asked for after fifteen minutes, by RFC 9470, and good for the next fifteen'],
      [t.proof, 'lets in what was proved as it asks'],
    ),
    metSo(
      '10.4.1',
      'Redirect addresses are compared exactly',
      'But for the port of a loopback address, which apps on a device draw (RFC 8252 §7.3).',
      [t.redirects, 'of more than 200 spellings none but the registered one gets an answer'],
      [t.redirects, 'the port of a loopback address is free, and nothing else of it'],
    ),
    met('10.4.2', 'A code does once', [
      t.code,
      'of many that redeem one code at once one gets tokens, and a code used twice ends what it gave',
    ]),
    metSo('10.4.3', 'A code is short-lived', 'A minute.', [
      t.oauthServer,
      'takes a code for a minute, of the client, verifier and address that it was asked with',
    ]),
    met('10.4.4', 'Grants by client; none of the old ones', grants),
    metSo(
      '10.4.5',
      'Refresh tokens are not replayed',
      'They rotate. For 20 seconds a used one answers its one successor, for processes that refresh at once; after that it ends the authorization.',
      [t.code, 'after the grace a used one ends the authorization: nothing it gave works any more'],
      [t.code, 'a public app has no secret and rotates all the same'],
    ),
    met(
      '10.4.6',
      'PKCE by S256',
      [t.code, 'refuses a request without PKCE, with plain, and with scopes that it does not know, by name'],
      [t.oauthServer, 'takes a code for a minute, of the client, verifier and address that it was asked with'],
    ),
    met(
      '10.4.7',
      'Clients that register themselves',
      [t.mcp, 'others than Admins wait for a decision, and a block ends what there is'],
      [t.mcp, 'gets no secret, and what it says of itself beyond a name counts for nothing'],
    ),
    met('10.4.8', 'Refresh tokens end in any case', [
      t.oauthServer,
      'ends refresh tokens, however often they are renewed',
    ]),
    met(
      '10.4.9',
      'People end tokens in the portal',
      [t.portalApps, 'a person ends what they let in, and an Admin decides on clients of others'],
      [t.code, 'by the person, in their own list, and by nobody else’s hand'],
    ),
    met('10.4.10', 'Confidential clients prove themselves', [
      t.oauthServer,
      'wants a confidential client to prove itself, for tokens, pushed requests, revocation and introspection',
    ]),
    met(
      '10.4.11',
      'Clients have the scopes they need',
      [t.code, 'what the person unticks, or their role does not hold, is not given'],
      [t.machine, 'an unknown scope is named'],
    ),
    met('10.5.1', 'ID tokens are not replayed', lies, once),
    met('10.5.2', 'People are known by sub of their provider', [
      t.sso,
      'who is new becomes a member with the role of the claim, and is the same person with another address',
    ]),
    met('10.5.3', 'Metadata of another issuer', [
      t.sso,
      'the document of another issuer is refused before anybody is sent there, if it is another by a slash only',
    ]),
    met('10.5.4', 'ID tokens for this client', lies),
    no('10.5.5', 'Back-channel logout', 'It is not offered: SCIM ends sessions (docs/security.md, Sessions).'),
    no('10.6.1', 'OpenID provider: response modes', noProvider),
    no('10.6.2', 'OpenID provider: logout', noProvider),
    met('10.7.1', 'Consent at each request', [t.code, 'asks each time, also the same person in the same browser']),
    met(
      '10.7.2',
      'Consent says what is given',
      ['portal/test/authorize.test.ts', 'what is ticked is given, and no more'],
      [t.mcp, 'gets no secret, and what it says of itself beyond a name counts for nothing'],
    ),
    open(
      '10.7.3',
      'Consent is seen, changed and revoked',
      'It is seen and revoked in the portal. To change it is to revoke it and to let the app in again with other ticks.',
    ),
  ],
}
