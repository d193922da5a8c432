// Where the demo company's customers are: countries with their cities, telephone ranges, taxes and money. All numbers
// lie in ranges that the regulators keep for fiction (NANP 555-0100 to 0199, Ofcom, Bundesnetzagentur, ARCEP, PTS,
// ComReg, ACMA) or belong to the simulator.
import type { Random } from './random.ts'

/** Numbers that begin with `prefix`, followed by `from` and the numbers after it, in `digits` digits. */
export type PhoneRange = { prefix: string; digits: number; from: number; count: number }

export type City = {
  name: string
  /** State or province, where addresses name it. */
  region?: string
  zip: string
  phones: PhoneRange
  /** Percent; that of the country when it is missing. */
  tax?: number
}

export type Country = {
  name: string
  language: 'en' | 'de' | 'fr' | 'sv'
  /** How many of a hundred customers are here. */
  share: number
  /** Hours ahead of UTC in winter. */
  utcOffset: number
  currency: string
  /** What one US dollar of the price list is sold for. */
  rate: number
  /** Percent on goods and services, and on food such as coffee. */
  tax: number
  foodTax: number
  taxId?: (random: Random) => string
  /** Ranges of mobile phones, where they can be distinguished from others. */
  mobiles?: readonly PhoneRange[]
  cities: readonly City[]
}

const range = (prefix: string, digits: number, from: number, count: number): PhoneRange => ({
  prefix,
  digits,
  from,
  count,
})
const nanp = (area: number) => range(`+1${area}555`, 4, 100, 100)
const digits = (random: Random, count: number) => Array.from({ length: count }, () => random.int(0, 9)).join('')

/** Numbers of the simulator that do nothing by themselves: phones that are switched on. */
export const handsets = range('+1500555', 4, 1_000, 8_000)

function us(name: string, region: string, zip: string, area: number, tax: number): City {
  return { name, region, zip, phones: nanp(area), tax }
}

function other(name: string, zip: string, phones: PhoneRange, region?: string): City {
  return { name, zip, phones, ...(region === undefined ? {} : { region }) }
}

