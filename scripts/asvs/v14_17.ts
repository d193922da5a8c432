// Answers to the chapters 14 to 17 of ASVS: data, code, logs, WebRTC.
import { type Chapter, met, metSo, no, open } from './answer.ts'
import { security, tests as t } from './files.ts'

const levels = [security, '## Data by level'] as const
const notKept = [t.browsers, 'of the API is kept by no cache'] as const
const unnamed = [t.http, 'what the schema does not name cannot leak'] as const
const mistake = [
  t.http,
  'a mistake of ours answers 500 without its inside, rolls back, and is logged with secrets masked',
] as const
const release = [t.package, 'the archive holds what it lists, and neither tests nor tools'] as const
const forwarded = [
  t.limits,
  'of forwarded addresses the one that the trusted proxy saw counts, not what the client claims',
] as const
const refused = [
  t.browsers,
  'has a line for a credential that was refused, without it, also of a name that belongs to nobody',
] as const
const oneLine = [t.browsers, 'keeps what is said in a request on one line, whatever it holds'] as const
const noSecret = [t.details, 'no secret that goes through the API is anywhere in the database afterwards'] as const
const prototypes = [t.bodies, 'keys that reach into prototypes are refused in every spelling'] as const
const mutated = [t.clientAttacks, 'four thousand inputs of the kind {}: {}'] as const

const data: Chapter = {
  number: 14,
  name: 'Data protection',
  answers: [
    met('14.1.1', 'Data is classified', levels),
    met('14.1.2', 'Each level has its protection', levels, ['docs/privacy.md', '## Retention']),
    metSo(
      '14.2.1',
      'Nothing secret in addresses',
      'Links of mails carry their token behind the #, and it is sent in a body. Exceptions of protocols: codes of OAuth and OpenID Connect, good once and with a secret of the browser; links to unsubscribe (RFC 8058), which open nothing.',
      [t.browsers, 'with a credential in the address are refused, as it would be in logs and histories'],
      [t.portalAccount, 'a forgotten password is set again by the link of a mail, whose token stays in no address'],
    ),
    met('14.2.2', 'Nothing secret in caches of servers', notKept),
    met(
      '14.2.3',
      'Nothing to third parties',
      [t.budgets, 'no source names another origin'],
      ['server/test/tracing.test.ts', 'nothing personal, and no credential, leaves with a trace'],
    ),
    met(
      '14.2.4',
      'Protection by level is there',
      noSecret,
      [
        'server/src/modules/privacy/retention/retention.test.ts',
        'messages go after their days, with their events; those on their way and those of open conversations stay',
      ],
      [
        'server/src/modules/privacy/requests/erasure.test.ts',
        'waits for what is under way, and then is gone from every table and file but what the law keeps',
      ],
      [t.seal, 'what was sealed opens in its place, also on another node with the same keyring'],
    ),
    met(
      '14.3.1',
      'Data is gone from the page after logging out',
      [t.portalLogin, 'nobody sees on the next login what another person was shown'],
      [t.portalSession, 'logging out ends the session here, in other tabs, and on the server'],
    ),
    met('14.3.2', 'no-store', notKept, [t.pages, 'has a policy that lets nothing in from elsewhere, and is not kept']),
    met(
      '14.3.3',
      'Nothing secret in storage of browsers',
      [t.portalSession, 'nothing is stored but choices of the reader'],
      ['portal/src/playground/kept/store.test.ts', 'no credential reaches any shelf, link or file'],
    ),
  ],
}

