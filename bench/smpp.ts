/**
 * What an SMPP link costs: submits with a window of 50 over one bind, @tandem/smpp and the npm package `smpp` in turns, each
 * side in a process of its own; and their codecs alone, in this process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createPduReader, encodePdu } from '@tandem/smpp'
import type { BenchContext, BenchReport } from './bench.ts'
import { formatCount, formatRatio, markdownTable, median, rateOf } from './measure.ts'
import type { ChildOrder, SideFigures } from './smpp_child.ts'

type Stack = 'ours' | 'npm'

/** Submits a second, and for each processor second of either side. */
type Round = { stack: Stack; perSecond: number; perServerCpu: number; perClientCpu: number }

const wantedRatio = 5
const sleep = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

export async function smppBench({ pace, log }: BenchContext): Promise<BenchReport> {
  const rounds: Round[] = []
  const codecs = { ours: [] as number[], npm: [] as number[] }
  for (let round = 1; round <= pace.rounds; round++) {
    codecs.npm.push(npmCodecRate(pace.seconds / 4))
    codecs.ours.push(ourCodecRate(pace.seconds / 4))
    for (const stack of ['npm', 'ours'] as const) {
      const result = await runLink(stack, pace)
      rounds.push(result)
      const { perSecond, perServerCpu, perClientCpu } = result
      const perCpu = `per CPU-second: server ${formatCount(perServerCpu)}, client ${formatCount(perClientCpu)}`
      log(`round ${round}, ${stack}: ${formatCount(perSecond)} submits/s; ${perCpu}`)
    }
  }
  return report(rounds, codecs)
}

function report(rounds: Round[], codecs: Record<Stack, number[]>): BenchReport {
  const ofStack = (stack: Stack, figure: (round: Round) => number) =>
    rounds.filter(round => round.stack === stack).map(figure)
  const row = (what: string, npm: number[], ours: number[]) => {
    const ratio = median(ours.map((value, i) => value / npm[i]!))
    const verdict = ratio >= wantedRatio ? 'reached' : 'MISSED'
    return [what, formatCount(median(npm)), formatCount(median(ours)), `${formatRatio(ratio)} ${verdict}`]
  }
  const both = (what: string, figure: (round: Round) => number) =>
    row(what, ofStack('npm', figure), ofStack('ours', figure))
  const rows = [
    both('submits per CPU-second, server', round => round.perServerCpu),
    both('submits per CPU-second, client', round => round.perClientCpu),
    both('submits per second', round => round.perSecond),
    row('codec alone: submit_sm written and read per second', codecs.npm, codecs.ours),
  ]
  const head = ['what', 'npm smpp 0.5.1', '@tandem/smpp', `ratio (wanted ≥ ${wantedRatio})`]
  return { markdown: markdownTable(head, rows), postgres: null, figures: { rounds, codecs } }
}

async function runLink(stack: Stack, pace: BenchContext['pace']): Promise<Round> {
  const server = start('server', stack)
  const client = start('client', stack)
  try {
    const [[port]] = await Promise.all([once(server, 'message'), once(client, 'message')])
    const sending = once(client, 'message')
    order(client, { port })
    await sending
    await sleep(pace.warmupSeconds)
    for (const child of [server, client]) order(child, 'mark')
    await sleep(pace.seconds)
    const reported = [server, client].map(async child => {
      const answer = once(child, 'message')
      order(child, 'report')
      return (await answer)[0] as SideFigures
    })
    const [atServer, atClient] = (await Promise.all(reported)) as [SideFigures, SideFigures]
    return {
      stack,
      perSecond: atServer.submits / (atServer.wallMs / 1000),
      perServerCpu: atServer.submits / (atServer.cpuUs / 1e6),
      perClientCpu: atClient.submits / (atClient.cpuUs / 1e6),
    }
  } finally {
    client.kill('SIGKILL')
    server.kill('SIGKILL')
  }
}

function start(side: 'server' | 'client', stack: Stack): ChildProcess {
  const file = fileURLToPath(new URL('./smpp_child.ts', import.meta.url))
  return fork(file, [side, stack], { execArgv: ['--conditions=source'] })
}

function order(child: ChildProcess, what: ChildOrder): void {
  child.send(what)
}

const text = 'Your code is 12345678'

function ourCodecRate(seconds: number): number {
  const shortMessage = Buffer.from(text)
  const reader = createPduReader()
  return rateOf(seconds, () => {
    const octets = encodePdu({
      command: 'submit_sm',
      sequence: 7,
      sourceAddr: 'Tandem',
      destinationAddr: '4915112345678',
      shortMessage,
    })
    reader.push(octets)
  })
}

type NpmPdu = { toBuffer(): Buffer }
type NpmCodec = { PDU: { new (command: string, fields: object): NpmPdu; fromBuffer(octets: Buffer): NpmPdu } }

function npmCodecRate(seconds: number): number {
  const { PDU } = createRequire(import.meta.url)('smpp') as NpmCodec
  const message = Buffer.from(text)
  return rateOf(seconds, () => {
    const fields = {
      sequence_number: 7,
      source_addr: 'Tandem',
      destination_addr: '4915112345678',
      short_message: message,
    }
    PDU.fromBuffer(new PDU('submit_sm', fields).toBuffer())
  })
}
