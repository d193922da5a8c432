// The telephone calls of the demo company: its sales people ring leads, customers ring about machines, and a
// developer tries the numbers of the test mode. Each is recorded as its engine would have reported it: without a trunk only
// numbers of the simulator are reached and call in, and a call to any other fails.
import { isSimulatorNumber } from '../kernel/values/phone.ts'
import type { CallEvent } from '../modules/voice/call_records/index.ts'
import type { FilledInvoice } from './fill_invoices.ts'
import type { LeadStory } from './lead_stories.ts'
import { ownNumber } from './message_stories.ts'
import { countryBy } from './places.ts'
import { createRandom, type Random } from './random.ts'
import { dayMs, endOfStory, hourMs, inWorkingHours, minuteMs } from './times.ts'

export type CallStep = { atMs: number; event: CallEvent }

export type CallStory = {
  direction: 'outbound' | 'inbound'
  from: string
  to: string
  callerName: string | null
  atMs: number
  /** Null for one that no engine took. */
  dialedAtMs: number | null
  tags: string[]
  metadata: Record<string, string>
  /** Up to the end of the call. */
  steps: CallStep[]
  /** Who said afterwards what came of it; null where nobody did. */
  notedBy: number | null
}

/** How long ago the company began to call through Tandem. */
const sinceDays = 150

export type CallPartners = {
  leads: readonly LeadStory[]
  leadIds: readonly number[]
  invoices: readonly FilledInvoice[]
}

/** What the live mode holds, the oldest first. */
export function makeCalls(nowMs: number, partners: CallPartners): CallStory[] {
  const random = createRandom('calls')
  const endMs = endOfStory(nowMs)
  const startMs = nowMs - sinceDays * dayMs
  const stories = [...callsToLeads(random, partners), ...callsOfCustomers(random, partners, startMs)]
  return stories
    .filter(({ atMs, steps }) => atMs >= startMs && (steps.at(-1) as CallStep).atMs <= endMs)
    .sort((a, b) => a.atMs - b.atMs)
}

/** How often a lead is called whose number no trunk reaches. */
const vainChance = 0.04

/** Before a lead is contacted or qualified somebody talks to them, often after trying in vain. */
function callsToLeads(random: Random, { leads, leadIds }: CallPartners): CallStory[] {
  return leads.flatMap(({ lead, moves, company, createdAtMs }, index): CallStory[] => {
    const { phone } = lead
    if (phone === null) return []
    const isReached = isSimulatorNumber(phone)
    const calls: CallStory[] = []
    const call = (atMs: number, steps: (fromMs: number) => CallStep[]) => {
      if (!isReached && !random.chance(vainChance)) return
      const takenAtMs = Math.floor(atMs) + random.int(15, 120)
      calls.push({
        direction: 'outbound',
        from: ownNumber(company.country),
        to: phone,
        callerName: 'Harbor Roast Supply',
        atMs: Math.floor(atMs),
        dialedAtMs: isReached ? takenAtMs : null,
        tags: ['sales'],
        metadata: { leadId: String(leadIds[index]) },
        steps: isReached ? steps(takenAtMs) : noRoute(takenAtMs),
        notedBy: isReached ? lead.owner_id : null,
      })
    }
    for (const { status, atMs } of moves) {
      const isTalk = (status === 'Contacted' && random.chance(0.66)) || (status === 'Qualified' && random.chance(0.75))
      if (isTalk) {
        const seconds = Math.min(40 * 60, 25 + random.skewed(status === 'Qualified' ? 420 : 190))
        const talkAtMs = Math.max(createdAtMs + minuteMs, atMs - seconds * 1000 - random.between(40, 600) * 1000)
        if (random.chance(0.3)) call(talkAtMs - random.between(0.2, 3) * hourMs, from => inVain(random, from))
        call(talkAtMs, from => conversation(random, from, seconds))
      } else if (status === 'Unqualified' && random.chance(0.25)) {
        call(atMs - random.between(0.3, 4) * hourMs, from => inVain(random, from))
      }
    }
    return calls
  })
}

/** Customers with something to repair or to ask, and a few who give up waiting. */
function callsOfCustomers(random: Random, { invoices }: CallPartners, startMs: number): CallStory[] {
  return invoices.flatMap(({ story, id }): CallStory[] => {
    const { customer, createdAtMs, sum } = story
    const isRepair = sum.lines.some(line => line.description.startsWith('Repair'))
    if (
      customer.phone === null ||
      !isSimulatorNumber(customer.phone) ||
      createdAtMs < startMs ||
      !random.chance(isRepair ? 0.6 : 0.06)
    )
      return []
    const { utcOffset } = countryBy(customer.company.country)
    const day = Math.floor(createdAtMs / dayMs) * dayMs - random.int(1, 4) * dayMs
    const atMs = inWorkingHours(random, day, utcOffset, createdAtMs)
    const steps = random.chance(0.13)
      ? abandoned(random, atMs)
      : conversation(random, atMs, 30 + random.skewed(150), 0.75)
    const metadata: Record<string, string> = isRepair ? { invoiceId: String(id) } : {}
    const to = ownNumber(customer.company.country)
    const callerName = customer.company.name
    return [
      {
        direction: 'inbound',
        from: customer.phone,
        to,
        callerName,
        atMs,
        dialedAtMs: atMs,
        tags: ['service'],
        metadata,
        steps,
        notedBy: null,
      },
    ]
  })
}

