// Passwords: argon2id at the floor OWASP gives (19 MiB, 2 passes, 1 lane), never more hashes at once than processors, and
// a short queue in front, so a flood of logins can exhaust neither memory nor the event loop.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { Problem } from '../../../kernel/problem.ts'

// algorithm 2 is argon2id; the package's const enum cannot be named in erasable TypeScript.
const options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const
const atOnce = availableParallelism()
const maxWaiting = 32

let running = 0
const waiting: (() => void)[] = []

/** @throws Problem `unavailable` when too many hashes wait already */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= atOnce) {
    if (waiting.length >= maxWaiting) throw new Problem('unavailable', { headers: { 'retry-after': '2' } })
    await new Promise<void>(resolve => waiting.push(resolve))
  }
  running++
  try {
    return await work()
  } finally {
    running--
    waiting.shift()?.()
  }
}

export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, options))
}

let decoy: Promise<string> | undefined

/** Checks a password; for an unknown account (`stored` null) it takes as long and says no. */
export async function passwordFits(stored: string | null, password: string): Promise<boolean> {
  decoy ??= hash('an account that does not exist', options)
  const against = stored ?? (await decoy)
  const fits = await inTurn(() => verify(against, password))
  return fits && stored !== null
}
