// The live stream: one connection for the whole page, however many screens listen. It asks for what they want together, and each listener
// hears what it asked for itself and nothing else, whatever the others want. It opens with the first listener, of that listener's mode, and
// outlives a change of screens; it closes a moment after the last one has gone.
import type { EventStream } from '@tandem/sdk'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { apiOf } from '../session/api.ts'
import { type Mode, sessionState, useSession } from '../session/session.ts'
import { mayReturn, returnMs } from './live_return.ts'
import { covers, hears, type LiveMessage, type LiveTopic, queryOf, unionOf, type Wants, wantsOf } from './live_wants.ts'

export type { EventPattern, LiveMessage, LiveTopic } from './live_wants.ts'
export type LiveState = 'closed' | 'connecting' | 'open'

type Listener = { mode: Mode; wants: Wants; onMessage(message: LiveMessage): void }
type Running = {
  mode: Mode
  wants: Wants
  stop: AbortController
  /** Undefined until it runs. */
  stream?: EventStream<LiveMessage>
  /** Id of the message behind which it began. */
  from: string | undefined
  /** Once it was given up: id of the last message it heard, behind which another goes on. */
  until?: string | undefined
}

/** How long the stream stands without a listener: the next screen takes it over. */
const lingerMs = 1_000
/** How long it stands wider than anybody needs: who walks through the screens is not connected again at every step. */
const narrowMs = 5_000

const listeners = new Set<Listener>()
const watchers = new Set<() => void>()
let liveState: LiveState = 'closed'
let running: Running | undefined
let narrowing: ReturnType<typeof setTimeout> | undefined

function setState(next: LiveState): void {
  if (liveState === next) return
  liveState = next
  for (const watcher of watchers) watcher()
}

async function run(mine: Running): Promise<void> {
  let fault: unknown
  // What goes on behind another connection misses nothing, so nobody need read again for it; `onRetry` reports when it does not stand.
  if (mine.from === undefined) setState('connecting')
  try {
    const stream = apiOf(mine.mode).stream.open(queryOf(mine.wants), {
      signal: mine.stop.signal,
      ...(mine.from && { lastEventId: mine.from }),
      onOpen: () => running === mine && setState('open'),
      onRetry: () => running === mine && setState('connecting'),
    })
    mine.stream = stream
    for await (const message of stream) {
      // The message that was on its way to us when we gave the connection up counts as heard.
      if (mine.stop.signal.aborted && message.id !== mine.until) return
      for (const listener of [...listeners])
        if (listener.mode === mine.mode && hears(listener.wants, message)) listener.onMessage(message)
    }
  } catch (error) {
    // The SDK reconnects by itself; what comes here was refused, or not understood, or stopped by us.
    fault = error
  } finally {
    if (running === mine) {
      running = undefined
      setState('closed')
      if (mayReturn(fault)) setTimeout(() => running === undefined && listeners.size > 0 && settle(), returnMs)
    }
  }
}

/** Ends a connection. Returns the id behind which another goes on. */
function giveUp(given: Running): string | undefined {
  given.until = given.stream?.lastEventId ?? given.from
  given.stop.abort()
  return given.until
}

function close(): void {
  clearTimeout(narrowing)
  if (running !== undefined) giveUp(running)
  running = undefined
  setState('closed')
}

/**
 * Makes the connection fit those who listen: of the mode of the newest, with all that one of them wants. Where it lacks something, another
 * is made at once; where it only holds what nobody wants any more, after a moment.
 *
 * Either is another connection, behind the last message of the old one: none is missed, and none comes twice. A wider one also brings what
 * went by of its new types since that message, two seconds' worth at most (the server says so often where a reader is). That is what
 * makes it safe: the position is older than the listener, so nothing falls between what its screen reads now and what it hears. An event
 * carries its record as it was then, and they come in order, so that who heard of some of it by reading ends with the same. Where more
 * than the server sends again went by, it says `gap`, and what is shown is read again.
 */
function settle(): void {
  clearTimeout(narrowing)
  const mode = [...listeners].at(-1)?.mode
  if (mode === undefined) {
    leave()
    return
  }
  const wanted = unionOf([...listeners].filter(listener => listener.mode === mode).map(listener => listener.wants))
  const known = running?.mode === mode ? running : undefined
  if (known === undefined || !covers(known.wants, wanted)) connect(mode, wanted)
  else if (!covers(wanted, known.wants))
    narrowing = setTimeout(() => running === known && connect(mode, wanted), narrowMs)
}

function connect(mode: Mode, wants: Wants): void {
  const before = running
  const lastId = before && giveUp(before)
  const from = before?.mode === mode ? lastId : undefined
  running = { mode, wants, stop: new AbortController(), from }
  void run(running)
}

function leave(): void {
  // Nobody is logged in any more: the connection has no right to stand.
  if (sessionState().status !== 'in') close()
  else setTimeout(() => listeners.size === 0 && close(), lingerMs)
}

/** Settles behind all who come and go in one turn, such as two screens that follow each other. */
const settleSoon = () => queueMicrotask(settle)

/** Hears what happens from now on: of `listened`, and of nothing else. Nothing is asked for while `enabled` is false. */
export function useLive(
  listened: readonly LiveTopic[],
  onMessage: (message: LiveMessage) => void,
  enabled = true,
): LiveState {
  const { mode } = useSession()
  const latest = useRef(onMessage)
  latest.current = onMessage
  const wanted = JSON.stringify(wantsOf(listened))
  useEffect(() => {
    const wants = JSON.parse(wanted) as Wants
    if (!enabled || wants.topics.length === 0) return undefined
    const listener: Listener = { mode, wants, onMessage: message => latest.current(message) }
    listeners.add(listener)
    settleSoon()
    return () => {
      listeners.delete(listener)
      settleSoon()
    }
  }, [wanted, enabled, mode])
  return useSyncExternalStore(
    watcher => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => liveState,
  )
}
