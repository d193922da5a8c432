// Writes the demo company's invoices with their lines, payments and events. Numbers and ordinals come from the
// tenant's own series, so they go on without a gap behind whatever was there; counters are kept by the tables' own
// triggers.

import type { Scope } from '../kernel/data/db.ts'
import { dateIn, isoMs } from '../kernel/values/clock.ts'
import { newId } from '../kernel/values/ids.ts'
import { toDecimalNumber } from '../kernel/values/money.ts'
import { type State, type Status, statusOn } from '../modules/finance/invoices/rules.ts'
import type { InvoiceStory } from './invoice_stories.ts'
import type { DemoTransaction } from './transaction.ts'

export type Books = {
  timeZone: string
  /** Whether drafts have numbers (`on_create`), or only what was sent (`on_issue`). */
  numbering: 'on_create' | 'on_issue'
  /** Ids of the leads, in the order of their stories. */
  leadIds: readonly number[]
}

export type FilledInvoice = {
  id: number
  number: string | null
  story: InvoiceStory
  status: Status
  paidMinor: number
}

/** What an invoice is at one moment of its story. */
type Stage = {
  state: State
  paid_minor: number
  sent_at: string | null
  paid_at: string | null
  cancelled_at: string | null
  cancel_reason: string | null
  version: number
  updated_at: string
}

/** What is emitted when a stage is reached. `payment` is the place of the payment among those of the invoice. */
type StoryEvent = {
  type: string
  atMs: number
  stage: Stage
  status: Status
  previousStatus?: Status
  payment?: number
}

type Payment = { amount_minor: number; method: string; reference: string | null; paid_at: string; created_at: string }

type Course = {
  story: InvoiceStory
  last: Stage
  isOverdueEmitted: boolean
  emitted: StoryEvent[]
  payments: Payment[]
}

/** Adds the invoices of stories, which come oldest first. */
export async function fillInvoices(
  transaction: DemoTransaction,
  scope: Scope,
  stories: readonly InvoiceStory[],
  books: Books,
  nowMs: number,
): Promise<FilledInvoice[]> {
  const courses = stories.map(story => play(story, books.timeZone))
  const asOf = await holdCalendar(transaction, scope, dateIn(books.timeZone, nowMs))
  const firstOrdinal = await takeNumbers(transaction, scope, 'invoice_ordinal', 0, courses.length)
  const numbers = await numbersOf(transaction, scope, courses, books)
  const ids = await insertInvoices(transaction, scope, courses, { numbers, firstOrdinal, asOf, leadIds: books.leadIds })
  await insertLines(transaction, scope, courses, ids)
  const paymentIds = await insertPayments(transaction, scope, courses, ids)
  await insertHistory(transaction, scope, courses, { ids, paymentIds, numbering: books.numbering })
  const today = dateIn(books.timeZone, nowMs)
  return courses.map(({ story, last }, index) => ({
    id: ids[index] as number,
    number:
      numbers[index] === null ? null : `INV-${story.issueDate.slice(0, 4)}-${String(numbers[index]).padStart(6, '0')}`,
    story,
    status: statusOn({ ...last, due_date: story.dueDate, total_minor: story.sum.total_minor }, today),
    paidMinor: last.paid_minor,
  }))
}

/** Goes through a story step by step, as the endpoints would have. */
function play(story: InvoiceStory, timeZone: string): Course {
  const { sum, dueDate, createdAtMs } = story
  let stage: Stage = {
    state: 'Draft',
    paid_minor: 0,
    sent_at: null,
    paid_at: null,
    cancelled_at: null,
    cancel_reason: null,
    version: 1,
    updated_at: isoMs(createdAtMs),
  }
  const statusAt = (atMs: number) =>
    statusOn({ ...stage, due_date: dueDate, total_minor: sum.total_minor }, dateIn(timeZone, atMs))
  const emitted: StoryEvent[] = [{ type: 'invoice.created', atMs: createdAtMs, stage, status: 'Draft' }]
  const payments: Payment[] = []
  let isOverdueEmitted = false
  for (const step of story.steps) {
    const { atMs } = step
    const at = isoMs(atMs)
    const previousStatus = statusAt(atMs)
    if (step.kind === 'overdue') {
      isOverdueEmitted = true
      emitted.push({ type: 'invoice.overdue', atMs, stage, status: 'Overdue', previousStatus: 'Sent' })
      continue
    }
    stage = { ...stage, version: stage.version + 1, updated_at: at }
    switch (step.kind) {
      case 'sent':
        stage = { ...stage, state: 'Sent', sent_at: at }
        emitted.push({ type: 'invoice.sent', atMs, stage, status: statusAt(atMs), previousStatus })
        break
      case 'cancelled':
        stage = { ...stage, state: 'Cancelled', cancelled_at: at, cancel_reason: step.reason }
        emitted.push({ type: 'invoice.cancelled', atMs, stage, status: 'Cancelled', previousStatus })
        break
      case 'payment': {
        const { amountMinor, method, reference } = step
        stage = { ...stage, paid_minor: stage.paid_minor + amountMinor }
        const settled = stage.paid_minor === sum.total_minor
        if (settled) stage = { ...stage, state: 'Paid', paid_at: at }
        const payment = payments.push({ amount_minor: amountMinor, method, reference, paid_at: at, created_at: at }) - 1
        emitted.push({ type: 'invoice.payment_recorded', atMs, stage, status: statusAt(atMs), payment })
        if (settled) emitted.push({ type: 'invoice.paid', atMs, stage, status: 'Paid', previousStatus })
      }
    }
  }
  return { story, last: stage, isOverdueEmitted, emitted, payments }
}

