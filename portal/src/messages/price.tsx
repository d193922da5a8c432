// Prices of messages: decimals of up to six places, as text and with their currency.

/** "$0.0075"; a dash where nothing is charged. */
export function priceText(price: string | null, currency: string | null): string {
  if (price === null || currency === null) return '–'
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 6 }
  return new Intl.NumberFormat(undefined, { style: 'currency', currency, ...digits }).format(Number(price))
}
