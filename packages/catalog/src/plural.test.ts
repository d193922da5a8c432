// Plurals and singulars of the nouns of the product, and of those that are to come.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pluralOf, singularOf, withArticle } from './plural.ts'

const nouns: [singular: string, plural: string][] = [
  ['lead', 'leads'],
  ['company', 'companies'],
  ['delivery', 'deliveries'],
  ['destination_policy', 'destination_policies'],
  ['opt_out', 'opt_outs'],
  ['opt-out', 'opt-outs'],
  ['API key', 'API keys'],
  ['key', 'keys'],
  ['address', 'addresses'],
  ['status', 'statuses'],
  ['box', 'boxes'],
  ['sms', 'sms'],
]

test('a noun and its plural lead to each other', () => {
  for (const [singular, plural] of nouns) {
    assert.equal(pluralOf(singular), plural)
    assert.equal(singularOf(plural), singular)
  }
  for (const word of ['status', 'address', 'sms', 'process']) assert.equal(singularOf(word), word)
  assert.equal(singularOf('mails that came in'), 'mail that came in')
})

test('a noun has the article that its first sound asks for', () => {
  const nouns = [
    'a company',
    'an invoice',
    'an opt-out',
    'a user',
    'an API key',
    'a SIP credential',
    'an upload',
    'a unit',
  ]
  for (const noun of nouns) assert.equal(withArticle(noun.replace(/^an? /, '')), noun)
})

test('nothing else makes plurals or articles of its own', () => {
  const root = join(import.meta.dirname, '../../..')
  const files = globSync('{server/src,portal/src,packages/*/src,scripts}/**/*.{ts,tsx}', { cwd: root })
  const own = /ies\$\/|'ies'\)|\{noun\}s\b|\? 'an' : 'a'|`an \$\{/
  const found = files.filter(file => !file.includes('plural') && own.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(found, [])
})
