// Answers to the chapters 11 to 13 of ASVS: cryptography, connections, configuration.
import { type Chapter, met, metSo, no, open } from './answer.ts'
import { security, tests as t } from './files.ts'

const inventory = [t.sources, 'every algorithm that is used stands in the inventory of docs/security.md'] as const
const authenticated = [t.seal, 'another place, purpose or keyring, an edited or cut text do not open'] as const
const rotation = 'server/test/rotation.test.ts'
const backups = ['server/src/kernel/backup/archive.test.ts', 'of which one byte was changed is refused'] as const
const proxies = [
  t.proxies,
  'behind {}: TLS, whose requests they are, sessions, streams as they come, large files',
] as const
const tlsOfUs = [
  t.sources,
  'TLS begins with 1.2 wherever we speak or answer it, and certificates are checked unless a setting says otherwise',
] as const
const leastRights = [t.tenancy, 'the application owns nothing and bypasses nothing'] as const
const ofCalls = [
  'server/src/voice_process.test.ts',
  'neither the owner of the database nor the first password reaches the process of calls',
] as const
const onlyBuilt = [t.pages, 'only by the names of the build'] as const
const egressNote =
  'Schemes, ports and kinds of addresses are on lists always; hosts are where the operator sets `TANDEM_EGRESS_HOSTS`, which an installation at this level does. It holds for what organizations set up; the rest (database, object store, mail of the installation) the operator names one by one.'
const egress = [
  [
    'server/test/egress_hosts.test.ts',
    'webhooks, trunks and carriers lead to hosts of the operator’s list alone, where there is one',
  ],
  [t.egress, 'a list of hosts is the only way out, where the operator has one'],
  [t.outbound, 'no host is dialled that is not on the list of the operator, though its address is open'],
  [t.egress, 'every other reason to refuse'],
] as const

