/**
 * How many webhooks a second leave, and what one costs: events are committed at once with the deliveries that the outbox makes
 * of them, then the sender empties the queue into a receiver on the same machine. Counted is what the receiver saw: each event
 * exactly once, one signature in 64 checked. One webhook is bound by its ten calls at once; ten show what the process bears.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { BenchContext, BenchReport } from './bench.ts'
import { formatCount, markdownTable, median, type ProcessGroup, watchProcesses } from './measure.ts'
import { connectOwner, createApiKey, postgresVersion, startTandem, type Tandem, tenantId } from './servers.ts'
import { type HttpSink, startHttpSink } from './sinks.ts'

const wantedPerSecond = 2_000
const eventsPerSecondOfBench = 4_000
const statement = 64

type Round = {
  webhooks: number
  events: number
  perSecond: number
  /** Microseconds of processor time for each delivery. */
  serverUs: number | null
  databaseUs: number | null
  sinkUs: number | null
  /** Microseconds the database took to write an event with its deliveries, and without any. */
  outboxUs: number
  plainUs: number
}

export async function webhooksBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const tandem = await startTandem({ settings: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8', ...settings } })
  try {
    const sink = await startHttpSink()
    try {
      return await measureAll({ pace, log, tandem, sink })
    } finally {
      await sink.stop()
    }
  } finally {
    await tandem.stop()
  }
}

type Measuring = Pick<BenchContext, 'pace' | 'log'> & { tandem: Tandem; sink: HttpSink }

async function measureAll({ pace, log, tandem, sink }: Measuring): Promise<BenchReport> {
  const owner = await connectOwner(tandem)
  try {
    const tenant = await tenantId(owner, 'live')
    const key = await createApiKey(tandem, 'live')
    const events = eventsPerSecondOfBench * pace.seconds
    const rounds: Round[] = []
    for (const webhooks of [1, 10]) {
      const ids = await createWebhooks(tandem, key, sink, webhooks)
      for (let round = 0; round <= pace.rounds; round++) {
        const measured = await measure({ tandem, sink, owner, tenant, webhooks, events })
        log(`${webhooks} webhook(s), round ${round}: ${formatCount(measured.perSecond)} deliveries/s`)
        // The first one warms up.
        if (round > 0) rounds.push(measured)
      }
      for (const id of ids) await call(tandem, key, 'DELETE', `/v2/webhooks/${id}`)
    }
    return report(rounds, await postgresVersion(owner))
  } finally {
    await owner.end()
  }
}

async function createWebhooks(tandem: Tandem, key: string, sink: HttpSink, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    // Each event goes to one of them, so that the number of deliveries is the same.
    const body = { url: `http://${sink.host}:${sink.port}/hooks/${n}`, eventTypes: [types[n] as string] }
    const { data } = await call(tandem, key, 'POST', '/v2/webhooks', body)
    await sink.useSecret(data.secret)
    ids.push(data.webhookId)
  }
  return ids
}

const types = [
  'delivered',
  'sent',
  'queued',
  'sending',
  'failed',
  'expired',
  'undelivered',
  'canceled',
  'scheduled',
  'received',
].map(status => `message.${status}`)

type Answer = { data: { webhookId: string; secret: string } }

