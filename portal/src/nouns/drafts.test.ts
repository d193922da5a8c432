// What forms send: what was typed and nothing else, in the shape that the API takes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../test/words.ts'
import { companies } from './described/companies.generated.ts'
import { contacts } from './described/contacts.generated.ts'
import { bodyOf, changesOf, draftsOf } from './drafts.ts'

const stamps = { version: 1, created_at: '2026-11-23T10:00:00.000Z', updated_at: '2026-11-23T10:00:00.000Z' }

test('a creation sends what is filled in', () => {
  const drafts = { ...draftsOf(companies), name: ' Acme ', annual_revenue: { amount: '1,5', currency: 'eur' } }
  assert.deepEqual(bodyOf(companies, drafts), { name: ' Acme ', annual_revenue: { amount: 1.5, currency: 'EUR' } })
})

test('a change sends the fields that differ; emptied text is null, and a list is sent whole', () => {
  const record = {
    id: 'con_1',
    name: 'Ada',
    job_title: 'Analyst',
    emails: [{ value: 'a@x.example', label: null, is_primary: true }],
    ...stamps,
  }
  const begun = draftsOf(contacts, record)
  assert.deepEqual(changesOf(contacts, begun, begun), {})
  const added = [...(begun['emails'] as object[]), { value: 'b@x.example', label: ' work ', is_primary: false }]
  const empty = { value: ' ', label: '', is_primary: false }
  assert.deepEqual(changesOf(contacts, { ...begun, job_title: '', emails: [...added, empty] }, begun), {
    job_title: null,
    emails: [
      { value: 'a@x.example', label: null, is_primary: true },
      { value: 'b@x.example', label: 'work', is_primary: false },
    ],
  })
})

test('what is no number is sent as it was typed, for the server to say what is wrong', () => {
  const drafts = { ...draftsOf(companies), name: 'A', annual_revenue: { amount: 'much', currency: '' } }
  assert.deepEqual(bodyOf(companies, drafts)['annual_revenue'], { amount: 'much' })
})
