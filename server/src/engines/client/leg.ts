// A leg whose remote party is a browser. One that rings is answered by a browser's offer; one that a browser has made brings its offer
// along. What we answer goes into the row of the call, where the browser's stream finds it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningClock } from '@tandem/sip'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { type NewClientLeg, phoneHint, registeredAmong, writeAnswer } from '../../modules/voice/clients/index.ts'
import type { CallRef, ClientSignal, EngineCall, HangupCause, Leg, LegEvent } from '../../modules/voice/engine/index.ts'
import { createLegEvents } from '../leg_events.ts'
import { createBrowserSound } from './sound.ts'
import { openPeer, type Peer } from './webrtc.ts'

export type BrowserLegOptions = {
  ref: CallRef
  call: EngineCall
  planned: NewClientLeg
  services: Services
  clock: RunningClock
  silenceMs: number
}

/** From the offer of a browser to sound. */
const connectMs = 15_000
/** A browser may be away for so long while it rings, such as for a reload. */
const awayMs = 4_000
const lookMs = 1_000

export function createBrowserLeg({ ref, call, planned, services, clock, silenceMs }: BrowserLegOptions): Leg {
  const { db, log, clock: time } = services
  const { identity, kind } = planned
  /** The person at the browser, as the call's row has them. */
  const them = kind === 'dials_in' ? 'caller' : 'callee'
  const events = createLegEvents(time)
  const over = new AbortController()
  const connected = Promise.withResolvers<void>()
  let peer: Peer | undefined
  let hasStarted = false
  let isConnected = false
  let isAnswered = false
  /** Inbound: what the list says; other legs are answered as soon as sound flows. */
  let isWanted = kind !== 'dials_in'

  const sound = createBrowserSound({
    clock,
    now: () => time.now(),
    silenceMs,
    onDigit: digit => emit({ type: 'dtmf', digit }),
    onSilence: () => end('media_timeout', 'system'),
  })

  function emit(event: LegEvent): void {
    if (over.signal.aborted) return
    if (event.type === 'answered') isAnswered = true
    if (event.type === 'ended') release()
    events.emit(event)
  }

  function end(cause: HangupCause, by: 'caller' | 'callee' | 'system'): void {
    emit({ type: 'ended', cause, by })
  }

  function release(): void {
    over.abort()
    connected.resolve()
    sound.close()
    peer?.close()
    services.wake(phoneHint)
  }

  async function connect(offer: string): Promise<void> {
    if (hasStarted || over.signal.aborted) return
    hasStarted = true
    try {
      const made = await openPeer(offer, services.webrtc, {
        onPacket: sound.receive,
        onConnected() {
          isConnected = true
          connected.resolve()
          announce()
        },
        onGone: () => end(isConnected ? 'normal' : 'network', isConnected ? them : 'system'),
      })
      peer = made
      if (over.signal.aborted) {
        made.close()
        return
      }
      const answer = made.answer(sound.start(made))
      await db.inTenant(ref, tx => writeAnswer(tx, ref, ref.callId, answer))
      services.wake(phoneHint)
      await sleep(connectMs, undefined, { signal: over.signal, ref: false }).catch(() => {})
      if (!isConnected) end('network', 'system')
    } catch (error) {
      log.warn({ err: error, call: ref.callId }, 'the offer of a browser could not be answered')
      end('network', 'system')
    }
  }

  function announce(): void {
    if (isConnected && isWanted && !isAnswered) emit({ type: 'answered', answeredBy: 'human' })
  }

  /** Rings until somebody answers, nobody is there any more, or the time is over. */
  async function ringOut(): Promise<void> {
    const untilMs = performance.now() + call.timeoutSeconds * 1_000
    let seenMs = performance.now()
    while (!over.signal.aborted && !hasStarted) {
      const nowMs = performance.now()
      if (nowMs >= untilMs) return end('no_answer', 'system')
      await sleep(Math.min(lookMs, untilMs - nowMs), undefined, { signal: over.signal, ref: false }).catch(() => {})
      if (over.signal.aborted || hasStarted) return
      const isThere = await db
        .inTenant(ref, tx => registeredAmong(tx, ref, [identity]))
        .then(found => found.has(identity))
        // A database that is away says nothing about the browser.
        .catch(() => true)
      if (isThere) seenMs = performance.now()
      else if (performance.now() - seenMs > awayMs) return end('not_registered', 'system')
    }
  }

  if (planned.offer === null) {
    emit({ type: 'ringing' })
    services.wake(phoneHint)
    void ringOut()
  } else {
    if (kind === 'dials_in') emit({ type: 'ringing' })
    void connect(planned.offer)
  }

  function hangup(): void {
    end(isAnswered ? 'normal' : 'canceled', 'system')
  }

  return {
    callId: ref.callId,
    sound,
    listen: events.listen,
    handleSignal(signal: ClientSignal) {
      if (signal.type === 'answer') void connect(signal.sdp)
      else if (signal.type === 'hangup') end(isAnswered ? 'normal' : 'canceled', them)
      else if (!hasStarted) end(signal.isBusy ? 'user_busy' : 'declined', them)
    },
    async sleep(ms, signal) {
      await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
    },
    // Sound flows as soon as the browser is connected.
    ring() {},
    async answer() {
      isWanted = true
      await connected.promise
      announce()
    },
    reject: hangup,
    hangup,
    // A browser is held by what it is given to hear.
    hold: async () => !over.signal.aborted,
    /** "Not implemented" (RFC 3261 §21.5.2): a browser calls nobody for us. */
    refer: async () => ({ ok: false, sipCode: over.signal.aborted ? 481 : 501 }),
  }
}
