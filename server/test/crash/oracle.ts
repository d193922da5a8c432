// What must hold after a crash run, whatever died when: the clients' intents, the rows, the carrier's log and the webhooks'
// log agree. Each broken promise is a line.
import type { Intent } from './driver.ts'
import { type WebhookSide, wordOf } from './remote_peers.ts'
import { deathsOf } from './tally.ts'
import type { Verdict } from './verdict.ts'
import type { World } from './world.ts'

type MessageRow = {
  id: string
  direction: string
  status: string
  code: string | null
  body: string
  carrier_reference: string | null
  created_at: string
  events: number
  sequence: number
}
export type EventRow = { id: string; type: string; resource_id: string; sequence: number }

export async function check(world: World, intents: readonly Intent[]): Promise<Verdict> {
  const violations: string[] = []
  const messages = await world.sql<MessageRow>(
    `select m.id, m.direction, m.status, m.code, m.body, m.sequence, m.carrier_reference, m.created_at,
       (select count(*)::integer from event_log e where e.tenant_id = m.tenant_id and e.resource_id = m.id) as events
     from messages m`,
  )
  const events = await world.sql<EventRow>(
    `select id, type, resource_id, sequence from event_log where type like 'message.%' order by resource_id, sequence`,
  )
  const byWord = Map.groupBy(messages, message => wordOf(message.body))
  violations.push(
    ...intents.flatMap(intent => faultsOfIntent(intent, byWord.get(intent.word) ?? [])),
    ...messages.filter(message => message.direction === 'outbound').flatMap(message => faultsOfMessage(message, world)),
    ...faultsOfEvents(messages, events, world),
    ...faultsOfHistory(events, ['message.delivered', 'message.undelivered', 'message.failed']),
    ...faultsOfInbound(world, byWord),
    ...faultsOfWebhooks(world.webhooks, events),
  )
  const outbound = messages.filter(({ direction }) => direction === 'outbound')
  const carried = [...world.carrier.messages.values()]
  const counts = {
    intents: intents.length,
    requests: intents.reduce((sum, intent) => sum + intent.tries, 0),
    messages: outbound.length,
    submits: carried.reduce((sum, message) => sum + message.submits.length, 0),
    delivered: outbound.filter(({ status }) => status === 'delivered').length,
    undelivered: outbound.filter(({ status }) => status === 'undelivered').length,
    'without a carrier': outbound.filter(({ code }) => code === 'no_route').length,
    unconfirmed: outbound.filter(({ status }) => status === 'unconfirmed').length,
    failed: outbound.filter(({ status }) => status === 'failed').length,
    inbound: messages.length - outbound.length,
    events: events.length,
    webhooks: [...world.webhooks.heard.values()].reduce((sum, heard) => sum + heard.times, 0),
  }
  return { violations, deaths: deathsOf(world), counts }
}

/** What was acknowledged is there, once, under the id that was answered; what was not is whole or absent. */
export function faultsOfIntent(intent: Intent, rows: readonly { id: string }[]): string[] {
  const faults: string[] = []
  if (intent.refused !== undefined) faults.push(`${intent.word} was refused: ${intent.refused}`)
  if (rows.length > 1) faults.push(`${intent.word} is there ${rows.length} times: ${rows.map(row => row.id).join(' ')}`)
  if (new Set(intent.ids).size > 1) faults.push(`${intent.word} was acknowledged under ${intent.ids.join(' and ')}`)
  for (const id of new Set(intent.ids))
    if (!rows.some(row => row.id === id)) faults.push(`${intent.word} was acknowledged as ${id}, and is lost`)
  return faults
}

