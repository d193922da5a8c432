// One side of the SIP bench in a process of its own: `node sip_child.ts caller|called`. The caller keeps a number of calls under
// way, each of which is ended as soon as it is answered; the called side answers at once.
import { randomBytes } from 'node:crypto'
import { openSipAgent } from '../packages/sip/src/agent/agent.ts'
import type { SipAgentOptions } from '../packages/sip/src/agent/types.ts'
import { createCachedResolver, createSystemResolver } from '../packages/sip/src/transport/resolver.ts'
import type { LatencyUs } from './histogram.ts'
import { createHistogram, record, summarize } from './histogram.ts'

export type SipOrder = 'listen' | { call: number; window: number } | 'mark' | 'report' | 'stop'

/** `setup`: from `call` until `onAnswered`, in µs. */
export type SipFigures = {
  calls: number
  failed: number
  cpuUs: number
  wallMs: number
  setup: LatencyUs
}

const options: SipAgentOptions = {
  product: 'Bench/1.0',
  udp: [{ address: '127.0.0.1', port: 0 }],
  resolver: createCachedResolver(createSystemResolver(), { now: () => performance.now() }),
  random: randomBytes,
  onError: error => console.error(error),
}
const local = { sessionId: '1', address: { family: 'IP4', address: '127.0.0.1' }, port: 40_000 } as const

let setup = createHistogram()
let calls = 0
let failed = 0
let isStopped = false
let marked = { cpuUs: 0, wallMs: 0 }

function now() {
  const { user, system } = process.cpuUsage()
  return { cpuUs: user + system, wallMs: performance.now() }
}

async function listen(): Promise<number> {
  const agent = await openSipAgent({
    ...options,
    onCall(call) {
      call.accept({ local, handlers: { onMedia() {}, onEnded() {} } })
      call.ring()
      void call.answer()
    },
  })
  return agent.bound[0]!.port
}

async function startCalls(port: number, window: number): Promise<void> {
  const agent = await openSipAgent(options)
  const next = () => {
    if (isStopped) return
    const startMs = performance.now()
    const call = agent.call({
      from: '<sip:bench@127.0.0.1>',
      to: '<sip:service@127.0.0.1>',
      target: `sip:service@127.0.0.1:${port}`,
      local,
      handlers: {
        onMedia() {},
        onAnswered() {
          record(setup, (performance.now() - startMs) * 1000)
          call.end()
        },
        onEnded({ wasAnswered }) {
          calls += 1
          if (!wasAnswered) failed += 1
          setImmediate(next)
        },
      },
    })
  }
  for (let i = 0; i < window; i++) next()
}

function mark(): void {
  setup = createHistogram()
  calls = 0
  failed = 0
  marked = now()
}

function report(): SipFigures {
  const { cpuUs, wallMs } = now()
  return { calls, failed, cpuUs: cpuUs - marked.cpuUs, wallMs: wallMs - marked.wallMs, setup: summarize(setup) }
}

async function obey(order: SipOrder): Promise<unknown> {
  if (order === 'listen') return listen()
  if (order === 'mark') return mark()
  if (order === 'report') return report()
  if (order === 'stop') {
    isStopped = true
    return undefined
  }
  return startCalls(order.call, order.window)
}

process.on('disconnect', () => process.exit())
process.on('message', (order: SipOrder) => {
  obey(order).then(
    answer => process.send?.(answer ?? 'done'),
    (error: unknown) => {
      console.error(error)
      process.exit(1)
    },
  )
})
process.send?.('ready')
