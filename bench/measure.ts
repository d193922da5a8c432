/**
 * What a run costs and where it ran: processor time and memory of groups of processes, read from /proc (Linux; null
 * elsewhere), the facts of the machine with the price of an fdatasync, and the tables in which results are shown.
 */
import { closeSync, fdatasyncSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { arch, availableParallelism, cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'

/** Memory of a group: `pssBytes` shares out shared pages (sums are true), `rssBytes` counts them in every process. */
export type Memory = { pssBytes: number; rssBytes: number; processes: number }

/** What one group of processes used over a window; null where /proc is missing. */
export type Usage = { cpuSeconds: number | null; memory: Memory | null }

/**
 * `machine.busySeconds`: processor time of all processes in the window, ours or not; `stolenSeconds`: taken by the
 * hypervisor.
 */
export type Measured = {
  groups: Record<string, Usage>
  machine: { busySeconds: number; stolenSeconds: number } | null
}

export type TakenCores = { others: number; stolen: number }

type ProcessStat = { pid: number; parent: number; ticks: number }

// USER_HZ, the unit of times in /proc, is 100 on every architecture Node runs on.
const ticksPerSecond = 100

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Own times plus those of children that ended and were waited for (proc(5), fields 14 to 17). */
function readStat(pid: number): ProcessStat | null {
  const text = readText(`/proc/${pid}/stat`)
  if (text === null) return null
  // The name in parentheses may hold anything, so fields are counted from the last parenthesis.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return { pid, parent: Number(fields[1]), ticks }
}

function readAllStats(): ProcessStat[] | null {
  if (process.platform !== 'linux') return null
  const names = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return names.map(name => readStat(Number(name))).filter(stat => stat !== null)
}

/** A process and all its descendants, except those below a process of `without`; empty where /proc is missing. */
export function processTree(root: number, without: number[] = []): number[] {
  return processesOf({ root, without })
}

/** The processes of a group; empty where /proc is missing. */
export function processesOf(group: ProcessGroup): number[] {
  return treeIn(readAllStats() ?? [], group).map(({ pid }) => pid)
}

function treeIn(stats: ProcessStat[], { root, also = [], without = [] }: ProcessGroup): ProcessStat[] {
  const found = stats.filter(({ pid }) => (pid === root || also.includes(pid)) && !without.includes(pid))
  for (const { pid } of found) {
    for (const stat of stats) if (stat.parent === pid && !without.includes(stat.pid)) found.push(stat)
  }
  return found
}

/**
 * Memory of the given processes now; null where /proc is missing. Costs some ms per process: read it outside of
 * windows.
 */
export function readMemory(pids: number[]): Memory | null {
  if (process.platform !== 'linux') return null
  const memory: Memory = { pssBytes: 0, rssBytes: 0, processes: 0 }
  for (const pid of pids) {
    const text = readText(`/proc/${pid}/smaps_rollup`)
    if (text === null) continue
    memory.pssBytes += kibibytes(text, 'Pss') * 1024
    memory.rssBytes += kibibytes(text, 'Rss') * 1024
    memory.processes += 1
  }
  return memory
}

function kibibytes(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)
}

/**
 * A group is the tree below one process (and below those of `also`), less the trees of others (the database that the
 * server started).
 */
export type ProcessGroup = { root: number; also?: number[]; without?: number[] }

/**
 * Reads the processor time of each group now; the returned function reads again, adds memory and gives the differences.
 * Times come in steps of 10 ms; a child that was not waited for before it ended is missing from them.
 */
export function watchProcesses(groups: Record<string, ProcessGroup>): () => Measured {
  const before = readTicks(groups)
  const machineBefore = readMachineTicks()
  return () => {
    const after = readTicks(groups)
    const machineAfter = readMachineTicks()
    const usage = Object.entries(groups).map(([name, group]): [string, Usage] => {
      const cpuSeconds = after === null || before === null ? null : (after[name]! - before[name]!) / ticksPerSecond
      return [name, { cpuSeconds, memory: readMemory(processesOf(group)) }]
    })
    const machine = machineAfter !== null &&
      machineBefore !== null && {
        busySeconds: (machineAfter.busy - machineBefore.busy) / ticksPerSecond,
        stolenSeconds: (machineAfter.stolen - machineBefore.stolen) / ticksPerSecond,
      }
    return { groups: Object.fromEntries(usage), machine: machine || null }
  }
}

/**
 * What was taken from a run, in cores: by all other processes, and by the hypervisor, which gave the time to other machines.
 * A large figure means a disturbed run. Null where /proc is missing.
 * @param own processor seconds of the run itself that no group has
 * @param seconds how long the run took
 */
export function takenFrom({ groups, machine }: Measured, own: number, seconds: number): TakenCores | null {
  if (machine === null) return null
  const ours = Object.values(groups).reduce((sum, { cpuSeconds }) => sum + (cpuSeconds ?? 0), own)
  return { others: Math.max(0, machine.busySeconds - ours) / seconds, stolen: machine.stolenSeconds / seconds }
}

/** Medians of both over several runs, as `0.02 + 0.31`, under `takenHeader`; a dash where none is known. */
export function formatTaken(runs: readonly (TakenCores | null)[]): string {
  const known = runs.filter(taken => taken !== null)
  if (known.length === 0) return '–'
  const [others, stolen] = [known.map(taken => taken.others), known.map(taken => taken.stolen)]
  return `${median(others).toFixed(2)} + ${median(stolen).toFixed(2)}`
}

export const takenHeader = 'others’ + stolen cores'

/** Processor seconds that all groups have used since they began; null where /proc is missing. */
export function cpuSecondsOf(groups: Record<string, ProcessGroup>): number | null {
  const ticks = readTicks(groups)
  return ticks === null ? null : Object.values(ticks).reduce((sum, value) => sum + value, 0) / ticksPerSecond
}

function readTicks(groups: Record<string, ProcessGroup>): Record<string, number> | null {
  const stats = readAllStats()
  if (stats === null) return null
  const sums = Object.entries(groups).map(([name, group]): [string, number] => {
    return [name, treeIn(stats, group).reduce((sum, { ticks }) => sum + ticks, 0)]
  })
  return Object.fromEntries(sums)
}

/** First line of /proc/stat: user nice system idle iowait irq softirq steal …. */
function readMachineTicks(): { busy: number; stolen: number } | null {
  const line = readText('/proc/stat')?.split('\n')[0]
  if (line === undefined) return null
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = line.split(/\s+/).slice(1).map(Number)
  return { busy: user + nice + system + irq + softirq, stolen }
}

/**
 * What one durable write costs: fdatasync calls a second after an 8 KiB write each, one after the other, and their
 * times.
 */
export type SyncCost = { perSecond: number; p50Us: number; p99Us: number }

/** Measures it in `folder` for about `ms` (blocking), with a file of 16 MiB that is removed again. */
export function measureSync(folder: string, ms = 500): SyncCost {
  const path = join(folder, `fdatasync_probe_${process.pid}`)
  const file = openSync(path, 'w')
  try {
    const blocks = 2048
    writeSync(file, Buffer.alloc(blocks * 8192), 0, blocks * 8192, 0)
    fdatasyncSync(file)
    const block = Buffer.alloc(8192, 'x')
    const timesUs: number[] = []
    const startedMs = performance.now()
    let nowMs = startedMs
    while (nowMs - startedMs < ms) {
      writeSync(file, block, 0, block.length, (timesUs.length % blocks) * 8192)
      fdatasyncSync(file)
      const endMs = performance.now()
      timesUs.push((endMs - nowMs) * 1000)
      nowMs = endMs
    }
    timesUs.sort((a, b) => a - b)
    const at = (share: number) => Math.round(timesUs[Math.floor((timesUs.length - 1) * share)]!)
    return { perSecond: Math.round(timesUs.length / ((nowMs - startedMs) / 1000)), p50Us: at(0.5), p99Us: at(0.99) }
  } finally {
    closeSync(file)
    rmSync(path, { force: true })
  }
}

export type MachineFacts = {
  cpu: string
  cores: number
  memoryBytes: number
  platform: string
  kernel: string
  node: string
  postgres: string | null
  sync: SyncCost
}

/**
 * Facts of this machine; `postgres` is the version the caller knows, `dataFolder` where the price of a sync is
 * measured.
 */
export function machineFacts(dataFolder: string, postgres: string | null = null): MachineFacts {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    platform: `${process.platform} ${arch()}`,
    kernel: release(),
    node: process.version,
    postgres,
    sync: measureSync(dataFolder),
  }
}

