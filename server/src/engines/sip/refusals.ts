// Logs which calls and phones were refused and what would let them in: who sets a carrier up sees nothing else of them.
// Anyone who tries numbers out on an open port does not fill the log.

import type { Log } from '../../kernel/observe/log.ts'
import type { Clock } from '../../kernel/values/clock.ts'

/** `why`: what is wrong with it. */
export type Refused = { address: string; to?: string | undefined; trunk?: string; why?: string }
export type Refusals = { report(cause: keyof typeof texts, refused: Refused): void }

const againMs = 10 * 60_000
const maxInWindow = 20

const texts = {
  unknown_peer:
    'refused a call of no trunk; add its address to sourceAddresses of a trunk, or check its inboundUsername',
  unknown_number:
    'refused a call to a number that no organization with this trunk holds; add it with POST /v2/numbers, and verify it where another one has it',
  ambiguous: 'refused a call to an account that trunks of two organizations have; remove one of them',
  not_looked_up:
    'refused a call, as whose it is could not be looked up; it is tried again when the carrier calls again',
  unreadable: 'passed over an answer that cannot be read; anyone who sent it breaks the rules of SIP in what why names',
  wrong_password: 'refused a phone with a wrong password; type it again into the phone, or give it another one',
  transfer:
    'refused a transfer (REFER); the trunk allows them with allowTransfers, phones that registered may always ask',
  address_of_trunk:
    'refused a call to a SIP address that a trunk leads to; numbers behind it are called by a trunk of the own organization',
  trunk_full: 'refused a call: its trunk has as many as concurrentCalls allows',
} as const

/** Each cause of an address once in ten minutes, and of all together twenty. */
export function createRefusals({ log, clock }: { log: Pick<Log, 'warn'>; clock: Pick<Clock, 'now'> }): Refusals {
  let startedMs = Number.NEGATIVE_INFINITY
  const reported = new Set<string>()
  return {
    report(cause, { address, to, trunk, why }) {
      const nowMs = clock.now()
      if (nowMs - startedMs >= againMs) {
        startedMs = nowMs
        reported.clear()
      }
      const key = `${cause} ${address} ${cause === 'unknown_number' || cause === 'wrong_password' ? (to ?? '') : ''}`
      if (reported.size >= maxInWindow || reported.has(key)) return
      reported.add(key)
      const called = to === undefined ? {} : { to: to.slice(0, 100) }
      const wrong = why === undefined ? {} : { why: why.slice(0, 200) }
      log.warn({ address, ...called, ...(trunk === undefined ? {} : { trunk }), ...wrong }, texts[cause])
    },
  }
}
