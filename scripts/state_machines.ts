// The state machines the docs print, from the tables the code runs on.
import { fieldsOf } from '../server/src/kernel/noun/records.ts'
import { allTables } from '../server/src/kernel/noun/registry.ts'
import { words } from '../server/src/kernel/noun/schemas.ts'
import { type Table, tableMarkdown } from '../server/src/kernel/values/states.ts'
import { leadTable } from '../server/src/modules/crm/leads/rules.ts'
import { transitions as invoiceTable } from '../server/src/modules/finance/invoices/rules.ts'
import { organizationTable } from '../server/src/modules/identity/organizations/rules.ts'
import { inboundTable } from '../server/src/modules/mail/inbound/rules.ts'
import { mailTable } from '../server/src/modules/mail/mails/rules.ts'
import { messageTable } from '../server/src/modules/messaging/sms/rules.ts'
import { importTable } from '../server/src/modules/records/imports/rules.ts'
import '../server/src/record_nouns.ts'
import { callTransitions } from '../server/src/modules/voice/call_records/rules.ts'
import { conferenceTransitions } from '../server/src/modules/voice/conferences/rules.ts'
import { recordingTransitions } from '../server/src/modules/voice/recordings/rules.ts'

/** Nouns some of whose moves are no change that somebody sends, such as a conversion: with these. */
const whole: Readonly<Record<string, Table<string, string>>> = { lead: leadTable }

/** Of the nouns that declare where their states lead. */
function declared() {
  return allTables().flatMap(({ spec }) =>
    fieldsOf(spec).flatMap(([, { moves }]) =>
      moves === undefined
        ? []
        : [{ title: upper(words(spec.names[0])), markdown: tableMarkdown(whole[spec.names[0]] ?? moves) }],
    ),
  )
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export function stateMachines(): { title: string; markdown: string }[] {
  return [
    ...declared(),
    { title: 'Invoice (stored state; Overdue is Sent, past due and not paid)', markdown: tableMarkdown(invoiceTable) },
    { title: 'Organization', markdown: tableMarkdown(organizationTable) },
    { title: 'Message', markdown: tableMarkdown(messageTable) },
    { title: 'Mail', markdown: tableMarkdown(mailTable) },
    { title: 'Mail that came in', markdown: tableMarkdown(inboundTable) },
    { title: 'Call', markdown: tableMarkdown(callTransitions) },
    { title: 'Conference', markdown: tableMarkdown(conferenceTransitions) },
    { title: 'Import', markdown: tableMarkdown(importTable) },
    { title: 'Recording', markdown: tableMarkdown(recordingTransitions) },
  ]
}
