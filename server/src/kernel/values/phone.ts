// Telephone numbers: every usual spelling in, E.164 with `+` out. A number is taken when its country calling code
// exists and its length is possible there, not only when its range is already handed out: numbering plans change
// faster than any table, and the fictional numbers of documentation and of the simulator (+1 555 010 0001,
// +1 500 555 0006) must pass. Only the carrier knows whether a number is in service.
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type NumberingPlan,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'

// The `/min` tables hold lengths, prefixes and area codes, all that is needed here: `/max` adds what distinguishes mobile from
// fixed, takes no less time and half as much memory again.

const E164 = /^\+[1-9]\d{5,14}$/ // 15 digits at most: ITU-T E.164 §6.2.1
const MAX_INPUT = 64

/** Whether a value is a country that national numbers can be read for: ISO 3166-1 alpha-2, `DE`. */
export function isCountry(country: string): boolean {
  return isSupportedCountry(country)
}

/** What numbers of a country begin with in E.164: `+49` for `DE`; undefined for what is no country. */
export function callingCode(country: string): string | undefined {
  return isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : undefined
}

/**
 * The E.164 form (`+4930123456`) of a number in any usual spelling, or undefined when it is none.
 * Takes spaces, dots, dashes, slashes and parentheses, `00` for `+`, `tel:` URIs (RFC 3966), full-width and Arabic
 * digits, a superfluous trunk zero (`+44 (0)20 …`); national spellings only with `defaultCountry`, whose own
 * international prefix (`011`) is then known too. A number with an extension is refused: E.164 cannot hold it.
 */
export function parsePhone(input: string, defaultCountry?: string): string | undefined {
  if (isE164(input)) return input
  if (input.length > MAX_INPUT) return undefined
  const text = plainText(input)
  if (text === undefined) return undefined
  const country =
    defaultCountry !== undefined && isCountry(defaultCountry) ? (defaultCountry as CountryCode) : undefined
  for (const [spelling, home] of readings(text, country)) {
    const number = canonical(spelling, home)
    if (number !== undefined) return number
  }
  return undefined
}

/** What is wrong with a text of which `parsePhone` makes no number, and what to do about it. */
export function phoneFault(defaultCountry: string | null): { code: string; message: string } {
  const message =
    defaultCountry === null
      ? 'has no country code: send it with + (such as +15550100001), or let an Admin set the default country of the organization'
      : `is neither an international number with + (such as +15550100001) nor a number of the default country ${defaultCountry}`
  return { code: 'wrong_format', message }
}

// Written forms that change nothing: compatibility characters (full-width digits, plus, brackets), marks that a copied
// contact brings along (bidirectional isolates, byte order mark), the frame of a `tel:` URI.
function plainText(input: string): string | undefined {
  let text = input
    .normalize('NFKC')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^\( ?(?=\+|0 ?0)/, '') // "(+44) 20 …": the bracket left open is skipped like any other
  if (!/^tel:/i.test(text)) return text
  const [number = '', ...parameters] = text.slice(4).split(';')
  text = number.trim()
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=')
    if (name.toLowerCase() === 'ext' || name.toLowerCase() === 'isub') return undefined
    if (name.toLowerCase() === 'phone-context' && value.startsWith('+') && !text.startsWith('+')) text = value + text
  }
  return text
}

// `00` means `+` nearly everywhere, but a country may have another international prefix, perhaps beginning with 00
// (Australia's 0011). Where its own prefix fits, that reading comes first.
function readings(text: string, country: CountryCode | undefined): [string, CountryCode | undefined][] {
  const own: [string, CountryCode | undefined] = [text, country]
  if (!/^0[ -]?0/.test(text)) return [own]
  const plus: [string, CountryCode | undefined] = [text.replace(/^0[ -]?0\)?/, '+'), undefined]
  if (country === undefined) return [plus]
  const metadata = new Metadata()
  metadata.selectNumberingPlan(country)
  const idd = new RegExp(`^(?:${metadata.numberingPlan?.IDDPrefix()})`)
  return idd.test(text.replace(/\D/g, '')) ? [own, plus] : [plus, own]
}

// Reads until nothing changes, so that what comes out is what comes out again.
function canonical(spelling: string, country: CountryCode | undefined): string | undefined {
  let number = read(spelling, country)
  for (let i = 0; i < 3 && number !== undefined; i++) {
    const again = read(number.number)
    if (again?.number === number.number) return E164.test(number.number) ? number.number : undefined
    number = again
  }
  return undefined
}

function read(spelling: string, country?: CountryCode): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(spelling, { defaultCountry: country, extract: false })
  if (number === undefined || number.ext !== undefined) return undefined
  if (number.isPossible()) return number
  const withoutOne = mexicanMobile.exec(number.number)
  return withoutOne === null ? undefined : read(`+52${withoutOne[1]}`)
}

/** Until 2019 mobile numbers of Mexico had a 1 behind the country code; networks and address books go on writing it. */
const mexicanMobile = /^\+521(\d{10})$/

