/**
 * What media cost: G.711 streams both ways through sessions of @tandem/sip, paced by one clock on one core, with a peer in a
 * process of its own that sends everything back; the same streams as browsers have them; and single steps of the path alone, in this
 * process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { decodeG711, encodeG711 } from '../packages/sip/src/rtp/g711.ts'
import { createJitterBuffer } from '../packages/sip/src/rtp/jitter.ts'
import { readRtp, writeRtp } from '../packages/sip/src/rtp/packet.ts'
import { createSrtpContext } from '../packages/sip/src/rtp/srtp.ts'
import type { BenchContext, BenchReport } from './bench.ts'
import { formatBytes, formatCount, formatMs, markdownTable, median, rateOf } from './measure.ts'
import type { RtpFigures, RtpOrder, RtpTotals } from './rtp_child.ts'

/** `secure`: SRTP of our own, with keys by SDES; `browser`: SRTP by DTLS over ICE, as calls of browsers have it. */
type Kind = 'plain' | 'secure' | 'browser' | 'floor'
type Load = { name: string; streams: number; kind: Kind }
type Round = { load: Load; engine: RtpFigures; peer: RtpFigures; lost: number; totals: RtpTotals }

const namesOf: Record<Kind, string> = {
  plain: '',
  secure: ' with SRTP of our own',
  browser: ' of browsers (ICE, DTLS, SRTP)',
  floor: ', the bare floor',
}
const loadOf = (streams: number, kind: Kind): Load => ({
  name: `${formatCount(streams)} streams${namesOf[kind]}`,
  streams,
  kind,
})
const sizes = [100, 300, 500, 1000]
const loads: Load[] = sizes.flatMap(streams =>
  (['floor', 'plain', 'secure', 'browser'] as const).map(kind => loadOf(streams, kind)),
)
/** Browsers are connected so many at a time. */
const connectedAtOnce = 50
/** How exactly the largest number of browsers without loss is looked for. */
const searchStep = 50
const wantedP99Us = 5000
const sleep = (seconds: number) => new Promise(resolve => setTimeout(resolve, seconds * 1000))

export async function rtpBench({ pace, log }: BenchContext): Promise<BenchReport> {
  const steps = measureSteps(pace.seconds / 8)
  const rounds: Round[] = []
  for (let round = 1; round <= pace.rounds; round++) {
    for (const load of loads) {
      const result = await runStreams(load, pace)
      rounds.push(result)
      log(describeRound(`round ${round}`, result))
    }
  }
  const most = await maxBrowsers(rounds, pace, log)
  const markdown = `${streamTable(rounds)}\n\n${stepTable(steps)}\n\n${verdicts(rounds)}\n${most}`
  return { markdown, postgres: null, figures: { rounds, steps } }
}

/** A frame that is skipped was not sent: it is loss too. */
const isWhole = ({ lost, totals }: Round) => lost + totals.skipped === 0

/** Where no round of the largest load of browsers was whole, looks for the largest load that is, in one of two tries. */
async function maxBrowsers(rounds: readonly Round[], pace: BenchContext['pace'], log: BenchContext['log']) {
  const own = rounds.filter(({ load }) => load.kind === 'browser')
  const isCarried = (streams: number) => own.some(round => round.load.streams === streams && isWhole(round))
  const reported = 'Most streams of browsers at once without a packet lost or a frame skipped'
  const failed = sizes.find(streams => !isCarried(streams))
  if (failed === undefined) return `- ${reported}: ${formatCount(sizes.at(-1)!)}, the most that were tried.`
  let [most, least] = [sizes.filter(streams => streams < failed).at(-1) ?? 0, failed]
  while (least - most > searchStep) {
    const streams = most + Math.ceil((least - most) / 2 / searchStep) * searchStep
    for (let tries = 0; tries < 2 && !isCarried(streams); tries++) {
      own.push(await runStreams(loadOf(streams, 'browser'), pace))
      log(describeRound('search', own.at(-1)!))
    }
    if (isCarried(streams)) most = streams
    else least = streams
  }
  return `- ${reported}: **${formatCount(most)}**; with ${formatCount(least)} there was loss.`
}

function describeRound(which: string, { load, engine, peer, lost, totals }: Round): string {
  const cpu = `${percent(engine)} of a core, the peer ${percent(peer)}`
  return `${which}, ${load.name}: p99 ${formatMs(engine.pacing.p99)} off the beat, ${lost} lost, ${totals.skipped} skipped, ${cpu}`
}

const cpuShare = ({ cpuUs, wallMs }: RtpFigures) => cpuUs / 1000 / wallMs
const percent = (figures: RtpFigures) => `${Math.round(cpuShare(figures) * 100)} %`

