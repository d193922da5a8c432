// Rings targets until one takes the call: all at once or one after another. Anyone who is not wanted any more is let go.
import type { HangupCause } from '../call_records/index.ts'
import { clientScheme, identityText } from '../clients/index.ts'
import type { Complete, DialTarget } from '../instructions/index.ts'
import type { HeldLeg } from '../legs/index.ts'
import { createLegMedia, orAborted, pipe, toneClip } from '../legs/index.ts'
import { confirm } from './confirming.ts'
import type { ChildCall, Run } from './run.ts'

export type Ringing = Pick<Complete<'dial'>, 'targets' | 'strategy' | 'timeoutSeconds'> &
  Partial<
    Pick<
      Complete<'dial'>,
      'callerId' | 'callerName' | 'timeLimitSeconds' | 'ringbackUrl' | 'confirm' | 'confirmKey' | 'confirmUrl'
    >
  > & {
    /** Whether the call hears nothing of it, because it talks with somebody meanwhile. */
    isSilent?: boolean
  }

export type Taken = { taken: HeldLeg; target: DialTarget }
export type Failed = { failed: HangupCause | 'declined_by_key'; callId: string | null }

/** "Call completed elsewhere" has no value of its own in Q.850; 26 is "non-selected user clearing". */
const notSelected = 26

/** Rings; resolves with the leg that took the call, answered and confirmed, or with why the last one failed. */
export async function ringTargets(run: Run, asked: Ringing): Promise<Taken | Failed> {
  const { held } = run
  const ringing = await shownAllowed(run, asked)
  if (run.signal.aborted) return { failed: 'canceled', callId: null }
  if (!held.isAnswered && held.call.direction === 'inbound') held.leg.ring(true)
  if (ringing.strategy === 'simultaneous') return ringGroup(run, ringing, ringing.targets)
  let last: Failed = { failed: 'no_answer', callId: null }
  for (const target of ringing.targets) {
    const outcome = await ringGroup(run, ringing, [target])
    if ('taken' in outcome) return outcome
    last = outcome
    if (run.signal.aborted) break
  }
  return last
}

/** A number that may not be shown is left out, and the history shows so: better our own than no call. */
async function shownAllowed(run: Run, ringing: Ringing): Promise<Ringing> {
  const { callerId, ...rest } = ringing
  if (callerId === undefined) return ringing
  const isAllowed = await run.tools.mayShow(run.held, callerId).catch(error => {
    // The engine asks, too, before it dials.
    run.log.warn({ err: error }, 'whether a number may be shown could not be asked')
    return true
  })
  if (isAllowed) return ringing
  const details = { callerId, shown: oursIn(run.held) }
  run.held.report({ type: 'noted', event: 'call.caller_id_refused', details })
  return rest
}

/** The caller hears that it rings, if not from the remote party then from us. */
async function playRingback(run: Run, url: string | undefined, signal: AbortSignal): Promise<void> {
  const tone = toneClip('ringback')
  const clip =
    url === undefined
      ? tone
      : await orAborted(signal, run.tools.fetchClip(run.held, url, signal)).catch(error => {
          run.log.warn({ err: error }, 'a ringback could not be had')
          return tone
        })
  if (clip !== undefined) await run.player.play(clip.durationMs > 0 ? clip : tone, { loop: 0, signal })
}

/** Rings some targets together. Of one alone the caller hears what it says before the answer, in place of the tone. */
async function ringGroup(run: Run, ringing: Ringing, targets: readonly DialTarget[]): Promise<Taken | Failed> {
  const rest = new AbortController()
  const tone = new AbortController()
  const signal = AbortSignal.any([run.signal, rest.signal])
  if (!ringing.isSilent) void playRingback(run, ringing.ringbackUrl, AbortSignal.any([run.signal, tone.signal]))
  const isHeard = targets.length === 1 && !ringing.isSilent
  const hearEarly = isHeard ? () => tone.abort() : undefined
  let last: Failed = { failed: 'no_answer', callId: null }
  const won = await new Promise<Taken | undefined>(resolve => {
    let open = targets.length
    for (const target of targets)
      void ringOne(run, ringing, target, { signal, rest: rest.signal, hearEarly })
        .catch((error): Failed => {
          run.log.error({ err: error }, 'a target could not be rung')
          return { failed: 'network', callId: null }
        })
        .then(outcome => {
          open--
          if ('taken' in outcome) {
            // Two may answer at the same moment: the second is let go.
            if (rest.signal.aborted) outcome.taken.end('canceled', 'system', notSelected)
            rest.abort()
            resolve(outcome)
          } else {
            last = outcome
            if (open === 0) resolve(undefined)
          }
        })
  })
  tone.abort()
  return won ?? last
}

