// Rings targets until one takes the call: all at once or one after another. Whoever is not wanted any more is let go.
import type { HangupCause } from '../calls/rules.ts'
import type { Complete, DialTarget } from '../instructions/schema.ts'
import type { HeldLeg } from '../node.ts'
import { ask } from './asking.ts'
import { createDigits } from './digits.ts'
import { createLegMedia, pipe } from './leg_sound.ts'
import { createPlayer } from './player.ts'
import type { Run } from './run.ts'
import { newScratch, runList } from './run.ts'
import { toneClip } from './tones.ts'
import type { ChildCall } from './tools.ts'

type Ringing = Pick<Complete<'dial'>, 'targets' | 'strategy' | 'timeoutSeconds'> &
  Partial<
    Pick<
      Complete<'dial'>,
      'callerId' | 'callerName' | 'timeLimitSeconds' | 'ringbackUrl' | 'confirm' | 'confirmKey' | 'confirmUrl'
    >
  >

export type Taken = { taken: HeldLeg; target: DialTarget }
export type Failed = { failed: HangupCause | 'declined_by_key'; callId: string | null }

/** "Call completed elsewhere" has no value of its own in Q.850; 26 is "non-selected user clearing". */
const notSelected = 26

/** Rings; resolves with the leg that took the call, answered and confirmed, or with why the last one failed. */
export async function ringTargets(run: Run, ringing: Ringing): Promise<Taken | Failed> {
  const stopTone = await startRingback(run, ringing.ringbackUrl)
  const group = (targets: readonly DialTarget[]) => ringGroup(run, ringing, targets, stopTone)
  try {
    if (ringing.strategy === 'simultaneous') return await group(ringing.targets)
    let last: Failed = { failed: 'no_answer', callId: null }
    for (const target of ringing.targets) {
      const outcome = await group([target])
      if ('taken' in outcome) return outcome
      last = outcome
      if (run.signal.aborted) break
    }
    return last
  } finally {
    stopTone()
  }
}

/** The caller hears that it rings, if not from the far side then from us. */
async function startRingback(run: Run, url: string | undefined): Promise<() => void> {
  const { held, signal } = run
  const clip =
    url === undefined
      ? toneClip('ringback')
      : await run.tools.fetchClip(held, url, signal).catch(() => toneClip('ringback'))
  if (!held.isAnswered && held.call.direction === 'inbound') held.leg.ring(true)
  const stop = new AbortController()
  void run.player.play(clip, { loop: 0, signal: AbortSignal.any([signal, stop.signal]) })
  return () => stop.abort()
}

/** Rings some targets together. Of one alone the caller hears what it says before the answer, in place of the tone. */
async function ringGroup(
  run: Run,
  ringing: Ringing,
  targets: readonly DialTarget[],
  stopTone: () => void,
): Promise<Taken | Failed> {
  const rest = new AbortController()
  const signal = AbortSignal.any([run.signal, rest.signal])
  const hearEarly = targets.length === 1 ? stopTone : undefined
  const attempts = targets.map(target => ringOne(run, ringing, target, { signal, hearEarly }))
  let last: Failed = { failed: 'no_answer', callId: null }
  const won = await new Promise<Taken | undefined>(resolve => {
    let open = attempts.length
    for (const attempt of attempts)
      void attempt.then(outcome => {
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
  return won ?? last
}

type Attempt = { signal: AbortSignal; hearEarly: (() => void) | undefined }

async function ringOne(run: Run, ringing: Ringing, target: DialTarget, attempt: Attempt): Promise<Taken | Failed> {
  const { signal } = attempt
  const made = await run.tools.dial(run.held, childOf(run, ringing, target))
  if ('refused' in made) return { failed: made.refused, callId: null }
  if (signal.aborted) {
    made.end('canceled', 'system', notSelected)
    return { failed: 'canceled', callId: made.call.id }
  }
  const outcome = await waitForAnswer(run, made, attempt)
  if (outcome !== undefined) return { failed: outcome, callId: made.call.id }
  const isConfirmed = await confirm(run, made, ringing, signal)
  if (isConfirmed) return { taken: made, target }
  made.end(signal.aborted ? 'canceled' : 'normal', 'system', notSelected)
  return { failed: signal.aborted ? 'canceled' : 'declined_by_key', callId: made.call.id }
}

/** Undefined once it is answered; else why it is not. */
function waitForAnswer(run: Run, leg: HeldLeg, { signal, hearEarly }: Attempt): Promise<HangupCause | undefined> {
  return new Promise(resolve => {
    let endEarly = () => {}
    const done = (cause: HangupCause | undefined) => {
      signal.removeEventListener('abort', cancel)
      endEarly()
      resolve(cause)
    }
    function cancel() {
      leg.end('canceled', run.held.isOver ? 'caller' : 'system', notSelected)
      done('canceled')
    }
    signal.addEventListener('abort', cancel, { once: true })
    leg.listen(happening => {
      if (happening.type === 'answered') done(undefined)
      if (happening.type === 'ended') done(happening.cause)
      const isEarly =
        happening.type === 'early_media' || (happening.type === 'ringing' && happening.earlyMedia === true)
      if (!isEarly || hearEarly === undefined) return
      hearEarly()
      endEarly()
      endEarly = passEarlySound(run, leg)
    })
    leg.attend()
  })
}

/** What the far side says before it answers (an announcement, its own ringing) goes to the caller. */
function passEarlySound(run: Run, leg: HeldLeg): () => void {
  const media = createLegMedia(leg.leg.sound)
  const { source, close } = pipe(media, () => run.media.law)
  run.media.setBase(source)
  return () => {
    run.media.setBase(null)
    close()
    media.close()
  }
}

/** Whether who answered takes the call: by a key, or by what an address says. */
async function confirm(
  run: Run,
  leg: HeldLeg,
  { confirm: prompt, confirmKey, confirmUrl }: Ringing,
  signal: AbortSignal,
): Promise<boolean> {
  if (prompt === undefined && confirmUrl === undefined && confirmKey === undefined) return true
  const media = createLegMedia(leg.leg.sound)
  const digits = createDigits()
  leg.listen(happening => happening.type === 'dtmf' && digits.press(happening.digit))
  const own: Run = {
    ...run,
    held: leg,
    media,
    digits,
    player: createPlayer(media),
    scratch: newScratch(),
    signal: AbortSignal.any([signal, leg.ended]),
  }
  const stopped = () => own.signal.aborted
  try {
    if (prompt !== undefined) await runList(own, prompt)
    if (stopped()) return false
    if (confirmKey !== undefined) {
      const waiting = new AbortController()
      const key = await digits.next(leg.leg.sleep(10_000, waiting.signal), own.signal)
      waiting.abort()
      if (key !== confirmKey) return false
    }
    if (confirmUrl !== undefined) {
      const jump = await ask(own, confirmUrl, 'confirm', { parentCallId: run.held.call.id }, null)
      if (jump?.type === 'replace') await runList(own, jump.list)
    }
    return !stopped()
  } finally {
    media.close()
  }
}

function childOf({ held }: Run, ringing: Ringing, target: DialTarget): ChildCall {
  const { direction, from_number, to_number, caller_name } = held.call
  const ours = direction === 'inbound' ? to_number : from_number
  const common = {
    from_number: ringing.callerId ?? ours,
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
      return { ...common, to_number: `client:${target.identity}`, by: 'client' }
    case 'queue':
      throw new Error('a queue does not ring')
  }
}
