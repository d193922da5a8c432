// Passwords: argon2id at the floor OWASP gives (19 MiB, 2 passes, 1 lane), never more hashes at once than processors,
// and a short queue in front, so a flood of logins can exhaust neither memory nor the event loop.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Problem } from '../../../kernel/problem.ts'

// algorithm 2 is argon2id; the package's const enum cannot be named in erasable TypeScript.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const atOnce = availableParallelism()
const maxWaiting = 32

let running = 0
const waiting: (() => void)[] = []

/**
 * @param havingWaited done before the work where it had to wait
 * @throws Problem `unavailable` when too many hashes wait already
 */
async function inTurn<T>(work: () => Promise<T>, havingWaited?: () => Promise<void>): Promise<T> {
  const mustWait = running >= atOnce
  if (!mustWait) running++
  else {
    if (waiting.length >= maxWaiting) throw new Problem('unavailable', { headers: { 'retry-after': '2' } })
    await new Promise<void>(resolve => waiting.push(resolve))
  }
  try {
    if (mustWait) await havingWaited?.()
    return await work()
  } finally {
    // The place is handed on, not given up: else a newcomer could take it before the one who waits.
    const next = waiting.shift()
    if (next === undefined) running--
    else next()
  }
}

/** The same text however a keyboard composed it: é is one character or two (RFC 8265 §4.2.2, NFC). */
function canonical(password: string): string {
  return password.normalize('NFC')
}

/** The PHC string of a password: `$argon2id$v=19$m=19456,t=2,p=1$…`. @throws Problem `unavailable` when overloaded */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(canonical(password), options))
}

/** Whether a stored hash was made with less effort than a new one would be. */
export function needsRehash(stored: string | null): boolean {
  if (stored === null) return false
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=\d+\$/.exec(stored)
  return match === null || Number(match[1]) < options.memoryCost || Number(match[2]) < options.timeCost
}

let decoy: Promise<string> | undefined

/**
 * Checks a password; for an unknown account (`stored` null) it takes as long and says no.
 * @param havingWaited done before, where others were checked first: what was known of the attempt may be so no more
 */
export async function passwordFits(
  stored: string | null,
  password: string,
  havingWaited?: () => Promise<void>,
): Promise<boolean> {
  decoy ??= hash('an account that does not exist', options)
  const against = stored ?? (await decoy)
  const fits = await inTurn(() => verify(against, canonical(password)), havingWaited)
  return fits && stored !== null
}
