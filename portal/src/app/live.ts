// The live stream: one connection for the whole page, however many screens listen. It opens with the first listener, asks
// only for the topics somebody wants, and closes with the last.
import type { StreamOpenEvent } from '@tandem/sdk'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { apiOf } from './api.ts'
import { type Mode, useSession } from './session.ts'

export type LiveTopic = 'requests' | 'events'
export type LiveState = 'closed' | 'connecting' | 'open'
export type LiveMessage = StreamOpenEvent

type Listener = { topics: readonly LiveTopic[]; onMessage(message: LiveMessage): void }

const listeners = new Set<Listener>()
const watchers = new Set<() => void>()
let liveState: LiveState = 'closed'
let running: { key: string; stop: AbortController } | undefined

function tell(next: LiveState): void {
  if (liveState === next) return
  liveState = next
  for (const watcher of watchers) watcher()
}

async function run(mode: Mode, topics: LiveTopic[], stop: AbortController): Promise<void> {
  tell('connecting')
  try {
    const options = { signal: stop.signal, onOpen: () => tell('open'), onRetry: () => tell('connecting') }
    for await (const message of apiOf(mode).stream.open({ topics: topics.join(',') }, options)) {
      if (stop.signal.aborted) return
      for (const listener of [...listeners]) listener.onMessage(message)
    }
  } catch {
    // The SDK reconnects by itself; what comes here is final: refused, or stopped by us.
  } finally {
    if (running?.stop === stop) {
      running = undefined
      tell('closed')
    }
  }
}

/** Makes the connection fit what is asked for. */
function settle(mode: Mode): void {
  const topics = [...new Set([...listeners].flatMap(listener => listener.topics))].sort()
  const key = topics.length === 0 ? '' : `${mode} ${topics.join(',')}`
  if (key === (running?.key ?? '')) return
  running?.stop.abort()
  running = undefined
  if (key === '') {
    tell('closed')
    return
  }
  const stop = new AbortController()
  running = { key, stop }
  void run(mode, topics, stop)
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
      topics: wanted.split(',') as LiveTopic[],
      onMessage: message => latest.current(message),
    }
    listeners.add(listener)
    settle(mode)
    return () => {
      listeners.delete(listener)
      // Another screen may listen in the same turn: let it take over the connection.
      queueMicrotask(() => settle(mode))
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
