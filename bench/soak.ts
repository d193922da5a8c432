/**
 * Half an hour of everything at once, as `npm run soak` runs it: 500 texts a second from request to signed callback, calls over a trunk, and
 * people at work in the portal's lists. What is wanted: no error, nothing lost or twice, requests answered within 50 ms (p99) in every part of
 * the time, and memory that does not grow.
 */
import type pg from 'pg'
import type { BenchContext, BenchReport } from './bench.ts'
import { startTandemGateway, type TandemGateway } from './delivery.ts'
import { type Arrivals, anyArrivals } from './gateway_runs.ts'
import {
  cpuSecondsOf,
  formatBytes,
  formatCount,
  formatMs,
  markdownTable,
  median,
  type ProcessGroup,
  processesOf,
  readMemory,
} from './measure.ts'
import { openLoadInChild } from './open_load.ts'
import { shareOf, startPeople } from './people.ts'
import { postgresVersion } from './servers.ts'
import {
  addTrunk,
  type CallCarrier,
  callStates,
  callTemplate,
  startCallCarrier,
  voiceSettings,
} from './voice_server.ts'

const messagesPerSecond = 500
const callsPerSecond = 2
const talkMs = 20_000
const people = 20
const parts = 6
const wantedP99Us = 50_000
/** What the median of the last third of the time may be above that of the second sixth, where caches are full. */
const wantedGrowth = 1.1
const sampleEveryMs = 5_000
/** What is done once by a server that has just started: code is compiled, connections opened. */
const warmupSeconds = 20

const instructions = [
  { verb: 'play', tone: 'hold' },
  { verb: 'pause', seconds: 60 },
]

type Sample = { atMs: number; bytes: Record<string, number> }
type Calls = { sent: number; refused: number; states: Record<string, number>; twice: number }
type Found = {
  messages: Arrivals
  calls: Calls
  people: { timesMs: readonly number[]; failures: readonly string[] }
  samples: readonly Sample[]
  cores: Record<string, number>
  diskBytes: number
}

export async function soakBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const gateway = await startTandemGateway(1, {
    ...voiceSettings,
    TANDEM_PORTAL: '0',
    TANDEM_RATE_LIMIT_USER: '100000000',
    ...settings,
  })
  const count = Math.ceil(callsPerSecond * pace.seconds * 1.5) + 100
  const carrier = await startCallCarrier({ talkMs, count })
  try {
    await addTrunk(gateway.server, gateway.key, carrier.port)
    const found = await runAll(gateway, carrier, pace.seconds, log)
    const postgres = await postgresVersion(gateway.owner)
    const figures = { ...found, people: { requests: found.people.timesMs.length, failures: found.people.failures } }
    return { markdown: reportOf(found, pace.seconds), postgres, figures }
  } finally {
    carrier.close()
    await gateway.stop()
  }
}

async function runAll(
  gateway: TandemGateway,
  carrier: CallCarrier,
  seconds: number,
  log: BenchContext['log'],
): Promise<Found> {
  const { server, key, owner } = gateway
  const { host, port } = server
  const watching = watchMemory(server.groups, log)
  const atWork = await startPeople(server, key, people)
  const cpuBefore = coresOf(server.groups)
  const beganMs = performance.now()
  const template = callTemplate(key, instructions)
  const calling = openLoadInChild({ host, port, template, perSecond: callsPerSecond, seconds, firstN: 0 })
  try {
    const warmup = Math.min(warmupSeconds, seconds / 5)
    const order = { perSecond: messagesPerSecond, seconds, firstN: 0, warmupSeconds: warmup, parts }
    const { nextN: _, ...messages } = await anyArrivals(gateway, order)
    const called = await calling
    await atWork.stop()
    const tookSeconds = (performance.now() - beganMs) / 1_000
    const cpu = coresOf(server.groups)
    const states = Object.fromEntries(await callStates(owner))
    const { twice } = await carrier.report()
    return {
      messages,
      calls: { sent: called.sent, refused: called.sent - called.succeeded, states, twice },
      people: atWork,
      samples: watching.samples,
      cores: Object.fromEntries(Object.keys(cpu).map(name => [name, (cpu[name]! - cpuBefore[name]!) / tookSeconds])),
      diskBytes: await sizeOf(owner),
    }
  } finally {
    await atWork.stop()
    watching.stop()
  }
}

function coresOf(groups: Record<string, ProcessGroup>): Record<string, number> {
  return Object.fromEntries(Object.entries(groups).map(([name, group]) => [name, cpuSecondsOf({ [name]: group }) ?? 0]))
}