export const countries = {
  US: {
    name: 'United States',
    language: 'en',
    share: 42,
    utcOffset: -6,
    currency: 'USD',
    rate: 1,
    tax: 0,
    foodTax: 0,
    cities: [
      us('New York', 'NY', '10013', 212, 8.875),
      us('Brooklyn', 'NY', '11211', 718, 8.875),
      us('Boston', 'MA', '02116', 617, 6.25),
      us('Portland', 'ME', '04101', 207, 5.5),
      us('Philadelphia', 'PA', '19106', 215, 8),
      us('Washington', 'DC', '20009', 202, 6),
      us('Atlanta', 'GA', '30308', 404, 8.9),
      us('Miami', 'FL', '33127', 305, 7),
      us('Nashville', 'TN', '37206', 615, 9.25),
      us('Chicago', 'IL', '60614', 312, 10.25),
      us('Detroit', 'MI', '48201', 313, 6),
      us('Minneapolis', 'MN', '55408', 612, 9.025),
      us('St. Louis', 'MO', '63110', 314, 9.679),
      us('New Orleans', 'LA', '70117', 504, 9.45),
      us('Austin', 'TX', '78704', 512, 8.25),
      us('Houston', 'TX', '77007', 713, 8.25),
      us('Denver', 'CO', '80205', 303, 8.81),
      us('Salt Lake City', 'UT', '84111', 801, 7.75),
      us('Phoenix', 'AZ', '85004', 602, 8.6),
      us('San Diego', 'CA', '92104', 619, 7.75),
      us('Los Angeles', 'CA', '90026', 213, 9.5),
      us('San Francisco', 'CA', '94110', 415, 8.625),
      us('Portland', 'OR', '97214', 503, 0),
      us('Seattle', 'WA', '98122', 206, 10.35),
    ],
  },
  CA: {
    name: 'Canada',
    language: 'en',
    share: 8,
    utcOffset: -5,
    currency: 'CAD',
    rate: 1.35,
    tax: 13,
    foodTax: 0,
    cities: [
      { ...other('Toronto', 'M5V 2T6', nanp(416), 'ON') },
      { ...other('Ottawa', 'K1N 5X7', nanp(613), 'ON') },
      { ...other('Montréal', 'H2W 1Z5', nanp(514), 'QC'), tax: 14.975 },
      { ...other('Calgary', 'T2S 0B5', nanp(403), 'AB'), tax: 5 },
      { ...other('Vancouver', 'V6B 2W9', nanp(604), 'BC'), tax: 12 },
    ],
  },
  GB: {
    name: 'United Kingdom',
    language: 'en',
    share: 16,
    utcOffset: 0,
    currency: 'GBP',
    rate: 0.8,
    tax: 20,
    foodTax: 0,
    taxId: random => `GB${digits(random, 9)}`,
    mobiles: [range('+447700900', 3, 0, 1000)],
    cities: [
      other('London', 'E2 7DJ', range('+4420794', 5, 60000, 1000)),
      other('Manchester', 'M4 5JD', range('+44161496', 4, 0, 1000)),
      other('Birmingham', 'B18 6HD', range('+44121496', 4, 0, 1000)),
      other('Leeds', 'LS1 6HW', range('+44113496', 4, 0, 1000)),
      other('Bristol', 'BS1 6EW', range('+44117496', 4, 0, 1000)),
      other('Edinburgh', 'EH6 6QH', range('+44131496', 4, 0, 1000)),
      other('Glasgow', 'G3 8RE', range('+44141496', 4, 0, 1000)),
      other('Cardiff', 'CF10 1BH', range('+442920180', 3, 0, 1000)),
    ],
  },
  DE: {
    name: 'Germany',
    language: 'de',
    share: 13,
    utcOffset: 1,
    currency: 'EUR',
    rate: 0.95,
    tax: 19,
    foodTax: 7,
    taxId: random => `DE${random.int(1, 3)}${digits(random, 8)}`,
    mobiles: [range('+491713920', 3, 0, 100), range('+4917604069', 3, 0, 100)],
    cities: [
      other('Berlin', '10999', range('+493023125', 3, 0, 1000)),
      other('Hamburg', '20359', range('+494066969', 3, 0, 1000)),
      other('München', '80469', range('+498999998', 3, 0, 1000)),
      other('Köln', '50674', range('+492214710', 3, 0, 1000)),
      other('Frankfurt am Main', '60316', range('+496990009', 3, 0, 1000)),
    ],
  },
  FR: {
    name: 'France',
    language: 'fr',
    share: 9,
    utcOffset: 1,
    currency: 'EUR',
    rate: 0.95,
    tax: 20,
    foodTax: 5.5,
    taxId: random => `FR${digits(random, 11)}`,
    mobiles: [range('+3363998', 4, 0, 10_000)],
    cities: [
      other('Paris', '75011', range('+3319900', 4, 0, 10_000)),
      other('Nantes', '44000', range('+3326191', 4, 0, 10_000)),
      other('Strasbourg', '67000', range('+3335301', 4, 0, 10_000)),
      other('Lyon', '69001', range('+3346571', 4, 0, 10_000)),
      other('Bordeaux', '33000', range('+3353649', 4, 0, 10_000)),
    ],
  },
  AU: {
    name: 'Australia',
    language: 'en',
    share: 6,
    utcOffset: 10,
    currency: 'AUD',
    rate: 1.5,
    tax: 10,
    foodTax: 0,
    taxId: random => `ABN ${digits(random, 2)} ${digits(random, 3)} ${digits(random, 3)} ${digits(random, 3)}`,
    cities: [
      other('Sydney', '2010', range('+6125550', 4, 0, 10_000), 'NSW'),
      other('Melbourne', '3065', range('+6135550', 4, 0, 10_000), 'VIC'),
      other('Brisbane', '4101', range('+6175550', 4, 0, 10_000), 'QLD'),
      other('Perth', '6004', range('+6185550', 4, 0, 10_000), 'WA'),
    ],
  },
  SE: {
    name: 'Sweden',
    language: 'sv',
    share: 4,
    utcOffset: 1,
    currency: 'SEK',
    rate: 10.5,
    tax: 25,
    foodTax: 12,
    taxId: random => `SE${digits(random, 10)}01`,
    mobiles: [range('+46701740', 3, 605, 95)],
    cities: [
      other('Stockholm', '116 40', range('+468465004', 2, 0, 100)),
      other('Göteborg', '413 01', range('+46313900', 3, 600, 100)),
      other('Malmö', '214 22', range('+46406280', 3, 400, 100)),
    ],
  },
  IE: {
    name: 'Ireland',
    language: 'en',
    share: 2,
    utcOffset: 0,
    currency: 'EUR',
    rate: 0.95,
    tax: 23,
    foodTax: 0,
    taxId: random => `IE${digits(random, 7)}${random.pick([...'ABCDEFGHIJKLMNOPQRSTUVW'])}`,
    cities: [
      other('Dublin', 'D02 X285', range('+3532091', 5, 0, 50_000)),
      other('Cork', 'T12 W8KP', range('+3532091', 5, 50_000, 50_000)),
    ],
  },
} as const satisfies Record<string, Country>

export type CountryCode = keyof typeof countries

export function countryBy(code: CountryCode): Country {
  return countries[code]
}

/**
 * Whether a number can take texts: in North America any may, in Europe mobile phones; elsewhere none here is known
 * to.
 */
export function takesTexts(phone: string, code: CountryCode): boolean {
  if (code === 'US' || code === 'CA') return true
  return countryBy(code).mobiles?.some(({ prefix }) => phone.startsWith(prefix)) ?? false
}

/** A country, as often as its share says. */
export function pickCountry(random: Random): CountryCode {
  const shares = Object.entries(countries).map(([code, { share }]) => [code, share])
  return random.weighted(Object.fromEntries(shares) as Record<CountryCode, number>)
}

/** Hands out the numbers of ranges, each one once, with steps between them as a telephone book has. */
export function phoneBook() {
  const given = new Map<string, number>()
  return (random: Random, { prefix, digits, from, count }: PhoneRange): string | undefined => {
    const key = `${prefix} ${from}`
    const taken = given.get(key) ?? 0
    if (taken >= count) return undefined
    given.set(key, taken + 1 + (count > 500 ? random.int(0, 1) : 0))
    // 61 has no divisor in common with the sizes of ranges, which are made of twos and fives (or are 95): all come
    // once.
    const place = from + ((taken * 61 + 17) % count)
    return prefix + String(place).padStart(digits, '0')
  }
}
