// Answers to the chapters 3 to 5 of ASVS: browsers, API, files.
import { type Chapter, met, metSo, no, open } from './answer.ts'
import { security, tests as t } from './files.ts'

const shownAsText = [t.budgets, 'no source writes markup from text, and no style element or attribute'] as const
const closed = [
  t.browsers,
  'has a policy that runs, frames and redirects nothing of others, names no address, and is what its type says',
] as const
const cookies = [t.browsers, 'are secure, prefixed, and read by no script, wherever they are set'] as const
const bytesSay = [
  t.attachments,
  'what a file is, its bytes say; only images and plain texts are shown, and nothing is run',
] as const
const noLink = [
  t.browsers,
  'that change something are sent by no link, image or form: safe methods change nothing, and the API takes no cookie',
] as const
const noSocket = 'The server takes no WebSocket: live views are server-sent events with a bearer token.'

const browsers: Chapter = {
  number: 3,
  name: 'Web frontend',
  answers: [
    met('3.2.1', 'Answers are rendered as nothing else', closed, bytesSay),
    met('3.2.2', 'Text is shown as text', shownAsText, [
      t.tidy,
      'the portal shows text as text, and keeps no secret where it would outlive the page',
    ]),
    metSo(
      '3.3.1',
      'Cookies are Secure and prefixed',
      'Where `TANDEM_PUBLIC_URL` is https; on one machine without TLS they have neither.',
      cookies,
      [t.session, 'over https the cookies are secure and prefixed, also when a proxy took the TLS off'],
    ),
    met('3.3.2', 'SameSite by purpose', cookies, [
      t.session,
      'sets cookies that no script reads and that go to the session only',
    ]),
    open(
      '3.3.3',
      'The prefix __Host-',
      'Cookies have `__Secure-` and a path: those of the session go to `/portal/session` alone, and the API gets none. `__Host-` would send them with every request. A host below the same domain could plant one; planted values that we did not sign are refused, and a planted session is that of its planter.',
    ),
    met('3.3.4', 'Session cookies are HttpOnly', cookies, [
      t.portalSession,
      'a reload keeps the session by a cookie that scripts cannot read and the API does not get',
    ]),
    metSo(
      '3.4.1',
      'Strict-Transport-Security',
      '`TANDEM_HSTS_SUBDOMAINS=0` leaves hosts below out, for who has some without TLS.',
      closed,
      [t.browsers, 'to bytes that are no request says the same'],
    ),
    met(
      '3.4.2',
      'CORS lets in origins from a list',
      [
        t.pageOrigins,
        'nobody else is: no confidential app, no beginning of a name, no other scheme or port, no origin that is none',
      ],
      [t.pageOrigins, 'what is asked without a token stays unreadable, and what a token is refused can be read'],
    ),
    met(
      '3.4.3',
      'Content-Security-Policy',
      closed,
      [t.pages, 'has a policy that lets nothing in from elsewhere, and is not kept'],
      [t.pages, 'has one nonce of its own in policy, scripts and meta'],
    ),
    met('3.4.4', 'nosniff', closed, [t.browsers, 'to bytes that are no request says the same']),
    met('3.4.5', 'Referrer-Policy', closed),
    met('3.4.6', 'frame-ancestors', closed),
    met(
      '3.5.1',
      'Requests of other sites (CSRF)',
      [t.session, 'a request {} does nothing'],
      [t.session, 'the cookies are no credential of the API'],
      noLink,
    ),
    met('3.5.2', 'Nothing sensitive goes past the preflight', noLink, [
      t.session,
      'a page of this origin may, and a preflight is not answered',
    ]),
    met('3.5.3', 'Safe methods change nothing', noLink),
    no(
      '3.5.4',
      'Applications on hosts of their own',
      'Portal, API and authorization server are one application of one owner. docs/deployment.md gives it a host of its own.',
    ),
    no(
      '3.5.5',
      'postMessage',
      'No window listens to messages of others: workers and a BroadcastChannel hear the own origin only.',
    ),
    met(
      '3.7.1',
      'Only current techniques in browsers',
      [t.budgets, 'index.html holds nothing that a strict policy refuses'],
      closed,
    ),
    met(
      '3.7.2',
      'Redirects to other hosts are on a list',
      [t.portalLogin, 'it leads to no other origin, whatever the link says'],
      [t.sso, 'nobody is sent to a place of somebody else'],
      [t.redirects, 'of more than 200 spellings none but the registered one gets an answer'],
    ),
  ],
}

