// The text messages of the demo company: what it wrote to whom and when, how far each got, and what came back. Those
// of the live mode follow from its leads and invoices: the company has no carrier, so that they reach only numbers of
// the simulator, and fail to any other. Those of the test mode are a developer's, to the numbers with fixed outcomes.
import { isSimulatorNumber } from '../kernel/values/phone.ts'
import type { ProblemCode } from '../kernel/values/problem.ts'
import type { MessageEvent } from '../modules/messaging/sms/rules.ts'
import type { FilledInvoice } from './fill_invoices.ts'
import type { LeadStory } from './lead_stories.ts'
import { answerTo, type Facts, type TextKind, textOf } from './message_texts.ts'
import { type CountryCode, countryBy, takesTexts } from './places.ts'
import { createRandom, type Random } from './random.ts'
import { dayMs, endOfStory, hourMs, inWorkingHours, minuteMs, onWorkday } from './times.ts'

export type MessageStep = { event: MessageEvent; atMs: number; code?: ProblemCode }

export type MessageStory = {
  direction: 'outbound' | 'inbound'
  from: string
  to: string
  body: string
  atMs: number
  tags: string[]
  metadata: Record<string, string>
  /** What happened after it was queued, in order; nothing for one that came in. */
  steps: MessageStep[]
}

/** How long ago the company began to write texts. */
const sinceDays = 120

/** Numbers of the company that no customer has: toll-free 555-0142, and Ofcom's range for the whole country. */
export const americanNumber = '+18885550142'
const europeanNumber = '+443069990142'
const senderName = 'HarborRoast'

/** The company's number for a country. */
export function ownNumber(country: CountryCode): string {
  return ['US', 'CA', 'AU'].includes(country) ? americanNumber : europeanNumber
}

export type Correspondence = {
  leads: readonly LeadStory[]
  leadIds: readonly number[]
  invoices: readonly FilledInvoice[]
  /** First names of colleagues by user id. */
  colleagues: ReadonlyMap<number, string>
}

/** What the live mode holds, the oldest first. */
export function makeMessages(nowMs: number, correspondence: Correspondence): MessageStory[] {
  const random = createRandom('messages')
  const endMs = endOfStory(nowMs)
  const startMs = nowMs - sinceDays * dayMs
  const stories = [...aboutLeads(random, correspondence, startMs), ...aboutInvoices(random, correspondence, startMs)]
  // What is still under way at the end of the story had better not begin.
  return stories
    .filter(({ atMs, steps }) => atMs >= startMs && (steps.at(-1)?.atMs ?? atMs) <= endMs)
    .sort((a, b) => a.atMs - b.atMs)
}

type Partner = { firstName: string; phone: string; country: CountryCode }
type Writing = Omit<Facts, 'firstName' | 'country'> & { metadata: Record<string, string> }

function aboutLeads(random: Random, { leads, leadIds, colleagues }: Correspondence, startMs: number): MessageStory[] {
  return leads.flatMap(({ lead, moves, person, company }, index): MessageStory[] => {
    const first = moves[0]
    if (first?.status !== 'Contacted' || first.atMs < startMs || lead.phone === null) return []
    if (!takesTexts(lead.phone, company.country) || !random.chance(0.65)) return []
    const partner = { firstName: person.firstName, phone: lead.phone, country: company.country }
    return write(random, 'appointment', partner, first.atMs + random.between(1, 40) * minuteMs, {
      colleague: colleagues.get(first.by) ?? 'Avery',
      dayMs: onWorkday(first.atMs + random.int(1, 3) * dayMs),
      hour: random.int(9, 16),
      metadata: { leadId: String(leadIds[index]) },
    })
  })
}

function aboutInvoices(random: Random, { invoices }: Correspondence, startMs: number): MessageStory[] {
  return invoices.flatMap((invoice): MessageStory[] => {
    const { story, number, id, paidMinor } = invoice
    const { customer, createdAtMs, dueDate, sum, steps } = story
    if (customer.phone === null || number === null || createdAtMs < startMs - 40 * dayMs) return []
    if (!takesTexts(customer.phone, customer.company.country)) return []
    const partner = { firstName: customer.firstName, phone: customer.phone, country: customer.company.country }
    const writing = { colleague: 'Ruth', metadata: { invoiceId: String(id) }, number, currency: sum.currency }
    const messages: MessageStory[] = []
    const sent = steps.find(step => step.kind === 'sent')
    const dueMs = Date.parse(`${dueDate}T00:00:00Z`)
    if (sent !== undefined && random.chance(0.18)) {
      const facts = { ...writing, dayMs: dueMs, hour: 9, amountMinor: sum.total_minor }
      messages.push(...write(random, 'invoice', partner, sent.atMs + random.between(20, 90) * 1000, facts))
    }
    if (sent !== undefined && random.chance(0.28)) {
      const isVisit = sum.lines.some(line => /Installation|Repair/.test(line.description))
      const { utcOffset } = countryBy(partner.country)
      const day = onWorkday(Math.floor(sent.atMs / dayMs) * dayMs + dayMs)
      const atMs = inWorkingHours(random, day, utcOffset, Number.MAX_SAFE_INTEGER)
      const facts = { ...writing, dayMs: onWorkday(atMs + random.int(1, 3) * dayMs), hour: random.int(8, 15) }
      messages.push(...write(random, isVisit ? 'visit' : 'shipped', partner, atMs, facts))
    }
    const overdue = steps.find(step => step.kind === 'overdue')
    if (overdue !== undefined && random.chance(0.6)) {
      const atMs = overdue.atMs + 3 * dayMs + random.between(9, 15) * hourMs
      const paidBefore = steps.some(
        step => step.kind === 'payment' && step.atMs <= atMs && paidMinor === sum.total_minor,
      )
      const facts = { ...writing, dayMs: dueMs, hour: 9, amountMinor: sum.total_minor }
      if (!paidBefore) messages.push(...write(random, 'reminder', partner, atMs, facts))
    }
    return messages
  })
}

