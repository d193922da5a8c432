// Every setting of the server, in one schema: name, kind, bounds, default and meaning. The parser, the README's table and
// the type `Config` are made from it. This is the only file of the server that knows environment variables.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import { type Static, Type } from 'typebox'
import { parseS3Address, s3AddressText } from './object_key.ts'
import { startFault } from './start_fault.ts'

export const roles = ['api', 'worker', 'voice'] as const

const schema = Type.Object({
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
    description: 'Address to listen on; `0.0.0.0` or `::` opens the server to the network.',
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
    default: '0.0.0.0',
    format: 'ip',
    description: 'Address that SIP and the sound of calls are bound to; opened with the first trunk.',
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
    description: 'Range of UDP ports for the sound of calls: two for each leg.',
  }),
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
    description: 'Days after which a recording is deleted; 0 keeps recordings until they are deleted by hand.',
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
      minLength: 8,
      maxLength: 256,
      secret: true,
      description: 'Password of the first Admin, used at the first start only.',
    }),
  ),
  rateLimitIp: Type.Integer({
    variable: 'TANDEM_RATE_LIMIT_IP',
    default: 100,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Requests a minute allowed from one IP address.',
  }),
  rateLimitKey: Type.Integer({
    variable: 'TANDEM_RATE_LIMIT_KEY',
    default: 1_000,
    minimum: 1,
    maximum: 1_000_000_000,
    description: 'Requests a minute allowed with one developer API key.',
  }),
  trustedProxies: Type.Array(Type.String({ format: 'cidr' }), {
    variable: 'TANDEM_TRUSTED_PROXIES',
    default: [],
    description: 'Address ranges of the reverse proxies whose `X-Forwarded-For` is believed, separated by commas.',
  }),
  egressAllow: Type.Array(Type.String({ format: 'cidr' }), {
    variable: 'TANDEM_EGRESS_ALLOW',
    default: [],
    description: 'Private address ranges that callbacks and webhooks may reach all the same, separated by commas.',
  }),
  egressHttp: Type.Boolean({
    variable: 'TANDEM_EGRESS_HTTP',
    default: false,
    description: '`1` lets callbacks and webhooks of the live mode use plain `http` too.',
  }),
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
  logFormat: Type.Enum(['text', 'json'], {
    variable: 'TANDEM_LOG_FORMAT',
    shown: '`text` on a terminal, else `json`',
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
  databasePool: Type.Integer({
    variable: 'TANDEM_DATABASE_POOL',
    default: 10,
    minimum: 1,
    maximum: 1_000,
    description: 'Most database connections this process opens for requests.',
  }),
})

/** The settings of one process: frozen, parsed and checked. Paths are absolute, ranges are CIDR, URLs end without a slash. */
export type Config = Readonly<Static<typeof schema>>

type Field = {
  variable: string
  type?: 'integer' | 'boolean' | 'string' | 'array'
  items?: Field
  enum?: readonly string[]
  format?: Format
  default?: unknown
  shown?: string
  secret?: boolean
  description: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

const fields = Object.entries(schema.properties as unknown as Record<keyof Config, Field>)

/** What a kind of text takes, and its normal form; `undefined` when the text is not of that kind. */
const formats = {
  host: {
    takes: 'an IP address or a host name without scheme and port, for example 0.0.0.0',
    normal: (text: string) => (isIP(text) || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(text) ? text : undefined),
  },
  folder: {
    takes: 'the path of a folder, for example /var/lib/tandem',
    normal: (text: string) => (text.includes('\0') ? undefined : resolve(text)),
  },
  email: {
    takes: 'an e-mail address, for example admin@example.com',
    normal: (text: string) => (/^[^\s@]+@[^\s@]+$/.test(text) ? text : undefined),
  },
  cidr: {
    takes: 'address ranges separated by commas, for example 10.0.0.0/8,fd00::/8',
    normal: normalRange,
  },
  http_url: {
    takes: 'an address with http or https and nothing behind the path, for example https://api.example.com',
    normal: (text: string) => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username
      return plain ? url.href.replace(/\/+$/, '') : undefined
    },
  },
  ip: {
    takes: 'an IP address, for example 203.0.113.7',
    normal: (text: string) => (isIP(text) === 0 ? undefined : text),
  },
  ports: {
    takes: 'two ports from 1024 to 65535, the higher one last, for example 10000-19999',
    normal: (text: string) => {
      const [from = 0, to = 0] = /^(\d{4,5})-(\d{4,5})$/.exec(text)?.slice(1).map(Number) ?? []
      return from >= 1_024 && to <= 65_535 && to - from >= 3 ? text : undefined
    },
  },
  recordings: {
    takes: 'disk, or the address of a bucket, for example s3://company-recordings/tandem',
    normal: (text: string) => {
      const address = parseS3Address(text)
      return text === 'disk' ? text : address && s3AddressText(address)
    },
  },
  s3_endpoint: {
    takes: 'an address with http or https, for example https://minio.example.com or https://{bucket}.s3.example.com',
    normal: (text: string): string | undefined =>
      formats.http_url.normal(text.replace('{bucket}', 'bucket')) && text.replace(/\/+$/, ''),
  },
  s3_region: {
    takes: 'the name of a region, for example eu-central-1',
    normal: (text: string) => (/^[a-z0-9][a-z0-9-]{0,62}$/i.test(text) ? text : undefined),
  },
  postgres_url: {
    takes: 'a PostgreSQL address, for example postgres://user:password@host:5432/tandem',
    normal: (text: string) => (/^postgres(ql)?:\/\/./.test(text) ? text : undefined),
  },
  valkey_url: {
    takes: 'a Valkey or Redis address, for example redis://127.0.0.1:6379',
    normal: (text: string) =>
      /^(redis|valkey)s?:\/\/./.test(text) && URL.canParse(text) ? text.replace(/^valkey/, 'redis') : undefined,
  },
}
type Format = keyof typeof formats

