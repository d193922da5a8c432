// What becomes of leads that are merged: where the one that stays stands, why, and whose contact it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../../kernel/values/problem.ts'
import { decideMerge } from './rules.ts'

type Lead = Parameters<typeof decideMerge>[0]

const now = '2026-11-21T09:00:00.000Z'
const open: Lead = {
  id: 'lead:1',
  ...{ email: 'ada@example.com', phone: null, status: 'New', owner_id: null, lost_reason: null },
  ...{ first_responded_at: null, contact_id: null, converted_at: null },
}
const junk: Lead = { ...open, id: 'lead:2', status: 'Junk', lost_reason: 'spam', first_responded_at: now }
const lost: Lead = { ...open, id: 'lead:3', status: 'Unqualified', lost_reason: 'no budget' }
const won: Lead = { ...open, id: 'lead:4', status: 'Converted', contact_id: 'con_a', converted_at: now }

type Take = Parameters<typeof decideMerge>[2]

/** What the rules make of the first one with these values put into it. */
const merge = (put: Partial<Lead>, all: Lead[], take: Take = {}) => decideMerge({ ...all[0]!, ...put }, all, take)
const refused = (field: string) => (error: unknown) =>
  error instanceof Problem && error.code === 'validation_failed' && error.details?.[0]?.field === `take.${field}`

test('a merged lead stands where the chosen one stood, for the reason that goes with it', () => {
  const nobody = { contact_id: null, converted_at: null }
  const filled = { lost_reason: 'spam' }
  assert.deepEqual(merge(filled, [open, junk]), {
    ...{ status: 'New', lost_reason: null, ...nobody, first_responded_at: now },
  })
  assert.equal(merge({ status: 'Junk', ...filled }, [open, lost, junk], { status: junk.id }).lost_reason, 'spam')
  assert.equal(merge({ status: 'Unqualified', ...filled }, [junk, lost], { status: lost.id }).lost_reason, 'no budget')
  assert.equal(merge({ status: 'Unqualified', ...filled }, [lost, junk], { lost_reason: junk.id }).lost_reason, 'spam')
  const twice: Lead = { ...lost, id: 'lead:5', lost_reason: 'too far' }
  assert.equal(merge({ status: 'Unqualified' }, [open, lost, twice], { status: twice.id }).lost_reason, 'too far')
  assert.throws(() => merge({ lost_reason: null }, [lost, open], { lost_reason: open.id }), refused('lost_reason'))
})

test('a lead that takes in a converted one is converted to the same contact, whatever is chosen', () => {
  const { status, contact_id, converted_at, lost_reason } = merge({ lost_reason: 'spam' }, [junk, won])
  assert.deepEqual([status, contact_id, converted_at, lost_reason], ['Converted', 'con_a', now, null])
  assert.equal(merge({ status: 'Converted' }, [open, won], { status: won.id }).status, 'Converted')
  const other: Lead = { ...won, id: 'lead:6', contact_id: 'con_b' }
  assert.equal(merge({}, [won, other]).contact_id, 'con_a')
  assert.equal(merge({ status: 'Converted' }, [won, other], { status: other.id }).contact_id, 'con_b')
  assert.throws(() => merge({ status: 'New' }, [won, open], { status: open.id }), refused('status'))
})
