// A SIP user agent (RFC 3261): transports, transactions and calls behind one door. It makes and takes calls, sends requests
// outside of calls, answers OPTIONS, and ends calls that another process left behind.
import type { MessageCore } from '../core.ts'
import type { DigestAccount } from '../dialog/digest_client.ts'
import { replacesOf } from '../dialog/replaces.ts'
import type { SipHeader, SipMessage, SipRequest } from '../message.ts'
import { isFault } from '../message.ts'
import { createResponse, faultReply } from '../replies.ts'
import { systemTiming } from '../rtp/clock.ts'
import { createTransactionLayer } from '../transaction/layer.ts'
import { defaultTransactionTimers } from '../transaction/timers.ts'
import type { TransactionUser } from '../transaction/user.ts'
import { openSipTransport } from '../transport/transport.ts'
import type { SipFlow, TransportFault } from '../transport/types.ts'
import { isTransportError, transportError } from '../transport/types.ts'
import { parseUri } from '../uri.ts'
import type { AgentCore, FailureListener, Receiver, Waiter } from './core.ts'
import { callKey, callReplaced, createWays } from './core.ts'
import type { IncomingHooks } from './incoming.ts'
import { createIncoming } from './incoming.ts'
import { createOutgoing } from './outgoing.ts'
import { endStoredCall } from './stored.ts'
import { createStrangers } from './strangers.ts'
import type { PlannedCall, SipAgent, SipAgentOptions, SipCall, SipOutcome, SipReply, StoredCall } from './types.ts'
import { beyondUs, usualReply } from './usual.ts'

/** What a closing agent gives the other sides to answer its BYEs. */
const graceMs = 1_000
const longestMs = 2 ** 31 - 1

