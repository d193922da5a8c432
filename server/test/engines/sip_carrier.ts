// A carrier for tests of the SIP engine: a user agent at a free port of this machine that behaves by the number that is called, with
// sound, and that can call too.
import { randomBytes } from 'node:crypto'
import {
  agreementOf,
  createCachedResolver,
  createSystemResolver,
  formatUri,
  type IncomingCall,
  type LocalAudio,
  openRtpPorts,
  openSipAgent,
  type Referral,
  type RunningSession,
  runRtpSession,
  type SipAgent,
  type SipReply,
  type SipRequest,
  startFrameClock,
} from '@tandem/sip'
import type { TestApp } from '../harness.ts'

export type RemoteParty = {
  readonly call: IncomingCall
  readonly number: string
  /** The RTP session once media are agreed. */
  readonly rtp: RunningSession | undefined
  /** Digits it heard. */
  readonly digits: string[]
}

export type Carrier = {
  readonly agent: SipAgent
  readonly port: number
  /** Calls that came, the latest last. */
  readonly calls: RemoteParty[]
  /** Where the last request came from. */
  readonly seen: { port: number | undefined }
  close(): Promise<void>
}

export type CarrierOptions = {
  /** What it does with a call; by default it rings, answers, and hangs up after `talkMs`. */
  onCall?(side: RemoteParty, number: string): void | Promise<void>
  onRequest?(request: SipRequest): SipReply | undefined
  /** It is asked to call somebody else: says with which status that ended. */
  onRefer?(target: string, side: RemoteParty): number
  talkMs?: number
  /** What it says of its sound, where that is not what is true of it. */
  local?: Partial<LocalAudio>
}

const random = () => randomBytes(4).readUInt32BE() / 2 ** 32

export async function startCarrier({
  onCall,
  onRequest,
  onRefer,
  talkMs = 3_000,
  local = {},
}: CarrierOptions = {}): Promise<Carrier> {
  const clock = startFrameClock()
  const calls: RemoteParty[] = []
  const seen: { port: number | undefined } = { port: undefined }
  const sessions = new Set<RunningSession>()
  const timers = new Set<NodeJS.Timeout>()

  async function take(call: IncomingCall): Promise<void> {
    const number = /^sips?:([^@;]+)/.exec(call.request.uri)?.[1] ?? ''
    const ports = await openRtpPorts({ address: '127.0.0.1', minPort: 20_000, maxPort: 29_999, random })
    const digits: string[] = []
    let rtp: RunningSession | undefined
    const side: RemoteParty = {
      call,
      number,
      digits,
      get rtp() {
        return rtp
      },
    }
    calls.push(side)
    call.accept({
      local: { sessionId: '1', address: { family: 'IP4', address: '127.0.0.1' }, port: ports.port, ...local },
      handlers: {
        onMedia(stream) {
          const agreement = agreementOf(stream)
          if (rtp !== undefined) return rtp.change(agreement)
          rtp = runRtpSession(ports, clock, {
            agreement,
            cname: 'carrier',
            wallMs: 0,
            random,
            onDigit: change => change.type === 'started' && change.digit !== null && digits.push(change.digit),
          })
          sessions.add(rtp)
        },
        ...(onRefer === undefined
          ? {}
          : {
              onRefer: (referral: Referral, report: (status: number) => void) =>
                report(onRefer(formatUri(referral.target), side)),
            }),
        onEnded() {
          if (rtp === undefined) return void ports.close()
          sessions.delete(rtp)
          void rtp.close()
        },
      },
    })
    if (onCall !== undefined) return onCall(side, number)
    call.ring()
    await call.answer()
    const timer = setTimeout(() => call.end(), talkMs)
    timers.add(timer)
  }

  const agent = await openSipAgent({
    product: 'Carrier/1.0',
    udp: [{ address: '127.0.0.1', port: 0 }],
    tcp: [{ address: '127.0.0.1', port: 0 }],
    resolver: createCachedResolver(createSystemResolver(), { now: () => performance.now() }),
    random: bytes => randomBytes(bytes),
    onCall: call => void take(call),
    onSeen(flow) {
      seen.port = flow.remote.port
    },
    ...(onRequest === undefined ? {} : { onRequest }),
    onError: error => console.error(error),
  })
  return {
    agent,
    port: agent.bound.find(({ transport }) => transport === 'udp')?.port ?? 0,
    calls,
    seen,
    async close() {
      for (const timer of timers) clearTimeout(timer)
      await Promise.all([...sessions].map(session => session.close()))
      clock.stop()
      await agent.close()
    },
  }
}

/** Settings of the process under which trunks may lead to this machine. */
export const sipEnv = {
  TANDEM_EGRESS_ALLOW: '127.0.0.0/8',
  TANDEM_SIP_ADDRESS: '127.0.0.1',
  TANDEM_SIP_PORT: '0',
  TANDEM_RTP_PORTS: '30000-39999',
}

/** Adds a trunk to the carrier; answers its id. */
export async function addTrunk(
  t: TestApp,
  port: number,
  {
    settings = {},
    routes = [{ prefix: '', priority: 10, weight: 1 }],
    name = 'Carrier',
    as = t.main.tokens.Admin,
  }: {
    settings?: Record<string, unknown>
    routes?: { prefix: string; priority: number; weight: number }[]
    name?: string
    as?: string
  } = {},
): Promise<string> {
  const { status, json } = await t.call('POST', '/v2/voice/trunks', {
    as,
    body: {
      name,
      settings: { host: '127.0.0.1', port, callsPerSecond: 1_000, foreignCallerIds: true, ...settings },
      routes,
    },
  })
  if (status !== 201) throw new Error(`the trunk was refused: ${JSON.stringify(json)}`)
  return json.data.trunkId
}
