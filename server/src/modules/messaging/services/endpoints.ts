// Messaging services over HTTP: pools of senders that share their opt-outs, their keywords and how they send.
import type { Static } from 'typebox'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { type Asking, resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { forgetDirectory } from '../directory.ts'
import { moveOptOuts, removeOptOutsOf } from '../opt_outs/index.ts'
import { defaultKeywords } from './keyword_table.ts'
import { readKeywords, type ServiceRow } from './rules.ts'
import { NewServiceBody, Service, ServicePatchBody, sampleService, serviceFields } from './schemas.ts'
import { changeServiceOf, lockMembers, messagingServices } from './store.ts'

const keywordFaults = ({ keywords }: Static<typeof ServicePatchBody>) =>
  keywords === undefined ? [] : readKeywords(keywords, defaultKeywords).faults

/**
 * Gives a service exactly these senders.
 * @throws Problem `validation_failed` (no such number), `sender_in_service`
 */
async function assignSenders(
  tx: Tx,
  scope: Scope,
  serviceId: string,
  ids: readonly string[],
  now: string,
): Promise<void> {
  const members = await lockMembers(tx, scope, serviceId, ids)
  const places = [...ids.entries()]
  const missing = places.filter(([, id]) => !members.some(member => member.id === id))
  if (missing.length > 0) {
    const message =
      'is the id of no number of this tenant and mode; send ids such as num_01k9r7d3w2v8e6q4n5m1b0c9xz, from GET /v2/numbers'
    throw invalid(...missing.map(([place]) => ({ field: `senders[${place}]`, code: 'not_found', message })))
  }
  const elsewhere = members.filter(member => member.service_id !== null && member.service_id !== serviceId)
  if (elsewhere.length > 0) {
    const details = elsewhere.map(({ id, address, service_id: other, service_name: name }) => ({
      field: `senders[${ids.indexOf(id)}]`,
      code: 'not_allowed',
      message: `is ${address}, a sender of the service ${other} (${name})`,
    }))
    throw new Problem('sender_in_service', { details })
  }
  const joining = members.filter(member => member.service_id === null)
  const leaving = members.filter(member => !ids.includes(member.id))
  for (const { address } of joining) await moveOptOuts(tx, scope, address, { from: null, to: serviceId })
  for (const { address } of leaving) await moveOptOuts(tx, scope, address, { from: serviceId, to: null })
  const idsOf = (list: typeof members) => list.map(member => member.id)
  if (joining.length > 0) await changeServiceOf(tx, scope, idsOf(joining), serviceId, now)
  if (leaving.length > 0) await changeServiceOf(tx, scope, idsOf(leaving), null, now)
}

const own = resource<ServiceRow, typeof Service>({
  names: ['messaging_service', 'messaging_services'],
  id: ['serviceId', 'msv'],
  category: 'Messaging',
  path: '/messages/services',
  permissions: { read: 'messages:read', manage: 'messages:manage', delete: 'messages:erase' },
  rows: messagingServices,
  reply: Service,
  sample: sampleService,
  present: rows => rows.map(serviceFields.present),
  changed: ({ services, principal }) => forgetDirectory(services.db, principal.tenantId),
})

const create = own.create({
  description:
    'Makes a pool of senders: a message sent with its id instead of a sender goes out from the best of them, and anyone who answers STOP to one has opted out of all. It answers keywords in English, French, German, Spanish, Italian and Portuguese unless keywords says otherwise.',
  body: NewServiceBody,
  problems: ['sender_in_service', 'invalid_callback_url'],
  check: keywordFaults,
  sample: {
    body: { name: 'Appointments', stickySender: true, duplicateWindow: 60, keywords: [{ language: 'en' }] },
    reply: { ...sampleService, senders: [] },
  },
  async handle(body, asking) {
    const { tx, principal, now } = asking
    const fresh = { id: newId('msv'), sticky_sender: true, keywords: defaultKeywords, ...stampsOf(now) }
    const row = await messagingServices.insert(tx, principal, { ...fresh, ...serviceFields.read(body, asking) })
    return { row: await withSenders(row!, body, asking) }
  },
})

/** The service as it stands, with the senders that a body gives it. */
async function withSenders(
  row: ServiceRow,
  { senders }: Static<typeof ServicePatchBody>,
  { tx, principal, now }: Asking,
) {
  if (senders === undefined) return row
  await assignSenders(tx, principal, row.id, senders, isoMs(now))
  return (await messagingServices.find(tx, principal, row.id))!
}

const update = own.update({
  description:
    'Changes the settings that are sent; null empties one. senders and keywords replace the whole list. They hold on every node within two seconds. Who opted out of a sender that joins has opted out of the service; who opted out of the service stays opted out of a sender that leaves. Texts that the service scheduled from one that leaves go by another of its senders, if there is one that gets there.',
  body: ServicePatchBody,
  problems: ['sender_in_service', 'invalid_callback_url'],
  check: keywordFaults,
  sample: { body: { name: 'Appointments', duplicateWindow: 60, keywords: [{ language: 'en' }] } },
  async handle(old, body, asking) {
    const values = serviceFields.read(body, asking, old)
    const row = await messagingServices.change(asking.tx, asking.principal, old.id, values, asking.now)
    return { row: await withSenders(row, body, asking) }
  },
})

export const endpoints = [
  own.list({ description: 'The messaging services of this tenant and mode with their senders, newest first.' }),
  create,
  own.get({ description: 'One messaging service with its senders, its keywords and how it sends.' }),
  update,
  own.delete({
    description:
      'Takes a messaging service away. Its senders stay, in no service, and who opted out of it has opted out of each of them. Messages that wait go on as they were accepted.',
    async handle({ id }, { tx, principal, now }) {
      await assignSenders(tx, principal, id, [], isoMs(now))
      await removeOptOutsOf(tx, principal, id)
    },
  }),
]
