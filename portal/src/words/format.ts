// Numbers, money, days, times and lists as the chosen locale writes them. `ui/format.tsx` draws them.
import { decimalsOf } from './currency_decimals.ts'
import { displayNames, formatters, listFormat, relativeFormat } from './formatters.ts'
import { currentLocale } from './language.ts'

export function numberText(value: number, options?: Intl.NumberFormatOptions): string {
  return formatters.getNumberFormat(currentLocale(), options).format(value)
}

/** @param isExact false where there are more: `1,000+` */
export function countText(count: number, isExact = true): string {
  return `${numberText(count)}${isExact ? '' : '+'}`
}

/**
 * With the decimals that the currency has: browsers leave those out that are seldom used, as of HUF, IDR and COP.
 * @param currency ISO 4217; @param isExact leaves no decimal of a unit price out
 */
export function moneyText(amount: number, currency: string, isExact = false): string {
  const decimals = decimalsOf(currency)
  const [minimumFractionDigits, maximumFractionDigits] = [decimals, isExact ? 6 : decimals]
  return numberText(amount, { style: 'currency', currency, minimumFractionDigits, maximumFractionDigits })
}

/** "Nov 26, 2026"; "26.11.2026". */
export function dayText(moment: Date | number, options: Intl.DateTimeFormatOptions = { dateStyle: 'medium' }): string {
  return formatters.getDateTimeFormat(currentLocale(), options).format(moment)
}

/** A calendar day, YYYY-MM-DD: no time zone moves it. */
export function calendarDayText(date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return dayText(new Date(year, month - 1, day))
}

/** Day and time to the second. */
export function momentText(moment: Date | number): string {
  return dayText(moment, { dateStyle: 'medium', timeStyle: 'medium' })
}

/** "2:05 PM"; "14:05". */
export function timeText(moment: Date | number): string {
  return dayText(moment, { timeStyle: 'short' })
}

const steps: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [60, 'second'],
  [3_600, 'minute'],
  [86_400, 'hour'],
  [7 * 86_400, 'day'],
]
const unitSeconds: Partial<Record<Intl.RelativeTimeFormatUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
}

/** "12 sec. ago", "yesterday"; beyond a week the day itself. */
export function relativeTime(iso: string, nowMs: number): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000
  const format = relativeFormat({ numeric: 'auto', style: 'short' })
  for (const [limit, unit] of steps) {
    if (Math.abs(seconds) < limit) return format.format(Math.round(seconds / (unitSeconds[unit] ?? 1)), unit)
  }
  return dayText(new Date(iso))
}

/** "a, b and c". */
export function listText(items: readonly string[], type: Intl.ListFormatType = 'conjunction'): string {
  return listFormat({ type }).format(items)
}

/** The same for what is no text: the places of the elements, and what stands between them. */
export function listParts(count: number): (number | string)[] {
  const places = Array.from({ length: count }, (_, place) => String(place))
  const parts = listFormat({ type: 'conjunction' }).formatToParts(places)
  return parts.map(({ type, value }) => (type === 'element' ? Number(value) : value))
}

const fixed = (value: number, digits: number) =>
  numberText(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** "0.4 ms", "61 ms", "1.24 s", "3 min 5 s": the signs of the units are the same in all languages. */
export function durationText(ms: number): string {
  if (ms < 10) return `${fixed(ms, 1)} ms`
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${fixed(ms / 1_000, ms < 10_000 ? 2 : 1)} s`
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** "412 B", "1.2 kB", "6.0 MB" (powers of 1,000). */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`
  if (bytes < 1_000_000) return `${fixed(bytes / 1_000, 1)} kB`
  if (bytes < 1_000_000_000) return `${fixed(bytes / 1_000_000, 1)} MB`
  return `${fixed(bytes / 1_000_000_000, 1)} GB`
}

/** The name of a country (ISO 3166), language (BCP 47) or currency (ISO 4217); the code where it has none. */
export function nameOfCode(type: 'region' | 'language' | 'currency', code: string): string {
  try {
    return displayNames({ type }).of(code) ?? code
  } catch {
    return code
  }
}
