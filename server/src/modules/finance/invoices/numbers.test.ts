// What invoice numbers promise: 1, 2, 3, … in every tenant and year, without gap or double, however many ask at once and
// whatever fails; and a year that turns over at midnight in the organization's time zone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  act,
  countsOf,
  createInvoice,
  type InvoiceJson,
  invoicesAddress,
  list,
  sentInvoice,
  setTimeZone,
} from '../../../../test/invoices.ts'
import { yearIn } from '../../../kernel/values/clock.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const audit = async (year: number) => {
  const { json } = await t.call('GET', `${invoicesAddress}/number-audit?year=${year}`, { as: t.main.liveKey })
  const { success, ...found } = json
  assert.equal(success, true)
  return found
}
const sequences = (invoices: { number: string }[]) =>
  invoices.map(({ number }) => Number(number.slice(9))).sort((a, b) => a - b)
const upTo = (n: number) => Array.from({ length: n }, (_, index) => index + 1)

async function setNumbering(numbering: 'on_create' | 'on_issue'): Promise<void> {
  await t.ownerSql('update organizations set invoice_numbering = $1', [numbering])
  t.app.services.authenticator.forget()
}

test('two hundred at once, and one in five more that fail after the lock, get 1 to 200', async () => {
  const year = yearIn('Europe/Berlin', t.clock.now())
  const good = Array.from({ length: 200 }, () => createInvoice(t))
  // The lead does not exist, which the database finds when the number has been taken.
  const bad = Array.from({ length: 40 }, () =>
    t.call('POST', invoicesAddress, {
      as: t.main.liveKey,
      body: { customer: { name: 'A' }, amount: 1, lead_id: 999_999 },
    }),
  )
  const made = await Promise.all(good)
  for (const { status, json } of await Promise.all(bad)) assert.deepEqual([status, json.code], [422, 'lead_not_found'])
  assert.deepEqual(sequences(made), upTo(200))
  assert.ok(made.every(({ number }) => new RegExp(`^INV-${year}-\\d{6}$`).test(number)))
  assert.deepEqual(await audit(year), { year, lastSequence: 200, assigned: 200, gaps: [], duplicates: [] })
  const rows = await t.ownerSql<{ ordinal: number }>(
    'select ordinal::int from invoices where tenant_id = $1 order by created_at',
    [t.main.liveTenantId],
  )
  assert.deepEqual(
    rows.map(row => row.ordinal),
    upTo(200),
    'ordinals are dense and in the order of creation',
  )
  const { kept, counted } = await countsOf(t, t.main.liveTenantId)
  assert.deepEqual(kept, counted)
})

test('the same request sent twice under one key makes one invoice', async () => {
  const before = (await list(t)).pagination.totalCount
  const body = { customer: { name: 'Ada Ltd' }, amount: 5 }
  const twice = await Promise.all(
    [1, 2].map(() =>
      t.call('POST', invoicesAddress, { as: t.main.liveKey, body, headers: { 'idempotency-key': 'once' } }),
    ),
  )
  assert.equal(twice[0]?.status, 201)
  assert.equal(twice[0]?.text, twice[1]?.text)
  assert.equal((await list(t)).pagination.totalCount, before + 1)
})

test('the series of another tenant is its own', async () => {
  const { json } = await t.call('POST', invoicesAddress, {
    as: t.other.liveKey,
    body: { customer: { name: 'Ada Ltd' }, amount: 5 },
  })
  assert.match(json.invoice.number, /-000001$/)
})

test('the audit finds a gap in the middle, a gap at the end, and nothing when there is none', async () => {
  const year = yearIn('Europe/Berlin', t.clock.now())
  const at = (sequence: number) => `INV-${year}-${String(sequence).padStart(6, '0')}`
  const { lastSequence } = await audit(year)
  await t.ownerSql('delete from invoices where tenant_id = $1 and (sequence in (17, 18, 40) or sequence >= $2)', [
    t.main.liveTenantId,
    lastSequence - 1,
  ])
  assert.deepEqual(await audit(year), {
    year,
    lastSequence,
    assigned: lastSequence - 5,
    gaps: [
      { from: at(17), to: at(18) },
      { from: at(40), to: at(40) },
      { from: at(lastSequence - 1), to: at(lastSequence) },
    ],
    duplicates: [],
  })
  const { kept, counted } = await countsOf(t, t.main.liveTenantId)
  assert.deepEqual(kept, counted, 'counts follow even what is deleted by hand')
  assert.equal((await list(t, { page: 3 })).invoices.length, 20)
  assert.deepEqual(await audit(1999), { year: 1999, lastSequence: 0, assigned: 0, gaps: [], duplicates: [] })
})

/** Moves the clock to so many milliseconds from the next 1 January in a zone. */
function goToNewYear(zone: string, offsetMs: number): number {
  const year = yearIn(zone, t.clock.now()) + 1
  const midnight = Temporal.PlainDate.from({ year, month: 1, day: 1 }).toZonedDateTime(zone).epochMilliseconds
  t.clock.advance(midnight + offsetMs - t.clock.now())
  return year
}

for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
  test(`the year of a number turns at midnight in ${zone}, neither earlier nor later`, async () => {
    await setTimeZone(t, zone)
    const year = goToNewYear(zone, -60_000)
    const old = await createInvoice(t)
    assert.ok(old.number.startsWith(`INV-${year - 1}-`), old.number)
    const { lastSequence } = await audit(year)
    goToNewYear(zone, 1)
    const fresh = await createInvoice(t)
    assert.equal(fresh.number, `INV-${year}-${String(lastSequence + 1).padStart(6, '0')}`)
    assert.deepEqual((await audit(year)).gaps, [])
  })
}

test('with numbering on issue a draft shows 000000, and numbers come in the order of sending', async () => {
  await setNumbering('on_issue')
  const zone = 'Pacific/Pago_Pago'
  const drafts: InvoiceJson[] = []
  for (let n = 0; n < 30; n++) drafts.push(await createInvoice(t))
  const year = yearIn(zone, t.clock.now())
  for (const draft of drafts) {
    assert.equal(draft.number, `INV-${year}-000000`)
    assert.equal((draft as { number_assigned?: boolean }).number_assigned, false)
  }
  const found = await list(t, { number: `INV-${year}-000000`, limit: 200 })
  assert.equal(found.pagination.totalCount, 30)
  assert.equal((await act(t, drafts[0]?.id as number, 'cancel', { reason: 'test' })).status, 200)

  // Sent in the next year: number and issue date are of that year, and the cancelled draft has left no gap.
  const next = goToNewYear(zone, 5_000)
  const answers = await Promise.all(drafts.slice(1, 20).map(({ id }) => act(t, id, 'send')))
  assert.deepEqual(sequences(answers.map(answer => answer.json.invoice)), upTo(19))
  for (const { json } of answers) {
    assert.ok(json.invoice.number.startsWith(`INV-${next}-`))
    assert.equal(json.invoice.issue_date, `${next}-01-01`)
    assert.equal(json.invoice.number_assigned, true)
  }
  await setNumbering('on_create')
  assert.equal((await sentInvoice(t)).number, `INV-${next}-000020`)
  const late = await act(t, drafts[25]?.id as number, 'send')
  assert.equal(late.json.invoice.number, `INV-${next}-000021`, 'a draft from before takes its number when sent')
  assert.deepEqual((await audit(next)).gaps, [])
})
