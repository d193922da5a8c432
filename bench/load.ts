/**
 * Our load generator: closed loop over HTTP/1.1 keep-alive connections on raw sockets, one request in flight on each.
 * It shares the machine with what it measures, so it spends as little as it can: requests are built beforehand, one
 * read buffer serves all connections, and no HTTP library stands between. `load` runs in this process; the benches use
 * `loadInChild` of `load_child.ts`, which calls it in another.
 */
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import type { LatencyUs } from './histogram.ts'
import { createHistogram, record, summarize } from './histogram.ts'
import type { Reader } from './http_reader.ts'
import { createReader, endOfStream, readResponses, takeBody } from './http_reader.ts'

/** What to load and for how long; one of `seconds` and `requests` (or both: whichever is reached first) is needed. */
export type LoadSettings = {
  host: string
  port: number
  /** Connections kept open, each with one request in flight. Default 64. */
  connections?: number
  /** Length of the measured window. */
  seconds?: number
  /** Requests to send in the measured window. */
  requests?: number
  /** Time of the same load before the window opens; not measured, but counted in `answered`. Default 0. */
  warmupSeconds?: number
  /** The only status that counts as expected; default: any 2xx. */
  expectStatus?: number
  /** Number of the first request, so that a later run can go on where an earlier one stopped. Default 0. */
  firstN?: number
  /** Give up when no response has come for so long. Default 10. */
  stallSeconds?: number
}

/** Called at the edges of the measured window, with its length at the end; used to read processor times there. */
export type LoadWatch = { onMeasureStart?: () => void; onMeasureEnd?: (seconds: number) => void }

export type LoadOptions = LoadSettings &
  LoadWatch & {
    /** Full bytes of request `n`; they must stay as they are until that connection's response has come. */
    request: (n: number, connection: number) => Buffer
  }

/**
 * Times a connection or an answer failed. `closed`: the server closed with a request in flight, its outcome unknown.
 */
export type LoadErrors = { connect: number; closed: number; protocol: number; stalled: number }

export type LoadResult = {
  connections: number
  /** Length of the measured window. */
  seconds: number
  /** Responses that came within the window, and the rate that makes. */
  completed: number
  requestsPerSecond: number
  /** Bytes within the window, heads included. */
  bytesRead: number
  bytesWritten: number
  latencyUs: LatencyUs
  /** Responses by status within the window. */
  statuses: Record<string, number>
  /**
   * Responses by status over warm-up, window and the last responses awaited after it: everything the server answered.
   */
  answered: Record<string, number>
  /** All 2xx in `answered`. */
  succeeded: number
  /** Requests sent whose outcome is unknown: the connection broke, or the answer never came. */
  unknown: number
  /** Responses in `answered` with another status than expected, and the first three of them (bodies cut at 2 KiB). */
  unexpected: number
  samples: { status: number; body: string }[]
  errors: LoadErrors
  /** Connections opened again after the server closed them. */
  reconnects: number
  /** The number the next run may begin with. */
  nextN: number
  /** Processor seconds of the generating process within the window. */
  cpuSeconds: { user: number; system: number }
}

type Phase = 'warmup' | 'measure' | 'drain' | 'done'

type Connection = {
  index: number
  socket: Socket | null
  reader: Reader
  sentAtMs: number
  inFlight: boolean
  /** Times the connection ended without one response since its last. */
  failures: number
}

type Run = {
  options: LoadOptions
  phase: Phase
  connections: Connection[]
  readBuffer: Buffer
  nextN: number
  sentInWindow: number
  sent: number
  inFlight: number
  startedAtMs: number
  lastResponseAtMs: number
  windowSeconds: number
  completed: number
  bytesRead: number
  bytesWritten: number
  histogram: ReturnType<typeof createHistogram>
  statuses: number[]
  answered: number[]
  samples: { status: number; body: string }[]
  errors: LoadErrors
  reconnects: number
  cpuAtStart: NodeJS.CpuUsage
  cpuSeconds: { user: number; system: number }
  finished: () => void
}

const reconnectDelayMs = 50

/**
 * Runs one load in this process and resolves when every response has come (or the connection that owed it is gone).
 * Network failures are counted, never thrown. Throws RangeError when neither `seconds` nor `requests` is given.
 */