const api: Chapter = {
  number: 4,
  name: 'API and web services',
  answers: [
    met('4.1.1', 'Content-Type with its character set', [
      t.browsers,
      'with a body has a type, and texts their character set',
    ]),
    met('4.1.2', 'Only pages for people are redirected to https', [
      t.proxies,
      'behind {}: TLS, whose requests they are, sessions, streams as they come, large files',
    ]),
    met(
      '4.1.3',
      'Headers of a proxy cannot be forged',
      [t.limits, 'of forwarded addresses the one that the trusted proxy saw counts, not what the client claims'],
      [t.abuse, 'without a trusted proxy nobody is believed'],
      [t.attacks, 'no header of a request gets into what the server says of itself'],
    ),
    met(
      '4.2.1',
      'Where a message ends (request smuggling)',
      [t.abuse, 'what is no HTTP is 400 in JSON and the end of the connection'],
      [t.abuse, 'garbage behind requests does not take their answers'],
    ),
    no(
      '4.3.1',
      'GraphQL: costly queries',
      'There is no GraphQL. Filters are declared parameters; those of SCIM are equalities.',
    ),
    no('4.3.2', 'GraphQL: introspection', 'There is no GraphQL.'),
    metSo(
      '4.4.1',
      'WebSocket by TLS',
      'The server takes no WebSocket. Its one client of a WebSocket, for an Asterisk, speaks plain `ws` on the same machine and in private networks only, where it may stand beside the server.',
      ['server/src/modules/voice/trunks/endpoints.test.ts', 'is refused what is missing, wrong, or of another kind'],
      [t.outbound, 'where plain text may go to private addresses only, a name that leads elsewhere is not dialled'],
    ),
    no('4.4.2', 'WebSocket: Origin', noSocket),
    no('4.4.3', 'WebSocket: tokens', noSocket),
    no('4.4.4', 'WebSocket: tokens by the session', noSocket),
  ],
}

const files: Chapter = {
  number: 5,
  name: 'Files',
  answers: [
    met('5.1.1', 'Kinds and sizes of files are documented', [security, '## Files']),
    met(
      '5.2.1',
      'Files have a largest size',
      [
        t.attachments,
        'a repeat with the same Idempotency-Key puts one file there; one that is empty or too large none',
      ],
      [t.bodies, 'two megabytes are 413 and the connection closes, with or without a length'],
    ),
    metSo(
      '5.2.2',
      'Name and content of a file agree',
      'Names of other endings than those on the list are taken, for a CRM keeps files of any kind; what they are is said by their bytes. Files within mails are kept as they came.',
      bytesSay,
      ['server/src/modules/records/imports/imports.test.ts', 'files as spreadsheets write them'],
    ),
    no(
      '5.2.3',
      'Unpacking',
      'Nothing that is uploaded is unpacked, and a packed body is refused (`packed bodies, other character sets and byte order marks are named`).',
    ),
    met('5.3.1', 'Uploads are never run', bytesSay, [t.pages, 'only by the names of the build']),
    met(
      '5.3.2',
      'Paths are made by the server',
      ['server/src/kernel/objects/object_store.test.ts', 'no key leads out of the store'],
      [
        'server/src/modules/voice/recordings/rules.test.ts',
        'paths and keys are keys, fanned out by what is random in the id',
      ],
    ),
    met('5.4.1', 'Downloads have a name that we set', [t.files, 'the whole file, with its type, length, tag and name']),
    met('5.4.2', 'Names of files are encoded', [
      t.attachments,
      'a file is stored, listed by record, downloaded whole and in part, renamed, deleted and restored',
    ]),
    open(
      '5.4.3',
      'Scanning for malware',
      'Files are not scanned. They are kept apart, never run, and leave as downloads in a sandbox; docs/security.md says where a scanner of the operator can look. What it would take is a client of ClamAV (INSTREAM) beside the object store, and a state for files that wait.',
    ),
  ],
}

export const chapters3to5: readonly Chapter[] = [browsers, api, files]
