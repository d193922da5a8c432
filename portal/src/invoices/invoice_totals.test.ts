// Guards: what the form says an invoice will come to is what the server makes of it, whatever the figures and the currency.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { currencyCodes, toDecimalText } from '../../../server/src/kernel/values/money.ts'
import { lineTotals } from '../../../server/src/modules/finance/invoices/totals_rules.ts'
import { amountText, totalsOf } from './invoice_totals.ts'

const decimal = (max: number, places: number, signed = false) =>
  fc
    .tuple(fc.boolean(), fc.integer({ min: 0, max }), fc.integer({ min: 0, max: 10 ** places - 1 }))
    .map(([minus, whole, part]) => `${signed && minus ? '-' : ''}${whole}.${String(part).padStart(places, '0')}`)

const line = fc.record({
  quantity: decimal(10_000, 4, true),
  unit_price: decimal(10_000, 6, true),
  tax_rate: fc.oneof(decimal(99, 4), fc.constantFrom('', '0', '7', '19', '100')),
})

test('the form adds up as the server does', () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 8 }),
      fc.constantFrom(...currencyCodes),
      fc.constantFrom('per_rate', 'per_line'),
      (lines, currency, rounding) => {
        const server = lineTotals(
          lines.map(one => ({ quantity: one.quantity, unitPrice: one.unit_price, taxRate: one.tax_rate || 0 })),
          { currency, rounding },
        )
        assert.ok(server.ok)
        const form = totalsOf(lines, currency, rounding)
        assert.ok(form !== undefined)
        const { netMinor, taxMinor, totalMinor, taxGroups } = server.totals
        assert.deepEqual([form.net, form.tax, form.total].map(Number), [netMinor, taxMinor, totalMinor])
        assert.deepEqual(
          form.taxes.map(({ ppm, tax }) => [Number(ppm), Number(tax)]),
          taxGroups.map(group => [group.taxRatePpm, group.taxMinor]),
        )
        assert.equal(amountText(form.total, currency), toDecimalText(totalMinor, currency))
      },
    ),
    { numRuns: 500 },
  )
})

test('nothing is said of figures that are missing, none, or too precise', () => {
  const good = { quantity: '1', unit_price: '19,99', tax_rate: '' }
  assert.equal(totalsOf([good], 'EUR', 'per_rate')?.total, 1999n)
  assert.equal(totalsOf([], 'EUR', 'per_rate')?.total, 0n)
  for (const bad of [{ quantity: '' }, { unit_price: 'much' }, { tax_rate: '101' }, { quantity: '1.00001' }])
    assert.equal(totalsOf([good, { ...good, ...bad }], 'EUR', 'per_rate'), undefined, JSON.stringify(bad))
})
