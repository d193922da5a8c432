// What a mail transport looks like from outside: without its secrets.
import { type Static, Type } from 'typebox'
import { OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { changedSettings, completeSettings, newSettings, shownSettings } from '../../../kernel/links/settings.ts'
import { kinds, type schema, settingsSchema, type TransportRow } from './settings.ts'

type Shown = Omit<Static<typeof schema>, 'password' | 'clientSecret'>

const wording = { minLength: 1, maxLength: 200, pattern: '\\S', errorMessage: 'must not be empty' }
const name = Type.String({ ...wording, description: 'In your words.' })

export const NewSettings = Type.Unsafe<Partial<Static<typeof schema>>>(newSettings(settingsSchema) as never)
export const ChangedSettings = Type.Unsafe<Partial<Static<typeof schema>>>(changedSettings(settingsSchema) as never)

export const Transport = Type.Object({
  transportId: Type.String({ description: 'Identifier, `mtr_…`.' }),
  kind: OneOf(kinds, {
    description:
      'smtp: a mail server with a password or without. smtp_oauth: one that wants an access token. outbox: nothing leaves.',
  }),
  name: Type.String(),
  settings: Type.Unsafe<Shown>(shownSettings(settingsSchema) as never),
  hasSecret: Type.Boolean({ description: 'Whether a password or secret is kept; it is never shown.' }),
  isDefault: Type.Boolean({ description: 'Whether mails leave by it whose sender names no other.' }),
  enabled: Type.Boolean({ description: 'Whether it is used.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const settable = {
  name: Type.Optional(name),
  settings: Type.Optional(ChangedSettings),
  isDefault: Type.Optional(
    Type.Boolean({ description: 'True takes it from the one before. The first one is the default by itself.' }),
  ),
  enabled: Type.Optional(Type.Boolean({ description: 'False lets mails take another way: that of the installation.' })),
}
export const creatable = {
  ...settable,
  name,
  kind: OneOf(kinds, { description: 'What it is.' }),
  settings: Type.Optional(NewSettings),
}

export function presentTransport(row: TransportRow): Static<typeof Transport> {
  return {
    transportId: row.id,
    kind: row.kind,
    name: row.name,
    settings: completeSettings(shownSettings(settingsSchema), row.settings) as Shown,
    hasSecret: row.secrets !== null,
    isDefault: row.is_default,
    enabled: row.enabled,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export const sampleTransport: Static<typeof Transport> = {
  transportId: 'mtr_01k9r7d3w2v8e6q4n5m1b0c9xz',
  kind: 'smtp',
  name: 'Company mail server',
  settings: {
    host: 'mail.example.com',
    port: 587,
    security: 'starttls',
    user: 'office@example.com',
    tokenUrl: null,
    clientId: null,
    scope: null,
  },
  hasSecret: true,
  isDefault: true,
  enabled: true,
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}
