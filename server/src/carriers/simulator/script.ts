// What the simulator does with a message, by its recipient: numbers of +1 500 555 xxxx have fixed outcomes, every other
// number is a phone that is switched on. Refusals at once (…0001 to …0008) never get here: sms/rules.ts knows them.
import { isSimulatorNumber } from '../../kernel/values/phone.ts'
import type { ProblemCode } from '../../kernel/values/problem.ts'

/** Something the carrier sends later: a receipt, or a text that the recipient writes back. */
export type Emission =
  | { afterMs: number; receipt: 'delivered' | 'undelivered' | 'expired'; code?: ProblemCode }
  | { afterMs: number; reply: string }

export type Script =
  | { answer: 'accepted'; early?: true; emissions: readonly Emission[] }
  | { answer: 'throttled'; retryAfterMs: number }
  | { answer: 'refused'; code: ProblemCode }

const delivered: Emission = { afterMs: 1_000, receipt: 'delivered' }

const accepted = (...emissions: Emission[]): Script => ({ answer: 'accepted', emissions })

/** A phone that is switched on. */
const switchedOn: Script = accepted(delivered)

const scripts: Record<string, (attempt: number) => Script> = {
  '0009': () => ({ answer: 'refused', code: 'landline_or_unsupported' }),
  '0100': () => switchedOn,
  '0101': () => accepted({ afterMs: 1_000, receipt: 'undelivered', code: 'unknown_subscriber' }),
  '0102': () => accepted({ afterMs: 1_000, receipt: 'undelivered', code: 'filtered_as_spam' }),
  '0103': attempt => (attempt <= 2 ? { answer: 'throttled', retryAfterMs: 500 } : accepted(delivered)),
  '0104': () => accepted(),
  '0105': () => ({ answer: 'accepted', early: true, emissions: [{ afterMs: 0, receipt: 'delivered' }] }),
  '0106': () => accepted(delivered, { afterMs: 1_000, receipt: 'delivered' }, { afterMs: 1_500, receipt: 'delivered' }),
  '0107': () => accepted({ afterMs: 1_000, receipt: 'expired', code: 'validity_expired' }),
  '0110': () => accepted(delivered, { afterMs: 2_000, reply: 'STOP' }),
  '0111': () => accepted(delivered, { afterMs: 2_000, reply: 'HELP' }),
}

/** @param attempt 1 for the first submission of a message */
export function scriptOf(recipient: string, attempt: number): Script {
  const script = isSimulatorNumber(recipient) ? scripts[recipient.slice(-4)] : undefined
  return script === undefined ? switchedOn : script(attempt)
}

/** What the virtual handset does: its own numbers are phones that are switched on, and others it cannot reach. */
export function handsetScript(recipient: string): Script {
  return isSimulatorNumber(recipient) ? switchedOn : { answer: 'refused', code: 'no_route' }
}
