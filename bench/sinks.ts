/** Starts the sinks of `smsc_sink.ts` and `http_sink.ts`, each in a process of its own, and asks them what came. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { SinkCounts, SinkOrder, SinkReply } from './sink_tally.ts'

export type Sink = {
  host: string
  port: number
  pid: number
  /** What came so far; with `times`, when each message of that range came. */
  counts(times?: { firstN: number; count: number }): Promise<SinkCounts>
  /** Forgets all that came. */
  reset(): Promise<void>
  stop(): Promise<void>
}

export type HttpSink = Sink & {
  /** With which secret signatures are checked. */
  useSecret(secret: string): Promise<void>
}

/** A carrier. @param receiptDelayMs how long after a message its receipt follows, where one is asked for */
export function startSmscSink({ receiptDelayMs = 500 }: { receiptDelayMs?: number } = {}): Promise<Sink> {
  return startSink('smsc_sink.ts', { BENCH_RECEIPT_DELAY_MS: String(receiptDelayMs) })
}

/** A receiver of callbacks. */
export async function startHttpSink(): Promise<HttpSink> {
  return startSink('http_sink.ts', {})
}

async function startSink(file: string, env: Record<string, string>): Promise<HttpSink> {
  const child = fork(fileURLToPath(new URL(`./${file}`, import.meta.url)), [], {
    env: { ...process.env, ...env },
    execArgv: ['--max-semi-space-size=16'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { port } = (await nextReply(child, 10_000)) as Extract<SinkReply, { kind: 'listening' }>
  // One order at a time: answers carry no number.
  let last: Promise<unknown> = Promise.resolve()
  const ask = (order: SinkOrder): Promise<SinkCounts> => {
    const answered = last.then(async () => {
      const reply = nextReply(child, 30_000)
      child.send(order)
      return ((await reply) as Extract<SinkReply, { kind: 'answer' }>).counts
    })
    last = answered.catch(() => {})
    return answered
  }
  return {
    host: '127.0.0.1',
    port,
    pid: child.pid!,
    counts: times => ask({ kind: 'counts', ...(times === undefined ? {} : { times }) }),
    reset: async () => void (await ask({ kind: 'reset' })),
    useSecret: async secret => void (await ask({ kind: 'secret', secret })),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}

async function nextReply(child: ChildProcess, ms: number): Promise<SinkReply> {
  const [reply] = (await once(child, 'message', { signal: AbortSignal.timeout(ms) })) as [SinkReply]
  return reply
}
