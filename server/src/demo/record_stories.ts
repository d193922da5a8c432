// The customers of the demo company as records: companies and contacts with what was written down about them, and which leads became
// them. Decided by the rules of each noun, as requests are; pure but for new ids.
import type { Principal } from '../kernel/access/principal.ts'
import { decideChange, decideCreation } from '../kernel/noun/decide.ts'
import type { NounRecord, Reading } from '../kernel/noun/field.ts'
import { readBody } from '../kernel/noun/records.ts'
import { type NounTable, tableNamed } from '../kernel/noun/registry.ts'
import type { Write } from '../kernel/noun/write.ts'
import { dateIn } from '../kernel/values/clock.ts'
import type { Customer } from './invoice_stories.ts'
import type { LeadStory, SalesTeam } from './lead_stories.ts'
import type { Company, Person } from './people.ts'
import { countryBy } from './places.ts'
import { createRandom, type Random } from './random.ts'
import { industries, jobTitles, noteTexts, tagShares, taskTitles } from './record_texts.ts'
import { dayMs, endOfStory, whenAtWork } from './times.ts'

/** A record created or changed, at its time and by whom. */
export type PastWrite = Write & { noun: NounTable; atMs: number; by: number }
export type PastTag = { recordId: string; noun: string; tag: NounRecord; atMs: number; by: number }
/** What a lead names: from its creation on, or since it was converted. */
export type LeadLink = { companyId: string | null; contactId: string | null; since: 'creation' | 'conversion' }

export type RecordStories = {
  /** In order for each record. */
  writes: PastWrite[]
  tags: PastTag[]
  /** By the place of the lead among the stories. */
  links: ReadonlyMap<number, LeadLink>
}

/** @property takenTags names of tags that the organization has already, in small letters */
type Books = { tenantId: number; timeZone: string; team: SalesTeam; takenTags: readonly string[] }

/** Companies and contacts of everybody who was ever billed. */
export function makeRecords(
  leads: readonly LeadStory[],
  customers: readonly Customer[],
  nowMs: number,
  books: Books,
): RecordStories {
  const random = createRandom('records')
  const endMs = endOfStory(nowMs)
  const writer = writerOf(books)
  const companies = new Map<string, NounRecord>()
  const links = new Map<number, LeadLink>()
  const tags: PastTag[] = []
  const oldestFirst = customers.toSorted((a, b) => a.sinceMs - b.sinceMs)
  const tagRecords = makeTags(writer, oldestFirst[0]!.sinceMs, books)
  for (const { company, person, leadIndex, sinceMs, size } of oldestFirst) {
    const lead = leadIndex === null ? undefined : leads[leadIndex]
    const by = lead?.lead.owner_id ?? random.pick(books.team.executives)
    const owner = by === books.team.former ? random.pick(books.team.executives) : by
    const atMs =
      lead === undefined
        ? Math.min(endMs, whenAtWork(random, sinceMs, countryBy(company.country).utcOffset))
        : Math.floor(sinceMs)
    const isNamed = lead === undefined || lead.lead.company !== null
    let record = companies.get(company.name)
    if (isNamed && record === undefined) {
      record = writer.create('company', companyBody(random, company, owner, size), atMs, by)
      companies.set(company.name, record)
      tags.push(...tagsFor(random, record, tagRecords, { atMs, endMs, by }))
    }
    const at = isNamed ? record : undefined
    const contact = writer.create('contact', contactBody(random, { company, person, at, owner, lead }), atMs, by)
    writeDown(random, writer, at ?? contact, { atMs, endMs, by: owner, timeZone: books.timeZone })
    if (leadIndex !== null)
      links.set(leadIndex, { companyId: at?.id ?? null, contactId: contact.id, since: 'conversion' })
  }
  for (const [index, { lead, createdAtMs }] of leads.entries()) {
    const known = lead.company === null ? undefined : companies.get(lead.company)
    if (known === undefined || links.has(index) || Date.parse(known.created_at) > createdAtMs) continue
    links.set(index, { companyId: known.id, contactId: null, since: 'creation' })
  }
  return { writes: writer.writes, tags, links }
}

type Writer = ReturnType<typeof writerOf>

