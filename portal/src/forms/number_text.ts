// Numbers as people type them: `1,234.50`, `1.234,50`, `12,5`, `1 500`. A single separator before exactly three digits may mean
// thousands or a decimal point: such a number is never guessed at, and the form says beside the field how to write it.
import { currentLocale } from '../words/language.ts'
import { FieldFaults } from './faults.ts'
import { t } from './texts.ts'

type Read = { number: string } | { unclear: { whole: string; decimal: string } } | undefined

/** Groups of three; of two before the last one as well, as India writes them. */
const groups = { ',': /^\d{1,3}(?:,\d{2,3})*,\d{3}$/, '.': /^\d{1,3}(?:\.\d{3})+$/ }
type Sign = keyof typeof groups

const hasDecimalPoint = () =>
  new Intl.NumberFormat(currentLocale())
    .formatToParts(1.5)
    .some(({ type, value }) => type === 'decimal' && value === '.')

/** Whole digits, whose thousands may stand apart by `sign`; undefined where the signs stand elsewhere. */
function wholeOf(text: string, sign: Sign): string | undefined {
  if (/^\d*$/.test(text)) return text
  return groups[sign].test(text) ? text.replaceAll(sign, '') : undefined
}

const joined = (minus: string, whole: string, part = '') => `${minus}${whole || '0'}${part && `.${part}`}`

/**
 * @param places decimals that the field takes: none leaves thousands only, three or more let a decimal point stand where the
 * reader's language has one
 */
function read(typed: string, places: number): Read {
  const [, minus = '', text = ''] =
    /^([-−]?)(.*)$/.exec(typed.trim().replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '')) ?? []
  const sign = minus && '-'
  if (!/^[\d.,]*\d[\d.,]*$/.test(text)) return undefined
  const signs = text.match(/[.,]/g) ?? []
  if (signs.length === 0) return { number: sign + text }
  const last = signs.at(-1) as Sign
  const at = text.lastIndexOf(last)
  const [before, after] = [text.slice(0, at), text.slice(at + 1)]
  if (signs.length > 1 && signs.every(one => one === last)) {
    const whole = wholeOf(text, last)
    return whole === undefined ? undefined : { number: sign + whole }
  }
  const whole = wholeOf(before, last === ',' ? '.' : ',')
  if (whole === undefined || after === '') return undefined
  const isSpaced = /[\s'’]/.test(typed.trim())
  if (signs.length > 1 || isSpaced || after.length !== 3 || !/^[1-9]\d{0,2}$/.test(before))
    return { number: joined(sign, whole, after) }
  if (places === 0) return { number: joined(sign, whole + after) }
  if (places >= 3 && last === '.' && hasDecimalPoint()) return { number: joined(sign, whole, after) }
  return {
    unclear: {
      whole: joined(sign, whole + after),
      decimal: joined(sign, whole, places < 3 ? after.slice(0, places) : `${after}0`),
    },
  }
}

/** As the API takes it, with a point; what is no number, or no clear one, as it was typed: for the server to say so. */
export function decimalText(typed: string, places: number): string {
  const found = read(typed, places)
  return found !== undefined && 'number' in found ? found.number : typed.trim()
}

/** A whole number as the API takes it, null where none is typed; what is no number as it was typed: for the server to say so. */
export function wholeOrNull(typed: string): number | null {
  const text = decimalText(typed, 0)
  if (text === '') return null
  const number = Number(text)
  // Not a number would be sent as null, which is another answer.
  return Number.isNaN(number) ? (text as unknown as number) : number
}

/** How to write a number that can be read in two ways; undefined for any other text. */
export function unclearNumber(typed: string, places: number): string | undefined {
  const found = read(typed, places)
  return found !== undefined && 'unclear' in found ? t('unclearNumber', found.unclear) : undefined
}

/** A stored number as a form begins with it: one more zero where it could be read in two ways. */
export const clearText = (text: string, places: number) =>
  unclearNumber(text, places) === undefined ? text : `${text}0`

/** Throws what `useFormFaults` shows beside the fields, if a number of them can be read in two ways. */
export function refuseUnclear(numbers: readonly { field: string; text: string; places: number }[]): void {
  const faults = numbers.flatMap(({ field, text, places }) => {
    const fault = unclearNumber(text, places)
    return fault === undefined ? [] : [[field, fault] as const]
  })
  if (faults.length > 0) throw new FieldFaults(Object.fromEntries(faults))
}
