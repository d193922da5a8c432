// What must hold after a crash run of mails, whatever died when: the clients' intents, the rows and their attempts, and the log of the next
// mail server agree. Each broken promise is a line.
import type { Intent } from '../driver.ts'
import { type EventRow, faultsOfHistory, faultsOfIntent } from '../oracle.ts'
import { wordOf } from '../remote_peers.ts'
import { deathsOf } from '../tally.ts'
import type { Verdict } from '../verdict.ts'
import type { Taken } from './server.ts'
import type { MailWorld } from './world.ts'

export type MailRow = {
  id: string
  state: string
  code: string | null
  subject: string
  message_id: string | null
  version: number
  attempts: number
  events: number
  /** Outcomes of its attempts, first to last. */
  outcomes: (string | null)[]
}

export async function checkMails(world: MailWorld, intents: readonly Intent[]): Promise<Verdict> {
  const rows = await world.sql<MailRow>(
    `select m.id, m.state, m.code, m.subject, m.message_id, m.version, m.attempts,
       (select count(*)::integer from event_log e where e.tenant_id = m.tenant_id and e.resource_id = m.id) as events,
       (select coalesce(json_agg(a.outcome order by a.number), '[]') from mail_attempts a
        where a.tenant_id = m.tenant_id and a.mail_id = m.id) as outcomes
     from mails m`,
  )
  const events = await world.sql<EventRow>(
    "select id, type, resource_id, sequence from event_log where type like 'mail.%' order by resource_id, sequence",
  )
  const leftovers = await world.sql<{ mail_id: string }>('select mail_id from mail_jobs')
  const byWord = Map.groupBy(rows, row => wordOf(row.subject))
  const violations = [
    ...intents.flatMap(intent => faultsOfIntent(intent, byWord.get(intent.word) ?? [])),
    ...rows.flatMap(row => faultsOfMail(row, world.server.mails.get(wordOf(row.subject)))),
    ...faultsOfHistory(events, ['mail.sent', 'mail.failed', 'mail.unconfirmed', 'mail.expired']),
    ...[...world.server.mails.keys()]
      .filter(word => !byWord.has(word))
      .map(word => `${word} was sent, but there is no such mail`),
    ...leftovers.map(({ mail_id }) => `left over: the job of ${mail_id}`),
  ]
  const inState = (state: string) => rows.filter(row => row.state === state).length
  const counts = {
    intents: intents.length,
    requests: intents.reduce((sum, intent) => sum + intent.tries, 0),
    mails: rows.length,
    attempts: rows.reduce((sum, row) => sum + row.attempts, 0),
    sent: inState('sent'),
    failed: inState('failed'),
    unconfirmed: inState('unconfirmed'),
    'taken by the server': [...world.server.mails.values()].filter(({ takings }) => takings.includes('taken')).length,
    events: events.length,
  }
  return { violations, deaths: deathsOf(world), counts }
}

/** What is known of a mail here agrees with what the server knows. */
export function faultsOfMail(row: MailRow, seen: Taken | undefined): string[] {
  const word = wordOf(row.subject)
  const faults: string[] = []
  const takings = seen?.takings ?? []
  const taken = takings.filter(one => one === 'taken' || one === 'cut').length
  if (taken > 1) faults.push(`${word} was submitted ${taken} times (${takings.join(', ')})`)
  if (!['sent', 'failed', 'unconfirmed'].includes(row.state))
    faults.push(`${word} has not come to its end: it is ${row.state}`)
  if (row.state === 'sent' && !takings.includes('taken')) faults.push(`${word} is sent, but the server never took it`)
  if (row.state === 'failed' && !takings.includes('refused')) faults.push(`${word} failed, but was not refused`)
  // Only what was begun may be in doubt, and what the server cut off without an answer must be.
  if (row.state === 'unconfirmed' && (row.code !== 'mail_unconfirmed' || row.outcomes.at(-1) !== 'unconfirmed'))
    faults.push(`${word} is unconfirmed for ${row.code}, after ${row.outcomes.join(', ')}`)
  if (takings.at(-1) === 'cut' && row.state !== 'unconfirmed')
    faults.push(`${word} is ${row.state}, but the server never answered`)
  if (row.outcomes.length !== row.attempts || row.outcomes.includes(null))
    faults.push(`${word} has ${row.attempts} attempts, and of them is known: ${row.outcomes.join(', ')}`)
  const [messageId = row.message_id, ...others] = seen?.messageIds ?? []
  if (messageId !== row.message_id || others.length > 0)
    faults.push(`${word} left as ${[messageId, ...others].join(' and ')}, and is ${row.message_id}`)
  if (row.events !== row.version) faults.push(`${word} has ${row.events} events and is at ${row.version}`)
  return faults
}
