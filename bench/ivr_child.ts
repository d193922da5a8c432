/**
 * Customers and agents in a process of their own for the bench of menus: the ones are called, listen, type a digit and talk; the
 * others are dialled for them and talk back. Each counts what it hears, so that the bench can see that the two were joined.
 */
import { randomBytes } from 'node:crypto'
import {
  agreementOf,
  createSystemResolver,
  type IncomingCall,
  openRtpPorts,
  openSipAgent,
  type RunningSession,
  runRtpSession,
  startFrameClock,
} from '@tandem/sip'
import { nowUs } from './sink_tally.ts'

export type PhonesOrder =
  /** Numbers that end in `agentSuffix` are agents. */
  { kind: 'open'; agentSuffix: string; typeAfterMs: number; talkMs: number } | { kind: 'report' } | { kind: 'close' }
export type PhonesReply =
  | { kind: 'listening'; port: number }
  | {
      kind: 'report'
      customers: number
      agents: number
      /** Most customers at once, and most legs, agents included. */
      maxCustomers: number
      maxLegs: number
      /** Customers who heard the agent, and agents who heard the customer, each for half of the talk at least. */
      joinedCustomers: number
      joinedAgents: number
      /** Frames of the other side that were heard exactly as they were sent. */
      heardFrames: number
      packets: number
      lost: number
      /** From the digit to the INVITE of the agent, in µs, in the order they came. */
      connectUs: number[]
    }

const frameMs = 20
const customerTone = 0x2a
const agentTone = 0x55
const random = () => randomBytes(4).readUInt32BE() / 2 ** 32

const clock = startFrameClock()
const totals = {
  customers: 0,
  agents: 0,
  maxCustomers: 0,
  maxLegs: 0,
  joinedCustomers: 0,
  joinedAgents: 0,
  heardFrames: 0,
  packets: 0,
  lost: 0,
}
const atOnce = { customers: 0, legs: 0 }
const typedUs: number[] = []
const connectUs: number[] = []
let phones: Awaited<ReturnType<typeof openSipAgent>> | undefined

function reply(message: PhonesReply): void {
  process.send?.(message)
}

async function open(order: Extract<PhonesOrder, { kind: 'open' }>): Promise<void> {
  phones = await openSipAgent({
    product: 'Phones/1.0',
    udp: [{ address: '127.0.0.1', port: 0 }],
    resolver: createSystemResolver(),
    random: bytes => randomBytes(bytes),
    onError: error => console.error(error),
    onCall: call => void take(call, order),
  })
  reply({ kind: 'listening', port: phones.bound[0]?.port ?? 0 })
}

/** Every octet of a frame is the same, which no announcement's are: so each side is known by what it sends. */
const isAll = (frame: Buffer, octet: number) => frame[0] === octet && frame[80] === octet && frame[159] === octet

async function take(
  call: IncomingCall,
  { agentSuffix, typeAfterMs, talkMs }: Extract<PhonesOrder, { kind: 'open' }>,
): Promise<void> {
  const isAgent = /^sips?:([^@;]+)/.exec(call.request.uri)?.[1]?.endsWith(agentSuffix) === true
  if (isAgent) {
    totals.agents++
    // Agents are dialled in the order the digits were typed, but for a few that overtake each other: the sums agree.
    const typed = typedUs.shift()
    if (typed !== undefined) connectUs.push(nowUs() - typed)
  } else totals.customers++
  if (!isAgent) totals.maxCustomers = Math.max(totals.maxCustomers, ++atOnce.customers)
  totals.maxLegs = Math.max(totals.maxLegs, ++atOnce.legs)
  const ports = await openRtpPorts({ address: '127.0.0.1', minPort: 2_000, maxPort: 19_999, random })
  const heard = Buffer.alloc(160)
  let rtp: RunningSession | undefined
  let fromOther = 0
  let leave: (() => void) | undefined
  call.accept({
    local: { sessionId: '1', address: { family: 'IP4', address: '127.0.0.1' }, port: ports.port },
    handlers: {
      onMedia(stream) {
        if (rtp !== undefined) return rtp.change(agreementOf(stream, null))
        const agreement = agreementOf(stream, null)
        rtp = runRtpSession(ports, clock, { agreement, cname: 'phone', wallMs: 0, random, onDigit() {} })
        rtp.setSource(into => into.fill(isAgent ? agentTone : customerTone).length > 0)
        leave = clock.add(() => {
          rtp?.read(heard)
          if (isAll(heard, isAgent ? customerTone : agentTone)) fromOther++
        })
      },
      onEnded() {
        atOnce.legs--
        if (!isAgent) atOnce.customers--
        leave?.()
        const { received } = rtp?.statistics() ?? { received: { packets: 0, lost: 0 } }
        totals.packets += received.packets
        totals.lost += received.lost
        totals.heardFrames += fromOther
        if (fromOther * frameMs >= talkMs / 2) totals[isAgent ? 'joinedAgents' : 'joinedCustomers']++
        void (rtp === undefined ? ports.close() : rtp.close())
      },
    },
  })
  await call.answer()
  if (isAgent) setTimeout(() => call.end(), talkMs)
  else
    setTimeout(() => {
      typedUs.push(nowUs())
      rtp?.sendDigits('1')
    }, typeAfterMs)
}

process.on('message', (order: PhonesOrder) => {
  if (order.kind === 'open') void open(order)
  else if (order.kind === 'report') {
    reply({ kind: 'report', ...totals, connectUs })
  } else {
    clock.stop()
    void phones?.close().then(() => process.exit(0))
  }
})
