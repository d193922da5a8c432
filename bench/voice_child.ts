/**
 * A carrier in a process of its own for the bench of calls: answers every INVITE at once and hangs up after a while. It says when
 * each INVITE came, by the last eight digits of the number that was called, on the monotonic clock that all processes share.
 */
import { randomBytes } from 'node:crypto'
import { createSystemResolver, openSipAgent } from '@tandem/sip'
import { nowUs } from './sink_tally.ts'

export type CarrierOrder = { kind: 'open'; talkMs: number; count: number } | { kind: 'report' } | { kind: 'close' }
export type CarrierReply =
  | { kind: 'listening'; port: number }
  /** When each INVITE came, 0 for those that never did; twice: numbers called more than once. */
  | { kind: 'report'; invitedUs: Float64Array; calls: number; twice: number; ended: number; open: number }

let invitedUs = new Float64Array(0)
let [calls, twice, ended] = [0, 0, 0]
let agent: Awaited<ReturnType<typeof openSipAgent>> | undefined

async function open({ talkMs, count }: Extract<CarrierOrder, { kind: 'open' }>): Promise<void> {
  invitedUs = new Float64Array(count)
  agent = await openSipAgent({
    product: 'Carrier/1.0',
    udp: [{ address: '127.0.0.1', port: 0 }],
    resolver: createSystemResolver(),
    random: bytes => randomBytes(bytes),
    onError: error => console.error(error),
    onCall(call) {
      const atUs = nowUs()
      const index = Number(/(\d{8})@/.exec(call.request.uri)?.[1] ?? -1)
      calls++
      if (invitedUs[index] === 0) invitedUs[index] = atUs
      else twice++
      call.accept({
        local: { sessionId: '1', address: { family: 'IP4', address: '127.0.0.1' }, port: 9 },
        handlers: { onMedia() {}, onEnded: () => void ended++ },
      })
      void call.answer().then(() => setTimeout(() => call.end(), talkMs))
    },
  })
  reply({ kind: 'listening', port: agent.bound[0]?.port ?? 0 })
}

function reply(message: CarrierReply): void {
  process.send?.(message)
}

process.on('message', (order: CarrierOrder) => {
  if (order.kind === 'open') void open(order)
  else if (order.kind === 'report') reply({ kind: 'report', invitedUs, calls, twice, ended, open: calls - ended })
  else void agent?.close().then(() => process.exit(0))
})
