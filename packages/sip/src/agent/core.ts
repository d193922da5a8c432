// What all calls of an agent share: sending over the right flow, client transactions with their answers, who a message is for.
import type { MessageCore } from '../core.ts'
import { findReplaced } from '../dialog/replaces.ts'
import type { DialogState } from '../dialog/state.ts'
import { dialogKey } from '../dialog/state.ts'
import type { SipFault, SipHeader, SipMessage, SipRequest, SipResponse } from '../message.ts'
import { createFault, isFault } from '../message.ts'
import type { TransactionLayer } from '../transaction/layer.ts'
import type { TransactionFailure } from '../transaction/user.ts'
import type { FlowOptions, SipTransport } from '../transport/api.ts'
import { locate } from '../transport/locate.ts'
import type { SipFlow, Target } from '../transport/types.ts'
import { transportError } from '../transport/types.ts'
import type { Uri } from '../uri.ts'
import type { Replaces } from '../values.ts'
import type { ReachCheck, SipAgentOptions, SipCall } from './types.ts'

/** Who waits for what becomes of a request. */
export type Waiter = {
  onResponse(response: SipResponse, core: MessageCore): void
  onFailure(why: TransactionFailure): void
}

/** A call, as the agent leads messages to it. */
export type Receiver = {
  /** Undefined for one of another process, which is being ended. */
  readonly call: SipCall | undefined
  /** Those it has had, for Replaces. */
  dialogs(): readonly DialogState[]
  /** A request in one of its dialogs. */
  onRequest(request: SipRequest, core: MessageCore, flow: SipFlow, transaction: string): void
  onAck(request: SipRequest, core: MessageCore): void
  /** A 2xx to an INVITE of it that no transaction knows any more. */
  onStrayResponse(response: SipResponse, core: MessageCore): void
}

/** A server transaction of which somebody wants to hear that its answer did not arrive. */
export type FailureListener = (why: TransactionFailure) => void

export type AgentCore = {
  readonly options: SipAgentOptions
  readonly transport: SipTransport
  readonly layer: TransactionLayer
  /** By Call-ID and our tag. */
  readonly calls: Map<string, Receiver>
  /** Calls that are not over. */
  readonly live: Set<SipCall>
  /** Of server transactions within calls. */
  readonly failures: Map<string, FailureListener>
  readonly t1Ms: number
  /** How long messages of a call may come after its end: 64*T1. */
  readonly tailMs: number
  now(): number
  /** 0 to below 1. */
  chance(): number
  /** Letters and digits for a tag or a Call-ID. */
  token(bytes: number): string
  /**
   * Where a URI leads. `isSource`: it is the other end of a way that a peer came by, which `mayReach` is not asked about.
   * `allows`: what else is asked of each address.
   */
  targets(uri: Uri, profile: string | undefined, isSource?: boolean, allows?: ReachCheck): Promise<Target[]>
  flowTo(target: Target, options?: FlowOptions): Promise<SipFlow>
  /** The first way to a URI that opens. `isSource`: it is the other end of a way that a peer came by. */
  way(uri: Uri, profile: string | undefined, isSource?: boolean): Promise<SipFlow>
  /** The topmost Via of a request over a flow, without a branch. */
  via(flow: SipFlow): string
  /** Begins a client transaction; answers its id. */
  request(request: SipRequest, flow: SipFlow, waiter: Waiter, branch?: string): string
  /** Sends as it is: what belongs to a transaction of another process. */
  send(message: SipMessage, flow: SipFlow): void
  /** Sends a request that has no transaction: the ACK of a 2xx. */
  sendAck(request: SipRequest, flow: SipFlow): void
  respond(transaction: string, response: SipResponse): boolean
  /** Calls once after a time; what it answers takes that back. */
  after(ms: number, action: () => void): () => void
  /** Resolves after a time, and when the agent closes. */
  pause(ms: number): Promise<void>
  /** Deadlines of the transaction layer may have changed. */
  rearm(): void
  /** A response without more than its status, for a request that belongs nowhere. */
  refusal(request: SipRequest, status: number): SipResponse
  readonly headers: readonly SipHeader[]
  trace(direction: 'in' | 'out', message: SipMessage, core: MessageCore | undefined, flow: SipFlow): void
}

/** What this agent can do: Allow, Supported. */
export const allowedMethods = [
  'INVITE',
  'ACK',
  'BYE',
  'CANCEL',
  'OPTIONS',
  'PRACK',
  'UPDATE',
  'INFO',
  'REFER',
  'NOTIFY',
] as const
export const supportedOptions = ['100rel', 'timer', 'replaces', 'norefersub'] as const

export const allow: SipHeader = { name: 'Allow', value: allowedMethods.join(', ') }
export const supported: SipHeader = { name: 'Supported', value: supportedOptions.join(', ') }

/** Media types of bodies that are understood. */
export const contentTypes = [
  'application/sdp',
  'multipart/mixed',
  'application/dtmf-relay',
  'application/dtmf',
  'message/sipfrag',
  'text/plain',
] as const

/** By which requests are refused that cannot be done. */
export const abilities = { methods: allowedMethods, extensions: supportedOptions, contentTypes }

/** Our Contact at a flow; who was called by sips: gets sips: (§12.1.1). */
export function contactAt(transport: SipTransport, flow: SipFlow, isSecure: boolean): string {
  const { host, port } = transport.sentBy(flow)
  if (isSecure) return `<sips:${host}:${port}>`
  return `<sip:${host}:${port}${flow.transport === 'udp' ? '' : `;transport=${flow.transport}`}>`
}

/** The key of a call among those of the agent. */
export function callKey(callId: string, localTag: string): string {
  // Neither can have a blank in it.
  return `${callId} ${localTag}`
}

/** The call of ours that a Replaces means (RFC 3891 §3), as its remote party sees it: the To tag is ours. */
export function callReplaced(calls: ReadonlyMap<string, Receiver>, replaces: Replaces): SipCall | SipFault {
  const known = calls.get(callKey(replaces.callId, replaces.toTag))
  const found = findReplaced(replaces, key => known?.dialogs().find(dialog => dialogKey(dialog) === key))
  if (isFault(found)) return found
  const call = known?.call
  return call === undefined || call.phase === 'ended' ? gone : call
}

const gone = createFault('refused', 'the call to be replaced has ended', { status: 603, header: 'Replaces' })

export function createWays(
  options: SipAgentOptions,
  transport: SipTransport,
  chance: () => number,
): Pick<AgentCore, 'targets' | 'way'> {
  async function targets(
    uri: Uri,
    profile: string | undefined,
    isSource = false,
    allows: ReachCheck = () => true,
  ): Promise<Target[]> {
    const { resolver, mayReach = () => true } = options
    const found = await locate(uri, { resolver, transports: transport.transports, random: chance, profile })
    const asked = (address: string) => {
      const general = mayReach(address)
      return general === true ? allows(address) : general
    }
    const open = isSource ? found : found.filter(({ address }) => asked(address) === true)
    if (open.length > 0) return open
    const [first] = found
    const why = first && asked(first.address)
    const text = typeof why === 'string' ? why : 'nothing may be sent to this address'
    throw transportError('unsupported', `${first?.address}: ${text}`)
  }

  return {
    targets,
    async way(uri, profile, isSource = false) {
      let last: unknown
      for (const target of await targets(uri, profile, isSource)) {
        try {
          // Who is inside a dialog may be behind NAT: the connection it opened is the way to it.
          return await transport.flowTo(target, { reuseInbound: isSource ? 'source' : true })
        } catch (error) {
          last = error
        }
      }
      throw last
    },
  }
}
