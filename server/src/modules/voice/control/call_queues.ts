// Call queues: calls that wait until somebody takes them out. A queue lives in the node that holds its calls.
import type { Complete, InstructionList } from '../instructions/index.ts'
import { toneClip } from '../legs/index.ts'
import { answer } from './answering.ts'
import { askIfNamed, listFrom } from './asking.ts'
import { converse } from './conversation.ts'
import type { CallQueues, Jump, Run, VerbFunction, WaitingCall } from './run.ts'
import { runList, until } from './run_list.ts'

type Taker = { skills: readonly string[]; give(waiting: WaitingCall): void }

type Queue = { waiting: WaitingCall[]; takers: Taker[] }

const canServe = (skills: readonly string[], { skills: needed }: WaitingCall) =>
  needed.every(skill => skills.includes(skill))

export function createCallQueues(): CallQueues {
  const queues = new Map<string, Queue>()

  function queueOf(key: string): Queue {
    let queue = queues.get(key)
    if (queue === undefined) {
      queue = { waiting: [], takers: [] }
      queues.set(key, queue)
    }
    return queue
  }

  function tidy(key: string): void {
    const queue = queues.get(key)
    if (queue?.waiting.length === 0 && queue.takers.length === 0) queues.delete(key)
  }

  return {
    enter(key, waiting) {
      const queue = queueOf(key)
      const taker = queue.takers.find(({ skills }) => canServe(skills, waiting))
      if (taker !== undefined) taker.give(waiting)
      else {
        // Higher priority first; among equals anyone who waits longest.
        const { priority, sinceMs } = waiting
        const behind = queue.waiting.findIndex(
          other => other.priority < priority || (other.priority === priority && other.sinceMs > sinceMs),
        )
        queue.waiting.splice(behind === -1 ? queue.waiting.length : behind, 0, waiting)
      }
      return () => {
        const current = queues.get(key)
        if (current !== undefined) current.waiting = current.waiting.filter(other => other !== waiting)
        tidy(key)
      }
    },
    next(key, { callId, skills = [] }, signal) {
      const queue = queueOf(key)
      const found = queue.waiting.findIndex(waiting =>
        callId === undefined ? canServe(skills, waiting) : waiting.run.held.call.id === callId,
      )
      const first = found === -1 ? undefined : queue.waiting.splice(found, 1)[0]
      if (first !== undefined || callId !== undefined || signal.aborted) {
        tidy(key)
        return Promise.resolve(first)
      }
      return new Promise(resolve => {
        const done = (waiting: WaitingCall | undefined) => {
          queue.takers = queue.takers.filter(other => other !== taker)
          signal.removeEventListener('abort', giveUp)
          tidy(key)
          resolve(waiting)
        }
        const giveUp = () => done(undefined)
        const taker: Taker = { skills, give: done }
        queue.takers.push(taker)
        signal.addEventListener('abort', giveUp, { once: true })
      })
    },
    placeOf: (key, waiting) => (queues.get(key)?.waiting.indexOf(waiting) ?? -1) + 1,
    size: key => queues.get(key)?.waiting.length ?? 0,
    get count() {
      return queues.size
    },
  }
}

const keyOf = ({ held }: Run, queue: string) => `${held.ref.tenantId} ${queue}`

type LeftBecause = 'taken' | 'left' | 'timeout' | 'hangup'

/** A call in one queue, until it is taken or leaves. */
type Place = {
  readonly waiting: WaitingCall
  readonly because: LeftBecause | undefined
  /** Of a call that was taken: resolves when its conversation is over. */
  readonly conversation: Promise<void> | undefined
  leave(why: LeftBecause): void
  /** Waits for nothing any more, whatever the reason. */
  close(): void
}

