// Messaging services over HTTP: pools of senders that share their opt-outs, their keywords and how they send.
import { type Static, Type } from 'typebox'
import { type Asking, customerUrl } from '../../../kernel/callback_url.ts'
import { isoMs } from '../../../kernel/clock.ts'
import type { Scope, Tx } from '../../../kernel/db.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { isId, newId } from '../../../kernel/ids.ts'
import { cutPage, decodeCursor, v2PageQuery } from '../../../kernel/page.ts'
import { invalid, Problem } from '../../../kernel/problem.ts'
import { forgetDirectory } from '../directory.ts'
import { moveOptOuts, removeOptOutsOf } from '../opt_outs/index.ts'
import { defaultKeywords } from './keyword_table.ts'
import { presentService, readKeywords, type ServiceRow } from './rules.ts'
import { NewServiceBody, Service, ServiceParams, ServicePatchBody, sampleService } from './schemas.ts'
import {
  changeService,
  changeServiceOf,
  findService,
  insertService,
  listServices,
  lockMembers,
  lockService,
  removeService,
} from './store.ts'

type Patch = Static<typeof ServicePatchBody>

/** The service as it is with these settings; its senders are another story. @throws Problem `invalid_callback_url` */
function withSettings(row: ServiceRow, body: Patch, { services: { egress }, principal: { mode } }: Asking): ServiceRow {
  const { callbackUrl } = body
  return {
    ...row,
    ...(body.name !== undefined && { name: body.name.trim() }),
    ...(body.stickySender !== undefined && { sticky_sender: body.stickySender }),
    ...(body.smartEncoding !== undefined && { smart_encoding: body.smartEncoding }),
    ...(body.unknownOutcome !== undefined && { unknown_outcome: body.unknownOutcome }),
    ...(body.validityPeriod !== undefined && { validity_seconds: body.validityPeriod }),
    ...(callbackUrl !== undefined && {
      callback_url: callbackUrl === null ? null : customerUrl(callbackUrl, egress, { mode, stored: row.callback_url }),
    }),
    ...(body.duplicateWindow !== undefined && { duplicate_window_seconds: body.duplicateWindow || null }),
    ...(body.keywords !== undefined && { keywords: readKeywords(body.keywords, defaultKeywords).keywords }),
  }
}

