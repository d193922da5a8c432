// What is sent of settings that were typed, and what is said of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedNames, type Settings, settingText } from './settings.ts'
import '../../test/words.ts'

const settings: Settings = {
  name: 'Example',
  timeZone: 'Europe/Berlin',
  currency: 'EUR',
  defaultCountry: 'DE',
  duplicateMode: 'warn',
  invoiceNumbering: 'on_create',
}

test('only what differs is a change; null is a value', () => {
  assert.deepEqual(changedNames(settings, {}), [])
  assert.deepEqual(changedNames(settings, { ...settings }), [])
  assert.deepEqual(changedNames(settings, { defaultCountry: null, name: 'Example', currency: 'USD' }), [
    'currency',
    'defaultCountry',
  ])
})

test('settings are said in words', () => {
  assert.equal(settingText('currency', settings), 'EUR, Euro')
  assert.equal(settingText('defaultCountry', settings), 'Germany')
  assert.equal(settingText('defaultCountry', { ...settings, defaultCountry: null }), 'None')
  assert.equal(settingText('invoiceNumbering', settings), 'Given to drafts')
})
