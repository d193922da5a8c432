/**
 * What an entry of the audit log costs the change it reports: the same change of the organization with and without one, one request
 * after the other and in turns, in one process. Creating leads writes no entry.
 */
import { performance } from 'node:perf_hooks'
import { catalog } from '../server/src/catalog.ts'
import { startTestApp } from '../server/test/harness.ts'
import type { BenchContext, BenchReport } from './bench.ts'
import { markdownTable } from './measure.ts'

const requestsARound = 200
const audited = catalog.find(({ id }) => id === 'organization.update')!
const { audit: _, ...plain } = audited

export async function auditBench({ pace, log }: BenchContext): Promise<BenchReport> {
  const withEntry = await startTestApp()
  const without = await startTestApp({ endpoints: [plain] })
  try {
    const times = { with: [] as number[], without: [] as number[] }
    for (let round = 0; round <= pace.rounds; round++)
      for (const [name, { call, main }] of [
        ['without', without],
        ['with', withEntry],
      ] as const) {
        const ms: number[] = []
        for (let n = 0; n < requestsARound; n++) {
          const body = { currency: n % 2 === 0 ? 'EUR' : 'CHF' }
          const startedMs = performance.now()
          const { status } = await call('PATCH', '/v2/organization', { as: main.tokens.Admin, body })
          ms.push(performance.now() - startedMs)
          if (status !== 200) throw new Error(`a change was answered ${status}`)
        }
        if (round > 0) times[name].push(median(ms))
        log(`round ${round}, ${name} an entry: ${median(ms).toFixed(2)} ms`)
      }
    const [plainMs, auditedMs] = [median(times.without), median(times.with)]
    const rows = [
      ['a change of the organization without an entry', `${plainMs.toFixed(2)} ms`],
      ['the same with one', `${auditedMs.toFixed(2)} ms`],
      ['with over without', `${(auditedMs / plainMs).toFixed(2)}`],
    ]
    return { markdown: markdownTable(['', 'median'], rows), postgres: null, figures: { plainMs, auditedMs } }
  } finally {
    await Promise.all([withEntry.close(), without.close()])
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
