// What became of the demo company's leads: who asked when, who looked after them, and every step on their way, as the
// transition table allows it. Pure: a seed and the present in, stories out.
import type { LeadPriority, LeadStatus } from '../modules/crm/leads/rules.ts'
import type { Company, Person, Town } from './people.ts'
import { countryBy } from './places.ts'
import { createRandom, type Random } from './random.ts'
import { busyDays, dayMs, endOfStory, inWorkingHours, minuteMs, whenAtWork } from './times.ts'

/** The people of the demo company who look after leads, by user id. */
export type SalesTeam = {
  admin: number
  managers: readonly number[]
  executives: readonly number[]
  /** Somebody who has left: owns old leads that are closed. */
  former: number
}

export type LeadMove = { status: LeadStatus; atMs: number; by: number; lostReason?: string }

type NewLead = {
  name: string
  email: string | null
  phone: string | null
  company: string | null
  priority: LeadPriority
  owner_id: number | null
  source: string | null
  notes: string | null
}

export type LeadStory = {
  lead: NewLead
  createdAtMs: number
  createdBy: number
  /** In order; the status of the lead is that of the last, or New. */
  moves: LeadMove[]
  company: Company
  person: Person
}

/** Months over which leads came in. */
const months = 18
/** The newest month has so many times the leads of the first. */
const growth = 2.4

/** Where a lead ends, by how promising it looked; `untouched` is still New. */
type Destiny = 'untouched' | 'Contacted' | 'Nurturing' | 'Qualified' | 'Converted' | 'Unqualified' | 'Junk'
const destinies: Record<LeadPriority, Record<Destiny, number>> = {
  Hot: { untouched: 5, Contacted: 12, Nurturing: 13, Qualified: 18, Converted: 36, Unqualified: 19, Junk: 1 },
  Warm: { untouched: 10, Contacted: 17, Nurturing: 20, Qualified: 12, Converted: 14, Unqualified: 27, Junk: 6 },
  Cold: { untouched: 20, Contacted: 17, Nurturing: 24, Qualified: 4, Converted: 4, Unqualified: 29, Junk: 14 },
}

const priorities: Record<LeadPriority, number> = { Hot: 18, Warm: 50, Cold: 32 }

const sources = {
  'Website form': 38,
  Referral: 17,
  'Trade show': 13,
  'Phone call': 12,
  Newsletter: 8,
  Partner: 7,
  'Walk-in at the showroom': 5,
} as const

const lostReasons = [
  'Bought from a competitor',
  'Budget moved to next year',
  'No answer after five attempts',
  'Renewed the lease of their old machine',
  'Needs only beans, no equipment',
  'Opening was called off',
  'Price too high',
  'Wants used equipment only',
  'Outside our service area',
  'Chose to rent through their roaster',
]

/** `count` leads, the oldest first. */
export function makeLeads(count: number, nowMs: number, town: Town, team: SalesTeam): LeadStory[] {
  const random = createRandom('leads')
  const known: Company[] = []
  const endMs = endOfStory(nowMs)
  const startMs = nowMs - (months / 12) * 365.25 * dayMs
  const stories = busyDays(count, startMs, endMs, growth).map((day): LeadStory => {
    // A second person of a business that asked before, now and then.
    const company = known.length > 20 && random.chance(0.22) ? random.pick(known.slice(-300)) : town.company()
    known.push(company)
    const person = town.person(company)
    const createdAtMs = inWorkingHours(random, day, countryBy(company.country).utcOffset, endMs)
    return makeLead(random, { company, person, createdAtMs, endMs, team })
  })
  return stories.sort((a, b) => a.createdAtMs - b.createdAtMs)
}

type Beginning = { company: Company; person: Person; createdAtMs: number; endMs: number; team: SalesTeam }

function makeLead(random: Random, { company, person, createdAtMs, endMs, team }: Beginning): LeadStory {
  const priority = random.weighted(priorities)
  const source = random.weighted(sources)
  const ageDays = (endMs - createdAtMs) / dayMs
  let destiny = random.weighted(destinies[priority])
  // Nobody keeps an open lead for a year: what is old has been decided, most of it.
  const isOpen = destiny !== 'Converted' && destiny !== 'Unqualified' && destiny !== 'Junk'
  if (isOpen && destiny !== 'Nurturing' && random.chance((ageDays - 120) / 150)) destiny = 'Unqualified'
  if (destiny === 'Nurturing' && random.chance((ageDays - 300) / 200)) destiny = 'Unqualified'
  const path = pathTo(random, destiny)
  const executive = random.pick(team.executives)
  const isOld = ageDays > 330 && path.at(-1) === destiny && ['Converted', 'Unqualified'].includes(destiny)
  const owner = isOld && random.chance(0.22) ? team.former : random.chance(0.1) ? random.pick(team.managers) : executive
  const moves = walk(random, path, { createdAtMs, endMs, owner, team, utcOffset: countryBy(company.country).utcOffset })
  const assigned = moves.length > 0 || random.chance(0.55) || source === 'Referral'
  const lead: NewLead = {
    name: person.name,
    email: person.phone !== null && random.chance(0.05) ? null : person.email,
    phone: person.phone,
    company: random.chance(0.03) ? null : company.name,
    priority,
    owner_id: assigned ? (moves.length > 0 || owner !== team.former ? owner : executive) : null,
    source,
    notes: random.chance(0.62) ? noteOf(random, company, source) : null,
  }
  const createdBy = source === 'Website form' || lead.owner_id === null ? team.admin : lead.owner_id
  return { lead, createdAtMs, createdBy, moves, company, person }
}

