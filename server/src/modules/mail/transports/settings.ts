// Settings of a transport: what is asked for, what each kind needs, and the route they make.
import { Type } from 'typebox'
import { Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { completeSettings, openSecrets, type Settings, type SettingsSchema } from '../../../kernel/links/settings.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import type { Route, SmtpRoute } from './port.ts'

export const kinds = ['outbox', 'smtp', 'smtp_oauth'] as const
export type Kind = (typeof kinds)[number]

const text = (maxLength: number, description: string, more: object = {}) =>
  Nullable(Type.String({ minLength: 1, maxLength, default: null as never, description, ...more }))
const secret = { 'x-secret': true }

export const schema = Type.Object({
  host: text(253, 'Name of the mail server.', { pattern: '^[^\\s/@:]+$' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 587, description: 'Usually 587, or 465 with TLS.' }),
  security: OneOf(['starttls', 'tls', 'none'], {
    default: 'starttls',
    description:
      'How the connection is encrypted: after a greeting, from the first byte, or not (private addresses only).',
  }),
  user: text(320, 'To log in with.'),
  password: text(1_000, 'For smtp.', secret),
  tokenUrl: text(2_048, 'Where access tokens come from, for smtp_oauth.', { pattern: '^https?://' }),
  clientId: text(300, 'For smtp_oauth.'),
  clientSecret: text(1_000, 'For smtp_oauth.', secret),
  scope: text(500, 'For smtp_oauth, such as https://outlook.office365.com/.default.'),
})
export const settingsSchema = schema as unknown as SettingsSchema

const needed: Readonly<Record<Kind, readonly string[]>> = {
  outbox: [],
  smtp: ['host'],
  smtp_oauth: ['host', 'user', 'tokenUrl', 'clientId', 'clientSecret'],
}

/** What a kind lacks. */
export function settingsFaults(kind: Kind, settings: Settings): FieldFault[] {
  const missing = needed[kind].filter(name => settings[name] == null)
  const faults = missing.map(name => ({
    field: `settings.${name}`,
    code: 'required',
    message: `is needed for ${kind}`,
  }))
  if (kind === 'smtp' && (settings['user'] == null) !== (settings['password'] == null))
    faults.push({ field: 'settings.password', code: 'required', message: 'goes with user: set both, or neither' })
  return faults
}

export type TransportRow = {
  id: string
  kind: Kind
  name: string
  settings: Settings
  secrets: string | null
  is_default: boolean
  enabled: boolean
  per_minute: number | null
  version: number
  created_at: string
  updated_at: string
}

/** What the secrets of a transport are sealed for. */
export const secretPlace = (keyring: Keyring, tenantId: number, id: string) => ({
  keyring,
  purpose: 'mail_transports',
  tenantId,
  id,
})

/** @throws Error where its secrets were sealed by another installation */
export function routeOf(
  row: Pick<TransportRow, 'id' | 'kind' | 'settings' | 'secrets' | 'version'>,
  keyring: Keyring,
  tenantId: number,
): Route {
  if (row.kind === 'outbox') return { key: row.id, kind: 'outbox' }
  const secrets = openSecrets(secretPlace(keyring, tenantId, row.id), row.secrets)
  const settings = completeSettings(settingsSchema, { ...row.settings, ...secrets })
  return { key: row.id, kind: 'smtp', smtp: smtpOf(row.kind, settings, row.version) }
}

export function smtpOf(kind: Kind, settings: Settings, version: number): SmtpRoute {
  const of = (name: string) => (settings[name] as string | null) ?? ''
  const auth: SmtpRoute['auth'] =
    kind === 'smtp_oauth'
      ? {
          kind: 'oauth',
          user: of('user'),
          tokenUrl: of('tokenUrl'),
          clientId: of('clientId'),
          clientSecret: of('clientSecret'),
          scope: settings['scope'] as string | null,
        }
      : of('user') === ''
        ? { kind: 'none' }
        : { kind: 'password', user: of('user'), password: of('password') }
  const security = settings['security'] as SmtpRoute['security']
  return { host: of('host'), port: settings['port'] as number, security, auth, isTrusted: false, version }
}
