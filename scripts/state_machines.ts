// The state machines the docs print, from the tables the code runs on.
import { tableMarkdown } from '../server/src/kernel/states.ts'
import { leadTable } from '../server/src/modules/crm/leads/rules.ts'
import { transitions as invoiceTable } from '../server/src/modules/finance/invoices/rules.ts'
import { messageTable } from '../server/src/modules/messaging/sms/rules.ts'
import { callTransitions } from '../server/src/modules/voice/calls/rules.ts'
import { conferenceTransitions } from '../server/src/modules/voice/conferences/rules.ts'
import { recordingTransitions } from '../server/src/modules/voice/recordings/rules.ts'

export function stateMachines(): { title: string; markdown: string }[] {
  return [
    { title: 'Lead', markdown: tableMarkdown(leadTable) },
    { title: 'Invoice (stored state; Overdue is Sent, past due and not paid)', markdown: tableMarkdown(invoiceTable) },
    { title: 'Message', markdown: tableMarkdown(messageTable) },
    { title: 'Call', markdown: tableMarkdown(callTransitions) },
    { title: 'Conference', markdown: tableMarkdown(conferenceTransitions) },
    { title: 'Recording', markdown: tableMarkdown(recordingTransitions) },
  ]
}
