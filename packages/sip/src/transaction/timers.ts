// How long the timers of transactions are (RFC 3261 §17 table 4, RFC 6026 §7.1 and §7.2 for L and M). Some are not in the
// standard's table but in its text, or in RFC 3262 and RFC 4320; these have names instead of letters.

/**
 * | timer | of | first, unreliable | reliable | then | what happens |
 * | --- | --- | --- | --- | --- | --- |
 * | A | INVITE client | T1 | never | doubles | request again |
 * | B | INVITE client | 64*T1 | same | | timeout |
 * | D | INVITE client | 32 s | 0 | | no final response is repeated any more |
 * | E | other client | T1 | never | doubles to T2; T2 after a 1xx | request again |
 * | F | other client | 64*T1 | same | | timeout |
 * | G | INVITE server | T1 | never | doubles to T2 | 300-699 again |
 * | H | INVITE server | 64*T1 | same | | no ACK: timeout |
 * | I | INVITE server | T4 | 0 | | no ACK is repeated any more |
 * | J | other server | 64*T1 | 0 | | no request is repeated any more |
 * | K | other client | T4 | 0 | | no response is repeated any more |
 * | L | INVITE server | 64*T1 | same | | no INVITE is repeated any more; without ACK: timeout |
 * | M | INVITE client | 64*T1 | same | | no further 2xx is expected |
 * | trying | server | 200 ms; other than INVITE: when E reaches T2 | same | | 100 (§17.2.1, RFC 4320 §4.1) |
 * | again | INVITE server | T1 | T1 | doubles to T2 | 2xx again (§13.3.1.4) |
 * | reliable | INVITE server | T1 | T1 | doubles | reliable 1xx again (RFC 3262 §3) |
 * | prack | INVITE server | 64*T1 | same | | no PRACK (RFC 3262 §3) |
 * | answer | other server | 64*T1 | same | | the client's F has run out; an answer is of no use (RFC 4320 §4.2) |
 * | cancel | INVITE client | 64*T1 | same | | CANCEL had no effect: timeout (§9.1) |
 * | transport | all | 0 | 0 | | what could not be sent is reported at the next tick |
 *
 * Timer C belongs to proxies.
 */
export type TimerName =
  | 'A'
  | 'B'
  | 'D'
  | 'E'
  | 'F'
  | 'G'
  | 'H'
  | 'I'
  | 'J'
  | 'K'
  | 'L'
  | 'M'
  | 'trying'
  | 'again'
  | 'reliable'
  | 'prack'
  | 'answer'
  | 'cancel'
  | 'transport'

/** §17.1.1.1, §17.1.2.2. Only within one's own network may T1 be smaller than it is by default. */
export type TransactionTimers = {
  /** An estimate of the round trip. */
  readonly t1Ms: number
  /** The longest interval between two sendings, of all but INVITE. */
  readonly t2Ms: number
  /** How long a message may stay in the network. */
  readonly t4Ms: number
  /** Timer D over unreliable transports; at least 32 s by the standard, as the other's T1 is not known. */
  readonly dMs: number
  /** A 100 is sent when the core has not answered an INVITE by then. */
  readonly tryingMs: number
}

export const defaultTransactionTimers: TransactionTimers = {
  t1Ms: 500,
  t2Ms: 4000,
  t4Ms: 5000,
  dMs: 32_000,
  tryingMs: 200,
}

/** Throws a RangeError for times with which a machine would not come to an end. */
export function checkTransactionTimers(timers: TransactionTimers): TransactionTimers {
  for (const [name, value] of Object.entries(timers)) {
    if (!(value >= 1 && value < 2 ** 31)) throw new RangeError(`timers.${name}: 1 ms or more are needed`)
  }
  if (timers.t2Ms < timers.t1Ms) throw new RangeError('timers.t2Ms: may not be below t1Ms')
  return timers
}

/** The first length of a timer in ms; undefined when it does not run over this transport, 0 when it is over at once. */
export function firstSpan(
  name: TimerName,
  { t1Ms, t2Ms, t4Ms, dMs, tryingMs }: TransactionTimers,
  { isReliable, isInvite }: { isReliable: boolean; isInvite: boolean },
): number | undefined {
  switch (name) {
    case 'A':
    case 'E':
    case 'G':
      return isReliable ? undefined : t1Ms
    case 'again':
    case 'reliable':
      return t1Ms
    case 'D':
      return isReliable ? 0 : dMs
    case 'J':
      return isReliable ? 0 : 64 * t1Ms
    case 'I':
    case 'K':
      return isReliable ? 0 : t4Ms
    case 'trying':
      return isInvite ? tryingMs : untilT2(t1Ms, t2Ms)
    case 'transport':
      return 0
    default:
      return 64 * t1Ms
  }
}

/** What the intervals of timer E before T2 add up to: 3.5 s by default. */
function untilT2(t1Ms: number, t2Ms: number): number {
  let sum = 0
  for (let span = t1Ms; span < t2Ms; span *= 2) sum += span
  return Math.max(sum, t1Ms)
}

/** The interval of a timer that repeats something, after one of `spanMs`; undefined for those that fire once. */
export function nextSpan(
  name: TimerName,
  spanMs: number,
  hasProvisional: boolean,
  { t2Ms }: TransactionTimers,
): number | undefined {
  switch (name) {
    case 'A':
    case 'reliable':
      return spanMs * 2
    case 'E':
      return hasProvisional ? t2Ms : Math.min(spanMs * 2, t2Ms)
    case 'G':
    case 'again':
      return Math.min(spanMs * 2, t2Ms)
    default:
      return undefined
  }
}
