// Passwords: argon2id at the floor OWASP gives (19 MiB, 2 passes, 1 lane), one hash at once fewer than processors, so that one is left for
// everything else, in threads that give way to others, and a short queue in front: a flood of logins can exhaust neither memory nor the event
// loop, and slows down nobody's work.
import { availableParallelism } from 'node:os'
import { createSemaphore } from '../../../kernel/values/semaphore.ts'
import { hashInThread } from './hashing_threads.ts'

// algorithm 2 is argon2id; the package's const enum cannot be named in erasable TypeScript.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const hashing = createSemaphore({ permits: Math.max(1, availableParallelism() - 1), maxWaiting: 32 })

/** The same text however a keyboard composed it: é is one character or two (RFC 8265 §4.2.2, NFC). */
export function canonical(password: string): string {
  return password.normalize('NFC')
}

const made = async (password: string) =>
  String(await hashInThread({ kind: 'hash', password: canonical(password), options }))

/** The PHC string of a password: `$argon2id$v=19$m=19456,t=2,p=1$…`. @throws Problem `unavailable` when overloaded */
export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => made(password))
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
  const fits = await hashing.run(async hasWaited => {
    if (hasWaited) await havingWaited?.()
    decoy ??= made('an account that does not exist').catch(error => {
      decoy = undefined
      throw error
    })
    return hashInThread({ kind: 'verify', stored: stored ?? (await decoy), password: canonical(password) })
  })
  return fits === true && stored !== null
}