const cryptography: Chapter = {
  number: 11,
  name: 'Cryptography',
  answers: [
    met('11.1.1', 'Management of keys is documented', ['docs/keys.md', '## Rotate']),
    met('11.1.2', 'Inventory of cryptography', [security, '## Cryptography'], inventory),
    metSo(
      '11.2.1',
      'Validated implementations',
      'Primitives are those of OpenSSL, argon2 of RustCrypto, age of noble. Our own are only the frames around them (SRTP, TOTP, digest), held against the vectors of their standards.',
      inventory,
      [t.srtp, 'RFC 3711 B.3: key derivation'],
      [t.totp, 'RFC 6238, appendix B, cut to six digits'],
    ),
    metSo(
      '11.2.2',
      'Algorithms and keys can be replaced',
      'Values say what they were made with, hashes of passwords are renewed by themselves, webhooks and client secrets rotate, and `tandem rotate` replaces the keys of the installation while it runs.',
      [rotation, 'is published, then signs, then ends, and no token is refused before its time'],
      [rotation, 'is replaced; what is used is hashed again, and what is not says so before the former ends'],
      [rotation, 'is replaced; all that lies sealed is sealed again, and the former one ends'],
    ),
    open(
      '11.2.3',
      '128 bits of strength',
      'All but what others dictate: keys of DKIM have 2048 bits (112 bits of strength; RFC 8301 asks receivers for no more), tags of SRTP in SIP calls 80 bits (RFC 4568).',
    ),
    metSo(
      '11.3.1',
      'No ECB, no PKCS#1 v1.5',
      'Nothing is encrypted by either. AES-ECB of single blocks makes the key stream of SRTP (RFC 3711 §4.1.1); signatures of DKIM are 11.6.1.',
      inventory,
      [t.srtp, 'RFC 3711 B.2: the key stream of AES-CM'],
    ),
    open(
      '11.3.2',
      'Approved ciphers and modes',
      'Secrets at rest are AES-256-GCM, backups ChaCha20-Poly1305. Sound of SIP calls is AES-CM with HMAC-SHA-1 (RFC 3711), authenticated, the only suite that all phones and carriers know; AES-GCM (RFC 7714) is not offered beside it. Without SRTP on the other side sound goes in clear.',
    ),
    met('11.3.3', 'Encrypted data is authenticated', authenticated, backups, [
      t.srtp,
      'replayed, old, forged and short packets are refused, and change nothing',
    ]),
    open(
      '11.4.1',
      'Approved hash functions',
      'SHA-256 everywhere but where SIP wants MD5: digests of phones are MD5 by default (`TANDEM_SIP_DIGESTS=SHA-256` ends that), for many phones know nothing else. They are kept sealed, and their passwords are random unless somebody chooses one. SHA-1 is in TOTP and SRTP, as HMAC.',
    ),
    met(
      '11.4.2',
      'Storage of passwords',
      [t.sources, 'passwords are hashed by argon2id at what OWASP asks, each with a salt of its own'],
      [t.login, 'renews a hash made with less effort, and only the hash'],
    ),
    met(
      '11.4.3',
      'Hashes that hold integrity',
      [t.chain, 'history that was rewritten with all its hashes does not fit its seal'],
      inventory,
      [t.sources, 'MD5 and SHA-1 stand only where a protocol of others asks for them'],
    ),
    metSo(
      '11.4.4',
      'Keys made of passwords',
      'Only backups with a passphrase: scrypt, N = 2^18, twelve characters at least.',
      ['server/src/kernel/backup/archive.test.ts', 'gives back what went in, plain, by passphrase and by key'],
      inventory,
    ),
    metSo(
      '11.5.1',
      'Random values',
      'But for codes that people type (device codes, codes by call), which are short-lived and counted.',
      [t.sources, 'what must not be guessed is drawn by the system, with 128 bits and more'],
    ),
    open(
      '11.6.1',
      'Approved public key algorithms',
      'ES256 (P-256) and X25519 by OpenSSL and noble. DKIM signs with RSA PKCS#1 v1.5, which its standard asks for (RFC 6376); Ed25519 (RFC 8463) beside it is not offered, as few receivers read it.',
    ),
  ],
}

const communication: Chapter = {
  number: 12,
  name: 'Secure communication',
  answers: [
    met('12.1.1', 'TLS 1.2 and 1.3', proxies, tlsOfUs, [
      t.sipTls,
      'those that do not speak TLS, at either end, and versions that are too old',
    ]),
    metSo(
      '12.1.2',
      'Recommended cipher suites',
      'Of HTTP, by the files for nginx and Caddy: forward secrecy and AEAD alone. SIP and SMTP take those of Node.',
      proxies,
    ),
    no('12.1.3', 'Client certificates', 'No certificate of a client stands for anybody.'),
    metSo(
      '12.2.1',
      'TLS for all of HTTP',
      'TLS is the work of a proxy before the server, which listens on 127.0.0.1 until it is opened, and warns where plain HTTP is open to a network.',
      proxies,
      [
        'server/src/plain_http.test.ts',
        'plain HTTP that a network reaches is warned of, unless a proxy with TLS stands before it',
      ],
    ),
    met(
      '12.2.2',
      'Certificates that all trust',
      ['docs/deployment.md', '### A proxy with TLS'],
      ['server/src/doctor/checks.test.ts', 'certificates: ended, ending, of another key, unreadable'],
    ),
    open(
      '12.3.1',
      'Encryption of all connections',
      'HTTP, mail, S3, PostgreSQL and Valkey are encrypted outside of the machine as they are set up. Carriers and phones that speak no TLS (SIP over UDP, RTP, SMPP) are spoken to in clear, with a warning at the trunk; mail that comes in is encrypted where its sender does so.',
    ),
    metSo(
      '12.3.2',
      'Certificates are checked',
      'A carrier or trunk can be set up to check none (`tlsVerify`), which its page warns of.',
      [t.outbound, 'a certificate must be trusted and for the name, which is sent in SNI'],
      ['server/src/modules/messaging/carriers/endpoints.test.ts', 'checks certificates'],
      [
        'server/src/engines/sip/trunks.test.ts',
        'tlsVerify is what it says, also of a connection that stands when it is turned on',
      ],
      tlsOfUs,
    ),
    no(
      '12.3.3',
      'TLS between inner HTTP services',
      'There are none: one process serves, and processes of calls speak by pipes and the database. The proxy stands on the same machine.',
    ),
    met(
      '12.3.4',
      'Certificates of inner services',
      ['server/src/kernel/boot/database_url.test.ts', 'a server without TLS where the URL demands it'],
      ['server/src/kernel/boot/database_url.test.ts', 'a missing certificate file'],
      [t.sipTls, 'over TLS both ways; the certificate must be of a known authority and for the name'],
    ),
  ],
}