/** How often somebody is written to whose number no carrier reaches, which fails. */
const vainChance = 0.04

const replyChances: Record<TextKind, number> = { appointment: 0.62, visit: 0.35, shipped: 0, invoice: 0, reminder: 0.4 }

/** A message to somebody and, often, what they write back from their virtual handset. */
function write(random: Random, kind: TextKind, partner: Partner, atMs: number, writing: Writing): MessageStory[] {
  const { metadata, ...facts } = writing
  const { firstName, phone, country } = partner
  const isReached = isSimulatorNumber(phone)
  if (!isReached && !random.chance(vainChance)) return []
  const body = textOf(kind, { ...facts, firstName, country })
  const canAnswer = kind === 'appointment' || kind === 'visit' || kind === 'reminder'
  const own = !canAnswer && ownNumber(country) === europeanNumber ? senderName : ownNumber(country)
  const sentAtMs = Math.floor(atMs)
  const steps: MessageStep[] = isReached
    ? delivery(random, sentAtMs)
    : [{ event: 'refused_by_us', atMs: sentAtMs + random.int(40, 400), code: 'no_route' }]
  const outbound: MessageStory = {
    direction: 'outbound',
    from: own,
    to: phone,
    body,
    atMs: sentAtMs,
    tags: [kind],
    metadata,
    steps,
  }
  if (!canAnswer || !isReached || !random.chance(replyChances[kind])) return [outbound]
  const answeredAtMs = Math.floor(sentAtMs + (0.5 + random.skewed(14)) * minuteMs)
  return [outbound, received(phone, own, answerTo(random, kind, country), answeredAtMs)]
}

function received(from: string, to: string, body: string, atMs: number): MessageStory {
  return { direction: 'inbound', from, to, body, atMs, tags: [], metadata: {}, steps: [] }
}

/** The way of a message to the virtual handset, a phone that is switched on: there after a second. */
function delivery(random: Random, atMs: number): MessageStep[] {
  const claimedMs = atMs + random.int(4, 40)
  const acceptedMs = claimedMs + random.int(9, 60)
  return [
    { event: 'claimed', atMs: claimedMs },
    { event: 'accepted', atMs: acceptedMs },
    { event: 'receipt_delivered', atMs: acceptedMs + random.int(1_000, 1_060) },
  ]
}

// What the simulator does with its numbers: after being claimed, each step and its time.
type Course = readonly [event: MessageEvent, afterMs: number, code?: ProblemCode][]
const accepted: Course = [['accepted', 25]]
const throttled: Course = [
  ['throttled', 20, 'carrier_throttled'],
  ['claimed', 520],
]
const simulated: Record<string, Course> = {
  '0100': [...accepted, ['receipt_delivered', 1_030]],
  '0101': [...accepted, ['receipt_undelivered', 1_030, 'unknown_subscriber']],
  '0102': [...accepted, ['receipt_undelivered', 1_030, 'filtered_as_spam']],
  '0103': [...throttled, ...throttled, ...accepted, ['receipt_delivered', 1_030]],
  '0104': [...accepted, ['receipt_missing', 60_000]],
  '0107': [...accepted, ['receipt_expired', 1_030, 'validity_expired']],
  '0009': [['refused', 22, 'landline_or_unsupported']],
  '0110': [...accepted, ['receipt_delivered', 1_030]],
  '0111': [...accepted, ['receipt_delivered', 1_030]],
}
const repliesOf: Record<string, string> = { '0110': 'STOP', '0111': 'HELP' }

const trials = [
  'Hello from Tandem',
  'Your code is 481 902',
  'Testing delivery receipts',
  'Table for two at 19:30 is confirmed.',
  'Café à la carte: 12 € today',
]

/** What a developer sent in the test mode over the last two months, the oldest first. */
export function makeTestMessages(count: number, nowMs: number): MessageStory[] {
  const random = createRandom('test messages')
  const endMs = endOfStory(nowMs) - 2 * minuteMs
  const stories = Array.from({ length: count }, (_, index): MessageStory[] => {
    const number = Object.keys(simulated)[index < 9 ? index : random.chance(0.5) ? 0 : random.int(0, 8)] as string
    const day = endMs - random.between(0.1, 60) * dayMs
    const atMs = inWorkingHours(random, Math.floor(day / dayMs) * dayMs, -5, endMs)
    const to = `+1500555${number}`
    const steps: MessageStep[] = [{ event: 'claimed', atMs: atMs + random.int(3, 12) }]
    for (const [event, afterMs, code] of simulated[number] as Course) {
      const last = steps.at(-1) as MessageStep
      steps.push({ event, atMs: last.atMs + afterMs, ...(code === undefined ? {} : { code }) })
    }
    const from = '+15005550006'
    const sent: MessageStory = {
      direction: 'outbound',
      from,
      to,
      body: random.pick(trials),
      atMs,
      tags: ['trial'],
      metadata: {},
      steps,
    }
    const reply = repliesOf[number]
    return reply === undefined ? [sent] : [sent, received(to, from, reply, atMs + 3_060)]
  })
  return stories.flat().sort((a, b) => a.atMs - b.atMs)
}
