/**
 * What media cost: G.711 streams both ways through sessions of @tandem/sip, paced by one clock on one core, with a peer in a
 * process of its own that sends everything back; and single steps of the path alone, in this process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { decodeG711, encodeG711 } from '../packages/sip/src/rtp/g711.ts'
import { createJitterBuffer } from '../packages/sip/src/rtp/jitter.ts'
import { readRtp, writeRtp } from '../packages/sip/src/rtp/packet.ts'
import { createSrtpContext } from '../packages/sip/src/rtp/srtp.ts'
import type { BenchContext, BenchReport } from './benches.ts'
import { formatBytes, formatCount, formatMs, markdownTable, median, rateOf } from './measure.ts'
import type { RtpFigures, RtpOrder, RtpTotals } from './rtp_child.ts'

type Load = { name: string; streams: number; kind: 'plain' | 'secure' | 'floor' }
type Round = { load: Load; engine: RtpFigures; peer: RtpFigures; lost: number; totals: RtpTotals }

const loads: Load[] = [
  { name: '500 streams', streams: 500, kind: 'plain' },
  { name: '500 streams, the bare floor', streams: 500, kind: 'floor' },
  { name: '1,000 streams', streams: 1000, kind: 'plain' },
  { name: '1,000 streams, the bare floor', streams: 1000, kind: 'floor' },
  { name: '1,000 streams with SRTP', streams: 1000, kind: 'secure' },
]
const wantedP99Us = 5000
const sleep = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

export async function rtpBench({ pace, log }: BenchContext): Promise<BenchReport> {
  const steps = measureSteps(pace.seconds / 8)
  const rounds: Round[] = []
  for (let round = 1; round <= pace.rounds; round++) {
    for (const load of loads) {
      const result = await runStreams(load, pace)
      rounds.push(result)
      const { engine, lost } = result
      const cpu = `${Math.round(cpuShare(engine) * 100)} % of a core`
      log(`round ${round}, ${load.name}: p99 ${formatMs(engine.pacing.p99)} off the beat, ${lost} lost, ${cpu}`)
    }
  }
  const markdown = `${streamTable(rounds)}\n\n${stepTable(steps)}\n\n${verdicts(rounds)}`
  return { markdown, postgres: null, figures: { rounds, steps } }
}

const cpuShare = ({ cpuUs, wallMs }: RtpFigures) => cpuUs / 1000 / wallMs

function streamTable(rounds: Round[]): string {
  const rows = loads.map(load => {
    const own = rounds.filter(round => round.load === load)
    const middle = (figure: (round: Round) => number) => median(own.map(figure))
    return [
      load.name,
      `${Math.round(middle(({ engine }) => cpuShare(engine)) * 100)} %`,
      formatCount(middle(({ engine }) => engine.packets / (engine.cpuUs / 1e6))),
      formatMs(middle(({ engine }) => engine.pacing.p50)),
      formatMs(middle(({ engine }) => engine.pacing.p99)),
      formatMs(middle(({ engine }) => engine.pacing.p999)),
      formatMs(middle(({ engine }) => engine.pacing.max)),
      `${formatMs(middle(({ peer }) => peer.pacing.p99))} (${formatMs(middle(({ peer }) => peer.loopDelay.p99))})`,
      own.map(({ lost }) => lost).join(' '),
      own.map(({ totals }) => totals.skipped).join(' '),
      own.map(({ totals }) => totals.concealed).join(' '),
      formatBytes(middle(({ engine }) => engine.rssBytes)),
    ]
  })
  const head = [
    'load',
    'of a core',
    'packets per CPU-second',
    'pacing p50',
    'p99',
    'p99.9',
    'max',
    'p99 at the peer (its own delay)',
    'lost',
    'frames skipped',
    'concealed',
    'memory (RSS)',
  ]
  return markdownTable(head, rows)
}

function stepTable(steps: Record<string, number>): string {
  const rows = Object.entries(steps).map(([what, rate]) => [what, formatCount(rate)])
  return markdownTable(['step, alone', 'per CPU-second'], rows)
}

function verdicts(rounds: Round[]): string {
  const of = (streams: number, kind: Load['kind']) =>
    rounds.filter(({ load }) => load.streams === streams && load.kind === kind)
  const own = of(1000, 'plain')
  const ratio = (streams: number) => {
    const rate = (kind: Load['kind']) => median(of(streams, kind).map(({ engine }) => engine.packets / engine.cpuUs))
    return (rate('plain') / rate('floor')).toFixed(2)
  }
  const p99 = median(own.map(({ engine }) => engine.pacing.p99))
  const lost = own.reduce((sum, round) => sum + round.lost, 0)
  const skipped = own.reduce((sum, round) => sum + round.totals.skipped, 0)
  const told = (isReached: boolean) => (isReached ? 'reached' : 'MISSED')
  return [
    '- Pacing: |time between two packets of a stream - 20 ms|, stamped by the sender after each send. The peer stamps too, and is',
    '  late itself by the delay of its own timers, told beside it. A frame is skipped where the process did not run for 60 ms.',
    '- The bare floor: sockets that send a datagram at the same beat and count what comes back, in the same process model.',
    `- Packets per CPU-second against the bare floor: ${ratio(500)} with 500 streams, ${ratio(1000)} with 1,000.`,
    `- 1,000 streams: p99 ${formatMs(p99)} (wanted ≤ ${formatMs(wantedP99Us)}) ${told(p99 <= wantedP99Us)}`,
    `- 1,000 streams: ${lost} packets lost, ${skipped} frames skipped (wanted 0) ${told(lost + skipped === 0)}`,
  ].join('\n')
}

async function runStreams(load: Load, pace: BenchContext['pace']): Promise<Round> {
  const [engine, peer] = [start('engine'), start('peer')]
  try {
    await Promise.all([once(engine, 'message'), once(peer, 'message')])
    const ports = (await ask(peer, { peer: load.streams })) as number[]
    await ask(engine, load.kind === 'floor' ? { floor: ports } : { engine: ports, isSecure: load.kind === 'secure' })
    await sleep(pace.warmupSeconds)
    await Promise.all([ask(engine, 'mark'), ask(peer, 'mark')])
    await sleep(pace.seconds)
    const [atEngine, atPeer] = (await Promise.all([ask(engine, 'tell'), ask(peer, 'tell')])) as RtpFigures[]
    const totals = (await ask(engine, 'stop')) as RtpTotals
    return { load, engine: atEngine!, peer: atPeer!, lost: totals.sent - totals.received, totals }
  } finally {
    engine.kill('SIGKILL')
    peer.kill('SIGKILL')
  }
}

function start(side: 'engine' | 'peer'): ChildProcess {
  return fork(fileURLToPath(new URL('./rtp_child.ts', import.meta.url)), [side], { execArgv: ['--conditions=source'] })
}

async function ask(child: ChildProcess, order: RtpOrder): Promise<unknown> {
  const answer = Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('a side of the bench died'))),
  ])
  child.send(order)
  return (await answer)[0]
}

/** How often each step can be done in a second of processor time. */
function measureSteps(seconds: number): Record<string, number> {
  const header = { payloadType: 0, marker: false, timestamp: 160, ssrc: 7 }
  const payload = Buffer.alloc(160, 0x55)
  const packet = writeRtp({ ...header, sequence: 1, payload })
  const samples = new Int16Array(160)
  const frame = Buffer.alloc(160)
  const buffer = createJitterBuffer({ law: 'PCMU' })
  const keys = { masterKey: Buffer.alloc(16, 7), masterSalt: Buffer.alloc(14) }
  const [sending, receiving] = [0, 1].map(() => createSrtpContext({ ...keys, suite: 'AES_CM_128_HMAC_SHA1_80' }))
  let count = 0
  return {
    'RTP packet written and read': rateOf(seconds, () => {
      count += 1
      readRtp(writeRtp({ ...header, sequence: count & 0xffff, payload }))
    }),
    'frame of G.711 decoded and encoded': rateOf(seconds, () =>
      encodeG711('PCMU', decodeG711('PCMU', frame, samples), frame),
    ),
    'packet into the jitter buffer and a frame out': rateOf(seconds, () => {
      count += 1
      buffer.push({ ssrc: 7, timestamp: (count * 160) >>> 0, payload })
      buffer.pull(frame)
    }),
    'packet protected and opened by SRTP': rateOf(seconds, () => {
      count += 1
      packet.writeUInt16BE(count & 0xffff, 2)
      receiving!.openRtp(sending!.protectRtp(packet) as Buffer)
    }),
  }
}
