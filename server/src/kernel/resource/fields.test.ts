// Fields of resources: what one declaration says to replies, to bodies and to the columns of a row.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { Timestamp } from '../endpoint/schema.ts'
import { Problem } from '../values/problem.ts'
import { callbackUrl, optionalWording, resourceFields, settable, shown, wording } from './fields.ts'
import type { Asking } from './resource.ts'

const fields = resourceFields({
  thingId: shown(Type.String(), { column: 'id' }),
  name: wording('What it is called.', 20),
  note: optionalWording('What it is for.'),
  callbackUrl: callbackUrl('Who hears of it.'),
  waitSeconds: settable(Type.Integer({ minimum: 0, maximum: 60 }), {
    column: 'wait',
    show: (seconds: number | null) => seconds ?? 0,
    read: (seconds: number) => seconds || null,
  }),
  members: settable(Type.Array(Type.String(), { maxItems: 3 }), { isApart: true }),
  createdAt: shown(Timestamp),
})

const asking = (mode: 'live' | 'test' = 'live') =>
  ({ services: { egress: { allow: [], allowHttp: false, hosts: [] } }, principal: { mode } }) as unknown as Asking

test('a row is shown by the names of the API, as each field says', () => {
  const row = {
    id: 'thg_1',
    name: 'One',
    note: null,
    callback_url: null,
    wait: null,
    members: ['a'],
    created_at: '2026-11-21T08:44:00.123Z',
    secret: 'kept',
  }
  assert.deepEqual(fields.present(row), {
    thingId: 'thg_1',
    name: 'One',
    note: null,
    callbackUrl: null,
    waitSeconds: 0,
    members: ['a'],
    createdAt: '2026-11-21T08:44:00.123Z',
  })
})

test('a body sets the columns that it names and no others, in stored form', () => {
  assert.deepEqual(fields.read({}, asking()), {})
  assert.deepEqual(fields.read({ name: '  Two ', note: null, waitSeconds: 0, members: ['b'] }, asking()), {
    name: 'Two',
    note: null,
    wait: null,
  })
  assert.deepEqual(
    fields.read({ thingId: 'thg_2', createdAt: '' } as object, asking()),
    {},
    'the server alone sets these',
  )
})

test('an address is checked when it is new, by the mode, and stays when it is stored', () => {
  const local = 'http://127.0.0.1:9/hook'
  assert.deepEqual(fields.read({ callbackUrl: 'https://example.com' }, asking()), {
    callback_url: 'https://example.com/',
  })
  assert.throws(
    () => fields.read({ callbackUrl: local }, asking()),
    (error: Problem) => error instanceof Problem && error.code === 'invalid_callback_url',
  )
  assert.deepEqual(fields.read({ callbackUrl: local }, asking(), { callback_url: local }), { callback_url: local })
  assert.deepEqual(fields.read({ callbackUrl: null }, asking(), { callback_url: local }), { callback_url: null })
})

test('replies promise none of the bounds of bodies, so that these can be widened', () => {
  const { name, waitSeconds, createdAt } = fields.Shown.properties as Record<string, object>
  assert.deepEqual(Object.keys(name ?? {}).sort(), ['description', 'type'])
  assert.deepEqual(waitSeconds, { type: 'integer' })
  assert.equal((createdAt as { format?: string }).format, 'date-time')
  assert.deepEqual(Object.keys(fields.settable).sort(), ['callbackUrl', 'members', 'name', 'note', 'waitSeconds'])
  assert.equal((fields.schemas.name as { maxLength?: number }).maxLength, 20)
  assert.deepEqual(fields.Shown.required, Object.keys(fields.Shown.properties))
})