async function sizeOf(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ size: string }>('select pg_database_size(current_database()) as size')
  return Number(rows[0]!.size)
}

function watchMemory(groups: Record<string, ProcessGroup>, log: BenchContext['log']) {
  const samples: Sample[] = []
  const beganMs = performance.now()
  const sample = () => {
    const bytes = Object.entries(groups).map(([name, group]): [string, number] => {
      return [name, readMemory(processesOf(group))?.pssBytes ?? 0]
    })
    samples.push({ atMs: performance.now() - beganMs, bytes: Object.fromEntries(bytes) })
    if (samples.length % 60 === 0)
      log(`after ${Math.round((samples.length * sampleEveryMs) / 60_000)} minutes: ${memoryText(samples.at(-1)!)}`)
  }
  const timer = setInterval(sample, sampleEveryMs)
  return { samples, stop: () => clearInterval(timer) }
}

const memoryText = ({ bytes }: Sample) =>
  Object.entries(bytes)
    .map(([name, value]) => `${name} ${formatBytes(value)}`)
    .join(', ')

/** The median of a group's memory between two shares of the time. */
function memoryBetween(samples: readonly Sample[], name: string, from: number, to: number): number {
  const lastMs = samples.at(-1)?.atMs ?? 0
  const values = samples.filter(({ atMs }) => atMs >= from * lastMs && atMs <= to * lastMs)
  return values.length === 0 ? Number.NaN : median(values.map(({ bytes }) => bytes[name] ?? 0))
}

function reportOf(found: Found, seconds: number): string {
  const { messages, samples } = found
  const rows = messages.parts.map((part, n) => [
    `${Math.round((n * seconds) / parts / 60)} to ${Math.round(((n + 1) * seconds) / parts / 60)}`,
    formatMs(part.p50),
    formatMs(part.p99),
    formatMs(part.max),
    formatBytes(memoryBetween(samples, 'server', n / parts, (n + 1) / parts)),
    formatBytes(memoryBetween(samples, 'database', n / parts, (n + 1) / parts)),
  ])
  const header = ['minutes', 'accept p50 ms', 'p99 ms', 'max ms', 'memory of the server', 'of the database']
  return `${markdownTable(header, rows)}\n\n${notesOf(found)
    .map(line => `- ${line}`)
    .join('\n')}`
}

function notesOf({ messages, calls, people: persons, samples, cores, diskBytes }: Found): string[] {
  const failures = messages.unexpected + messages.unknown + calls.refused + persons.failures.length
  const completed = calls.states['completed'] ?? 0
  const worst = Math.max(...messages.parts.map(({ p99 }) => p99))
  const growth = memoryBetween(samples, 'server', 2 / 3, 1) / memoryBetween(samples, 'server', 1 / 6, 1 / 3)
  const said = (isReached: boolean) => (isReached ? 'reached' : 'MISSED')
  const { timesMs } = persons
  return [
    `${messages.checked}; submit p99 ${formatMs(messages.submit.p99)} ms, callback p99 ${formatMs(messages.callback?.p99 ?? 0)} ms, ${formatCount(messages.behind)} on their way when the last request came`,
    `${formatCount(calls.sent)} calls of ${talkMs / 1_000} s, ${formatCount(completed)} completed, ${calls.twice} dialled twice`,
    `${people} people at work: ${formatCount(timesMs.length)} requests, p50 ${shareOf(timesMs, 0.5).toFixed(0)}, p95 ${shareOf(timesMs, 0.95).toFixed(0)}, p99 ${shareOf(timesMs, 0.99).toFixed(0)} ms`,
    ...persons.failures.slice(0, 3),
    `errors: ${failures} of ${formatCount(messages.accepted + calls.sent + timesMs.length)} requests, ${calls.sent - completed} calls not completed (wanted 0): ${said(failures === 0 && completed === calls.sent)}`,
    `accept p99 ${formatMs(messages.accept.p99)} ms, in the worst sixth ${formatMs(worst)} ms (wanted ≤ ${wantedP99Us / 1_000}): ${said(worst <= wantedP99Us)}`,
    `memory of the server, last third over second sixth: ${growth.toFixed(2)} (wanted ≤ ${wantedGrowth}): ${said(growth <= wantedGrowth)}`,
    `processors: ${Object.entries(cores)
      .map(([name, used]) => `${name} ${used.toFixed(2)}`)
      .join(', ')}; the database has ${formatBytes(diskBytes)} at its end`,
  ]
}
