// The settings of the server as one schema: name, kind, bounds, default and meaning of each. config.ts reads the environment by it, and
// makes the README's table of it.
import { Type } from 'typebox'
import { backupFields } from './backup_fields.ts'
import { browserFields } from './browser_fields.ts'
import { egressFields } from './egress_fields.ts'
import { identitySettings } from './identity_schema.ts'
import { keyFields } from './key_fields.ts'
import { mailFields } from './mail_fields.ts'
import { tracingFields } from './tracing_fields.ts'

export const roles = ['api', 'worker', 'voice'] as const

export const schema = Type.Object({
  port: Type.Integer({
    variable: 'PORT',
    default: 3000,
    minimum: 0,
    maximum: 65_535,
    description: 'TCP port of the HTTP server; 0 takes any free port.',
  }),
  host: Type.String({
    variable: 'HOST',
    default: '127.0.0.1',
    format: 'host',
    description:
      'Address to listen on; `0.0.0.0` or `::` opens the server to the network, also to carriers and telephones (`TANDEM_SIP_ADDRESS`).',
  }),
  databaseUrl: Type.Optional(
    Type.String({
      variable: 'DATABASE_URL',
      shown: 'embedded PostgreSQL',
      format: 'postgres_url',
      secret: true,
      description: 'An existing PostgreSQL 15 or newer to use instead of the embedded one.',
    }),
  ),
  valkeyUrl: Type.Optional(
    Type.String({
      variable: 'VALKEY_URL',
      shown: 'limits in memory',
      format: 'valkey_url',
      secret: true,
      description: 'A Valkey or Redis server through which several nodes share their rate limits.',
    }),
  ),
  dataDir: Type.String({
    variable: 'TANDEM_DATA',
    default: './data',
    format: 'folder',
    description: 'Folder of the embedded database, its log and stored files; one server at a time uses it.',
  }),
  sipAddress: Type.String({
    variable: 'TANDEM_SIP_ADDRESS',
    shown:
      '`127.0.0.1` where `HOST` is of this machine and `TANDEM_SIP_PUBLIC_ADDRESS` is not set, otherwise `0.0.0.0`',
    format: 'ip',
    description:
      'Address that SIP and the audio of calls are bound to; opened with the first trunk or phone. Carriers and phones elsewhere need `0.0.0.0`, or an address that they reach.',
  }),
  sipPort: Type.Integer({
    variable: 'TANDEM_SIP_PORT',
    default: 5060,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of SIP over UDP and TCP; 0 takes any free port.',
  }),
  sipPublicAddress: Type.Optional(
    Type.String({
      variable: 'TANDEM_SIP_PUBLIC_ADDRESS',
      shown: 'the address of this machine',
      format: 'ip',
      description: 'Address under which carriers reach this server, behind NAT or in a container.',
    }),
  ),
  sipDomain: Type.Optional(
    Type.String({
      variable: 'TANDEM_SIP_DOMAIN',
      shown: 'TANDEM_SIP_PUBLIC_ADDRESS, or the host of TANDEM_PUBLIC_URL',
      format: 'host',
      description: 'Name that phones register with and are called by, as sip:<user>@<name>.',
    }),
  ),
  sipDigests: Type.Array(Type.Enum(['SHA-256', 'MD5']), {
    variable: 'TANDEM_SIP_DIGESTS',
    default: ['MD5'],
    minItems: 1,
    description:
      'How phones may prove their password, best first: `SHA-256,MD5` where all phones know both; many stumble over what they do not know.',
  }),
  sipTlsPort: Type.Integer({
    variable: 'TANDEM_SIP_TLS_PORT',
    default: 5061,
    minimum: 0,
    maximum: 65_535,
    description: 'Port of SIP over TLS, opened when there is a certificate.',
  }),
  sipTlsCert: Type.Optional(
    Type.String({
      variable: 'TANDEM_SIP_TLS_CERT',
      shown: 'no TLS from outside',
      format: 'folder',
      description: 'File with the certificate of SIP over TLS and those that lead to it, in PEM form.',
    }),
  ),
  sipTlsKey: Type.Optional(
    Type.String({
      variable: 'TANDEM_SIP_TLS_KEY',
      format: 'folder',
      description: 'File with the key of that certificate, in PEM form.',
    }),
  ),
  rtpPorts: Type.String({
    variable: 'TANDEM_RTP_PORTS',
    default: '10000-19999',
    format: 'ports',
    description: 'Range of UDP ports for the audio of calls: two for each leg.',
  }),
  webrtcAddress: Type.String({
    variable: 'TANDEM_WEBRTC_ADDRESS',
    default: '0.0.0.0',
    format: 'ip',
    description:
      'Address on which the audio of phones in browsers is taken, from the first such call on; `0.0.0.0` stands for all of IPv4. Chromium on this machine would do with `127.0.0.1`, Firefox would not.',
  }),
  webrtcPorts: Type.String({
    variable: 'TANDEM_WEBRTC_PORTS',
    default: '20000-29999',
    format: 'ports',
    description:
      'Range of UDP ports for phones in browsers: each process takes the first free one for all of its calls.',
  }),
  webrtcPublicAddress: Type.Optional(
    Type.String({
      variable: 'TANDEM_WEBRTC_PUBLIC_ADDRESS',
      shown: 'the addresses of this machine',
      format: 'ip',
      description: 'Address under which browsers reach this server too, behind NAT or in a container.',
    }),
  ),
  webrtcIceServers: Type.Array(Type.String({ format: 'ice_server' }), {
    variable: 'TANDEM_WEBRTC_ICE_SERVERS',
    default: [],
    description:
      'STUN and TURN servers that browsers use, separated by commas: `stun:stun.example.com`, `turn:turn.example.com?transport=tcp`.',
  }),
  webrtcTurnSecret: Type.Optional(
    Type.String({
      variable: 'TANDEM_WEBRTC_TURN_SECRET',
      minLength: 8,
      maxLength: 1_024,
      secret: true,
      description:
        'Secret shared with those TURN servers (`static-auth-secret` of coturn), of which passwords for a day are made.',
    }),
  ),
  speechUrl: Type.Optional(
    Type.String({
      variable: 'TANDEM_SPEECH_URL',
      shown: 'programs of this machine',
      format: 'http_url',
      description:
        'Address of an OpenAI-compatible API that speaks in calls, up to `/audio/speech`: `https://api.example.com/v1`.',
    }),
  ),
  speechKey: Type.Optional(
    Type.String({
      variable: 'TANDEM_SPEECH_KEY',
      minLength: 1,
      maxLength: 1_024,
      secret: true,
      description: 'Key of that API, sent as a bearer token.',
    }),
  ),
  speechModel: Type.String({
    variable: 'TANDEM_SPEECH_MODEL',
    default: 'tts-1',
    minLength: 1,
    maxLength: 256,
    description: 'Model that API speaks with.',
  }),
  speechVoice: Type.String({
    variable: 'TANDEM_SPEECH_VOICE',
    default: 'alloy',
    minLength: 1,
    maxLength: 256,
    description: 'Voice of that API where a call names none.',
  }),
  speechPrograms: Type.String({
    variable: 'TANDEM_SPEECH_PROGRAMS',
    default: '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin',
    maxLength: 4_096,
    description: 'Folders in which `espeak-ng` and `flite` are looked for, which speak in calls; separated by colons.',
  }),
  recordings: Type.String({
    variable: 'TANDEM_RECORDINGS',
    default: 'disk',
    format: 'recordings',
    description:
      'Where recordings of calls are kept: `disk` for the data folder, or `s3://bucket/prefix` for S3-compatible storage.',
  }),
  recordingDays: Type.Integer({
    variable: 'TANDEM_RECORDING_DAYS',
    default: 0,
    minimum: 0,
    maximum: 36_500,
    description:
      'Days that recordings are kept, where an organization sets no other time for its own; 0: as long as their calls.',
  }),
  retention: Type.Array(Type.String({ format: 'retention' }), {
    variable: 'TANDEM_RETENTION',
    default: [],
    shown: 'those of docs/privacy.md',
    description:
      'Days that things are kept, by class, where an organization sets no other time, and what it may choose: `messages=730,calls=365:30-1095`.',
  }),
  auditDays: Type.Integer({
    variable: 'TANDEM_AUDIT_DAYS',
    default: 400,
    minimum: 90,
    maximum: 3_650,
    description: 'Days that the audit log is kept, where an organization sets no other time for its own.',
  }),
  callTraceDays: Type.Integer({
    variable: 'TANDEM_CALL_TRACE_DAYS',
    default: 30,
    minimum: 1,
    maximum: 36_500,
    description:
      'Days after the end of a call at which its SIP messages are deleted, where an organization sets no other time; the call itself stays.',
  }),
  s3Endpoint: Type.Optional(
    Type.String({
      variable: 'TANDEM_S3_ENDPOINT',
      shown: 'that of AWS',
      format: 's3_endpoint',
      description:
        'Address of the S3-compatible storage; the bucket follows in the path, or stands where the host has `{bucket}`.',
    }),
  ),
  s3Region: Type.String({
    variable: 'TANDEM_S3_REGION',
    default: 'us-east-1',
    format: 's3_region',
    description: 'Region of the bucket.',
  }),
  s3AccessKeyId: Type.Optional(
    Type.String({
      variable: 'TANDEM_S3_ACCESS_KEY_ID',
      minLength: 1,
      maxLength: 256,
      description: 'Id of the key that may read, write, list and delete objects of the bucket.',
    }),
  ),
  s3SecretAccessKey: Type.Optional(
    Type.String({
      variable: 'TANDEM_S3_SECRET_ACCESS_KEY',
      minLength: 1,
      maxLength: 1_024,
      secret: true,
      description: 'Secret of that key.',
    }),
  ),
  adminEmail: Type.String({
    variable: 'TANDEM_ADMIN_EMAIL',
    default: 'admin@tandem.localhost',
    format: 'email',
    description: 'E-mail address of the first Admin, created at the first start.',
  }),
  adminPassword: Type.Optional(
    Type.String({
      variable: 'TANDEM_ADMIN_PASSWORD',
      shown: 'generated and printed once',
      minLength: 10,
      maxLength: 128,
      secret: true,
      description:
        'Password of the first Admin, 10 to 128 characters and none that is guessed first; used at the first start only.',
    }),
  ),
  rateLimitIp: Type.Integer({
    variable: 'TANDEM_RATE_LIMIT_IP',
    default: 100,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Requests a minute allowed from one IP address to anyone who brings no valid key or token.',
  }),
  rateLimitUser: Type.Optional(
    Type.Integer({
      variable: 'TANDEM_RATE_LIMIT_USER',
      shown: 'as for a key',
      minimum: 1,
      maximum: 1_000_000_000,
      description: 'Requests a minute allowed one person who is logged in, wherever from.',
    }),
  ),
  rateLimitKey: Type.Integer({
    variable: 'TANDEM_RATE_LIMIT_KEY',
    default: 1_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description:
      'Requests a minute allowed with one developer API key; all keys of a user in a mode have five times as many.',
  }),
  testPace: Type.Integer({
    variable: 'TANDEM_TESTS_PACE',
    default: 25,
    minimum: 0,
    maximum: 100_000,
    description:
      'Requests a second that one test tenant begins while live mode is at work on the node, which is so for ten seconds after each live request; its batches bring four times as many messages a second, and all test tenants together have twice as much. Alone on a node tests have no pace, and with 0 never.',
  }),
  trustedProxies: Type.Array(Type.String({ format: 'cidr' }), {
    variable: 'TANDEM_TRUSTED_PROXIES',
    default: [],
    description: 'Address ranges of the reverse proxies whose `X-Forwarded-For` is believed, separated by commas.',
  }),
  metricsToken: Type.Optional(
    Type.String({
      variable: 'TANDEM_METRICS_TOKEN',
      secret: true,
      minLength: 16,
      maxLength: 200,
      pattern: '^[\\x21-\\x7e]+$',
      description:
        'Bearer token with which `GET /metrics` is read. Without it only programs on this machine may, and nobody once a proxy is set up (`TANDEM_TRUSTED_PROXIES` or `TANDEM_PUBLIC_URL`).',
    }),
  ),
  securityContact: Type.Optional(
    Type.String({
      variable: 'TANDEM_SECURITY_CONTACT',
      format: 'contact',
      description:
        'Where finders of a vulnerability of this installation report it, said in `/.well-known/security.txt` (RFC 9116): an e-mail address, or a page with `https`.',
    }),
  ),
  ...egressFields,
  ...mailFields,
  ...backupFields,
  ...keyFields,
  ...tracingFields,
  roles: Type.Array(Type.Enum(roles), {
    variable: 'TANDEM_ROLES',
    default: [...roles],
    minItems: 1,
    description: 'What this process does, separated by commas: `api`, `worker`, `voice`.',
  }),
  portal: Type.Boolean({
    variable: 'TANDEM_PORTAL',
    default: true,
    description: '`0` serves the API without the pages of the developer portal.',
  }),
  demo: Type.Boolean({
    variable: 'TANDEM_DEMO',
    default: false,
    description: '`1` fills the first organization with a believable data set.',
  }),
  logLevel: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    variable: 'TANDEM_LOG_LEVEL',
    default: 'info',
    description: 'Least severe level that is logged.',
  }),
  showSecrets: Type.Boolean({
    variable: 'TANDEM_SHOW_SECRETS',
    shown: '`1` on a terminal, otherwise `0`',
    description:
      '`1` prints the password and keys of the first start; `0` writes them to `first_login.txt` in the data folder (mode 600), for what is printed may be kept in a journal.',
  }),
  logFormat: Type.Enum(['text', 'json'], {
    variable: 'TANDEM_LOG_FORMAT',
    shown: '`text` on a terminal, otherwise `json`',
    description: 'One line for people, or one JSON object, for each log record.',
  }),
  publicUrl: Type.Optional(
    Type.String({
      variable: 'TANDEM_PUBLIC_URL',
      shown: 'the address it listens on',
      format: 'http_url',
      description: 'Address under which clients reach this server, for links and token issuers.',
    }),
  ),
  ...browserFields,
  ...identitySettings,
  databasePool: Type.Integer({
    variable: 'TANDEM_DATABASE_POOL',
    default: 10,
    minimum: 1,
    maximum: 1_000,
    description: 'Most database connections this process opens for requests.',
  }),
})
