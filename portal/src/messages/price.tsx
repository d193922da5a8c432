// Prices of messages: decimals of up to six places, as text and with their currency.
import { numberText } from '../words/format.ts'

/** "$0.0075"; a dash where nothing is charged. */
export function priceText(price: string | null, currency: string | null): string {
  if (price === null || currency === null) return '–'
  return numberText(Number(price), {
    style: 'currency',
    currency,
    minimumFractionDigits: 2,
    maximumFractionDigits: 6,
  })
}
