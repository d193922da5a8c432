// Answers to the chapter 6 of ASVS: authentication.
import { type Chapter, met, metSo, no, open } from './answer.ts'
import { security, tests as t } from './files.ts'

const ways = [security, '## Ways to log in'] as const
const ownPassword = [t.people, 'changes with the present one, is long enough, and ends all other sessions'] as const
const common = [
  t.knownPasswords,
  'the most used passwords that are long enough are refused, those of fifteen characters too',
] as const
const listed = [
  t.knownPasswords,
  'that is in a list is refused wherever one is chosen; one that stands goes on',
] as const
const lengths = [t.users, 'a weak password is refused, a short or long one is invalid'] as const
const fields = [
  t.sources,
  'fields of passwords are masked, known to password managers, and take what is pasted',
] as const
const slowed = [
  t.login,
  'an account is slowed down after five failures, twice as long each time, whether it exists or not',
] as const
const codeOnce = [t.people, 'is asked for by an error; a code is taken once, by whichever login comes first'] as const
const random = [t.sources, 'what must not be guessed is drawn by the system, with 128 bits and more'] as const
const resetOnce = [t.resets, 'it is good for thirty minutes, and stands for no second factor'] as const
const linkOnce = [t.signingIn, 'works once, in the browser that asked, for ten minutes'] as const
const lies = [
  t.sso,
  'lies are refused: issuer, audience, nonce, no signature, a foreign key, the answer of another provider',
] as const
const guessedCodes = [
  'server/src/modules/voice/verification/verification.test.ts',
  'a code cannot be guessed, is good for ten minutes, and comes five times a day',
] as const

