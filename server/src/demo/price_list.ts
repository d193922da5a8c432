// What the demo company sells, and the lines that end up on its invoices: machines, service, coffee and what goes
// with it.
import type { LineInput } from '../modules/finance/invoices/rules.ts'
import type { Company, Segment } from './people.ts'
import { countryBy } from './places.ts'
import type { Random } from './random.ts'

/** Price in US dollars before tax; food is taxed less in most countries. */
type Item = { name: string; price: number; food?: true }

const machines: readonly Item[] = [
  { name: 'Aurora E1 espresso machine, one group', price: 4290 },
  { name: 'Aurora E2 espresso machine, two groups', price: 7890 },
  { name: 'Aurora E3 espresso machine, three groups', price: 11_450 },
  { name: 'Piccolo B9 bean-to-cup machine', price: 5350 },
  { name: 'Stillwater batch brewer, 2 x 2.2 l', price: 1180 },
]
const grinders: readonly Item[] = [
  { name: 'K64 on-demand grinder', price: 1260 },
  { name: 'K83 twin-hopper grinder', price: 1890 },
]
const coffees: readonly Item[] = [
  { name: 'Harbor House blend, 1 kg', price: 21.9, food: true },
  { name: 'Night Ferry espresso, 1 kg', price: 23.4, food: true },
  { name: 'Huila single origin, 1 kg', price: 27.5, food: true },
  { name: 'Swiss Water decaf, 1 kg', price: 24.8, food: true },
]
const supplies: readonly Item[] = [
  { name: 'Paper cups 240 ml, carton of 1,000', price: 68 },
  { name: 'Paper cups 350 ml, carton of 1,000', price: 79.5 },
  { name: 'Cup lids, carton of 1,000', price: 39.5 },
  { name: 'Cleaning powder, 900 g', price: 18.9 },
  { name: 'Milk line cleaner, 1 l', price: 14.6 },
  { name: 'Water filter cartridge', price: 74 },
]
const parts: readonly Item[] = [
  { name: 'Group head seal set', price: 12.5 },
  { name: 'Boiler gasket kit', price: 46 },
  { name: 'Rotary pump', price: 148 },
  { name: 'Pressure switch', price: 63.2 },
  { name: 'Grinding burrs, pair', price: 94 },
]

export type OrderKind = 'machine' | 'coffee' | 'contract' | 'repair' | 'training'

const kindsBy: Record<Segment, Record<OrderKind, number>> = {
  café: { machine: 4, coffee: 64, contract: 14, repair: 14, training: 4 },
  bakery: { machine: 5, coffee: 60, contract: 16, repair: 16, training: 3 },
  hotel: { machine: 9, coffee: 46, contract: 24, repair: 17, training: 4 },
  restaurant: { machine: 5, coffee: 56, contract: 18, repair: 18, training: 3 },
  office: { machine: 9, coffee: 54, contract: 27, repair: 9, training: 1 },
  roastery: { machine: 14, coffee: 22, contract: 14, repair: 22, training: 28 },
}

/** What a customer who has machines already orders next. */
export function pickOrder(random: Random, { segment }: Company): OrderKind {
  return random.weighted(kindsBy[segment])
}

/** The lines of an order, one to five; `size` multiplies what is bought by the piece (1 is a small café). */
export function orderLines(random: Random, kind: OrderKind, company: Company, size: number): LineInput[] {
  const line = (item: Item, quantity: number): LineInput => lineOf(item, quantity, company)
  const few = (most: number) => Math.max(1, Math.round(random.between(0.5, most) * Math.min(size, 4)))
  switch (kind) {
    case 'machine': {
      const count = size > 3 ? random.int(1, 3) : 1
      const bought = [line(random.pick(machines), count)]
      if (random.chance(0.6)) bought.push(line(random.pick(grinders), count))
      bought.push(line({ name: 'Installation and calibration', price: 420 }, count))
      if (random.chance(0.35)) bought.push(line({ name: 'Barista training, half a day', price: 380 }, 1))
      if (random.chance(0.5)) bought.push(line({ name: 'Delivery', price: 95 }, 1))
      return bought
    }
    case 'coffee': {
      const bought = some(random, coffees, random.int(1, 2)).map(item => line(item, few(7) * 3))
      bought.push(...some(random, supplies, random.int(0, 3)).map(item => line(item, few(2.4))))
      return bought
    }
    case 'contract':
      return [line({ name: 'Service contract, one machine for a quarter', price: 310 }, Math.max(1, Math.round(size)))]
    case 'repair': {
      const labour = line({ name: 'Repair on site, per hour', price: 95 }, random.int(2, 14) / 4)
      const fitted = some(random, parts, random.int(0, 2)).map(item => line(item, random.int(1, 3)))
      return [labour, ...fitted, ...(random.chance(0.6) ? [line({ name: 'Call-out', price: 65 }, 1)] : [])]
    }
    case 'training':
      return [
        line({ name: 'Barista training, half a day', price: 380 }, random.int(1, 3)),
        ...(random.chance(0.3) ? [line({ name: 'Latte art course, per person', price: 90 }, random.int(2, 8))] : []),
      ]
  }
}

/** Different items of a list, in its order. */
function some(random: Random, items: readonly Item[], count: number): Item[] {
  const chosen = new Set<Item>()
  while (chosen.size < Math.min(count, items.length)) chosen.add(random.pick(items))
  return items.filter(item => chosen.has(item))
}

function lineOf({ name, price, food }: Item, quantity: number, { country, city }: Company): LineInput {
  const { rate, tax, foodTax } = countryBy(country)
  const here = price * rate
  const unit = here < 100 ? 0.1 : here < 1000 ? 1 : 10
  return {
    description: name,
    quantity: String(quantity),
    unit_price: (Math.round(here / unit) * unit).toFixed(2),
    tax_rate: String(food ? foodTax : (city.tax ?? tax)),
  }
}
