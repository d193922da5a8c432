// Mailboxes over HTTP: set up, changed, tried out with what both sides said.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { Nullable, RecordId } from '../../../kernel/endpoint/schema.ts'
import {
  completeSettings,
  mergedSettings,
  partSettings,
  readableSecrets,
  type Settings,
  sealSecrets,
  secretNames,
} from '../../../kernel/links/settings.ts'
import { type Asking, resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { mailboxQueue } from './jobs.ts'
import { creatable, MailboxShown, presentMailbox, sampleMailbox, settable } from './schemas.ts'
import { type MailboxRow, secretPlace, settingsSchema } from './settings.ts'
import { forgottenCursor, mailboxes } from './store.ts'
import { tryOut } from './trial.ts'

const own = resource<MailboxRow, typeof MailboxShown>({
  names: ['mailbox', 'mailboxes'],
  id: ['mailboxId', 'mbx'],
  category: 'Messaging',
  path: '/mail/mailboxes',
  permissions: { read: 'mail:read', manage: 'mail:manage' },
  rows: mailboxes,
  reply: MailboxShown,
  sample: sampleMailbox,
  present: rows => rows.map(presentMailbox),
  changed: ({ services }) => services.wake(mailboxQueue),
})

/** The columns of settings, with what is secret sealed. */
function stored({ principal, services }: Asking, id: string, settings: Settings) {
  const { open, secret } = partSettings(settingsSchema, settings)
  return { settings: open, secrets: sealSecrets(secretPlace(services.keyring, principal.tenantId, id), secret) }
}

const list = own.list({
  description:
    'The mailboxes that mail is read from over IMAP. A shared one, such as sales@: what comes to it is seen by others.',
})

const add = own.create({
  description:
    'Sets up a mailbox that is read over IMAP from now on: new mails are found within moments, and its mails are left as they are. POST /v2/mail/mailboxes/{mailboxId}/test tries it out.',
  body: Type.Object(creatable),
  problems: ['mail_live_only'],
  sample: {
    body: {
      name: 'Sales',
      settings: { host: 'imap.example.com', user: 'sales@example.com', password: 'correct horse' },
    },
  },
  async handle({ name, settings, enabled = true, readsFrom }, asking) {
    const { tx, principal, now } = asking
    if (principal.mode !== 'live') throw new Problem('mail_live_only')
    const id = newId('mbx')
    const row = await mailboxes.insert(tx, principal, {
      id,
      name: name.trim(),
      enabled,
      reads_from: readsFrom ?? isoMs(now),
      ...stored(asking, id, completeSettings(settingsSchema, settings as Settings)),
      ...stampsOf(now),
    })
    return { row: row! }
  },
})

const get = own.get({ description: 'One mailbox with its settings, without its password, and how reading it goes.' })

/** What says where a password is sent, and which mails are meant. */
const place = ['host', 'port', 'security', 'user']

const update = own.update({
  description:
    'Changes what is named and leaves the rest. A password that is left out stays, but must be entered again when the server or the user changes. Another server, user or folder is read from now on.',
  body: Type.Object(settable),
  sample: { body: { enabled: false } },
  async handle(old, { name, settings, enabled }, asking) {
    const { tx, principal, now, services } = asking
    const change: Record<string, unknown> = {}
    if (name !== undefined) change['name'] = name.trim()
    if (enabled !== undefined) change['enabled'] = enabled
    if (settings !== undefined) {
      const secrets = readableSecrets(secretPlace(services.keyring, principal.tenantId, old.id), old.secrets)
      const known = completeSettings(settingsSchema, { ...old.settings, ...secrets })
      const merged = mergedSettings({ known, patch: settings as Settings, secrets: secretNames(settingsSchema), place })
      Object.assign(change, stored(asking, old.id, merged))
      const isOther = [...place, 'folder'].some(field => field !== 'security' && merged[field] !== known[field])
      if (isOther) Object.assign(change, forgottenCursor, { reads_from: isoMs(now) })
    }
    // What is changed is tried again at once, but not while somebody else still holds it.
    if (old.status === 'failing')
      Object.assign(change, { status: 'waiting', fault: null, failures: 0, due_at: isoMs(now), lease_token: null })
    return { row: await mailboxes.change(tx, principal, old.id, change, now) }
  },
})

const remove = own.delete({ description: 'Forgets a mailbox: it is not read any more. Mails that it brought stay.' })

const test = endpoint({
  id: 'mailboxes.test',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mail/mailboxes/{mailboxId}/test',
  name: 'Test a mailbox',
  description:
    'Connects, logs in and opens the folder, now. Answers what both sides said line by line, without the password, how many mails there are, and where it ended. Nothing is read or kept.',
  permission: 'mail:manage',
  params: Type.Object({ mailboxId: RecordId('mbx', 'Identifier of the mailbox.') }),
  transaction: 'none',
  idempotent: false,
  reply: Type.Object({
    ok: Type.Boolean({ description: 'Whether all of it went well.' }),
    reason: Nullable(Type.String({ description: 'What went wrong, where something did.' })),
    mails: Nullable(Type.Integer({ description: 'How many mails the folder has.' })),
    trace: Type.Array(
      Type.Object({
        who: Type.Union([Type.Literal('client'), Type.Literal('server'), Type.Literal('note')]),
        text: Type.String(),
      }),
      { description: 'What was said, in order.' },
    ),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { mailboxId: sampleMailbox.mailboxId },
    reply: {
      ok: true,
      reason: null,
      mails: 12,
      trace: [
        { who: 'server' as const, text: '* OK Dovecot ready.' },
        { who: 'client' as const, text: '1 CAPABILITY' },
      ],
    },
  },
  async handle({ principal, params, services }) {
    const row = await services.db.inTenant(principal, tx => mailboxes.find(tx, principal, params.mailboxId))
    return tryOut(requireRecord(row), { services, tenantId: principal.tenantId })
  },
})

export const endpoints = [list, add, get, update, remove, test]
