/**
 * Runs several subjects (the floor, Tandem in one or more states) in turns, round after round, because the speed of a
 * shared machine drifts: a ratio is taken between neighbours in the same round, and the median of the rounds is reported.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { LoadResult } from './load.ts'
import { loadInChild } from './load_child.ts'
import type { Measured, Memory, ProcessGroup, TakenCores } from './measure.ts'
import {
  cpuSecondsOf,
  formatBytes,
  formatCount,
  formatMs,
  formatRatio,
  formatTaken,
  markdownTable,
  median,
  readMemory,
  takenFrom,
  takenHeader,
  watchProcesses,
} from './measure.ts'
import type { RequestTemplate } from './request_template.ts'
import type { RunningServer } from './servers.ts'

/** How long and how hard every run loads. */
export type Pace = {
  rounds: number
  seconds: number
  warmupSeconds: number
  connections: number
  /** Longest wait before a run for what earlier runs left behind (queues to work off) to be done. Default 120. */
  settleSeconds?: number
}

/** One thing under load. `check` runs after each run and returns what it found; it throws when a guarantee was broken. */
export type Subject = {
  name: string
  server: RunningServer
  template: RequestTemplate
  check?: (result: LoadResult) => Promise<string>
}

export type Run = {
  round: number
  subject: string
  load: LoadResult
  usage: Measured
  loadMemory: Memory | null
  /** Requests a second over those of the first subject in this round. */
  ratio: number
  checked?: string
}

/**
 * One row of the result: medians over all rounds. Processor times are microseconds per request of the measured
 * window.
 */
export type Summary = {
  subject: string
  requestsPerSecond: number
  ratio: number
  ratios: number[]
  p50Us: number
  p99Us: number
  serverUs: number | null
  databaseUs: number | null
  loadUs: number
  /** Of each run, the processor time that it did not get. */
  taken: (TakenCores | null)[]
  pssBytes: number | null
  unexpected: number
  unknown: number
  checks: string[]
}

/**
 * All runs of all subjects in turns; the first subject is what the ratios refer to. `log` gets each run as it
 * ends.
 */
export async function runRounds(subjects: Subject[], pace: Pace, log: (line: string) => void): Promise<Run[]> {
  const runs: Run[] = []
  const nextN = new Map<RunningServer, number>()
  for (let round = 1; round <= pace.rounds; round++) {
    let base: number | undefined
    for (const subject of subjects) {
      if (runs.length > 0) await settle(subjects, pace.settleSeconds ?? 120, log)
      const run = await runOnce(subject, pace, nextN.get(subject.server) ?? 0)
      nextN.set(subject.server, run.load.nextN)
      base ??= run.load.requestsPerSecond
      runs.push({ ...run, round, ratio: run.load.requestsPerSecond / base })
      log(
        `round ${round}, ${subject.name}: ${describe(run.load)}${run.checked === undefined ? '' : `; ${run.checked}`}`,
      )
    }
  }
  return runs
}

/**
 * Waits until all servers together use less than a tenth of a core for half a second: a server that still delivers
 * what it accepted would slow its neighbour's run, and so make itself look faster.
 */
async function settle(subjects: Subject[], seconds: number, log: (line: string) => void): Promise<void> {
  const servers = [...new Set(subjects.map(({ server }) => server))]
  const groups = Object.fromEntries(servers.flatMap(({ groups }, i) => prefixed(groups, `${i} `)))
  const startedMs = performance.now()
  for (;;) {
    const before = cpuSecondsOf(groups)
    await sleep(500)
    const after = cpuSecondsOf(groups)
    const waited = (performance.now() - startedMs) / 1000
    if (before === null || after === null || after - before < 0.05) {
      if (waited > 3) log(`settled after ${waited.toFixed(0)} s`)
      return
    }
    if (waited >= seconds) return log(`NOT SETTLED after ${waited.toFixed(0)} s, the next run is disturbed`)
  }
}

function prefixed(groups: Record<string, ProcessGroup>, prefix: string): [string, ProcessGroup][] {
  return Object.entries(groups).map(([name, group]) => [prefix + name, group])
}

