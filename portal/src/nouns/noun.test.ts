// How records are named, and where several of them may be moved at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../test/words.ts'
import { invoices } from '../invoices/invoice_noun.ts'
import { leads } from '../leads/lead_noun.ts'
import { companies } from './described/companies.generated.ts'
import { movedState, type NounRecord, ownIdOf, recordIdOf } from './noun.ts'

test('a record whose id is a number is named with its noun elsewhere, and by the number in its own endpoints', () => {
  assert.deepEqual([recordIdOf(leads, 17), recordIdOf(leads, '17')], ['lead:17', 'lead:17'])
  assert.deepEqual([ownIdOf(leads, 'lead:17'), ownIdOf(leads, '17'), ownIdOf(leads, 17)], [17, 17, 17])
  assert.deepEqual([recordIdOf(companies, 'cmp_a'), ownIdOf(companies, 'cmp_a')], ['cmp_a', 'cmp_a'])
})

test('several are moved to where any of them may come, as far as the person may; never where no move leads', () => {
  const lead = (status: string): NounRecord => ({ id: 1, version: 1, created_at: '', updated_at: '', status })
  const words = (...all: string[]) => movedState(leads, all.map(lead))?.choices
  assert.deepEqual(words('Qualified'), ['Contacted', 'Nurturing', 'Unqualified'])
  assert.deepEqual(words('Qualified', 'Junk'), ['New', 'Contacted', 'Nurturing', 'Unqualified'])
  assert.equal(words('Converted'), undefined)
  assert.deepEqual(movedState(leads, [lead('Junk'), lead('New')], (_, to) => to !== 'New')?.choices, [
    'Contacted',
    'Nurturing',
    'Qualified',
    'Unqualified',
    'Junk',
  ])
  assert.equal(movedState(invoices, [lead('Draft')]), undefined, 'of what is not changed in batches')
})
