// Rules of leads: the transition table as the contract prints it, what a change may leave behind, and who changes what.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanText } from '../../../kernel/values/clean_text.ts'
import { duplicateModeOf } from '../../../kernel/values/duplicate_mode.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { checkTable } from '../../../kernel/values/states.ts'
import {
  type Actor,
  canonicalPriority,
  decideChange,
  duplicateLead,
  type LeadPatch,
  type LeadRow,
  type LeadStatus,
  leadPriorities,
  leadStatuses,
  leadTable,
  maySee,
  newLead,
  presentLead,
  reachableStatuses,
  readPhone,
} from './rules.ts'

const at = Date.parse('2026-11-21T09:00:00.000Z')
const admin: Actor = { userId: 1, role: 'Admin', settings: { defaultCountry: 'US' } }
const manager: Actor = { ...admin, userId: 2, role: 'Sales Manager' }
const seller: Actor = { ...admin, userId: 3, role: 'Sales Executive' }

function lead(columns: Partial<LeadRow> = {}): LeadRow {
  return {
    tenant_id: 1,
    id: 17,
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone: '+14155550132',
    company: null,
    priority: 'Warm',
    status: 'New',
    owner_id: null,
    source: null,
    notes: null,
    lost_reason: null,
    first_responded_at: null,
    company_id: null,
    contact_id: null,
    converted_at: null,
    status_changed_at: '2026-11-21T08:59:00.000Z',
    created_at: '2026-11-21T08:59:00.000Z',
    updated_at: '2026-11-21T08:59:00.000Z',
    deleted_at: null,
    version: 1,
    ...columns,
  }
}

function code(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
  return 'none'
}

// The table of the contract, status by status; Converted is reached by converting only.
const moves: Record<LeadStatus, LeadStatus[]> = {
  New: ['Contacted', 'Nurturing', 'Qualified', 'Unqualified', 'Junk'],
  Contacted: ['Nurturing', 'Qualified', 'Unqualified', 'Junk'],
  Nurturing: ['Contacted', 'Qualified', 'Unqualified', 'Junk'],
  Qualified: ['Contacted', 'Nurturing', 'Unqualified'],
  Converted: [],
  Unqualified: ['New'],
  Junk: ['New'],
}

test('the transition table is sound and only Converted is final', () => {
  assert.deepEqual(checkTable(leadTable, { states: leadStatuses, initial: ['New'], terminal: ['Converted'] }), [])
})

test('each status can be left for those of the contract and no others, and a refusal lists them', () => {
  for (const from of leadStatuses) {
    const reason = from === 'Unqualified' || from === 'Junk' ? 'no budget' : null
    for (const to of leadStatuses) {
      const patch: LeadPatch = { status: to, ...(to === 'Unqualified' && { lost_reason: 'no budget' }) }
      const decide = () => decideChange(lead({ status: from, lost_reason: reason }), patch, admin, at)
      if (from === to) assert.equal(decide().moved, undefined)
      else if (moves[from].includes(to)) assert.deepEqual(decide().moved, { from, to, secondsInState: 60 })
      else {
        assert.throws(decide, (error: Problem) => {
          assert.equal(error.code, 'invalid_transition', `${from} → ${to}`)
          for (const status of moves[from]) assert.ok(error.message.includes(status), error.message)
          return true
        })
      }
    }
    assert.deepEqual(reachableStatuses(from).sort(), [...moves[from]].sort())
  }
})

test('the first move out of New is the first response, and stays so', () => {
  const first = decideChange(lead(), { status: 'Contacted' }, admin, at)
  assert.deepEqual(first.columns, {
    status: 'Contacted',
    status_changed_at: '2026-11-21T09:00:00.000Z',
    first_responded_at: '2026-11-21T09:00:00.000Z',
  })
  const again = decideChange(lead({ first_responded_at: '2026-11-20T00:00:00.000Z' }), { status: 'Junk' }, admin, at)
  assert.equal(again.columns.first_responded_at, undefined)
})

test('a lead is given up for a reason, which goes when it is reopened', () => {
  assert.equal(
    code(() => decideChange(lead(), { status: 'Unqualified' }, admin, at)),
    'validation_failed',
  )
  assert.equal(
    code(() => decideChange(lead(), { status: 'Unqualified', lost_reason: ' ' }, admin, at)),
    'validation_failed',
  )
  assert.equal(
    code(() => decideChange(lead(), { lost_reason: 'no budget' }, admin, at)),
    'validation_failed',
  )
  const lost = lead({ status: 'Unqualified', lost_reason: 'no budget' })
  assert.equal(
    code(() => decideChange(lost, { lost_reason: null }, admin, at)),
    'validation_failed',
  )
  assert.deepEqual(decideChange(lost, { lost_reason: 'went elsewhere' }, admin, at), {
    columns: { lost_reason: 'went elsewhere' },
    moved: undefined,
    edited: true,
  })
  const reopened = decideChange(lost, { status: 'New' }, manager, at)
  assert.equal(reopened.columns.lost_reason, null)
  assert.equal(reopened.edited, false)
  assert.equal(decideChange(lead(), { status: 'Junk' }, admin, at).columns.lost_reason, undefined)
})

