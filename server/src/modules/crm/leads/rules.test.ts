// Rules of leads: the transition table as the contract prints it, what a creation and a change may leave behind, and who changes what.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { principalOf } from '../../../kernel/access/principal.ts'
import * as kernel from '../../../kernel/noun/decide.ts'
import type { NounRecord } from '../../../kernel/noun/field.ts'
import { movesOf } from '../../../kernel/noun/moves.ts'
import { numbered } from '../../../kernel/noun/new_ids.ts'
import { differences, emptyValues, readBody, showRecord } from '../../../kernel/noun/records.ts'
import { maySee, tableNamed } from '../../../kernel/noun/registry.ts'
import { readingOf } from '../../../kernel/noun/verbs_read.ts'
import { cleanText } from '../../../kernel/values/clean_text.ts'
import { duplicateModeOf } from '../../../kernel/values/duplicate_mode.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { type FieldFault, Problem } from '../../../kernel/values/problem.ts'
import { checkTable } from '../../../kernel/values/states.ts'
import '../../../nouns.ts'
import { leads } from './noun.ts'
import {
  decideChange,
  decideConversion,
  decideCreation,
  type LeadStatus,
  leadPriorities,
  leadStatuses,
  leadTable,
} from './rules.ts'

const at = Date.parse('2026-11-21T09:00:00.000Z')
const now = '2026-11-21T09:00:00.000Z'
const noun = tableNamed('lead')
const actor = (user_id: number, role: Role) =>
  principalOf(
    {
      ...{ organization_id: 1, tenant_id: 1, mode: 'live', user_id, email: 'a@example.com', role, disabled: false },
      ...{ custom: null, time_zone: 'UTC', currency: 'USD', default_country: 'US' },
      ...{ duplicate_mode: 'warn', invoice_numbering: 'on_create', organization_state: 'active' },
    },
    {},
  )
const [admin, manager, seller] = [actor(1, 'Admin'), actor(2, 'Sales Manager'), actor(3, 'Sales Executive')]
type Actor = typeof admin

type Lead = Parameters<typeof decideChange>[0] & NounRecord
function lead(values: object = {}): Lead {
  const stamps = { tenant_id: 1, id: 'lead:17', version: 1, created_at: now, updated_at: now, deleted_at: null }
  const reach = { name: 'Ada Lovelace', email: 'ada@example.com', phone: '+14155550132' }
  return { ...emptyValues(noun.spec), ...stamps, ...reach, ...values } as object as Lead
}

/** What a body makes of a lead, by the rules of all nouns and those of leads; undefined where nothing changes. */
const change = (row: Lead, body: object, who: Actor = admin) =>
  kernel.decideChange(noun, who, row, readBody(noun.spec, body as Record<string, unknown>, readingOf(who)), {}, at)

/** What it sets, without what every change sets. */
function setBy(row: Lead, body: object, who?: Actor) {
  const { version: _, updated_at: _u, ...set } = differences(row, change(row, body, who)?.after ?? row)
  return set
}

function create(body: object, who: Actor) {
  const values = readBody(noun.spec, body as Record<string, unknown>, readingOf(who))
  return kernel.decideCreation(noun, who, values, {}, at, { ids: numbered(noun.spec, [17]) })
}

function problem(work: () => unknown): Problem | undefined {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  return undefined
}
const code = (work: () => unknown) => problem(work)?.code ?? 'none'
function faulty(work: () => unknown, field: string, why: string): void {
  const faults = problem(work)?.details?.map((fault: FieldFault) => [fault.field, fault.code])
  assert.deepEqual(faults, [[field, why]])
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
    const row = lead({ status: from, lost_reason: reason })
    for (const to of leadStatuses) {
      const body = { status: to, ...(to === 'Unqualified' && from !== to && { lost_reason: 'no budget' }) }
      if (from === to) assert.equal(change(row, body), undefined)
      else if (moves[from].includes(to)) {
        const { after, events } = change(row, body)!
        assert.equal(after['status'], to)
        assert.deepEqual(events, [{ type: 'status_changed', more: { previousStatus: from } }], `${from} → ${to}`)
      } else {
        const refused = problem(() => change(row, body))
        assert.equal(refused?.code, 'invalid_transition', `${from} → ${to}`)
        for (const status of moves[from]) assert.ok(refused.message.includes(status), refused.message)
        const byConverting = /becomes Converted only by converting it/.test(refused.message)
        assert.equal(byConverting, to === 'Converted', refused.message)
        if (to !== 'Converted') assert.match(refused.message, new RegExp(`is ${from} and cannot become ${to}`))
        const [detail] = refused.details!
        assert.deepEqual([detail!.field, detail!.message.includes('Converted')], ['status', false])
      }
    }
    const { choices, moves: declared } = noun.spec.fields['status']!
    assert.deepEqual(movesOf(choices!, declared!)[from]!.sort(), [...moves[from]].sort())
  }
})