/** `10.0.0.0/8` as it is, `10.0.0.1` as `10.0.0.1/32`; ipaddr.js alone would also take octal and shortened addresses. */
function normalRange(text: string): string | undefined {
  const [address = '', ...prefix] = text.split('/')
  if (isIP(address) === 0) return undefined
  if (prefix.length === 0) return `${address}/${isIP(address) === 4 ? 32 : 128}`
  return ipaddr.isValidCIDR(text) ? text : undefined
}

export type LoadOptions = {
  /** Whether standard output is a terminal; decides the log format where it is not set. */
  terminal?: boolean
}

/**
 * Reads the settings out of `env`; a variable that is empty counts as not set.
 * @throws StartFault with one line for each bad variable: its name, its value (never a secret's) and what it takes.
 */
export function loadConfig(env: Record<string, string | undefined>, { terminal = false }: LoadOptions = {}): Config {
  const faults: string[] = []
  const config: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const text = env[field.variable]?.trim() || undefined
    const given = text ?? defaultText(field)
    if (given === undefined) continue
    const value = parse(field, given)
    if (value === undefined) {
      const shown = field.secret ? 'set, but its value is not usable' : JSON.stringify(text)
      faults.push(`${field.variable} is ${shown}: it takes ${takes(field)}. Correct it, or unset it for the default.`)
    }
    config[name] = Array.isArray(value) ? Object.freeze(value) : value
  }
  faults.push(...missingKeys(config), ...missingCertificate(config))
  if (faults.length > 0) throw startFault(faults)
  config['logFormat'] ??= terminal ? 'text' : 'json'
  return Object.freeze(config) as Config
}

/** A certificate is of no use without its key, nor the other way round. */
function missingCertificate({ sipTlsCert, sipTlsKey }: Partial<Config>): string[] {
  if ((sipTlsCert === undefined) === (sipTlsKey === undefined)) return []
  const [is, isNot] = sipTlsKey === undefined ? ['CERT', 'KEY'] : ['KEY', 'CERT']
  return [
    `TANDEM_SIP_TLS_${isNot} is not set, but TANDEM_SIP_TLS_${is} is: TLS needs both. Set it, or unset the other.`,
  ]
}

/** A bucket is of no use without the key to it. */
function missingKeys({ recordings, s3AccessKeyId, s3SecretAccessKey }: Partial<Config>): string[] {
  if (recordings === undefined || recordings === 'disk') return []
  const needed = { TANDEM_S3_ACCESS_KEY_ID: s3AccessKeyId, TANDEM_S3_SECRET_ACCESS_KEY: s3SecretAccessKey }
  return Object.entries(needed)
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${name} is not set: TANDEM_RECORDINGS names a bucket, which is reached with a key. Set it.`)
}

/** Defaults go through the same parser as the environment, so `./data` becomes absolute in one place. */
function defaultText(field: Field): string | undefined {
  if (field.default === undefined) return undefined
  if (typeof field.default === 'boolean') return field.default ? '1' : '0'
  return Array.isArray(field.default) ? field.default.join(',') : String(field.default)
}

/** The value of `text`, or `undefined` when the field does not take it. */
function parse(field: Field, text: string): unknown {
  if (field.enum) return field.enum.includes(text) ? text : undefined
  switch (field.type) {
    case 'integer':
      return parseInteger(field, text)
    case 'boolean':
      return parseFlag(text.toLowerCase())
    case 'array':
      return parseList(field.items!, text)
    default:
      if (text.length < (field.minLength ?? 0) || text.length > (field.maxLength ?? Number.POSITIVE_INFINITY))
        return undefined
      return field.format ? formats[field.format].normal(text) : text
  }
}

function parseFlag(text: string): boolean | undefined {
  if (text === '1' || text === 'true') return true
  return text === '0' || text === 'false' ? false : undefined
}

function parseInteger(field: Field, text: string): number | undefined {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return value >= field.minimum! && value <= field.maximum! ? value : undefined
}

function parseList(items: Field, text: string): unknown[] | undefined {
  const parts = text.split(',').map(part => part.trim())
  const values = parts.filter(Boolean).map(part => parse(items, part))
  return values.includes(undefined) || (text !== '' && values.length === 0) ? undefined : [...new Set(values)]
}

/** The form of a field's value, as the end of the sentence "it takes …". */
function takes(field: Field): string {
  if (field.enum) return `one of ${field.enum.join(', ')}`
  if (field.format) return formats[field.format].takes
  switch (field.type) {
    case 'integer':
      return `a whole number from ${field.minimum} to ${field.maximum}`
    case 'boolean':
      return '1 or 0'
    case 'array':
      return field.items!.enum
        ? `one or more of ${field.items!.enum.join(', ')}, separated by commas`
        : takes(field.items!)
    default:
      return `${field.minLength} to ${field.maxLength} characters`
  }
}

/** All settings as a Markdown table (name, default, meaning), for the README. */
export function settingsTable(): string {
  const rows = fields.map(([, field]) => {
    const text = defaultText(field)
    return `| \`${field.variable}\` | ${field.shown ?? (text ? `\`${text}\`` : 'none')} | ${field.description} |`
  })
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows].join('\n')
}
