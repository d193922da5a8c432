// What became of the demo company's invoices: who was billed for what, and every step until the money was there,
// late, or never came. Pure: a seed, the present and the customers in, stories out.
import { addDays, dateIn } from '../kernel/values/clock.ts'
import { type Customer as BilledTo, calculateTotals, type Sum } from '../modules/finance/invoices/rules.ts'
import { convertedAt, type LeadStory } from './lead_stories.ts'
import { type Company, type Person, postalAddress, type Town } from './people.ts'
import { countryBy } from './places.ts'
import { orderLines, pickOrder } from './price_list.ts'
import { createRandom, type Random } from './random.ts'
import { busyDays, dayMs, endOfStory, hourMs, inWorkingHours, minuteMs, presentOf, whenAtWork } from './times.ts'

/** Somebody the demo company sells to. */
export type Customer = {
  company: Company
  billed: BilledTo
  /** Who is dealt with; their first name and number are those of who is called or written to. */
  person: Person
  firstName: string
  phone: string | null
  sinceMs: number
  untilMs: number
  /** Place among the lead stories, for customers who were leads. */
  leadIndex: number | null
  /** How much they buy: 1 is a small café. */
  size: number
  termDays: number
  /** Days after the due date that their money usually comes; below zero for the punctual. */
  lateDays: number
  method: string
}

export type InvoiceStep =
  | { kind: 'sent'; atMs: number }
  | { kind: 'payment'; atMs: number; amountMinor: number; method: string; reference: string | null }
  | { kind: 'overdue'; atMs: number }
  | { kind: 'cancelled'; atMs: number; reason: string }

export type InvoiceStory = {
  customer: Customer
  sum: Sum
  notes: string | null
  createdAtMs: number
  issueDate: string
  dueDate: string
  /** In order, none later than the end of the story. */
  steps: InvoiceStep[]
}

const years = 3
/** Customers from before the leads that are still known. */
const oldCustomers = 170
/** The last month has so many times the invoices of the first. */
const growth = 2.6

const methodsBy: Record<string, Record<string, number>> = {
  US: { check: 22, bank_transfer: 46, card: 32 },
  GB: { bank_transfer: 55, direct_debit: 30, card: 15 },
  rest: { bank_transfer: 74, card: 18, direct_debit: 8 },
}

/** Everybody who was ever billed: old customers, and leads since they were converted. */
export function makeCustomers(leads: readonly LeadStory[], nowMs: number, town: Town): Customer[] {
  const random = createRandom('customers')
  const startMs = nowMs - years * 365.25 * dayMs
  const old = Array.from({ length: oldCustomers }, (_, index): Customer => {
    const company = town.company()
    // A third were there when the books begin.
    const sinceMs = index % 3 === 0 ? startMs - 90 * dayMs : random.between(startMs, nowMs - 1.5 * 365.25 * dayMs)
    const untilMs = random.chance(0.3) ? random.between(sinceMs + 150 * dayMs, nowMs + 300 * dayMs) : Infinity
    return newCustomer(random, { company, person: town.person(company), sinceMs, untilMs, leadIndex: null })
  })
  const won = leads.flatMap((lead, leadIndex): Customer[] => {
    const sinceMs = convertedAt(lead)
    if (sinceMs === undefined) return []
    const { company, person } = lead
    return [newCustomer(random, { company, person, sinceMs, untilMs: Infinity, leadIndex })]
  })
  return [...old, ...won]
}

type Met = Pick<Customer, 'company' | 'sinceMs' | 'untilMs' | 'leadIndex'> & {
  person: Person
}

function newCustomer(random: Random, { person, ...met }: Met): Customer {
  const { company } = met
  const { taxId } = countryBy(company.country)
  const mailbox = random.pick(['accounts', 'invoices', 'office', 'billing'])
  return {
    ...met,
    person,
    firstName: person.firstName,
    phone: person.phone,
    billed: {
      name: company.name,
      email: `${mailbox}@${company.domain}`,
      address: postalAddress(company),
      tax_id: taxId?.(random) ?? null,
    },
    size: Math.min(
      9,
      random.skewed({ café: 1, bakery: 1, hotel: 2.6, restaurant: 1.4, office: 2, roastery: 1.6 }[company.segment]),
    ),
    termDays: random.pick([14, 14, 30, 30, 30, 7]),
    lateDays: random.chance(0.69) ? random.between(-9, -2) : random.between(-1, 26),
    method: random.weighted((methodsBy[company.country] ?? methodsBy['rest']) as Record<string, number>),
  }
}

