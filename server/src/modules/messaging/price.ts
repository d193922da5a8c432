// Prices of messages: millionths of a currency inside, decimals outside. Pure.

/** Millionths as a decimal without trailing zeros: 7500 is `0.0075`. */
export function microsText(micros: number): string {
  const digits = String(micros).padStart(7, '0')
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '')
}

/** A decimal of at most six places in millionths: `0.0075` is 7500; undefined when it is none. */
export function microsOf(text: string): number | undefined {
  const match = /^(\d{1,9})(?:\.(\d{1,6}))?$/.exec(text)
  if (match === null) return undefined
  return Number(match[1]) * 1_000_000 + Number((match[2] ?? '').padEnd(6, '0'))
}
