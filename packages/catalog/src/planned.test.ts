// The categories of the founding documents are all there: with endpoints, or planned. None is planned that has any.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createSearch, planned, plannedCategory, readCatalog, searchPlanned } from './index.ts'

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const catalog = readCatalog(document)

/** As the founding documents name them. */
const founding = [
  ...['Authentication', 'User', 'Organization', 'Voice', 'Video'],
  ...['Messaging', 'Contact Center', 'AI', 'Analytics', 'Billing'],
]

test('all ten are there, and none is planned which has endpoints', () => {
  const there = catalog.categories.map(({ name }) => name)
  const names = planned.map(({ name }) => name)
  assert.deepEqual(
    founding.filter(name => !there.includes(name) && !names.includes(name)),
    [],
  )
  assert.deepEqual(
    names.filter(name => there.includes(name)),
    [],
    'it has endpoints: take it out of planned.ts, and of plannedCategories',
  )
  assert.deepEqual(
    names.filter(name => !founding.includes(name)),
    [],
  )
})

test('each is found by its name: its endpoints, or what is planned and what does the work meanwhile', () => {
  const search = createSearch(catalog.endpoints)
  for (const name of founding) {
    const found = search(name)
    const own = planned.find(one => one.name === name)
    if (own === undefined)
      assert.ok(
        found.slice(0, 3).some(({ category }) => category === name),
        name,
      )
    else {
      const meant = own.meanwhile.flatMap(({ endpoints }) => endpoints)
      assert.deepEqual(
        found.map(({ id }) => id),
        [...new Set(meant)],
        name,
      )
    }
  }
})

test('what does the work meanwhile exists, and each says what comes first', () => {
  for (const { name, steps, meanwhile, description } of planned) {
    assert.ok(steps.length >= 2 && meanwhile.length > 0 && description.endsWith('.'), name)
    for (const { text, endpoints } of meanwhile) {
      assert.ok(endpoints.length > 0, `${name}: ${text}`)
      for (const id of endpoints) assert.ok(catalog.byId.has(id), `${name}: ${id} does not exist`)
    }
  }
})

test('they are found by their words, whole or begun, and by no others', () => {
  const names = (typed: string) => searchPlanned(typed).map(({ name }) => name)
  for (const [typed, found] of [
    ['video', ['Video']],
    ['vid', ['Video']],
    ['create a video room', ['Video']],
    ['Screen Sharing', ['Video']],
    ['call centre', ['Contact Center']],
    ['contact', []],
    ['contact c', ['Contact Center']],
    ['ai', ['AI']],
    ['transcripts of calls', ['AI']],
    ['billing', ['Billing']],
    ['', []],
    ['a', []],
    ['list invoices', []],
    ['email', []],
    ['create contact', []],
  ] as const)
    assert.deepEqual(names(typed), found, typed)
})

test('a name leads to it whatever its case', () => {
  assert.equal(plannedCategory('contact center')?.name, 'Contact Center')
  assert.equal(plannedCategory('CRM'), undefined)
})
