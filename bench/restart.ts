/**
 * A start with a million messages waiting for their carrier: how long until the server is ready and until the first of them
 * is handed over, and how much memory server and database take while they go out. The messages are written by the function
 * that takes requests in, so that they are what an outage of the carrier leaves behind.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { newId } from '../server/src/kernel/values/ids.ts'
import type { BenchContext, BenchReport } from './bench.ts'
import { benchSender, connectCarrier } from './delivery.ts'
import { cpuSecondsOf, formatBytes, formatCount, markdownTable, median, processesOf, readMemory } from './measure.ts'
import { connectOwner, createApiKey, postgresVersion, startTandem, type Tandem, tenantId } from './servers.ts'
import { nowUs } from './sink_tally.ts'
import { startSmscSink } from './sinks.ts'

const queued = 1_000_000
const statementSize = 5_000
const sampleEveryMs = 500
const wantedReadyMs = 10_000

type Sample = { atMs: number; server: number; database: number; submitted: number }
type Round = {
  readyMs: number
  /** Processor time of server and database until then, which other work on the machine does not stretch. */
  readyCpuSeconds: number | null
  firstSubmitMs: number
  perSecond: number
  samples: Sample[]
}

export async function restartBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'tandem-bench-'))
  const smsc = await startSmscSink()
  const all = { TANDEM_EGRESS_ALLOW: '127.0.0.1', ...settings }
  const rounds: Round[] = []
  let postgres: string | null = null
  try {
    postgres = await fill(dataDir, all, smsc.port, log)
    for (let round = 1; round <= pace.rounds; round++) {
      await smsc.reset()
      const startedUs = nowUs()
      const tandem = await startTandem({ settings: all, dataDir })
      const readyCpuSeconds = cpuSecondsOf(tandem.groups)
      try {
        const samples = await drain(tandem, pace.seconds + 10, async () => (await smsc.counts()).distinct)
        const { firstUs, lastUs, distinct, total } = await smsc.counts()
        if (distinct !== total) throw new Error(`${total - distinct} messages were handed over twice`)
        const perSecond = distinct / ((lastUs - firstUs) / 1e6)
        rounds.push({
          readyMs: tandem.readyMs,
          readyCpuSeconds,
          firstSubmitMs: (firstUs - startedUs) / 1000,
          perSecond,
          samples,
        })
        log(`round ${round}: ready after ${Math.round(tandem.readyMs)} ms, ${formatCount(perSecond)} messages a second`)
      } finally {
        await tandem.stopKeepingData()
      }
    }
  } finally {
    await smsc.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  return report(rounds, postgres)
}

