// Opt-outs over HTTP: who asked not to be texted, adding one by hand, taking one away.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { PhoneInput } from '../../../kernel/endpoint/schema.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { isId, newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { readSender, recipientOf } from '../addresses.ts'
import { findNumberByAddress, holdScopeOf } from '../numbers/index.ts'
import { holdService } from '../services/index.ts'
import type { OptOutRow } from './rules.ts'
import { OptOut, optOutEvent, presentOptOut } from './schemas.ts'
import { findOptOut, insertOptOut, optOuts } from './store.ts'

const sampleOptOut: Static<typeof OptOut> = {
  optOutId: 'opt_01k9r7d3w2v8e6q4n5m1b0c9xz',
  scope: 'msv_01k9r7d3w2v8e6q4n5m1b0c9xz',
  recipient: '+15005550110',
  source: 'keyword',
  keyword: 'STOP',
  createdAt: '2026-11-21T08:44:00.123Z',
}

/** A sender in its canonical form. */
function senderIn(text: string, { settings }: Principal): string {
  const sender = readSender(text, settings.defaultCountry)
  if (sender === undefined)
    throw invalid({ field: 'scope', code: 'wrong_format', message: 'must be a messaging service (msv_…) or a sender' })
  return sender
}

/** A service's id as it is; a sender, or the service it belongs to. */
async function scopeOf(tx: Tx, principal: Principal, text: string): Promise<string> {
  if (isId('msv', text)) return text
  const sender = senderIn(text, principal)
  return (await findNumberByAddress(tx, principal, sender))?.service_id ?? sender
}

/**
 * As `scopeOf`, and it stays that: a sender that is moved meanwhile waits, and takes along what is added here.
 * @throws Problem `validation_failed`, `service_not_found`
 */
async function holdScope(tx: Tx, principal: Principal, text: string): Promise<string> {
  if (!isId('msv', text)) return holdScopeOf(tx, principal, senderIn(text, principal))
  if (await holdService(tx, principal, text)) return text
  throw new Problem('service_not_found', {
    details: [{ field: 'scope', code: 'not_found', message: 'is no messaging service of this tenant' }],
  })
}

const recipientIn = (text: string, { settings }: Principal) => recipientOf(text, settings.defaultCountry, 'recipient')

const scopeText =
  'A messaging service (`msv_…`), or a sender of yours; one that belongs to a service means the service, for its senders share their opt-outs.'

const own = resource<OptOutRow, typeof OptOut>({
  names: ['opt_out', 'opt_outs'],
  words: 'opt-out',
  id: ['optOutId', 'opt'],
  category: 'Messaging',
  path: '/messages/opt-outs',
  permissions: { read: 'messages:read', manage: 'messages:manage', delete: 'messages:erase' },
  versioned: false,
  rows: optOuts,
  reply: OptOut,
  sample: sampleOptOut,
  present: rows => rows.map(presentOptOut),
})

const list = own.list({
  description: 'Who asked not to be texted any more, and by whom, the newest first.',
  filters: {
    scope: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: scopeText })),
    recipient: Type.Optional(Type.Unsafe<string>({ ...PhoneInput, description: 'Only those of this recipient.' })),
  },
  problems: ['invalid_to_number'],
  sample: { recipient: '+15005550110' },
  wanted: async ({ scope, recipient }, { tx, principal }) => ({
    ...(scope !== undefined && { scope: await scopeOf(tx, principal, scope) }),
    ...(recipient !== undefined && { recipient: recipientIn(recipient, principal) }),
  }),
})

// One that is there already is answered as it is, and leaves no event.
const add = endpoint({
  id: 'opt_outs.create',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/messages/opt-outs',
  name: 'Create an opt-out',
  description:
    'Lets nothing more be sent to a recipient by a messaging service or sender, as if the recipient had answered STOP, but without a reply. One that is there already is answered as it is. Writes the event opt_out.created.',
  permission: 'messages:manage',
  status: 201,
  body: Type.Object({
    scope: Type.String({ minLength: 1, maxLength: 100, description: scopeText }),
    recipient: Type.Unsafe<string>({
      ...PhoneInput,
      description: 'Who is not to be texted: a telephone number in any usual spelling, best E.164.',
    }),
  }),
  reply: OptOut,
  envelope: 'data',
  problems: ['service_not_found', 'invalid_to_number'],
  sample: {
    body: { scope: '+15005550006', recipient: '+15005550110' },
    reply: { ...sampleOptOut, scope: '+15005550006', source: 'api', keyword: null },
  },
  async handle({ tx, principal, body, now }) {
    const recipient = recipientIn(body.recipient, principal)
    const scope = await holdScope(tx, principal, body.scope)
    const row = { id: newId('opt'), scope, recipient, source: 'api', keyword: null, created_at: isoMs(now) } as const
    const stored = await insertOptOut(tx, principal, row)
    if (stored === undefined) return presentOptOut((await findOptOut(tx, principal, row)) ?? row)
    await emit(tx, principal, optOutEvent('opt_out.created', stored))
    return presentOptOut(stored)
  },
})

const remove = own.delete({
  description:
    'Lets a recipient be texted again who opted out. Do so only when they asked for it: the law of many countries wants their word, and a START from their phone does the same by itself. Writes the event opt_out.deleted.',
})

export const endpoints = [list, add, remove]