async function call(tandem: Tandem, key: string, method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(`http://${tandem.host}:${tandem.port}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
  return JSON.parse(text) as Answer
}

type Subject = Pick<Measuring, 'tandem' | 'sink'> & {
  owner: pg.Client
  tenant: number
  webhooks: number
  events: number
}

async function measure({ tandem, sink, owner, tenant, webhooks, events }: Subject): Promise<Round> {
  await sink.reset()
  // Of a type that nobody hears of.
  const plainUs = await insertEvents(owner, tenant, ['lead.updated'], 64 * 64)
  const groups: Record<string, ProcessGroup> = { ...tandem.groups, sink: { root: sink.pid } }
  await owner.query('begin')
  const outboxUs = await insertEvents(owner, tenant, types.slice(0, webhooks), events)
  const watched = watchProcesses(groups)
  await owner.query('commit')
  const counts = await untilCounted(sink, events)
  const usage = watched()
  if (counts.distinct !== events || counts.total !== events)
    throw new Error(`of ${events} events ${counts.distinct} came, in ${counts.total} deliveries`)
  const { unsigned = 0, signed = 0 } = counts.others
  // The sink knows the secret of the last webhook only.
  if (webhooks === 1 && (unsigned > 0 || signed === 0)) throw new Error(`${unsigned} signatures do not fit`)
  const perDelivery = (group: string) => {
    const seconds = usage.groups[group]?.cpuSeconds ?? null
    return seconds === null ? null : (seconds / events) * 1e6
  }
  return {
    webhooks,
    events,
    perSecond: events / ((counts.lastUs - counts.firstUs) / 1e6),
    serverUs: perDelivery('server'),
    databaseUs: perDelivery('database'),
    sinkUs: perDelivery('sink'),
    outboxUs,
    plainUs,
  }
}

let made = 0

/** Writes events as messages do, 64 a statement; microseconds for each. */
async function insertEvents(owner: pg.Client, tenant: number, of: string[], count: number): Promise<number> {
  const startedMs = performance.now()
  for (let from = 0; from < count; from += statement) {
    await owner.query(
      `insert into events (tenant_id, id, type, resource_id, sequence, data)
       select $1, 'evt_' || substr(first_id_at('', clock_timestamp()), 2, 10) || lpad(($2::integer + n)::text, 16, '0'),
         ($3::text[])[1 + n % cardinality($3::text[])], 'msg_' || lpad(n::text, 26, '0'), 4,
         json_build_object('messageId', 'msg_' || lpad(n::text, 26, '0'), 'direction', 'outbound', 'from', '+15005550006',
           'to', '+15005550100', 'body', 'Your code is ' || lpad(($4::integer + n)::text, 8, '0'), 'status', 'delivered',
           'code', null, 'encoding', 'GSM-7', 'segments', 1, 'attempts', 1, 'carrier', 'simulator', 'tags', '[]'::json,
           'metadata', '{}'::json, 'createdAt', '2026-11-21T08:44:00.123Z', 'sentAt', '2026-11-21T08:44:00.223Z',
           'deliveredAt', '2026-11-21T08:44:00.323Z', 'finalAt', '2026-11-21T08:44:00.323Z', 'previousStatus', 'sent')
       from generate_series(0, least(${statement}, $5::integer - $4::integer) - 1) as n`,
      [tenant, made, of, from, count],
    )
    made += statement
  }
  return ((performance.now() - startedMs) / count) * 1000
}

async function untilCounted(sink: HttpSink, events: number) {
  const deadlineMs = performance.now() + 120_000
  for (;;) {
    const counts = await sink.counts()
    if (counts.distinct >= events || performance.now() > deadlineMs) return counts
    await sleep(50)
  }
}

function report(rounds: Round[], postgres: string): BenchReport {
  const us = (values: (number | null)[]) => `${median(values.map(value => value ?? Number.NaN)).toFixed(0)} µs`
  const rows = [1, 10].map(webhooks => {
    const own = rounds.filter(round => round.webhooks === webhooks)
    return [
      `${webhooks} webhook${webhooks === 1 ? '' : 's'}`,
      formatCount(median(own.map(round => round.perSecond))),
      formatCount(wantedPerSecond),
      us(own.map(round => round.serverUs)),
      us(own.map(round => round.databaseUs)),
      us(own.map(round => round.sinkUs)),
      us(own.map(round => round.outboxUs)),
      us(own.map(round => round.plainUs)),
    ]
  })
  const header = [
    'what',
    'deliveries/s',
    'wanted ≥',
    'server',
    'database',
    'receiver',
    'event, heard',
    'event, unheard',
  ]
  const notes = [
    'server, database, receiver: processor time for each delivery, from the commit of the events to the last receipt',
    'event: time in the database to write one, with the delivery that the outbox makes of it, and without',
    'durability: events are committed with fsync; what became of a delivery is committed without waiting for the disk, so ' +
      'that a power cut repeats it',
  ]
  const markdown = `${markdownTable(header, rows)}\n\n${notes.map(note => `- ${note}`).join('\n')}`
  return { markdown, postgres, figures: { rounds } }
}
