// A SIP user agent (RFC 3261): transports, transactions and calls behind one door. It makes and takes calls, sends requests
// outside of calls, answers OPTIONS, and ends calls that another process left behind.
import type { MessageCore } from '../core.ts'
import type { DigestAccount } from '../dialog/digest_client.ts'
import { replacesOf } from '../dialog/replaces.ts'
import type { SipMessage, SipRequest } from '../message.ts'
import { isFault } from '../message.ts'
import { createResponse, faultReply } from '../replies.ts'
import type { SipTransport } from '../transport/api.ts'
import type { Bound } from '../transport/bindings.ts'
import { openSipTransport } from '../transport/transport.ts'
import type { SipFlow, TransportFault } from '../transport/types.ts'
import { isTransportError, transportError } from '../transport/types.ts'
import type { Uri } from '../uri.ts'
import { parseUri } from '../uri.ts'
import { callReplaced } from './core.ts'
import { Exchange } from './exchange.ts'
import { createIncoming } from './incoming.ts'
import { createOutgoing } from './outgoing.ts'
import { endStoredCall } from './stored.ts'
import type { Strangers } from './strangers.ts'
import { createStrangers } from './strangers.ts'
import type {
  AgentCounts,
  CallOptions,
  PlannedCall,
  RequestOptions,
  SipAgent,
  SipAgentOptions,
  SipCall,
  SipOutcome,
  SipReply,
  StoredCall,
} from './types.ts'
import { beyondUs, usualReply } from './usual.ts'

/** What a closing agent gives the remote parties to answer its BYEs. */
const graceMs = 1_000

/** Opens its sockets. Rejects with a TransportError when one cannot be. */
export async function openSipAgent(options: SipAgentOptions): Promise<SipAgent> {
  let agent: Agent | undefined
  const { onTrace: _trace, timing: _timing, ...sockets } = options
  const transport = await openSipTransport({
    ...sockets,
    onMessage: (message, core, flow) => agent?.onMessage(message, core, flow),
    onFault: (fault, flow) => agent?.onFault(fault, flow),
    onClosed: flow => agent?.onFlowClosed(flow),
  })
  agent = new Agent(options, transport)
  return agent
}

/** Lives from when its sockets are open until `close`. */
class Agent implements SipAgent {
  private readonly options: SipAgentOptions
  private readonly core: Exchange
  private readonly strangers: Strangers
  private closing: Promise<void> | undefined
  private isClosing = false

  constructor(options: SipAgentOptions, transport: SipTransport) {
    this.options = options
    const core = new Exchange(options, transport, (request, messageCore, flow, transaction) =>
      this.onRequest(request, messageCore, flow, transaction),
    )
    this.core = core
    this.strangers = createStrangers({
      ...options,
      key: options.random(16),
      now: () => core.now(),
      isKnown: (request, messageCore) =>
        core.receiverOf(messageCore) !== undefined || core.layer.knows(request, messageCore),
      usual: usualReply,
      unfit: request => this.unfit(request),
      letIn: (request, messageCore, flow) => core.receive(request, messageCore, flow),
      send: (response, flow) => void transport.send(response, flow),
    })
  }

  onMessage(message: SipMessage, messageCore: MessageCore, flow: SipFlow): void {
    if (this.core.isClosed) return
    if (message.kind === 'request') {
      this.core.guarded(() => this.options.onSeen?.(flow))
      if (this.isDealtWith(message, messageCore, flow)) return
    }
    this.core.receive(message, messageCore, flow)
  }

  onFlowClosed(flow: SipFlow): void {
    this.core.flowClosed(flow)
  }

  onFault(fault: TransportFault, flow: SipFlow): void {
    const { message } = fault
    if (message?.kind === 'response' && !this.core.isClosed) {
      this.core.trace('in', message, undefined, flow)
      this.core.guarded(() => this.options.onUnreadable?.(fault, flow))
    }
    const reply = faultReply(fault, this.core.token(4))
    if (reply !== undefined && !this.core.isClosed) this.core.transport.send(reply, flow)
  }

  /** A mistake in screening lets nobody in. */
  private isDealtWith(request: SipRequest, messageCore: MessageCore, flow: SipFlow): boolean {
    let isDone = true
    this.core.guarded(() => {
      isDone = this.strangers.answered(request, messageCore, flow)
    })
    return isDone
  }

  private onRequest(request: SipRequest, messageCore: MessageCore, flow: SipFlow, transaction: string): void {
    const receiver = this.core.receiverOf(messageCore)
    if (receiver !== undefined) {
      receiver.onRequest(request, messageCore, flow, transaction)
      return
    }
    if (messageCore.toTag !== undefined) return void this.core.respond(transaction, this.core.refusal(request, 481))
    if (request.method === 'INVITE') {
      this.onInvite(request, messageCore, flow, transaction)
      return
    }
    void this.answerOther(request, messageCore, flow, transaction).catch(this.options.onError)
  }

  private onInvite(request: SipRequest, messageCore: MessageCore, flow: SipFlow, transaction: string): void {
    const replaces = this.replacedBy(request)
    // Those were refused as unfit.
    if (this.options.onCall === undefined || isFault(replaces)) return
    this.core.respond(transaction, createResponse(request, 100))
    const incoming = createIncoming(this.core, { request, core: messageCore, flow, transaction, replaces })
    this.core.invites.set(transaction, incoming)
    try {
      this.options.onCall(incoming)
    } catch (error) {
      incoming.reject(500)
      throw error
    }
  }

