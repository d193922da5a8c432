// Reads the settings of the server from the environment: parser, the README's table and the type `Config` are made from the schema
// in config_schema.ts. This is the only file of the server that knows environment variables.
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import ipaddr from 'ipaddr.js'
import type { Static } from 'typebox'
import { keepOf } from '../kernel/backup/rotation.ts'
import { isEmail } from '../kernel/values/email.ts'
import { parseS3Address, s3AddressText } from '../kernel/values/object_key.ts'
import { startFault } from '../kernel/values/start_fault.ts'
import { parseRetention } from '../modules/privacy/retention/classes.ts'
import { schema } from './config_schema.ts'
import { isCron } from './cron.ts'
import { sipAddressFor } from './voice_addresses.ts'

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
  contact: {
    takes: 'an e-mail address or a page with https, for example security@example.com',
    normal: (text: string) => {
      if (isEmail(text.replace(/^mailto:/, ''))) return `mailto:${text.replace(/^mailto:/, '')}`
      return URL.parse(text)?.protocol === 'https:' ? text : undefined
    },
  },
  cidr: {
    takes: 'address ranges separated by commas, for example 10.0.0.0/8,fd00::/8',
    normal: normalRange,
  },
  egress_host: {
    takes:
      'host names, *. with a name, or IP addresses, separated by commas, for example hooks.example.com,*.carrier.example',
    normal: (text: string) => {
      if (isIP(text) !== 0) return text.toLowerCase()
      return /^(?:\*\.)?(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)*[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(text)
        ? text.toLowerCase()
        : undefined
    },
  },
  http_url: {
    takes: 'an address with http or https and nothing behind the path, for example https://api.example.com',
    normal: (text: string) => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      const plain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username
      return plain ? url.href.replace(/[/?#]+$/, '') : undefined
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
  ice_server: {
    takes: 'addresses of STUN and TURN servers, for example stun:stun.example.com:3478,turns:turn.example.com',
    normal: (text: string) =>
      /^(?:stuns?:[^\s,?@/]+|turns?:[^\s,?@/]+(?:\?transport=(?:udp|tcp))?)$/i.test(text) ? text : undefined,
  },
  recordings: {
    takes: 'disk, or the address of a bucket, for example s3://company-recordings/tandem',
    normal: (text: string) => {
      const address = parseS3Address(text)
      return text === 'disk' ? text : address && s3AddressText(address)
    },
  },
  backup_place: {
    takes: 'the path of a folder, or the address of a bucket, for example s3://company-backups/tandem',
    normal: (text: string) => {
      if (!text.startsWith('s3://')) return text.includes('\0') ? undefined : resolve(text)
      const address = parseS3Address(text)
      return address && s3AddressText(address)
    },
  },
  backup_keep: {
    takes: 'numbers of days, weeks and months, for example 7d 4w 12m',
    normal: (text: string) => (keepOf(text) === undefined ? undefined : text),
  },
  cron: {
    takes: 'a cron expression of five fields (minute, hour, day, month, day of the week), for example 17 2 * * *',
    normal: (text: string) => (isCron(text) ? text : undefined),
  },
  age_recipient: {
    takes: 'a public key of age, which begins with age1',
    normal: (text: string) => (/^age1[0-9a-z]{50,3000}$/.test(text) ? text : undefined),
  },
  retention: {
    takes:
      'classes with days, and perhaps the fewest and most that organizations may choose, for example messages=730,request_log=14:1-30; the classes are in docs/privacy.md',
    normal: (text: string) => (parseRetention(text) === undefined ? undefined : text),
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
  otlp_headers: {
    takes: 'headers separated by commas, for example x-api-key=secret,x-team=crm',
    normal: (text: string) =>
      text.split(',').every(part => /^\s*[!#$%&'*+.^_`|~\w-]+=[\x20-\x7e]*$/.test(part)) ? text : undefined,
  },
  share: {
    takes: 'a number from 0 to 1, for example 0.05',
    normal: (text: string) => (/^(?:0(?:\.\d+)?|1(?:\.0+)?|\.\d+)$/.test(text) ? text : undefined),
  },
  postgres_url: {
    takes: 'a PostgreSQL address, for example postgres://user:password@host:5432/tandem',
    normal: (text: string) => (/^postgres(ql)?:\/\/./.test(text) ? text : undefined),
  },
  smtp_url: {
    takes: 'an address with smtp or smtps, for example smtps://user:password@mail.example.com',
    normal: (text: string) => {
      const url = URL.parse(text)
      const isServer = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== ''
      return isServer && /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '' ? text : undefined
    },
  },
  mailbox: {
    takes: 'an e-mail address, also with a name, for example Example Company <office@example.com>',
    normal: (text: string) =>
      isEmail(/<([^<>]+)>$/.exec(text)?.[1] ?? text) && !/[\p{Cc}]/u.test(text) ? text : undefined,
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
  /** Whether standard output is a terminal; decides the log format, and whether secrets are printed, where these are not set. */
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
  faults.push(
    ...missingKeys(config),
    ...missingCertificate(config),
    ...missingForMail(config),
    ...missingForBackups(config),
    ...otherThanEmbedded(config),
    ...tooManyRootKeys(config),
  )
  if (faults.length > 0) throw startFault(faults)
  const { host, sipPublicAddress } = config as Config
  config['sipAddress'] ??= sipAddressFor(host, sipPublicAddress)
  config['showSecrets'] ??= terminal
  config['logFormat'] ??= terminal ? 'text' : 'json'
  return Object.freeze(config) as Config
}

/** Names of our own that no setting has: misspelled, most likely. One line for each, with what may have been meant. */
export function unknownSettings(env: Record<string, string | undefined>): string[] {
  const known = new Set(fields.map(([, { variable }]) => variable))
  const strangers = Object.keys(env).filter(name => /^TANDEM_(?!TEST_)/.test(name) && !known.has(name))
  return strangers.map(name => {
    const meant = [...known].find(one => isMisspelling(name, one))
    return `${name} is no setting, and is ignored.${meant === undefined ? ' README.md lists the settings.' : ` Did you mean ${meant}?`}`
  })
}

/** Whether two names differ by one letter or two neighbours that changed places, or in letter order only. */
function isMisspelling(name: string, known: string): boolean {
  let start = 0
  while (start < Math.min(name.length, known.length) && name[start] === known[start]) start++
  let [end, knownEnd] = [name.length, known.length]
  while (end > start && knownEnd > start && name[end - 1] === known[knownEnd - 1]) {
    end--
    knownEnd--
  }
  return end - start <= 2 && knownEnd - start <= 2
}

/** A certificate is of no use without its key, nor the other way round. */
function missingCertificate({ sipTlsCert, sipTlsKey }: Partial<Config>): string[] {
  if ((sipTlsCert === undefined) === (sipTlsKey === undefined)) return []
  const [is, isNot] = sipTlsKey === undefined ? ['CERT', 'KEY'] : ['KEY', 'CERT']
  return [
    `TANDEM_SIP_TLS_${isNot} is not set, but TANDEM_SIP_TLS_${is} is: TLS needs both. Set it, or unset the other.`,
  ]
}

/** Nobody can write to a server that has no domain; and see above. */
function missingForMail({ mailPort, mailDomain, mailTlsCert, mailTlsKey }: Partial<Config>): string[] {
  const faults: string[] = []
  if (mailPort !== undefined && mailDomain === undefined)
    faults.push('TANDEM_MAIL_DOMAIN is not set, but TANDEM_MAIL_PORT is: no address leads there. Set both, or neither.')
  if ((mailTlsCert === undefined) !== (mailTlsKey === undefined))
    faults.push('TANDEM_MAIL_TLS_CERT and TANDEM_MAIL_TLS_KEY go together: set both, or neither.')
  return faults
}

/** A bucket is of no use without the key to it. */
function missingKeys({ recordings, s3AccessKeyId, s3SecretAccessKey }: Partial<Config>): string[] {
  if (recordings === undefined || recordings === 'disk') return []
  const needed = { TANDEM_S3_ACCESS_KEY_ID: s3AccessKeyId, TANDEM_S3_SECRET_ACCESS_KEY: s3SecretAccessKey }
  return Object.entries(needed)
    .filter(([, value]) => value === undefined)
    .map(([name]) => `${name} is not set: TANDEM_RECORDINGS names a bucket, which is reached with a key. Set it.`)
}

/** What is made by schedule must be encrypted by something, and get where it goes. */
function missingForBackups(settings: Partial<Config>): string[] {
  const { backupTo, backupRecipient, backupPassphraseFile, s3AccessKeyId, s3SecretAccessKey } = settings
  if (backupTo === undefined) return []
  const faults: string[] = []
  if (backupRecipient === undefined && backupPassphraseFile === undefined)
    faults.push(
      'TANDEM_BACKUP_RECIPIENT is not set, but TANDEM_BACKUP_TO is: a backup holds every secret, and nothing says how to encrypt it. ' +
        'Set TANDEM_BACKUP_RECIPIENT or TANDEM_BACKUP_PASSPHRASE_FILE.',
    )
  if (backupTo.startsWith('s3://') && (s3AccessKeyId === undefined || s3SecretAccessKey === undefined))
    faults.push(
      'TANDEM_S3_ACCESS_KEY_ID and TANDEM_S3_SECRET_ACCESS_KEY are not both set: TANDEM_BACKUP_TO names a bucket. Set them.',
    )
  return faults
}

/** Only the embedded database archives by a setting of ours. */
function otherThanEmbedded({ walTo, databaseUrl }: Partial<Config>): string[] {
  if (walTo === undefined || databaseUrl === undefined) return []
  return [
    'TANDEM_WAL_TO is for the embedded database, and DATABASE_URL names one of your own: unset TANDEM_WAL_TO, and archive the WAL of ' +
      'yours by its own tools (pgBackRest, Barman, WAL-G).',
  ]
}

/** Two sources of one key would have to agree; nobody could say which counts. */
function tooManyRootKeys({ rootKeyFile, rootKey, rootKeyCommand }: Partial<Config>): string[] {
  const given = Object.entries({ FILE: rootKeyFile, '': rootKey, COMMAND: rootKeyCommand })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => ['TANDEM_ROOT_KEY', name].filter(Boolean).join('_'))
  return given.length <= 1
    ? []
    : [`${given.join(' and ')} are set: the root key comes from one place. Unset the others.`]
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
