// Answers to the chapters 1 and 2 of ASVS: encoding, validation.
import { type Chapter, met, metSo, no } from './answer.ts'
import { security, tests as t } from './files.ts'

const shownAsText = [t.budgets, 'no source writes markup from text, and no style element or attribute'] as const
const bytesSay = [
  t.attachments,
  'what a file is, its bytes say; only images and plain texts are shown, and nothing is run',
] as const
const noReader = [
  t.sources,
  'no part of the server reads XML, LDAP, XPath or a format that makes objects of any type',
] as const

const encoding: Chapter = {
  number: 1,
  name: 'Encoding and sanitization',
  answers: [
    met(
      '1.1.1',
      'Input is decoded once, before it is checked',
      [t.abuse, 'broken and foreign ids are 404, broken addresses 400, whatever they look like'],
      [t.egress, 'literal addresses in denied ranges are refused in every spelling'],
    ),
    met(
      '1.1.2',
      'Output is encoded last, for what reads it',
      [t.templates, 'values are escaped where they are markup, and only there'],
      [t.chain, 'CSV is safe for spreadsheets, and OCSF names classes'],
    ),
    met(
      '1.2.1',
      'Encoding for HTML, attributes and headers',
      [t.templates, 'values are escaped where they are markup, and only there'],
      shownAsText,
      [
        t.attachments,
        'a file is stored, listed by record, downloaded whole and in part, renamed, deleted and restored',
      ],
    ),
    met(
      '1.2.2',
      'Addresses are built encoded, of safe schemes',
      [t.totp, 'names in the address of the QR code cannot break out of it'],
      [t.redirects, 'what may be registered'],
      [t.egress, 'every other reason to refuse'],
    ),
    met(
      '1.2.3',
      'No text becomes script or JSON structure',
      [
        'server/src/modules/crm/leads/creation.test.ts',
        'property: a replay is the first answer byte for byte, whatever the names of the duplicates hold',
      ],
      [t.budgets, 'no script makes code from text'],
    ),
    met(
      '1.2.4',
      'Database queries are parameterized',
      ['server/test/tidy_structure.test.ts', 'SQL stands in stores, and in the rooms of the kernel that keep data'],
      ['server/src/kernel/data/pg_array.test.ts', 'any well-formed text'],
      [t.fuzz, '{}: {}, leave what they attack as it was'],
    ),
    met(
      '1.2.5',
      'Operating system commands',
      [t.sources, 'no text becomes code, and no program is run by a shell'],
      [t.speech, 'a program gets text by stdin and nothing of our settings'],
    ),
    no('1.2.6', 'LDAP', 'Nothing speaks LDAP.'),
    no('1.2.7', 'XPath', 'Nothing evaluates XPath.'),
    no('1.2.8', 'LaTeX', 'Nothing runs LaTeX.'),
    met('1.2.9', 'Texts within regular expressions are escaped', [
      'server/src/modules/privacy/person/pattern.test.ts',
      'others are not mistaken for them',
    ]),
    metSo(
      '1.3.1',
      'HTML of strangers',
      'There is no editor of HTML. Mails that came in become words, or stand in a frame without scripts, forms and requests.',
      ['server/src/modules/mail/inbound/reading.test.ts', 'HTML becomes words'],
      [
        'portal/test/mail.test.ts',
        'a mail is found, shown without scripts and without anything from elsewhere, with its links and attempts',
      ],
    ),
    met(
      '1.3.2',
      'No eval or the like',
      [t.sources, 'no text becomes code, and no program is run by a shell'],
      [t.budgets, 'no script makes code from text'],
    ),
    met(
      '1.3.3',
      'What goes to a dangerous place is cleaned before',
      [t.speech, 'whatever SSML is made of, what is passed on has no element but those allowed'],
      ['server/src/modules/mail/mails/outbox.test.ts', 'nothing that would become a header of its own is taken'],
      [t.bodies, 'NUL is refused as a fault of its field, and is in no id'],
    ),
    metSo('1.3.4', 'SVG of strangers', 'SVG is never shown: it leaves as plain text or as a download.', bytesSay),
    metSo(
      '1.3.5',
      'Markdown, style sheets, template languages',
      'Only templates of mails are interpreted (Liquid, without files, includes and prototypes); Markdown and styles of strangers are shown as text.',
      [t.templates, 'a template has bounds, and sees nothing but its values'],
    ),
    met(
      '1.3.6',
      'Requests forged through the server (SSRF)',
      [t.spellings, 'no spelling is dialled: every one is refused with a word'],
      [t.rebinding, 'a name that flips to a forbidden address with its second answer is refused from then on'],
      [t.spellings, 'with everything open, metadata, link-local and what wraps them stay forbidden'],
    ),
    metSo(
      '1.3.7',
      'Template injection',
      'Templates are written by who holds `mail:manage`; values of others are data to them.',
      [t.templates, 'a template has bounds, and sees nothing but its values'],
      [t.templates, 'values are escaped where they are markup, and only there'],
    ),
    no('1.3.8', 'JNDI', 'There is no Java.'),
    no('1.3.9', 'Memcache', 'There is no memcache. Valkey gets counts by a prepared script, with keys as arguments.'),
    no(
      '1.3.10',
      'Format strings',
      'No text of a request is a format: messages of the log are constants, values stand beside them.',
    ),
    met(
      '1.3.11',
      'Injection into mail systems',
      ['server/src/modules/mail/mails/outbox.test.ts', 'nothing that would become a header of its own is taken'],
      [
        'server/src/modules/mail/inbound/smtp_door.test.ts',
        'words that are no SMTP end in a refusal, and what is said together with STARTTLS is not done',
      ],
    ),
    metSo(
      '1.4.1',
      'Memory safety',
      'Our code is TypeScript. Native code that reads bytes of strangers (ICE, DTLS, SRTP) is fuzzed.',
      [t.clientAttacks, 'four thousand inputs of the kind {}: {}'],
    ),
    met(
      '1.4.2',
      'Overflow of integers',
      [
        'server/test/openapi.test.ts',
        'every integer that a request body takes has a largest: past it no column can hold one',
      ],
      ['server/src/kernel/values/money.test.ts', 'what cannot be taken exactly is refused with its reason'],
    ),
    no(
      '1.4.3',
      'Memory is released',
      'V8 collects what nothing refers to; there are no pointers. What the process holds by itself (streams, caches, queues) is bounded, see 15.2.2.',
    ),
    metSo(
      '1.5.1',
      'XML entities',
      'No XML parser is installed; of the few answers in XML (S3) single elements are matched as text.',
      noReader,
    ),
    met('1.5.2', 'Deserialization', noReader, [
      t.bodies,
      'keys that reach into prototypes are refused in every spelling',
    ]),
  ],
}

