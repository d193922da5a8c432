// How settings of any schema become a form, and the form becomes settings again.
import '../../test/words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  changedCount,
  fieldPaths,
  groupsOf,
  hintOf,
  type ObjectSchema,
  settingsOf,
  shapeOf,
  typedValues,
} from './schema_values.ts'

const schema: ObjectSchema = {
  required: ['host', 'password'],
  properties: {
    host: { type: 'string', 'x-group': 'Connection' },
    port: { type: 'integer', default: 2775, 'x-group': 'Connection' },
    tls: { type: 'boolean', default: false, 'x-group': 'Connection' },
    ca: { type: ['string', 'null'], maxLength: 20_000, default: null, 'x-group': 'Connection' },
    password: { type: 'string', 'x-secret': true, 'x-group': 'Account' },
    systemType: { type: 'string', default: '', 'x-group': 'Account' },
    bind: { type: 'string', enum: ['transceiver', 'pair'], default: 'transceiver', 'x-group': 'Account' },
    statuses: {
      type: 'array',
      default: [],
      'x-group': 'Answers',
      items: { properties: { status: { type: 'string' }, wait: { type: 'integer' } } },
    },
  },
}

test('each field is entered as its type asks', () => {
  const shapes = Object.values(schema.properties).map(shapeOf)
  assert.deepEqual(shapes, ['text', 'number', 'boolean', 'long', 'secret', 'text', 'choice', 'list'])
})

test('a new form begins with the defaults, and sends what is filled in', () => {
  const empty = typedValues(schema, {})
  assert.equal(empty['port'], '2775')
  assert.equal(empty['bind'], 'transceiver')
  const typed = { ...empty, host: ' smpp.example.com ', password: ' with blanks ', port: '' }
  assert.deepEqual(settingsOf(schema, typed), {
    host: 'smpp.example.com',
    tls: false,
    ca: null,
    password: ' with blanks ',
    systemType: '',
    bind: 'transceiver',
    statuses: [],
  })
})

test('of a change only what differs is sent: an empty secret is kept, an emptied field goes back to its default', () => {
  const start = typedValues(schema, { host: 'a', port: 3550, ca: 'PEM', statuses: [{ status: '0x0b', wait: 5 }] })
  assert.deepEqual(settingsOf(schema, start, start), {})
  const typed = { ...start, port: '', ca: '', statuses: [{ status: '0x0b', wait: '' }] }
  assert.deepEqual(settingsOf(schema, typed, start), { port: 2775, ca: null, statuses: [{ status: '0x0b' }] })
  assert.deepEqual(settingsOf(schema, { ...start, password: 'x' }, start), { password: 'x' })
})

test('what is no number stays as it was typed, for the server to refuse', () => {
  const start = typedValues(schema, {})
  assert.deepEqual(settingsOf(schema, { ...start, port: 'many' }, start), { port: 'many' })
  assert.deepEqual(settingsOf(schema, { ...start, port: '2,776' }, start), { port: 2_776 })
})

test('fields stand under their headings in the order of the schema, with what was changed counted', () => {
  const groups = groupsOf(schema)
  assert.deepEqual(
    groups.map(({ name, fields }) => [name, fields.length]),
    [
      ['Connection', 4],
      ['Account', 3],
      ['Answers', 1],
    ],
  )
  const typed = { ...typedValues(schema, {}), host: 'a', tls: true, bind: 'pair' }
  assert.deepEqual(
    groups.map(group => changedCount(group, typed)),
    [1, 1, 0],
  )
})

test('errors find their field, inside lists too', () => {
  const paths = fieldPaths(schema, { ...typedValues(schema, {}), statuses: [{ status: '', wait: '' }] }, 'settings.')
  assert.ok(paths.includes('settings.port'))
  assert.ok(paths.includes('settings.statuses[0].wait'))
})

test('a list of plain values is a line a value, and its errors find their line', () => {
  const lists: ObjectSchema = {
    properties: {
      sources: { type: 'array', title: 'Sources', default: [], items: { type: 'string' } },
      codecs: { type: 'array', default: ['PCMU', 'PCMA'], items: { type: 'string', enum: ['PCMU', 'PCMA'] } },
    },
  }
  const start = typedValues(lists, { sources: ['203.0.113.0/24'] })
  assert.deepEqual(start['sources'], [{ '': '203.0.113.0/24' }])
  assert.deepEqual(settingsOf(lists, start), { sources: ['203.0.113.0/24'], codecs: ['PCMU', 'PCMA'] })
  const typed = { ...start, sources: [{ '': ' 203.0.113.9 ' }, { '': '' }] }
  assert.deepEqual(settingsOf(lists, typed, start), { sources: ['203.0.113.9', ''] })
  assert.ok(fieldPaths(lists, typed, 'settings.').includes('settings.sources[1]'))
})

test('what the schema calls null is an empty field to people', () => {
  const hint = (description: string) => hintOf({ type: 'string', description })
  assert.equal(hint('null: what DNS says of the host.'), 'Empty: what DNS says of the host.')
  assert.equal(hint('With or without a port; null: to the host.'), 'With or without a port; empty: to the host.')
  assert.equal(hint('The account. null where there is none.'), 'The account. Empty where there is none.')
  assert.equal(hintOf({ type: 'string' }), undefined)
})