const configuration: Chapter = {
  number: 13,
  name: 'Configuration',
  answers: [
    met('13.1.1', 'Connections are documented', [security, '## Connections']),
    open(
      '13.2.1',
      'Inner connections are authenticated by what changes',
      'The embedded PostgreSQL is a socket in a folder of mode 700: the operating system says who comes. `DATABASE_URL`, `VALKEY_URL` and the keys of S3 are passwords of the operator, read at the start; certificates can stand in for that of PostgreSQL (`sslcert`), tokens that are fetched again and again cannot.',
    ),
    met('13.2.2', 'Inner connections have the least rights', leastRights, ofCalls, [
      'server/src/kernel/boot/embedded_postgres.test.ts',
      'the server is durable, private, in UTC, and its role owns and bypasses nothing',
    ]),
    met(
      '13.2.3',
      'No default credentials',
      [
        'server/test/first_start.test.ts',
        'a password that is guessed first, too short or too long is refused with the rule, and nothing is made',
      ],
      [
        'server/src/kernel/boot/embedded_postgres.test.ts',
        'the server is durable, private, in UTC, and its role owns and bypasses nothing',
      ],
    ),
    metSo('13.2.4', 'A list of systems that may be reached', egressNote, ...egress),
    metSo('13.2.5', 'A list of what the server may fetch from', egressNote, ...egress),
    metSo(
      '13.3.1',
      'Secrets are managed',
      'Secrets of organizations are sealed, those of people hashed, none is in sources and builds. What seals them is sealed by a root key outside of the database, which a key service can give (docs/keys.md).',
      [
        'server/src/kernel/boot/secrets.test.ts',
        'the first start makes the key, for its user alone, and seals all secrets with it',
      ],
    ),
    metSo(
      '13.3.2',
      'Access to secrets',
      'The role of the server cannot read the secrets of the installation.',
      leastRights,
      ofCalls,
      [t.tenancy, 'without a tenant nothing is read; with one, only its rows; and no row of another can be written'],
    ),
    met(
      '13.4.1',
      'No files of source control',
      [t.package, 'the archive holds what it lists, and neither tests nor tools'],
      onlyBuilt,
    ),
    met(
      '13.4.2',
      'No debug modes',
      [t.http, 'a mistake of ours answers 500 without its inside, rolls back, and is logged with secrets masked'],
      [t.budgets, 'what is built has no source map and can be cached for ever'],
    ),
    met('13.4.3', 'No listings of folders', onlyBuilt),
    met('13.4.4', 'No TRACE', [t.browsers, 'with the method TRACE, or one that nobody knows, are not echoed']),
    metSo(
      '13.4.5',
      'Documents and monitoring',
      'The catalog is public on purpose: it is the product’s own documentation.',
      [t.http, 'metrics are served to programs on this machine, or to anyone who has the token'],
    ),
  ],
}

export const chapters11to13: readonly Chapter[] = [cryptography, communication, configuration]
