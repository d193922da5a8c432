// Verbs that join the call with others: dial and transfer; and hold, resume, mute, unmute.

import type { Complete, DialTarget } from '../instructions/index.ts'
import type { HeldLeg } from '../legs/index.ts'
import { endless, orAborted, toneClip } from '../legs/index.ts'
import { answer } from './answering.ts'
import { askIfNamed } from './asking.ts'
import { dequeueFor } from './call_queues.ts'
import { conversationOf, converse } from './conversation.ts'
import { ringTargets, type Taken } from './ringing.ts'
import type { Jump, Run, Side, VerbFunction } from './run.ts'
import { runList, until } from './run_list.ts'
import { clipOr } from './verbs_sound.ts'

export const dial: VerbFunction<'dial'> = async (run, instruction) => {
  const { targets, onEnd, onFail } = instruction
  const [first] = targets
  if (first?.type === 'queue') {
    const data = await dequeueFor(run, { ...instruction, queue: first.queue, skills: first.skills })
    return data && settle(run, instruction, data, data.dialResult === 'answered' ? onEnd : onFail)
  }
  if (!instruction.answerOnBridge && !(await answer(run))) return { type: 'end' }
  const outcome = await ringTargets(run, instruction)
  if (run.signal.aborted) {
    if ('taken' in outcome) outcome.taken.end('canceled', run.held.isOver ? 'caller' : 'system')
    return { type: 'end' }
  }
  if ('taken' in outcome) return talk(run, instruction, outcome)
  run.scratch.refusal = outcome.failed === 'declined_by_key' ? 'declined' : outcome.failed
  return settle(run, instruction, { dialResult: outcome.failed, dialedCallId: outcome.callId }, onFail)
}

async function talk(run: Run, instruction: Complete<'dial'>, { taken, target }: Taken): Promise<Jump> {
  const { record, timeLimitSeconds, finishOnKey, onAnswer, onEnd } = instruction
  try {
    await prepare(run, taken, target, onAnswer)
  } catch (error) {
    taken.end('normal', 'system')
    throw error
  }
  if (run.signal.aborted) {
    taken.end('canceled', run.held.isOver ? 'caller' : 'system')
    return { type: 'end' }
  }
  const startedMs = run.tools.clock.now()
  await converse(run, { held: taken }, { record, timeLimitSeconds, finishOnKey })
  if (run.signal.aborted) return { type: 'end' }
  const talkSeconds = Math.round((run.tools.clock.now() - startedMs) / 1_000)
  const data = { dialResult: 'answered', dialedCallId: taken.call.id, talkSeconds }
  return settle(run, instruction, data, onEnd)
}

/** What comes between the answer and the conversation; over at once where who answered leaves. */
async function prepare(run: Run, taken: HeldLeg, target: DialTarget, onAnswer: Complete<'dial'>['onAnswer']) {
  const both = until(run, taken.ended)
  if (!(await answer(both))) return
  if (target.type === 'number' && target.sendDigits !== undefined)
    await orAborted(both.signal, taken.leg.sound.sendDigits(target.sendDigits, { signal: both.signal }))
  if (onAnswer !== undefined) await runList(both, onAnswer)
}

async function settle(
  run: Run,
  { actionUrl }: Complete<'dial'>,
  data: Record<string, unknown>,
  list: Complete<'dial'>['onEnd'],
): Promise<Jump> {
  const jump = await askIfNamed(run, actionUrl, 'dialed', data)
  if (jump !== undefined) return jump
  return list === undefined ? undefined : runList(run, list)
}

export const transfer: VerbFunction<'transfer'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { to, mode, onFail, actionUrl } = instruction
  const side = sideOf(run, instruction.leg)
  const failure =
    side === undefined
      ? { why: 'the call is joined with nobody' }
      : mode === 'blind'
        ? await transferBlind(run, side.held, to)
        : await transferAttended(run, side.held, instruction)
  if (!('why' in failure)) return failure.jump
  if (run.signal.aborted) return { type: 'end' }
  const { why } = failure
  const reporter = side?.held ?? run.held
  reporter.report({ type: 'noted', event: 'call.transfer_failed', details: { to: describe(to), mode, why } })
  const jump = await askIfNamed(run, actionUrl, 'transfer_failed', { transferTo: describe(to), why })
  if (jump !== undefined) return jump
  return onFail === undefined ? undefined : runList(run, onFail)
}

type Target = Complete<'transfer'>['to']
type Outcome = { jump: Jump } | { why: string }