export async function load(options: LoadOptions): Promise<LoadResult> {
  if (options.seconds === undefined && options.requests === undefined) {
    throw new RangeError('load needs seconds or requests')
  }
  const run = createRun(options)
  const done = new Promise<void>(resolve => {
    run.finished = resolve
  })
  for (const connection of run.connections) open(run, connection)
  const watchdog = setInterval(() => stopWhenStalled(run), 100)
  const warmupMs = (options.warmupSeconds ?? 0) * 1000
  const timer = setTimeout(() => beginWindow(run), warmupMs)
  if (warmupMs === 0) beginWindow(run)
  await done
  clearInterval(watchdog)
  clearTimeout(timer)
  for (const connection of run.connections) connection.socket?.destroy()
  return resultOf(run)
}

function createRun(options: LoadOptions): Run {
  const expected = (status: number) => isExpected(options, status)
  const run: Run = {
    options,
    phase: 'warmup',
    connections: [],
    readBuffer: Buffer.allocUnsafeSlow(65_536),
    nextN: options.firstN ?? 0,
    sentInWindow: 0,
    sent: 0,
    inFlight: 0,
    startedAtMs: 0,
    lastResponseAtMs: performance.now(),
    windowSeconds: 0,
    completed: 0,
    bytesRead: 0,
    bytesWritten: 0,
    histogram: createHistogram(),
    statuses: Array.from({ length: 1000 }, () => 0),
    answered: Array.from({ length: 1000 }, () => 0),
    samples: [],
    errors: { connect: 0, closed: 0, protocol: 0, stalled: 0 },
    reconnects: 0,
    cpuAtStart: process.cpuUsage(),
    cpuSeconds: { user: 0, system: 0 },
    finished: () => {},
  }
  const wantsBody = (status: number) => run.samples.length < 3 && !expected(status)
  for (let index = 0; index < (options.connections ?? 64); index++) {
    run.connections.push({
      index,
      socket: null,
      reader: createReader(wantsBody),
      sentAtMs: 0,
      inFlight: false,
      failures: 0,
    })
  }
  return run
}

function isExpected({ expectStatus }: LoadOptions, status: number): boolean {
  return expectStatus === undefined ? status >= 200 && status < 300 : status === expectStatus
}

function beginWindow(run: Run): void {
  if (run.phase !== 'warmup') return
  run.phase = 'measure'
  run.cpuAtStart = process.cpuUsage()
  run.startedAtMs = performance.now()
  run.options.onMeasureStart?.()
  if (run.options.seconds !== undefined) {
    const timer = setTimeout(() => endWindow(run), run.options.seconds * 1000)
    timer.unref()
  }
}

/** Closes the window; what is in flight is awaited, nothing more is sent. */
function endWindow(run: Run): void {
  if (run.phase !== 'measure') return
  run.phase = 'drain'
  run.windowSeconds = (performance.now() - run.startedAtMs) / 1000
  const { user, system } = process.cpuUsage(run.cpuAtStart)
  run.cpuSeconds = { user: user / 1e6, system: system / 1e6 }
  run.options.onMeasureEnd?.(run.windowSeconds)
  finishWhenIdle(run)
}

/** Ends the run when nothing is in flight and nothing more may be sent. */
function finishWhenIdle(run: Run): void {
  if (run.inFlight > 0 || run.phase === 'done' || mayGoOn(run)) return
  if (run.phase === 'measure') endWindow(run)
  else finish(run)
}

function finish(run: Run): void {
  if (run.phase === 'done') return
  run.phase = 'done'
  run.finished()
}

function stopWhenStalled(run: Run): void {
  const stallMs = (run.options.stallSeconds ?? 10) * 1000
  if (run.phase === 'done' || performance.now() - run.lastResponseAtMs < stallMs) return
  run.errors.stalled += 1
  if (run.phase === 'warmup') beginWindow(run)
  endWindow(run)
  finish(run)
}

