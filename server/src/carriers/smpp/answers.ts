// What the answer to a submit_sm means. The table is that of SMPP 3.4 §5.1.3 as carriers use it; the settings of a carrier
// override it status by status. Pure.
import { statuses, statusName } from '@tandem/smpp'
import type { ProblemCode } from '../../kernel/values/problem.ts'
import type { PartResult, ThrottleCode } from '../../modules/messaging/carrier.ts'
import type { SmppSettings } from './settings.ts'

/** The outcome of each part that one submit_sm carried, without the number of the part. */
export type Meaning =
  | { outcome: 'accepted' }
  | { outcome: 'throttled'; code: ThrottleCode; retryAfterMs: number; carrierCode: string; slows: boolean }
  | { outcome: 'refused'; code: ProblemCode; carrierCode: string }

type Rule = { retry: ThrottleCode; afterMs: number; slows?: true } | { refuse: ProblemCode }

const rules = new Map<number, Rule>([
  [statuses.ESME_RTHROTTLED, { retry: 'carrier_throttled', afterMs: 1_000, slows: true }],
  [statuses.ESME_RMSGQFUL, { retry: 'carrier_queue_full', afterMs: 30_000, slows: true }],
  [statuses.ESME_RSYSERR, { retry: 'carrier_throttled', afterMs: 30_000 }],
  [statuses.ESME_RX_T_APPN, { retry: 'carrier_throttled', afterMs: 30_000 }],
  // The carrier sees no bind where we do: the link is about to go.
  [statuses.ESME_RINVBNDSTS, { retry: 'carrier_link_down', afterMs: 5_000 }],
  [statuses.ESME_RINVSRCADR, { refuse: 'carrier_rejected_sender' }],
  [statuses.ESME_RINVSRCTON, { refuse: 'carrier_rejected_sender' }],
  [statuses.ESME_RINVSRCNPI, { refuse: 'carrier_rejected_sender' }],
  [statuses.ESME_RINVDSTADR, { refuse: 'unknown_subscriber' }],
  [statuses.ESME_RUNKNOWNERR, { refuse: 'carrier_unknown_error' }],
])

/** From here on statuses are the carrier's own (§5.1.3, table 5-2). */
const firstOwnStatus = 0x400

function ruleOf(status: number): Rule {
  return rules.get(status) ?? { refuse: status >= firstOwnStatus ? 'carrier_unknown_error' : 'message_rejected' }
}

const defaultRetryMs = 30_000

/** Reads a command_status by the settings of the carrier. */
export function createAnswers({ statuses: overrides }: Pick<SmppSettings, 'statuses'>): (status: number) => Meaning {
  const own = new Map(overrides.map(override => [Number.parseInt(override.status, 16), override]))
  return status => {
    if (status === 0) return { outcome: 'accepted' }
    const carrierCode = statusName(status)
    const override = own.get(status)
    if (override?.outcome === 'refuse') {
      return { outcome: 'refused', code: override.code ?? 'message_rejected', carrierCode }
    }
    const rule = ruleOf(status)
    if (override !== undefined) {
      const retryAfterMs =
        override.retryAfterSeconds === undefined ? defaultRetryMs : override.retryAfterSeconds * 1_000
      const known = 'retry' in rule ? rule : undefined
      const code = known?.retry ?? 'carrier_throttled'
      return { outcome: 'throttled', code, retryAfterMs, carrierCode, slows: known?.slows === true }
    }
    if ('refuse' in rule) return { outcome: 'refused', code: rule.refuse, carrierCode }
    const { retry, afterMs, slows = false } = rule
    return { outcome: 'throttled', code: retry, retryAfterMs: afterMs, carrierCode, slows }
  }
}

/** The results of the parts that one submit_sm carried. */
export function resultsOf(parts: readonly number[], meaning: Meaning, idOf: (part: number) => string): PartResult[] {
  return parts.map((part): PartResult => {
    if (meaning.outcome === 'accepted') return { part, outcome: 'accepted', carrierMessageId: idOf(part) }
    if (meaning.outcome === 'refused') return { part, ...meaning }
    const { slows: _, ...throttled } = meaning
    return { part, ...throttled }
  })
}