test('a change of the status alone says nothing else; what is changed with it does', () => {
  const moved = { type: 'status_changed', more: { previousStatus: 'New' } }
  const eventsOf = (body: object) => change(lead(), body)!.events
  assert.deepEqual(eventsOf({ status: 'Contacted' }), [moved])
  // The reason belongs to the move that it comes with.
  assert.deepEqual(eventsOf({ status: 'Unqualified', lost_reason: 'no budget' }), [moved])
  assert.deepEqual(eventsOf({ status: 'Contacted', notes: 'called' }), [moved, 'updated'])
  assert.deepEqual(eventsOf({ status: 'Contacted', name: ' Ada Lovelace ' }), [moved], 'what is as it was')
  assert.deepEqual(eventsOf({ notes: 'called' }), ['updated'])
  assert.equal(change(lead(), { status: 'New', phone: '(415) 555-0132', priority: 'WARM' }), undefined)
})

test('the first move out of New is the first response, and stays so', () => {
  assert.deepEqual(setBy(lead(), { status: 'Contacted' }), { status: 'Contacted', first_responded_at: now })
  const before = '2026-11-20T00:00:00.000Z'
  assert.deepEqual(setBy(lead({ first_responded_at: before }), { status: 'Junk' }), { status: 'Junk' })
  assert.deepEqual(setBy(lead({ status: 'Nurturing' }), { status: 'Contacted' }), { status: 'Contacted' })
})

test('a lead is given up for a reason, which goes when it is reopened', () => {
  faulty(() => change(lead(), { status: 'Unqualified' }), 'lost_reason', 'required')
  faulty(() => change(lead(), { status: 'Unqualified', lost_reason: ' ' }), 'lost_reason', 'required')
  faulty(() => change(lead(), { lost_reason: 'no budget' }), 'lost_reason', 'not_allowed')
  const lost = lead({ status: 'Unqualified', lost_reason: 'no budget' })
  faulty(() => change(lost, { lost_reason: null }), 'lost_reason', 'required')
  faulty(() => change(lost, { status: 'New', lost_reason: 'still none' }), 'lost_reason', 'not_allowed')
  assert.deepEqual(setBy(lost, { lost_reason: 'went elsewhere' }), { lost_reason: 'went elsewhere' })
  assert.deepEqual(change(lost, { lost_reason: 'went elsewhere' })!.events, ['updated'])
  assert.deepEqual(setBy(lost, { status: 'New' }, manager), { status: 'New', lost_reason: null })
  assert.deepEqual(setBy(lead(), { status: 'Junk' }), { status: 'Junk', first_responded_at: now })
  assert.equal(change(lead({ status: 'Junk' }), { lost_reason: 'spam' })!.after['lost_reason'], 'spam')
})

test('only a Sales Manager or an Admin reopens', () => {
  for (const status of ['Unqualified', 'Junk'] as const) {
    const lost = lead({ status, lost_reason: 'no budget', owner_id: seller.userId })
    const refused = problem(() => change(lost, { status: 'New' }, seller))
    assert.equal(refused?.code, 'insufficient_role')
    assert.match(refused.message, new RegExp(`reopens a lead that is ${status}`))
    for (const who of [manager, admin]) assert.equal(setBy(lost, { status: 'New' }, who)['status'], 'New')
  }
})

