// The numbers a handset may have: those of the simulator, +1 500 555 and four digits. Some of them have a mind of their own in
// the test mode; every other one, and in the live mode all of them, is a phone that is switched on.

/** `does` is named in the texts. */
type KnownNumber = {
  number: string
  does: 'receives' | 'throttled' | 'overtaken' | 'thrice' | 'stop' | 'help' | 'unknown' | 'spam' | 'silent' | 'expires'
}

const prefix = '+1500555'

export const defaultNumber = `${prefix}0100`

/** What the simulator does with texts to its numbers in the test mode. */
export const knownNumbers: readonly KnownNumber[] = [
  { number: `${prefix}0100`, does: 'receives' },
  { number: `${prefix}0103`, does: 'throttled' },
  { number: `${prefix}0105`, does: 'overtaken' },
  { number: `${prefix}0106`, does: 'thrice' },
  { number: `${prefix}0110`, does: 'stop' },
  { number: `${prefix}0111`, does: 'help' },
  { number: `${prefix}0101`, does: 'unknown' },
  { number: `${prefix}0102`, does: 'spam' },
  { number: `${prefix}0104`, does: 'silent' },
  { number: `${prefix}0107`, does: 'expires' },
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
