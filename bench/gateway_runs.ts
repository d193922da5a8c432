/**
 * The whole way of a message through a gateway, ours or another: from the request over the carrier to the callback that
 * reports its delivery. A burst says how many messages a second the gateway carries to their end; open arrivals at a rate
 * it bears say how long each waits. Counts must agree afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { loadInChild } from './load_child.ts'
import {
  formatBytes,
  formatCount,
  formatMs,
  formatTaken,
  type Measured,
  markdownTable,
  median,
  type ProcessGroup,
  type TakenCores,
  takenFrom,
  takenHeader,
  watchProcesses,
} from './measure.ts'
import { openLoadInChild } from './open_load.ts'
import type { RequestTemplate } from './request_template.ts'
import type { Pace } from './rounds.ts'
import type { RunningServer } from './servers.ts'
import type { SinkCounts } from './sink_tally.ts'
import { nowUs } from './sink_tally.ts'
import type { HttpSink, Sink } from './sinks.ts'

export type Gateway = {
  name: string
  server: RunningServer
  /** The text ends in `{{n:8}}`: by that number sinks distinguish messages. */
  template: RequestTemplate
  smsc: Sink
  /** Where it reports deliveries; without it a message is at its end with the carrier. */
  callbacks?: HttpSink
  /** Of its database, where what messages write there is counted. */
  owner?: pg.Client
  /** Holds its own books against what it accepted since the last call; throws when they do not agree. */
  check?: (accepted: number) => Promise<string>
}

/** Processor time in microseconds a message, by group; null where it cannot be read. */
type Costs = Record<string, number | null>

type Outcome = {
  accepted: number
  unexpected: number
  unknown: number
  costs: Costs
  taken: TakenCores | null
  memory: Record<string, number | null>
  checked: string
}

export type Burst = Outcome & {
  gateway: string
  acceptsPerSecond: number
  submitsPerSecond: number
  /** Messages whose callback came, over the time from the first request to the last callback. */
  endToEndPerSecond: number
  acceptP50Us: number
  acceptP99Us: number
  /** From the last request to the last callback. */
  drainSeconds: number
}

export type Waits = { p50: number; p99: number; max: number }

export type Arrivals = Outcome & {
  gateway: string
  perSecond: number
  /** Microseconds from when a request was due to its answer, from the answer to the carrier, and to the callback. */
  accept: Waits
  submit: Waits
  callback: Waits | null
  /** Messages a second that came to their end while requests came. */
  endToEndPerSecond: number
  /** Messages without an end when the last request came. */
  behind: number
  /** How long requests waited for their answers in each of so many parts of the time. */
  parts: Waits[]
}

const stallMs = 20_000
const pollMs = 100

function groupsOf({ server, smsc, callbacks }: Gateway): Record<string, ProcessGroup> {
  return {
    ...server.groups,
    smsc: { root: smsc.pid },
    ...(callbacks === undefined ? {} : { callbacks: { root: callbacks.pid } }),
  }
}

const lastSink = ({ smsc, callbacks }: Gateway): Sink => callbacks ?? smsc

async function resetSinks({ smsc, callbacks }: Gateway): Promise<void> {
  await smsc.reset()
  await callbacks?.reset()
}

/** Waits until so many messages came to their end, or nothing has come for 20 s. */
async function drained(gateway: Gateway, accepted: number): Promise<SinkCounts> {
  const sink = lastSink(gateway)
  let before = -1
  let sinceMs = performance.now()
  for (;;) {
    const counts = await sink.counts()
    if (counts.distinct >= accepted || performance.now() - sinceMs > stallMs) return counts
    if (counts.distinct !== before) sinceMs = performance.now()
    before = counts.distinct
    await sleep(pollMs)
  }
}

/** Each message must have reached the carrier once and its callback at least once; what came more often is reported. */
async function agreement(gateway: Gateway, accepted: number, unknown: number): Promise<string> {
  const { smsc, callbacks, check } = gateway
  const places: [string, SinkCounts][] = [['carrier', await smsc.counts()]]
  if (callbacks !== undefined) places.push(['callbacks', await callbacks.counts()])
  const reported = [`${formatCount(accepted)} accepted`]
  for (const [place, { total, distinct, others }] of places) {
    const twice = total - distinct
    const odd = (others['unsigned'] ?? 0) + (others['unreadable'] ?? 0)
    reported.push(`${formatCount(distinct)} at ${place}${twice === 0 ? '' : ` (${formatCount(twice)} TWICE)`}`)
    if (others['signed'] !== undefined) reported.push(`${formatCount(others['signed'])} signatures checked`)
    if (odd > 0) throw new Error(`${gateway.name}: ${odd} callbacks were not signed, or could not be read`)
    if (distinct < accepted || distinct > accepted + unknown) throw new Error(`${gateway.name}: ${reported.join(', ')}`)
  }
  if (check !== undefined) reported.push(await check(accepted))
  return reported.join(', ')
}