/** `signal`: nobody waits for it any more; `rest`: because another one has taken the call. */
type Attempt = { signal: AbortSignal; rest: AbortSignal; hearEarly: (() => void) | undefined }

/** Ends a leg that is not wanted: "answered elsewhere" only where that is so, else its phone would not show the call. */
function cancel(run: Run, leg: HeldLeg, { rest }: Pick<Attempt, 'rest'>): void {
  if (rest.aborted) leg.end('canceled', 'system', notSelected)
  else leg.end('canceled', run.held.isOver ? 'caller' : 'system')
}

async function ringOne(run: Run, ringing: Ringing, target: DialTarget, attempt: Attempt): Promise<Taken | Failed> {
  const { signal } = attempt
  const child = childOf(run, ringing, target)
  // A leg that comes when it is not wanted any more was rung all the same, and is ended in order.
  const made = await orAborted(signal, run.tools.dial(run.held, child, signal), late => {
    if (!('refused' in late)) cancel(run, late, attempt)
  })
  if (made === undefined) return { failed: 'canceled', callId: null }
  if ('refused' in made) return { failed: made.refused, callId: null }
  const outcome = await waitForAnswer(run, made, attempt)
  const callId = made.call.id
  if (outcome !== undefined) return { failed: outcome, callId }
  if (await confirm(run, made, ringing, signal)) return { taken: made, target }
  if (signal.aborted) cancel(run, made, attempt)
  else made.end('normal', 'system')
  return { failed: signal.aborted ? 'canceled' : 'declined_by_key', callId }
}

/** Undefined once it is answered; else why it is not. */
function waitForAnswer(run: Run, leg: HeldLeg, attempt: Attempt): Promise<HangupCause | undefined> {
  const { signal, hearEarly } = attempt
  return new Promise(resolve => {
    let endEarly = () => {}
    const done = (cause: HangupCause | undefined) => {
      signal.removeEventListener('abort', stop)
      unlisten()
      endEarly()
      resolve(cause)
    }
    const stop = () => {
      done('canceled')
      cancel(run, leg, attempt)
    }
    signal.addEventListener('abort', stop, { once: true })
    const unlisten = leg.listen(event => {
      if (event.type === 'answered') done(undefined)
      if (event.type === 'ended') done(event.cause)
      const isEarly = event.type === 'early_media' || (event.type === 'ringing' && event.earlyMedia === true)
      if (!isEarly || hearEarly === undefined) return
      hearEarly()
      endEarly()
      endEarly = passEarlySound(run, leg)
    })
    leg.attend()
    if (signal.aborted) stop()
  })
}

/** What the remote party says before it answers (an announcement, its own ringing) goes to the caller. */
function passEarlySound(run: Run, leg: HeldLeg): () => void {
  const media = createLegMedia(leg.leg.sound)
  const { source, close } = pipe(media, () => run.media.law)
  const leave = run.media.setBase(source)
  return () => {
    leave()
    close()
    media.close()
  }
}

/** The number of ours that is in the call. */
function oursIn({ call: { direction, from_number, to_number } }: HeldLeg): string {
  return direction === 'inbound' ? to_number : from_number
}

function childOf({ held }: Run, ringing: Ringing, target: DialTarget): ChildCall {
  const { caller_name, direction, from_number, to_number } = held.call
  const common = {
    from_number: ringing.callerId ?? oursIn(held),
    caller_name: ringing.callerName ?? caller_name,
    timeout_seconds: ('timeoutSeconds' in target ? target.timeoutSeconds : undefined) ?? ringing.timeoutSeconds,
    time_limit_seconds: ringing.timeLimitSeconds ?? held.call.time_limit_seconds,
  }
  switch (target.type) {
    case 'number':
      return { ...common, to_number: target.number, by: 'trunk' }
    case 'sip': {
      const { uri, user, password, headers } = target
      const sip = { ...(user && { user }), ...(password && { password }), ...(headers && { headers }) }
      return { ...common, to_number: uri, by: 'sip', sip }
    }
    case 'client':
      // Who looks at a screen sees who they will speak with: that is nobody's caller id.
      return {
        ...common,
        from_number: ringing.callerId ?? (direction === 'inbound' ? from_number : to_number),
        to_number: `${clientScheme}${identityText(target.identity)}`,
        by: 'client',
      }
    case 'queue':
      throw new Error('a queue does not ring')
  }
}
