// The nouns in the reader's language: every name, field, hint, choice, state and related list of each has a text in both languages, and
// nothing is said that no noun has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../test/words.ts'
import { readMessages } from '../../../vite/words.ts'
import { companies } from '../../companies/company_noun.ts'
import { contacts } from '../../contacts/contact_noun.ts'
import { invoices, statusText } from '../../invoices/invoice_noun.ts'
import { leads } from '../../leads/lead_noun.ts'
import { loadNoun } from '../known.ts'
import { aOne, fieldNamed, type NounDescription, wordOf } from '../noun.ts'
import { describedNouns } from './all.generated.ts'
import { spoken } from './spoken.ts'

const nouns = [leads, contacts, companies, invoices]
const messages = await readMessages()

/** The keys of all that people read of a noun, in the messages of its folder. */
function keysOf({ fields, related }: NounDescription): string[] {
  return [
    ...['one', 'many', 'a', 'about'].map(what => `noun.${what}`),
    ...fields.flatMap(({ name, choices = [], groups = [] }) => [
      `field.${name}`,
      `hint.${name}`,
      ...[...choices, ...groups.map(({ value }) => value)].map(value => `choice.${name}.${value}`),
    ]),
    ...related.map(({ noun }) => `related.${noun}`),
  ]
}

test('every name, field, choice and status of every noun has a text in both languages, and no other has', () => {
  for (const noun of nouns) {
    const files = messages.filter(({ folder }) => folder === noun.many)
    assert.equal(files.length, 2, noun.many)
    for (const { texts, language } of files) {
      const said = Object.keys(texts).filter(key => /^(noun|field|hint|choice|related)\./.test(key))
      assert.deepEqual(said.sort(), keysOf(noun).toSorted(), `${noun.many}, ${language}`)
    }
  }
})

test('every noun that the server describes is loaded with its texts', async () => {
  for (const one of Object.keys(describedNouns)) assert.ok((await loadNoun(one)).said !== undefined, one)
})

test('a noun is said as the texts have it, and is the same until the language changes', () => {
  const said = spoken(leads)
  assert.equal(spoken(leads), said)
  assert.equal(spoken(said), said)
  const status = fieldNamed(said, 'status')!
  assert.deepEqual([aOne(said), status.label, wordOf(status, 'New')], ['a lead', 'Status', 'New'])
  assert.deepEqual(said.searched, ['Name', 'Email', 'Phone', 'Company'])
  assert.equal(fieldNamed(spoken(invoices), 'status')!.groups![0]!.label, 'Open: sent or overdue')
  assert.equal(statusText('Overdue'), 'Overdue')
  assert.equal(spoken(companies).related[1]!.title, 'Companies below it')
})

const none = () => undefined

test('a noun that our texts do not know is said as the server describes it', () => {
  const ticket: NounDescription = {
    ...leads,
    one: 'ticket',
    said: { name: none, field: none, hint: none, choice: none },
    words: { one: 'ticket', many: 'tickets' },
    fields: [{ name: 'state', label: 'State', kind: 'state', about: 'How far it is.', choices: ['in_work'] }],
    searched: ['State'],
    related: [],
  }
  const said = spoken(ticket)
  const state = fieldNamed(said, 'state')!
  assert.deepEqual(
    [aOne(said), said.words.many, state.label, state.about],
    ['a ticket', 'tickets', 'State', 'How far it is.'],
  )
  assert.equal(wordOf(state, 'in_work'), 'in work')
})
