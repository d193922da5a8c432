// A leg that a node holds: what happens on it is written and told, it ends once, and nothing is told behind its end.
import { setMaxListeners } from 'node:events'
import type { Log } from '../../kernel/log.ts'
import type { Call, HangupCause, HangupParty, Happening } from './calls/rules.ts'
import type { Conversation } from './control/conversation.ts'
import { orAborted } from './control/waiting.ts'
import type { CallRef, Leg, LegHappening, VoiceEngine } from './engine.ts'

/** A leg that this process holds. */
export type HeldLeg = {
  readonly ref: CallRef
  /** As it was when the leg began; states are in the database. */
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
  /** From here on what happens is written, and told to listeners: to be called once, when they are set. */
  attend(): void
  /**
   * Tells what happens from now on; what this node ends itself is told as `ended` too, before it is written: what is told
   * of the call then comes before its end. Answers what ends that.
   */
  listen(listener: (happening: LegHappening, atMs: number) => void): () => void
  /** Says that something happened which the engine does not know of. */
  tell(happening: Happening): void
  /** Ends the leg for a reason of ours. */
  end(cause: HangupCause, by: HangupParty, q850?: number): void
  /** Refuses a call that came in and is not answered, with a SIP status; `cause` is what is written of it, declined when left out. */
  refuse(sipCode: number, cause?: HangupCause): void
  /** Keeps keys out of the history until the answered function is called: they are a secret. */
  hideDigits(): () => void
  /** The conversation it is in. */
  conversation: Conversation | undefined
  /** Does what the far side asks for by REFER; without it the far side is refused. */
  onTransfer: ((asked: TransferAsked) => void) | undefined
}

export type TransferAsked = Extract<LegHappening, { type: 'transfer_asked' }>

/** A leg with what the node alone may do to it. */
export type Holding = HeldLeg & {
  /** `isWritten`: its end stands in its row already. */
  happened(happening: LegHappening, atMs: number, isWritten?: boolean): void
}

export type HeldLegHost = {
  readonly log: Log
  now(): number
  /** Writes what happened. */
  report(happening: Happening, atMs: number): void
  /** It has ended, and was reported. */
  over(): void
}

/** "Decline" (RFC 3261 §21.6.2). */
const declined = 603

export function createHeldLeg(
  { ref, mode, call, leg, engine }: Pick<HeldLeg, 'ref' | 'mode' | 'call' | 'leg' | 'engine'>,
  host: HeldLegHost,
): Holding {
  let listeners: readonly ((happening: LegHappening, atMs: number) => void)[] = []
  const over = new AbortController()
  // Verbs beside each other wait for it, and each conversation.
  setMaxListeners(0, over.signal)
  const answering = Promise.withResolvers<void>()
  let isAnswered = false
  let isEnding = false
  let secrets = 0

  // Nothing is told behind the end.
  function report(happening: Happening, atMs: number): void {
    if (!over.signal.aborted) host.report(happening, atMs)
  }

  function happened(happening: LegHappening, atMs: number, isWritten = false): void {
    if (isEnding) return
    if (happening.type === 'transfer_asked') {
      askTransfer(happening)
      return
    }
    const isEnd = happening.type === 'ended'
    if (isEnd) isEnding = true
    const isSecret = happening.type === 'dtmf' && secrets > 0
    if (!isEnd && !isSecret) for (const written of writtenOf(happening)) report(written, atMs)
    if (happening.type === 'answered' && !isAnswered) {
      isAnswered = true
      void limitTime()
    }
    for (const listener of listeners) {
      try {
        listener(happening, atMs)
      } catch (error) {
        host.log.error(
          { err: error, call: call.id, happening: happening.type },
          'what happened on a call was not heard',
        )
      }
    }
    if (isEnd) {
      if (!isWritten) report(happening, atMs)
      host.over()
      over.abort()
      held.onTransfer = undefined
    }
    if (isEnd || isAnswered) answering.resolve()
  }

  /** Asked once, answered once. */
  function askTransfer(asked: TransferAsked): void {
    let isSettled = false
    const settle = (sipCode: number) => {
      if (!isSettled) asked.settle(sipCode)
      isSettled = true
    }
    // It talks with nobody who could be connected with somebody else.
    if (held.onTransfer === undefined) settle(declined)
    else held.onTransfer({ ...asked, settle })
  }

  async function limitTime(): Promise<void> {
    await leg.sleep(call.time_limit_seconds * 1_000, over.signal)
    end('time_limit', 'system')
  }

  function end(cause: HangupCause, by: HangupParty, q850?: number): void {
    if (isEnding) return
    happened({ type: 'ended', cause, by, ...(q850 === undefined ? {} : { q850 }) }, host.now())
    leg.hangup(q850)
  }

  const held: Holding = {
    ref,
    call,
    leg,
    engine,
    mode,
    ended: over.signal,
    conversation: undefined,
    onTransfer: undefined,
    get isAnswered() {
      return isAnswered
    },
    get isOver() {
      return isEnding
    },
    async whenAnswered(signal) {
      await orAborted(signal, answering.promise)
    },
    attend: () => leg.listen((happening, atMs) => happened(happening, atMs)),
    listen(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter(other => other !== listener)
      }
    },
    tell: happening => report(happening, host.now()),
    end,
    refuse(sipCode, cause = 'declined') {
      if (isEnding) return
      happened({ type: 'ended', cause, by: 'system', sipCode }, host.now())
      leg.reject(sipCode)
    },
    hideDigits() {
      let isHiding = true
      secrets++
      return () => {
        if (isHiding) secrets--
        isHiding = false
      }
    },
    happened,
  }
  return held
}

/** What of a happening is written to the call's row and history. */
function writtenOf(happening: Exclude<LegHappening, TransferAsked>): Happening[] {
  switch (happening.type) {
    case 'ringing':
      return happening.earlyMedia === true ? [{ type: 'ringing' }, { type: 'early_media' }] : [happening]
    case 'held':
      return [{ type: 'noted', event: 'call.held', details: { by: 'far_side' } }]
    case 'resumed':
      return [{ type: 'noted', event: 'call.resumed', details: { by: 'far_side' } }]
    case 'transfer_refused': {
      const { to, why } = happening
      return [{ type: 'noted', event: 'call.transfer_failed', details: { to, by: 'far_side', why } }]
    }
    default:
      return [happening]
  }
}