/** `count` invoices over three years, the oldest first. */
export function makeInvoices(
  count: number,
  nowMs: number,
  customers: readonly Customer[],
  timeZone: string,
): InvoiceStory[] {
  const random = createRandom('invoices')
  const endMs = endOfStory(nowMs)
  const days = busyDays(count, nowMs - years * 365.25 * dayMs, endMs, growth)
  const began = new Set<Customer>()
  const stories: InvoiceStory[] = []
  let day = Number.NaN
  let choice: Customer[] = []
  let starting: Customer[] = []
  for (const next of days) {
    if (next !== day) {
      day = next
      // Who orders often is in the list more than once.
      const active = customers.filter(({ sinceMs, untilMs }) => sinceMs < day - dayMs && untilMs > day)
      choice = active.flatMap(customer => Array(customer.size > 3 ? 3 : customer.size > 1.2 ? 2 : 1).fill(customer))
      starting = active.filter(customer => customer.leadIndex !== null && !began.has(customer))
    }
    const customer = starting.pop() ?? random.pick(choice)
    const isFirst = !began.has(customer)
    began.add(customer)
    const createdAtMs = inWorkingHours(random, day, countryBy(customer.company.country).utcOffset, endMs)
    stories.push(makeInvoice(random, customer, { createdAtMs, endMs, timeZone, isFirst }))
  }
  return stories.sort((a, b) => a.createdAtMs - b.createdAtMs)
}

type Beginning = { createdAtMs: number; endMs: number; timeZone: string; isFirst: boolean }

function makeInvoice(random: Random, customer: Customer, beginning: Beginning): InvoiceStory {
  const { createdAtMs, timeZone, isFirst } = beginning
  const { company, size, termDays } = customer
  const kind = isFirst && random.chance(0.85) ? 'machine' : pickOrder(random, company)
  const lines = orderLines(random, kind, company, size)
  const calculated = calculateTotals({ currency: countryBy(company.country).currency, tax_rounding: 'per_rate', lines })
  if (!calculated.ok) throw new Error(`a demo invoice does not add up: ${JSON.stringify(calculated.faults)}`)
  const issueDate = dateIn(timeZone, createdAtMs)
  const dueDate = addDays(issueDate, termDays)
  const { sum } = calculated
  const steps = stepsOf(random, customer, { ...beginning, dueDate, totalMinor: sum.total_minor })
  return { customer, sum, notes: notesOf(random, kind), createdAtMs, issueDate, dueDate, steps }
}

const cancelReasons = [
  'Billed twice',
  'Order withdrawn by the customer',
  'Wrong billing address',
  'Replaced by a new invoice',
]

type Course = Beginning & { dueDate: string; totalMinor: number }

function stepsOf(random: Random, customer: Customer, course: Course): InvoiceStep[] {
  const { createdAtMs, endMs } = course
  const { utcOffset } = countryBy(customer.company.country)
  const sentAtMs = random.chance(0.7)
    ? Math.floor(createdAtMs + random.between(2, 50) * minuteMs)
    : whenAtWork(random, createdAtMs + random.skewed(14) * hourMs, utcOffset)
  const ageDays = (endMs - createdAtMs) / dayMs
  const isCancelled = random.chance(0.032)
  if (isCancelled && random.chance(0.4)) {
    // Before it was sent.
    const atMs = whenAtWork(random, createdAtMs + random.skewed(1.2) * dayMs, utcOffset)
    return upTo(endMs, [{ kind: 'cancelled', atMs, reason: random.pick(cancelReasons) }])
  }
  // A draft is forgotten, or waits for something to be delivered.
  if (random.chance(ageDays < 12 ? 0.32 : ageDays < 120 ? 0.012 : 0)) return []
  const sent: InvoiceStep = { kind: 'sent', atMs: sentAtMs }
  const cancelledAtMs = whenAtWork(random, sentAtMs + random.skewed(2.5) * dayMs, utcOffset)
  const rest: InvoiceStep[] = isCancelled
    ? [{ kind: 'cancelled', atMs: cancelledAtMs, reason: random.pick(cancelReasons) }]
    : paymentsOf(random, customer, course, sentAtMs)
  return upTo(endMs, withOverdue([sent, ...rest], course))
}

