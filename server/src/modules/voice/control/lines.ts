// Waiting lines: calls that wait in a queue until somebody takes them out. A line lives in the node that holds its calls.
import type { Complete } from '../instructions/schema.ts'
import { answer } from './answering.ts'
import { ask, askIfNamed } from './asking.ts'
import { converse } from './conversation.ts'
import type { Jump, Run, VerbFunction } from './run.ts'
import { runList } from './run.ts'
import { toneClip } from './tones.ts'

/** A call that waits. */
type Waiting = {
  readonly run: Run
  readonly priority: number
  readonly sinceMs: number
  /** Somebody has taken it; what that one does with it is over when `over` resolves. */
  take(over: Promise<void>): void
}

type Line = { waiting: Waiting[]; takers: ((waiting: Waiting) => void)[] }

export type Lines = {
  /** Puts a call into the line of its organization; answers what takes it out again. */
  enter(key: string, waiting: Waiting): () => void
  /** The next call of a line, as soon as there is one; undefined when `signal` aborts before. */
  next(key: string, callId: string | undefined, signal: AbortSignal): Promise<Waiting | undefined>
  /** The place of a call in its line, from 1. */
  placeOf(key: string, waiting: Waiting): number
  size(key: string): number
}

export function createLines(): Lines {
  const lines = new Map<string, Line>()

  function lineOf(key: string): Line {
    let line = lines.get(key)
    if (line === undefined) {
      line = { waiting: [], takers: [] }
      lines.set(key, line)
    }
    return line
  }

  function tidy(key: string, line: Line): void {
    if (line.waiting.length === 0 && line.takers.length === 0) lines.delete(key)
  }

  return {
    enter(key, waiting) {
      const line = lineOf(key)
      const taker = line.takers.shift()
      if (taker !== undefined) {
        taker(waiting)
        return () => {}
      }
      // Higher priority first; among equals whoever waits longest.
      const behind = line.waiting.findIndex(({ priority }) => priority < waiting.priority)
      line.waiting.splice(behind === -1 ? line.waiting.length : behind, 0, waiting)
      return () => {
        line.waiting = line.waiting.filter(other => other !== waiting)
        tidy(key, line)
      }
    },
    next(key, callId, signal) {
      const line = lineOf(key)
      const found = callId === undefined ? 0 : line.waiting.findIndex(({ run }) => run.held.call.id === callId)
      const first = found === -1 ? undefined : line.waiting.splice(found, 1)[0]
      if (first !== undefined || callId !== undefined || signal.aborted) {
        tidy(key, line)
        return Promise.resolve(first)
      }
      return new Promise(resolve => {
        const done = (waiting: Waiting | undefined) => {
          line.takers = line.takers.filter(taker => taker !== done)
          signal.removeEventListener('abort', giveUp)
          tidy(key, line)
          resolve(waiting)
        }
        const giveUp = () => done(undefined)
        line.takers.push(done)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
    placeOf: (key, waiting) => (lines.get(key)?.waiting.indexOf(waiting) ?? -1) + 1,
    size: key => lines.get(key)?.waiting.length ?? 0,
  }
}

const keyOf = ({ held }: Run, queue: string) => `${held.ref.tenantId} ${queue}`

type LeftBecause = 'taken' | 'left' | 'timeout' | 'hangup'

export const enqueue: VerbFunction<'enqueue'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { queue, priority, maxWaitSeconds, onFail, actionUrl } = instruction
  const { held, tools, scratch, signal } = run
  const key = keyOf(run, queue)
  const stop = new AbortController()
  let because: LeftBecause | undefined
  let conversation: Promise<void> | undefined
  const leave = (why: LeftBecause) => {
    because ??= why
    stop.abort()
  }
  const waiting: Waiting = {
    run,
    priority,
    sinceMs: tools.clock.now(),
    take(over) {
      conversation = over
      leave('taken')
    },
  }
  const takeOut = tools.lines.enter(key, waiting)
  held.tell({ type: 'noted', event: 'queue.entered', details: { queue, size: tools.lines.size(key) } })
  scratch.leave = () => leave('left')
  void held.leg.sleep(maxWaitSeconds * 1_000, stop.signal).then(() => leave('timeout'))
  const jump = await waitIn(run.until(stop.signal), instruction, () => tools.lines.placeOf(key, waiting))
  // What is heard while waiting may itself lead elsewhere.
  if (jump !== undefined && jump.type !== 'end') leave('left')
  takeOut()
  scratch.leave = undefined
  await conversation
  const waitedSeconds = Math.round((tools.clock.now() - waiting.sinceMs) / 1_000)
  const why = signal.aborted ? 'hangup' : (because ?? 'left')
  held.tell({ type: 'noted', event: 'queue.left', details: { queue, reason: why, waitedSeconds } })
  if (signal.aborted) return { type: 'end' }
  if (jump?.type === 'goto' || jump?.type === 'replace') return jump
  const next = await askIfNamed(run, actionUrl, 'queue_left', { queue, queueResult: why, waitedSeconds })
  if (next !== undefined) return next
  return why === 'taken' || onFail === undefined ? undefined : runList(run, onFail)
}

/** Lets the call hear what is to be heard while it waits, until its signal aborts. */
async function waitIn(run: Run, { wait, waitUrl, queue }: Complete<'enqueue'>, place: () => number): Promise<Jump> {
  if (wait === undefined && waitUrl === undefined) {
    await run.player.play(toneClip('hold'), { loop: 0, signal: run.signal })
    return undefined
  }
  while (!run.signal.aborted) {
    const startedMs = performance.now()
    const jump = wait === undefined ? await ask(run, waitUrl ?? '', 'waiting', { queue, place: place() }) : undefined
    if (jump !== undefined && jump.type !== 'replace') return jump
    const list = jump?.list ?? wait ?? []
    const end = await runList(run, list)
    if (end !== undefined) return end.type === 'leave' ? undefined : end
    // A list that takes no time must not turn in circles.
    if (performance.now() - startedMs < 100) await run.held.leg.sleep(1_000, run.signal)
  }
  return undefined
}

export const leave: VerbFunction<'leave'> = async ({ scratch }) => {
  scratch.leave?.()
  return { type: 'leave' }
}

export const dequeue: VerbFunction<'dequeue'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  return dequeueFor(run, instruction)
}

type Dequeuing = Pick<Complete<'dequeue'>, 'queue' | 'timeoutSeconds' | 'timeLimitSeconds' | 'record' | 'actionUrl'> &
  Partial<Pick<Complete<'dequeue'>, 'callId' | 'beep'>>

/** Takes the next caller of a queue and talks with them. */
export async function dequeueFor(run: Run, instruction: Dequeuing): Promise<Jump> {
  if (!(await answer(run))) return { type: 'end' }
  const { queue, callId, timeoutSeconds, timeLimitSeconds, record, actionUrl, beep } = instruction
  const { held, tools } = run
  const late = new AbortController()
  void held.leg.sleep(timeoutSeconds * 1_000, AbortSignal.any([run.signal, late.signal])).then(() => late.abort())
  const music = new AbortController()
  void run.player.play(toneClip('hold'), { loop: 0, signal: AbortSignal.any([run.signal, music.signal]) })
  const next = await tools.lines.next(keyOf(run, queue), callId, AbortSignal.any([run.signal, late.signal]))
  late.abort()
  music.abort()
  if (next === undefined)
    return run.signal.aborted ? { type: 'end' } : askIfNamed(run, actionUrl, 'dialed', { dialResult: 'queue_empty' })
  const { promise, resolve } = Promise.withResolvers<void>()
  next.take(promise)
  const startedMs = tools.clock.now()
  try {
    if (beep === true) await next.run.player.play(toneClip('beep'), { loop: 1, signal: next.run.signal })
    await converse(run, next.run.held, {
      record,
      timeLimitSeconds,
      finishOnKey: '',
      peerMedia: next.run.media,
      peerScratch: next.run.scratch,
    })
  } finally {
    resolve()
  }
  if (run.signal.aborted) return { type: 'end' }
  const talkSeconds = Math.round((tools.clock.now() - startedMs) / 1_000)
  return askIfNamed(run, actionUrl, 'dialed', {
    dialResult: 'answered',
    dialedCallId: next.run.held.call.id,
    talkSeconds,
  })
}