function describe(to: Target): string {
  return to.type === 'number' ? to.number : to.type === 'sip' ? to.uri : `client:${to.identity}`
}

/** The remote party calls the target itself, and leaves us. */
async function transferBlind(run: Run, handed: HeldLeg, to: Target): Promise<Outcome> {
  if (to.type === 'client')
    return { why: 'a phone in the browser cannot be called by the remote party; use mode attended' }
  const against = await run.tools.policyAgainst(handed, describe(to))
  if (against !== undefined) return { why: against }
  const asked = handed.leg.refer(to.type === 'number' ? to.number : to.uri)
  const answered = await orAborted(AbortSignal.any([run.signal, handed.ended]), asked)
  if (answered === undefined) return { why: 'the call ended meanwhile' }
  if (!answered.ok) return { why: `the remote party answered ${answered.sipCode}` }
  handed.report({ type: 'noted', event: 'call.transferred', details: { to: describe(to), mode: 'blind' } })
  handed.end('normal', 'system')
  return { jump: handed === run.held ? { type: 'end' } : undefined }
}

/** The target is called by us, and joined with anyone who is handed over; both stay with us, with nobody else. */
async function transferAttended(run: Run, handed: HeldLeg, instruction: Complete<'transfer'>): Promise<Outcome> {
  const { to, timeoutSeconds, callerId, confirm } = instruction
  const conversation = conversationOf(run.held)
  const outcome = await ringTargets(run, {
    targets: [to],
    strategy: 'simultaneous',
    timeoutSeconds,
    isSilent: conversation !== undefined,
    ...(callerId === undefined ? {} : { callerId }),
    ...(confirm === undefined ? {} : { confirm }),
  })
  if (!('taken' in outcome)) return { why: outcome.failed }
  const { taken } = outcome
  if (run.signal.aborted || handed.isOver) {
    taken.end('canceled', run.held.isOver ? 'caller' : 'system')
    return { why: 'the call ended meanwhile' }
  }
  const work = async (own: Run): Promise<Jump> => {
    await converse(own, { held: taken }, { record: 'none', timeLimitSeconds: undefined, finishOnKey: '' })
    return undefined
  }
  handed.report({ type: 'noted', event: 'call.transferred', details: { to: describe(to), mode: 'attended' } })
  if (handed === run.held) return { jump: { type: 'instead', work } }
  // Who is handed over lives on without us, and our own list goes on.
  const current = conversationOf(handed)
  if (current?.partner.held === handed) current.give()
  run.tools.instead(handed, work)
  return { jump: undefined }
}

/** The leg that is meant; undefined where it is joined with nobody. */
function sideOf({ held, media }: Run, leg: 'self' | 'peer'): Side | undefined {
  return leg === 'self' ? { held, media } : conversationOf(held)?.otherOf(held)
}

export const hold: VerbFunction<'hold'> = async (run, { leg, musicUrl }) => {
  if (!(await answer(run))) return { type: 'end' }
  const music =
    musicUrl === undefined
      ? toneClip('hold')
      : await clipOr(run, signal => run.tools.fetchClip(run.held, musicUrl, signal))
  const side = sideOf(run, leg)
  if (side === undefined || run.signal.aborted) return undefined
  side.media.hold(endless(music === undefined || music.durationMs === 0 ? toneClip('hold') : music, side.media))
  side.held.report({ type: 'noted', event: 'call.held', details: { by: 'instructions' } })
  return undefined
}

export const resume: VerbFunction<'resume'> = async (run, { leg }) => {
  const side = sideOf(run, leg)
  if (side === undefined || !side.media.isHeld) return undefined
  side.media.resume()
  side.held.report({ type: 'noted', event: 'call.resumed', details: { by: 'instructions' } })
  return undefined
}

async function setMuted(run: Run, leg: 'self' | 'peer', isMuted: boolean): Promise<Jump> {
  if (!(await answer(run))) return { type: 'end' }
  const side = sideOf(run, leg)
  if (side === undefined || side.media.isMuted === isMuted) return undefined
  side.media.setMuted(isMuted)
  side.held.report({ type: 'noted', event: isMuted ? 'call.muted' : 'call.unmuted', details: null })
  return undefined
}

export const mute: VerbFunction<'mute'> = (run, { leg }) => setMuted(run, leg, true)
export const unmute: VerbFunction<'unmute'> = (run, { leg }) => setMuted(run, leg, false)