function costsOf(measured: Measured | undefined, messages: number, load: number): Costs {
  const groups = Object.entries(measured?.groups ?? {}).map(([name, { cpuSeconds }]): [string, number | null] => {
    return [name, cpuSeconds === null ? null : (cpuSeconds / messages) * 1e6]
  })
  return { ...Object.fromEntries(groups), load: (load / messages) * 1e6 }
}

function memoryOf({ groups }: Measured): Record<string, number | null> {
  return Object.fromEntries(Object.entries(groups).map(([name, { memory }]) => [name, memory?.pssBytes ?? null]))
}

/** A load in a closed loop for `pace.seconds`, and then as long as it takes until all has come to its end. */
export async function burst(gateway: Gateway, pace: Pace, firstN: number): Promise<Burst & { nextN: number }> {
  const { name, server, smsc, template } = gateway
  await resetSinks(gateway)
  const stopWatching = watchProcesses(groupsOf(gateway))
  let startedUs = 0
  const load = await loadInChild({
    host: server.host,
    port: server.port,
    connections: pace.connections,
    seconds: pace.seconds,
    firstN,
    template,
    onMeasureStart: () => {
      startedUs = nowUs()
    },
  })
  const { succeeded: accepted, unexpected, unknown, nextN } = load
  if (unexpected > 0) throw new Error(`${name}: ${unexpected} unexpected answers: ${JSON.stringify(load.samples)}`)
  const { lastUs } = await drained(gateway, accepted)
  const usage = stopWatching()
  const seconds = (lastUs - startedUs) / 1e6
  const loadSeconds = load.cpuSeconds.user + load.cpuSeconds.system
  const carried = await smsc.counts()
  return {
    gateway: name,
    accepted,
    unexpected,
    unknown,
    acceptsPerSecond: load.requestsPerSecond,
    submitsPerSecond: carried.distinct / ((carried.lastUs - startedUs) / 1e6),
    endToEndPerSecond: (await lastSink(gateway).counts()).distinct / seconds,
    acceptP50Us: load.latencyUs.p50,
    acceptP99Us: load.latencyUs.p99,
    drainSeconds: seconds - load.seconds,
    costs: costsOf(usage, accepted, loadSeconds),
    taken: takenFrom(usage, loadSeconds, seconds),
    memory: memoryOf(usage),
    checked: await agreement(gateway, accepted, unknown),
    nextN,
  }
}

export type ArrivalsOrder = {
  perSecond: number
  seconds: number
  firstN: number
  /** Seconds that count for no figure of waiting; a fifth of all by default. */
  warmupSeconds?: number
  parts?: number
}

/** Requests at a rate, whether it keeps up or not. @throws Error for an answer that is none of success */
export async function arrivals(gateway: Gateway, order: ArrivalsOrder): Promise<Arrivals & { nextN: number }> {
  const found = await anyArrivals(gateway, order)
  if (found.unexpected > 0)
    throw new Error(`${gateway.name}: ${found.unexpected} unexpected answers at ${order.perSecond}/s`)
  return found
}

/** The same, with the answers that were no success counted. */
export async function anyArrivals(
  gateway: Gateway,
  { perSecond, seconds, firstN, warmupSeconds = seconds / 5, parts = 1 }: ArrivalsOrder,
): Promise<Arrivals & { nextN: number }> {
  const { name, server, smsc, callbacks, template } = gateway
  await resetSinks(gateway)
  const stopWatching = watchProcesses(groupsOf(gateway))
  const load = await openLoadInChild({ host: server.host, port: server.port, template, perSecond, seconds, firstN })
  const atEnd = await lastSink(gateway).counts()
  const { succeeded: accepted, unexpected, unknown, sent } = load
  const { lastUs } = await drained(gateway, accepted)
  const usage = stopWatching()
  const range = { firstN, count: sent }
  const submitted = (await smsc.counts(range)).timesUs!
  const reported = callbacks === undefined ? undefined : (await callbacks.counts(range)).timesUs!
  const fromUs = load.startedUs + warmupSeconds * 1e6
  const partUs = ((seconds - warmupSeconds) / parts) * 1e6
  const waits = (to: Float64Array, from: Float64Array, sinceUs = fromUs, untilUs = Number.POSITIVE_INFINITY) =>
    waitsOf(to, from, load.dueUs, [sinceUs, untilUs])
  return {
    gateway: name,
    perSecond,
    accepted,
    unexpected,
    unknown,
    accept: waits(load.acceptedUs, load.dueUs),
    submit: waits(submitted, load.acceptedUs),
    callback: reported === undefined ? null : waits(reported, load.acceptedUs),
    endToEndPerSecond: atEnd.distinct / ((atEnd.lastUs - load.startedUs) / 1e6),
    behind: accepted - atEnd.distinct,
    parts: Array.from({ length: parts }, (_, n) =>
      waits(load.acceptedUs, load.dueUs, fromUs + n * partUs, fromUs + (n + 1) * partUs),
    ),
    costs: costsOf(usage, accepted, load.cpuSeconds),
    taken: takenFrom(usage, load.cpuSeconds, (lastUs - load.startedUs) / 1e6),
    memory: memoryOf(usage),
    checked: await agreement(gateway, accepted, unknown),
    nextN: firstN + sent,
  }
}

