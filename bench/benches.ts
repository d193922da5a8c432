/**
 * The benches themselves: what is loaded in which state, what must hold afterwards, and what is wanted of the
 * figures.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { auditBench } from './audit.ts'
import { batchesBench } from './batches.ts'
import type { Bench, BenchContext, BenchReport } from './bench.ts'
import { searchBench } from './catalog_search.ts'
import { benchSender, deliveryBench, startCarried } from './delivery.ts'
import { durabilityCheck } from './durability.ts'
import { idleBench } from './idle.ts'
import { importsBench } from './imports.ts'
import { isolationBench } from './isolation.ts'
import { ivrBench } from './ivr.ts'
import { type KannelGateway, kannelBench, kannelSkipped, startKannelGateway } from './kannel.ts'
import { kannelMissing } from './kannel_gateway.ts'
import { mailsBench } from './mails.ts'
import { formatCount, formatRatio } from './measure.ts'
import { nounsBench } from './nouns.ts'
import { oauthBench, signInsBench } from './oauth.ts'
import { organizationsBench } from './organizations.ts'
import { portalBench } from './portal.ts'
import type { RequestTemplate } from './request_template.ts'
import { restartBench } from './restart.ts'
import type { Run, Subject } from './rounds.ts'
import { ratioBetween, runRounds, summarizeRuns, summaryTable } from './rounds.ts'
import { rtpBench } from './rtp.ts'
import { seedInvoices } from './seed_invoices.ts'
import type { Tandem } from './servers.ts'
import { connectOwner, countRows, createApiKey, postgresVersion, startFloor, startTandem, tenantId } from './servers.ts'
import { sipBench } from './sip.ts'
import { sizingBench } from './sizing.ts'
import { smppBench } from './smpp.ts'
import { soakBench } from './soak.ts'
import { startBench } from './start.ts'
import { voiceBench } from './voice.ts'
import { volumeBench } from './volume.ts'
import { webhooksBench } from './webhooks.ts'

const post = (path: string, key: string, body: object): RequestTemplate => ({
  method: 'POST',
  path,
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify(body),
})

// German mobile numbers: the range has room for a hundred million that are all valid.
const smsTemplate = (key: string) =>
  post('/v2/messages/sms', key, { from: benchSender, to: '+49151{{n:8}}', body: 'Your code is {{n:8}}' })

const leadTemplate = (key: string) =>
  post('/v1/api/leads', key, {
    name: 'Bench Lead {{n}}',
    email: 'lead{{n}}@bench.example',
    phone: '+49151{{n:8}}',
    company: 'Bench Company {{n:3}}',
    priority: 'Hot',
  })

const invoicesTemplate = (key: string, page: number): RequestTemplate => ({
  method: 'GET',
  path: `/v1/api/finance/invoices?status=Paid&page=${page}&limit=20`,
  headers: { authorization: `Bearer ${key}` },
})

// As long as a real key: the floor has to read it too, though it ignores it.
const anyKey = `tdm_test_${'0'.repeat(38)}`

/** Runs `work` with servers that are stopped afterwards, whatever happens. */
async function withServers<T>(starts: Promise<{ stop(): Promise<void> }>[], work: () => Promise<T>): Promise<T> {
  try {
    await Promise.all(starts)
    return await work()
  } finally {
    const started = await Promise.allSettled(starts)
    await Promise.all(started.map(start => (start.status === 'fulfilled' ? start.value.stop() : undefined)))
  }
}

async function floorBench({ pace, log }: BenchContext): Promise<BenchReport> {
  const starting = startFloor()
  return withServers([starting], async () => {
    const server = await starting
    const subjects: Subject[] = [
      { name: 'floor: SMS accept', server, template: smsTemplate(anyKey) },
      { name: 'floor: lead create', server, template: leadTemplate(anyKey) },
      { name: 'floor: invoice page', server, template: invoicesTemplate(anyKey, 1) },
    ]
    return report(await runRounds(subjects, pace, log), null)
  })
}

