/**
 * People at work, for benches: each has a screen of the portal open, with the live stream that this screen asks for, and asks for lists,
 * searches and records, adds leads and tasks, one thing every two seconds, which is much for a person.
 *
 * Of ten, two have the list of leads before them, one each that of companies, of tasks and of invoices, two the inbox, one Home, one the
 * page of a lead with its timeline (texts and calls of its number), and one the message log, which hears of every text.
 */
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RunningServer } from './servers.ts'

/** What a screen asks its stream for: topics, and of events their types, as `useLive` of the portal has them. */
type Screen = Readonly<Record<'topics' | 'eventTypes' | 'numbers', string | undefined>>
const events = (eventTypes: string, numbers?: string): Screen => ({ topics: 'events', eventTypes, numbers })
const inbox: Screen = { topics: 'conversations', eventTypes: undefined, numbers: undefined }

/** The number that the person on the page of a lead reads of. */
const leadNumber = '+4915100000001'

/** What ten people have before them. */
const screens: readonly Screen[] = [
  events('lead.*,record.tags_changed'),
  inbox,
  events('lead.*,record.tags_changed'),
  events('company.*,record.tags_changed'),
  events('task.*,record.tags_changed'),
  events('invoice.*'),
  inbox,
  events('call.*,conversation.*,invoice.*,lead.*,message.received,task.*'),
  events('attachment.*,call.*,lead.*,mail.*,message.*,note.*,record.tags_changed,recording.*,task.*', leadNumber),
  events('message.*'),
]

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
  const streams = Array.from({ length: people }, (_, n) => openStream(server, key, screens[n % screens.length]!))
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

function openStream({ host, port }: RunningServer, key: string, screen: Screen): ClientRequest {
  const query = new URLSearchParams(Object.entries(screen).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const out = httpRequest({
    host,
    port,
    path: `/v2/stream?${query}`,
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
