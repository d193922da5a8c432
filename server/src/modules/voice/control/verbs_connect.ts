// Verbs that join the call with others: dial and transfer; and hold, resume, mute, unmute.
import type { Complete, DialTarget } from '../instructions/schema.ts'
import type { HeldLeg } from '../node.ts'
import { answer } from './answering.ts'
import { askIfNamed } from './asking.ts'
import { converse } from './conversation.ts'
import { dequeueFor } from './lines.ts'
import { ringTargets, type Taken } from './ringing.ts'
import type { Jump, Run, VerbFunction } from './run.ts'
import { runList } from './run.ts'
import { endless, toneClip } from './tones.ts'

export const dial: VerbFunction<'dial'> = async (run, instruction) => {
  const [first] = instruction.targets
  if (first?.type === 'queue') return dequeueFor(run, { ...instruction, queue: first.queue })
  if (!instruction.answerOnBridge && !(await answer(run))) return { type: 'end' }
  const outcome = await ringTargets(run, instruction)
  if (run.signal.aborted) {
    if ('taken' in outcome) outcome.taken.end('canceled', 'caller')
    return { type: 'end' }
  }
  if ('taken' in outcome) return talk(run, instruction, outcome)
  return settle(run, instruction, { dialResult: outcome.failed, dialedCallId: outcome.callId }, instruction.onFail)
}

async function talk(run: Run, instruction: Complete<'dial'>, { taken, target }: Taken): Promise<Jump> {
  if (!(await answer(run))) {
    taken.end('canceled', 'caller')
    return { type: 'end' }
  }
  const { record, timeLimitSeconds, finishOnKey, onAnswer } = instruction
  if (target.type === 'number' && target.sendDigits !== undefined)
    await taken.leg.sound.sendDigits(target.sendDigits, { signal: run.signal })
  if (onAnswer !== undefined) await runList(run, onAnswer)
  const startedMs = run.tools.clock.now()
  await converse(run, taken, { record, timeLimitSeconds, finishOnKey })
  if (run.signal.aborted) return { type: 'end' }
  const talkSeconds = Math.round((run.tools.clock.now() - startedMs) / 1_000)
  const data = { dialResult: 'answered', dialedCallId: taken.call.id, talkSeconds }
  return settle(run, instruction, data, instruction.onEnd)
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
  const { to, mode, leg, onFail, actionUrl } = instruction
  const handed = leg === 'peer' ? run.scratch.peer : run.held
  if (handed === undefined) return undefined
  const failure = mode === 'blind' ? await transferBlind(handed, to) : await transferAttended(run, handed, instruction)
  if (run.signal.aborted) return { type: 'end' }
  if (failure === undefined) {
    handed.tell({ type: 'noted', event: 'call.transferred', details: { to: describe(to), mode } })
    if (mode === 'blind') handed.end('normal', 'system')
    return handed === run.held ? { type: 'end' } : undefined
  }
  handed.tell({ type: 'noted', event: 'call.transfer_failed', details: { to: describe(to), mode, why: failure } })
  const jump = await askIfNamed(run, actionUrl, 'transfer_failed', { to: describe(to), why: failure })
  if (jump !== undefined) return jump
  return onFail === undefined ? undefined : runList(run, onFail)
}

type Target = Complete<'transfer'>['to']

function describe(to: Target): string {
  return to.type === 'number' ? to.number : to.type === 'sip' ? to.uri : `client:${to.identity}`
}

/** Undefined when the far side has called the target; else why not. */
async function transferBlind(handed: HeldLeg, to: Target): Promise<string | undefined> {
  if (to.type === 'client') return 'a phone in the browser cannot be called by the far side; use mode attended'
  const { ok, sipCode } = await handed.leg.refer(to.type === 'number' ? to.number : to.uri)
  return ok ? undefined : `the far side answered ${sipCode}`
}

async function transferAttended(run: Run, handed: HeldLeg, instruction: Complete<'transfer'>) {
  const { to, timeoutSeconds, callerId, confirm } = instruction
  const outcome = await ringTargets(run, {
    targets: [to],
    strategy: 'simultaneous',
    timeoutSeconds,
    ...(callerId === undefined ? {} : { callerId }),
    ...(confirm === undefined ? {} : { confirm }),
  })
  if (!('taken' in outcome)) return outcome.failed
  handed.tell({ type: 'noted', event: 'call.transferred', details: { to: describe(to), mode: 'attended' } })
  // Both stay with us: the conversation goes on until one of them leaves.
  await converse(run, outcome.taken, { record: 'none', timeLimitSeconds: undefined, finishOnKey: '' })
  handed.end('normal', 'system')
  return undefined
}

function legOf(run: Run, leg: 'self' | 'peer'): HeldLeg | undefined {
  return leg === 'peer' ? run.scratch.peer : run.held
}

export const hold: VerbFunction<'hold'> = async (run, { leg, musicUrl }) => {
  const held = legOf(run, leg)
  const media = leg === 'peer' ? run.scratch.peerMedia : run.media
  if (held === undefined || media === undefined) return undefined
  const music = musicUrl === undefined ? toneClip('hold') : await run.tools.fetchClip(run.held, musicUrl, run.signal)
  media.hold(endless(music, media))
  held.tell({ type: 'noted', event: 'call.held', details: { by: 'instructions' } })
  return undefined
}

export const resume: VerbFunction<'resume'> = async (run, { leg }) => {
  const held = legOf(run, leg)
  const media = leg === 'peer' ? run.scratch.peerMedia : run.media
  if (held === undefined || !media?.isHeld) return undefined
  media.resume()
  held.tell({ type: 'noted', event: 'call.resumed', details: { by: 'instructions' } })
  return undefined
}

async function setMuted(run: Run, leg: 'self' | 'peer', isMuted: boolean): Promise<Jump> {
  const media = leg === 'peer' ? run.scratch.peerMedia : run.media
  if (media === undefined || media.isMuted === isMuted) return undefined
  media.setMuted(isMuted)
  const event = isMuted ? 'call.muted' : 'call.unmuted'
  legOf(run, leg)?.tell({ type: 'noted', event, details: null })
  return undefined
}

export const mute: VerbFunction<'mute'> = (run, { leg }) => setMuted(run, leg, true)
export const unmute: VerbFunction<'unmute'> = (run, { leg }) => setMuted(run, leg, false)

export type { DialTarget }
