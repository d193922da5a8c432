// What the rules of invoices promise: the table of states, Overdue by the day, numbers and their beginnings, sums to the
// last unit, and what a change may touch.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currencyCodes, currencyExponent } from '../../../kernel/values/money.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { checkTable } from '../../../kernel/values/states.ts'
import {
  calculateTotals,
  type Editable,
  invoiceNumber,
  type LineInput,
  moved,
  mustEmitOverdue,
  numbersBeginning,
  states,
  statusOn,
  transitions,
  validateChange,
} from './rules.ts'

test('the table of states is sound, and Cancelled is final', () => {
  assert.deepEqual(checkTable(transitions, { states, initial: ['Draft'], terminal: ['Cancelled'] }), [])
  assert.equal(moved('Paid', 'reopen', 'be opened again'), 'Sent')
})

test('a move that is not in the table is refused and says what is', () => {
  assert.equal(moved('Draft', 'issue', 'be sent'), 'Sent')
  for (const [state, event, words] of [
    ['Paid', 'cancel', /A Paid invoice cannot be cancelled; only reversing a payment opens it again/],
    ['Cancelled', 'cancel', /A Cancelled invoice cannot be cancelled; Cancelled is final/],
    ['Sent', 'issue', /from Sent it can become Paid or Cancelled/],
  ] as const) {
    const fault = (error: unknown) =>
      error instanceof Problem && error.code === 'invalid_transition' && words.test(error.message)
    assert.throws(() => moved(state, event, event === 'issue' ? 'be sent' : 'be cancelled'), fault)
  }
})

test('Sent turns Overdue the day after it was due, unless it is paid; no other state does', () => {
  const sent = { state: 'Sent', due_date: '2026-11-30', total_minor: 100, paid_minor: 40 } as const
  assert.equal(statusOn(sent, '2026-11-30'), 'Sent')
  assert.equal(statusOn(sent, '2026-12-01'), 'Overdue')
  assert.equal(statusOn({ ...sent, paid_minor: 100 }, '2026-12-01'), 'Sent')
  for (const state of ['Draft', 'Paid', 'Cancelled'] as const) {
    assert.equal(statusOn({ ...sent, state }, '2027-01-01'), state)
  }
  const unreported = { ...sent, overdue_emitted_for: null }
  assert.equal(mustEmitOverdue(unreported, '2026-11-30'), false)
  assert.equal(mustEmitOverdue(unreported, '2026-12-01'), true)
  assert.equal(mustEmitOverdue({ ...unreported, overdue_emitted_for: '2026-11-30' }, '2026-12-01'), false)
  assert.equal(mustEmitOverdue({ ...unreported, overdue_emitted_for: '2026-10-31' }, '2026-12-01'), true)
})

test('a number is found by every beginning of it, and by nothing else', () => {
  const sequence = fc.oneof(
    fc.constant(null),
    fc.integer({ min: 1, max: 2_000 }),
    fc.integer({ min: 1, max: 99_999_999 }),
  )
  const year = fc.integer({ min: 1, max: 9999 })
  const numbers = fc.record({ year, sequence })
  fc.assert(
    fc.property(numbers, numbers, fc.nat({ max: 20 }), fc.boolean(), (one, other, length, own) => {
      const prefix = invoiceNumber(one.year, one.sequence).slice(0, length)
      const tried = own ? one : other
      const text = invoiceNumber(tried.year, tried.sequence)
      assert.equal(within(numbersBeginning(prefix), tried), text.startsWith(prefix), `${text} by ${prefix}`)
    }),
    { numRuns: 5_000 },
  )
})

function within(
  found: ReturnType<typeof numbersBeginning>,
  number: { year: number; sequence: number | null },
): boolean {
  if (found === null) return true
  if (found === undefined) return false
  const holds = ([first, last]: readonly [number, number], value: number) => first <= value && value <= last
  return holds(found.years, number.year) && (found.sequences?.some(range => holds(range, number.sequence ?? 0)) ?? true)
}

test('what no number begins with finds nothing', () => {
  for (const text of [
    'X',
    'INV-2026-00004x',
    'INV-20266',
    'INV-20-',
    'INV-2026-0000001',
    '2026',
    'INV-2026-1234567890123',
  ]) {
    assert.equal(numbersBeginning(text), undefined, text)
  }
  assert.equal(numbersBeginning('inv-'), null)
  assert.deepEqual(numbersBeginning(' inv-2026-'), { years: [2026, 2026], sequences: null })
})

const decimal = (decimals: number, max: number) =>
  fc.integer({ min: 0, max: max * 10 ** decimals }).map(units => (units / 10 ** decimals).toFixed(decimals))
const lineOf: fc.Arbitrary<LineInput> = fc.record(
  {
    description: fc.constant('x'),
    quantity: decimal(4, 1_000),
    unit_price: decimal(6, 1_000),
    tax_rate: decimal(4, 100),
  },
  { requiredKeys: ['description', 'quantity', 'unit_price'] },
)