function streamTable(rounds: Round[]): string {
  const rows = loads.map(load => {
    const own = rounds.filter(round => round.load === load)
    const middle = (figure: (round: Round) => number) => median(own.map(figure))
    return [
      load.name,
      `${Math.round(middle(({ engine }) => cpuShare(engine)) * 100)} %`,
      `${Math.round(middle(({ peer }) => cpuShare(peer)) * 100)} %`,
      middle(({ engine }) => engine.cpuUs / engine.packets).toFixed(1),
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
    'the peer',
    'µs of CPU a packet',
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
  const of = (streams: number, kind: Kind) =>
    rounds.filter(({ load }) => load.streams === streams && load.kind === kind)
  const own = of(1000, 'plain')
  const ratio = (streams: number, kind: Kind) => {
    const rate = (side: Kind) => median(of(streams, side).map(({ engine }) => engine.packets / engine.cpuUs))
    return (rate(kind) / rate('floor')).toFixed(2)
  }
  const ratios = (kind: Kind) => sizes.map(streams => ratio(streams, kind)).join(', ')
  const p99 = median(own.map(({ engine }) => engine.pacing.p99))
  const lost = own.reduce((sum, round) => sum + round.lost, 0)
  const skipped = own.reduce((sum, round) => sum + round.totals.skipped, 0)
  const reported = (isReached: boolean) => (isReached ? 'reached' : 'MISSED')
  return [
    '- Pacing: |time between two packets of a stream - 20 ms|, stamped by the sender after each send. The peer stamps too, and is',
    '  late itself by the delay of its own timers, reported beside it. A frame is skipped where the process did not run for 60 ms.',
    '- The bare floor: sockets that send a datagram at the same beat and count what comes back, in the same process model.',
    '- Packets per CPU-second against the bare floor, with 100, 300, 500 and 1,000 streams:',
    `  plain ${ratios('plain')}; SRTP of our own ${ratios('secure')}; browsers ${ratios('browser')}.`,
    `- 1,000 streams: p99 ${formatMs(p99)} (wanted ≤ ${formatMs(wantedP99Us)}) ${reported(p99 <= wantedP99Us)}`,
    `- 1,000 streams: ${lost} packets lost, ${skipped} frames skipped (wanted 0) ${reported(lost + skipped === 0)}`,
  ].join('\n')
}

async function runStreams(load: Load, pace: BenchContext['pace']): Promise<Round> {
  const [engine, peer] = [start('engine'), start('peer')]
  try {
    await Promise.all([once(engine, 'message'), once(peer, 'message')])
    await (load.kind === 'browser' ? beginBrowsers : beginPorts)(load, engine, peer)
    await sleep(pace.warmupSeconds)
    await Promise.all([ask(engine, 'mark'), ask(peer, 'mark')])
    await sleep(pace.seconds)
    const [atEngine, atPeer] = (await Promise.all([ask(engine, 'report'), ask(peer, 'report')])) as RtpFigures[]
    const totals = (await ask(engine, 'stop')) as RtpTotals
    return { load, engine: atEngine!, peer: atPeer!, lost: totals.sent - totals.received, totals }
  } finally {
    engine.kill('SIGKILL')
    peer.kill('SIGKILL')
  }
}

async function beginPorts({ streams, kind }: Load, engine: ChildProcess, peer: ChildProcess): Promise<void> {
  const ports = (await ask(peer, { peer: streams })) as number[]
  await ask(engine, kind === 'floor' ? { floor: ports } : { engine: ports, isSecure: kind === 'secure' })
}

/** All are connected before the first of them sends. */
async function beginBrowsers({ streams }: Load, engine: ChildProcess, peer: ChildProcess): Promise<void> {
  for (let open = 0; open < streams; open += connectedAtOnce) {
    const offers = (await ask(peer, { offer: Math.min(connectedAtOnce, streams - open) })) as string[]
    const answers = (await ask(engine, { answer: offers })) as string[]
    await ask(peer, { connect: answers })
  }
  await ask(engine, 'begin')
}

function start(side: 'engine' | 'peer'): ChildProcess {
  return fork(fileURLToPath(new URL('./rtp_child.ts', import.meta.url)), [side], { execArgv: ['--conditions=source'] })
}

async function ask(child: ChildProcess, order: RtpOrder): Promise<unknown> {
  const answered = new AbortController()
  const { signal } = answered
  const answer = Promise.race([
    once(child, 'message', { signal }),
    once(child, 'exit', { signal }).then(() => Promise.reject(new Error('a side of the bench died'))),
  ])
  child.send(order)
  try {
    return (await answer)[0]
  } finally {
    answered.abort()
  }
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