function open(run: Run, connection: Connection): void {
  const { host, port } = run.options
  const onread = {
    buffer: run.readBuffer,
    callback: (size: number) => {
      onBytes(run, connection, size)
      return true
    },
  }
  const socket = connect({ host, port, noDelay: true, onread })
  connection.socket = socket
  connection.reader = createReader(connection.reader.wantsBody)
  let opened = false
  socket.once('connect', () => {
    opened = true
    send(run, connection, performance.now())
  })
  socket.on('error', () => {
    if (!opened) run.errors.connect += 1
  })
  socket.once('close', () => onClose(run, connection, socket, opened))
}

function onClose(run: Run, connection: Connection, socket: Socket, opened: boolean): void {
  if (connection.socket !== socket) return
  connection.socket = null
  if (connection.inFlight && endOfStream(connection.reader)) onResponse(run, connection, performance.now())
  if (connection.inFlight) {
    connection.inFlight = false
    run.inFlight -= 1
    run.errors.closed += 1
  }
  finishWhenIdle(run)
  if (!mayGoOn(run)) return
  if (opened) run.reconnects += 1
  connection.failures += 1
  const delayMs = connection.failures === 1 ? 0 : reconnectDelayMs
  setTimeout(() => {
    if (mayGoOn(run)) open(run, connection)
  }, delayMs)
}

function mayGoOn({ phase, options, sentInWindow }: Run): boolean {
  if (phase === 'warmup') return true
  return phase === 'measure' && (options.requests === undefined || sentInWindow < options.requests)
}

function send(run: Run, connection: Connection, nowMs: number): void {
  if (!mayGoOn(run)) return
  const bytes = run.options.request(run.nextN, connection.index)
  run.nextN += 1
  run.sent += 1
  if (run.phase === 'measure') {
    run.sentInWindow += 1
    run.bytesWritten += bytes.length
  }
  run.inFlight += 1
  connection.inFlight = true
  connection.sentAtMs = nowMs
  connection.socket?.write(bytes)
}

function onBytes(run: Run, connection: Connection, size: number): void {
  const nowMs = performance.now()
  if (run.phase === 'measure') run.bytesRead += size
  const { reader } = connection
  let responses = 0
  const outcome = readResponses(reader, run.readBuffer, size, () => {
    responses += 1
    if (responses === 1 && connection.inFlight) onResponse(run, connection, nowMs)
    else reader.fault = 'response without a request'
  })
  if (outcome === 'broken' || reader.fault !== '') {
    run.errors.protocol += 1
    connection.socket?.destroy()
  } else if (responses === 1) {
    // After "Connection: close" the server's own close opens the next connection.
    if (!reader.closing) send(run, connection, nowMs)
  }
}

function onResponse(run: Run, connection: Connection, nowMs: number): void {
  const { status } = connection.reader
  connection.inFlight = false
  connection.failures = 0
  run.inFlight -= 1
  run.lastResponseAtMs = nowMs
  run.answered[status]! += 1
  if (!isExpected(run.options, status)) {
    const body = takeBody(connection.reader)
    if (body !== null && run.samples.length < 3) run.samples.push({ status, body })
  }
  if (run.phase === 'measure') {
    run.statuses[status]! += 1
    run.completed += 1
    record(run.histogram, (nowMs - connection.sentAtMs) * 1000)
  }
  if (run.inFlight === 0) finishWhenIdle(run)
}

function resultOf(run: Run): LoadResult {
  const answeredTotal = run.answered.reduce((sum, count) => sum + count, 0)
  return {
    connections: run.connections.length,
    seconds: run.windowSeconds,
    completed: run.completed,
    requestsPerSecond: run.windowSeconds === 0 ? 0 : run.completed / run.windowSeconds,
    bytesRead: run.bytesRead,
    bytesWritten: run.bytesWritten,
    latencyUs: summarize(run.histogram),
    statuses: countsByStatus(run.statuses),
    answered: countsByStatus(run.answered),
    succeeded: run.answered.slice(200, 300).reduce((sum, count) => sum + count, 0),
    unknown: run.sent - answeredTotal,
    unexpected: run.answered.reduce((sum, count, status) => sum + (isExpected(run.options, status) ? 0 : count), 0),
    samples: run.samples,
    errors: run.errors,
    reconnects: run.reconnects,
    nextN: run.nextN,
    cpuSeconds: run.cpuSeconds,
  }
}

function countsByStatus(counts: number[]): Record<string, number> {
  return Object.fromEntries(counts.entries().filter(([, count]) => count > 0))
}