function keywordFaults(body: Patch) {
  return body.keywords === undefined ? [] : readKeywords(body.keywords, defaultKeywords).faults
}

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
  const taken = members.filter(member => member.service_id !== null && member.service_id !== serviceId)
  if (taken.length > 0) {
    const details = taken.map(({ id, address, service_id: other, service_name: name }) => ({
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

export const createService = endpoint({
  id: 'messaging_services.create',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/messages/services',
  name: 'Create a messaging service',
  description:
    'Makes a pool of senders: a message sent with its id instead of a sender goes out from the best of them, and whoever answers STOP to one has opted out of all. It answers keywords in English, French, German, Spanish, Italian and Portuguese unless keywords says otherwise.',
  permission: 'messages:manage',
  status: 201,
  body: NewServiceBody,
  reply: Service,
  envelope: 'data',
  versioned: true,
  problems: ['sender_in_service', 'invalid_callback_url'],
  check: ({ body }) => keywordFaults(body),
  sample: {
    body: { name: 'Appointments', stickySender: true, duplicateWindow: 60, keywords: [{ language: 'en' }] },
    reply: { ...sampleService, senders: [] },
  },
  async handle({ tx, principal, body, now, services, setVersion, afterCommit }) {
    const at = isoMs(now)
    const fresh: ServiceRow = {
      ...{ id: newId('msv'), name: body.name, sticky_sender: true, smart_encoding: false, unknown_outcome: 'hold' },
      ...{ validity_seconds: null, callback_url: null, duplicate_window_seconds: null, senders: [] },
      ...{ keywords: [...defaultKeywords], version: 1, created_at: at, updated_at: at },
    }
    const row = withSettings(fresh, body, { services, principal })
    await insertService(tx, principal, row)
    if (body.senders !== undefined) await assignSenders(tx, principal, row.id, body.senders, at)
    setVersion(1)
    afterCommit(() => forgetDirectory(services.db, principal.tenantId))
    return presentService((await findService(tx, principal, row.id)) as ServiceRow)
  },
})

export const listAllServices = endpoint({
  id: 'messaging_services.list',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/messages/services',
  name: 'List messaging services',
  description: 'The messaging services of this tenant and mode with their senders, newest first.',
  permission: 'messages:read',
  query: Type.Object(v2PageQuery),
  reply: Service,
  envelope: 'page',
  sample: { query: { limit: 20 }, reply: sampleService },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50 } = query
    const beforeId = cursor === undefined ? 'msv_z' : idBehind(cursor)
    const cut = cutPage(await listServices(tx, principal, { limit, beforeId }), limit, row => [row.id], {})
    return { items: cut.rows.map(presentService), limit, nextCursor: cut.nextCursor }
  },
})

function idBehind(cursor: string): string {
  const [id, ...more] = decodeCursor(cursor, {})
  if (more.length > 0 || typeof id !== 'string' || !isId('msv', id)) throw new Problem('invalid_cursor')
  return id
}

export const getService = endpoint({
  id: 'messaging_services.get',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/messages/services/{serviceId}',
  name: 'Get a messaging service',
  description: 'One messaging service with its senders, its keywords and how it sends.',
  permission: 'messages:read',
  params: ServiceParams,
  reply: Service,
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { serviceId: sampleService.serviceId }, reply: sampleService },
  async handle({ tx, principal, params, setVersion }) {
    const row = await findService(tx, principal, params.serviceId)
    if (row === undefined) throw new Problem('not_found')
    setVersion(row.version)
    return presentService(row)
  },
})

/** @throws Problem `not_found`, `version_mismatch` */
async function lockAsked(tx: Tx, scope: Scope, id: string, ifMatch: number | undefined): Promise<ServiceRow> {
  const row = await lockService(tx, scope, id)
  if (row === undefined) throw new Problem('not_found')
  if (ifMatch !== undefined && ifMatch !== row.version) throw new Problem('version_mismatch')
  return row
}

export const updateService = endpoint({
  id: 'messaging_services.update',
  version: 'v2',
  category: 'Messaging',
  method: 'PATCH',
  path: '/messages/services/{serviceId}',
  name: 'Change a messaging service',
  description:
    'Changes the settings that are sent; null empties one. senders and keywords replace the whole list. They hold on every node within two seconds. Who opted out of a sender that joins has opted out of the service; who opted out of the service stays opted out of a sender that leaves.',
  permission: 'messages:manage',
  params: ServiceParams,
  body: ServicePatchBody,
  reply: Service,
  envelope: 'data',
  versioned: true,
  problems: ['not_found', 'sender_in_service', 'invalid_callback_url'],
  check: ({ body }) => keywordFaults(body),
  sample: {
    params: { serviceId: sampleService.serviceId },
    body: { name: 'Appointments', duplicateWindow: 60, keywords: [{ language: 'en' }] },
    reply: sampleService,
  },
  async handle({ tx, principal, params, body, now, services, ifMatch, setVersion, afterCommit }) {
    const old = await lockAsked(tx, principal, params.serviceId, ifMatch)
    await changeService(tx, principal, withSettings(old, body, { services, principal }), isoMs(now))
    if (body.senders !== undefined) await assignSenders(tx, principal, old.id, body.senders, isoMs(now))
    setVersion(old.version + 1)
    afterCommit(() => forgetDirectory(services.db, principal.tenantId))
    return presentService((await findService(tx, principal, old.id)) as ServiceRow)
  },
})

export const deleteService = endpoint({
  id: 'messaging_services.delete',
  version: 'v2',
  category: 'Messaging',
  method: 'DELETE',
  path: '/messages/services/{serviceId}',
  name: 'Delete a messaging service',
  description:
    'Takes a messaging service away. Its senders stay, in no service, and who opted out of it has opted out of each of them. Messages that wait go on as they were accepted.',
  permission: 'messages:erase',
  params: ServiceParams,
  reply: Type.Object({
    serviceId: Type.String({ description: 'Identifier of what was deleted.' }),
    deleted: Type.Boolean({ description: 'Always true.' }),
  }),
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: {
    params: { serviceId: sampleService.serviceId },
    reply: { serviceId: sampleService.serviceId, deleted: true },
  },
  async handle({ tx, principal, params, now, services, ifMatch, setVersion, afterCommit }) {
    const row = await lockAsked(tx, principal, params.serviceId, ifMatch)
    await assignSenders(tx, principal, row.id, [], isoMs(now))
    await removeOptOutsOf(tx, principal, row.id)
    await removeService(tx, principal, row.id)
    setVersion(row.version + 1)
    afterCommit(() => forgetDirectory(services.db, principal.tenantId))
    return { serviceId: row.id, deleted: true }
  },
})

export const endpoints = [listAllServices, createService, getService, updateService, deleteService]
