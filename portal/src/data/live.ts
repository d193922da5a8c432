// The live stream: one connection for the whole page, however many screens listen. It opens with the first listener, of
// that listener's mode, and outlives a change of screens; it closes a moment after the last one has gone.
import type { StreamOpenEvent } from '@tandem/sdk'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { apiOf } from '../session/api.ts'
import { type Mode, sessionState, useSession } from '../session/session.ts'

export type LiveTopic = 'requests' | 'events' | 'conversations'
export type LiveState = 'closed' | 'connecting' | 'open'
export type LiveMessage = StreamOpenEvent

type Listener = { mode: Mode; topics: readonly LiveTopic[]; onMessage(message: LiveMessage): void }
type Running = { mode: Mode; topics: readonly LiveTopic[]; stop: AbortController; lastEventId: string | undefined }

/** How long the stream stands without a listener: the next screen takes it over. */
const lingerMs = 1_000

const listeners = new Set<Listener>()
const watchers = new Set<() => void>()
let liveState: LiveState = 'closed'
let running: Running | undefined

function setState(next: LiveState): void {
  if (liveState === next) return
  liveState = next
  for (const watcher of watchers) watcher()
}

async function run(mine: Running): Promise<void> {
  setState('connecting')
  try {
    const stream = apiOf(mine.mode).stream.open(
      { topics: mine.topics.join(',') },
      {
        signal: mine.stop.signal,
        ...(mine.lastEventId === undefined ? {} : { lastEventId: mine.lastEventId }),
        onOpen: () => running === mine && setState('open'),
        onRetry: () => running === mine && setState('connecting'),
      },
    )
    for await (const message of stream) {
      if (mine.stop.signal.aborted) return
      mine.lastEventId = stream.lastEventId
      for (const listener of [...listeners]) if (listener.mode === mine.mode) listener.onMessage(message)
    }
  } catch {
    // The SDK reconnects by itself; what comes here is final: refused, or stopped by us.
  } finally {
    if (running === mine) {
      running = undefined
      setState('closed')
    }
  }
}

function close(): void {
  running?.stop.abort()
  running = undefined
  setState('closed')
}

/** Makes the connection fit those who listen: of the mode of the newest, with every topic one of them wants. */
function settle(): void {
  const mode = [...listeners].at(-1)?.mode
  if (mode === undefined) {
    close()
    return
  }
  const wanted = [...listeners].filter(listener => listener.mode === mode).flatMap(listener => listener.topics)
  const known = running?.mode === mode ? running : undefined
  if (known !== undefined && wanted.every(topic => known.topics.includes(topic))) return
  const topics = [...new Set([...(known?.topics ?? []), ...wanted])].sort()
  running?.stop.abort()
  // One more topic is another connection: it goes on after the last event of the old one.
  running = { mode, topics, stop: new AbortController(), lastEventId: known?.lastEventId }
  void run(running)
}

function leave(): void {
  if (listeners.size > 0) settle()
  // Nobody is logged in any more: the connection has no right to stand.
  else if (sessionState().status !== 'in') close()
  else setTimeout(() => listeners.size === 0 && close(), lingerMs)
}

/** Hears what happens from now on; nothing is asked for while `enabled` is false. */
export function useLive(
  topics: readonly LiveTopic[],
  onMessage: (message: LiveMessage) => void,
  enabled = true,
): LiveState {
  const { mode } = useSession()
  const latest = useRef(onMessage)
  latest.current = onMessage
  const wanted = topics.join(',')
  useEffect(() => {
    if (!enabled) return undefined
    const listener: Listener = {
      mode,
      topics: wanted.split(',') as LiveTopic[],
      onMessage: message => latest.current(message),
    }
    listeners.add(listener)
    settle()
    return () => {
      listeners.delete(listener)
      // Another screen may listen in the same turn: let it take over the connection.
      queueMicrotask(leave)
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
