// Provisional responses that must arrive (RFC 3262): the called party numbers them and waits for a PRACK of each, the calling
// side takes them in their order. One state of plain data for each side of each dialog; the repeating is a transaction's work.
import { readAll, readOne } from '../headers.ts'
import type { SipHeader, SipMessage, SipRequest } from '../message.ts'
import { isFault } from '../message.ts'
import type { RAck } from '../values.ts'

/**
 * The called party. `rseq`: the last number given, 0 before. `isOpen`: no PRACK has come for it. `hasSdp`: it had a
 * description, so no 2xx may go before its PRACK (§5). `cseq`: of the INVITE.
 */
export type ReliableSender = {
  readonly cseq: number
  readonly rseq: number
  readonly isOpen: boolean
  readonly hasSdp: boolean
}

/** The calling side. `rseq`: the last number taken in order; 0 before. */
export type ReliableReceiver = { readonly cseq: number; readonly rseq: number }

const option = '100rel'

/** Whether the caller can, or even must, be answered with reliable provisional responses (§3). */
export function reliabilityAsked(invite: SipRequest): 'required' | 'supported' | 'none' {
  if (hasOption(invite, 'Require')) return 'required'
  return hasOption(invite, 'Supported') ? 'supported' : 'none'
}

function hasOption(message: SipMessage, name: 'Require' | 'Supported'): boolean {
  const options = readAll(message, name)
  return !isFault(options) && options.some(value => value.toLowerCase() === option)
}

export function createReliableSender(inviteCSeq: number): ReliableSender {
  return { cseq: inviteCSeq, rseq: 0, isOpen: false, hasSdp: false }
}

/** Whether another reliable provisional response may go out: only one is open at a time, so that none overtakes (§3). */
export function mayProvide({ isOpen }: ReliableSender): boolean {
  return !isOpen
}

/** Whether the 2xx may go out: not before the PRACK of a description (§3). A refusal may go at any time. */
export function mayAnswer({ isOpen, hasSdp }: ReliableSender): boolean {
  return !(isOpen && hasSdp)
}

/**
 * The headers that make a response of 101 to 199 reliable. `random`: 0 to just below 1; the first number is anywhere in the
 * lower half (§3). Repeat the response until its PRACK comes; after 64*T1 without one refuse the INVITE with a 5xx.
 */
export function provideReliably(
  sender: ReliableSender,
  hasSdp: boolean,
  random: number,
): { readonly sender: ReliableSender; readonly headers: readonly SipHeader[] } {
  if (!mayProvide(sender)) throw new RangeError('RSeq: the last reliable response has no PRACK yet')
  const rseq = sender.rseq === 0 ? 1 + Math.floor(random * (2 ** 31 - 1)) : sender.rseq + 1
  const headers = [
    { name: 'Require', value: option },
    { name: 'RSeq', value: String(rseq) },
  ]
  return { sender: { ...sender, rseq, isOpen: true, hasSdp }, headers }
}

/** A PRACK in the dialog: 'acknowledged', answer 200 and stop repeating; else answer 481 (§3), or 400 without a RAck. */
export function receivePrack(
  sender: ReliableSender,
  prack: SipRequest,
): { readonly sender: ReliableSender; readonly result: 'acknowledged' | 481 | 400 } {
  const rack = readOne(prack, 'RAck')
  if (rack === undefined || isFault(rack)) return { sender, result: 400 }
  const isOurs =
    sender.isOpen && rack.rseq === sender.rseq && rack.cseq === sender.cseq && rack.method.toUpperCase() === 'INVITE'
  return isOurs ? { sender: { ...sender, isOpen: false }, result: 'acknowledged' } : { sender, result: 481 }
}

export function createReliableReceiver(inviteCSeq: number): ReliableReceiver {
  return { cseq: inviteCSeq, rseq: 0 }
}

/**
 * A provisional response in one early dialog (§4).
 * - 'unreliable': handle it as ever.
 * - 'new': handle it, and send PRACK in its dialog with the header `rack`.
 * - 'repeated': its PRACK is on its way. 'early': one before it is missing. Do nothing with either: it comes again.
 */
export function receiveProvisional(
  receiver: ReliableReceiver,
  response: SipMessage,
): {
  readonly receiver: ReliableReceiver
  readonly result: 'unreliable' | 'new' | 'repeated' | 'early'
  readonly rack?: SipHeader
} {
  const rseq = hasOption(response, 'Require') ? readOne(response, 'RSeq') : undefined
  // RSeq of 0 is none: numbers begin at 1 (§7.1).
  if (rseq === undefined || isFault(rseq) || rseq === 0) return { receiver, result: 'unreliable' }
  if (receiver.rseq !== 0 && rseq <= receiver.rseq) return { receiver, result: 'repeated' }
  if (receiver.rseq !== 0 && rseq !== receiver.rseq + 1) return { receiver, result: 'early' }
  const rack: RAck = { rseq, cseq: receiver.cseq, method: 'INVITE' }
  return { receiver: { ...receiver, rseq }, result: 'new', rack: { name: 'RAck', value: formatRAck(rack) } }
}

export function formatRAck({ rseq, cseq, method }: RAck): string {
  return `${rseq} ${cseq} ${method}`
}