/** The date as of which invoices are listed; held until the transaction ends. The first invoice starts the calendar. */
async function holdCalendar(
  transaction: DemoTransaction,
  { tenantId, ...scope }: Scope,
  today: string,
): Promise<string> {
  const tenant = { tenantId, ...scope }
  await transaction.inTenant(
    tenant,
    'insert into invoice_calendar (tenant_id, as_of) values ($1, $2) on conflict (tenant_id) do nothing',
    [tenantId, today],
  )
  const rows = await transaction.inTenant<{ as_of: string }>(
    tenant,
    'select as_of from invoice_calendar where tenant_id = $1 for share',
    [tenantId],
  )
  return (rows[0] as { as_of: string }).as_of
}

/** Takes `count` numbers of a series at once; answers the first. */
async function takeNumbers(
  transaction: DemoTransaction,
  scope: Scope,
  kind: string,
  year: number,
  count: number,
): Promise<number> {
  const rows = await transaction.inTenant<{ first: number }>(
    scope,
    `insert into number_series as s (tenant_id, kind, year, next) values ($1, $2, $3, $4::bigint + 1)
     on conflict (tenant_id, kind, year) do update set next = s.next + $4
     returning next - $4 as first`,
    [scope.tenantId, kind, year, count],
  )
  return (rows[0] as { first: number }).first
}

/** The number of each invoice in the series of its year, in the order of creation. */
async function numbersOf(
  transaction: DemoTransaction,
  scope: Scope,
  courses: readonly Course[],
  { numbering }: Books,
): Promise<(number | null)[]> {
  const isNumbered = ({ last }: Course) => numbering === 'on_create' || last.sent_at !== null
  const yearOf = ({ story }: Course) => Number(story.issueDate.slice(0, 4))
  const next = new Map<number, number>()
  for (const [year, ofYear] of Map.groupBy(courses.filter(isNumbered), yearOf)) {
    next.set(year, await takeNumbers(transaction, scope, 'invoice', year, ofYear.length))
  }
  return courses.map(course => {
    if (!isNumbered(course)) return null
    const number = next.get(yearOf(course)) as number
    next.set(yearOf(course), number + 1)
    return number
  })
}

type Numbered = { numbers: readonly (number | null)[]; firstOrdinal: number; asOf: string; leadIds: readonly number[] }

async function insertInvoices(
  transaction: DemoTransaction,
  scope: Scope,
  courses: readonly Course[],
  { numbers, firstOrdinal, asOf, leadIds }: Numbered,
): Promise<number[]> {
  const rows = courses.map(({ story, last, isOverdueEmitted, emitted }, index) => {
    const { customer, sum, issueDate, dueDate, notes, createdAtMs } = story
    const { lines: _, ...figures } = sum
    return {
      ordinal: firstOrdinal + index,
      year: Number(issueDate.slice(0, 4)),
      sequence: numbers[index],
      ...figures,
      ...last,
      customer: customer.billed,
      lead_id: customer.leadIndex === null ? null : leadIds[customer.leadIndex],
      notes,
      issue_date: issueDate,
      due_date: dueDate,
      overdue_emitted_for: isOverdueEmitted ? dueDate : null,
      event_count: emitted.length,
      created_at: isoMs(createdAtMs),
    }
  })
  const inserted = await transaction.inTenant<{ id: number; ordinal: number }>(
    scope,
    `insert into invoices (tenant_id, ordinal, year, sequence, state, listed_status, currency, exponent, net_minor,
       tax_minor, total_minor, paid_minor, basis, customer, lead_id, notes, issue_date, due_date, sent_at, paid_at,
       cancelled_at, cancel_reason, overdue_emitted_for, event_count, version, created_at, updated_at)
     select $1, ordinal, year, sequence, state, invoice_status(state, due_date, total_minor - paid_minor, $3), currency,
       exponent, net_minor, tax_minor, total_minor, paid_minor, basis, customer, lead_id, notes, issue_date, due_date,
       sent_at, paid_at, cancelled_at, cancel_reason, overdue_emitted_for, event_count, version, created_at, updated_at
     from json_populate_recordset(null::invoices, $2::json)
     order by ordinal
     returning id, ordinal`,
    [scope.tenantId, JSON.stringify(rows), asOf],
  )
  const ids: number[] = []
  for (const { id, ordinal } of inserted) ids[ordinal - firstOrdinal] = id
  return ids
}

