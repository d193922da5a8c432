/**
 * What a key stroke in the Explorer's search costs: the search of @tandem/catalog over a made-up catalog of 500 endpoints,
 * with words, typos, addresses and half-typed words.
 */
import { performance } from 'node:perf_hooks'
import type { SearchEntry } from '@tandem/catalog'
import { createSearch } from '@tandem/catalog'
import type { BenchContext, BenchReport } from './bench.ts'
import { markdownTable } from './measure.ts'

/** Milliseconds for one query, over all queries and rounds, and for building the index. */
export type SearchFigures = { queries: number; p50Ms: number; p95Ms: number; worstMs: number; buildMs: number }

const nouns = (
  'lead contact company deal activity task note invoice payment quote product price order shipment ticket comment file ' +
  'message template number service call recording conference room participant queue agent skill shift campaign audience ' +
  'segment form field view report dashboard metric alert webhook event key session user role team organization'
).split(' ')
const categories = ['CRM', 'Finance', 'Messaging', 'Voice', 'Video', 'Contact Center', 'Analytics', 'Developer']
const verbs: [verb: string, method: string, suffix: string][] = [
  ['Create a', 'POST', ''],
  ['List every', 'GET', ''],
  ['Get a', 'GET', '/{id}'],
  ['Change a', 'PATCH', '/{id}'],
  ['Delete a', 'DELETE', '/{id}'],
  ['Restore a', 'POST', '/{id}/restore'],
  ['Archive a', 'POST', '/{id}/archive'],
  ['List the history of a', 'GET', '/{id}/history'],
  ['Export every', 'GET', '/export'],
  ['Assign a', 'POST', '/{id}/assign'],
]

/** `count` endpoints (at most 500) of the shape a large catalog has. */
export function syntheticEntries(count: number): SearchEntry[] {
  const all = nouns.flatMap((noun, index) =>
    verbs.map(([verb, method, suffix]) => ({
      id: `${noun}s.${verb.toLowerCase().replaceAll(' ', '_')}`,
      name: `${verb} ${noun}`,
      path: `/${index % 2 === 0 ? 'v1/api' : 'v2'}/${noun}s${suffix}`,
      method,
      category: categories[index % categories.length] as string,
      version: index % 2 === 0 ? 'v1' : 'v2',
    })),
  )
  return all.slice(0, count)
}

const typed = [
  ...[
    'create lead',
    'new invoice',
    'send text',
    'list messages',
    'phone call',
    'archive ticket',
    'v2',
    'crm',
    'a',
    'l',
  ],
  ...['craete leed', 'asign agnet', 'invioce', 'recrding', 'dashbord', 'organisation', 'wehbook histroy', 'paymant'],
  ...['POST /v2/messages', '/v1/api/leads/42', 'GET /v2/calls', 'messages/{id}', 'https://x.example/v2/rooms?limit=5'],
  ...['how do i restore a deleted contact', 'list the history of a payment in v1', 'zzzzqqqq', 'export every report'],
  ...['in', 'inv', 'invo', 'invoi', 'invoice ', 'invoice h', 'invoice hist', 'm', 'me', 'mess', 'message templ'],
]

/** Times every query `rounds` times, each on its own; the first round warms up and does not count. */
export function measureSearch(entries: readonly SearchEntry[], rounds: number): SearchFigures {
  const startedMs = performance.now()
  const search = createSearch(entries)
  const buildMs = performance.now() - startedMs
  const times: number[] = []
  for (let round = 0; round <= rounds; round++) {
    for (const query of typed) {
      const beforeMs = performance.now()
      search(query)
      if (round > 0) times.push(performance.now() - beforeMs)
    }
  }
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] as number
  return { queries: times.length, p50Ms: at(0.5), p95Ms: at(0.95), worstMs: at(1), buildMs }
}

/** The search alone, without any server. */
export async function searchBench({ pace }: BenchContext): Promise<BenchReport> {
  const figures = measureSearch(syntheticEntries(500), pace.rounds * 10)
  const ms = (value: number) => `${value.toFixed(2)} ms`
  const rows = [
    ['one query, median', ms(figures.p50Ms), ''],
    ['one query, p95', ms(figures.p95Ms), '8 ms'],
    ['one query, worst', ms(figures.worstMs), ''],
    ['building the index', ms(figures.buildMs), ''],
  ]
  return { markdown: markdownTable(['what', 'measured', 'wanted below'], rows), postgres: null, figures }
}
