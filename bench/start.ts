/**
 * Starting and doing nothing: how long until the API answers, the address is printed and the portal is there, on a fresh
 * clone's first start and on a later one; and the memory of everything together once nothing is asked for.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { portalFolders } from '../server/src/portal/index.ts'
import type { BenchContext, BenchReport } from './bench.ts'
import type { Memory } from './measure.ts'
import { formatBytes, formatCount, markdownTable, median, processesOf, readMemory } from './measure.ts'
import type { Tandem } from './servers.ts'
import { connectOwner, createApiKey, postgresVersion, request, startTandem } from './servers.ts'

/** Behind the start and the build of the portal; the server has given back by then what these left behind. */
const idleSeconds = 30
const callSeconds = 10

type Times = { readyMs: number; addressMs: number; portalMs: number }
type Idle = { server: Memory; database: Memory }
type Round = { first: Times; idle: Idle; later: Times; withCalls: Idle }

/** Nothing else may share pages of the Node program with the server: what it takes alone is what counts. */
function ownNode(): { program: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-node-'))
  const program = join(folder, 'node')
  copyFileSync(process.execPath, program)
  return { program, remove: () => rmSync(folder, { recursive: true }) }
}

export async function startBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const rounds: Round[] = []
  let postgres: string | null = null
  const { program, remove } = ownNode()
  try {
    for (let n = 1; n <= pace.rounds; n++) {
      // As on a fresh clone: the portal is yet to be built.
      rmSync(join(portalFolders.root, portalFolders.dist), { recursive: true, force: true })
      const started = await startTandem({ settings, program })
      const first = await timesOf(started)
      await sleep(idleSeconds * 1000)
      const idle = memoryOf(started)
      await started.stopKeepingData()
      const again = await startTandem({ settings, program, dataDir: started.dataDir })
      const later = await timesOf(again)
      const owner = await connectOwner(again)
      postgres = await postgresVersion(owner)
      await owner.end()
      await makeCall(again)
      await sleep((callSeconds + idleSeconds) * 1000)
      rounds.push({ first, idle, later, withCalls: memoryOf(again) })
      await again.stop()
      log(`round ${n}: API after ${Math.round(first.readyMs)} ms, ${formatBytes(totalOf(idle))} idle`)
    }
  } finally {
    remove()
  }
  return report(rounds, postgres)
}

/** Waits until the portal opens as well. */
async function timesOf({ readyMs, address, host, port, startedMs }: Tandem): Promise<Times> {
  const { atMs } = await address
  for (;;) {
    const page = await fetch(`http://${host}:${port}/login`, { headers: { accept: 'text/html' } })
    await page.arrayBuffer()
    if (page.status === 200) return { readyMs, addressMs: atMs - startedMs, portalMs: performance.now() - startedMs }
    if (page.headers.get('retry-after') === null) throw new Error('the portal could not be built')
    await sleep(20)
  }
}

/** A call of the simulator, which brings the process for calls about. */
async function makeCall(tandem: Tandem): Promise<void> {
  const key = await createApiKey(tandem, 'test')
  await request(tandem, 'POST', '/v2/voice/calls', key, {
    from: '+15550100001',
    to: '+15005550200',
    instructions: [{ verb: 'hangup' }],
  })
}

function memoryOf(tandem: Tandem): Idle {
  const of = (name: string) => {
    const memory = readMemory(processesOf(tandem.groups[name]!))
    if (memory === null) throw new Error('memory is read from /proc, which this system lacks')
    return memory
  }
  return { server: of('server'), database: of('database') }
}

function totalOf({ server, database }: Idle): number {
  return server.pssBytes + database.pssBytes
}

function report(rounds: readonly Round[], postgres: string | null): BenchReport {
  const row = (what: string, wanted: string, of: (round: Round) => number, shown: (value: number) => string) => {
    const values = rounds.map(of)
    return [what, shown(median(values)), wanted, values.map(shown).join(' · ')]
  }
  const ms = (value: number) => `${formatCount(value)} ms`
  const count = (value: number) => String(value)
  const rows = [
    row('first start: /readyz answers 200', '4,000 ms', ({ first }) => first.readyMs, ms),
    row('… the address is printed', '4,000 ms', ({ first }) => first.addressMs, ms),
    row('… the portal opens, built meanwhile', '', ({ first }) => first.portalMs, ms),
    row('later start: /readyz answers 200', '3,000 ms', ({ later }) => later.readyMs, ms),
    row('… the portal opens', '', ({ later }) => later.portalMs, ms),
    row('idle after the first start, everything (PSS)', '250 MiB', ({ idle }) => totalOf(idle), formatBytes),
    row('… Node processes', '', ({ idle }) => idle.server.pssBytes, formatBytes),
    row('… how many', '', ({ idle }) => idle.server.processes, count),
    row('… PostgreSQL', '', ({ idle }) => idle.database.pssBytes, formatBytes),
    row(
      'idle after a later start and a call, everything (PSS)',
      '',
      ({ withCalls }) => totalOf(withCalls),
      formatBytes,
    ),
  ]
  const markdown = markdownTable(['what', 'median', 'wanted at most', 'rounds'], rows)
  return { markdown, postgres, figures: { rounds } }
}
