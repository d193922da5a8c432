// The nouns in the reader's language: every name, field, hint, choice, state and related list of each has a text in both languages, and
// nothing is said that no noun has.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../test/words.ts'
import { invoices } from '../../invoices/invoice_noun.ts'
import { leads } from '../../leads/lead_noun.ts'
import { aOne, fieldNamed, type NounDescription, wordOf } from '../noun.ts'
import { describedNouns } from './all.generated.ts'
import { de } from './messages/de.ts'
import { en } from './messages/en.ts'
import { choiceText, nounWord, spoken } from './spoken.ts'

const nouns = await Promise.all(Object.values(describedNouns).map(load => load()))

/** The keys of all that people read of a noun. */
function keysOf({ one, fields, related }: NounDescription): string[] {
  return [
    ...['one', 'many', 'a', 'about'].map(what => `${one}.name.${what}`),
    ...fields.flatMap(({ name, choices = [], groups = [] }) => [
      `${one}.field.${name}`,
      `${one}.hint.${name}`,
      ...[...choices, ...groups.map(({ value }) => value)].map(value => `${one}.choice.${name}.${value}`),
    ]),
    ...related.map(({ noun }) => `${one}.related.${noun}`),
  ]
}

test('every name, field, choice and status of every noun has a text in both languages, and no other has', () => {
  const needed = [...nouns, invoices].flatMap(keysOf)
  for (const texts of [en, de]) assert.deepEqual(Object.keys(texts).sort(), needed.toSorted())
})

test('a noun is said as the texts have it, and is the same until the language changes', () => {
  const said = spoken(leads)
  assert.equal(spoken(leads), said)
  assert.equal(spoken(said), said)
  const status = fieldNamed(said, 'status')!
  assert.deepEqual([aOne(said), status.label, wordOf(status, 'New')], ['a lead', 'Status', 'New'])
  assert.deepEqual(said.searched, ['Name', 'Email', 'Phone', 'Company'])
  assert.equal(fieldNamed(spoken(invoices), 'status')!.groups![0]!.label, 'Open: sent or overdue')
  assert.equal(choiceText('lead', 'priority', 'Hot'), 'Hot')
  assert.equal(nounWord('company', 'a'), 'a company')
})

test('a noun that our texts do not know is said as the server describes it', () => {
  const ticket: NounDescription = {
    ...leads,
    one: 'ticket',
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