function createPlace(run: Run, { priority, skills = [], maxWaitSeconds }: Complete<'enqueue'>): Place {
  const { held, tools, signal } = run
  const stop = new AbortController()
  let because: LeftBecause | undefined
  let conversation: Promise<void> | undefined
  let isReserved = false
  let isLate = false
  const leave = (why: LeftBecause) => {
    because ??= why
    stop.abort()
  }
  const waiting: WaitingCall = {
    run,
    priority,
    skills,
    sinceMs: tools.clock.now(),
    gone: AbortSignal.any([signal, stop.signal]),
    get isOpen() {
      return because === undefined && !signal.aborted
    },
    reserve() {
      isReserved = waiting.isOpen
      return isReserved
    },
    release() {
      isReserved = false
      if (isLate) leave('timeout')
    },
    take(over) {
      if (!waiting.isOpen) return false
      conversation = over
      leave('taken')
      return true
    },
  }
  void held.leg.sleep(maxWaitSeconds * 1_000, stop.signal).then(() => {
    // Somebody is about to talk with it: it leaves only where nothing comes of that.
    if (isReserved) isLate = true
    else leave('timeout')
  })
  return {
    waiting,
    get because() {
      return because
    },
    get conversation() {
      return conversation
    },
    leave,
    close: () => stop.abort(),
  }
}

export const enqueue: VerbFunction<'enqueue'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { queue, onFail, actionUrl } = instruction
  const { held, tools, scratch, signal } = run
  const key = keyOf(run, queue)
  const place = createPlace(run, instruction)
  const { waiting } = place
  const reportLeft = (reason: LeftBecause) => {
    const waitedSeconds = Math.round((tools.clock.now() - waiting.sinceMs) / 1_000)
    held.report({ type: 'noted', event: 'queue.left', details: { queue, reason, waitedSeconds } })
    return waitedSeconds
  }
  held.report({ type: 'noted', event: 'queue.entered', details: { queue, size: tools.queues.size(key) + 1 } })
  const takeOut = tools.queues.enter(key, waiting)
  const leaveVerb = () => place.leave('left')
  scratch.leave = leaveVerb
  // Reported before the end of the call is: after that nothing is reported of it.
  const unlisten = held.listen(event => event.type === 'ended' && place.because === undefined && reportLeft('hangup'))
  let jump: Jump
  try {
    // The first, while somebody is about to talk with it.
    const placeNow = () => Math.max(1, tools.queues.placeOf(key, waiting))
    jump = await waitIn(until(run, waiting.gone), instruction, placeNow)
    // What is heard while waiting may itself lead elsewhere.
    if (!signal.aborted) place.leave('left')
  } finally {
    place.close()
    takeOut()
    unlisten()
    if (scratch.leave === leaveVerb) scratch.leave = undefined
  }
  if (signal.aborted && place.because === undefined) {
    if (!held.isOver) reportLeft('left')
    return jump?.type === 'instead' ? jump : { type: 'end' }
  }
  const why = place.because ?? 'left'
  const waitedSeconds = reportLeft(why)
  await place.conversation
  if (signal.aborted && jump?.type !== 'instead') return { type: 'end' }
  if (why !== 'taken' && jump !== undefined && jump.type !== 'end') return jump
  const next = await askIfNamed(run, actionUrl, 'queue_left', { queue, queueResult: why, waitedSeconds })
  if (next !== undefined) return next
  return why === 'taken' || onFail === undefined ? undefined : runList(run, onFail)
}

const hold = () => toneClip('hold')

/** Lets the call hear what is to be heard while it waits, until its signal aborts. */
async function waitIn(run: Run, { wait, waitUrl, queue }: Complete<'enqueue'>, place: () => number): Promise<Jump> {
  const { player, signal } = run
  if (wait === undefined && waitUrl === undefined) await player.play(hold(), { loop: 0, signal })
  while (!signal.aborted) {
    const list = wait ?? (await listFrom(run, waitUrl ?? '', 'waiting', { queue, place: place() }))
    // An address that does not say what is heard costs nobody the place in the queue.
    if (list === undefined || list.length === 0) await player.play(hold(), { loop: 1, signal })
    else {
      const jump = await runPaced(run, list)
      if (jump !== undefined) return jump.type === 'leave' ? undefined : jump
    }
  }
  return undefined
}

