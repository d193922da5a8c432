// Settings in words of the portal: what there are words for is said by them, everything else as the server says it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../test/words.ts'
import { choiceText, columnsOf, groupsOf, hintOf, shapeOf } from './schema_values.ts'
import { type SettingsTexts, spokenKind } from './spoken_settings.ts'

const german: Readonly<Record<string, string>> = {
  'kind.smpp': 'SMPP',
  'group.Connection': 'Verbindung',
  'title.smpp.host': 'Rechner',
  'hint.smpp.host': 'Leer: der übliche.',
  'fault.smpp.host': 'Bitte einen Hostnamen eingeben.',
  'choice.smpp.coding.gsm7': 'GSM 03.38',
  'title.smpp.statuses.status': 'Statuscode',
  'fault.smpp.statuses.status': 'Bitte hexadezimal.',
  'choice.smpp.codecs.PCMU': 'µ-law',
}
const of = (group: string) => (key: string) => german[`${group}.${key}`]
const texts: SettingsTexts = {
  kind: of('kind'),
  about: of('about'),
  group: of('group'),
  title: of('title'),
  hint: of('hint'),
  choice: of('choice'),
  fault: of('fault'),
}

const { title, description, schema, faultText, namedFault } = spokenKind(texts, {
  kind: 'smpp',
  title: 'SMPP 3.4',
  description: 'A carrier.',
  settings: {
    required: ['host'],
    properties: {
      host: { type: 'string', title: 'Host', description: 'null: the usual one.', 'x-group': 'Connection' },
      port: { type: 'integer', title: 'Port', description: 'null: 2775.', 'x-group': 'Connection' },
      coding: { type: 'string', enum: ['gsm7', 'not_known'], 'x-group': 'Newer' },
      statuses: { type: 'array', items: { properties: { status: { type: 'string', title: 'Status' } } } },
      codecs: { type: 'array', title: 'Codecs', items: { type: 'string', enum: ['PCMU', 'PCMA'] } },
    },
  },
})
const field = (name: string) => schema.properties[name]!

test('names, headings, hints and choices are said in our words, and what is newer as the server says it', () => {
  assert.deepEqual([title, description, schema.required], ['SMPP', 'A carrier.', ['host']])
  assert.deepEqual(
    groupsOf(schema)
      .map(({ name }) => name)
      .slice(0, 2),
    ['Verbindung', 'Newer'],
  )
  assert.deepEqual([field('host').title, hintOf(field('host'))], ['Rechner', 'Leer: der übliche.'])
  assert.deepEqual([field('port').title, hintOf(field('port'))], ['Port', 'Empty: 2775.'])
  assert.equal(shapeOf(field('coding')), 'choice')
  assert.deepEqual(
    ['gsm7', 'not_known'].map(one => choiceText(field('coding'), one)),
    ['GSM 03.38', 'not known'],
  )
})

test('so are the columns of lists, and the choices of plain values', () => {
  assert.equal(columnsOf(field('statuses')).properties['status']?.title, 'Statuscode')
  const codec = columnsOf(field('codecs')).properties['']!
  assert.deepEqual([codec.title, choiceText(codec, 'PCMU'), choiceText(codec, 'PCMA')], ['Codecs', 'µ-law', 'PCMA'])
})

test('a fault of a pattern is said in our words, with its field’s name where it stands apart; others are as everywhere', () => {
  const fault = (name: string, code = 'wrong_format') => ({ field: name, code, message: 'must be something else' })
  const said = (name: string, code?: string) => faultText(fault(name, code))
  assert.equal(said('settings.host'), 'Bitte einen Hostnamen eingeben.')
  assert.equal(said('settings.statuses[2].status'), 'Bitte hexadezimal.')
  for (const other of [said('host'), said('settings.port'), said('settings.host', 'not_allowed')])
    assert.equal(other, 'Must be something else.')
  const named = (name: string) => namedFault(fault(name))
  assert.equal(named('settings.host'), 'Rechner: Bitte einen Hostnamen eingeben.')
  assert.equal(named('settings.newer'), 'newer: Must be something else.')
})
