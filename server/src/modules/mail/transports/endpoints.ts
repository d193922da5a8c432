// Mail transports over HTTP: set up, changed, tried out with what both sides said.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { Email, RecordId } from '../../../kernel/endpoint/schema.ts'
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
import { newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { creatable, presentTransport, sampleTransport, settable, Transport } from './schemas.ts'
import { secretPlace, settingsFaults, settingsSchema, type TransportRow } from './settings.ts'
import { clearDefault, transports } from './store.ts'
import { tryOut } from './trial.ts'

const own = resource<TransportRow, typeof Transport>({
  names: ['mail_transport', 'mail_transports'],
  words: 'mail transport',
  id: ['transportId', 'mtr'],
  category: 'Messaging',
  path: '/mail/transports',
  permissions: { read: 'mail:read', manage: 'mail:manage' },
  rows: transports,
  reply: Transport,
  sample: sampleTransport,
  present: rows => rows.map(presentTransport),
})

/** The columns of settings, with what is secret sealed. @throws Problem `validation_failed` */
function stored({ principal, services }: Asking, { id, kind }: Pick<TransportRow, 'id' | 'kind'>, settings: Settings) {
  const faults = settingsFaults(kind, settings)
  if (faults.length > 0) throw invalid(...faults)
  const { open, secret } = partSettings(settingsSchema, settings)
  return { settings: open, secrets: sealSecrets(secretPlace(services.keyring, principal.tenantId, id), secret) }
}

const list = own.list({
  description:
    'The ways by which mails of the organization leave. Without one, they go by the mail server of the installation, and without that they stay in the outbox.',
})

const add = own.create({
  description:
    'Sets up a way for mails to leave by. The first one is the default at once; POST /v2/mail/transports/{transportId}/test tries it out. An outbox keeps mails here although the installation has a mail server.',
  body: Type.Object(creatable),
  problems: ['mail_live_only'],
  sample: {
    body: {
      kind: 'smtp',
      name: 'Company mail server',
      settings: { host: 'mail.example.com', user: 'office@example.com', password: 'correct horse' },
    },
  },
  async handle({ kind, name, settings = {}, isDefault, enabled = true }, asking) {
    const { tx, principal, now } = asking
    if (principal.mode !== 'live') throw new Problem('mail_live_only')
    const id = newId('mtr')
    const values = stored(asking, { id, kind }, completeSettings(settingsSchema, settings as Settings))
    const makesDefault = isDefault ?? (await transports.count(tx, principal)) === 0
    if (makesDefault) await clearDefault(tx, principal)
    const row = await transports.insert(tx, principal, {
      id,
      kind,
      name: name.trim(),
      enabled,
      is_default: makesDefault,
      ...values,
      ...stampsOf(now),
    })
    return { row: row! }
  },
})

const get = own.get({ description: 'One transport with its settings, without password or secret.' })

const update = own.update({
  description:
    'Changes what is named and leaves the rest. A password or secret that is left out stays, but must be entered again when host, port or token address changes.',
  body: Type.Object(settable),
  sample: { body: { enabled: true } },
  async handle(old, { name, settings, isDefault, enabled }, asking) {
    const { tx, principal, now, services } = asking
    const change: Record<string, unknown> = {}
    if (name !== undefined) change['name'] = name.trim()
    if (enabled !== undefined) change['enabled'] = enabled
    if (settings !== undefined) {
      const secrets = readableSecrets(secretPlace(services.keyring, principal.tenantId, old.id), old.secrets)
      const merged = mergedSettings({
        known: completeSettings(settingsSchema, { ...old.settings, ...secrets }),
        patch: settings as Settings,
        secrets: old.secrets === null ? [] : secretNames(settingsSchema).filter(one => secrets[one] != null),
        place: ['host', 'port', 'tokenUrl'],
      })
      Object.assign(change, stored(asking, old, merged))
    }
    if (isDefault === true && !old.is_default) await clearDefault(tx, principal)
    if (isDefault !== undefined) change['is_default'] = isDefault
    return { row: await transports.change(tx, principal, old.id, change, now) }
  },
})

const remove = own.delete({
  description: 'Forgets a transport: mails that wait for it go by the default one, or stay in the outbox.',
})

const test = endpoint({
  id: 'mail_transports.test',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mail/transports/{transportId}/test',
  name: 'Test a mail transport',
  description:
    'Connects, logs in, and with `to` sends a short mail to that address, now. Answers what both sides said line by line, without passwords, and where it ended. Nothing is kept.',
  permission: 'mail:manage',
  params: Type.Object({ transportId: RecordId('mtr', 'Identifier of the mail transport.') }),
  transaction: 'none',
  idempotent: false,
  body: Type.Object({
    to: Type.Optional(
      Type.Unsafe<string>({ ...Email, description: 'Sends a mail there; left out, it ends after the login.' }),
    ),
  }),
  reply: Type.Object({
    ok: Type.Boolean({ description: 'Whether all of it went well.' }),
    reason: Type.Union([Type.String(), Type.Null()], { description: 'What went wrong, where something did.' }),
    trace: Type.Array(
      Type.Object({
        who: Type.Union([Type.Literal('client'), Type.Literal('server'), Type.Literal('note')]),
        text: Type.String(),
      }),
      { description: 'What was said, in order.' },
    ),
  }),
  envelope: 'data',
  problems: ['not_found', 'mail_live_only'],
  sample: {
    params: { transportId: sampleTransport.transportId },
    body: {},
    reply: {
      ok: true,
      reason: null,
      trace: [
        { who: 'server' as const, text: '220 mail.example.com ESMTP' },
        { who: 'client' as const, text: 'EHLO localhost.localdomain' },
      ],
    },
  },
  async handle({ principal, params, body, services }) {
    if (principal.mode !== 'live') throw new Problem('mail_live_only')
    const row = await services.db.inTenant(principal, tx => transports.find(tx, principal, params.transportId))
    return tryOut(requireRecord(row), { ...body, services, tenantId: principal.tenantId })
  },
})

export const endpoints = [list, add, get, update, remove, test]
