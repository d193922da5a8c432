// An event reports what its resource contains: anyone who may not read the one does not see the other.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { effectivePermissions } from '../../kernel/values/permission.ts'
import { permissions } from '../../nouns.ts'
import { typeFilter, visibleNouns } from './rules.ts'

const vocabulary = Object.keys(permissions)

test('an Admin sees all, a Finance Manager no leads, a Sales Manager no invoices', () => {
  assert.equal(visibleNouns(effectivePermissions({ role: 'Admin', custom: null }, null), vocabulary), null)
  const finance = visibleNouns(effectivePermissions({ role: 'Finance Manager', custom: null }, null), vocabulary) ?? []
  for (const noun of ['invoice', 'message', 'call', 'conference', 'queue', 'gather'])
    assert.ok(finance.includes(noun), noun)
  assert.ok(!finance.includes('lead'))
  const sales = visibleNouns(effectivePermissions({ role: 'Sales Manager', custom: null }, null), vocabulary) ?? []
  assert.ok(sales.includes('lead') && sales.includes('message'))
  assert.ok(!sales.includes('invoice'))
})

test("an Admin's key with scopes sees what the scopes read", () => {
  assert.deepEqual(
    visibleNouns(effectivePermissions({ role: 'Admin', custom: null }, ['events:read', 'leads:read']), vocabulary),
    ['lead'],
  )
  assert.deepEqual(
    visibleNouns(effectivePermissions({ role: 'Admin', custom: null }, ['events:read', 'invoices:read']), vocabulary),
    ['invoice'],
  )
  assert.equal(visibleNouns(effectivePermissions({ role: 'Admin', custom: null }, vocabulary), vocabulary), null)
})

test('a type is exact, a noun or noun.* stands for all its types', () => {
  assert.deepEqual(typeFilter('lead.created'), { exact: 'lead.created', noun: null })
  assert.deepEqual(typeFilter('lead.*'), { exact: null, noun: 'lead' })
  assert.deepEqual(typeFilter('lead'), { exact: null, noun: 'lead' })
})