function pathTo(random: Random, destiny: Destiny): LeadStatus[] {
  const between: LeadStatus[] = random.chance(0.3) ? ['Nurturing'] : []
  switch (destiny) {
    case 'untouched':
      return []
    case 'Contacted':
      return ['Contacted']
    case 'Nurturing':
      return random.chance(0.8) ? ['Contacted', 'Nurturing'] : ['Nurturing']
    case 'Qualified':
      return ['Contacted', ...between, 'Qualified']
    case 'Converted':
      return ['Contacted', ...between, 'Qualified', 'Converted']
    case 'Junk':
      return random.chance(0.6) ? ['Junk'] : ['Contacted', 'Junk']
    case 'Unqualified': {
      const way: LeadStatus[] = random.chance(0.35) ? ['Contacted', ...between, 'Qualified'] : ['Contacted', ...between]
      // Some come back months later.
      const again: LeadStatus[] = random.chance(0.06) ? ['Unqualified', 'New', 'Contacted'] : ['Unqualified']
      return [...way, ...again]
    }
  }
}

/** Days a step usually takes. */
const stepDays: Record<LeadStatus, number> = {
  New: 75,
  Contacted: 1.1,
  Nurturing: 6,
  Qualified: 7,
  Converted: 13,
  Unqualified: 16,
  Junk: 1.5,
}

type Way = { createdAtMs: number; endMs: number; owner: number; team: SalesTeam; utcOffset: number }

/** Takes the steps of a path one after the other, as far as time has gone. */
function walk(random: Random, path: readonly LeadStatus[], way: Way): LeadMove[] {
  const moves: LeadMove[] = []
  let atMs = way.createdAtMs
  for (const status of path) {
    const earliest = atMs + 4 * minuteMs + random.skewed(stepDays[status]) * dayMs
    atMs = whenAtWork(random, earliest, way.utcOffset)
    if (atMs > way.endMs) break
    const by = status === 'New' ? random.pick(way.team.managers) : way.owner
    moves.push({ status, atMs, by, ...(status === 'Unqualified' ? { lostReason: random.pick(lostReasons) } : {}) })
    if (status === 'Junk' && random.chance(0.5)) moves[moves.length - 1]!.lostReason = 'Advertising, not a request'
  }
  return moves
}

const machines = [
  'two-group espresso machine',
  'three-group machine',
  'one-group machine',
  'batch brewer',
  'bean-to-cup',
]

function noteOf(random: Random, { segment, city }: Company, source: string): string {
  const machine = random.pick(machines)
  const month = random.pick(['spring', 'summer', 'autumn', 'the holidays', 'the next quarter'])
  const cups = random.int(4, 60) * 10
  const first = {
    café: () => `Opening a second shop in ${city.name}, ${cups} cups a day. Wants a ${machine}.`,
    bakery: () => `Counter with ${random.int(6, 40)} seats; replaces an old ${machine}.`,
    hotel: () =>
      `${random.int(18, 240)} rooms. Breakfast bar and lobby, asks for ${random.int(2, 6)} machines on lease.`,
    restaurant: () => `${random.int(30, 140)} seats, about ${cups} coffees a day. Interested in a service contract.`,
    office: () => `${random.int(25, 600)} desks on ${random.int(1, 6)} floors. Bean-to-cup with card payment.`,
    roastery: () => `Needs grinders for ${random.int(2, 7)} wholesale accounts and training for baristas.`,
  }[segment]()
  const second = [
    `Wants a quote before ${month}.`,
    'Asked for a demonstration on site.',
    `Met at the ${source === 'Trade show' ? 'trade show, left a card' : 'showroom'}.`,
    'Decision with the owner; call in the mornings.',
    `Compares with two others. Budget about ${random.int(3, 38) * 1000}.`,
    'Prefers e-mail.',
    'Water hardness to be checked first.',
    '',
  ]
  return `${first} ${random.pick(second)}`.trim()
}

/** When a lead became a customer. */
export function convertedAt({ moves }: LeadStory): number | undefined {
  return moves.find(move => move.status === 'Converted')?.atMs
}
