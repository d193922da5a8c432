// What was read for the beginning of a day, as the API shows it.
import { isoMs } from '../../../kernel/values/clock.ts'
import { toDecimalNumber } from '../../../kernel/values/money.ts'
import type { InvoiceSum, InvoiceTotals } from '../../finance/invoices/index.ts'
import type { MoneyOf, NamedInvoice, NamedLead } from './news_store.ts'
import type { MoneyFigure } from './numbers_store.ts'
import type { Behind } from './people_store.ts'
import { shownItems } from './rules.ts'
import type { WaitingText } from './texts_store.ts'
import type { DueTask, MissedCall, OwedInvoice, WaitingLead } from './waiting_store.ts'

const time = (at: string) => isoMs(Date.parse(at))

export function presentLead({ id, name, company, phone, priority, owner_id, created_at }: WaitingLead) {
  return { leadId: id, name, company, phone, priority, isMine: owner_id !== null, createdAt: time(created_at) }
}

/** Those that are not for others to answer. */
function ofMine<Item>(items: readonly Item[], numberOf: (item: Item) => string, people: ReadonlyMap<string, Behind>) {
  const mine = items.filter(item => people.get(numberOf(item))?.isOthers !== true)
  const shown = mine.slice(0, shownItems)
  return {
    count: mine.length,
    shown: shown.map(item => ({ item, person: people.get(numberOf(item))?.person ?? null })),
  }
}

export function presentTexts(texts: readonly WaitingText[], people: ReadonlyMap<string, Behind>) {
  const { count, shown } = ofMine(texts, text => text.from_address, people)
  return {
    count,
    items: shown.map(({ person, item: { id, from_address, to_address, body, created_at, redacted } }) => ({
      messageId: id,
      from: from_address,
      to: to_address,
      body: redacted ? null : body,
      createdAt: time(created_at),
      person,
    })),
  }
}

export function presentCalls(calls: readonly MissedCall[], people: ReadonlyMap<string, Behind>) {
  const { count, shown } = ofMine(calls, call => call.from_number, people)
  return {
    count,
    items: shown.map(({ person, item: { id, from_number, times, created_at } }) => ({
      callId: id,
      from: from_number,
      times,
      createdAt: time(created_at),
      person,
    })),
  }
}

export function presentTask(task: DueTask, record: { kind: string; id: string; name: string } | null) {
  const { id, title, priority, due_on, due_at } = task
  return { taskId: id, title, priority, dueOn: due_on, dueAt: time(due_at), record }
}

const due = ({ currency, invoices, amount_due }: InvoiceSum) => ({ currency, invoices, amount: amount_due })

export function presentOwed({ totals, dueSoon }: InvoiceTotals, items: readonly OwedInvoice[]) {
  return {
    overdue: totals.filter(({ status }) => status === 'Overdue').map(due),
    dueSoon: dueSoon.map(due),
    drafts: totals.filter(({ status }) => status === 'Draft').reduce((sum, { invoices }) => sum + invoices, 0),
    items: items.map(({ id, number, customer, currency, due_minor, due_date, status }) => ({
      invoiceId: id,
      number,
      customer,
      amountDue: toDecimalNumber(due_minor, currency),
      currency,
      dueDate: due_date,
      isOverdue: status === 'Overdue',
    })),
  }
}

export function presentNamedLeads({ count, items }: { count: number; items: readonly NamedLead[] }) {
  return { count, items: items.map(({ id, name, at }) => ({ leadId: id, name, at: time(at) })) }
}

export function presentNamedInvoices({ sums, items }: { sums: readonly MoneyOf[]; items: readonly NamedInvoice[] }) {
  return {
    sums: sums.map(({ currency, invoices, minor }) => ({
      currency,
      invoices,
      amount: toDecimalNumber(minor, currency),
    })),
    items: items.map(({ id, number, customer, currency, minor }) => ({
      invoiceId: id,
      number,
      customer,
      amount: toDecimalNumber(minor, currency),
      currency,
    })),
  }
}

export function presentMoneyFigure({ currency, now, before }: MoneyFigure) {
  return { currency, now: toDecimalNumber(now, currency), before: toDecimalNumber(before, currency) }
}