function waitsOf(to: Float64Array, from: Float64Array, due: Float64Array, [sinceUs, untilUs]: [number, number]): Waits {
  const waits: number[] = []
  for (let i = 0; i < from.length; i++) {
    // The carrier may have it before the answer has reached the client.
    if (due[i]! >= sinceUs && due[i]! < untilUs && from[i]! > 0 && to[i]! > 0)
      waits.push(Math.max(0, to[i]! - from[i]!))
  }
  waits.sort((a, b) => a - b)
  const at = (share: number) => waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: waits.at(-1) ?? Number.NaN }
}

const us = (values: (number | null | undefined)[]) => {
  const known = values.filter(value => typeof value === 'number')
  return known.length === 0 ? '–' : median(known).toFixed(0)
}

/** Groups whose processor time is in a column of its own; all others are the gateway's programs. */
const apart = ['database', 'smsc', 'callbacks', 'load']

function programs({ costs }: Outcome): number | null {
  const own = Object.entries(costs).filter(([name]) => !apart.includes(name))
  return own.some(([, cost]) => cost === null) ? null : own.reduce((sum, [, cost]) => sum + (cost ?? 0), 0)
}

function memoryText(runs: readonly Outcome[]): string {
  const own = runs.map(({ memory }) =>
    Object.entries(memory)
      .filter(([name]) => !apart.includes(name))
      .reduce((sum, [, bytes]) => sum + (bytes ?? 0), 0),
  )
  const database = runs.map(({ memory }) => memory['database']).filter(bytes => typeof bytes === 'number')
  return `${formatBytes(median(own))} + ${database.length === 0 ? '–' : formatBytes(median(database))}`
}

const costHeader = ['server µs', 'database µs', 'smsc µs', 'callbacks µs', 'load µs', takenHeader, 'memory']

function costCells(runs: readonly Outcome[]): string[] {
  const group = (name: string) => us(runs.map(({ costs }) => costs[name]))
  return [us(runs.map(programs)), ...apart.map(group), formatTaken(runs.map(({ taken }) => taken)), memoryText(runs)]
}

function byGateway<T extends { gateway: string }>(runs: readonly T[]): [string, T[]][] {
  return [...Map.groupBy(runs, run => run.gateway)]
}

/** Medians over the rounds; processor times are microseconds a message, memory that of the programs + of the database. */
export function burstTable(bursts: readonly Burst[]): string {
  const header = [
    'burst',
    'end to end/s',
    'rounds',
    'accepts/s',
    'submits/s',
    'accept p50/p99 ms',
    'drain s',
    ...costHeader,
  ]
  const rows = byGateway(bursts).map(([name, runs]) => [
    name,
    formatCount(median(runs.map(run => run.endToEndPerSecond))),
    runs.map(run => formatCount(run.endToEndPerSecond)).join(' '),
    formatCount(median(runs.map(run => run.acceptsPerSecond))),
    formatCount(median(runs.map(run => run.submitsPerSecond))),
    `${formatMs(median(runs.map(run => run.acceptP50Us)))} / ${formatMs(median(runs.map(run => run.acceptP99Us)))}`,
    median(runs.map(run => run.drainSeconds)).toFixed(1),
    ...costCells(runs),
  ])
  return markdownTable(header, rows)
}

/** The same for open arrivals: waits as p50 / p99 / longest in milliseconds. */
export function arrivalsTable(runs: readonly Arrivals[]): string {
  const waits = (of: (run: Arrivals) => Waits | null, all: Arrivals[]) => {
    const known = all.map(of).filter(wait => wait !== null)
    if (known.length === 0) return '–'
    const part = (name: keyof Waits) => formatMs(median(known.map(wait => wait[name])))
    return `${part('p50')} / ${part('p99')} / ${part('max')}`
  }
  const header = [
    'open arrivals',
    'end to end/s',
    'refused',
    'behind at the end',
    'to accept ms',
    'accept to submit ms',
    'accept to callback ms',
    ...costHeader,
  ]
  const rows = [...Map.groupBy(runs, run => `${run.gateway}, ${formatCount(run.perSecond)}/s`)].map(([name, all]) => [
    name,
    formatCount(median(all.map(run => run.endToEndPerSecond))),
    formatCount(median(all.map(run => run.unexpected))),
    formatCount(median(all.map(run => run.behind))),
    waits(run => run.accept, all),
    waits(run => run.submit, all),
    waits(run => run.callback, all),
    ...costCells(all),
  ])
  return markdownTable(header, rows)
}