const code: Chapter = {
  number: 15,
  name: 'Secure coding and architecture',
  answers: [
    met('15.1.1', 'Times to mend parts of others', [security, '## Parts of others']),
    met('15.1.2', 'Bill of materials', release, [security, '## Parts of others']),
    met('15.1.3', 'What costs much is documented', [security, '## What costs much']),
    open(
      '15.2.1',
      'Parts are within these times',
      'Two are not sure to be. PostgreSQL inside is 18.4, the newest that npm has, while newer minor releases are out: it listens on no network, and docs/deployment.md says how to use a patched one. `node-datachannel` for Linux holds OpenSSL 1.1.1w, which nobody maintains: browser phones reach its DTLS after ICE (ADR 10). No job looks for new vulnerabilities by itself.',
    ),
    met(
      '15.2.2',
      'What costs much does not take the server away',
      [
        'server/test/isolation.test.ts',
        'beside live mode its requests wait, are refused late and name the remedy; live mode waits for none of them',
      ],
      [
        'server/src/kernel/data/quota.test.ts',
        'tests leave room for live modes, however many of them there are, and one tenant leaves room for another',
      ],
      [t.abuse, 'two hundred of them keep nobody waiting'],
    ),
    met('15.2.3', 'Only what production needs', release, [security, '## Development left out']),
    met('15.3.1', 'Answers have the fields they need', unnamed),
    met(
      '15.3.2',
      'Redirects are not followed',
      [t.outbound, 'redirects are answers like others'],
      [
        'server/src/modules/webhooks/sender.test.ts',
        'redirects are failures and are not followed; other 2xx are successes',
      ],
    ),
    met(
      '15.3.3',
      'Mass assignment',
      [t.contract, 'refuses unknown query parameters and unknown fields'],
      [t.users, 'rights cannot be smuggled in'],
      [
        'server/src/kernel/resource/fields.test.ts',
        'a body sets the columns that it names and no others, in stored form',
      ],
    ),
    met(
      '15.3.4',
      'The address of who asks',
      forwarded,
      [t.abuse, 'without a trusted proxy nobody is believed'],
      [t.proxies, 'behind {}: TLS, whose requests they are, sessions, streams as they come, large files'],
    ),
    met(
      '15.3.5',
      'Types are what they should be',
      ['server/test/types.test.ts', 'types of {} are right'],
      [t.bodies, 'unknown fields and wrong types are reported all at once'],
    ),
    met(
      '15.3.6',
      'Prototype pollution',
      prototypes,
      [t.scim, 'no operation reaches a prototype, and none with a value empties a group'],
      [t.abuse, 'repeated, unknown, nested and prototype-like query parameters'],
    ),
    met(
      '15.3.7',
      'Parameters sent twice',
      [t.bodies, 'a parameter is sent once, and an integer is written as one'],
      [t.bodies, 'a key that stands twice is named, in whatever spelling and however deep'],
    ),
  ],
}

