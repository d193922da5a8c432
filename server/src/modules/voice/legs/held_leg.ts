// A leg that a node holds: what happens on it is written and reported, it ends once, and nothing is reported after its end.
import { setMaxListeners } from 'node:events'
import type { Log } from '../../../kernel/observe/log.ts'
import type { Call, CallEvent, HangupCause, HangupParty } from '../call_records/index.ts'
import type { CallRef, Leg, LegEvent, VoiceEngine } from '../engine/index.ts'
import { orAborted } from './waiting.ts'

/** A leg that this process holds. */
export type HeldLeg = {
  readonly ref: CallRef
  /** As it was when the leg started; states are in the database. */
  readonly call: Call
  readonly leg: Leg
  readonly engine: VoiceEngine
  readonly mode: 'live' | 'test'
  readonly isAnswered: boolean
  readonly isOver: boolean
  /** Aborts when the leg is over. */
  readonly ended: AbortSignal
  /** Resolves once it is answered or over, or when the signal aborts. */
  whenAnswered(signal: AbortSignal): Promise<void>
  /** From here on what happens is written, and reported to listeners: to be called once, when they are set. */
  attend(): void
  /**
   * Reports what happens from now on; what this node ends itself is reported as `ended` too, before it is written: what is reported
   * of the call then comes before its end. Answers what ends that.
   */
  listen(listener: (event: LegEvent, atMs: number) => void): () => void
  /** Says that something happened which the engine does not know of. */
  report(event: CallEvent): void
  /** Ends the leg for a reason of ours. */
  end(cause: HangupCause, by: HangupParty, q850?: number): void
  /** Refuses a call that came in and is not answered, with a SIP status; `cause` is what is written of it, declined when left out. */
  refuse(sipCode: number, cause?: HangupCause): void
  /** Keeps keys out of the history until the answered function is called: they are a secret. */
  hideDigits(): () => void
  /** Does what the remote party asks for by REFER; without it the remote party is refused. */
  onTransfer: ((asked: TransferRequest) => void) | undefined
}

export type TransferRequest = Extract<LegEvent, { type: 'transfer_requested' }>

/** A leg with what the node alone may do to it. */
export type Holding = HeldLeg & {
  /** `isWritten`: its end is in its row already. */
  happened(event: LegEvent, atMs: number, isWritten?: boolean): void
}

export type HeldLegHost = {
  readonly log: Log
  now(): number
  /** Writes what happened. */
  report(event: CallEvent, atMs: number): void
  /** It has ended, and was reported. */
  over(): void
}

/** "Decline" (RFC 3261 §21.6.2). */
const declined = 603

type Parts = Pick<HeldLeg, 'ref' | 'mode' | 'call' | 'leg' | 'engine'>
type Listener = (event: LegEvent, atMs: number) => void

export function createHeldLeg(parts: Parts, host: HeldLegHost): Holding {
  return new LegInHand(parts, host)
}

/** As long as the leg, and anyone who still looks at it. */
class LegInHand implements Holding {
  readonly ref: CallRef
  readonly call: Call
  readonly leg: Leg
  readonly engine: VoiceEngine
  readonly mode: 'live' | 'test'
  onTransfer: HeldLeg['onTransfer']
  readonly #host: HeldLegHost
  readonly #over = new AbortController()
  readonly #answering = Promise.withResolvers<void>()
  #listeners: readonly Listener[] = []
  #isAnswered = false
  #isEnding = false
  /** How many want keys kept out of the history now. */
  #secrets = 0

