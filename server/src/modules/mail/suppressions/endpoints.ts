// The suppression list over HTTP: who gets no mail and why, adding an address by hand, taking one away.
import { Type } from 'typebox'
import { Email, OneOf } from '../../../kernel/endpoint/schema.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { cleanEmail } from '../../../kernel/values/email.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { streams } from '../templates/index.ts'
import { presentSuppression, reasons, Suppression, sampleSuppression } from './schemas.ts'
import { type SuppressionRow, suppressions } from './store.ts'

const compared = (address: string) => cleanEmail(address).toLowerCase()

const own = resource<SuppressionRow, typeof Suppression>({
  names: ['mail_suppression', 'mail_suppressions'],
  words: 'mail suppression',
  id: ['suppressionId', 'sup'],
  category: 'Messaging',
  path: '/mail/suppressions',
  permissions: { read: 'mail:read', manage: 'mail:manage', delete: 'mail:erase' },
  versioned: false,
  rows: suppressions,
  reply: Suppression,
  sample: sampleSuppression,
  present: rows => rows.map(presentSuppression),
})

const list = own.list({
  description: 'Addresses that get no mail, the newest first, with the reason.',
  filters: {
    address: Type.Optional(Type.String({ minLength: 3, maxLength: 254, description: 'Only this address.' })),
    reason: Type.Optional(OneOf(reasons, { description: 'Only those for this reason.' })),
  },
  wanted: ({ address, ...rest }) => ({ ...rest, ...(address !== undefined && { address: compared(address) }) }),
})

const add = own.create({
  description:
    'Lets an address get no more mail: none at all, or none of one sort. Mails that wait for it are not sent either.',
  body: Type.Object({
    address: Email,
    stream: Type.Optional(OneOf(streams, { description: 'Only mails of this sort; all when left out.' })),
    note: Type.Optional(Type.String({ minLength: 1, maxLength: 500, description: 'Why, in your words.' })),
  }),
  problems: ['mail_suppression_exists'],
  sample: { body: { address: 'ada@example.com', note: 'Asked for it on the telephone.' } },
  async handle({ address, stream = '', note = null }, { tx, principal, now }) {
    const entry = { address: compared(address), stream, reason: 'manual', note, mail_id: null }
    const values = { id: newId('sup'), ...entry, created_at: isoMs(now) }
    const row = await suppressions.insert(tx, principal, values, 'mail_suppressions_address')
    if (row === undefined) throw new Problem('mail_suppression_exists')
    return { row }
  },
})

const remove = own.delete({
  description:
    'Lets an address get mail again. Do so only when its holder asked for that; after a hard bounce, when the address was mended.',
})

export const endpoints = [list, add, remove]