function upTo(endMs: number, steps: InvoiceStep[]): InvoiceStep[] {
  return steps.filter(step => step.atMs <= endMs)
}

function paymentsOf(random: Random, customer: Customer, course: Course, sentAtMs: number): InvoiceStep[] {
  const { dueDate, totalMinor } = course
  const { lateDays, method } = customer
  const isOld = course.endMs - course.createdAtMs > 400 * dayMs
  // A few never pay, or only a part; what is old has been settled or written off, most of it.
  if (random.chance(isOld ? 0.002 : 0.008)) return []
  const parts = random.chance(0.07) ? (random.chance(0.25) ? 3 : 2) : 1
  const stuck = parts > 1 && random.chance(isOld ? 0.02 : 0.15)
  const steps: InvoiceStep[] = []
  let restMinor = totalMinor
  let atMs = Date.parse(`${dueDate}T00:00:00Z`) + (lateDays + random.between(-4, 4) + 9 / 24) * dayMs
  if (random.chance(0.07)) atMs += random.skewed(24) * dayMs
  if (parts > 1) atMs -= random.between(4, 14) * dayMs
  for (let part = 1; part <= parts; part++) {
    atMs = whenAtWork(random, Math.max(atMs, sentAtMs + (0.2 + random.skewed(1.5)) * dayMs), 0)
    const isLast = part === parts
    if (isLast && stuck) break
    const amountMinor = isLast ? restMinor : Math.max(1, Math.floor((restMinor * random.int(3, 6)) / 10))
    restMinor -= amountMinor
    steps.push({ kind: 'payment', atMs, amountMinor, method, reference: referenceOf(random, method) })
    atMs += random.between(6, 24) * dayMs
  }
  return steps
}

function referenceOf(random: Random, method: string): string | null {
  switch (method) {
    case 'check':
      return `Check ${random.int(1000, 9999)}`
    case 'bank_transfer':
      return random.chance(0.8) ? `TRF${random.int(10_000_000, 99_999_999)}` : null
    case 'direct_debit':
      return `DD-${random.int(100_000, 999_999)}`
    default:
      return `Terminal ${random.int(1, 3)}, slip ${random.int(1000, 9999)}`
  }
}

/** Puts in the night after the due date, if money was missing when the calendar was turned. */
function withOverdue(steps: InvoiceStep[], { dueDate, endMs, timeZone, totalMinor }: Course): InvoiceStep[] {
  const midnight = Temporal.PlainDate.from(dueDate).add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds
  if (midnight > presentOf(endMs)) return steps
  const atMs = Math.min(midnight + 2 * minuteMs, endMs)
  const before = steps.filter(step => step.atMs <= atMs)
  const paidMinor = before.reduce((sum, step) => sum + (step.kind === 'payment' ? step.amountMinor : 0), 0)
  if (paidMinor === totalMinor || before.some(step => step.kind === 'cancelled')) return steps
  return [...before, { kind: 'overdue', atMs }, ...steps.filter(step => step.atMs > atMs)]
}

function notesOf(random: Random, kind: string): string | null {
  if (random.chance(0.55)) return null
  if (kind === 'contract') return `Contract ${random.int(1001, 1999)}`
  return random.pick([
    `Your order ${random.int(20_000, 39_999)}`,
    `PO ${random.int(100, 999)}-${random.int(10, 99)}`,
    'Thank you for your business.',
    'Delivered to the back entrance, as agreed.',
  ])
}