/** The facts as one sentence for the head of a report. */
export function describeMachine(facts: MachineFacts): string {
  const { sync, postgres } = facts
  const database = postgres === null ? '' : `, PostgreSQL ${postgres}`
  const syncTimes = `p50 ${sync.p50Us} µs, p99 ${sync.p99Us} µs`
  return (
    `${facts.cpu}, ${facts.cores} cores, ${formatBytes(facts.memoryBytes)}, ${facts.platform}, ` +
    `kernel ${facts.kernel}, Node ${facts.node}${database}; fdatasync ${formatCount(sync.perSecond)}/s (${syncTimes})`
  )
}

/** The middle value, or the mean of the middle two; NaN of nothing. */
export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** `12,345`; a dash for what was not measured. */
export function formatCount(value: number | null): string {
  return value === null || Number.isNaN(value) ? '–' : Math.round(value).toLocaleString('en-US')
}

/** `0.62`; a dash for what was not measured. */
export function formatRatio(value: number | null): string {
  return value === null || Number.isNaN(value) ? '–' : value.toFixed(2)
}

/** Microseconds as milliseconds with two decimals. */
export function formatMs(us: number): string {
  return (us / 1000).toFixed(2)
}

/** Binary megabytes or gigabytes. */
export function formatBytes(bytes: number | null): string {
  if (bytes === null || Number.isNaN(bytes)) return '–'
  return bytes >= 2 ** 30 ? `${(bytes / 2 ** 30).toFixed(1)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`
}

/** A Markdown table whose source lines up too; the first column is aligned left, the others right. */
export function markdownTable(header: string[], rows: string[][]): string {
  const widths = header.map((title, i) => Math.max(3, title.length, ...rows.map(row => (row[i] ?? '').length)))
  const line = (cells: string[]) => {
    const padded = widths.map((width, i) =>
      i === 0 ? (cells[i] ?? '').padEnd(width) : (cells[i] ?? '').padStart(width),
    )
    return `| ${padded.join(' | ')} |`
  }
  const rules = widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`))
  return [line(header), `|${rules.join('|')}|`, ...rows.map(line)].join('\n')
}

/** The same work over and over for so many seconds; how often it is done in a CPU-second of this process. */
export function rateOf(seconds: number, once: () => void): number {
  for (let i = 0; i < 20_000; i++) once()
  const before = process.cpuUsage()
  const endMs = performance.now() + seconds * 1000
  let times = 0
  while (performance.now() < endMs) {
    for (let i = 0; i < 100; i++) once()
    times += 100
  }
  const { user, system } = process.cpuUsage(before)
  return times / ((user + system) / 1e6)
}
