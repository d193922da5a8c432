/**
 * Batches of a thousand texts of a live mode, whose carrier is the SMPP sink, where nobody carries them and where they are carried meanwhile. A
 * test mode has one batch at once, so that it would show how long one takes.
 */
import type { BenchContext, BenchReport } from './bench.ts'
import { benchSender, startCarried } from './delivery.ts'
import { durabilityCheck } from './durability.ts'
import { formatCount } from './measure.ts'
import type { RequestTemplate } from './request_template.ts'
import { runRounds, type Subject, summarizeRuns, summaryTable } from './rounds.ts'
import { connectOwner, countRows, postgresVersion, tenantId } from './servers.ts'

const textsInBatch = 1_000
const wantedPerSecond = 25_000
/** As many as a server takes in at once. */
const connections = 2

const batchTemplate = (key: string): RequestTemplate => ({
  method: 'POST',
  path: '/v2/messages/sms/batch',
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify({
    messages: Array.from({ length: textsInBatch }, (_, n) => ({
      from: benchSender,
      // German mobile numbers: a range of a hundred million that are all valid.
      to: `+49151{{n:5}}${String(n).padStart(3, '0')}`,
      body: `Your code is {{n:5}}${n}`,
    })),
  }),
})

export async function batchesBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const stops: (() => Promise<unknown>)[] = []
  try {
    const subjects: Subject[] = []
    let postgres: string | null = null
    for (const [name, roles] of [
      ['nobody carries', 'api'],
      ['carried meanwhile', 'api,worker'],
    ] as const) {
      const { tandem, key, stop } = await startCarried(settings, roles)
      stops.push(stop)
      const owner = await connectOwner(tandem)
      stops.push(() => owner.end())
      postgres = await postgresVersion(owner)
      const tenant = await tenantId(owner, 'live')
      const countBatches = async () => (await countRows(owner, 'messages', tenant)) / textsInBatch
      const check = await durabilityCheck('batches of messages', countBatches)
      const template = batchTemplate(key)
      subjects.push({ name: `batch of ${formatCount(textsInBatch)}, ${name}`, server: tandem, template, check })
    }
    const runs = await runRounds(subjects, { ...pace, connections }, log)
    const summaries = summarizeRuns(runs)
    const notes = summaries.map(({ subject, requestsPerSecond }) => {
      const texts = requestsPerSecond * textsInBatch
      const verdict = texts >= wantedPerSecond ? 'reached' : 'MISSED'
      return `- ${subject}: ${formatCount(texts)} texts a second (wanted ≥ ${formatCount(wantedPerSecond)}) ${verdict}`
    })
    return { markdown: `${summaryTable(summaries)}\n\n${notes.join('\n')}`, postgres, summaries, runs }
  } finally {
    for (const stop of stops.toReversed()) await stop()
  }
}
