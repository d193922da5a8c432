// What kind of number a destination is: ordinary, or one of the kinds that fraud lives from. Two sources: Google's
// libphonenumber, in its full tables, lists the premium-rate, shared-cost and personal ranges of each country; the codes
// that belong to no country are those of ITU-T's list of assigned codes, below.
import { type CountryCode, getCountries, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/core'
import metadata from 'libphonenumber-js/metadata.max'
import { callingCode, isE164, parsePhone } from '../../kernel/values/phone.ts'
import type { NumberFacts, NumberKind, ShutKind } from './rules.ts'

/**
 * Ranges that no table of a country holds. Source: ITU-T, "List of Recommendation ITU-T E.164 assigned country codes"
 * (Annex to the Operational Bulletin), with the networks of +881, +882 and +883 as its notes name them; +1 900 is the
 * NANP's pay-per-call code (47 CFR 64.1506) as a whole, not only what of it is handed out.
 */
const ranges: readonly (readonly [prefix: string, kind: ShutKind])[] = [
  ['+1900', 'premium_rate'],
  ['+979', 'premium_rate'], // International Premium Rate Service
  ['+808', 'shared_cost'], // International Shared Cost Service
  ['+878', 'personal'], // Universal Personal Telecommunication
  ['+870', 'satellite'], // Inmarsat
  ['+881', 'satellite'], // Global Mobile Satellite System: Iridium, Globalstar
  ['+88213', 'satellite'], // EMSAT
  ['+88216', 'satellite'], // Thuraya
  ['+882', 'international_network'],
  ['+883', 'international_network'],
  ['+888', 'international_network'], // once disaster relief, withdrawn
  ['+991', 'international_network'], // a trial of public correspondence
]

/** The numbers with fixed outcomes: they stand in the personal range of the NANP, and reach nobody. */
const simulatorPrefix = '+1500555'

type Entry = { kind: ShutKind; begins: RegExp }
type Plan = { shut: Entry[]; ordinary: RegExp[] }
// The library's class has these, its typings leave them out.
type TypedPlan = { type(name: string): { pattern(): string } | undefined }

const shutTypes = [
  ['PREMIUM_RATE', 'premium_rate'],
  ['SHARED_COST', 'shared_cost'],
  ['PERSONAL_NUMBER', 'personal'],
] as const
const ordinaryTypes = ['FIXED_LINE', 'MOBILE', 'TOLL_FREE', 'VOIP', 'UAN']

/** By calling code, with the plus. Countries that share a code mostly share these patterns, too. */
const plans = new Map<string, Plan>()
const seen = new Set<string>()

for (const country of getCountries(metadata)) {
  const reader = new Metadata(metadata)
  reader.selectNumberingPlan(country)
  const types = reader.numberingPlan as unknown as TypedPlan
  const code = callingCode(country) as string
  const plan: Plan = plans.get(code) ?? { shut: [], ordinary: [] }
  plans.set(code, plan)
  for (const [type, kind] of shutTypes) {
    const pattern = types.type(type)?.pattern()
    if (pattern && isNew(`${code} ${kind} ${pattern}`)) plan.shut.push({ kind, begins: new RegExp(`^(?:${pattern})`) })
  }
  for (const type of ordinaryTypes) {
    const pattern = types.type(type)?.pattern()
    if (pattern && isNew(`${code} ${pattern}`)) plan.ordinary.push(new RegExp(`^(?:${pattern})$`))
  }
}

function isNew(text: string): boolean {
  const isFirst = !seen.has(text)
  seen.add(text)
  return isFirst
}
seen.clear()

/** Calling codes are prefix-free: the first that fits is the one (ITU-T E.164 Annex D). */
function codeOf(number: string): string | undefined {
  for (const length of [2, 3, 4]) if (plans.has(number.slice(0, length))) return number.slice(0, length)
  return undefined
}

/**
 * The kind of a number with plus and digits. Networks pass over digits that are too many, so a number that goes on after one
 * of a shut range is of that range, unless it is complete as an ordinary one.
 */
export function kindOf(number: string): NumberKind {
  if (number.startsWith(simulatorPrefix)) return 'ordinary'
  for (const [prefix, kind] of ranges) if (number.startsWith(prefix)) return kind
  const code = codeOf(number)
  if (code === undefined) return 'ordinary'
  const { shut, ordinary } = plans.get(code) as Plan
  const national = number.slice(code.length)
  for (const { kind, begins } of shut) {
    const [match] = begins.exec(national) ?? []
    if (match === undefined) continue
    if (match.length === national.length || !ordinary.some(pattern => pattern.test(national))) return kind
  }
  return 'ordinary'
}

/**
 * The country (ISO 3166-1 alpha-2) that a number counts as: the one whose range it is, else the first of its calling code, as
 * numbers that are handed out tomorrow are in no table today. Null for codes of no country.
 */
export function countryOfDestination(number: string): string | null {
  const country = parsePhoneNumberFromString(number, metadata)?.country
  if (country !== undefined) return country
  const code = codeOf(number)
  return code === undefined ? null : (metadata.country_calling_codes[code.slice(1)]?.[0] ?? null)
}

/** What is known of a number. The country is looked for when somebody asks: it takes longer. */
export function factsOf(number: string): NumberFacts {
  let country: string | null | undefined
  return {
    number,
    kind: kindOf(number),
    get country() {
      if (country === undefined) country = countryOfDestination(number)
      return country
    },
  }
}

/**
 * What a destination may mean as a telephone number, in every reading: of a number it is itself. A SIP address whose user part is
 * one reaches it, too, where a carrier knows this server by its address; without plus it may be with 00, 011 or as dialled in the
 * country. Nothing for what is no number: a name, an extension, a phone in a browser.
 */
export function readingsOf(to: string, country: string | null): NumberFacts[] {
  if (to.startsWith('+')) return [factsOf(to)]
  const part = /^sips?:/i.test(to) ? /^sips?:([^@]+)@/i.exec(to)?.[1] : /^(?:tel:)?([+\d%].*)$/i.exec(to)?.[1]
  if (part === undefined) return []
  // What follows are a password or parameters; signs between digits mean nothing.
  const text = unescaped(part)
    .replace(/[;:?].*$/, '')
    .replace(/[^\p{L}\d+*#,]/gu, '')
  if (/\p{L}/u.test(text)) return []
  if (/^\+[1-9]\d{6,}$/.test(text)) return inFull([text])
  // Before a number may stand a service (*31#) or a carrier's prefix (12345#), behind it what is typed after the answer.
  const runs = text.split(/[+*#,]/).filter(digits => digits.length >= 7)
  return inFull(runs.flatMap(digits => spellings(digits, country)))
}

/** What digits without plus may mean: with 00 or 011 in front, as they are, or as dialled in the country. */
function spellings(digits: string, country: string | null): string[] {
  const home = country === null ? undefined : callingCode(country as CountryCode)
  return [
    `+${digits.replace(/^0+(?=\d{7})/, '')}`,
    `+${digits.replace(/^0+11(?=\d{7})/, '')}`,
    `+${digits}`,
    ...(home === undefined ? [] : [`${home}${digits.replace(/^0/, '')}`]),
  ]
}

/** Each number once, and what networks make of it that pass over a superfluous trunk prefix: +44 0901 … is +44 901 …. */
function inFull(numbers: readonly string[]): NumberFacts[] {
  const all = numbers.flatMap(number => [number, parsePhone(number) ?? number])
  return [...new Set(all)].map(factsOf)
}

function unescaped(user: string): string {
  try {
    return decodeURIComponent(user)
  } catch {
    return user
  }
}

/** Whether a text can stand as the beginning of numbers: plus and digits, of a calling code there is or part of one. */
export function isPrefix(text: string): boolean {
  return /^\+[1-9]\d{0,14}$/.test(text)
}

/** Whether a number can be looked at as it is. */
export function isNumber(text: string): boolean {
  return isE164(text)
}