/** A call to a number that nobody carries it to. */
function noRoute(atMs: number): CallStep[] {
  return [{ atMs, event: { type: 'ended', cause: 'no_route', by: 'system' } }]
}

/** A call that is taken; the caller hangs up as often as `callerEnds` says. */
function conversation(random: Random, fromMs: number, seconds: number, callerEnds = 0.55): CallStep[] {
  const ringsAtMs = fromMs + random.int(180, 1_900)
  const answersAtMs = ringsAtMs + random.int(1_800, 19_000)
  return [
    { atMs: ringsAtMs, event: { type: 'ringing' } },
    { atMs: answersAtMs, event: { type: 'answered', answeredBy: 'human' } },
    {
      atMs: Math.floor(answersAtMs + seconds * 1000),
      event: { type: 'ended', cause: 'normal', by: random.chance(callerEnds) ? 'caller' : 'callee' },
    },
  ]
}

/** A call that a virtual handset does not take. */
function inVain(random: Random, fromMs: number): CallStep[] {
  const ringsAtMs = fromMs + random.int(180, 1_900)
  const ringing: CallStep = { atMs: ringsAtMs, event: { type: 'ringing' } }
  const ended = (atMs: number, cause: 'no_answer' | 'user_busy' | 'declined', by: 'system' | 'callee') =>
    ({ atMs, event: { type: 'ended', cause, by } }) satisfies CallStep
  switch (random.weighted({ noAnswer: 60, busy: 24, declined: 16 })) {
    case 'noAnswer':
      return [ringing, ended(fromMs + timeoutSeconds * 1000, 'no_answer', 'system')]
    case 'busy':
      return [ringing, ended(ringsAtMs + random.int(1_000, 6_000), 'user_busy', 'callee')]
    case 'declined':
      return [ringing, ended(ringsAtMs + random.int(2_000, 11_000), 'declined', 'callee')]
  }
}

/** Who rings the company and hangs up before anybody answers. */
function abandoned(random: Random, fromMs: number): CallStep[] {
  const ringsAtMs = fromMs + random.int(120, 600)
  return [
    { atMs: ringsAtMs, event: { type: 'ringing' } },
    { atMs: ringsAtMs + random.int(6_000, 48_000), event: { type: 'ended', cause: 'canceled', by: 'caller' } },
  ]
}

/** How long a demo call rings at most. */
export const timeoutSeconds = 60

// What the simulator does with its numbers: seconds after dialling.
type Script = readonly (readonly [afterSeconds: number, event: CallEvent])[]
const ringing: CallEvent = { type: 'ringing' }
const human: CallEvent = { type: 'answered', answeredBy: 'human' }
const hangsUp: CallEvent = { type: 'ended', cause: 'normal', by: 'callee' }
const scripts: Record<string, Script> = {
  '0200': [
    [0, ringing],
    [2, human],
    [7, hangsUp],
  ],
  '0201': [[1, { type: 'ended', cause: 'user_busy', by: 'callee' }]],
  '0202': [
    [0, ringing],
    [timeoutSeconds, { type: 'ended', cause: 'no_answer', by: 'system' }],
  ],
  '0203': [
    [0, ringing],
    [2, { type: 'ended', cause: 'declined', by: 'callee' }],
  ],
  '0204': [[1, { type: 'ended', cause: 'unallocated', by: 'carrier' }]],
  '0205': [
    [0, ringing],
    [2, { type: 'answered' }],
    [6, { type: 'machine_detected' }],
    [11, hangsUp],
  ],
  '0207': [
    [0, ringing],
    [0, { type: 'early_media' }],
    [3, human],
    [8, hangsUp],
  ],
  '0208': [
    [0, ringing],
    [2, human],
    ...[...'1234#'].map((digit, index) => [3 + index / 2, { type: 'dtmf', digit }] as const),
    [7, hangsUp],
  ],
  '0210': [[1, { type: 'ended', cause: 'caller_id_not_allowed', by: 'carrier' }]],
}

/** What a developer called in the test mode over the last two months, the oldest first. */
export function makeTestCalls(count: number, nowMs: number): CallStory[] {
  const random = createRandom('test calls')
  const endMs = endOfStory(nowMs) - 2 * minuteMs
  const numbers = Object.keys(scripts)
  const stories = Array.from({ length: count }, (_, index): CallStory => {
    const number = numbers[
      index < numbers.length ? index : random.chance(0.4) ? 0 : random.int(0, numbers.length - 1)
    ] as string
    const day = endMs - random.between(0.1, 60) * dayMs
    const atMs = inWorkingHours(random, Math.floor(day / dayMs) * dayMs, -5, endMs)
    const dialedAtMs = atMs + random.int(8, 60)
    const steps = (scripts[number] as Script).map(([afterSeconds, event]) => ({
      atMs: dialedAtMs + afterSeconds * 1000,
      event,
    }))
    return {
      direction: 'outbound',
      from: '+15005550006',
      to: `+1500555${number}`,
      callerName: null,
      atMs,
      dialedAtMs,
      tags: ['trial'],
      metadata: {},
      steps,
      notedBy: null,
    }
  })
  return stories.sort((a, b) => a.atMs - b.atMs)
}
