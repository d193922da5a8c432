// What was typed over a messaging service follows what others change meanwhile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedMeanwhile, draftAfter, emptyDraft, valuesOver } from './service_draft.ts'
import type { ServiceValues } from './service_values.ts'

const stored: ServiceValues = {
  name: 'Appointments',
  senders: ['num_1', 'num_2'],
  stickySender: true,
  smartEncoding: false,
  unknownOutcome: 'hold',
  validityPeriod: '',
  duplicateWindow: '60',
  callbackUrl: '',
  keywords: [],
}
const put = (patch: Partial<ServiceValues>) => (old: ServiceValues) => ({ ...old, ...patch })

test('only what was typed is kept; all else is as it is stored now', () => {
  const draft = draftAfter(stored, emptyDraft, put({ name: 'Visits' }))
  assert.deepEqual(draft, { typed: { name: 'Visits' }, begun: { name: 'Appointments' } })
  const now = { ...stored, senders: ['num_3'], smartEncoding: true }
  assert.deepEqual(valuesOver(now, draft), { ...now, name: 'Visits' })
  assert.deepEqual(changedMeanwhile(now, draft), [])
})

test('what is typed as it is stored is not typed', () => {
  const draft = draftAfter(
    stored,
    draftAfter(stored, emptyDraft, put({ name: 'Visits' })),
    put({ name: 'Appointments' }),
  )
  assert.deepEqual(draft, emptyDraft)
})

test('senders that others add stay, and those that they remove are gone', () => {
  const draft = draftAfter(stored, emptyDraft, put({ senders: ['num_2', 'num_4'] }))
  const now = { ...stored, senders: ['num_1', 'num_3'] }
  assert.deepEqual(valuesOver(now, draft).senders, ['num_3', 'num_4'])
  const further = draftAfter(now, draft, put({ senders: ['num_4'] }))
  assert.deepEqual(valuesOver(now, further).senders, ['num_4'])
  assert.deepEqual(changedMeanwhile(now, further), [])
})

test('a field that both changed is named, until both are the same', () => {
  const draft = draftAfter(stored, emptyDraft, put({ name: 'Visits', duplicateWindow: '90' }))
  assert.deepEqual(changedMeanwhile({ ...stored, name: 'Dates' }, draft), ['name'])
  assert.deepEqual(changedMeanwhile({ ...stored, name: 'Visits' }, draft), [])
})