export const authentication: Chapter = {
  number: 6,
  name: 'Authentication',
  answers: [
    met('6.1.1', 'Defences against guessing are documented', ways, ['docs/accounts.md', '### Guesses']),
    met('6.1.2', 'Words that no password may hold are documented', ways),
    met('6.1.3', 'All ways to log in are documented', ways),
    metSo(
      '6.2.1',
      'Least length of passwords',
      'Ten characters beside a second factor, fifteen without one.',
      lengths,
      ownPassword,
    ),
    met('6.2.2', 'People change their password', ownPassword),
    met('6.2.3', 'With the present one', ownPassword),
    met('6.2.4', 'The most used passwords are refused', common, listed),
    met('6.2.5', 'No demands for kinds of characters', [
      t.passwordRules,
      'passphrases, random characters and other scripts pass',
    ]),
    met('6.2.6', 'Fields of passwords are masked', fields),
    met('6.2.7', 'Pasting and password managers', fields, [
      t.portalSession,
      'the form works with the keyboard alone, and password managers know its fields',
    ]),
    metSo(
      '6.2.8',
      'Passwords are compared as they came',
      'Nothing is cut or folded; the same letters composed in two ways are one (NFC), as NIST SP 800-63B-4 asks.',
      [t.login, 'a password is the same text however its letters are composed'],
      [
        'server/src/modules/identity/login/hashing_threads.test.ts',
        'passwords fit their hashes, and no others, however many are asked at once',
      ],
    ),
    metSo('6.2.9', 'Long passwords', 'Up to 128 characters.', lengths, [
      t.passwordRules,
      'a long password is checked in a moment',
    ]),
    metSo('6.2.10', 'No change by the calendar', 'There is no setting for it.', listed),
    met(
      '6.2.11',
      'Words of the place are refused',
      [t.passwordRules, 'what stands before the @ must not be part of it, but short names do not matter'],
      [t.passwordRules, 'a word of the list with up to four digits never passes'],
    ),
    metSo(
      '6.2.12',
      'Passwords of breaches are refused',
      '14,734 come with the server, all of them from breaches; the operator adds lists of any size, offline.',
      common,
      listed,
    ),
    met(
      '6.3.1',
      'Guessing and stuffing are slowed down',
      slowed,
      [
        t.strangers,
        'a hundred strangers of one network, each with an account of its own, slow that network down for strangers only',
      ],
      [t.login, 'strangers who guess all day keep the owner waiting nowhere they logged in before'],
    ),
    metSo(
      '6.3.2',
      'No default accounts',
      'The first Admin has a password of 144 random bits, or the one that the operator sets.',
      [
        'server/test/first_start.test.ts',
        'a password that is guessed first, too short or too long is refused with the rule, and nothing is made',
      ],
      [
        'server/test/setup.test.ts',
        'where standard output is no terminal, secrets of the first start lie in a file of the account, printed nowhere',
      ],
    ),
    open(
      '6.3.3',
      'Two factors for everybody',
      'Second factors (apps, passkeys) are there, and an organization makes them a duty with one setting; by default a password of fifteen characters is enough. What matters most (operators) always wants two.',
    ),
    met(
      '6.3.4',
      'All ways are held to the same',
      ways,
      [t.signingIn, 'never stands for the second factor, and ends with the policy'],
      [
        'server/src/portal/session_people.test.ts',
        'goes on with the code; a browser that is trusted is not asked again, others are',
      ],
      [
        t.proof,
        'what a session is exchanged for without a proof does none of it: the token of a key, and of an app that a person let in',
      ],
    ),
    metSo(
      '6.4.1',
      'Initial passwords are short-lived',
      'Good for one login, which asks for another, within seven days. That of the first start opens more logins than one, for programs that set an installation up, and ends after seven days as well; one that the operator or an Admin chose for programs is none that a system made.',
      random,
      [t.users, 'without a password makes one, shows it once, and stores it nowhere in clear'],
      [
        t.initialPassword,
        'a password that was made for somebody ends after seven days, and only who knows it hears so',
      ],
      [t.firstStart, 'a password that is made and printed ends after seven days, unless its owner sets another'],
    ),
    met('6.4.2', 'No hints and secret questions', [
      t.sources,
      'there are no hints of passwords and no questions that stand for them',
    ]),
    met('6.4.3', 'Forgotten passwords', resetOnce, [
      t.resets,
      'the link does once; a second mail does not make the first one useless until one of them is used',
    ]),
    metSo(
      '6.4.4',
      'Lost factors',
      'An Admin, who knows the member, takes the factor away with a proof of their own and a reason.',
      ways,
      [t.members, 'an Admin ends sessions of this organization only, and resets factors of no shared account'],
    ),
    met(
      '6.5.1',
      'Codes are taken once',
      codeOnce,
      [t.people, 'a recovery code does once, however it is typed'],
      linkOnce,
    ),
    metSo(
      '6.5.2',
      'Recovery codes are hashed',
      '160 random bits, kept as HMAC-SHA-256.',
      [t.people, 'secrets and codes lie nowhere in clear'],
      random,
    ),
    met('6.5.3', 'Codes and seeds are random', random),
    met('6.5.4', 'Codes have 20 bits at least', guessedCodes, random),
    open(
      '6.5.5',
      'Codes end soon',
      'Links to log in end after ten minutes. Codes of apps have steps of 30 seconds, but the step before and after are taken too, each once, as clocks of phones differ (RFC 6238 §5.2): a code is good for 90 seconds at most.',
    ),
    no(
      '6.6.1',
      'Codes by telephone',
      'No code for a login goes by text or call; a code by call only proves that a number is yours.',
    ),
    met('6.6.2', 'Codes belong to what asked for them', linkOnce, [
      t.people,
      'the challenge is for one place, five minutes, one login and one password',
    ]),
    met(
      '6.6.3',
      'Guessing of codes',
      [t.people, 'guesses wait after five, and the answer does not say whether a code was right'],
      [t.oauthLimits, 'an address tries five wrong codes in ten minutes; right ones are not counted'],
    ),
    met('6.8.1', 'One provider cannot speak for another', lies, [
      t.sso,
      'who is new becomes a member with the role of the claim, and is the same person with another address',
    ]),
    met('6.8.2', 'Signatures of assertions are checked', lies),
    no('6.8.3', 'SAML', 'SAML is not spoken.'),
    metSo(
      '6.8.4',
      'Strength is taken from claims',
      'Without `amr` and `acr` that the connection names, a login counts as one factor.',
      [
        t.connections,
        'a provider vouches for a second factor by values that the connection names, and by nothing else',
      ],
      ways,
    ),
  ],
}