const logs: Chapter = {
  number: 16,
  name: 'Logging and errors',
  answers: [
    met('16.1.1', 'Inventory of logs', [security, '## Logs']),
    met(
      '16.2.1',
      'When, where, who, what',
      [t.audit, 'a change of a role says who, from where, before and after'],
      refused,
    ),
    met('16.2.2', 'Clocks, and times in UTC', refused, [
      'server/src/doctor/checks.test.ts',
      'clock: apart from the database, or in the past',
    ]),
    met(
      '16.2.3',
      'Logs go where the inventory says',
      [security, '## Logs'],
      ['server/test/tracing.test.ts', 'without a collector nothing of the SDK is loaded'],
    ),
    met('16.2.4', 'Logs can be read and related', oneLine, [
      t.chain,
      'CSV is safe for spreadsheets, and OCSF names classes',
    ]),
    met(
      '16.2.5',
      'Secrets are not logged',
      noSecret,
      [t.redact, 'fields lose their secrets at any depth, in arrays, whatever their type'],
      mistake,
    ),
    met('16.3.1', 'Logins and their failures', [t.audit, 'a sign-in, its refusal and a sign-out are there'], refused, [
      t.passkeys,
      'that was copied is refused at every door; the audit log and one mail say why',
    ]),
    met('16.3.2', 'Refused permissions', [
      t.audit,
      'refused permissions are counted: one event for each kind and who met it',
    ]),
    met(
      '16.3.3',
      'Events of security, and what was tried',
      ['server/test/audit.test.ts', 'every endpoint that changes something is in the audit log, or is ordinary'],
      [t.details, 'a refusal keeps what was sent and what was answered'],
      [
        t.sipSources,
        'calls that are refused are reported in the log, each once in a while, and never more than it can bear',
      ],
    ),
    met(
      '16.3.4',
      'Unexpected errors and failures of controls',
      mistake,
      [t.outbound, 'every failure has its word'],
      [t.knownPasswords, 'whose file was damaged keeps nobody out, and is in the log'],
    ),
    met('16.4.1', 'Nothing injects lines', oneLine),
    met(
      '16.4.2',
      'Logs cannot be changed',
      ['server/test/audit.test.ts', 'the server may add entries and change or delete none'],
      [t.chain, 'what somebody did to the tables shows in an export'],
    ),
    met('16.4.3', 'Logs go to another system', [
      'server/src/modules/audit/streaming.test.ts',
      'events come in order, signed, and again until they are taken',
    ]),
    met('16.5.1', 'Errors say nothing of the inside', mistake),
    met(
      '16.5.2',
      'It goes on when others fail',
      [
        'server/test/outage.test.ts',
        'the database is killed: 503 with Retry-After, not ready, started again, nothing lost',
      ],
      ['server/src/modules/webhooks/isolation.test.ts', 'a dead and a slow receiver hold up nobody else'],
      [
        'server/src/kernel/access/limit_valkey.test.ts',
        'killed in mid-run: memory goes on with what it saw; started again: shared again; one line each',
      ],
    ),
    met(
      '16.5.3',
      'Errors fail closed',
      [t.http, 'only the tag COMMIT is an acknowledgement'],
      ['server/test/audit.test.ts', 'a change is not made when its entry cannot be written'],
      [t.http, 'a reply that does not fit its schema leaves no effect'],
    ),
  ],
}

const webrtc: Chapter = {
  number: 17,
  name: 'WebRTC',
  answers: [
    no(
      '17.1.1',
      'TURN server',
      'Tandem has none; it makes credentials for one of the operator (`TANDEM_WEBRTC_TURN_SECRET`), whose rules are the operator’s.',
    ),
    metSo(
      '17.2.1',
      'Keys of DTLS',
      'One pair a connection, made by the library, in the memory of the process of calls, gone with the call.',
      [security, '## Cryptography'],
    ),
    open(
      '17.2.2',
      'Suites of DTLS and SRTP',
      'The library decides: its list of suites (`ALL:!LOW:!EXP:!RC4:!MD5`) is wider than it should be, and it offers AES-GCM and AES-CM for SRTP. Browsers offer ECDHE with AEAD only, so that is what is spoken; nothing on our side would refuse less, and the library has no setting for it.',
    ),
    met(
      '17.2.3',
      'SRTP is authenticated',
      [t.clientAttacks, 'nor do they from the very address of the browser'],
      [
        t.clientAttacks,
        'who the proof is of a certificate must hold its key, finish what was started, and be the one of the offer',
      ],
      [t.srtp, 'replayed, old, forged and short packets are refused, and change nothing'],
    ),
    met('17.2.4', 'Malformed SRTP', mutated, [
      t.srtp,
      'replayed, old, forged and short packets are refused, and change nothing',
    ]),
    met(
      '17.3.1',
      'Floods of signalling',
      [t.sipAttacks, 'who has proved nothing gets one answer, no more than twice what was sent'],
      [t.sipAttacks, 'who guesses waits, and a phone that is registered beside him does not; the log records it once'],
      [t.limits, 'a person has 1,000 a minute, from all addresses and sessions and in both modes together'],
    ),
    met(
      '17.3.2',
      'Malformed signalling',
      [t.fuzz, '{}: {}, leave what they attack as it was'],
      [
        'server/src/engines/client/client.test.ts',
        'calls of another organization do not exist, and what is no offer is refused with what is wrong',
      ],
    ),
  ],
}

export const chapters14to17: readonly Chapter[] = [data, code, logs, webrtc]