function writerOf({ tenantId, timeZone }: Pick<Books, 'tenantId' | 'timeZone'>) {
  const writes: PastWrite[] = []
  const settings = { defaultCountry: null, currency: 'USD', timeZone }
  const principalOf = (userId: number) => ({ tenantId, userId, role: 'Admin', settings }) as unknown as Principal
  const read = (noun: NounTable, body: Record<string, unknown>, userId: number) =>
    readBody(noun.spec, body, { ...settings, userId } satisfies Reading)
  return {
    writes,
    create(one: string, body: Record<string, unknown>, atMs: number, by: number): NounRecord {
      const noun = tableNamed(one)
      const write = decideCreation(noun, principalOf(by), read(noun, body, by), {}, atMs)
      writes.push({ ...write, noun, atMs, by })
      return write.after
    },
    change(one: string, record: NounRecord, body: Record<string, unknown>, atMs: number, by: number): void {
      const noun = tableNamed(one)
      const write = decideChange(noun, principalOf(by), record, read(noun, body, by), {}, atMs)
      if (write !== undefined) writes.push({ ...write, noun, atMs, by })
    },
  }
}

function companyBody(random: Random, company: Company, owner: number, size: number): Record<string, unknown> {
  const { name, domain, segment, city, street, country } = company
  const { currency, rate } = countryBy(country)
  const revenue = Math.round(size * random.between(140, 420) * rate) * 1_000
  return {
    name,
    domain,
    industry: industries[segment],
    ...(random.chance(0.6) && { annual_revenue: { amount: revenue, currency } }),
    addresses: [
      {
        value: { street, postal_code: city.zip, city: city.name, region: city.region ?? null, country },
        label: 'shop',
      },
    ],
    owner_id: owner,
  }
}

type Met = { company: Company; person: Person; at: NounRecord | undefined; owner: number; lead: LeadStory | undefined }

function contactBody(random: Random, { company, person, at, owner, lead }: Met): Record<string, unknown> {
  const agreed = random.chance(0.55)
  return {
    name: person.name,
    job_title: random.pick(jobTitles[company.segment]),
    ...(at !== undefined && { companies: [{ value: at.id }] }),
    emails: [{ value: person.email, label: 'work' }],
    ...(person.phone !== null && { phones: [{ value: person.phone, label: 'work' }] }),
    language: countryBy(company.country).language,
    email_consent: agreed,
    sms_consent: agreed && random.chance(0.4),
    call_consent: agreed && random.chance(0.7),
    owner_id: owner,
    ...(lead !== undefined && { source: lead.lead.source, notes: lead.lead.notes }),
  }
}

function makeTags(writer: Writer, sinceMs: number, { team, takenTags }: Books): { tag: NounRecord; share: number }[] {
  return tagShares
    .filter(({ name }) => !takenTags.includes(name.toLowerCase()))
    .map(({ share, ...body }) => ({
      tag: writer.create('tag', body, Math.floor(sinceMs - dayMs), team.admin),
      share,
    }))
}

type Span = { atMs: number; endMs: number; by: number }

function tagsFor(
  random: Random,
  record: NounRecord,
  tags: readonly { tag: NounRecord; share: number }[],
  { atMs, endMs, by }: Span,
): PastTag[] {
  return tags.flatMap(({ tag, share }): PastTag[] => {
    if (!random.chance(share / 100)) return []
    return [{ recordId: record.id, noun: 'company', tag, atMs: Math.floor(random.between(atMs, endMs)), by }]
  })
}

/** Notes and tasks about a record, some of these done. */
function writeDown(
  random: Random,
  writer: Writer,
  record: NounRecord,
  { atMs, endMs, by, timeZone }: Span & { timeZone: string },
): void {
  const workAt = (fromMs: number, untilMs: number) =>
    Math.min(endMs, whenAtWork(random, random.between(fromMs, untilMs), 0))
  for (let left = random.weighted({ 0: 55, 1: 30, 2: 15 }); Number(left) > 0; left = `${Number(left) - 1}` as '0') {
    const body = { record_id: record.id, body: random.pick(noteTexts), is_pinned: random.chance(0.1) }
    writer.create('note', body, workAt(atMs, endMs), by)
  }
  if (!random.chance(0.32)) return
  const isOpen = random.chance(0.4)
  const begunMs = isOpen ? workAt(Math.max(atMs, endMs - 30 * dayMs), endMs) : workAt(atMs, endMs)
  const dueMs = begunMs + random.between(2, 25) * dayMs
  const body = {
    record_id: record.id,
    title: random.pick(taskTitles),
    assignee_id: by,
    priority: random.weighted({ low: 15, normal: 60, high: 20, urgent: 5 }),
    due_on: dateIn(timeZone, dueMs),
  }
  const task = writer.create('task', body, begunMs, by)
  const doneMs = whenAtWork(random, random.between(begunMs, dueMs), 0)
  if (!isOpen && doneMs < endMs) writer.change('task', task, { status: 'done' }, doneMs, by)
}