/** A list that is repeated: one that takes no time must not turn in circles. */
export async function runPaced(run: Run, list: InstructionList): Promise<Jump> {
  const { clock } = run.tools
  const startedMs = clock.now()
  const jump = await runList(run, list)
  const isInstant = jump === undefined && clock.now() - startedMs < 100
  if (isInstant && !run.signal.aborted) await run.held.leg.sleep(1_000, run.signal)
  return jump
}

export const leave: VerbFunction<'leave'> = async ({ scratch }) => {
  scratch.leave?.()
  return { type: 'leave' }
}

export const dequeue: VerbFunction<'dequeue'> = async (run, instruction) => {
  const data = await dequeueFor(run, instruction)
  return data === undefined ? { type: 'end' } : askIfNamed(run, instruction.actionUrl, 'dialed', data)
}

type Dequeuing = Pick<Complete<'dequeue'>, 'queue' | 'timeoutSeconds' | 'timeLimitSeconds' | 'record'> &
  Partial<Pick<Complete<'dequeue'>, 'callId' | 'skills' | 'beep'>> &
  Partial<Pick<Complete<'dial'>, 'finishOnKey' | 'onAnswer'>>

/** Takes the next caller of a queue and talks with them; how that went, or undefined where the list is not to go on. */
export async function dequeueFor(run: Run, instruction: Dequeuing): Promise<Record<string, unknown> | undefined> {
  if (!(await answer(run))) return undefined
  const { queue, timeLimitSeconds, record, finishOnKey = '' } = instruction
  const { tools, signal } = run
  for (;;) {
    const next = await reserveNext(run, instruction)
    if (next === undefined) return signal.aborted ? undefined : { dialResult: 'queue_empty' }
    const { promise, resolve: over } = Promise.withResolvers<void>()
    let isTaken = false
    try {
      await prepare(run, next, instruction)
      isTaken = !signal.aborted && next.take(promise)
    } finally {
      if (!isTaken) putBack(run, queue, next)
    }
    if (signal.aborted) return undefined
    // The caller left before both were joined: somebody else may wait.
    if (!isTaken) continue
    const startedMs = tools.clock.now()
    try {
      const partner = { held: next.run.held, guest: { run: next.run, over } }
      await converse(run, partner, { record, timeLimitSeconds, finishOnKey })
    } finally {
      over()
    }
    if (signal.aborted) return undefined
    const talkSeconds = Math.round((tools.clock.now() - startedMs) / 1_000)
    return { dialResult: 'answered', dialedCallId: next.run.held.call.id, talkSeconds }
  }
}

/** What both hear before they are joined; over at once where one of them leaves. */
async function prepare(run: Run, next: WaitingCall, { beep, onAnswer }: Dequeuing): Promise<void> {
  const both = until(run, next.gone)
  if (onAnswer !== undefined) await runList(both, onAnswer)
  if (beep === true) await next.run.player.play(toneClip('beep'), { loop: 1, signal: both.signal })
}

/** Nothing came of it: the call waits at its old place, if it waits still. */
function putBack(run: Run, queue: string, next: WaitingCall): void {
  next.release()
  if (next.isOpen) run.tools.queues.enter(keyOf(run, queue), next)
}

/** Waits for a caller, with music; passes over those who leave in the moment they are handed out. */
async function reserveNext(
  run: Run,
  { queue, callId, skills, timeoutSeconds }: Dequeuing,
): Promise<WaitingCall | undefined> {
  const { held, tools, signal, player } = run
  const key = keyOf(run, queue)
  const late = new AbortController()
  const ended = AbortSignal.any([signal, late.signal])
  void held.leg.sleep(timeoutSeconds * 1_000, ended).then(() => late.abort())
  void player.play(hold(), { loop: 0, signal: ended })
  try {
    for (;;) {
      const next = await tools.queues.next(key, { callId, skills }, ended)
      if (next === undefined) return undefined
      if (!signal.aborted) {
        if (next.reserve()) return next
      } else {
        // It was handed out in the moment this call left.
        putBack(run, queue, next)
        return undefined
      }
    }
  } finally {
    late.abort()
  }
}