function report(runs: Run[], postgres: string | null, notes: string[] = []): BenchReport {
  const summaries = summarizeRuns(runs)
  const checks = summaries.flatMap(({ subject, checks }) => checks.map(check => `${subject}: ${check}`))
  const list = [...notes, ...checks].map(line => `- ${line}`).join('\n')
  return {
    markdown: list === '' ? summaryTable(summaries) : `${summaryTable(summaries)}\n\n${list}`,
    postgres,
    summaries,
    runs,
  }
}

/** A line that holds a measured ratio against what is wanted of it. */
function verdict(what: string, measured: number, wanted: number): string {
  return `${what}: ${formatRatio(measured)} (wanted ≥ ${wanted}) ${measured >= wanted ? 'reached' : 'MISSED'}`
}

type WriteBench = {
  subject: string
  table: 'messages' | 'leads'
  template: (key: string) => RequestTemplate
  wanted: number
  /** Of messages: they are carried over SMPP meanwhile, and what is wanted where nobody carries them, and of Kannel's rate. */
  carried?: { wantedUncarried: number; wantedOverKannel: number }
}

/** Tandem with a key of its live mode: a test mode has smaller shares, and its pace. */
async function startLive(settings: Record<string, string>) {
  const tandem = await startTandem({ settings })
  try {
    return { tandem, key: await createApiKey(tandem, 'live'), stop: tandem.stop }
  } catch (error) {
    await tandem.stop()
    throw error
  }
}