const validation: Chapter = {
  number: 2,
  name: 'Validation and business logic',
  answers: [
    met('2.1.1', 'Rules of validation are documented', [security, '## Validation']),
    met(
      '2.1.2',
      'Rules for values that belong together are documented',
      [security, '## Validation'],
      ['docs/states.md', '# State machines'],
    ),
    met('2.1.3', 'Limits of the business are documented', [security, '## Limits'], ['docs/oauth.md', '## Limits']),
    met(
      '2.2.1',
      'Input is validated against what is expected',
      [t.contract, 'names each missing and each mistyped field'],
      [t.bodies, 'unknown fields and wrong types are reported all at once'],
    ),
    met(
      '2.2.2',
      'The server validates',
      [t.contract, 'refuses unknown query parameters and unknown fields'],
      [t.contract, 'names each missing and each mistyped field'],
    ),
    met(
      '2.2.3',
      'Values are reasonable together',
      [
        'server/src/modules/finance/invoices/rules.test.ts',
        'lines and tax add up to the total in every currency, and nothing is ever off by a unit',
      ],
      ['server/src/modules/voice/trunks/endpoints.test.ts', 'must fit together'],
    ),
    met(
      '2.3.1',
      'Steps are taken in order',
      ['server/src/kernel/values/states.test.ts', 'move follows the table in every state and event, and nowhere else'],
      [t.people, 'the challenge is for one place, five minutes, one login and one password'],
    ),
    met(
      '2.3.2',
      'Limits of the business are held',
      [t.destinations, 'hold for calls that are asked for at once on two nodes, and an event reports each once a day'],
      [t.keys, 'are 50 a user and mode at most, also when they are asked for at the same moment'],
    ),
    met(
      '2.3.3',
      'All of an operation or nothing',
      [t.http, 'a refusal takes back what the handler had written'],
      [t.http, 'an effect and its Idempotency-Key commit together: refusals store nothing, successes replay'],
    ),
    met(
      '2.3.4',
      'Nothing is given out twice',
      [
        'server/src/modules/finance/invoices/numbers.test.ts',
        'two hundred at once, and one in five more that fail after the lock, get 1 to 200',
      ],
      [
        'server/src/modules/crm/leads/creation.test.ts',
        'of fifty who create the same lead at once in block mode, exactly one does',
      ],
    ),
    met(
      '2.4.1',
      'Automation is bounded',
      [t.limits, 'an address has 100 a minute without a credential, and another address its own'],
      [t.limits, 'making keys does not multiply the limit: all keys of a user in a mode have 5,000 a minute'],
      [t.contract, 'is limited'],
    ),
  ],
}

export const chapters1and2: readonly Chapter[] = [encoding, validation]
