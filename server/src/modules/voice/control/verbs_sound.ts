// Verbs that are heard or that listen: say, play, pause, gather, sendDigits, detectMachine.

import { decodeG711 } from '@tandem/sip'
import { type AmdVerdict, createAmdDetector } from '../../../media/amd.ts'
import type { Clip } from '../../../media/clip.ts'
import type { Complete, PromptList } from '../instructions/index.ts'
import { frameOctets, orAborted, toneClip } from '../legs/index.ts'
import { answer } from './answering.ts'
import { askIfNamed } from './asking.ts'
import { conversationOf } from './conversation.ts'
import type { Jump, Run, VerbFunction } from './run.ts'
import { runList, until } from './run_list.ts'

export const say: VerbFunction<'say'> = async (run, { text, language, voice, loop, bargeIn }) => {
  if (!(await answer(run))) return { type: 'end' }
  const speech = { text, language, ...(voice === undefined ? {} : { voice }) }
  return playThrough(run, signal => run.tools.say(speech, signal), { loop, bargeIn })
}

export const play: VerbFunction<'play'> = async (run, { url, tone, loop, seekSeconds, bargeIn }) => {
  if (!(await answer(run))) return { type: 'end' }
  const get = (signal: AbortSignal) =>
    url === undefined ? Promise.resolve(toneClip(tone ?? 'beep')) : run.tools.fetchClip(run.held, url, signal)
  return playThrough(run, get, { loop, bargeIn, seekMs: seekSeconds * 1_000 })
}

/** A sound that cannot be had is reported in the history, and the list goes on without it. */
export async function clipOr(
  run: Run,
  get: (signal: AbortSignal) => Promise<Clip>,
  signal = run.signal,
): Promise<Clip | undefined> {
  try {
    return await orAborted(signal, get(signal))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    run.held.report({ type: 'noted', event: 'call.sound_failed', details: { why } })
    // Mostly an address that somebody wrote wrong: a line is enough.
    run.log.warn({ why }, 'a sound could not be had')
    return undefined
  }
}

type PlayOptions = { loop: number; bargeIn: boolean; seekMs?: number }

/** A key counts from the moment the sound is asked for, not only once it is there. */
async function playThrough(
  run: Run,
  get: (signal: AbortSignal) => Promise<Clip>,
  { loop, bargeIn, seekMs = 0 }: PlayOptions,
): Promise<Jump> {
  const stop = new AbortController()
  const signal = bargeIn ? AbortSignal.any([run.signal, stop.signal]) : run.signal
  const unlisten = run.digits.listen(() => {
    if (bargeIn) stop.abort()
    return bargeIn
  })
  try {
    const clip = await clipOr(run, get, signal)
    if (clip !== undefined) await run.player.play(clip, { loop, seekMs, signal })
  } finally {
    unlisten()
  }
  return undefined
}

export const pause: VerbFunction<'pause'> = async (run, { seconds }) => {
  await run.held.leg.sleep(seconds * 1_000, run.signal)
  return undefined
}

export const gather: VerbFunction<'gather'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { sensitive, branches, actionUrl, actionOnEmpty } = instruction
  const unhide = sensitive ? run.held.hideDigits() : undefined
  const { digits, reason } = await collect(run, instruction).finally(unhide)
  if (run.signal.aborted) return { type: 'end' }
  const typed = sensitive ? { count: digits.length } : { digits }
  run.held.report({ type: 'noted', event: 'gather.completed', details: { ...typed, reason } })
  const label = digits === '' ? undefined : branches?.[digits]
  if (label !== undefined) return { type: 'goto', label }
  if (digits === '' && !actionOnEmpty) return undefined
  return askIfNamed(run, actionUrl, 'gathered', { digits, gatherReason: reason })
}

type Gathered = { digits: string; reason: 'digits' | 'key' | 'timeout' }

/** What `numDigits` may be at most, for those that name none. */
const maxDigits = 128

async function collect(run: Run, instruction: Complete<'gather'>): Promise<Gathered> {
  const { numDigits = maxDigits, finishOnKey, timeoutSeconds, betweenDigitsSeconds, prompt, bargeIn } = instruction
  const keys = run.digits.take()
  const stopPrompt = new AbortController()
  const prompting = prompt === undefined ? Promise.resolve() : playPrompt(run, prompt, stopPrompt.signal)
  let digits = ''
  try {
    for (;;) {
      const waitMs = (digits === '' ? timeoutSeconds : betweenDigitsSeconds) * 1_000
      const waiting = new AbortController()
      // Time counts from the end of the prompt.
      const wait = prompting.then(() => run.held.leg.sleep(waitMs, waiting.signal))
      const digit = await keys.next(wait, run.signal)
      waiting.abort()
      if (digit === undefined) return { digits, reason: 'timeout' }
      if (bargeIn) stopPrompt.abort()
      if (digit === finishOnKey) return { digits, reason: 'key' }
      digits += digit
      if (digits.length >= numDigits) return { digits, reason: 'digits' }
    }
  } finally {
    // What may not be interrupted is heard to its end, whatever was typed meanwhile.
    await prompting
    keys.close()
  }
}

async function playPrompt(run: Run, prompt: PromptList, stop: AbortSignal): Promise<void> {
  await runList(until(run, stop), prompt).catch(error => run.log.error({ err: error }, 'a prompt failed'))
}

export const sendDigits: VerbFunction<'sendDigits'> = async (run, { digits, method, toneMs, gapMs, leg }) => {
  if (!(await answer(run))) return { type: 'end' }
  const { held, signal, log } = run
  const target = leg === 'peer' ? conversationOf(held)?.otherOf(held)?.held : held
  if (target === undefined) return undefined
  await orAborted(signal, target.leg.sound.sendDigits(digits, { method, toneMs, gapMs, signal })).catch(error =>
    log.warn({ err: error }, 'digits could not be sent'),
  )
  return undefined
}

export const detectMachine: VerbFunction<'detectMachine'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { mode, onMachine, actionUrl } = instruction
  const verdict = await listenForMachine(run, instruction)
  if (run.signal.aborted) return { type: 'end' }
  const answeredBy = verdict === 'human' || verdict === 'unknown' ? verdict : 'machine'
  run.held.report({ type: 'machine_detected', answeredBy })
  const jump = await askIfNamed(run, actionUrl, 'machine_detected', { answeredBy, verdict, mode })
  if (jump !== undefined) return jump
  return answeredBy === 'machine' && onMachine !== undefined ? runList(run, onMachine) : undefined
}

/** Who answered, by what is heard of them. */
async function listenForMachine(run: Run, instruction: Complete<'detectMachine'>): Promise<AmdVerdict> {
  const detector = createAmdDetector({
    waitsForGreetingEnd: instruction.mode === 'greetingEnd',
    timeoutMs: instruction.timeoutSeconds * 1_000,
    speechMs: instruction.speechThresholdMs,
    speechEndMs: instruction.speechEndThresholdMs,
    silenceMs: instruction.silenceTimeoutMs,
  })
  const samples = new Int16Array(frameOctets)
  return new Promise(resolve => {
    const done = (verdict: AmdVerdict) => {
      untap()
      run.signal.removeEventListener('abort', stop)
      resolve(verdict)
    }
    const stop = () => done('unknown')
    const untap = run.media.tap((from, _to, law, kind) => {
      const result = detector.push(kind === 'silence' ? null : decodeG711(law, from, samples))
      if (result !== null) done(result.verdict)
    })
    run.signal.addEventListener('abort', stop, { once: true })
  })
}