test('lines and tax add up to the total in every currency, and nothing is ever off by a unit', () => {
  const roundings = fc.constantFrom('per_rate' as const, 'per_line' as const)
  const lists = fc.array(lineOf, { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(fc.constantFrom(...currencyCodes), roundings, lists, (currency, tax_rounding, lines) => {
      const calculated = calculateTotals({ currency, tax_rounding, lines })
      assert.ok(calculated.ok)
      const { sum } = calculated
      assert.equal(
        sum.net_minor,
        sum.lines.reduce((total, line) => total + line.net_minor, 0),
      )
      assert.equal(sum.net_minor + sum.tax_minor, sum.total_minor)
      assert.equal(sum.exponent, currencyExponent(currency))
      assert.equal(sum.basis, 'lines')
      for (const [index, line] of sum.lines.entries()) {
        assert.equal(line.position, index + 1)
        const exact = Number(line.quantity) * Number(line.unit_price) * 10 ** sum.exponent
        assert.ok(Math.abs(line.net_minor - exact) <= 0.5 + exact * 1e-9, `${line.net_minor} for ${exact}`)
      }
    }),
  )
})

test('a plain amount is taken exactly or refused', () => {
  const minor = fc.integer({ min: 0, max: 999_999_999_999 })
  fc.assert(
    fc.property(fc.constantFrom(...currencyCodes), minor, fc.boolean(), (currency, units, asText) => {
      const exponent = currencyExponent(currency)
      const text = (units / 10 ** exponent).toFixed(exponent)
      const calculated = calculateTotals({ currency, tax_rounding: 'per_rate', amount: asText ? text : Number(text) })
      assert.ok(calculated.ok)
      assert.equal(calculated.sum.total_minor, units)
      assert.equal(calculated.sum.tax_minor, 0)
    }),
  )
})

test('every fault of the figures is reported with its field', () => {
  const faults = (input: Partial<Parameters<typeof calculateTotals>[0]>) => {
    const calculated = calculateTotals({ currency: 'USD', tax_rounding: 'per_rate', ...input })
    return calculated.ok ? [] : calculated.faults.map(({ field, code }) => `${field} ${code}`)
  }
  const line = { description: 'x', quantity: 1, unit_price: 1 }
  assert.deepEqual(faults({ currency: 'XXX' }), ['currency not_allowed'])
  assert.deepEqual(faults({ amount: 1, lines: [] }), ['amount not_allowed'])
  assert.deepEqual(faults({ amount: 1.005 }), ['amount too_precise'])
  assert.deepEqual(faults({ amount: 1.5, currency: 'JPY' }), ['amount too_precise'])
  assert.deepEqual(faults({ amount: '1.2345', currency: 'KWD' }), ['amount too_precise'])
  assert.deepEqual(faults({ amount: -1 }), ['amount too_small'])
  assert.deepEqual(faults({ amount: 1e15 }), ['amount too_large'])
  assert.deepEqual(faults({ amount: Number.POSITIVE_INFINITY }), ['amount wrong_type'])
  assert.deepEqual(
    faults({
      lines: [
        { ...line, quantity: 1.00001 },
        { ...line, unit_price: '0.1234567', tax_rate: 101 },
        { ...line, unit_price: '1234567890123.1234' },
        { ...line, quantity: 1e9, unit_price: 1e9 },
      ],
    }).sort(),
    [
      'lines[0].quantity too_precise',
      'lines[1].tax_rate out_of_range',
      'lines[1].unit_price too_precise',
      'lines[2].unit_price too_large',
      'lines[2].unit_price too_precise',
      'lines[3] too_large',
    ],
  )
  assert.deepEqual(faults({ lines: [line, { ...line, quantity: -2 }] }), ['lines too_small'])
})

const draft: Editable = {
  state: 'Draft',
  currency: 'USD',
  basis: 'amount',
  total_minor: 1050,
  tax_rounding: 'per_rate',
  customer: { name: 'Ada', email: 'ada@example.com', address: null, tax_id: null },
  lead_id: null,
  notes: null,
  due_date: '2026-12-05',
}

test('a change takes only what differs; the customer is merged', () => {
  const nothing = validateChange(draft, [], {
    notes: null,
    due_date: '2026-12-05',
    currency: 'USD',
    customer: { name: 'Ada' },
  })
  assert.deepEqual(nothing, { ok: true, changed: false, fields: {}, sum: undefined })
  const merged = validateChange(draft, [], { customer: { email: null }, lead_id: 7 })
  assert.deepEqual(merged.ok && merged.fields, { customer: { ...draft.customer, email: null }, lead_id: 7 })
})

test('in another currency the figures are recalculated, or refused when they do not fit', () => {
  const yen = validateChange(draft, [], { currency: 'JPY' })
  assert.deepEqual(yen.ok ? [] : yen.faults.map(({ field, code }) => `${field} ${code}`), ['amount too_precise'])
  const dinar = validateChange(draft, [], { currency: 'KWD' })
  assert.deepEqual(dinar.ok && dinar.sum?.total_minor, 10_500)
  const line = { position: 1, description: 'x', quantity: '3', unit_price: '0.335', tax_ppm: 190_000, net_minor: 101 }
  const lines = validateChange({ ...draft, basis: 'lines', total_minor: 120 }, [line], { currency: 'JPY' })
  assert.deepEqual(lines.ok && lines.sum?.lines[0], { ...line, net_minor: 1 })
})

test('what is issued keeps everything but due date and notes; what is cancelled keeps all', () => {
  const locked = (error: unknown) => error instanceof Problem && error.code === 'invoice_locked'
  for (const state of ['Sent', 'Paid'] as const) {
    assert.ok(validateChange({ ...draft, state }, [], { due_date: '2027-01-01', notes: 'x' }).ok)
    for (const change of [
      { amount: 1 },
      { lines: [] },
      { customer: { name: 'B' } },
      { currency: 'EUR' },
      { lead_id: 1 },
    ]) {
      assert.throws(() => validateChange({ ...draft, state }, [], { notes: 'x', ...change }), locked)
    }
  }
  assert.throws(() => validateChange({ ...draft, state: 'Cancelled' }, [], { notes: 'x' }), locked)
})
