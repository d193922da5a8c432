// What a mailbox looks like from outside: without its password.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { changedSettings, completeSettings, newSettings, shownSettings } from '../../../kernel/links/settings.ts'
import { type MailboxRow, type MailboxSettings, type schema, settingsSchema } from './settings.ts'

type Shown = Omit<Static<typeof schema>, 'password'>
type New = Pick<MailboxSettings, 'host' | 'user' | 'password'> & Partial<MailboxSettings>

const name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '\\S',
  errorMessage: 'must not be empty',
  description: 'In your words.',
})

export const NewSettings = Type.Unsafe<New>(newSettings(settingsSchema) as never)
export const ChangedSettings = Type.Unsafe<Partial<MailboxSettings>>(changedSettings(settingsSchema) as never)

export const MailboxShown = Type.Object({
  mailboxId: Type.String({ description: 'Identifier, `mbx_…`.' }),
  name: Type.String(),
  settings: Type.Unsafe<Shown>(shownSettings(settingsSchema) as never),
  enabled: Type.Boolean({ description: 'Whether it is read.' }),
  status: OneOf(['waiting', 'reading', 'failing'], {
    description:
      'waiting: nobody has read it yet. reading: new mails come within moments. failing: the last try came to nothing.',
  }),
  fault: Nullable(Type.String({ description: 'What went wrong, where something did.' })),
  readsFrom: Type.Unsafe<string>({ ...Timestamp, description: 'Mails that came to it before are left alone.' }),
  readAt: Nullable(Type.Unsafe<string>({ ...Timestamp, description: 'When it was last looked into.' })),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

const enabled = Type.Optional(Type.Boolean({ description: 'False stops reading it.' }))
export const settable = { name: Type.Optional(name), settings: Type.Optional(ChangedSettings), enabled }
export const creatable = {
  name,
  settings: NewSettings,
  enabled,
  readsFrom: Type.Optional(
    Type.Unsafe<string>({
      ...Timestamp,
      description: 'Reads mails that came since then as well; from now on when left out.',
    }),
  ),
}

export function presentMailbox(row: MailboxRow): Static<typeof MailboxShown> {
  return {
    mailboxId: row.id,
    name: row.name,
    settings: completeSettings(shownSettings(settingsSchema), row.settings) as Shown,
    enabled: row.enabled,
    status: row.status,
    fault: row.fault,
    readsFrom: row.reads_from,
    readAt: row.read_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export const sampleMailbox: Static<typeof MailboxShown> = {
  mailboxId: 'mbx_01k9r7d3w2v8e6q4n5m1b0c9xz',
  name: 'Sales',
  settings: {
    host: 'imap.example.com',
    port: 993,
    security: 'tls',
    user: 'sales@example.com',
    folder: 'INBOX',
    authservId: null,
  },
  enabled: true,
  status: 'reading',
  fault: null,
  readsFrom: '2026-11-21T08:44:00.123Z',
  readAt: '2026-11-21T08:45:02.310Z',
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}