/** Opens its sockets. Rejects with a TransportError when one cannot be. */
export async function openSipAgent(options: SipAgentOptions): Promise<SipAgent> {
  const { random, onError } = options
  const waiters = new Map<string, Waiter>()
  /** Transactions of ours without a final response. */
  const open = new Set<string>()
  const invites = new Map<string, IncomingHooks>()
  const calls = new Map<string, Receiver>()
  const live = new Set<SipCall>()
  const failures = new Map<string, FailureListener>()
  /** Which transactions of ours wait on a connection, and on which one each. */
  const byFlow = new Map<string, Set<string>>()
  const flowOf = new Map<string, string>()
  const timers = new Set<unknown>()
  const pauses = new Set<() => void>()
  const timing = options.timing ?? systemTiming
  const now = () => timing.now()
  const t1Ms = options.timers?.t1Ms ?? defaultTransactionTimers.t1Ms
  const token = (bytes: number) => random(bytes).toString('hex')
  const chance = () => random(4).readUInt32BE() / 2 ** 32
  let isClosed = false
  let alarm: unknown
  let alarmMs = Number.POSITIVE_INFINITY

  /** A mistake in one handler does not stop the others. */
  function guarded(action: () => void): void {
    try {
      action()
    } catch (error) {
      onError(error)
    }
  }

  const user: TransactionUser = {
    send(message, flow, transaction) {
      core.trace('out', message, undefined, flow as SipFlow)
      if (message.kind === 'request') note(flow as SipFlow, transaction)
      transport.send(message, flow as SipFlow, error => {
        if (error === undefined || transaction === '') return
        layer.transportFailed(transaction, now())
        rearm()
      })
    },
    onRequest: (request, messageCore, flow, transaction) =>
      guarded(() => onRequest(request, messageCore, flow as SipFlow, transaction)),
    onAck(request, messageCore) {
      guarded(() => receiverOf(messageCore)?.onAck(request, messageCore))
    },
    onCancel: (transaction, request) => guarded(() => invites.get(transaction)?.onCancel(request)),
    onResponse(response, messageCore, transaction) {
      if (response.status >= 200) open.delete(transaction)
      guarded(() => waiters.get(transaction)?.onResponse(response, messageCore))
    },
    onStrayResponse(response, messageCore) {
      const { callId, fromTag } = messageCore
      if (fromTag === undefined) return
      guarded(() => calls.get(callKey(callId, fromTag))?.onStrayResponse(response, messageCore))
    },
    onFailure(transaction, why) {
      guarded(() => {
        invites.get(transaction)?.onFailure(why)
        failures.get(transaction)?.(why)
        waiters.get(transaction)?.onFailure(why)
      })
    },
    onEnd(transaction) {
      waiters.delete(transaction)
      open.delete(transaction)
      invites.delete(transaction)
      failures.delete(transaction)
      const flow = flowOf.get(transaction)
      if (flow === undefined) return
      flowOf.delete(transaction)
      const transactions = byFlow.get(flow)
      if (transactions?.delete(transaction) && transactions.size === 0) byFlow.delete(flow)
    },
  }
  const layer = createTransactionLayer({
    user,
    random,
    ...(options.timers === undefined ? {} : { timers: options.timers }),
  })

  const { onTrace: _trace, timing: _timing, ...sockets } = options
  const transport = await openSipTransport({
    ...sockets,
    onMessage(message, messageCore, flow) {
      if (isClosed) return
      if (message.kind === 'request') {
        guarded(() => options.onSeen?.(flow))
        if (isDealtWith(message, messageCore, flow)) return
      }
      take(message, messageCore, flow)
    },
    onFault: answerFault,
    onClosed(flow) {
      // What waits there for an answer will not get one.
      for (const transaction of byFlow.get(flow.id) ?? []) layer.transportFailed(transaction, now())
      byFlow.delete(flow.id)
      rearm()
    },
  })

  function take(message: SipMessage, messageCore: MessageCore, flow: SipFlow): void {
    if (isClosed) return
    core.trace('in', message, messageCore, flow)
    guarded(() => layer.receive(message, messageCore, flow, now()))
    rearm()
  }

  /** Datagrams have no connection that could close; and answers find another one (§18.2.2). */
  function note(flow: SipFlow, transaction: string): void {
    if (!flow.reliable || transaction === '') return
    flowOf.set(transaction, flow.id)
    const known = byFlow.get(flow.id)
    if (known === undefined) byFlow.set(flow.id, new Set([transaction]))
    else known.add(transaction)
  }

  function answerFault(fault: TransportFault, flow: SipFlow): void {
    const { message } = fault
    if (message?.kind === 'response' && !isClosed) {
      core.trace('in', message, undefined, flow)
      guarded(() => options.onUnreadable?.(fault, flow))
    }
    const reply = faultReply(fault, token(4))
    if (reply !== undefined && !isClosed) transport.send(reply, flow)
  }

  /** One timer for the next deadline of all transactions. */
  function rearm(): void {
    const deadline = layer.nextDeadlineMs ?? Number.POSITIVE_INFINITY
    if (deadline >= alarmMs || isClosed) return
    timing.clearTimeout(alarm)
    alarmMs = deadline
    alarm = timing.setTimeout(ring, Math.min(Math.max(0, deadline - now()), longestMs))
    unref(alarm)
  }

  function ring(): void {
    alarmMs = Number.POSITIVE_INFINITY
    guarded(() => layer.tick(now()))
    rearm()
  }

  const core: AgentCore = {
    options,
    transport,
    layer,
    calls,
    live,
    failures,
    t1Ms,
    tailMs: 64 * t1Ms,
    now,
    chance,
    token,
    ...createWays(options, transport, chance),
    headers: [{ name: 'User-Agent', value: options.product }],
    request(request, flow, waiter, branch) {
      const transaction = layer.request(request, flow, now(), branch)
      waiters.set(transaction, waiter)
      open.add(transaction)
      rearm()
      return transaction
    },
    send(message, flow) {
      core.trace('out', message, undefined, flow)
      transport.send(message, flow)
    },
    sendAck(request, flow) {
      // A branch of its own: it is a transaction that nobody answers (§17).
      core.send(withBranch(request, `z9hG4bK${token(8)}`), flow)
    },
    respond(transaction, response) {
      const isSent = layer.respond(transaction, { ...response, headers: [...response.headers, server] }, now())
      rearm()
      return isSent
    },
    after(ms, action) {
      if (isClosed) return () => {}
      // Whoever waits longer than a timer can looks at the time again.
      const timer = timing.setTimeout(
        () => {
          timers.delete(timer)
          guarded(action)
        },
        Math.min(ms, longestMs),
      )
      unref(timer)
      timers.add(timer)
      return () => {
        timers.delete(timer)
        timing.clearTimeout(timer)
      }
    },
    pause(ms) {
      if (isClosed) return Promise.resolve()
      return new Promise(resolve => {
        const stop = core.after(ms, done)
        pauses.add(done)
        function done(): void {
          stop()
          pauses.delete(done)
          resolve()
        }
      })
    },
    rearm,
    refusal: (request, status) => createResponse(request, status, { toTag: token(8) }),
    trace(direction, message, messageCore, flow) {
      if (options.onTrace === undefined) return
      const callId = messageCore?.callId ?? callIdOf(message)
      if (callId !== undefined) options.onTrace({ callId, direction, message, flow, atMs: Date.now() })
    },
  }
  const server: SipHeader = { name: 'Server', value: options.product }

  function receiverOf({ callId, toTag }: MessageCore): Receiver | undefined {
    return toTag === undefined ? undefined : calls.get(callKey(callId, toTag))
  }

  function onRequest(request: SipRequest, messageCore: MessageCore, flow: SipFlow, transaction: string): void {
    const receiver = receiverOf(messageCore)
    if (receiver !== undefined) {
      receiver.onRequest(request, messageCore, flow, transaction)
      return
    }
    if (messageCore.toTag !== undefined) return void core.respond(transaction, core.refusal(request, 481))
    if (request.method === 'INVITE') {
      onInvite(request, messageCore, flow, transaction)
      return
    }
    void answerOther(request, messageCore, flow, transaction).catch(onError)
  }

  function onInvite(request: SipRequest, messageCore: MessageCore, flow: SipFlow, transaction: string): void {
    const replaces = replacedBy(request)
    // Those were refused as unfit.
    if (options.onCall === undefined || isFault(replaces)) return
    core.respond(transaction, createResponse(request, 100))
    const incoming = createIncoming(core, { request, core: messageCore, flow, transaction, replaces })
    invites.set(transaction, incoming)
    try {
      options.onCall(incoming.call)
    } catch (error) {
      incoming.call.reject(500)
      throw error
    }
  }

  /** Why an INVITE is refused before there is anything of a call. */
  function unfit(request: SipRequest): SipReply | undefined {
    if (request.method !== 'INVITE') return undefined
    const beyond = beyondUs(request)
    if (beyond !== undefined) return beyond
    if (isClosing) return { status: 503 }
    if (options.onCall === undefined) return { status: 480 }
    const replaces = replacedBy(request)
    return isFault(replaces) ? { status: replaces.status } : undefined
  }

  function replacedBy(request: SipRequest) {
    const replaces = replacesOf(request)
    return replaces === undefined || isFault(replaces) ? replaces : callReplaced(calls, replaces)
  }

  async function answerOther(request: SipRequest, messageCore: MessageCore, flow: SipFlow, transaction: string) {
    let given: SipReply | undefined
    try {
      given = await options.onRequest?.(request, messageCore, flow)
    } catch (error) {
      options.onError(error)
      given = { status: 500 }
    }
    if (given !== undefined) {
      const { status, ...parts } = given
      return core.respond(transaction, createResponse(request, status, { toTag: token(8), ...parts }))
    }
    const { status, ...parts } = usualReply(request)
    return core.respond(transaction, createResponse(request, status, { toTag: token(8), ...parts }))
  }

  const strangers = createStrangers({
    ...options,
    key: random(16),
    now,
    isKnown: (request, messageCore) => receiverOf(messageCore) !== undefined || layer.knows(request, messageCore),
    usual: usualReply,
    unfit,
    letIn: take,
    send: (response, flow) => void transport.send(response, flow),
  })

  /** A mistake in screening lets nobody in. */
  function isDealtWith(request: SipRequest, messageCore: MessageCore, flow: SipFlow): boolean {
    let isDone = true
    guarded(() => {
      isDone = strangers.answered(request, messageCore, flow)
    })
    return isDone
  }

  const plan = (): PlannedCall => ({
    callId: `${token(12)}@${options.product.split('/')[0]?.toLowerCase() ?? 'sip'}`,
    localTag: token(8),
    branch: `z9hG4bK${token(12)}`,
  })

  async function endStored(stored: StoredCall, profile?: string, account?: DigestAccount): Promise<void> {
    try {
      await endStoredCall(stored, { core, outcomeOf, profile, account })
    } catch (error) {
      // Where it was cannot be reached: nothing more can be done for it.
      if (!isTransportError(error)) throw error
      options.onUnreachable?.(error)
    }
  }

  let closing: Promise<void> | undefined
  let isClosing = false

  async function close(): Promise<void> {
    isClosing = true
    for (const call of live) guarded(() => call.end({ q850: 41, status: 503 }))
    const endMs = performance.now() + graceMs
    // Names may have to be looked up before anything leaves.
    do await new Promise(resolve => setTimeout(resolve, 10))
    while (open.size > 0 && performance.now() < endMs)
    isClosed = true
    timing.clearTimeout(alarm)
    for (const timer of timers) timing.clearTimeout(timer)
    timers.clear()
    layer.clear()
    // Whoever still waits hears that nothing will come.
    for (const waiter of waiters.values()) guarded(() => waiter.onFailure('transport'))
    waiters.clear()
    for (const done of pauses) done()
    await transport.close()
  }

  function outcomeOf(request: SipRequest, flow: SipFlow): Promise<SipOutcome> {
    return new Promise(resolve => {
      core.request(request, flow, {
        onResponse(response, messageCore) {
          if (response.status >= 200) resolve({ response, core: messageCore, request, flow })
        },
        onFailure: why => resolve({ failed: why === 'timeout' ? 'timeout' : 'transport', detail: 'nobody answered' }),
      })
    })
  }

  return {
    plan,
    endStored,
    call(callOptions) {
      return createOutgoing(core, callOptions, callOptions.planned ?? plan())
    },
    async request(build, to, { profile } = {}) {
      const uri = parseUri(to)
      if (isFault(uri)) return { failed: 'not_found', detail: uri.detail }
      try {
        const flow = await core.way(uri, profile)
        const { host, port } = transport.sentBy(flow)
        return await outcomeOf(build(core.via(flow), `${host}:${port}`), flow)
      } catch (error) {
        if (!isTransportError(error)) throw error
        const isUnknown = error.code === 'not_found' || error.code === 'dns_failed' || error.code === 'unsupported'
        return { failed: isUnknown ? 'not_found' : 'transport', detail: error.message }
      }
    },
    async contactTo(text, { profile } = {}) {
      const uri = parseUri(text)
      if (isFault(uri)) throw transportError('unsupported', uri.detail)
      const { host, port } = transport.sentBy(await core.way(uri, profile))
      return `${host}:${port}`
    },
    async addressesOf(text) {
      const uri = parseUri(text)
      if (isFault(uri)) throw transportError('unsupported', uri.detail)
      const targets = await core.targets(uri, undefined)
      return [...new Set(targets.map(({ address }) => address))]
    },
    retire(profile) {
      const flows = transport.retire(profile)
      if (flows.length > 0) core.after(core.tailMs, () => flows.forEach(transport.closeFlow))
    },
    get calls() {
      return live.size
    },
    get bound() {
      return transport.bound
    },
    get counts() {
      const known = new Set([...calls.values()].map(({ call }) => call)).size
      const { held } = strangers
      return { live: live.size, known, transactions: layer.size, waiting: waiters.size, held, timers: timers.size }
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

function unref(timer: unknown): void {
  ;(timer as { unref?(): void } | undefined)?.unref?.()
}

function callIdOf(message: SipMessage): string | undefined {
  return message.headers.find(({ name }) => name === 'Call-ID')?.value
}

function withBranch(request: SipRequest, branch: string): SipRequest {
  const [via, ...others] = request.headers
  if (via === undefined) return request
  return { ...request, headers: [{ name: via.name, value: `${via.value};branch=${branch}` }, ...others] }
}