/** What is known of a message here agrees with what the carrier knows. */
function faultsOfMessage(message: MessageRow, { carrier, uncarried }: World): string[] {
  const faults: string[] = []
  const word = wordOf(message.body)
  const seen = carrier.messages.get(word)
  const submits = seen?.submits ?? []
  const taken = submits.filter(answer => answer === 'accepted' || answer === 'silent').length
  const refused = submits.includes('refused')
  if (taken > 1) faults.push(`${word} was submitted ${taken} times (${submits.join(', ')})`)
  const ended = ['delivered', 'undelivered', 'failed', 'unconfirmed'].includes(message.status)
  if (!ended) faults.push(`${word} has not come to its end: it is ${message.status}`)
  if (uncarried.has(word)) {
    if (message.status !== 'failed' || message.code !== 'no_route')
      faults.push(`${word} is ${message.status} with ${message.code}, but there was no carrier`)
    if (submits.length > 0) faults.push(`${word} was submitted although there was no carrier`)
  } else if (message.status === 'failed' && !refused)
    faults.push(`${word} failed with ${message.code}, but was not refused`)
  // Its receipts name sender and recipient, which no other message has: nobody need stay in doubt.
  if (message.status !== seen?.fate && taken > 0 && seen?.acknowledged)
    faults.push(`${word} is ${message.status}, but its receipt (${seen.fate}) was acknowledged`)
  // Only what may have been written may be in doubt: a message that waits is not.
  if (message.status === 'unconfirmed' && message.code !== 'submit_unconfirmed')
    faults.push(`${word} is unconfirmed for ${message.code}`)
  if (message.events !== message.sequence)
    faults.push(`${word} has ${message.events} events and is at ${message.sequence}`)
  return faults
}

const claims = ['delivered', 'undelivered'] as const

/** What the row of a text, its events or webhooks report as its outcome, the carrier has said in a receipt that left before. */
function faultsOfEvents(
  messages: readonly MessageRow[],
  events: readonly EventRow[],
  { carrier, webhooks }: World,
): string[] {
  const wordById = new Map(messages.map(({ id, body }) => [id, wordOf(body)]))
  const reported = [
    ...messages.map(({ id, status }) => ({ id, claim: status, by: 'its row' })),
    ...events.map(({ resource_id: id, type }) => ({ id, claim: type.replace('message.', ''), by: 'its events' })),
    ...[...webhooks.heard.values()].map(({ eventOf: id, type }) => ({
      id,
      claim: type.replace('message.', ''),
      by: 'a webhook',
    })),
  ]
  return reported.flatMap(({ id, claim, by }) => {
    if (!claims.some(one => one === claim)) return []
    const word = wordById.get(id) ?? ''
    const seen = carrier.messages.get(word)
    if (seen !== undefined && seen.reported > 0 && seen.fate === claim) return []
    const truth = seen === undefined ? 'never had it' : seen.reported === 0 ? 'never said so' : `said ${seen.fate}`
    return [`${word} is ${claim} by ${by}, but the carrier ${truth}`]
  })
}

/** Events of a message or a call are numbered from 1 without a gap, and end it once. */
export function faultsOfHistory(events: readonly EventRow[], endings: readonly string[]): string[] {
  const faults: string[] = []
  for (const [id, history] of Map.groupBy(events, event => event.resource_id)) {
    const numbers = history.map(event => event.sequence).join(' ')
    const expected = history.map((_, index) => index + 1).join(' ')
    if (numbers !== expected) faults.push(`the events of ${id} are numbered ${numbers}`)
    const ends = history.filter(({ type }) => endings.includes(type))
    if (ends.length > 1) faults.push(`${id} ended ${ends.length} times`)
  }
  return faults
}

/** What we acknowledged to the carrier, we have once. */
function faultsOfInbound({ carrier }: World, byWord: ReadonlyMap<string, readonly MessageRow[]>): string[] {
  return [...carrier.inbound].flatMap(([word, acknowledged]) => {
    const rows = byWord.get(word) ?? []
    if (rows.length > 1) {
      const known = rows.map(row => `${row.carrier_reference} at ${row.created_at}`).join(', ')
      return [`the text ${word} is there ${rows.length} times: ${known}`]
    }
    if (acknowledged && rows.length === 0) return [`the text ${word} was acknowledged, and is lost`]
    return acknowledged ? [] : [`the text ${word} was never acknowledged`]
  })
}

/** Every event was delivered, well signed, with the same body every time. */
export function faultsOfWebhooks({ heard }: Pick<WebhookSide, 'heard'>, events: readonly EventRow[]): string[] {
  const faults: string[] = []
  const known = new Set(events.map(event => event.id))
  for (const event of events)
    if (!heard.has(event.id)) faults.push(`${event.type} of ${event.resource_id} (${event.id}) was never delivered`)
  for (const { id, bodies, wellSigned } of heard.values()) {
    if (!known.has(id)) faults.push(`the webhook ${id} reports an event that there is not`)
    if (bodies.size > 1) faults.push(`the webhook ${id} was delivered with ${bodies.size} different bodies`)
    if (!wellSigned) faults.push(`the webhook ${id} was not well signed`)
  }
  return faults
}
