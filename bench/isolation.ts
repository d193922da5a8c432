/**
 * What live traffic feels of its test twin: texts of the live mode at an even pace, first alone, then while the test tenant does its
 * worst (batches with a duplicate window, event streams, keys, leads) from a process thread of its own.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { BenchContext, BenchReport } from './bench.ts'
import { createHistogram, type Histogram, percentile, record } from './histogram.ts'
import type { Attack, AttackReport } from './isolation_attack.ts'
import { formatMs, formatRatio, type Measured, markdownTable, median, watchProcesses } from './measure.ts'
import {
  admin,
  connectOwner,
  createApiKey,
  logIn,
  postgresVersion,
  request,
  startTandem,
  type Tandem,
} from './servers.ts'

const livePerSecond = 20
const readyEveryMs = 100
const users = 25
const wantedRatio = 1.5
const wantedReadyMs = 100

/** `measured`: what server and database used meanwhile, and the whole machine. */
type Phase = { texts: Histogram; ready: Histogram; refused: number; measured: Measured | undefined }

export async function isolationBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const tandem = await startTandem({ settings: { TANDEM_TESTS_PACE: '25', ...settings } })
  const owner = await connectOwner(tandem)
  try {
    const liveKey = await createApiKey(tandem, 'live')
    const attack = await prepareAttack(tandem)
    await measure(tandem, liveKey, pace.warmupSeconds)
    const rounds: { idle: Phase; busy: Phase; report: AttackReport }[] = []
    for (let round = 1; round <= pace.rounds; round++) {
      const idle = await measure(tandem, liveKey, pace.seconds)
      const attacker = startAttack(attack)
      await sleep(1_000)
      const busy = await measure(tandem, liveKey, pace.seconds)
      const report = await attacker.stop()
      rounds.push({ idle, busy, report })
      log(
        `round ${round}: p95 ${formatMs(p95(idle))} alone (${cpuOf(idle)}), ${formatMs(p95(busy))} beside (${cpuOf(busy)}) ${JSON.stringify(report)}`,
      )
      await sleep((pace.settleSeconds ?? 1) * 1_000)
    }
    return reportOf(rounds, await postgresVersion(owner))
  } finally {
    await owner.end()
    await tandem.stop()
  }
}

const p95 = ({ texts }: Phase) => percentile(texts, 0.95)

/** Processor seconds of server and database in a phase, and of the whole machine: what others took cannot be distinguished else. */
function cpuOf({ measured }: Phase): string {
  const { server, database } = measured?.groups ?? {}
  const busy = measured?.machine?.busySeconds
  return `server ${server?.cpuSeconds ?? '?'} s, database ${database?.cpuSeconds ?? '?'} s of ${busy?.toFixed(1) ?? '?'} s`
}

/** A key of the test mode for each of many users, and a service with a duplicate window. */
async function prepareAttack(tandem: Tandem): Promise<Attack> {
  const key = await createApiKey(tandem, 'test')
  const token = await logIn(tandem)
  const keys = [key]
  for (let n = 0; n < users; n++) {
    const email = `attacker${n}@tandem.localhost`
    const user = { name: `Attacker ${n}`, email, role: 'Admin', password: admin.password, temporaryPassword: false }
    await request(tandem, 'POST', '/v1/api/users', token, user)
    const credentials = { emailOrAdminId: email, password: admin.password }
    const reply = (await request(tandem, 'POST', '/v1/api/auth/login', null, credentials)) as { accessToken: string }
    const made = await request(tandem, 'POST', '/v2/auth/api-keys', reply.accessToken, { name: `a${n}`, mode: 'test' })
    keys.push((made as { data: { secret: string } }).data.secret)
  }
  const service = (await request(tandem, 'POST', '/v2/messages/services', key, {
    name: 'Isolation',
    duplicateWindow: 3_600,
  })) as { data: { serviceId: string } }
  const { serviceId } = service.data
  await request(tandem, 'POST', '/v2/numbers', key, { number: '+15005550031', serviceId })
  return { address: `http://${tandem.host}:${tandem.port}`, keys, serviceId }
}

function startAttack(attack: Attack): { stop(): Promise<AttackReport> } {
  const worker = new Worker(new URL('./isolation_attack.ts', import.meta.url), { workerData: attack })
  const report = new Promise<AttackReport>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  return {
    async stop() {
      worker.postMessage('stop')
      const reported = await report
      await worker.terminate()
      return reported
    },
  }
}

/** Texts at an even pace, each sent at its time whatever became of those before it; and looks at /readyz beside them. */
async function measure(tandem: Tandem, key: string, seconds: number): Promise<Phase> {
  const phase: Phase = { texts: createHistogram(), ready: createHistogram(), refused: 0, measured: undefined }
  const usage = watchProcesses(tandem.groups)
  const address = `http://${tandem.host}:${tandem.port}`
  const under: Promise<void>[] = []
  const startedMs = performance.now()
  let isOver = false
  async function send(n: number, dueMs: number): Promise<void> {
    const answer = await fetch(`${address}/v2/messages/sms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: '+15005550006', to: '+15005550100', body: `Live ${n}` }),
    })
    await answer.arrayBuffer()
    if (answer.status === 200) record(phase.texts, (performance.now() - dueMs) * 1_000)
    else phase.refused++
  }
  async function look(): Promise<void> {
    while (!isOver) {
      const beganMs = performance.now()
      await (await fetch(`${address}/readyz`)).arrayBuffer()
      record(phase.ready, (performance.now() - beganMs) * 1_000)
      await sleep(readyEveryMs)
    }
  }
  const looking = look()
  for (let n = 0; n < seconds * livePerSecond; n++) {
    const dueMs = startedMs + (n * 1_000) / livePerSecond
    await sleep(Math.max(0, dueMs - performance.now()))
    under.push(send(n, dueMs))
  }
  await Promise.all(under)
  isOver = true
  await looking
  phase.measured = usage()
  return phase
}

function reportOf(rounds: { idle: Phase; busy: Phase; report: AttackReport }[], postgres: string | null): BenchReport {
  const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick))
  const idleUs = of(({ idle }) => p95(idle))
  const busyUs = of(({ busy }) => p95(busy))
  const readyUs = of(({ busy }) => percentile(busy.ready, 0.95))
  const readyMaxUs = of(({ busy }) => busy.ready.maxUs)
  const refused = rounds.reduce((sum, { busy }) => sum + busy.refused, 0)
  const ratio = busyUs / idleUs
  const rows = [
    ['live SMS p95, alone', formatMs(idleUs), ''],
    ['live SMS p95, beside the test tenant', formatMs(busyUs), ''],
    ['ratio', formatRatio(ratio), `< ${wantedRatio} ${ratio < wantedRatio ? 'reached' : 'MISSED'}`],
    [
      '/readyz p95 meanwhile',
      formatMs(readyUs),
      `< ${wantedReadyMs} ms ${readyUs < wantedReadyMs * 1_000 ? 'reached' : 'MISSED'}`,
    ],
    ['/readyz longest', formatMs(readyMaxUs), ''],
    ['live SMS refused', String(refused), '0'],
  ]
  const last = rounds.at(-1)?.report
  const did = last === undefined ? '' : `\n\n- the test tenant, in the last round: ${JSON.stringify(last)}`
  return {
    markdown: `${markdownTable(['what', 'median of rounds', 'wanted'], rows)}${did}`,
    postgres,
    figures: { idleUs, busyUs, ratio, readyUs, readyMaxUs, refused, reports: rounds.map(({ report }) => report) },
  }
}
