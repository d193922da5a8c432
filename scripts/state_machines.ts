// The state machines the docs print, from the tables the code runs on.
import { tableMarkdown } from '../server/src/kernel/states.ts'
import { leadTable } from '../server/src/modules/crm/leads/rules.ts'
import { transitions as invoiceTable } from '../server/src/modules/finance/invoices/rules.ts'

export function stateMachines(): { title: string; markdown: string }[] {
  return [
    { title: 'Lead', markdown: tableMarkdown(leadTable) },
    { title: 'Invoice (stored state; Overdue is Sent, past due and not paid)', markdown: tableMarkdown(invoiceTable) },
  ]
}
