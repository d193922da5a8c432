/**
 * What a menu costs while many use it at once: each call is announced a text (say), asked for a digit (gather), and joined with an
 * agent (dial, bridge); sound goes both ways on both legs all the time. Memory is reported per call.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchContext, BenchReport } from './bench.ts'
import { createHistogram, record, summarize } from './histogram.ts'
import type { PhonesReply } from './ivr_child.ts'
import {
  formatBytes,
  formatCount,
  formatMs,
  markdownTable,
  processesOf,
  readMemory,
  watchProcesses,
} from './measure.ts'
import { openLoadInChild } from './open_load.ts'
import { createApiKey, type Tandem } from './servers.ts'
import { addTrunk, callTemplate, startPhones, startVoiceServer, statesOf } from './voice_server.ts'

const wantedAtOnce = 200
const perSecond = 19
/** Until the customer types, behind the announcement, and how long the two talk. */
const typeAfterMs = 5_000
const talkMs = 6_000
const agent = '+4930123456'

const instructions = [
  {
    verb: 'gather',
    numDigits: 1,
    timeoutSeconds: 30,
    prompt: [{ verb: 'say', text: 'Welcome to Example Company. For sales, please press one now.' }],
    branches: { '1': 'sales' },
  },
  { verb: 'hangup' },
  { verb: 'dial', label: 'sales', targets: [{ type: 'number', number: agent }] },
]

type Reported = Extract<PhonesReply, { kind: 'report' }>
type Result = Omit<Reported, 'kind' | 'connectUs'> & {
  sent: number
  failed: number
  connect: { p50: number; p99: number; max: number }
  cpuShare: number | null
  idleBytes: number | null
  busyBytes: number | null
}

export async function ivrBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const result = await runMenus(Math.max(15, pace.seconds * 2), settings)
  log(
    `${result.maxCustomers} calls at once, ${result.sent} calls, ${result.failed} failed, ${result.joinedCustomers} joined, ${result.lost} packets lost`,
  )
  return { markdown: `${table(result)}\n\n${verdict(result)}`, postgres: null, figures: { result } }
}

async function runMenus(seconds: number, settings: Record<string, string>): Promise<Result> {
  const tandem = await startVoiceServer(settings)
  const phones = await startPhones({ agentSuffix: agent.slice(-6), typeAfterMs, talkMs })
  try {
    const key = await createApiKey(tandem, 'live')
    await addTrunk(tandem, key, phones.port)
    const idleBytes = memoryOf(tandem)
    const measure = watchProcesses(tandem.groups)
    const load = openLoadInChild({
      host: tandem.host,
      port: tandem.port,
      template: callTemplate(key, instructions),
      perSecond,
      seconds,
      firstN: 0,
    })
    await sleep(seconds * 1_000 - 1_000)
    const busyBytes = memoryOf(tandem)
    const { sent } = await load
    const { groups } = measure()
    await sleep(typeAfterMs + talkMs + 4_000)
    const reported = await phones.report()
    const { kind: _kind, connectUs, ...counts } = reported
    const connect = createHistogram()
    for (const us of connectUs) record(connect, us)
    const states = await statesOf(tandem)
    const calls = [...states.values()].reduce((sum, count) => sum + count, 0)
    const cpu = groups['server']?.cpuSeconds
    return {
      ...counts,
      sent,
      failed: calls - (states.get('completed') ?? 0),
      connect: summarize(connect),
      cpuShare: cpu == null ? null : cpu / seconds,
      idleBytes,
      busyBytes,
    }
  } finally {
    phones.close()
    await tandem.stop()
  }
}

function memoryOf({ groups }: Tandem): number | null {
  const group = groups['server']
  return group === undefined ? null : (readMemory(processesOf(group))?.pssBytes ?? null)
}

function table(result: Result): string {
  const { idleBytes, busyBytes, maxLegs, connect, joinedCustomers, joinedAgents } = result
  const perLeg = idleBytes === null || busyBytes === null ? null : (busyBytes - idleBytes) / maxLegs
  const heard = result.heardFrames / (((result.customers + result.agents) * talkMs) / 20)
  return markdownTable(
    ['', 'measured'],
    [
      ['calls begun, at so many a second', `${formatCount(result.sent)}, ${perSecond}`],
      [
        'customers at once; legs at once, agents included',
        `${formatCount(result.maxCustomers)}; ${formatCount(maxLegs)}`,
      ],
      ['calls and legs that did not complete', formatCount(result.failed)],
      ['customers joined with an agent; agents with a customer', `${joinedCustomers}; ${joinedAgents}`],
      ['share of the talk that was heard exactly as it was said', `${(100 * heard).toFixed(1)} %`],
      [
        'packets of sound at the phones; lost on the way there',
        `${formatCount(result.packets)}; ${formatCount(result.lost)}`,
      ],
      [
        'from the digit to the INVITE of the agent: p50, p99, max',
        `${formatMs(connect.p50)}, ${formatMs(connect.p99)}, ${formatMs(connect.max)} ms`,
      ],
      ['server, cores', result.cpuShare === null ? 'n/a' : result.cpuShare.toFixed(2)],
      ['server memory before and under load', `${formatBytes(idleBytes)}, ${formatBytes(busyBytes)}`],
      [
        'memory for each leg, heap not yet collected included',
        perLeg === null ? 'n/a' : `${Math.round(perLeg / 1024)} KiB`,
      ],
    ],
  )
}

function verdict({ maxCustomers, failed, sent, joinedCustomers, joinedAgents, lost }: Result): string {
  const isWhole = maxCustomers >= wantedAtOnce && failed === 0 && joinedCustomers === sent && joinedAgents === sent
  return `- ${wantedAtOnce} at once, all of them joined and completed: ${isWhole ? 'reached' : 'missed'}; packets lost: ${lost}.`
}
