// What the demo company's people write down about their customers: tags, notes and tasks.
import type { Segment } from './people.ts'

export const industries: Record<Segment, string> = {
  café: 'Services',
  bakery: 'Retail',
  hotel: 'Services',
  restaurant: 'Services',
  office: 'Other',
  roastery: 'Manufacturing',
}

export const jobTitles: Record<Segment, readonly string[]> = {
  café: ['Owner', 'Shop manager', 'Head barista'],
  bakery: ['Owner', 'Master baker', 'Branch manager'],
  hotel: ['Food and beverage manager', 'General manager', 'Head of purchasing'],
  restaurant: ['Owner', 'Restaurant manager', 'Head chef'],
  office: ['Office manager', 'Facility manager', 'Head of purchasing'],
  roastery: ['Head roaster', 'Owner', 'Wholesale manager'],
}

/** Tags with their colors, and how many of a hundred companies have each. */
export const tagShares = [
  { name: 'Key account', color: 'purple', share: 6 },
  { name: 'Service contract', color: 'teal', share: 24 },
  { name: 'Leasing', color: 'blue', share: 13 },
  { name: 'Pays late', color: 'orange', share: 9 },
  { name: 'Reference', color: 'green', share: 5 },
  { name: 'Newsletter', color: 'yellow', share: 18 },
] as const

export const noteTexts = [
  'Water is hard there: filter cartridge every two months.',
  'Invoices go to the bookkeeper, not to the shop.',
  'Deliveries before ten only, through the yard.',
  'Would be glad to be a reference. Ask before naming them.',
  'Thinks about a second shop next year; wants to keep the same machine.',
  'The grinder was adjusted on site, training done for three people.',
  'Prefers e-mail. On the telephone in the mornings only.',
  'Asked for a price for beans by subscription, 40 kg a month.',
  'The lease runs out next summer: offer the new model in spring.',
  'Was unhappy with the waiting time for service; a spare machine was lent.',
  'Wants **one** invoice a month for all shops.',
  'Met at the trade show, liked the batch brewer.',
]

export const taskTitles = [
  'Send the quote for the service contract',
  'Call about the water filter',
  'Arrange the yearly maintenance',
  'Ask for a reference',
  'Bring samples of the new roast',
  'Clarify the address for invoices',
  'Offer the successor of their machine',
  'Agree on a date for the training',
]
