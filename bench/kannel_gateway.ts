/**
 * Kannel (https://www.kannel.org, Debian package `kannel`) as a peer: an HTTP to SMPP gateway in C. Starts bearerbox and
 * smsbox on free ports with a configuration that lets them run as fast as they can; where delivery reports are asked for,
 * these are kept in a Redis of their own (`redis-server` or `valkey-server`), which is faster here than Kannel's memory.
 * `store-type=file` writes accepted messages to a file without fsync: a crash of the machine can lose some.
 */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../scripts/testing/free_port.ts'
import type { RequestTemplate } from './request_template.ts'
import { endProcess, type RunningServer } from './servers.ts'

const host = '127.0.0.1'
const places = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']

function programOf(...names: string[]): string | undefined {
  return names.flatMap(name => places.map(place => join(place, name))).find(path => existsSync(path))
}

export type KannelOptions = {
  /** Where the carrier listens. */
  smscPort: number
  /** Delivery reports: kept in Redis until the receipt comes. */
  reports?: boolean
}

export type Kannel = RunningServer & { sendPath: string }

/** What is missing on this machine to run Kannel, in words; undefined where nothing is. */
export function kannelMissing({ reports = false }: { reports?: boolean } = {}): string | undefined {
  const missing = [
    programOf('bearerbox') === undefined && 'bearerbox (Debian: kannel)',
    programOf('smsbox') === undefined && 'smsbox (Debian: kannel)',
    reports && programOf('redis-server', 'valkey-server') === undefined && 'redis-server or valkey-server',
  ].filter(what => what !== false)
  return missing.length === 0 ? undefined : `${missing.join(' and ')} not installed; try scripts/system_tools.sh`
}

/** Starts it and waits until it takes requests and its link to the carrier is up (at most 20 s). */
export async function startKannel({ smscPort, reports = false }: KannelOptions): Promise<Kannel> {
  const folder = mkdtempSync(join(tmpdir(), 'kannel-bench-'))
  const [adminPort, boxPort, sendPort, redisPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const children: ChildProcess[] = []
  const stop = async () => {
    for (const child of children.toReversed()) await endProcess(child)
    rmSync(folder, { recursive: true, force: true })
  }
  const start = (program: string, args: string[]) => {
    const child = spawn(program, args, { cwd: folder, stdio: ['ignore', 'ignore', 'ignore'] })
    children.push(child)
    return child
  }
  try {
    const file = join(folder, 'kannel.conf')
    writeFileSync(file, configuration({ folder, adminPort, boxPort, sendPort, redisPort, smscPort, reports }))
    const redis = reports ? start(programOf('redis-server', 'valkey-server')!, redisArgs(redisPort, folder)) : undefined
    if (redis !== undefined) await untilListening(redisPort)
    // Its messages go to a file: with -v 4 only errors would be printed, and nobody reads them here.
    const bearerbox = start(programOf('bearerbox')!, ['-v', '4', file])
    await untilListening(boxPort)
    const smsbox = start(programOf('smsbox')!, ['-v', '4', file])
    await untilListening(sendPort)
    await untilOnline(adminPort)
    return {
      name: 'kannel',
      host,
      port: sendPort,
      sendPath: '/cgi-bin/sendsms?username=bench&password=bench',
      groups: {
        server: { root: bearerbox.pid!, also: [smsbox.pid!] },
        ...(redis === undefined ? {} : { database: { root: redis.pid! } }),
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A message; with `reportPort`, its delivery report is to be sent to an HTTP sink there. */
export function kannelTemplate({ sendPath }: Kannel, reportPort?: number): RequestTemplate {
  const report = encodeURIComponent(`http://${host}:${reportPort}/dlr?n=`)
  // 1: delivered, 2: not delivered. The states between are not asked for, as our webhook does not.
  const reporting = reportPort === undefined ? '' : `&dlr-mask=3&dlr-url=${report}{{n:8}}`
  return { method: 'GET', path: `${sendPath}&from=15005550006&to=49151{{n:8}}&text=Your+code+is+{{n:8}}${reporting}` }
}

const redisArgs = (port: number, folder: string) => {
  return ['--port', String(port), '--bind', host, '--save', '', '--appendonly', 'no', '--dir', folder]
}

type Ports = { adminPort: number; boxPort: number; sendPort: number; redisPort: number; smscPort: number }

function configuration({ folder, reports, ...ports }: Ports & { folder: string; reports: boolean }): string {
  return [
    group('core', {
      'admin-port': ports.adminPort,
      'admin-password': 'bench',
      'admin-interface': host,
      'smsbox-port': ports.boxPort,
      'smsbox-interface': host,
      'log-file': join(folder, 'bearerbox.log'),
      'log-level': 3,
      'box-allow-ip': host,
      'dlr-storage': reports ? 'redis' : 'internal',
      'sms-incoming-queue-limit': -1,
      'sms-outgoing-queue-limit': 1_000_000,
      'store-type': 'file',
      'store-location': join(folder, 'store'),
      'store-dump-freq': 10,
    }),
    ...(reports ? reportGroups(ports.redisPort) : []),
    group('smsc', {
      smsc: 'smpp',
      'smsc-id': 'sink',
      host,
      port: ports.smscPort,
      'smsc-username': 'bench',
      'smsc-password': 'bench',
      'system-type': 'bench',
      'transceiver-mode': 'true',
      'max-pending-submits': 50,
      throughput: 0,
    }),
    group('smsbox', {
      'bearerbox-host': host,
      'bearerbox-port': ports.boxPort,
      'sendsms-port': ports.sendPort,
      'sendsms-interface': host,
      'log-file': join(folder, 'smsbox.log'),
      'log-level': 3,
    }),
    group('sendsms-user', { username: 'bench', password: 'bench', 'max-messages': 10 }),
  ].join('\n')
}

function reportGroups(port: number): string[] {
  const fields = ['smsc', 'timestamp', 'destination', 'source', 'service', 'url', 'mask', 'status', 'boxc-id']
  const columns = Object.fromEntries(fields.map(field => [`field-${field}`, field.replace('-', '_')]))
  return [
    group('redis-connection', { id: 'reports', host, port, database: 0, 'max-connections': 5 }),
    group('dlr-db', { id: 'reports', table: 'dlr', ttl: 86_400, ...columns }),
  ]
}

function group(name: string, values: Record<string, string | number>): string {
  const lines = Object.entries(values).map(([key, value]) => `${key} = ${JSON.stringify(value)}`)
  return [`group = ${name}`, ...lines, ''].join('\n')
}

async function untilListening(port: number): Promise<void> {
  const deadlineMs = performance.now() + 10_000
  while (performance.now() < deadlineMs) {
    const listens = await new Promise<boolean>(resolve => {
      const socket = connect({ host, port }, () => resolve(true))
      socket.on('error', () => resolve(false)).on('connect', () => socket.destroy())
    })
    if (listens) return
    await sleep(50)
  }
  throw new Error(`nothing listens on port ${port} after 10 s`)
}

async function untilOnline(adminPort: number): Promise<void> {
  const deadlineMs = performance.now() + 20_000
  while (performance.now() < deadlineMs) {
    const text = await fetch(`http://${host}:${adminPort}/status.txt?password=bench`).then(
      reply => reply.text(),
      () => '',
    )
    if (/\(online /.test(text)) return
    await sleep(100)
  }
  throw new Error("Kannel's link to the carrier is not up after 20 s")
}