test('only a Sales Manager or an Admin reopens', () => {
  for (const status of ['Unqualified', 'Junk'] as const) {
    const lost = lead({ status, lost_reason: 'no budget', owner_id: seller.userId })
    assert.equal(
      code(() => decideChange(lost, { status: 'New' }, seller, at)),
      'insufficient_role',
    )
    assert.equal(decideChange(lost, { status: 'New' }, manager, at).moved?.to, 'New')
  }
})

test('a Sales Executive sees own and unassigned leads, changes own ones, takes unassigned ones, gives none away', () => {
  const cases: [number | null, LeadPatch, string][] = [
    [3, { notes: 'called' }, 'none'],
    [3, { owner_id: 3 }, 'none'],
    [3, { owner_id: 2 }, 'insufficient_role'],
    [3, { owner_id: null }, 'insufficient_role'],
    [null, { notes: 'called' }, 'insufficient_role'],
    [null, { owner_id: null, notes: 'called' }, 'insufficient_role'],
    [null, { owner_id: 2 }, 'insufficient_role'],
    [null, { owner_id: 3 }, 'none'],
    [null, { owner_id: 3, status: 'Contacted' }, 'none'],
  ]
  for (const [owner_id, patch, expected] of cases) {
    const decide = () => decideChange(lead({ owner_id }), patch, seller, at)
    assert.equal(code(decide), expected, JSON.stringify([owner_id, patch]))
    assert.equal(
      code(() => decideChange(lead({ owner_id }), patch, manager, at)),
      'none',
    )
  }
  assert.deepEqual(
    [3, null, 2].map(owner_id => maySee(seller, { owner_id })),
    [true, true, false],
  )
  assert.ok(maySee(manager, { owner_id: 3 }))
})

test('what a Sales Executive creates is their own; others create for anybody or nobody', () => {
  const input = { name: 'Ada', phone: '+14155550132' }
  assert.equal(newLead(input, seller).owner_id, 3)
  assert.equal(newLead({ ...input, owner_id: 3 }, seller).owner_id, 3)
  for (const owner_id of [2, null])
    assert.equal(
      code(() => newLead({ ...input, owner_id }, seller)),
      'insufficient_role',
    )
  assert.equal(newLead(input, manager).owner_id, null)
  assert.equal(newLead({ ...input, owner_id: 3 }, manager).owner_id, 3)
})

test('input is stored canonically', () => {
  const made = newLead(
    { name: '  Ada\ud800 ', email: 'Ada@Example.COM', phone: '(415) 555-0132', priority: 'hOT', company: ' ' },
    admin,
  )
  assert.deepEqual(made, {
    name: 'Ada\ufffd',
    email: 'Ada@Example.COM',
    phone: '+14155550132',
    company: null,
    priority: 'Hot',
    owner_id: null,
    source: null,
    notes: null,
  })
  assert.equal(newLead({ name: 'Ada', email: 'a@b.example' }, admin).priority, 'Warm')
})

test('a phone is read in any usual spelling; a national one needs the default country, or is refused with the remedy', () => {
  const spellings = [
    '+49 30 1234567',
    '0049 30 1234567',
    '+49 (0)30 123-4567',
    '(030) 123 45 67',
    '030/1234567',
    'tel:+49-30-1234567',
  ]
  for (const spelling of spellings) assert.equal(readPhone(spelling, 'DE'), '+49301234567', spelling)
  for (const none of [undefined, null, '', '  ']) assert.equal(readPhone(none, 'DE'), null)
  const fault = (text: string, country: string | null) => {
    try {
      readPhone(text, country)
    } catch (error) {
      return (error as Problem).details?.[0]
    }
    return undefined
  }
  const national = fault('030 1234567', null)
  assert.equal(national?.field, 'phone')
  assert.match(national?.message ?? '', /default country/)
  assert.match(fault('12', 'DE')?.message ?? '', /default country DE/)
})

const text = fc.string({ unit: 'binary', maxLength: 30 })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const nullable = <T>(value: fc.Arbitrary<T>) => optional(fc.option(value, { nil: null }))