  constructor({ ref, call, leg, engine, mode }: Parts, host: HeldLegHost) {
    this.ref = ref
    this.call = call
    this.leg = leg
    this.engine = engine
    this.mode = mode
    this.#host = host
    // Verbs beside each other wait for it, and each conversation.
    setMaxListeners(0, this.#over.signal)
  }

  get ended(): AbortSignal {
    return this.#over.signal
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  get isOver(): boolean {
    return this.#isEnding
  }

  async whenAnswered(signal: AbortSignal): Promise<void> {
    await orAborted(signal, this.#answering.promise)
  }

  attend(): void {
    this.leg.listen((event, atMs) => this.happened(event, atMs))
  }

  listen(listener: Listener): () => void {
    this.#listeners = [...this.#listeners, listener]
    return () => {
      this.#listeners = this.#listeners.filter(other => other !== listener)
    }
  }

  report(event: CallEvent): void {
    this.#write(event, this.#host.now())
  }

  /** Nothing is reported after the end. */
  #write(event: CallEvent, atMs: number): void {
    if (!this.#over.signal.aborted) this.#host.report(event, atMs)
  }

  happened(event: LegEvent, atMs: number, isWritten = false): void {
    if (this.#isEnding) return
    if (event.type === 'transfer_requested') {
      this.#askTransfer(event)
      return
    }
    const isEnd = event.type === 'ended'
    if (isEnd) this.#isEnding = true
    const isSecret = event.type === 'dtmf' && this.#secrets > 0
    if (!isEnd && !isSecret) for (const written of writtenOf(event)) this.#write(written, atMs)
    if (event.type === 'answered' && !this.#isAnswered) {
      this.#isAnswered = true
      void this.#limitTime()
    }
    this.#emit(event, atMs)
    if (isEnd) {
      if (!isWritten) this.#write(event, atMs)
      this.#host.over()
      this.#over.abort()
      this.onTransfer = undefined
    }
    if (isEnd || this.#isAnswered) this.#answering.resolve()
  }

  #emit(event: LegEvent, atMs: number): void {
    for (const listener of this.#listeners) {
      try {
        listener(event, atMs)
      } catch (error) {
        const details = { err: error, call: this.call.id, event: event.type }
        this.#host.log.error(details, 'a listener failed at an event of a call')
      }
    }
  }

  /** Asked once, answered once. */
  #askTransfer(request: TransferRequest): void {
    let isSettled = false
    const settle = (sipCode: number) => {
      if (!isSettled) request.settle(sipCode)
      isSettled = true
    }
    // It talks with nobody who could be connected with somebody else.
    if (this.onTransfer === undefined) settle(declined)
    else this.onTransfer({ ...request, settle })
  }

  async #limitTime(): Promise<void> {
    await this.leg.sleep(this.call.time_limit_seconds * 1_000, this.#over.signal)
    this.end('time_limit', 'system')
  }

  end(cause: HangupCause, by: HangupParty, q850?: number): void {
    if (this.#isEnding) return
    this.happened({ type: 'ended', cause, by, ...(q850 === undefined ? {} : { q850 }) }, this.#host.now())
    this.leg.hangup(q850)
  }

  refuse(sipCode: number, cause: HangupCause = 'declined'): void {
    if (this.#isEnding) return
    this.happened({ type: 'ended', cause, by: 'system', sipCode }, this.#host.now())
    this.leg.reject(sipCode)
  }

  hideDigits(): () => void {
    let isHiding = true
    this.#secrets++
    return () => {
      if (isHiding) this.#secrets--
      isHiding = false
    }
  }
}

/** What of an event is written to the call's row and history. */
function writtenOf(event: Exclude<LegEvent, TransferRequest>): CallEvent[] {
  switch (event.type) {
    case 'ringing':
      return event.earlyMedia === true ? [{ type: 'ringing' }, { type: 'early_media' }] : [event]
    case 'held':
      return [{ type: 'noted', event: 'call.held', details: { by: 'remote_party' } }]
    case 'resumed':
      return [{ type: 'noted', event: 'call.resumed', details: { by: 'remote_party' } }]
    case 'transfer_refused': {
      const { to, why } = event
      return [{ type: 'noted', event: 'call.transfer_failed', details: { to, by: 'remote_party', why } }]
    }
    default:
      return [event]
  }
}