/** A server is set up, stopped, and finds a million messages when it starts again. */
async function fill(
  dataDir: string,
  settings: Record<string, string>,
  smscPort: number,
  log: (line: string) => void,
): Promise<string> {
  // Without a worker nothing of it goes out before the start that is measured.
  const tandem = await startTandem({ settings: { ...settings, TANDEM_ROLES: 'api' }, dataDir })
  try {
    const key = await createApiKey(tandem, 'live')
    const carrier = await connectCarrier(tandem, key, smscPort)
    const owner = await connectOwner(tandem)
    const startedMs = performance.now()
    try {
      const tenant = await tenantId(owner, 'live')
      for (let n = 0; n < queued; n += statementSize) await accept(owner, { tenant, carrier, firstN: n })
      await owner.query('analyze')
      log(`${formatCount(queued)} messages queued in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
      return await postgresVersion(owner)
    } finally {
      await owner.end()
    }
  } finally {
    await tandem.stopKeepingData()
  }
}

/** `accept_messages` of server/migrations, with those of its columns that a plain message fills. */
async function accept(
  owner: pg.Client,
  { tenant, carrier, firstN }: { tenant: number; carrier: string; firstN: number },
) {
  const numbers = Array.from({ length: statementSize }, (_, i) => String(firstN + i).padStart(8, '0'))
  const same = <T>(value: T) => new Array<T>(statementSize).fill(value)
  const bodies = numbers.map(n => `Your code is ${n}`)
  const ids = numbers.map(() => newId('msg'))
  await owner.query(
    `select accept_messages(tenant_ids => $1, ids => $2, created_ats => $3, carriers => $4, from_addresses => $5,
       to_addresses => $6, bodies => $7, encodings => $8, segment_counts => $9, validities => $10, callback_urls => $11,
       tag_lists => $11, metadatas => $11, event_ids => $12, event_data => $13, keys => null, fingerprints => null,
       answers => null, service_ids => null, send_ats => null, prices => null, currencies => null, resends => null,
       opt_out_ignored => null, paces => null)`,
    [
      same(tenant),
      ids,
      same(new Date().toISOString()),
      same(carrier),
      same(benchSender),
      numbers.map(n => `+49151${n}`),
      bodies,
      same('GSM-7'),
      same(1),
      same(72 * 3600),
      same(null),
      numbers.map(() => newId('evt')),
      ids.map((id, i) => JSON.stringify({ id, status: 'queued', to: `+49151${numbers[i]}`, body: bodies[i] })),
    ],
  )
}

/** Watches memory while messages go out, for so many seconds. */
async function drain(tandem: Tandem, seconds: number, submitted: () => Promise<number>): Promise<Sample[]> {
  const samples: Sample[] = []
  const startedMs = performance.now()
  while (performance.now() - startedMs < seconds * 1000) {
    const bytes = (name: string) => readMemory(processesOf(tandem.groups[name]!))?.pssBytes ?? Number.NaN
    const atMs = performance.now() - startedMs
    samples.push({ atMs, server: bytes('server'), database: bytes('database'), submitted: await submitted() })
    await sleep(sampleEveryMs)
  }
  return samples
}

function report(rounds: readonly Round[], postgres: string | null): BenchReport {
  const ms = (values: number[]) => `${formatCount(median(values))} ms`
  const each = (value: (round: Round) => string) => rounds.map(value).join(' ')
  // After the first seconds, in which caches fill, and at the end.
  const settled = ({ samples }: Round) => samples[Math.floor(samples.length / 4)]!
  const last = ({ samples }: Round) => samples.at(-1)!
  const memory = (name: 'server' | 'database', of: (round: Round) => Sample) =>
    formatBytes(median(rounds.map(round => of(round)[name])))
  const peak = (name: 'server' | 'database') =>
    formatBytes(Math.max(...rounds.flatMap(round => round.samples.map(sample => sample[name]))))
  const readyMs = rounds.map(round => round.readyMs)
  const rows = [
    ['start until ready', ms(readyMs), '≤ 10,000 ms', each(round => formatCount(round.readyMs))],
    [
      '… processor time until then',
      `${median(rounds.map(round => round.readyCpuSeconds ?? Number.NaN)).toFixed(1)} s`,
      '',
      each(round => (round.readyCpuSeconds ?? Number.NaN).toFixed(1)),
    ],
    [
      'start until the first submit',
      ms(rounds.map(round => round.firstSubmitMs)),
      '',
      each(round => formatCount(round.firstSubmitMs)),
    ],
    [
      'messages handed over a second',
      formatCount(median(rounds.map(round => round.perSecond))),
      '',
      each(round => formatCount(round.perSecond)),
    ],
    [
      'server: memory after a quarter, at the end, most',
      `${memory('server', settled)} · ${memory('server', last)} · ${peak('server')}`,
      'flat',
      '',
    ],
    [
      'database: the same',
      `${memory('database', settled)} · ${memory('database', last)} · ${peak('database')}`,
      'flat',
      '',
    ],
  ]
  const reached = median(readyMs) <= wantedReadyMs ? 'reached' : 'MISSED'
  const markdown = `${markdownTable(['what', 'median', 'wanted', 'rounds'], rows)}\n\n- ready with ${formatCount(queued)} waiting: ${ms(readyMs)} (wanted ≤ ${formatCount(wantedReadyMs)} ms) ${reached}`
  return { markdown, postgres, figures: { rounds } }
}