async function runOnce(subject: Subject, pace: Pace, firstN: number): Promise<Omit<Run, 'round' | 'ratio'>> {
  const { server, template } = subject
  let stopWatching: (() => Measured) | undefined
  let usage: Measured | undefined
  let loadMemory: Memory | null = null
  let loadPid = 0
  const result = await loadInChild({
    host: server.host,
    port: server.port,
    connections: pace.connections,
    seconds: pace.seconds,
    warmupSeconds: pace.warmupSeconds,
    firstN,
    template,
    onStart: pid => {
      loadPid = pid
    },
    onMeasureStart: () => {
      stopWatching = watchProcesses(server.groups)
    },
    onMeasureEnd: () => {
      usage = stopWatching?.()
      loadMemory = readMemory([loadPid])
    },
  })
  const checked = await subject.check?.(result)
  return {
    subject: subject.name,
    load: result,
    usage: usage ?? { groups: {}, machine: null },
    loadMemory,
    ...(checked === undefined ? {} : { checked }),
  }
}

function describe({ requestsPerSecond, latencyUs, unexpected, unknown, samples, errors }: LoadResult): string {
  const { p50, p99 } = latencyUs
  const rate = `${formatCount(requestsPerSecond)}/s, p50 ${formatMs(p50)} ms, p99 ${formatMs(p99)} ms`
  if (unexpected === 0 && unknown === 0 && errors.connect === 0) return rate
  const faults = JSON.stringify({ unexpected, unknown, ...errors, samples })
  return `${rate}; FAULTS ${faults}`
}

/** Medians per subject, in the order of the first round. */
export function summarizeRuns(runs: Run[]): Summary[] {
  const names = [...new Set(runs.map(run => run.subject))]
  return names.map(name =>
    summarizeSubject(
      name,
      runs.filter(run => run.subject === name),
    ),
  )
}

function summarizeSubject(subject: string, runs: Run[]): Summary {
  const middle = (of: (run: Run) => number) => median(runs.map(of))
  const middleOrNull = (of: (run: Run) => number | null) => {
    const values = runs.map(of).filter(value => value !== null)
    return values.length === 0 ? null : median(values)
  }
  const groupUs = (group: string) =>
    middleOrNull(({ usage, load }) => {
      const seconds = usage.groups[group]?.cpuSeconds ?? null
      return seconds === null ? null : (seconds / load.completed) * 1e6
    })
  return {
    subject,
    requestsPerSecond: middle(({ load }) => load.requestsPerSecond),
    ratio: middle(({ ratio }) => ratio),
    ratios: runs.map(({ ratio }) => ratio),
    p50Us: middle(({ load }) => load.latencyUs.p50),
    p99Us: middle(({ load }) => load.latencyUs.p99),
    serverUs: groupUs('server'),
    databaseUs: groupUs('database'),
    loadUs: middle(({ load }) => (loadSeconds(load) / load.completed) * 1e6),
    taken: runs.map(({ usage, load }) => takenFrom(usage, loadSeconds(load), load.seconds)),
    pssBytes: middleOrNull(pssOf),
    unexpected: runs.reduce((sum, { load }) => sum + load.unexpected, 0),
    unknown: runs.reduce((sum, { load }) => sum + load.unknown, 0),
    checks: runs.flatMap(({ checked }) => checked ?? []),
  }
}

function loadSeconds({ cpuSeconds }: LoadResult): number {
  return cpuSeconds.user + cpuSeconds.system
}

function pssOf({ usage }: Run): number | null {
  const memories = Object.values(usage.groups).map(group => group.memory)
  return memories.includes(null) ? null : memories.reduce((sum, memory) => sum + (memory?.pssBytes ?? 0), 0)
}

/** The table of a bench; processor times are per request. */
export function summaryTable(summaries: Summary[]): string {
  const header = [
    'subject',
    'requests/s',
    'ratio',
    'ratios of the rounds',
    'p50 ms',
    'p99 ms',
    'server µs',
    'database µs',
    'load µs',
    takenHeader,
    'memory',
    'faults',
  ]
  const rows = summaries.map(summary => [
    summary.subject,
    formatCount(summary.requestsPerSecond),
    formatRatio(summary.ratio),
    summary.ratios.map(formatRatio).join(' '),
    formatMs(summary.p50Us),
    formatMs(summary.p99Us),
    summary.serverUs === null ? '–' : summary.serverUs.toFixed(1),
    summary.databaseUs === null ? '–' : summary.databaseUs.toFixed(1),
    summary.loadUs.toFixed(1),
    formatTaken(summary.taken),
    formatBytes(summary.pssBytes),
    String(summary.unexpected + summary.unknown),
  ])
  return markdownTable(header, rows)
}

/** Median over the rounds of one subject's rate over another's. */
export function ratioBetween(runs: Run[], over: Subject, under: Subject): number {
  const rates = (subject: Subject) =>
    runs.filter(run => run.subject === subject.name).map(({ load }) => load.requestsPerSecond)
  const below = rates(under)
  return median(rates(over).map((rate, i) => rate / below[i]!))
}
