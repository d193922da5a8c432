/**
 * The whole way of a message through Tandem, in turns with Kannel: POST /v2/messages/sms, durable, submit_sm to a carrier,
 * its receipt, and a signed webhook for message.delivered at an HTTP sink. The server runs as `npm start` does (fsync on,
 * request log, events), with limits raised; once as one process and once as an API and a worker.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { BenchContext, BenchReport } from './bench.ts'
import {
  type Arrivals,
  anyArrivals,
  arrivalsTable,
  type Burst,
  burst,
  burstTable,
  type Gateway,
} from './gateway_runs.ts'
import { kannelSkipped, startKannelGateway, warmUp } from './kannel.ts'
import { kannelMissing } from './kannel_gateway.ts'
import { formatCount, formatMs, formatRatio, median } from './measure.ts'
import {
  connectOwner,
  createApiKey,
  databaseUrl,
  postgresVersion,
  type RunningServer,
  request,
  startTandem,
  type Tandem,
  tenantId,
} from './servers.ts'
import { startHttpSink, startSmscSink } from './sinks.ts'
import { type Written, watchWritten, writtenTable } from './written.ts'

const perSecond = 1_000
const wantedPerSecond = 5_000
const wantedP99Us = 100_000

/** Our own number; recipients are German mobile numbers, of which there are a hundred million. */
export const benchSender = '+493012345678'

/** Sets up a carrier that speaks to a sink, and a number to send from; resolves when its link is up. */
export async function connectCarrier(tandem: Tandem, key: string, smscPort: number): Promise<string> {
  const { data } = (await request(tandem, 'POST', '/v2/carriers', key, {
    kind: 'smpp',
    name: 'Sink',
    settings: {
      host: '127.0.0.1',
      port: smscPort,
      systemId: 'bench',
      password: 'bench',
      windowSize: 50,
      segmentsPerSecond: 10_000,
    },
  })) as { data: { carrierId: string } }
  await request(tandem, 'POST', '/v2/numbers', key, { number: benchSender })
  return data.carrierId
}

export async function untilUp(tandem: Tandem, key: string, carrierId: string): Promise<void> {
  const deadlineMs = performance.now() + 30_000
  for (;;) {
    const { data } = (await request(tandem, 'GET', `/v2/carriers/${carrierId}`, key)) as { data: { state: string } }
    if (data.state === 'up') return
    if (performance.now() > deadlineMs) throw new Error(`the carrier is ${data.state} after 30 s, not up`)
    await sleep(100)
  }
}

