// What the inbox of the demo company holds this morning: who wrote or called since yesterday and waits, who was answered by whom, and
// strangers of whom nobody knows yet who they are. All on numbers of the simulator, so that an answer reaches the virtual handset.
import { isSimulatorNumber } from '../kernel/values/phone.ts'
import type { LeadStory } from './lead_stories.ts'
import { americanNumber, type MessageStory } from './message_stories.ts'
import { endOfStory, minuteMs } from './times.ts'

/** Texts between one person and the company, by how many minutes ago; `in` came from the person. */
type Talk = readonly (readonly [minutesAgo: number, direction: 'in' | 'out', body: string])[]

const withLeads: readonly Talk[] = [
  [
    [190, 'in', 'Hi, is the Linea still available in matte black? We would take two.'],
    [95, 'in', 'We open on the 14th, so it would have to be here by the 10th.'],
  ],
  [
    [320, 'out', 'Hello, your grinder is repaired. Shall we deliver it on Thursday?'],
    [41, 'in', 'Thursday works, but only before ten. Is that possible?'],
  ],
  [[26, 'in', 'Could you send me the price list for single origin again? I cannot find the mail.']],
  [
    [1_420, 'in', 'The steam wand drips since the last service.'],
    [1_380, 'out', 'Sorry to hear that. Sam can come by on Tuesday morning, at no charge.'],
    [1_310, 'in', 'Perfect, thank you!'],
    [1_290, 'out', 'See you on Tuesday then.'],
  ],
  [
    [610, 'in', 'Do you rent out machines for a weekend? We have a wedding with 120 guests.'],
    [560, 'out', 'We do! A two-group machine with grinder is 280 for the weekend, delivery included.'],
    [505, 'in', 'Great. I will talk to my partner and come back to you next week.'],
    [500, 'out', 'Of course, take your time.'],
  ],
  [
    [2_100, 'in', 'How long do the green beans keep in your sacks?'],
    [2_040, 'out', 'About nine months, dry and below 20 degrees.'],
  ],
  [[13, 'in', 'Our order came without the filter papers. Can you send them today?']],
  [
    [760, 'in', 'I would like to try the new Ethiopian. Do you do samples?'],
    [700, 'out', 'Yes, 200 g on us. Which address?'],
    [655, 'in', '14 Canal Street, for Noor.'],
  ],
]

const withStrangers: readonly (readonly [number: string, talk: Talk])[] = [
  [
    '+15005550177',
    [[58, 'in', 'Hello, I found you on the market on Saturday. Do you sell to private customers, too?']],
  ],
  ['+15005550178', [[7, 'in', 'Is anyone there? I stand in front of your showroom and it is closed.']]],
  ['+15005550179', [[265, 'in', 'What would a maintenance contract for three machines cost?']]],
]

/** The newest texts, oldest first. @param nowMs when the demo is filled */
export function makeInboxTexts(nowMs: number, leads: readonly LeadStory[]): MessageStory[] {
  const endMs = endOfStory(nowMs)
  const people = leads.filter(({ lead, moves }) => {
    const last = moves.at(-1)?.status
    return lead.phone !== null && isSimulatorNumber(lead.phone) && last !== 'Junk' && last !== 'Unqualified'
  })
  const phones = [...new Set(people.toReversed().map(({ lead }) => lead.phone as string))]
  const talks = [
    ...withLeads.flatMap((talk, index) => (phones[index] === undefined ? [] : [[phones[index], talk] as const])),
    ...withStrangers,
  ]
  return talks.flatMap(([phone, talk]) => talk.map(text => storyOf(phone, text, endMs))).sort((a, b) => a.atMs - b.atMs)
}

function storyOf(phone: string, [minutesAgo, direction, body]: Talk[number], endMs: number): MessageStory {
  const atMs = endMs - minutesAgo * minuteMs
  const base = { body, atMs, tags: [], metadata: {} }
  if (direction === 'in') return { ...base, direction: 'inbound', from: phone, to: americanNumber, steps: [] }
  return {
    ...base,
    direction: 'outbound',
    from: americanNumber,
    to: phone,
    steps: [
      { event: 'claimed', atMs: atMs + 40 },
      { event: 'accepted', atMs: atMs + 160 },
      { event: 'receipt_delivered', atMs: atMs + 1_900 },
    ],
  }
}
