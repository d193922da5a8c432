// Addresses that mails are from, over HTTP.
import { type Static, Type } from 'typebox'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { Email, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { optionalWording, resourceFields, settable, shown } from '../../../kernel/resource/fields.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { cleanEmail } from '../../../kernel/values/email.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { streams } from '../templates/index.ts'
import { transports } from '../transports/index.ts'
import { type SenderRow, senders, takeDefaults } from './store.ts'

const fields = resourceFields({
  senderId: shown(Type.String({ description: 'Identifier, `msn_…`.' }), { column: 'id' }),
  address: shown(Email),
  name: optionalWording('As it stands beside the address.'),
  replyTo: settable(
    Nullable(Type.Unsafe<string>({ ...Email, description: 'Where answers go; null: to the address.' })),
  ),
  transportId: settable(
    Nullable(Type.String({ maxLength: 100, description: 'What its mails leave by; null: by the default transport.' })),
  ),
  defaultFor: settable(
    Type.Array(OneOf(streams), {
      uniqueItems: true,
      description: 'Sorts of mails that it sends where nobody names a sender; taken from the sender that had them.',
    }),
  ),
  createdAt: shown(Timestamp),
  updatedAt: shown(Timestamp),
})

const sampleSender: Static<typeof fields.Shown> = {
  senderId: 'msn_01k9r7d3w2v8e6q4n5m1b0c9xz',
  address: 'office@example.com',
  name: 'Example Company',
  replyTo: null,
  transportId: null,
  defaultFor: ['transactional'],
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}

const own = resource<SenderRow, typeof fields.Shown>({
  names: ['mail_sender', 'mail_senders'],
  words: 'mail sender',
  id: ['senderId', 'msn'],
  category: 'Messaging',
  path: '/mail/senders',
  permissions: { read: 'mail:read', manage: 'mail:manage' },
  rows: senders,
  reply: fields.Shown,
  sample: sampleSender,
  present: rows => rows.map(fields.present),
})

/** Holds the transport, and takes the defaults from others. @throws Problem `validation_failed` */
async function prepare(
  tx: Tx,
  scope: Scope,
  body: { transportId?: string | null; defaultFor?: readonly string[]; name?: string | null },
) {
  const { transportId, defaultFor = [], name } = body
  if (name != null && /[\p{Cc}\u2028\u2029]/u.test(name))
    throw invalid({ field: 'name', code: 'not_allowed', message: 'must be one line without control characters' })
  if (transportId != null && !(await transports.hold(tx, scope, transportId)))
    throw invalid({ field: 'transportId', code: 'not_found', message: 'is no mail transport of this tenant' })
  if (defaultFor.length > 0) await takeDefaults(tx, scope, defaultFor)
}

const list = own.list({ description: 'The addresses that mails of the organization are from.' })

const add = own.create({
  description:
    'Adds an address that mails are from. Add its domain too, with POST /v2/mail/domains, so that its mails are signed and arrive.',
  body: Type.Object({ ...fields.settable, address: Email }),
  problems: ['mail_sender_exists'],
  sample: { body: { address: 'office@example.com', name: 'Example Company', defaultFor: ['transactional'] } },
  async handle({ address, ...body }, asking) {
    const { tx, principal, now } = asking
    await prepare(tx, principal, body)
    const values = { id: newId('msn'), address: cleanEmail(address), ...fields.read(body, asking), ...stampsOf(now) }
    const row = await senders.insert(tx, principal, values, 'mail_senders_address')
    if (row === undefined) throw new Problem('mail_sender_exists')
    return { row }
  },
})

const get = own.get({ description: 'One sender with what it is the default for.' })

const update = own.update({
  description: 'Changes name, answer address, transport, and what it is the default for. Mails that wait keep theirs.',
  body: Type.Object(fields.settable),
  sample: { body: { name: 'Example Company' } },
  before: (body, { tx, principal }) => prepare(tx, principal, body),
  async handle(old, body, asking) {
    const { tx, principal, now } = asking
    return { row: await senders.change(tx, principal, old.id, fields.read(body, asking, old), now) }
  },
})

const remove = own.delete({ description: 'Forgets a sender; mails that wait and name it keep its address.' })

export const endpoints = [list, add, get, update, remove]