test('a Sales Executive sees own and unassigned leads, changes own ones, takes unassigned ones, gives none away', () => {
  const cases: [number | null, object, string][] = [
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
  for (const [owner_id, body, expected] of cases) {
    const row = lead({ owner_id })
    assert.equal(
      code(() => change(row, body, seller)),
      expected,
      JSON.stringify([owner_id, body]),
    )
    assert.equal(
      code(() => change(row, body, manager)),
      'none',
    )
  }
  assert.deepEqual(
    [3, null, 2].map(owner_id => maySee(noun.spec, seller, { owner_id })),
    [true, true, false],
  )
  assert.ok(maySee(noun.spec, manager, { owner_id: 3 }))
})

test('what a Sales Executive creates is their own; others create for anybody or nobody', () => {
  const input = { name: 'Ada', phone: '+14155550132' }
  const ownerOf = (body: object, who: Actor) => create(body, who).after['owner_id']
  assert.equal(ownerOf(input, seller), 3)
  assert.equal(ownerOf({ ...input, owner_id: 3 }, seller), 3)
  for (const owner_id of [2, null])
    assert.equal(
      code(() => create({ ...input, owner_id }, seller)),
      'insufficient_role',
    )
  assert.equal(ownerOf(input, manager), null)
  assert.equal(ownerOf({ ...input, owner_id: 3 }, manager), 3)
})

test('who owns a lead may read leads, when it is created and when it is changed', () => {
  const bodies = { isImport: false, ...admin, nowMs: at }
  const named = (role: string) => ({ owner_id: { id: 4, role } })
  for (const role of ['Admin', 'Sales Manager', 'Sales Executive']) {
    decideCreation(lead({ owner_id: 4 }), named(role), bodies)
    decideChange(lead(), { owner_id: 4 }, named(role), bodies)
  }
  for (const decide of [
    () => decideCreation(lead({ owner_id: 4 }), named('Finance Manager'), bodies),
    () => decideChange(lead(), { owner_id: 4 }, named('Finance Manager'), bodies),
  ]) {
    const refused = problem(decide)
    assert.deepEqual([refused?.code, refused?.details?.[0]?.field], ['validation_failed', 'owner_id'])
    assert.match(refused!.message, /Finance Manager, who may not read leads.*Sales Manager/)
  }
})

test('a lead begins as New and can be reached; a file may say how far it has come', () => {
  const byFile = (isImport: boolean) => ({ isImport })
  for (const status of leadStatuses.filter(one => one !== 'New'))
    faulty(() => decideCreation(lead({ status }), {}, byFile(false)), 'status', 'not_allowed')
  const row = { email: null, phone: null }
  for (const isImport of [false, true])
    faulty(() => decideCreation(lead(row), {}, byFile(isImport)), 'email', 'required')
  faulty(() => change(lead({ phone: null }), { email: null }), 'email', 'required')
  assert.deepEqual(setBy(lead(), { email: null }), { email: null })
  faulty(() => decideCreation(lead({ lost_reason: 'no budget' }), {}, byFile(false)), 'lost_reason', 'not_allowed')
  // What is converted names what it became, which no file brings.
  faulty(() => decideCreation(lead({ status: 'Converted' }), {}, byFile(true)), 'status', 'not_allowed')
  faulty(() => decideCreation(lead({ status: 'Unqualified' }), {}, byFile(true)), 'lost_reason', 'required')
  const lost = lead({ status: 'Unqualified', lost_reason: 'no budget' })
  assert.equal(decideCreation(lost, {}, byFile(true)).set.lost_reason, 'no budget')
})

test('a conversion is one step from Qualified, two by way of it where one says so, and none from elsewhere', () => {
  for (const from of leadStatuses) {
    const wanted: Partial<Record<LeadStatus, [string[] | RegExp, string[] | RegExp]>> = {
      Qualified: [['Converted'], ['Converted']],
      Converted: [/Reopen it first/, /Reopen it first/],
      Unqualified: [/Reopen it first/, /Reopen it first/],
      Junk: [/Reopen it first/, /Reopen it first/],
    }
    const expected = wanted[from] ?? [/send qualify: true/, ['Qualified', 'Converted']]
    for (const [index, qualify] of [false, true].entries()) {
      const outcome = expected[index]!
      if (Array.isArray(outcome)) assert.deepEqual(decideConversion(from, qualify), outcome)
      else {
        const refused = problem(() => decideConversion(from, qualify))
        assert.equal(refused?.code, 'invalid_transition')
        assert.match(refused.message, outcome)
        assert.match(refused.message, new RegExp(`this one is ${from}`))
      }
    }
  }
})

test('input is stored canonically', () => {
  const input = {
    name: '  Ada\ud800 ',
    email: 'Ada@Example.COM',
    phone: '(415) 555-0132',
    priority: 'hOT',
    company: ' ',
  }
  const { name, email, phone, company, priority, owner_id, source, notes } = create(input, admin).after
  assert.deepEqual(
    { name, email, phone, company, priority, owner_id, source, notes },
    {
      ...{ name: 'Ada\ufffd', email: 'Ada@Example.COM', phone: '+14155550132', company: null, priority: 'Hot' },
      ...{ owner_id: null, source: null, notes: null },
    },
  )
  assert.equal(create({ name: 'Ada', email: 'a@b.example' }, admin).after['priority'], 'Warm')
})

test('a national phone needs the default country, or is refused with the remedy', () => {
  const read = (phone: string, default_country: string | null) => {
    const reading = { ...readingOf(admin), defaultCountry: default_country }
    return () => readBody(noun.spec, { phone }, reading)['phone']
  }
  for (const spelling of ['+49 30 1234567', '0049 30 1234567', '(030) 123 45 67', 'tel:+49-30-1234567'])
    assert.equal(read(spelling, 'DE')(), '+49301234567', spelling)
  for (const none of ['', '  ']) assert.equal(read(none, 'DE')(), null)
  const [national] = problem(read('030 1234567', null))!.details!
  assert.equal(national!.field, 'phone')
  assert.match(national!.message, /default country/)
  assert.match(problem(read('12', 'DE'))!.message, /default country DE/)
})

const text = fc.string({ unit: 'binary', maxLength: 30 })
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const nullable = <T>(value: fc.Arbitrary<T>) => optional(fc.option(value, { nil: null }))

test('property: no change leaves a lead that cannot be reached, is lost without a reason, or has blanks for a name', () => {
  const body = fc.record({
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
    fc.property(before, body, fc.constantFrom(admin, manager, seller), (row, sent, who) => {
      let decided: ReturnType<typeof change>
      try {
        decided = change(row, sent, who)
      } catch (error) {
        assert.ok(error instanceof Problem)
        return
      }
      const after = (decided?.after ?? row) as Lead
      assert.ok(after.email !== null || after.phone !== null)
      assert.ok(after.status !== 'Unqualified' || after.lost_reason !== null)
      assert.ok(after.lost_reason === null || ['Unqualified', 'Junk'].includes(after.status))
      assert.equal(after['name'], cleanText(after['name'] as string))
      const isMoved = after.status !== row.status
      const said = decided?.events.map(event => (typeof event === 'string' ? event : event.type)) ?? []
      assert.equal(said.includes('status_changed'), isMoved)
      assert.equal(said.length > 0, decided !== undefined)
      assert.equal(after.version, row.version + (decided === undefined ? 0 : 1))
      if (who === seller) assert.equal(after.owner_id, seller.userId)
      // Sending the same again changes nothing.
      assert.equal(change(after, { ...sent, lost_reason: after.lost_reason }, who), undefined)
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
  const { priority } = leads.spec.fields
  const { pattern } = priority.parts.sent as unknown as { pattern: string }
  fc.assert(
    fc.property(anyCase, ([word, spelled]) => {
      assert.match(spelled, new RegExp(pattern))
      assert.deepEqual(priority.parts.read(spelled, readingOf(admin)), { value: word })
    }),
  )
})

test('the header goes before the setting, and is one of three words', () => {
  assert.equal(duplicateModeOf(undefined, 'block'), 'block')
  assert.equal(duplicateModeOf(' OFF ', 'block'), 'off')
  assert.equal(
    code(() => duplicateModeOf('maybe', 'warn')),
    'validation_failed',
  )
})

test('a lead is shown with the members of the contract first, and says when it is in the trash', () => {
  const founding = ['id', 'tenant_id', 'name', 'email', 'phone', 'company', 'priority', 'status']
  const shown = showRecord(noun.spec, lead())
  assert.deepEqual(Object.keys(shown).slice(0, 8), founding)
  assert.equal(shown['id'], 17)
  for (const hidden of ['deleted_at', 'merged_into', 'find']) assert.ok(!(hidden in shown), hidden)
  const deleted_at = '2026-11-21T09:00:00.000Z'
  assert.equal(showRecord(noun.spec, lead({ deleted_at }))['deleted_at'], deleted_at)
})
