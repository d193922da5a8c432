// What is guessed of a file, and the course of an import's states.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import '../../../catalog.ts'
import { dateCells, entryCells, momentCells, numberOf } from '../../../kernel/noun/cells.ts'
import { manyNamed } from '../../../kernel/noun/registry.ts'
import { rowReader, rowTargets } from '../../../kernel/noun/row_reader.ts'
import { csvLine, defused, withoutApostrophe } from '../../../kernel/values/csv.ts'
import { checkTable } from '../../../kernel/values/states.ts'
import { rowsIn } from './csv_file.ts'
import { guessDates, guessDelimiter, guessMapping, importStates, importTable } from './rules.ts'

test('the states of an import', () => {
  const terminal = ['completed', 'canceled', 'failed'] as const
  assert.deepEqual(checkTable(importTable, { states: importStates, initial: ['draft'], terminal }), [])
})

test('columns are met by the names that spreadsheets give them', () => {
  const guess = (noun: string, one: string, headers: string[]) =>
    guessMapping(headers, rowTargets(manyNamed(noun).spec), { title: 'name', one })
  assert.deepEqual(
    guess('companies', 'company', [
      'Company name',
      'Website',
      'Telefon',
      'ZIP',
      'Annual Revenue',
      'Currency',
      'row',
      'problem',
    ]),
    ['name', 'domain', 'phone', 'addresses.postal_code', 'annual_revenue', 'annual_revenue.currency', null, null],
  )
  assert.deepEqual(
    guess('contacts', 'contact', ['Name', 'First name', 'Email', 'Email 2', 'SMS consent', 'Company', 'name']),
    ['name', null, 'emails', 'emails', 'sms_consent', 'companies', null],
  )
})

test('delimiters and dates are found out', () => {
  assert.equal(guessDelimiter('a;b,c;d\n"1;;,,,,";2;3\n'), ';')
  assert.equal(guessDelimiter('a\tb\n1,5\t2\n'), '\t')
  assert.equal(guessDelimiter('only\none\n'), ',')
  assert.equal(guessDates(['03/04/2026', '13/04/2026'], 'US'), 'day_first')
  assert.equal(guessDates(['03/04/2026', '04/25/2026'], 'DE'), 'month_first')
  assert.equal(guessDates(['03/04/2026'], 'DE'), 'day_first')
})

test('numbers as spreadsheets show them', () => {
  const numbers: [text: string, decimal: '.' | ',', number: number | undefined][] = [
    ['1,234.50', '.', 1234.5],
    ['1.234,50', '.', 1234.5],
    ['1.234,50 €', ',', 1234.5],
    ["CHF 1'234.50", '.', 1234.5],
    ['$1,234', '.', 1234],
    ['1,5', ',', 1.5],
    ['1.234.567', ',', 1234567],
    ['12,34,567.8', '.', 1234567.8],
    ['-5', '.', -5],
    ['(5.25)', '.', -5.25],
    ['1,23', '.', undefined],
    ['1e5', '.', undefined],
    ['abc', '.', undefined],
    ['', '.', undefined],
    ['1.2.3', '.', undefined],
  ]
  for (const [text, decimal, number] of numbers) assert.equal(numberOf(text, decimal), number, text)
})

const reading = {
  defaultCountry: null,
  currency: 'USD',
  timeZone: 'UTC',
  userId: 1,
  dates: 'day_first',
  decimal: '.',
} as const

test('dates and times are those that a calendar and a clock have', () => {
  const dates: [text: string, date: string | undefined][] = [
    ['21.11.2026', '2026-11-21'],
    ['0001-01-01', '0001-01-01'],
    ['0000-05-05', undefined],
    ['31.02.2026', undefined],
  ]
  for (const [text, date] of dates) {
    const said = dateCells.read({ '': [text] }, reading)!
    assert.equal('value' in said ? said.value : undefined, date, text)
  }
  const times: [text: string, moment: string | undefined][] = [
    ['2026-11-21 8:30', '2026-11-21T08:30:00Z'],
    ['2026-11-21 12:30 AM', '2026-11-21T00:30:00Z'],
    ['2026-11-21 8:30 pm', '2026-11-21T20:30:00Z'],
    ['2026-11-21 25:30', undefined],
    ['2026-11-21 13:30 pm', undefined],
    ['0000-05-05 8:30', undefined],
  ]
  for (const [text, moment] of times) {
    const said = momentCells.read({ '': [text] }, reading)!
    assert.equal('value' in said ? said.value : undefined, moment, text)
  }
})

