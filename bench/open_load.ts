/**
 * Open arrivals: requests come at a given rate, at random moments (Poisson), whether the server keeps up or not, as those
 * of many independent clients do. Each takes a free connection, or a new one, so that a slow answer delays none after it.
 * Times are counted from when a request was due. Runs in a process of its own (`openLoadInChild`).
 */
import { fork } from 'node:child_process'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Reader } from './http_reader.ts'
import { createReader, readResponses } from './http_reader.ts'
import { compileTemplate, type RequestTemplate } from './request_template.ts'
import { nowUs } from './sink_tally.ts'

export type OpenLoadOptions = {
  host: string
  port: number
  template: RequestTemplate
  perSecond: number
  seconds: number
  /** Number of the first request. */
  firstN: number
}

export type OpenLoadResult = {
  /** Requests sent, answered 2xx, answered otherwise, and without an answer. */
  sent: number
  succeeded: number
  unexpected: number
  unknown: number
  seconds: number
  startedUs: number
  /** When each request was due and when its 2xx came, by its number less `firstN`; 0: never. Monotonic microseconds. */
  dueUs: Float64Array
  acceptedUs: Float64Array
  connections: number
  /** Processor seconds of the generating process. */
  cpuSeconds: number
}

type Connection = { index: number; socket: Socket; reader: Reader; n: number; isOpen: boolean }

/** Most connections at once; beyond, requests wait for one to be free. */
const maxConnections = 500
const stallMs = 10_000

/** Runs it in this process. */
export function openLoad(options: OpenLoadOptions): Promise<OpenLoadResult> {
  const { host, port, firstN, perSecond, seconds } = options
  const request = compileTemplate(options.template, `${host}:${port}`)
  const dueUs = momentsOf(perSecond, seconds)
  const total = dueUs.length
  const acceptedUs = new Float64Array(total)
  const readBuffer = Buffer.allocUnsafeSlow(65_536)
  const free: Connection[] = []
  const cpuBefore = process.cpuUsage()
  const startedUs = nowUs() + 50_000
  for (let i = 0; i < total; i++) dueUs[i]! += startedUs
  let next = 0
  let connections = 0
  let open = 0
  let succeeded = 0
  let unexpected = 0
  let unknown = 0
  let lastAnswerUs = startedUs

  return new Promise(resolve => {
    const timer = setInterval(tick, 1)

    function tick(): void {
      const present = nowUs()
      while (next < total && dueUs[next]! <= present) {
        if (free.length === 0 && connections >= maxConnections) break
        const n = next++
        open += 1
        const connection = free.pop()
        if (connection === undefined) dial(n)
        else send(connection, n)
      }
      if (next === total && open === 0) finish()
      else if (open > 0 && present - lastAnswerUs > stallMs * 1000 && present > startedUs) finish()
    }

    function dial(n: number): void {
      const index = connections++
      const onread = {
        buffer: readBuffer,
        callback: (size: number) => {
          onBytes(connection, size)
          return true
        },
      }
      const socket = connect({ host, port, noDelay: true, onread })
      const connection: Connection = { index, socket, reader: createReader(), n, isOpen: true }
      socket.once('connect', () => send(connection, n))
      socket.on('error', () => {})
      socket.once('close', () => onClose(connection))
    }

    function send(connection: Connection, n: number): void {
      connection.n = n
      connection.socket.write(request(firstN + n, connection.index))
    }

    function onBytes(connection: Connection, size: number): void {
      readResponses(connection.reader, readBuffer, size, () => {
        const { status } = connection.reader
        lastAnswerUs = nowUs()
        open -= 1
        if (status >= 200 && status < 300) {
          acceptedUs[connection.n] = lastAnswerUs
          succeeded += 1
        } else unexpected += 1
        connection.n = -1
      })
      if (connection.n !== -1) return
      if (connection.reader.closing) connection.socket.end()
      else free.push(connection)
    }

    function onClose(connection: Connection): void {
      if (!connection.isOpen) return
      connection.isOpen = false
      const at = free.indexOf(connection)
      if (at !== -1) free.splice(at, 1)
      connections -= 1
      if (connection.n === -1) return
      open -= 1
      unknown += 1
    }

    function finish(): void {
      clearInterval(timer)
      for (const connection of free) connection.socket.destroy()
      const { user, system } = process.cpuUsage(cpuBefore)
      resolve({
        sent: next,
        succeeded,
        unexpected,
        unknown: unknown + open,
        seconds: (nowUs() - startedUs) / 1e6,
        startedUs,
        dueUs,
        acceptedUs,
        connections,
        cpuSeconds: (user + system) / 1e6,
      })
    }
  })
}

/** Microseconds after the start at which requests are due; the same in every run. */
export function momentsOf(perSecond: number, seconds: number): Float64Array {
  const moments: number[] = []
  let state = 0x9e3779b9
  for (let at = 0; ; ) {
    // xorshift32: plenty for moments of arrival.
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    at += (-Math.log(((state >>> 0) + 1) / 2 ** 32) / perSecond) * 1e6
    if (at >= seconds * 1e6) return Float64Array.from(moments)
    moments.push(at)
  }
}

/** Runs it in a process of its own. @param options.onStart given the id of that process */
export function openLoadInChild({
  onStart,
  ...options
}: OpenLoadOptions & { onStart?: (pid: number) => void }): Promise<OpenLoadResult> {
  const child = fork(fileURLToPath(import.meta.url), [], {
    execArgv: ['--max-semi-space-size=16'],
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise((resolve, reject) => {
    let result: OpenLoadResult | undefined
    child.once('error', reject)
    child.once('spawn', () => {
      onStart?.(child.pid!)
      child.send(options)
    })
    child.once('message', message => {
      result = message as OpenLoadResult
    })
    child.once('exit', (code, signal) => {
      if (result !== undefined) resolve(result)
      else reject(new Error(`the load process ended without a result (code ${code}, signal ${signal})`))
    })
  })
}

if (import.meta.main && process.send !== undefined) {
  process.once('message', async (message: unknown) => {
    const result = await openLoad(message as OpenLoadOptions)
    process.send!(result, undefined, undefined, () => process.disconnect?.())
  })
  process.once('disconnect', () => process.exit(0))
}
