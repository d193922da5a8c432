/**
 * Kannel alone, as others may repeat it: accepting with a store on disk, and with a delivery report to an HTTP address
 * for each message. The benches `accept` and `delivery` hold Tandem against the same set-ups in turns.
 */
import type { BenchContext, BenchReport } from './bench.ts'
import { type Arrivals, arrivals, arrivalsTable, type Burst, burst, burstTable, type Gateway } from './gateway_runs.ts'
import { type Kannel, kannelMissing, kannelTemplate, startKannel } from './kannel_gateway.ts'
import { type HttpSink, type Sink, startHttpSink, startSmscSink } from './sinks.ts'

/** What is printed, in bold, where there is no Kannel; no bench fails for that. */
export function kannelSkipped(why: string): string {
  return `**SKIPPED: no figures of Kannel.** ${why}.`
}

export type KannelGateway = Gateway & { kannel: Kannel; stop(): Promise<void> }

/** Kannel with sinks of its own; with `reports`, its delivery reports go to an HTTP sink. */
export async function startKannelGateway({ reports }: { reports: boolean }): Promise<KannelGateway> {
  const sinks: Sink[] = []
  const keep = <S extends Sink>(sink: S): S => {
    sinks.push(sink)
    return sink
  }
  const stopSinks = async () => void (await Promise.all(sinks.map(sink => sink.stop())))
  try {
    const smsc = keep(await startSmscSink())
    const callbacks: HttpSink | undefined = reports ? keep(await startHttpSink()) : undefined
    const kannel = await startKannel({ smscPort: smsc.port, reports })
    return {
      name: `Kannel, store=file (no fsync)${reports ? ', reports' : ''}`,
      kannel,
      server: kannel,
      template: kannelTemplate(kannel, callbacks?.port),
      smsc,
      ...(callbacks === undefined ? {} : { callbacks }),
      async stop() {
        await kannel.stop()
        await stopSinks()
      },
    }
  } catch (error) {
    await stopSinks()
    throw error
  }
}

/** A second or two of load whose figures are thrown away. */
export async function warmUp(gateway: Gateway, { pace }: BenchContext): Promise<number> {
  if (pace.warmupSeconds === 0) return 0
  const { nextN } = await burst(gateway, { ...pace, seconds: pace.warmupSeconds }, 0)
  return nextN
}

export async function kannelBench(context: BenchContext): Promise<BenchReport> {
  const missing = kannelMissing({ reports: true })
  if (missing !== undefined) {
    context.log(kannelSkipped(missing))
    return { markdown: kannelSkipped(missing), postgres: null }
  }
  const bursts: Burst[] = []
  const open: Arrivals[] = []
  for (const reports of [false, true]) {
    const gateway = await startKannelGateway({ reports })
    try {
      let n = await warmUp(gateway, context)
      for (let round = 1; round <= context.pace.rounds; round++) {
        const { nextN, ...run } = await burst(gateway, context.pace, n)
        n = nextN
        bursts.push(run)
        context.log(`round ${round}, ${gateway.name}: ${run.checked}`)
      }
      const { nextN: _, ...run } = await arrivals(gateway, {
        perSecond: 1_000,
        seconds: context.pace.seconds,
        firstN: n,
      })
      open.push(run)
      context.log(`1,000/s, ${gateway.name}: ${run.checked}`)
    } finally {
      await gateway.stop()
    }
  }
  return { markdown: `${burstTable(bursts)}\n\n${arrivalsTable(open)}`, postgres: null, figures: { bursts, open } }
}
