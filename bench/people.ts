/**
 * People at work, for benches: each has the live stream open as the screens of records have it, asks for lists, searches and records, adds
 * leads and tasks,
 * one thing every two seconds, which is much for a person.
 */
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from './servers.ts'

const everyMs = 2_000
const words = ['bake', 'miru', 'nosa', 'tevi', 'kelo']

export type Work = {
  /** Milliseconds of each answer that was a success. */
  timesMs: number[]
  /** Those that were none, by what they answered. */
  failures: string[]
  stop(): Promise<void>
}

/** Lets so many people work until they are stopped. Resolves when the streams of all are open. */
export async function startPeople(server: RunningServer, key: string, people: number): Promise<Work> {
  const streams = Array.from({ length: people }, () => openStream(server, key))
  await Promise.all(streams.map(stream => once(stream, 'response')))
  const ending = new AbortController()
  const work = { timesMs: [] as number[], failures: [] as string[], asked: 0 }
  const all = Promise.all(streams.map((_, number) => person(server, key, number, work, ending.signal)))
  return {
    timesMs: work.timesMs,
    failures: work.failures,
    async stop() {
      ending.abort()
      await all
      for (const stream of streams) stream.destroy()
    },
  }
}

function openStream({ host, port }: RunningServer, key: string): ClientRequest {
  const out = httpRequest({
    host,
    port,
    path: '/v2/stream?topics=conversations,events',
    headers: { authorization: `Bearer ${key}` },
  })
  out.on('response', response => response.resume())
  out.on('error', () => {})
  out.end()
  return out
}

/** What people do: of ten times eight lists and searches, and two records that they add. */
function requestOf(n: number): { path: string; body?: object } {
  const word = words[n % words.length]
  const all: { path: string; body?: object }[] = [
    { path: `/v1/api/leads?limit=50&q=${word}` },
    { path: `/v1/api/companies?limit=50&q=${word}` },
    { path: '/v1/api/leads?limit=50&status=New' },
    { path: '/v1/api/finance/invoices?status=Overdue&page=1&limit=20' },
    { path: '/v1/api/finance/invoices?page=1&limit=20' },
    { path: '/v1/api/companies?limit=50' },
    { path: '/v2/conversations?limit=50' },
    { path: '/v1/api/tasks?limit=50' },
    { path: '/v1/api/leads', body: { name: `Bench ${n}`, email: `bench${n}@bench.example` } },
    { path: '/v1/api/tasks', body: { title: `Call number ${n}` } },
  ]
  return all[n % all.length]!
}

type Done = Pick<Work, 'timesMs' | 'failures'> & { asked: number }

async function person(
  { host, port }: RunningServer,
  key: string,
  number: number,
  work: Done,
  ending: AbortSignal,
): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal: ending }).catch(() => {})
  await pause((number * 137) % everyMs)
  while (!ending.aborted) {
    const { path, body } = requestOf(work.asked++)
    const beganMs = performance.now()
    try {
      const response = await fetch(`http://${host}:${port}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (response.ok) work.timesMs.push(performance.now() - beganMs)
      else work.failures.push(`${path} answered ${response.status}: ${text}`)
    } catch (error) {
      work.failures.push(`${path}: ${(error as Error).message}`)
    }
    await pause(Math.max(0, everyMs - (performance.now() - beganMs)))
  }
}

/** The time that a share of them (0 to 1) does not exceed; 0 where there is none. */
export function shareOf(timesMs: readonly number[], share: number): number {
  const sorted = timesMs.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
