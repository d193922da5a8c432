// What may be shown of settings, how changes are merged, and when a secret must be entered again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyringOf } from '../values/keyring.ts'
import { Problem } from '../values/problem.ts'
import { plainRoutes, routeFaults } from './prefix_routes.ts'
import {
  changedSettings,
  completeSettings,
  type Merge,
  mergedSettings,
  newSettings,
  openSecrets,
  partSettings,
  readableSecrets,
  sealSecrets,
  secretNames,
  shownSettings,
} from './settings.ts'

const schema = {
  type: 'object',
  properties: {
    host: { type: 'string' },
    port: { type: 'integer', default: 2775 },
    ca: { type: ['string', 'null'], default: null },
    password: { type: 'string', 'x-secret': true },
  },
  required: ['host', 'port', 'ca', 'password'],
}

test('settings are begun, changed and shown by one schema', () => {
  assert.deepEqual(secretNames(schema), ['password'])
  assert.deepEqual(newSettings(schema).required, ['host', 'password'])
  assert.deepEqual(shownSettings(schema).required, ['host', 'port', 'ca'])
  assert.deepEqual(changedSettings(schema), {
    type: 'object',
    properties: {
      host: { type: 'string' },
      port: { type: 'integer' },
      ca: { type: ['string', 'null'] },
      password: { type: 'string', 'x-secret': true },
    },
  })
  const settings = completeSettings(schema, { host: 'a', password: 'b', gone: 1 })
  assert.deepEqual(settings, { host: 'a', port: 2775, ca: null, password: 'b' })
  assert.deepEqual(completeSettings(schema, { port: 0 }), { port: 0, ca: null })
  assert.deepEqual(partSettings(schema, settings), {
    open: { host: 'a', port: 2775, ca: null },
    secret: { password: 'b' },
  })
  assert.deepEqual(partSettings(schema, { ca: null, password: null }), { open: { ca: null }, secret: {} })
})

const stored: Merge = {
  known: { host: 'a', port: 1, password: 'b', guest: 'c' },
  patch: {},
  secrets: ['password', 'guest'],
  place: ['host'],
}

function asked(merge: Partial<Merge>): string[] {
  try {
    mergedSettings({ ...stored, ...merge })
    return []
  } catch (error) {
    assert.ok(error instanceof Problem)
    return (error.details ?? []).map(({ field, message }) => `${field} ${message}`)
  }
}

test('a change takes the place of what it names', () => {
  assert.deepEqual(mergedSettings({ ...stored, patch: { port: 2 } }), { ...stored.known, port: 2 })
  assert.deepEqual(mergedSettings({ ...stored, patch: { host: 'a', guest: null } }), { ...stored.known, guest: null })
})

test('a secret goes to no other place than the one it was entered for', () => {
  const host = 'settings.password must be entered again when host changes'
  const guest = 'settings.guest must be entered again when host changes'
  assert.deepEqual(asked({ patch: { host: 'x' } }), [host, guest])
  assert.deepEqual(asked({ patch: { host: 'x' }, sent: ['password'] }), [host])
  assert.deepEqual(asked({ patch: { host: 'x', password: 'y', guest: null } }), [])
  assert.deepEqual(asked({ patch: { host: 'x' }, secrets: [] }), [])
  assert.deepEqual(asked({ known: { host: 'a', guest: 'c' }, patch: { port: 2 } }), [
    'settings.password must be entered again because this server cannot read it',
  ])
})

test('secrets open for their own record only', () => {
  const place = { keyring: keyringOf(Buffer.alloc(32, 1)), purpose: 'carriers', tenantId: 1, id: 'car_a' }
  const sealed = sealSecrets(place, { password: 'b' })
  assert.deepEqual(openSecrets(place, sealed), { password: 'b' })
  assert.equal(sealSecrets(place, {}), null)
  assert.deepEqual(openSecrets(place, null), {})
  for (const other of [
    { tenantId: 2 },
    { id: 'car_b' },
    { purpose: 'trunks' },
    { keyring: keyringOf(Buffer.alloc(32, 2)) },
  ]) {
    assert.throws(() => openSecrets({ ...place, ...other }, sealed))
    assert.deepEqual(readableSecrets({ ...place, ...other }, sealed), {})
  }
})

test('every destination has one spelling, and no prefix stands twice', () => {
  const route = (prefix: string) => ({ prefix, priority: 1, cost: '0' })
  assert.deepEqual(plainRoutes([route('+'), route('+49')]), [route(''), route('+49')])
  assert.deepEqual(
    routeFaults([route('+49'), route('+4'), route('+49')]).map(({ field }) => field),
    ['routes[2].prefix'],
  )
})
