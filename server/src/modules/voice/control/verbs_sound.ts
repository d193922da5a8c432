// Verbs that are heard or that listen: say, play, pause, gather, sendDigits, detectMachine.
import { decodeG711 } from '@tandem/sip'
import { type AmdVerdict, createAmdDetector } from '../../../media/amd.ts'
import type { Clip } from '../../../media/clip.ts'
import type { Complete, PromptList } from '../instructions/schema.ts'
import { answer } from './answering.ts'
import { askIfNamed } from './asking.ts'
import { frameOctets } from './leg_sound.ts'
import type { Jump, Run, VerbFunction } from './run.ts'
import { runList } from './run.ts'
import { toneClip } from './tones.ts'

export const say: VerbFunction<'say'> = async (run, { text, language, voice, loop, bargeIn }) => {
  if (!(await answer(run))) return { type: 'end' }
  const clip = await clipOr(run, () =>
    run.tools.say({ text, language, ...(voice === undefined ? {} : { voice }) }, run.signal),
  )
  return clip && playThrough(run, clip, { loop, bargeIn })
}

export const play: VerbFunction<'play'> = async (run, { url, tone, loop, seekSeconds, bargeIn }) => {
  if (!(await answer(run))) return { type: 'end' }
  const clip =
    url === undefined
      ? toneClip(tone ?? 'beep')
      : await clipOr(run, () => run.tools.fetchClip(run.held, url, run.signal))
  return clip && playThrough(run, clip, { loop, bargeIn, seekMs: seekSeconds * 1_000 })
}

/** A sound that cannot be had is told in the history, and the list goes on without it. */
async function clipOr(run: Run, get: () => Promise<Clip>): Promise<Clip | undefined> {
  try {
    return await get()
  } catch (error) {
    if (run.signal.aborted) return undefined
    const why = error instanceof Error ? error.message : String(error)
    run.held.tell({ type: 'noted', event: 'call.sound_failed', details: { why } })
    run.log.warn({ err: error, call: run.held.call.id }, 'a sound could not be had')
    return undefined
  }
}

type PlayOptions = { loop: number; bargeIn: boolean; seekMs?: number }

async function playThrough(run: Run, clip: Clip, { loop, bargeIn, seekMs = 0 }: PlayOptions): Promise<Jump> {
  const stop = new AbortController()
  const unlisten = run.digits.listen(digit => {
    if (!bargeIn) return
    run.digits.keep(digit)
    stop.abort()
  })
  await run.player.play(clip, { loop, seekMs, signal: AbortSignal.any([run.signal, stop.signal]) })
  unlisten()
  return undefined
}

export const pause: VerbFunction<'pause'> = async (run, { seconds }) => {
  await run.held.leg.sleep(seconds * 1_000, run.signal)
  return undefined
}

export const gather: VerbFunction<'gather'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { digits, reason } = await collect(run, instruction)
  if (run.signal.aborted) return { type: 'end' }
  const { sensitive, branches, actionUrl, actionOnEmpty } = instruction
  const told = sensitive ? { count: digits.length } : { digits }
  run.held.tell({ type: 'noted', event: 'gather.completed', details: { ...told, reason } })
  const label = digits === '' ? undefined : branches?.[digits]
  if (label !== undefined) return { type: 'goto', label }
  if (digits === '' && !actionOnEmpty) return undefined
  return askIfNamed(run, actionUrl, 'gathered', { digits, gatherReason: reason })
}

type Gathered = { digits: string; reason: 'digits' | 'key' | 'timeout' }

async function collect(run: Run, instruction: Complete<'gather'>): Promise<Gathered> {
  const { numDigits, finishOnKey, timeoutSeconds, betweenDigitsSeconds, prompt, bargeIn } = instruction
  const stopPrompt = new AbortController()
  const prompting = prompt === undefined ? Promise.resolve() : playPrompt(run, prompt, stopPrompt.signal)
  const unlisten = run.digits.listen(() => bargeIn && stopPrompt.abort())
  let digits = ''
  try {
    for (;;) {
      const isFirst = digits === ''
      const waitMs = (isFirst ? timeoutSeconds : betweenDigitsSeconds) * 1_000
      const waiting = new AbortController()
      const wait = (isFirst ? prompting : Promise.resolve()).then(() => run.held.leg.sleep(waitMs, waiting.signal))
      const digit = await run.digits.next(wait, run.signal)
      waiting.abort()
      if (digit === undefined) return { digits, reason: 'timeout' }
      if (digit === finishOnKey) return { digits, reason: 'key' }
      digits += digit
      if (digits.length === numDigits) return { digits, reason: 'digits' }
    }
  } finally {
    unlisten()
    stopPrompt.abort()
    await prompting
  }
}

async function playPrompt(run: Run, prompt: PromptList, stop: AbortSignal): Promise<void> {
  await runList(run.until(stop), prompt)
}

export const sendDigits: VerbFunction<'sendDigits'> = async (run, { digits, method, toneMs, gapMs, leg }) => {
  if (!(await answer(run))) return { type: 'end' }
  const target = leg === 'peer' ? run.scratch.peer : run.held
  await target?.leg.sound.sendDigits(digits, { method, toneMs, gapMs, signal: run.signal })
  return undefined
}

export const detectMachine: VerbFunction<'detectMachine'> = async (run, instruction) => {
  const { mode, onMachine, actionUrl } = instruction
  const verdict = await listenForMachine(run, instruction)
  if (run.signal.aborted) return { type: 'end' }
  const answeredBy = verdict === 'human' || verdict === 'unknown' ? verdict : 'machine'
  run.held.tell({ type: 'machine_detected', answeredBy })
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