test('entries stand between semicolons, and a quote that nothing closes is a character', () => {
  const read = (text: string) => entryCells.read({ '': [text] }, reading)
  assert.deepEqual(read('work: a@x; "a;b": b@x\nA@X'), {
    value: [
      { value: 'a@x', label: 'work' },
      { value: 'b@x', label: 'a;b' },
    ],
  })
  assert.deepEqual(read('"a; "b;c"; d'), { value: [{ value: '"a; "b' }, { value: 'c"' }, { value: 'd' }] })
  assert.deepEqual(read('"\\";\\"a; b'), { value: [{ value: '"\\"' }, { value: '\\"a' }, { value: 'b' }] })
})

test('no cell makes its reader look at it again from each of its characters', () => {
  const begun = performance.now()
  assert.equal(numberOf(`1${' '.repeat(100_000)}x`, '.'), undefined)
  entryCells.read({ '': [`"${'\\"'.repeat(50_000)}`] }, reading)
  entryCells.read({ '': [Array.from({ length: 20_000 }, (_, n) => n).join(';')] }, reading)
  // Milliseconds; it was a minute.
  assert.ok(performance.now() - begun < 10_000)
})

test('a cell that is longer than any value is a fault of its field, and is not read', () => {
  const read = rowReader(manyNamed('companies').spec, ['name', 'annual_revenue', 'phone'], reading)
  const { faults, body } = read(2, ['Acme', `1${' '.repeat(120)}x`, '1'.repeat(40_000)])
  assert.deepEqual(
    faults.map(({ field, code }) => [field, code]),
    [
      ['annual_revenue', 'too_long'],
      ['phone', 'too_long'],
    ],
  )
  assert.deepEqual(body, { name: 'Acme' })
})

test('a defused text is what it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("'", '=', '+', 'a', '@', '-', ' ', '"') }), text => {
      assert.equal(withoutApostrophe(defused(text)), text)
      assert.doesNotMatch(defused(text), /^[=+\-@]/)
    }),
  )
})

const cell = fc.string({ unit: fc.constantFrom('a', 'é', '"', ',', ';', '\n', '\r\n', ' ', '漢', "'", '=') })

test('what is written as CSV is read back, wherever the stream is cut', async () => {
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 7 }), async (rows, step) => {
      const text = rows.map(row => csvLine(row)).join('')
      async function* parts() {
        for (let at = 0; at < text.length; at += step) yield text.slice(at, at + step)
      }
      const read = await Array.fromAsync(rowsIn(parts(), ','))
      assert.deepEqual(read, rows)
    }),
    { numRuns: 200 },
  )
})

test('any text at all is rows or a fault of its line, and any row is read or refused', async () => {
  const marks = fc.constantFrom('"', ',', ';', '\n', '\r', '\0', 'a', '1', ':', '[', '{', '@', '+', '\ufeff', '\ud800')
  const { spec } = manyNamed('contacts')
  const targets = rowTargets(spec).map(({ name }) => name)
  const read = rowReader(spec, targets, reading)
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: marks, maxLength: 200 }), async text => {
      async function* once() {
        yield text
      }
      try {
        for await (const row of rowsIn(once(), ',')) {
          const cells = targets.map((_, at) => row[at % row.length] ?? '')
          const { faults } = read(2, cells)
          for (const { field, message } of faults) assert.ok(field !== '' && message !== '')
        }
      } catch (error) {
        assert.match(String((error as { code?: string }).code), /^CSV_/)
      }
    }),
    { numRuns: 500 },
  )
})
