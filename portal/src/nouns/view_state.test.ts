// How lists are looked at: orders by presses, columns that were stored, filters of the address.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { companies } from './described/companies.generated.ts'
import { leads } from './described/leads.ts'
import { columnsOf, filtersOf, nextSort, sortOf, sortText } from './view_state.ts'

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
  assert.deepEqual(columnsOf(companies, null), standard)
  assert.deepEqual(columnsOf(companies, '{'), standard)
  assert.deepEqual(columnsOf(companies, '[{"name":"gone"},{"name":"name","width":300}]'), [
    { name: 'name', width: 300 },
  ])
  assert.deepEqual(columnsOf(companies, '[{"name":"gone"}]'), standard)
})

test('tags are a column of what holds them', () => {
  assert.deepEqual(columnsOf(leads, '[{"name":"tags"}]'), [{ name: 'tags' }])
  const { holds: _, ...bare } = leads
  assert.deepEqual(columnsOf(bare, '[{"name":"tags"},{"name":"name"}]'), [{ name: 'name' }])
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
  assert.deepEqual(filtersOf(leads, { 'updated_at[gte]': '2026-01-01', batch_id: 'bat_1' }), {})
  assert.deepEqual(filtersOf(companies, { batch_id: 'bat_1', import: '1' }), { batch_id: 'bat_1' })
})