async function startWritten(bench: WriteBench, settings: Record<string, string>, roles: 'api' | 'api,worker') {
  const { tandem, key, stop } = await (bench.carried ? startCarried(settings, roles) : startLive(settings))
  try {
    const owner = await connectOwner(tandem)
    const tenant = await tenantId(owner, 'live')
    const check = await durabilityCheck(bench.table, () => countRows(owner, bench.table, tenant))
    return { server: tandem, key, owner, check, stop: () => owner.end().then(stop) }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Floor, Tandem and perhaps Kannel in turns on what writes one message or lead for each acknowledged request. */
async function writeBench({ pace, settings, log }: BenchContext, bench: WriteBench): Promise<BenchReport> {
  const { subject, carried } = bench
  const missing = carried && kannelMissing()
  if (missing !== undefined) log(kannelSkipped(missing))
  const floorStart = startFloor()
  const tandemStart = startWritten(bench, settings, 'api,worker')
  const uncarriedStart = carried && startWritten(bench, settings, 'api')
  const kannelStart = carried && missing === undefined ? startKannelGateway({ reports: false }) : undefined
  const starts = [floorStart, tandemStart, uncarriedStart, kannelStart].filter(start => start !== undefined)
  return withServers(starts, async () => {
    const [tandem, uncarried, kannel] = [await tandemStart, await uncarriedStart, await kannelStart]
    const ofTandem = (name: string, { server, key, check }: typeof tandem): Subject => ({
      name: `Tandem: ${name}`,
      server,
      template: bench.template(key),
      check,
    })
    const subjects: Subject[] = [
      { name: `floor: ${subject}`, server: await floorStart, template: bench.template(tandem.key) },
      ofTandem(subject, tandem),
    ]
    const peer = kannel && kannelSubject(kannel)
    if (peer !== undefined) subjects.push(peer)
    const alone = uncarried && ofTandem(`${subject}, nobody carries`, uncarried)
    if (alone !== undefined) subjects.push(alone)
    const runs = await runRounds(subjects, pace, log)
    const notes = [verdict(`${subject} over the floor`, ratioBetween(runs, subjects[1]!, subjects[0]!), bench.wanted)]
    if (carried !== undefined && alone !== undefined)
      notes.push(
        verdict(
          `${subject} over the floor, nobody carries`,
          ratioBetween(runs, alone, subjects[0]!),
          carried.wantedUncarried,
        ),
      )
    if (missing !== undefined) notes.push(kannelSkipped(missing))
    if (carried !== undefined && peer !== undefined) {
      const ratio = ratioBetween(runs, subjects[1]!, peer)
      notes.push(verdict(`${subject} over Kannel (store=file, no fsync)`, ratio, carried.wantedOverKannel))
    }
    return report(runs, await postgresVersion(tandem.owner), notes)
  })
}

/** Kannel accepts while it hands over to a carrier, as Tandem does; the carrier must get every message. */
function kannelSubject({ name, server, template, smsc }: KannelGateway): Subject {
  return {
    name,
    server,
    template,
    async check({ succeeded, unknown }) {
      const deadlineMs = performance.now() + 60_000
      let carried = await smsc.counts()
      while (carried.distinct < succeeded && performance.now() < deadlineMs) {
        await sleep(100)
        carried = await smsc.counts()
      }
      await smsc.reset()
      const reported = `${formatCount(carried.distinct)} at the carrier for ${formatCount(succeeded)} answers 2xx`
      if (carried.distinct < succeeded || carried.total > succeeded + unknown) throw new Error(`Kannel: ${reported}`)
      return reported
    },
  }
}

/**
 * Two servers, one tenant with ten thousand invoices and one with a million, so that their pages can be read in
 * turns.
 */
async function invoicesBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const floorStart = startFloor()
  const smallStart = startTandem({ settings })
  const largeStart = startTandem({ settings })
  return withServers([floorStart, smallStart, largeStart], async () => {
    const floor = await floorStart
    const small = await withInvoices(await smallStart, 10_000, log)
    const large = await withInvoices(await largeStart, 1_000_000, log)
    const subjects: Subject[] = [
      { name: 'floor: invoice page', server: floor, template: invoicesTemplate(anyKey, 1) },
      { name: '10 thousand, page 1', server: small.tandem, template: invoicesTemplate(small.key, 1) },
      { name: '1 million, page 1', server: large.tandem, template: invoicesTemplate(large.key, 1) },
      {
        name: '10 thousand, page 2,000 (past the end)',
        server: small.tandem,
        template: invoicesTemplate(small.key, 2000),
      },
      { name: '1 million, page 2,000', server: large.tandem, template: invoicesTemplate(large.key, 2000) },
    ]
    const runs = await runRounds(subjects, pace, log)
    const summaries = summarizeRuns(runs)
    const rate = (i: number) => summaries[i]!.requestsPerSecond
    const notes = [
      verdict('page 1 at a million over page 1 at ten thousand', ratioBetween(runs, subjects[2]!, subjects[1]!), 0.8),
      verdict(
        'page 2,000 at a million over page 1 at ten thousand',
        ratioBetween(runs, subjects[4]!, subjects[1]!),
        0.8,
      ),
      ...[2, 4].map(i => `${summaries[i]!.subject}: ${formatCount(rate(i))} a second (wanted ≥ 5,000)`),
    ]
    return report(runs, large.postgres, notes)
  })
}

async function withInvoices(tandem: Tandem, n: number, log: (line: string) => void) {
  const owner = await connectOwner(tandem)
  try {
    const startedMs = performance.now()
    await seedInvoices(owner, await tenantId(owner, 'live'), n)
    log(`seeded ${formatCount(n)} invoices in ${((performance.now() - startedMs) / 1000).toFixed(1)} s`)
    return { tandem, key: await createApiKey(tandem, 'live'), postgres: await postgresVersion(owner) }
  } finally {
    await owner.end()
  }
}

const sms: WriteBench = {
  subject: 'SMS accept',
  table: 'messages',
  template: smsTemplate,
  wanted: 0.35,
  carried: { wantedUncarried: 0.5, wantedOverKannel: 1 },
}
const leads: WriteBench = { subject: 'lead create', table: 'leads', template: leadTemplate, wanted: 0.3 }

/** All benches, in the order in which they run. */
export const benches: Bench[] = [
  { name: 'floor', description: 'the bare Fastify server alone, all three routes', run: floorBench },
  {
    name: 'idle',
    description: 'The processor time of a server that nobody asks for anything, and of its database',
    run: idleBench,
  },
  {
    name: 'start',
    description: 'first and later start until API, address and portal are there; idle memory of everything',
    run: startBench,
  },
  {
    name: 'sizing',
    description: 'memory, processors and connections by size of organization: people at work over few and many records',
    run: sizingBench,
  },
  {
    name: 'accept',
    description: 'POST /v2/messages/sms against the floor and Kannel, rows counted',
    run: context => writeBench(context, sms),
  },
  {
    name: 'batches',
    description: 'POST /v2/messages/sms/batch with a thousand texts each, rows counted',
    run: batchesBench,
  },
  {
    name: 'leads',
    description: 'POST /v1/api/leads against the floor, rows counted',
    run: context => writeBench(context, leads),
  },
  {
    name: 'invoices',
    description: 'GET /v1/api/finance/invoices, page 1 and 2,000, at 10 thousand and 1 million',
    run: invoicesBench,
  },
  {
    name: 'nouns',
    description:
      'lists of a derived noun against those of leads, at 10 thousand and 1 million; search, creation, a thousand at once',
    run: nounsBench,
  },
  {
    name: 'imports',
    description: 'a hundred thousand contacts from a CSV file, with duplicates looked up, and back into one',
    run: importsBench,
  },
  {
    name: 'webhooks',
    description: 'events to webhooks, to a receiver on the same machine, and what each delivery costs',
    run: webhooksBench,
  },
  {
    name: 'restart',
    description: 'a start with a million messages waiting: until ready, until the first submit, memory while they go',
    run: restartBench,
  },
  {
    name: 'isolation',
    description: 'live SMS and /readyz while the test tenant does its worst: batches, streams, keys, leads',
    run: isolationBench,
  },
  {
    name: 'kannel',
    description: 'Kannel as a peer: accepting with a store on disk, and with a delivery report for each message',
    run: kannelBench,
  },
  {
    name: 'delivery',
    description: 'POST /v2/messages/sms to the signed webhook, over an SMPP carrier, in turns with Kannel',
    run: deliveryBench,
  },
  {
    name: 'volume',
    description: 'what a year of messages costs: bursts, reads and a purge at 1 and 10 million (BENCH_MILLIONS=1,50)',
    run: volumeBench,
  },
  { name: 'smpp', description: 'an SMPP link and its codec, against the npm package smpp', run: smppBench },
  { name: 'voice', description: 'calls by a trunk: from request to INVITE, and how many a second', run: voiceBench },
  {
    name: 'ivr',
    description: '200 calls at once in a menu: say, gather, dial and bridge; memory for each',
    run: ivrBench,
  },
  { name: 'rtp', description: 'G.711 streams both ways, paced by one clock, and what a packet costs', run: rtpBench },
  { name: 'sip', description: "calls between two processes over UDP, in turns with sipp's uas", run: sipBench },
  { name: 'audit', description: 'what an entry of the audit log costs the change it reports', run: auditBench },
  {
    name: 'oauth',
    description: 'a request with an OAuth token beside one with a key, and tokens a second',
    run: oauthBench,
  },
  { name: 'sign_ins', description: 'accepting texts beside sign-ins with argon2', run: signInsBench },
  {
    name: 'organizations',
    description: 'the same requests where there are ten organizations and where there are a thousand',
    run: organizationsBench,
  },
  { name: 'mails', description: 'mails to a sink on the same machine', run: mailsBench },
  {
    name: 'soak',
    description: 'texts, calls and people at work beside each other; half an hour as `npm run soak`',
    run: soakBench,
  },
  { name: 'search', description: "the Explorer's search over a catalog of 500 endpoints", run: searchBench },
  {
    name: 'portal',
    description: 'the portal in Chromium: cold start, changes of screens, search, big answers, at 1× and 4× processor',
    run: portalBench,
  },
]
