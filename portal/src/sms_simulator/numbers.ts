// The numbers a handset may have: those of the simulator, +1 500 555 and four digits. Some of them have a mind of their own in
// the test mode; every other one, and in the live mode all of them, is a phone that is switched on.

type KnownNumber = { number: string; does: string }

const prefix = '+1500555'

export const defaultNumber = `${prefix}0100`

/** What the simulator does with texts to its numbers in the test mode. */
export const knownNumbers: readonly KnownNumber[] = [
  { number: `${prefix}0100`, does: 'Receives after a second' },
  { number: `${prefix}0103`, does: 'The carrier throttles twice, then it receives' },
  { number: `${prefix}0105`, does: "The receipt overtakes the carrier's answer" },
  { number: `${prefix}0106`, does: 'The receipt comes three times' },
  { number: `${prefix}0110`, does: 'Answers STOP by itself' },
  { number: `${prefix}0111`, does: 'Answers HELP by itself' },
  { number: `${prefix}0101`, does: 'Never receives: unknown subscriber' },
  { number: `${prefix}0102`, does: 'Never receives: filtered as spam' },
  { number: `${prefix}0104`, does: 'No receipt ever comes' },
  { number: `${prefix}0107`, does: 'Texts to it expire' },
]

/** A number of the simulator from any spelling, or from its last four digits; undefined when it is none. */
export function simulatorNumber(text: string): string | undefined {
  const digits = text.replace(/\D/g, '')
  const last = /^(?:1?500555)?(\d{4})$/.exec(digits)?.[1]
  return last === undefined || /[a-z]/i.test(text) ? undefined : prefix + last
}

/** A number that nobody has taken yet, most likely; one without fixed outcomes. */
export function freshNumber(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  return prefix + String(1_000 + (random % 9_000))
}

/** `+1 500 555 0100`; other numbers and names as they are. */
export function spokenNumber(address: string): string {
  return address.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '+1 $1 $2 $3')
}
