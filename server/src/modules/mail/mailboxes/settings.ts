// Settings of a mailbox: what is asked for, and where its secrets belong.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { completeSettings, openSecrets, type Settings, type SettingsSchema } from '../../../kernel/links/settings.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'

export const schema = Type.Object({
  host: Type.String({ minLength: 1, maxLength: 253, pattern: '^[^\\s/@:]+$', description: 'Name of the IMAP server.' }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, default: 993, description: 'Usually 993 with TLS, or 143.' }),
  security: OneOf(['tls', 'starttls', 'none'], {
    default: 'tls',
    description:
      'How the connection is encrypted: from the first byte, after a greeting, or not (private addresses only).',
  }),
  user: Type.String({ minLength: 1, maxLength: 320, description: 'To log in with.' }),
  password: Type.String({ minLength: 1, maxLength: 1_000, description: 'To log in with.', 'x-secret': true }),
  folder: Type.String({
    minLength: 1,
    maxLength: 200,
    default: 'INBOX',
    description: 'The folder that is read. Its mails are left as they are.',
  }),
  authservId: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 253,
      pattern: '^[^\\s;]+$',
      default: null as never,
      description:
        'Name of the server whose Authentication-Results are believed, as it stands in mails of this mailbox: mx.example.com. Left out, DKIM and DMARC are looked up here.',
    }),
  ),
})
export const settingsSchema = schema as unknown as SettingsSchema
export type MailboxSettings = Static<typeof schema>

export type MailboxRow = {
  id: string
  name: string
  settings: Settings
  secrets: string | null
  enabled: boolean
  reads_from: string
  uid_validity: number | null
  last_uid: number
  status: 'waiting' | 'reading' | 'failing'
  fault: string | null
  read_at: string | null
  failures: number
  version: number
  created_at: string
  updated_at: string
}

/** What the secrets of a mailbox are sealed for. */
export const secretPlace = (keyring: Keyring, tenantId: number, id: string) => ({
  keyring,
  purpose: 'mailboxes',
  tenantId,
  id,
})

/** @throws Error where its secrets were sealed by another installation */
export function settingsOf(
  { id, settings, secrets }: Pick<MailboxRow, 'id' | 'settings' | 'secrets'>,
  keyring: Keyring,
  tenantId: number,
): MailboxSettings {
  const opened = openSecrets(secretPlace(keyring, tenantId, id), secrets)
  return completeSettings(settingsSchema, { ...settings, ...opened }) as MailboxSettings
}