/** Tandem with a key of its live mode that has all rights, and whose carrier is an SMPP sink of its own; with the role `api` alone nobody carries. */
export async function startCarried(settings: Record<string, string>, roles: 'api' | 'api,worker') {
  const smsc = await startSmscSink()
  const stops = [smsc.stop]
  const stop = async () => {
    for (const step of stops.toReversed()) await step()
  }
  try {
    const own = { TANDEM_EGRESS_ALLOW: '127.0.0.1', TANDEM_ROLES: roles }
    const tandem = await startTandem({ settings: { ...settings, ...own } })
    stops.push(tandem.stop)
    const key = await createApiKey(tandem, 'live')
    const carrierId = await connectCarrier(tandem, key, smsc.port)
    if (roles !== 'api') await untilUp(tandem, key, carrierId)
    return { tandem, key, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

export type TandemGateway = Gateway & { key: string; owner: pg.Client; stop(): Promise<void> }

/** Tandem with sinks of its own. @param processes 2: an API and a worker, which share the database of the first */
export async function startTandemGateway(processes: 1 | 2, settings: Record<string, string>): Promise<TandemGateway> {
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const step of stops.toReversed()) await step()
  }
  try {
    const smsc = await startSmscSink()
    stops.push(smsc.stop)
    const callbacks = await startHttpSink()
    stops.push(callbacks.stop)
    // Both processes open the same secrets.
    const all = { TANDEM_EGRESS_ALLOW: '127.0.0.1', TANDEM_ROOT_KEY: randomBytes(32).toString('base64'), ...settings }
    const tandem = await startTandem({ settings: processes === 1 ? all : { ...all, TANDEM_ROLES: 'api' } })
    stops.push(tandem.stop)
    const owner = await connectOwner(tandem)
    stops.push(() => owner.end())
    const server: RunningServer = { ...tandem }
    if (processes === 2) {
      const shared = { ...all, TANDEM_ROLES: 'worker', DATABASE_URL: databaseUrl(tandem) }
      const worker = await startTandem({ settings: shared })
      stops.push(worker.stop)
      server.groups = { ...tandem.groups, worker: worker.groups['server']! }
    }
    const key = await createApiKey(tandem, 'live')
    const { data } = (await request(tandem, 'POST', '/v2/webhooks', key, {
      url: `http://127.0.0.1:${callbacks.port}/hooks`,
      eventTypes: ['message.delivered'],
    })) as { data: { secret: string } }
    await callbacks.useSecret(data.secret)
    await untilUp(tandem, key, await connectCarrier(tandem, key, smsc.port))
    return {
      name: processes === 1 ? 'Tandem, one process' : 'Tandem, API and worker',
      server,
      template: {
        method: 'POST',
        path: '/v2/messages/sms',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify({ from: benchSender, to: '+49151{{n:8}}', body: 'Your code is {{n:8}}' }),
      },
      smsc,
      callbacks,
      key,
      owner,
      check: await deliveredCheck(owner, await tenantId(owner, 'live')),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Every accepted message is a row that is delivered, and nothing else is there since the gateway began. */
async function deliveredCheck(owner: pg.Client, tenant: number): Promise<(accepted: number) => Promise<string>> {
  // What a bench fills in is of the past, and not to be read each time.
  const { rows: began } = await owner.query<{ id: string }>(
    "select first_id_at('msg', clock_timestamp() - interval '1 minute') as id",
  )
  const count = async () => {
    const { rows } = await owner.query<{ all: string; delivered: string }>(
      `select count(*) as all, count(*) filter (where status = 'delivered') as delivered from messages
       where tenant_id = $1 and id >= $2`,
      [tenant, began[0]!.id],
    )
    return { all: Number(rows[0]!.all), delivered: Number(rows[0]!.delivered) }
  }
  let before = await count()
  return async accepted => {
    const after = await count()
    const delivered = after.delivered - before.delivered
    const all = after.all - before.all
    before = after
    const reported = `${formatCount(delivered)} rows delivered`
    if (delivered !== accepted || all !== accepted) throw new Error(`${reported} of ${all} for ${accepted} accepted`)
    return reported
  }
}

export async function deliveryBench(context: BenchContext): Promise<BenchReport> {
  const { pace, settings, log } = context
  const bursts: Burst[] = []
  const open: Arrivals[] = []
  const written: (Written & { gateway: string })[] = []
  const missing = kannelMissing({ reports: true })
  if (missing !== undefined) log(kannelSkipped(missing))
  const stops: (() => Promise<unknown>)[] = []
  let postgres: string | null = null
  try {
    const gateways: Gateway[] = []
    const add = <G extends Gateway & { stop(): Promise<void> }>(gateway: G) => {
      stops.push(gateway.stop)
      gateways.push(gateway)
      return gateway
    }
    if (missing === undefined) add(await startKannelGateway({ reports: true }))
    postgres = await postgresVersion(add(await startTandemGateway(1, settings)).owner)
    add(await startTandemGateway(2, settings))
    const next = new Map<Gateway, number>()
    for (const gateway of gateways) next.set(gateway, await warmUp(gateway, context))
    for (let round = 1; round <= pace.rounds; round++) {
      for (const gateway of gateways) {
        const counted = gateway.owner && (await watchWritten(gateway.owner))
        const { nextN, ...run } = await burst(gateway, pace, next.get(gateway)!)
        if (counted !== undefined) written.push({ gateway: gateway.name, ...(await counted(run.accepted)) })
        next.set(gateway, nextN)
        bursts.push(run)
        log(`round ${round}, ${gateway.name}: ${formatCount(run.endToEndPerSecond)}/s; ${run.checked}`)
      }
    }
    for (const gateway of gateways) {
      // What is more than it bears would only show how long its queue is.
      const rates = gateway.name.startsWith('Tandem') ? [perSecond, wantedPerSecond] : [perSecond]
      for (const rate of rates) {
        const order = { perSecond: rate, seconds: Math.max(10, pace.seconds), firstN: next.get(gateway)! }
        // What is more than it bears, it refuses; on a slow machine that may be some of either.
        const { nextN, ...run } = await anyArrivals(gateway, order)
        next.set(gateway, nextN)
        open.push(run)
        const refused = run.unexpected === 0 ? '' : `${formatCount(run.unexpected)} refused; `
        log(
          `${formatCount(rate)}/s, ${gateway.name}: submit p99 ${formatMs(run.submit.p99)} ms; ${refused}${run.checked}`,
        )
      }
    }
  } finally {
    for (const stop of stops) await stop()
  }
  const notes = [...(missing === undefined ? [] : [kannelSkipped(missing)]), ...verdicts(bursts, open)]
  const list = notes.map(line => `- ${line}`).join('\n')
  const tables = [burstTable(bursts), writtenTable(written), arrivalsTable(open)].join('\n\n')
  return { markdown: `${tables}\n\n${list}`, postgres, figures: { bursts, open, written } }
}

function verdicts(bursts: readonly Burst[], open: readonly Arrivals[]): string[] {
  const rate = (start: string) =>
    median(bursts.filter(run => run.gateway.startsWith(start)).map(run => run.endToEndPerSecond))
  const word = (reached: boolean) => (reached ? 'reached' : 'MISSED')
  const names = [...new Set(bursts.map(run => run.gateway))].filter(name => name.startsWith('Tandem'))
  return names.flatMap(name => {
    const own = rate(name)
    const waits = open.filter(run => run.gateway === name && run.perSecond === perSecond).map(run => run.submit.p99)
    const p99 = median(waits)
    return [
      `${name}, end to end: ${formatCount(own)} a second (wanted ≥ ${formatCount(wantedPerSecond)}) ${word(own >= wantedPerSecond)}`,
      `${name} over Kannel with reports: ${formatRatio(own / rate('Kannel'))}`,
      `${name}, accept to submit at ${formatCount(perSecond)}/s: p99 ${formatMs(p99)} ms (wanted ≤ ${formatMs(wantedP99Us)}) ${word(p99 <= wantedP99Us)}`,
    ]
  })
}
