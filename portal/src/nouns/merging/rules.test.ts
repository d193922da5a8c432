// Rules of a merge in the portal: what differs, whose value is kept, and what has to be said to the server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../test/words.ts'
import { leads } from '../../leads/lead_noun.ts'
import { companies } from '../described/companies.generated.ts'
import { contacts } from '../described/contacts.generated.ts'
import { fieldNamed, type NounRecord } from '../noun.ts'
import { choosable, comparedFields, keptFrom, oldestOf, survivorFirst, takeOf, unitedCount } from './rules.ts'

const record = (id: string, values: object): NounRecord => ({
  id,
  version: 1,
  created_at: '2026-01-02T00:00:00.000Z',
  updated_at: '2026-01-02T00:00:00.000Z',
  addresses: [],
  ...values,
})
const a = record('cmp_a', { name: 'A', domain: 'a.example', industry: 'Retail' })
const b = record('cmp_b', { name: 'B', domain: 'a.example', phone: '+1', created_at: '2026-01-01T00:00:00.000Z' })
const c = record('cmp_c', { name: 'A', phone: '+2', industry: 'Public', parent_id: 'cmp_a' })
const all = [a, b, c]
const phone = fieldNamed(companies, 'phone')!
const parent = fieldNamed(companies, 'parent_id')!

test('the fields that differ come by themselves; empty is a value that another may have', () => {
  const { different, same } = comparedFields(companies, [a, b])
  assert.deepEqual(
    different.map(({ name }) => name),
    ['name', 'phone', 'industry'],
  )
  assert.ok(same.some(({ name }) => name === 'domain') && same.some(({ name }) => name === 'addresses'))
})

test('the oldest stays, unless another is chosen', () => {
  assert.equal(oldestOf(all), 'cmp_b')
  assert.deepEqual(
    survivorFirst(all, 'cmp_c').map(({ id }) => id),
    ['cmp_c', 'cmp_a', 'cmp_b'],
  )
})

test('a value is that of the one that stays, or of the first that has one, or the chosen one', () => {
  assert.equal(keptFrom(companies, phone, all, 'cmp_a', {}), 'cmp_b')
  assert.equal(keptFrom(companies, phone, all, 'cmp_c', {}), 'cmp_c')
  assert.equal(keptFrom(companies, phone, all, 'cmp_a', { phone: 'cmp_a' }), 'cmp_a')
  assert.equal(keptFrom(companies, phone, [a, b], 'cmp_a', { phone: 'cmp_c' }), 'cmp_b', 'one that was left out')
})

test('one that becomes the same is no parent of it', () => {
  assert.equal(keptFrom(companies, parent, all, 'cmp_a', {}), 'cmp_a')
  const { same } = comparedFields(companies, all)
  assert.ok(same.includes(parent))
})

test('a state is chosen, and its reason goes with it; one that is converted stays so', () => {
  const open = { ...record('17', { name: 'A', status: 'New', lost_reason: null }), id: 17 }
  const lost = { ...record('9', { name: 'A', status: 'Junk', lost_reason: 'Spam.', contact_id: 'con_a' }), id: 9 }
  const names = (fields: readonly { name: string }[]) => fields.map(({ name }) => name)
  const { different, same } = comparedFields(leads, [open, lost])
  assert.deepEqual(names(different), ['status'])
  assert.ok(!names(same).includes('lost_reason') && !names(same).includes('contact_id'), 'what nobody chooses')
  assert.deepEqual(takeOf(leads, [open, lost], '17', {}), {})
  assert.deepEqual(takeOf(leads, [open, lost], '17', { status: '9' }), { status: '9' })
  const converted = {
    ...record('4', { name: 'A', status: 'Converted', lost_reason: null, contact_id: 'con_b' }),
    id: 4,
  }
  const three = [open, lost, converted]
  const status = fieldNamed(leads, 'status')!
  assert.deepEqual(choosable(status, three), [converted])
  assert.equal(keptFrom(leads, status, three, '17', { status: '9' }), '4')
  assert.deepEqual(takeOf(leads, three, '17', { status: '9' }), {}, 'what the server does by itself')
})

test('only what a merge would not do by itself is sent', () => {
  assert.deepEqual(takeOf(companies, all, 'cmp_a', { phone: 'cmp_b', industry: 'cmp_a' }), {})
  assert.deepEqual(takeOf(companies, all, 'cmp_a', { phone: 'cmp_c', industry: 'cmp_b' }), {
    phone: 'cmp_c',
    industry: 'cmp_b',
  })
})

test('lists have the entries of all, each once, as far as there is room', () => {
  const emails = fieldNamed(contacts, 'emails')!
  const entry = (value: string) => ({ value, label: null, is_primary: false })
  const one = record('con_a', { emails: ['a@x.example', 'b@x.example'].map(entry) })
  const other = record('con_b', { emails: ['B@x.example', 'c@x.example'].map(entry) })
  assert.deepEqual(unitedCount(emails, [one, other]), { count: 3, left: 0 })
  const many = record('con_c', { emails: Array.from({ length: 19 }, (_, n) => entry(`${n}@x.example`)) })
  assert.deepEqual(unitedCount(emails, [one, many]), { count: 20, left: 1 })
})
