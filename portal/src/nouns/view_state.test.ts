// How lists are looked at: orders by presses, columns that were stored, filters of the address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../test/words.ts'
import { invoices } from '../invoices/invoice_noun.ts'
import { leads } from '../leads/lead_noun.ts'
import { columnsOf } from '../lists/columns.ts'
import { companies } from './described/companies.generated.ts'
import { columnSetOf, filtersOf, nextSort, sortOf, sortText } from './view_state.ts'

const pressed = (sort: string, name: string, adds = false) =>
  sortText(nextSort(sortOf(companies, { sort }), name, adds))

test('a press sorts by a column, turns it around, and takes it out; with Shift it is one more', () => {
  assert.equal(pressed('', 'name'), 'name')
  assert.equal(pressed('name', 'name'), '-name')
  assert.equal(pressed('-name', 'name'), '')
  assert.equal(pressed('name', 'industry', true), 'name,industry')
  assert.equal(pressed('name,industry', 'industry', true), 'name,-industry')
  assert.equal(pressed('name,-industry', 'name'), '-name')
  assert.equal(pressed('name,-industry', 'industry', true), 'name')
})

test('what nobody can sort by is left out of an address typed by hand', () => {
  assert.deepEqual(sortOf(companies, { sort: 'nonsense,-name' }), [{ name: 'name', descending: true }])
})

test('columns that a noun does not have any more are left out, and nonsense is as if nothing was stored', () => {
  const standard = companies.columns.map(name => ({ name }))
  assert.deepEqual(columnsOf(columnSetOf(companies), null), standard)
  assert.deepEqual(columnsOf(columnSetOf(companies), '{'), standard)
  assert.deepEqual(columnsOf(columnSetOf(companies), '[{"name":"gone"},{"name":"name","width":300}]'), [
    { name: 'name', width: 300 },
  ])
  assert.deepEqual(columnsOf(columnSetOf(companies), '[{"name":"gone"}]'), standard)
})

test('tags are a column of what holds them', () => {
  assert.deepEqual(columnsOf(columnSetOf(leads), '[{"name":"tags"}]'), [{ name: 'tags' }])
  const { holds: _, ...bare } = leads
  assert.deepEqual(columnsOf(columnSetOf(bare), '[{"name":"tags"},{"name":"name"}]'), [{ name: 'name' }])
})

test('only parameters that a list takes are sent to it', () => {
  const params = {
    q: 'x',
    industry: 'Retail',
    'name[begins]': 'A',
    create: '1',
    sort: 'name',
    evil: '1',
    deleted: 'true',
  }
  assert.deepEqual(filtersOf(companies, params), { q: 'x', industry: 'Retail', 'name[begins]': 'A', deleted: 'true' })
  const tagged = { tags: 'tag_a', 'tags[all]': 'tag_b,tag_c' }
  for (const noun of [companies, leads]) assert.deepEqual(filtersOf(noun, tagged), tagged)
  const changed = { 'updated_at[gte]': '2026-01-01', batch_id: 'bat_1' }
  for (const noun of [companies, leads]) assert.deepEqual(filtersOf(noun, { ...changed, import: '1' }), changed)
  assert.deepEqual(filtersOf(invoices, changed), {}, 'what a list does not take')
})