  /** Why an INVITE is refused before there is anything of a call. */
  private unfit(request: SipRequest): SipReply | undefined {
    if (request.method !== 'INVITE') return undefined
    const beyond = beyondUs(request)
    if (beyond !== undefined) return beyond
    if (this.isClosing) return { status: 503 }
    if (this.options.onCall === undefined) return { status: 480 }
    const replaces = this.replacedBy(request)
    return isFault(replaces) ? { status: replaces.status } : undefined
  }

  private replacedBy(request: SipRequest) {
    const replaces = replacesOf(request)
    return replaces === undefined || isFault(replaces) ? replaces : callReplaced(this.core.calls, replaces)
  }

  private async answerOther(request: SipRequest, messageCore: MessageCore, flow: SipFlow, transaction: string) {
    let given: SipReply | undefined
    try {
      given = await this.options.onRequest?.(request, messageCore, flow)
    } catch (error) {
      this.options.onError(error)
      given = { status: 500 }
    }
    if (given !== undefined) {
      const { status, ...parts } = given
      return this.core.respond(transaction, createResponse(request, status, { toTag: this.core.token(8), ...parts }))
    }
    const { status, ...parts } = usualReply(request)
    return this.core.respond(transaction, createResponse(request, status, { toTag: this.core.token(8), ...parts }))
  }

  private outcomeOf(request: SipRequest, flow: SipFlow): Promise<SipOutcome> {
    return new Promise(resolve => {
      this.core.request(request, flow, {
        onResponse(response, messageCore) {
          if (response.status >= 200) resolve({ response, core: messageCore, request, flow })
        },
        onFailure: why => resolve({ failed: why === 'timeout' ? 'timeout' : 'transport', detail: 'nobody answered' }),
      })
    })
  }

  plan(): PlannedCall {
    const { core } = this
    const domain = this.options.product.split('/')[0]?.toLowerCase() ?? 'sip'
    return { callId: `${core.token(12)}@${domain}`, localTag: core.token(8), branch: `z9hG4bK${core.token(12)}` }
  }

  call(options: CallOptions): SipCall {
    return createOutgoing(this.core, options, options.planned ?? this.plan())
  }

  async endStored(stored: StoredCall, profile?: string, account?: DigestAccount): Promise<void> {
    try {
      await endStoredCall(stored, {
        core: this.core,
        outcomeOf: (request, flow) => this.outcomeOf(request, flow),
        profile,
        account,
      })
    } catch (error) {
      // Where it was cannot be reached: nothing more can be done for it.
      if (!isTransportError(error)) throw error
      this.options.onUnreachable?.(error)
    }
  }

  async request(
    build: (via: string, contactHost: string) => SipRequest,
    to: string,
    { profile }: RequestOptions = {},
  ): Promise<SipOutcome> {
    const uri = parseUri(to)
    if (isFault(uri)) return { failed: 'not_found', detail: uri.detail }
    try {
      const flow = await this.core.way(uri, profile)
      const { host, port } = this.core.transport.sentBy(flow)
      return await this.outcomeOf(build(this.core.via(flow), `${host}:${port}`), flow)
    } catch (error) {
      if (!isTransportError(error)) throw error
      const isUnknown = error.code === 'not_found' || error.code === 'dns_failed' || error.code === 'unsupported'
      return { failed: isUnknown ? 'not_found' : 'transport', detail: error.message }
    }
  }

  async contactTo(text: string, { profile }: RequestOptions = {}): Promise<string> {
    const { host, port } = this.core.transport.sentBy(await this.core.way(uriOf(text), profile))
    return `${host}:${port}`
  }

  async addressesOf(text: string): Promise<string[]> {
    const targets = await this.core.targets(uriOf(text), undefined)
    return [...new Set(targets.map(({ address }) => address))]
  }

  retire(profile: string): void {
    const { core } = this
    const flows = core.transport.retire(profile)
    const closeAll = () => {
      for (const flow of flows) core.transport.closeFlow(flow)
    }
    if (flows.length > 0) core.after(core.tailMs, closeAll)
  }

  get calls(): number {
    return this.core.live.size
  }

  get bound(): readonly Bound[] {
    return this.core.transport.bound
  }

  get counts(): AgentCounts {
    const { live, calls, layer, waiting, timerCount } = this.core
    const known = new Set([...calls.values()].map(({ call }) => call)).size
    const { held } = this.strangers
    return { live: live.size, known, transactions: layer.size, waiting, held, timers: timerCount }
  }

  close(): Promise<void> {
    this.closing ??= this.closeAll()
    return this.closing
  }

  private async closeAll(): Promise<void> {
    this.isClosing = true
    for (const call of this.core.live) this.core.guarded(() => call.end({ q850: 41, status: 503 }))
    await this.core.settle(graceMs)
    this.core.close()
    await this.core.transport.close()
  }
}

function uriOf(text: string): Uri {
  const uri = parseUri(text)
  if (isFault(uri)) throw transportError('unsupported', uri.detail)
  return uri
}