test('property: no change leaves a lead that cannot be reached, is lost without a reason, or has blanks for a name', () => {
  const patch: fc.Arbitrary<LeadPatch> = fc.record({
    name: optional(fc.constantFrom('Grace', ' Grace ')),
    email: nullable(fc.constantFrom('a@b.example', 'A@B.example')),
    phone: nullable(fc.constantFrom('+14155550132', '(415) 555-0133')),
    company: nullable(text),
    priority: optional(fc.constantFrom('hot', 'WARM', 'Cold')),
    status: optional(fc.constantFrom(...leadStatuses)),
    owner_id: nullable(fc.constantFrom(1, 2, 3)),
    lost_reason: nullable(text),
  })
  const before = fc
    .record({
      status: fc.constantFrom(...leadStatuses),
      owner_id: fc.constantFrom(null, 2, 3),
      reach: fc.constantFrom('email', 'phone', 'both'),
    })
    .map(({ status, owner_id, reach }) =>
      lead({
        status,
        owner_id,
        lost_reason: status === 'Unqualified' ? 'no budget' : null,
        ...(reach === 'email' && { phone: null }),
        ...(reach === 'phone' && { email: null }),
      }),
    )
  fc.assert(
    fc.property(before, patch, fc.constantFrom(admin, manager, seller), (row, change, actor) => {
      let decided: ReturnType<typeof decideChange>
      try {
        decided = decideChange(row, change, actor, at)
      } catch (error) {
        assert.ok(error instanceof Problem)
        return
      }
      const after = { ...row, ...decided.columns }
      assert.ok(after.email !== null || after.phone !== null)
      assert.ok(after.status !== 'Unqualified' || after.lost_reason !== null)
      assert.ok(after.lost_reason === null || ['Unqualified', 'Junk'].includes(after.status))
      assert.equal(after.name, after.name.trim())
      assert.equal(decided.moved !== undefined, after.status !== row.status)
      assert.equal(decided.moved !== undefined || decided.edited, Object.keys(decided.columns).length > 0)
      if (actor === seller) assert.equal(after.owner_id, seller.userId)
      // Sending the same again changes nothing.
      const same: LeadPatch = { ...change, lost_reason: after.lost_reason }
      assert.deepEqual(decideChange(after, same, actor, at).columns, {})
    }),
  )
})

test('property: stored text is trimmed, well-formed and never empty', () => {
  fc.assert(
    fc.property(fc.option(fc.string({ unit: 'binary' }), { nil: null }), value => {
      const cleaned = cleanText(value)
      if (cleaned === null) return
      assert.ok(cleaned.length > 0 && cleaned === cleaned.trim() && cleaned.isWellFormed())
      assert.equal(cleanText(cleaned), cleaned)
    }),
  )
})

test('property: a priority is known in any letter case', () => {
  const anyCase = fc
    .constantFrom(...leadPriorities)
    .chain(word => fc.tuple(fc.constant(word), fc.mixedCase(fc.constant(word))))
  fc.assert(fc.property(anyCase, ([word, spelled]) => assert.equal(canonicalPriority(spelled), word)))
})

test('the header goes before the setting, and is one of three words', () => {
  assert.equal(duplicateModeOf(undefined, 'block'), 'block')
  assert.equal(duplicateModeOf(' OFF ', 'block'), 'off')
  assert.equal(
    code(() => duplicateModeOf('maybe', 'warn')),
    'validation_failed',
  )
})

test('a refused duplicate names each lead and what is the same', () => {
  const contact = { email: 'ADA@example.com', phone: '+14155550132' }
  const refused = duplicateLead({ role: 'Sales Manager', userId: 1 }, contact, [
    lead({ id: 4 }),
    lead({ id: 5, email: 'b@example.com' }),
  ])
  assert.deepEqual(
    refused.details?.map(({ field, message }) => [field, message]),
    [
      ['email', 'is the email of lead 4 (Ada Lovelace)'],
      ['phone', 'is the phone of lead 5 (Ada Lovelace)'],
    ],
  )
})

test('a lead is shown with the members of the contract first, and says when it is in the trash', () => {
  const shown = presentLead(lead())
  const founding = ['id', 'tenant_id', 'name', 'email', 'phone', 'company', 'priority', 'status', 'created_at']
  assert.deepEqual(Object.keys(shown).slice(0, 9), founding)
  assert.ok(!('deleted_at' in shown) && !('status_changed_at' in shown))
  assert.equal(
    (presentLead(lead({ deleted_at: '2026-11-21T09:00:00.000Z' })) as LeadRow).deleted_at,
    '2026-11-21T09:00:00.000Z',
  )
})
