// Opt-outs over HTTP: who asked not to be texted, adding one by hand, taking one away.
import { Type } from 'typebox'
import { isoMs } from '../../../kernel/clock.ts'
import type { Tx } from '../../../kernel/db.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { emit } from '../../../kernel/events.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { cutPage, decodeCursor, v2PageQuery } from '../../../kernel/page.ts'
import type { Principal } from '../../../kernel/principal.ts'
import { invalid, Problem } from '../../../kernel/problem.ts'
import { Nullable, OneOf, PhoneInput, Timestamp } from '../../../kernel/schema.ts'
import { findNumberByAddress, readAddress, readTelephone } from '../numbers/index.ts'
import { holdService } from '../services/index.ts'
import { optOutEvent, optOutSources, presentOptOut } from './rules.ts'
import { findOptOut, insertOptOut, listOptOuts, removeOptOut } from './store.ts'

const OptOut = Type.Object({
  optOutId: Type.String({ description: 'Identifier, `opt_…`.' }),
  scope: Type.String({
    description: 'What the recipient gets nothing from: a messaging service with all its senders, or one sender.',
  }),
  recipient: Type.String({ description: 'E.164.' }),
  source: OneOf(optOutSources, { description: 'A word that the recipient sent, or this API.' }),
  keyword: Nullable(Type.String({ description: 'The word, where it was one.' })),
  createdAt: Timestamp,
})

const sampleOptOut = {
  optOutId: 'opt_01k9r7d3w2v8e6q4n5m1b0c9xz',
  scope: 'msv_01k9r7d3w2v8e6q4n5m1b0c9xz',
  recipient: '+15005550110',
  source: 'keyword',
  keyword: 'STOP',
  createdAt: '2026-11-21T08:44:00.123Z',
}

/** A service's id as it is; a sender in its canonical form, or the service it belongs to. */
async function scopeOf(tx: Tx, principal: Principal, text: string): Promise<string> {
  if (isId('msv', text)) return text
  const read = readAddress(text, principal.settings.defaultCountry)
  if (read === undefined)
    throw invalid({ field: 'scope', code: 'wrong_format', message: 'must be a messaging service (msv_…) or a sender' })
  const number = await findNumberByAddress(tx, principal, read.address)
  return number?.service_id ?? read.address
}

function recipientOf(text: string, { settings }: Principal): string {
  const recipient = readTelephone(text, settings.defaultCountry)
  if (recipient !== undefined) return recipient
  const message = 'must be a telephone number, best with + and country code, such as +15550100001'
  throw invalid({ field: 'recipient', code: 'wrong_format', message })
}

const scopeText =
  'A messaging service (`msv_…`), or a sender of yours; one that belongs to a service means the service, for its senders share their opt-outs.'

export const listAllOptOuts = endpoint({
  id: 'opt_outs.list',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/messages/opt-outs',
  name: 'List opt-outs',
  description: 'Who asked not to be texted any more, and by whom, the newest first.',
  permission: 'messages:read',
  query: Type.Object({
    scope: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: scopeText })),
    recipient: Type.Optional(Type.Unsafe<string>({ ...PhoneInput, description: 'Only those of this recipient.' })),
    ...v2PageQuery,
  }),
  reply: OptOut,
  envelope: 'page',
  sample: { query: { recipient: '+15005550110' }, reply: sampleOptOut },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const wanted = {
      scope: filter.scope === undefined ? null : await scopeOf(tx, principal, filter.scope),
      recipient: filter.recipient === undefined ? null : recipientOf(filter.recipient, principal),
    }
    const beforeId = cursor === undefined ? 'opt_z' : idBehind(cursor, filter)
    const rows = await listOptOuts(tx, principal, wanted, { limit, beforeId })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentOptOut), limit, nextCursor: cut.nextCursor }
  },
})

function idBehind(cursor: string, filter: unknown): string {
  const [id, ...more] = decodeCursor(cursor, filter)
  if (more.length > 0 || typeof id !== 'string' || !isId('opt', id)) throw new Problem('invalid_cursor')
  return id
}

export const addOptOut = endpoint({
  id: 'opt_outs.create',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/messages/opt-outs',
  name: 'Add an opt-out',
  description:
    'Lets nothing more be sent to a recipient by a messaging service or sender, as if the recipient had answered STOP, but without a reply. One that is there already is answered as it is. Writes the event optout.created.',
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
  problems: ['service_not_found'],
  sample: {
    body: { scope: '+15005550006', recipient: '+15005550110' },
    reply: { ...sampleOptOut, scope: '+15005550006', source: 'api', keyword: null },
  },
  async handle({ tx, principal, body, now }) {
    const recipient = recipientOf(body.recipient, principal)
    const scope = await scopeOf(tx, principal, body.scope)
    if (isId('msv', scope) && !(await holdService(tx, principal, scope)))
      throw new Problem('service_not_found', {
        details: [{ field: 'scope', code: 'not_found', message: 'is no messaging service of this tenant' }],
      })
    const row = { id: newId('opt'), scope, recipient, source: 'api', keyword: null, created_at: isoMs(now) } as const
    const stored = await insertOptOut(tx, principal, row)
    if (stored === undefined) return presentOptOut((await findOptOut(tx, principal, row)) ?? row)
    await emit(tx, principal, optOutEvent('optout.created', stored))
    return presentOptOut(stored)
  },
})

export const deleteOptOut = endpoint({
  id: 'opt_outs.delete',
  version: 'v2',
  category: 'Messaging',
  method: 'DELETE',
  path: '/messages/opt-outs/{optOutId}',
  name: 'Remove an opt-out',
  description:
    'Lets a recipient be texted again who opted out. Do so only when they asked for it: the law of many countries wants their word, and a START from their phone does the same by itself. Writes the event optout.removed.',
  permission: 'messages:erase',
  params: Type.Object({
    optOutId: Type.String({ minLength: 1, maxLength: 100, description: 'Identifier of the opt-out.' }),
  }),
  reply: Type.Object({
    optOutId: Type.String({ description: 'Identifier of what was removed.' }),
    deleted: Type.Boolean({ description: 'Always true.' }),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { optOutId: sampleOptOut.optOutId }, reply: { optOutId: sampleOptOut.optOutId, deleted: true } },
  async handle({ tx, principal, params }) {
    const row = await removeOptOut(tx, principal, { id: params.optOutId })
    if (row === undefined) throw new Problem('not_found')
    await emit(tx, principal, optOutEvent('optout.removed', row))
    return { optOutId: row.id, deleted: true }
  },
})

export const endpoints = [listAllOptOuts, addOptOut, deleteOptOut]
