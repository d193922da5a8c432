/** How fast mails leave: so many are accepted at once, then timed until a sink on the same machine has the last of them. */
import { performance } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp } from '../server/test/harness.ts'
import { startSink } from '../server/test/smtp_sink.ts'
import type { BenchContext, BenchReport } from './bench.ts'
import { markdownTable, median } from './measure.ts'

const mailsARound = 300

export async function mailsBench({ pace, log }: BenchContext): Promise<BenchReport> {
  const sink = await startSink()
  const env = { TANDEM_SMTP_URL: sink.url, TANDEM_MAIL_PER_MINUTE: '1000000', TANDEM_MAIL_PER_DAY: '1000000' }
  const t = await startTestApp({ env, work: true })
  try {
    const [accepted, left]: [number[], number[]] = [[], []]
    for (let round = 0; round <= pace.rounds; round++) {
      const before = sink.mails.length
      const startedMs = performance.now()
      for (let n = 0; n < mailsARound; n++) {
        const body = { to: [{ address: `p${n}@example.com` }], subject: `Mail ${n}`, text: 'A few words.' }
        const { status, text } = await t.call('POST', '/v2/mails', { as: t.main.tokens.Admin, body })
        if (status >= 300) throw new Error(`a mail was answered ${status}: ${text}`)
      }
      const acceptedMs = performance.now() - startedMs
      while (sink.mails.length - before < mailsARound) await sleep(5)
      const sentMs = performance.now() - startedMs
      log(`round ${round}: ${rate(acceptedMs)} accepted a second, ${rate(sentMs)} sent a second`)
      if (round === 0) continue
      accepted.push(rate(acceptedMs))
      left.push(rate(sentMs))
    }
    const rows = [
      ['accepted one after the other, while others leave', `${median(accepted)}/s`],
      ['at the sink, from the first request to the last mail', `${median(left)}/s`],
    ]
    return { markdown: markdownTable(['', 'median of rounds'], rows), postgres: null, figures: { accepted, left } }
  } finally {
    await t.close()
    await sink.close()
  }
}

const rate = (ms: number) => Math.round((mailsARound / ms) * 1_000)
