/**
 * What calls cost from request to INVITE and to their end: open arrivals at the API, database, voice node and SIP engine, a carrier in
 * a process of its own that answers at once. Every call has its instructions and its sound both ways.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchContext, BenchReport } from './bench.ts'
import { createHistogram, record, summarize } from './histogram.ts'
import { formatBytes, formatCount, formatMs, markdownTable, watchProcesses } from './measure.ts'
import { openLoadInChild } from './open_load.ts'
import { createApiKey } from './servers.ts'
import { addTrunk, callTemplate, startCallCarrier, startVoiceServer, statesOf } from './voice_server.ts'

const rates = [50, 200]
const talkMs = 2_000
/** Calls before those that count: until code is compiled and connections are open, as in a server that runs. */
const warmSeconds = 5
const wantedP99Us = 100_000

type Result = {
  perSecond: number
  sent: number
  completed: number
  /** Ended otherwise, or not at all. */
  others: number
  twice: number
  p50: number
  p99: number
  max: number
  serverUs: number | null
  databaseUs: number | null
  memory: number | null
}

export async function voiceBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const results: Result[] = []
  for (const perSecond of rates) {
    const result = await runCalls(perSecond, pace.seconds * 2, settings)
    results.push(result)
    log(
      `${perSecond} calls/s: INVITE after p50 ${formatMs(result.p50)}, p99 ${formatMs(result.p99)}; ${result.others} not completed`,
    )
  }
  return { markdown: `${table(results)}\n\n${verdict(results)}`, postgres: null, figures: { results } }
}

async function runCalls(perSecond: number, seconds: number, settings: Record<string, string>): Promise<Result> {
  const tandem = await startVoiceServer(settings)
  const count = Math.ceil(perSecond * (warmSeconds + seconds) * 1.5) + 100
  const carrier = await startCallCarrier({ talkMs, count })
  try {
    const key = await createApiKey(tandem, 'live')
    await addTrunk(tandem, key, carrier.port)
    const { host, port } = tandem
    const template = callTemplate(key, instructions)
    const begin = (part: { seconds: number; firstN: number }) =>
      openLoadInChild({ host, port, template, perSecond, ...part })
    const warm = await begin({ seconds: warmSeconds, firstN: 0 })
    const measure = watchProcesses(tandem.groups)
    const load = await begin({ seconds, firstN: warm.sent })
    await sleep(talkMs + 3_000)
    const measured = measure()
    const reported = await carrier.report()
    const states = await statesOf(tandem)
    const latency = createHistogram()
    for (let n = 0; n < load.sent; n++) {
      const at = reported.invitedUs[warm.sent + n] ?? 0
      if (at > 0) record(latency, at - load.dueUs[n]!)
    }
    const { p50, p99, max } = summarize(latency)
    const completed = states.get('completed') ?? 0
    const sent = warm.sent + load.sent
    const usage = (name: string) => measured.groups[name]
    const perCall = (cpu: number | null | undefined) => (cpu == null ? null : (cpu * 1e6) / load.sent)
    return {
      perSecond,
      sent,
      completed,
      others: sent - completed,
      twice: reported.twice,
      p50,
      p99,
      max,
      serverUs: perCall(usage('server')?.cpuSeconds),
      databaseUs: perCall(usage('database')?.cpuSeconds),
      memory: usage('server')?.memory?.pssBytes ?? null,
    }
  } finally {
    carrier.close()
    await tandem.stop()
  }
}

const instructions = [
  { verb: 'play', tone: 'hold' },
  { verb: 'pause', seconds: 60 },
]

function table(results: readonly Result[]): string {
  return markdownTable(
    [
      'calls/s',
      'calls',
      'completed',
      'dialled twice',
      'INVITE p50 ms',
      'p99 ms',
      'max ms',
      'server µs',
      'database µs',
      'memory',
    ],
    results.map(result => [
      String(result.perSecond),
      formatCount(result.sent),
      formatCount(result.completed),
      String(result.twice),
      formatMs(result.p50),
      formatMs(result.p99),
      formatMs(result.max),
      formatCount(result.serverUs),
      formatCount(result.databaseUs),
      formatBytes(result.memory),
    ]),
  )
}

function verdict(results: readonly Result[]): string {
  const [slow, fast] = results
  const isQuick = slow !== undefined && slow.p99 <= wantedP99Us
  const isWhole = fast !== undefined && fast.others === 0 && fast.twice === 0
  return [
    `- API to INVITE at ${slow?.perSecond} calls/s: p99 ${formatMs(slow?.p99 ?? 0)} ms (wanted 100): ${isQuick ? 'reached' : 'missed'}.`,
    `- ${fast?.perSecond} calls/s with none failed: ${isWhole ? 'reached' : 'missed'}.`,
  ].join('\n')
}