// What the shortcut of `isE164` knows of a calling code.
type Plan = {
  countries: CountryCode[]
  /** Bit n is set when n national digits are possible in every country of the code. */
  lengths: number
  /** What a full reading might take for a trunk or carrier prefix of one of the countries, and strip or rewrite. */
  prefix: RegExp | undefined
}

// The library's class has these methods, its typings leave them out; a property test holds the shortcut to the full
// reading.
type PrefixedPlan = NumberingPlan & {
  nationalPrefixForParsing(): string | undefined
  nationalPrefix(): string | 0 | undefined
}

// Indexed by calling code. Codes of no country (+800, +881) are missing: their numbers are always read in full.
const plans: (Plan | undefined)[] = new Array(1000).fill(undefined)

for (const country of getCountries()) {
  const metadata = new Metadata()
  metadata.selectNumberingPlan(country)
  const numbering = metadata.numberingPlan as PrefixedPlan
  const code = Number(getCountryCallingCode(country))
  plans[code] ??= { countries: [], lengths: -1, prefix: undefined }
  const plan = plans[code]
  plan.countries.push(country)
  plan.lengths &= numbering.possibleLengths().reduce((bits, length) => bits | (1 << length), 0)
  const prefix = numbering.nationalPrefixForParsing()
  if (prefix) plan.prefix = new RegExp(plan.prefix ? `${plan.prefix.source}|^(?:${prefix})` : `^(?:${prefix})`)
}

// Calling codes are prefix-free: the first that fits is the one (ITU-T E.164 Annex D).
function codeLengthOf(number: string): number {
  let code = 0
  for (let length = 1; length <= 3; length++) {
    code = code * 10 + number.charCodeAt(length) - 48
    if (plans[code] !== undefined) return length
  }
  return 0
}

/**
 * Whether a string is a possible number in E.164 form with `+`, as `parsePhone` gives it: no blanks, an existing
 * calling code, a possible length, no superfluous trunk prefix.
 */
export function isE164(s: string): boolean {
  if (!E164.test(s)) return false
  const codeLength = codeLengthOf(s)
  if (codeLength > 0) {
    const plan = plans[Number(s.slice(1, codeLength + 1))]!
    const national = s.slice(codeLength + 1)
    if ((plan.lengths & (1 << national.length)) !== 0 && !plan.prefix?.test(national)) return true
  }
  return canonical(s, undefined) === s
}

/** Whether a string is written as a number in E.164 is, though no plan may have such numbers: what the database takes for one. */
export function looksLikeE164(s: string): boolean {
  return E164.test(s)
}

/**
 * The country (ISO 3166-1 alpha-2) of an E.164 number; undefined for international services (+800), and for a number
 * under a shared code (+1, +44, +7 …) that belongs to no range handed out, such as +1 555 010 0001.
 */
export function countryOf(e164: string): string | undefined {
  if (!E164.test(e164)) return undefined
  const codeLength = codeLengthOf(e164)
  if (codeLength === 0) return undefined
  const { countries } = plans[Number(e164.slice(1, codeLength + 1))]!
  return countries.length === 1 ? countries[0] : read(e164)?.country
}

/**
 * What a phone in a country dials for an E.164 number, digits only: `030123456` for a number of the country (with its trunk
 * prefix, where it has one), `0044…` for another. Undefined for what is no number or no country.
 */
export function dialledIn(e164: string, country: string): string | undefined {
  const code = callingCode(country)
  const number = E164.test(e164) ? read(e164) : undefined
  if (code === undefined || number === undefined) return undefined
  // Countries that share a code dial each other like themselves.
  const isHome = e164.startsWith(code)
  const text = isHome ? number.formatNational() : number.format('IDD', { fromCountry: country as CountryCode })
  const digits = (text ?? '').replaceAll(/\D/g, '')
  // Some countries have an international prefix for each carrier (Brazil): 00 is what ITU-T E.123 recommends to all.
  return digits === '' ? `00${e164.slice(1)}` : digits
}

/**
 * The E.164 form of digits that are a whole number where they are dialled, without anything before them: in countries that have no
 * trunk prefix (`22123456` in Norway). Undefined elsewhere, and for what is of no range handed out.
 */
export function bareNumber(digits: string, country: string): string | undefined {
  if (!isCountry(country)) return undefined
  const metadata = new Metadata()
  metadata.selectNumberingPlan(country as CountryCode)
  if ((metadata.numberingPlan as PrefixedPlan).nationalPrefix()) return undefined
  const number = read(digits, country as CountryCode)
  return number?.isValid() === true ? number.number : undefined
}

/** The digits of an E.164 number behind its country code; undefined where it has none that is known. */
export function nationalDigits(e164: string): string | undefined {
  const codeLength = E164.test(e164) ? codeLengthOf(e164) : 0
  return codeLength === 0 ? undefined : e164.slice(codeLength + 1)
}

/** Whether a number in E.164 is one of the simulator: +1 500 555 and four digits, which no telephone network has. */
export function isSimulatorNumber(number: string): boolean {
  return /^\+1500555\d{4}$/.test(number)
}
