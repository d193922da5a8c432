/**
 * What a noun costs: lists of companies and of leads in the same rounds, at ten thousand and at a million records with a thousand other
 * tenants present; search, facets, creation (of leads in groups) and changes of a thousand at once.
 */
import type { BenchContext, BenchReport } from './bench.ts'
import { formatCount, formatMs, formatRatio, median } from './measure.ts'
import { searchTable } from './noun_searches.ts'
import type { RequestTemplate } from './request_template.ts'
import { ratioBetween, runRounds, type Subject, summarizeRuns, summaryTable } from './rounds.ts'
import { seedNeighbours, seedNouns } from './seed_nouns.ts'
import { connectOwner, createApiKey, postgresVersion, request, startTandem, type Tandem, tenantId } from './servers.ts'

const few = 10_000
const many = 1_000_000
const neighbours = 1_000
/** Searches of each kind. */
const searches = 100

type Filled = { tandem: Tandem; key: string; postgres: string }

async function filled(settings: Record<string, string>, n: number, log: (line: string) => void): Promise<Filled> {
  const tandem = await startTandem({ settings })
  const owner = await connectOwner(tandem)
  try {
    const startedMs = performance.now()
    await seedNeighbours(owner, neighbours)
    await seedNouns(owner, await tenantId(owner, 'live'), n)
    log(`seeded ${formatCount(n)} leads and companies in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`)
    return { tandem, key: await createApiKey(tandem, 'live'), postgres: await postgresVersion(owner) }
  } finally {
    await owner.end()
  }
}

const get = (key: string, path: string): RequestTemplate => ({
  method: 'GET',
  path: `/v1/api/${path}`,
  headers: { authorization: `Bearer ${key}` },
})

const post = (key: string, path: string, body: object): RequestTemplate => ({
  method: 'POST',
  path: `/v1/api/${path}`,
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify(body),
})

const company = { name: 'Bench Company {{n}}', domain: 'b{{n}}.example', industry: 'Retail' }
const lead = { name: 'Bench Lead {{n}}', email: 'lead{{n}}@b.example', company: 'Bench' }

export async function nounsBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const starting = [filled(settings, few, log), filled(settings, many, log)] as const
  try {
    const [small, large] = await Promise.all(starting)
    const subject = (name: string, { tandem, key }: Filled, path: string): Subject => ({
      name,
      server: tandem,
      template: get(key, path),
    })
    const subjects: Subject[] = [
      subject('leads, 10 thousand', small, 'leads'),
      subject('companies, 10 thousand', small, 'companies'),
      subject('leads, 1 million', large, 'leads'),
      subject('companies, 1 million', large, 'companies'),
      subject('companies, 1 million, a facet', large, 'companies?industry=Retail'),
      subject('companies, 1 million, by name', large, 'companies?sort=name'),
      subject('companies, 1 million, two words', large, 'companies?q=mimann%20tefeld'),
      subject('companies, 1 million, a typo', large, 'companies?q=mimnann%20tefeld'),
      { name: 'company create', server: small.tandem, template: post(small.key, 'companies', company) },
      { name: 'lead create', server: small.tandem, template: post(small.key, 'leads', lead) },
    ]
    const runs = await runRounds(subjects, pace, log)
    const summaries = summarizeRuns(runs)
    const ratio = (over: number, under: number) => ratioBetween(runs, subjects[over]!, subjects[under]!)
    const bulk = await bulkMs(small)
    const found = await searchTable(large.tandem, large.key, searches)
    const notes = [
      `leads at 1 million over 10 thousand: ${formatRatio(ratio(2, 0))} (wanted ≥ 0.8)`,
      `companies at 1 million over 10 thousand: ${formatRatio(ratio(3, 1))} (wanted ≥ 0.8)`,
      `a thousand records changed at once: ${formatMs(bulk * 1_000)} ms (median of nine; wanted ≤ 500 ms)`,
    ]
    const markdown = `${summaryTable(summaries)}\n\n${notes.map(note => `- ${note}`).join('\n')}\n\n${found}`
    return { markdown, postgres: large.postgres, summaries, runs }
  } finally {
    const started = await Promise.allSettled(starting)
    for (const one of started) if (one.status === 'fulfilled') await one.value.tandem.stop()
  }
}

/** Milliseconds of a request that changes a thousand companies. */
async function bulkMs({ tandem, key }: Filled): Promise<number> {
  const ids: string[] = []
  for (let page = 1; page <= 5; page++) {
    const listed = await request(tandem, 'GET', `/v1/api/companies?limit=200&fields=name&page=${page}`, key)
    ids.push(...(listed as { companies: { id: string }[] }).companies.map(({ id }) => id))
  }
  const times: number[] = []
  for (const industry of ['Retail', 'Public', 'Services', 'Other', 'Retail', 'Public', 'Services', 'Other', 'Retail']) {
    const startedMs = performance.now()
    await request(tandem, 'POST', '/v1/api/companies/bulk', key, { ids, set: { industry } })
    times.push(performance.now() - startedMs)
  }
  return median(times)
}
