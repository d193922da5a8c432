// What was read for the beginning of a day, as the API shows it.
import { isoMs } from '../../../kernel/values/clock.ts'
import { toDecimalNumber, toDecimalSum } from '../../../kernel/values/money.ts'
import type { InvoiceSum, InvoiceTotals } from '../../finance/invoices/index.ts'
import type { MoneyOf, NamedInvoice, NamedLead } from './news_store.ts'
import type { MoneyFigure } from './numbers_store.ts'
import type { DueTask, OwedInvoice, WaitingLead } from './waiting_store.ts'

const time = (at: string) => isoMs(Date.parse(at))

export function presentLead({ id, name, company, phone, priority, owner_id, created_at }: WaitingLead) {
  return { leadId: id, name, company, phone, priority, isMine: owner_id !== null, createdAt: time(created_at) }
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
      amount: toDecimalSum(minor, currency),
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
  return { currency, now: toDecimalSum(now, currency), before: toDecimalSum(before, currency) }
}