async function insertLines(
  transaction: DemoTransaction,
  scope: Scope,
  courses: readonly Course[],
  ids: readonly number[],
): Promise<void> {
  const lines = courses.flatMap(({ story }, index) =>
    story.sum.lines.map(line => ({ invoice_id: ids[index], ...line })),
  )
  await transaction.inTenant(
    scope,
    `insert into invoice_lines (tenant_id, invoice_id, position, description, quantity, unit_price, tax_ppm, net_minor)
     select $1, invoice_id, position, description, quantity, unit_price, tax_ppm, net_minor
     from json_populate_recordset(null::invoice_lines, $2::json)`,
    [scope.tenantId, JSON.stringify(lines)],
  )
}

/** Adds the payments in the order they came; answers the ids of each invoice's. */
async function insertPayments(
  transaction: DemoTransaction,
  scope: Scope,
  courses: readonly Course[],
  ids: readonly number[],
): Promise<number[][]> {
  const payments = courses.flatMap(({ story, payments }, index) =>
    payments.map(payment => ({ invoice_id: ids[index] as number, currency: story.sum.currency, ...payment })),
  )
  payments.sort((a, b) => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0))
  const inserted = await transaction.inTenant<{ id: number; invoice_id: number }>(
    scope,
    `insert into payments (tenant_id, invoice_id, amount_minor, currency, method, reference, paid_at, created_at)
     select $1, p.invoice_id, p.amount_minor, p.currency, p.method, p.reference, p.paid_at, p.created_at
     from json_populate_recordset(null::payments, $2::json) p
     returning id, invoice_id`,
    [scope.tenantId, JSON.stringify(payments)],
  )
  const byInvoice = Map.groupBy(inserted, payment => payment.invoice_id)
  return ids.map(id => (byInvoice.get(id) ?? []).map(payment => payment.id).sort((a, b) => a - b))
}

type Known = { ids: readonly number[]; paymentIds: readonly number[][]; numbering: Books['numbering'] }

/**
 * Adds the events. Each shows the invoice as it was at its time: what never changes comes from the row, what does
 * from the stage, and the database presents it as it presents every invoice.
 */
async function insertHistory(
  transaction: DemoTransaction,
  scope: Scope,
  courses: readonly Course[],
  known: Known,
): Promise<void> {
  const { ids, paymentIds, numbering } = known
  const events = courses.flatMap(({ emitted, payments, story }, index) =>
    emitted.map(({ type, atMs, stage, status, previousStatus, payment }, place) => {
      const paid = payment === undefined ? undefined : (payments[payment] as Payment)
      const shown = paid && {
        id: paymentIds[index]?.[payment as number],
        invoice_id: ids[index],
        amount: toDecimalNumber(paid.amount_minor, story.sum.currency),
        currency: story.sum.currency,
        ...paid,
      }
      return {
        event_id: newId('evt', atMs),
        invoice_id: ids[index],
        type,
        event_sequence: place + 1,
        at: isoMs(atMs),
        ...stage,
        numbered: numbering === 'on_create' || stage.sent_at !== null,
        head: `{"status":"${status}",`,
        more: JSON.stringify({ previousStatus, payment: shown }),
      }
    }),
  )
  await transaction.inTenant(
    scope,
    `insert into events (tenant_id, id, type, resource_id, sequence, at, data)
     select $1, e.event_id, e.type, i.id::text, e.event_sequence, e.at,
       (e.head || left(present_invoice(i.tenant_id, i.id, i.year, case when e.numbered then i.sequence end,
          e.state, i.currency, i.exponent, i.net_minor, i.tax_minor, i.total_minor, e.paid_minor, i.customer, i.lead_id,
          i.notes, i.issue_date, i.due_date, e.sent_at, e.paid_at, e.cancelled_at, e.cancel_reason, e.version,
          i.created_at, e.updated_at), -1)
        || case e.more when '{}' then '}' else ',' || substr(e.more, 2) end)::json
     from json_to_recordset($2::json) as e (event_id text, invoice_id bigint, type text, event_sequence integer,
       at timestamptz, state text, paid_minor bigint, sent_at timestamptz, paid_at timestamptz,
       cancelled_at timestamptz, cancel_reason text,
       version integer, updated_at timestamptz, numbered boolean, head text, more text)
     join invoices i on i.tenant_id = $1 and i.id = e.invoice_id
     order by e.event_id`,
    [scope.tenantId, JSON.stringify(events)],
  )
}
