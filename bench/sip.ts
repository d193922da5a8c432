/**
 * What calls cost: calls set up and torn down over UDP by agents of @tandem/sip in two processes, without sound, and in turns with
 * sipp's own uas in the place of the called one.
 */
import { type ChildProcess, fork, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { BenchContext, BenchReport } from './bench.ts'
import { cpuSecondsOf, formatCount, formatMs, formatRatio, markdownTable, median } from './measure.ts'
import type { SipFigures, SipOrder } from './sip_child.ts'

type Called = 'agent' | 'sipp'
type Round = { called: Called; caller: SipFigures; calledCpuSeconds: number | null }

/** Calls under way at once. */
const wantedWindow = 20
const wantedCallsPerSecond = 300

export async function sipBench({ pace, log }: BenchContext): Promise<BenchReport> {
  const hasSipp = spawnSync('sipp', ['-v']).error === undefined
  if (!hasSipp) log('NOT COMPARED with sipp: it is not installed; try scripts/system_tools.sh')
  const rounds: Round[] = []
  for (let round = 1; round <= pace.rounds; round++) {
    for (const called of hasSipp ? (['agent', 'sipp'] as const) : (['agent'] as const)) {
      const result = await runCalls(called, pace)
      rounds.push(result)
      const { calls, wallMs, setup, failed } = result.caller
      const rate = formatCount(calls / (wallMs / 1000))
      log(`round ${round}, called: ${called}: ${rate} calls/s, set up in p99 ${formatMs(setup.p99)}, ${failed} failed`)
    }
  }
  return { markdown: `${table(rounds)}\n\n${verdicts(rounds)}`, postgres: null, figures: { rounds } }
}

const rateOf = ({ caller }: Round) => caller.calls / (caller.wallMs / 1000)

function table(rounds: Round[]): string {
  const rows = [...new Set(rounds.map(({ called }) => called))].map(called => {
    const own = rounds.filter(round => round.called === called)
    const middle = (figure: (round: Round) => number) => median(own.map(figure))
    const cpu = own.flatMap(({ calledCpuSeconds, caller }) =>
      calledCpuSeconds === null ? [] : [(calledCpuSeconds * 1e6) / caller.calls],
    )
    return [
      called === 'agent' ? 'an agent of ours' : "sipp's uas",
      formatCount(middle(rateOf)),
      formatMs(middle(({ caller }) => caller.cpuUs / caller.calls)),
      cpu.length === 0 ? '-' : formatMs(median(cpu)),
      formatMs(middle(({ caller }) => caller.setup.p50)),
      formatMs(middle(({ caller }) => caller.setup.p99)),
      own.map(({ caller }) => caller.failed).join(' '),
    ]
  })
  const head = ['called', 'calls/s', 'CPU per call, caller', 'called', 'set up p50', 'p99', 'failed']
  return markdownTable(head, rows)
}

function verdicts(rounds: Round[]): string {
  const rates = (called: Called) => rounds.filter(round => round.called === called).map(rateOf)
  const own = median(rates('agent'))
  const theirs = rates('sipp')
  const failed = rounds.reduce((sum, { caller }) => sum + caller.failed, 0)
  const reported = (isReached: boolean) => (isReached ? 'reached' : 'MISSED')
  return [
    `- INVITE, 100, 180, 200, ACK, BYE, 200 over UDP on the loopback, ${wantedWindow} calls at once, offer and answer in each. Set up:`,
    '  from the INVITE until the answer is reported.',
    `- ${formatCount(own)} calls/s (wanted ≥ ${wantedCallsPerSecond}) ${reported(own >= wantedCallsPerSecond)}`,
    `- ${failed} calls failed (wanted 0) ${reported(failed === 0)}`,
    ...(theirs.length === 0
      ? []
      : [`- Called by ours, an agent takes ${formatRatio(own / median(theirs))} the calls of sipp's uas.`]),
  ].join('\n')
}

async function runCalls(called: Called, pace: BenchContext['pace']): Promise<Round> {
  const children: ChildProcess[] = []
  const startAgent = async (side: 'caller' | 'called') => {
    const file = fileURLToPath(new URL('./sip_child.ts', import.meta.url))
    const child = fork(file, [side], { execArgv: ['--conditions=source'] })
    children.push(child)
    await once(child, 'message')
    return child
  }
  try {
    const caller = await startAgent('caller')
    const { pid, port } = called === 'agent' ? await startCalled(await startAgent('called')) : await startSipp(children)
    await ask(caller, { call: port, window: wantedWindow })
    await new Promise(resolve => setTimeout(resolve, pace.warmupSeconds * 1000))
    const cpuOf = () => cpuSecondsOf({ called: { root: pid } })
    await ask(caller, 'mark')
    const before = cpuOf()
    await new Promise(resolve => setTimeout(resolve, pace.seconds * 1000))
    const after = cpuOf()
    const figures = (await ask(caller, 'report')) as SipFigures
    await ask(caller, 'stop')
    return { called, caller: figures, calledCpuSeconds: before === null || after === null ? null : after - before }
  } finally {
    for (const child of children) child.kill('SIGKILL')
  }
}

async function startCalled(child: ChildProcess) {
  return { pid: child.pid!, port: (await ask(child, 'listen')) as number }
}

async function startSipp(children: ChildProcess[]) {
  const socket = createSocket('udp4')
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  await new Promise<void>(resolve => socket.close(resolve))
  const args = ['-sn', 'uas', '-i', '127.0.0.1', '-p', String(port), '-nostdin']
  const child = spawn('sipp', args, { stdio: 'ignore' })
  children.push(child)
  // It repeats what comes too early, as all do.
  await new Promise(resolve => setTimeout(resolve, 500))
  return { pid: child.pid!, port }
}

async function ask(child: ChildProcess, order: SipOrder): Promise<unknown> {
  const answer = Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(() => Promise.reject(new Error('a side of the bench died'))),
  ])
  child.send(order)
  return (await answer)[0]
}
