// What a mapping lacks, what came of rows in words, what can be undone, and two lists as one.
import '../../test/words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Batch, Import } from '@tandem/sdk'
import { companies } from '../nouns/described/companies.generated.ts'
import {
  batchText,
  hasKind,
  mappingFault,
  missingFields,
  newestFirst,
  outcomeTexts,
  undoableOf,
  undoTexts,
} from './rules.ts'

const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, refused: 0 }
const target = (name: string, several = false) => ({ name, label: name.toUpperCase(), about: '', several })
const targets = [target('id'), target('name', true), target('domain')]

test('a field that takes one column is refused to the second', () => {
  const columns = ['Web', 'Site', 'First', 'Last'].map(name => ({ name, samples: [], cells: [] }))
  const mapping = ['domain', 'domain', 'name', 'name']
  const faults = mapping.map((_, at) => mappingFault({ columns, mapping }, targets, at))
  assert.deepEqual(
    faults.map(fault => fault !== undefined),
    [false, true, false, false],
  )
  assert.match(faults[1] ?? '', /^DOMAIN is already filled by the column “Web”/)
  assert.equal(mappingFault({ columns, mapping: [null, null, null, null] }, targets, 1), undefined)
})

test('what every record needs has to be mapped, unless rows name records by their ids', () => {
  const missing = (mapping: (string | null)[]) => missingFields(companies, mapping).map(({ name }) => name)
  assert.deepEqual(missing(['domain', null]), ['name'])
  assert.deepEqual(missing(['domain', 'name']), [])
  assert.deepEqual(missing(['id', 'domain']), [])
})

test('how numbers are read matters where a column is one, or a part of one', () => {
  assert.equal(hasKind(companies, ['annual_revenue.currency'], ['money']), true)
  assert.equal(hasKind(companies, ['name', null], ['money']), false)
})

test('what came of rows, in words', () => {
  assert.deepEqual(outcomeTexts(companies, { ...none, created: 1, updated: 2 }, true), [
    '1 company would be created.',
    '2 companies would be updated.',
  ])
  assert.deepEqual(outcomeTexts(companies, { ...none, created: 1_200, skipped: 1, refused: 3 }, false), [
    '1,200 companies were created.',
    '1 row was skipped as a duplicate.',
    '3 rows had errors and were left out.',
  ])
  assert.deepEqual(outcomeTexts(companies, { ...none, unchanged: 2, refused: 1 }, true), [
    '2 rows would change nothing: it’s all there already.',
    '1 row has errors and would be left out.',
  ])
  assert.deepEqual(outcomeTexts(companies, none, true), [])
})

test('what undoing takes away, and what it leaves', () => {
  const [created, updated, kept] = undoTexts(companies, { created: 2, updated: 1 })
  assert.match(created ?? '', /^2 companies created by this import go to the trash/)
  assert.match(updated ?? '', /^1 company updated by this import gets its previous values back/)
  assert.match(kept ?? '', /changed since/)
  assert.equal(undoTexts(companies, { created: 0, updated: 1 }).length, 2)
})

const batch = (more: Partial<Batch> = {}) =>
  ({
    id: 'bat_1',
    noun: 'companies',
    source: 'bulk',
    state: 'completed',
    action: null,
    fields: ['industry'],
    changed: 2,
    reverted_by: null,
    created_at: '2026-01-01',
    ...more,
  }) as Batch
const file = (more: Partial<Import> = {}) =>
  ({
    ...none,
    noun: 'companies',
    state: 'completed',
    created: 1,
    batch_id: 'bat_2',
    reverted_by: null,
    created_at: '2026-01-01',
    ...more,
  }) as Import

test('what can be undone, and what it takes', () => {
  const ofFile = (more: Partial<Import>) => undoableOf({ kind: 'import', record: file(more) })
  const ofBatch = (more: Partial<Batch>) => undoableOf({ kind: 'batch', record: batch(more) })
  assert.deepEqual(ofFile({}), { noun: 'companies', batchId: 'bat_2', needs: ['update', 'delete'] })
  assert.deepEqual(ofFile({ created: 0, updated: 1 })?.needs, ['update'])
  assert.equal(ofFile({ state: 'canceled' })?.batchId, 'bat_2')
  for (const more of [{ state: 'running' }, { batch_id: null }, { created: 0 }, { reverted_by: 'bat_3' }] as const)
    assert.equal(ofFile(more), undefined, JSON.stringify(more))
  assert.deepEqual(ofBatch({})?.needs, ['update'])
  assert.deepEqual(ofBatch({ action: 'delete' })?.needs, ['update', 'delete'])
  for (const more of [{ state: 'running' }, { changed: 0 }, { reverted_by: 'bat_3' }] as const)
    assert.equal(ofBatch(more), undefined, JSON.stringify(more))
})

test('what a batch does, in words', () => {
  assert.equal(batchText(batch(), companies), 'Changed: Industry')
  assert.equal(batchText(batch({ action: 'delete' }), companies), 'Moved to the trash')
  assert.equal(batchText(batch({ source: 'revert' }), companies), 'Undo')
})

test('of two lists nothing is shown that something newer may still come before', () => {
  const imports = ['2026-01-09', '2026-01-05'].map(created_at => file({ created_at }))
  const batches = ['2026-01-08', '2026-01-02'].map(created_at => batch({ created_at }))
  const days = (importsGoOn: boolean, batchesGoOn: boolean) =>
    newestFirst({ items: imports, hasMore: importsGoOn }, { items: batches, hasMore: batchesGoOn }).map(({ record }) =>
      Number(record.created_at.slice(-1)),
    )
  assert.deepEqual(days(false, false), [9, 8, 5, 2])
  assert.deepEqual(days(true, false), [9, 8, 5])
  assert.deepEqual(days(true, true), [9, 8, 5])
  assert.deepEqual(days(false, true), [9, 8, 5, 2])
})
