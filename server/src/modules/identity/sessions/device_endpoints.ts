// Browsers that a person logged in with: seen, and forgotten one by one or all at once.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Deleted, Nullable, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type DeviceRow, forgetDevices, listDevices } from '../login/index.ts'

const Device = Type.Object({
  deviceId: Type.String(),
  userAgent: Nullable(Type.String({ description: 'What the browser called itself.' })),
  ip: Nullable(Type.String({ description: 'The address of its last login.' })),
  trustedUntil: Nullable(
    Type.String({ format: 'date-time', description: 'Until then it stands for the second factor; null: it does not.' }),
  ),
  createdAt: Timestamp,
  lastSeenAt: Type.String({ format: 'date-time', description: 'Exact to an hour: its last login.' }),
})

const sampleId = 'dev_01k9r7d3w2v8e6q4n5m1b0c9xz'
const sample: Static<typeof Device> = {
  deviceId: sampleId,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  ip: '203.0.113.7',
  trustedUntil: '2026-12-21T08:44:00.123Z',
  createdAt: '2026-11-21T08:44:00.123Z',
  lastSeenAt: '2026-11-21T08:44:00.123Z',
}

function present(row: DeviceRow, nowMs: number): Static<typeof Device> {
  const isTrusted = row.trusted_until !== null && Date.parse(row.trusted_until) > nowMs
  return {
    deviceId: row.id,
    userAgent: row.user_agent,
    ip: row.ip,
    trustedUntil: isTrusted ? row.trusted_until : null,
    createdAt: row.created_at,
    lastSeenAt: row.seen_at,
  }
}

const own = { version: 'v2', category: 'User', personOnly: true, whileSuspended: true, envelope: 'data' } as const

const list = endpoint({
  ...own,
  id: 'own_devices.list',
  method: 'GET',
  path: '/users/me/devices',
  name: 'List devices',
  description:
    'Browsers that the person logged in to the portal with, the one seen last first: guesses of others make nobody wait there, and ' +
    'one that is trusted stands for the second factor.',
  permission: 'profile:read',
  reply: Type.Object({ devices: Type.Array(Device) }),
  sample: { reply: { devices: [sample] } },
  async handle({ tx, principal: { person }, now }) {
    return { devices: (await listDevices(tx, person!.accountId)).map(row => present(row, now)) }
  },
})

const remove = endpoint({
  ...own,
  id: 'own_devices.delete',
  method: 'DELETE',
  path: '/users/me/devices/{deviceId}',
  name: 'Delete a device',
  description:
    'Forgets a browser: it is trusted no more, and its next login is that of a new one. Its sessions go on; they are ended apart.',
  permission: 'profile:update',
  params: Type.Object({ deviceId: RecordId('dev', 'Identifier of the device.') }),
  audit: 'device.deleted',
  reply: Deleted('deviceId'),
  problems: ['not_found'],
  sample: { params: { deviceId: sampleId }, reply: { deviceId: sampleId, deleted: true } },
  async handle({ tx, principal: { person }, params: { deviceId } }) {
    if ((await forgetDevices(tx, person!.accountId, deviceId)) === 0) throw new Problem('not_found')
    return { deviceId, deleted: true as const }
  },
})

const removeAll = endpoint({
  ...own,
  id: 'own_devices.delete_all',
  method: 'DELETE',
  path: '/users/me/devices',
  name: 'Delete all devices',
  description: 'Forgets all browsers, that of this request as well: each is asked for the second factor again.',
  permission: 'profile:update',
  audit: 'device.all_deleted',
  reply: Type.Object({ forgottenDevices: Type.Integer({ description: 'How many there were.' }) }),
  sample: { reply: { forgottenDevices: 2 } },
  async handle({ tx, principal: { person } }) {
    return { forgottenDevices: await forgetDevices(tx, person!.accountId) }
  },
})

export const endpoints = [list, remove, removeAll]
