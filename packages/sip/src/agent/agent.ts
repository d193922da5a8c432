// A SIP user agent (RFC 3261): transports, transactions and calls behind one door. It makes and takes calls, sends requests
// outside of calls, answers OPTIONS, and ends calls that another process left behind.
import type { MessageCore } from '../core.ts'
import { reasonHeader } from '../dialog/q850.ts'
import { replacesOf } from '../dialog/replaces.ts'
import { cancelOf, nextRequest } from '../dialog/requests.ts'
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../message.ts'
import { isFault, methods } from '../message.ts'
import { createResponse, faultReply, refusal } from '../replies.ts'
import { createTransactionLayer } from '../transaction/layer.ts'
import type { TransactionUser } from '../transaction/user.ts'
import { openSipTransport } from '../transport/transport.ts'
import type { SipFlow, TransportFault } from '../transport/types.ts'
import { isTransportError } from '../transport/types.ts'
import { parseUri } from '../uri.ts'
import type { AgentCore, Receiver, Waiter } from './core.ts'
import { allow, allowedMethods, callKey, createWays, supported, supportedOptions } from './core.ts'
import type { IncomingHooks } from './incoming.ts'
import { createIncoming } from './incoming.ts'
import { createOutgoing } from './outgoing.ts'
import { sdpType } from './session.ts'
import type { PlannedCall, SipAgent, SipAgentOptions, SipCall, SipOutcome, StoredCall } from './types.ts'

const abilities = {
  methods: allowedMethods,
  extensions: supportedOptions,
  contentTypes: [sdpType, 'application/dtmf-relay', 'application/dtmf', 'message/sipfrag', 'text/plain'],
}

/** Opens its sockets. Rejects with a TransportError when one cannot be. */
export async function openSipAgent(options: SipAgentOptions): Promise<SipAgent> {
  const { random, onError } = options
  const waiters = new Map<string, Waiter>()
  const invites = new Map<string, IncomingHooks>()
  const calls = new Map<string, Receiver>()
  const users = new Map<string, SipCall>()
  const byFlow = new Map<string, Set<string>>()
  const timers = new Set<NodeJS.Timeout>()
  const now = () => performance.now()
  const token = (bytes: number) => random(bytes).toString('hex')
  const chance = () => random(4).readUInt32BE() / 2 ** 32
  let isClosed = false
  let alarm: NodeJS.Timeout | undefined
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
      if (transaction !== '') note(flow as SipFlow, transaction)
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
    onResponse: (response, messageCore, transaction) =>
      guarded(() => waiters.get(transaction)?.onResponse(response, messageCore)),
    onStrayResponse(response, messageCore) {
      if (messageCore.cseq.method !== 'INVITE' || messageCore.fromTag === undefined) return
      const { callId, fromTag } = messageCore
      guarded(() => calls.get(callKey(callId, fromTag))?.onStrayResponse(response, messageCore))
    },
    onFailure(transaction, why) {
      guarded(() => {
        invites.get(transaction)?.onFailure(why)
        waiters.get(transaction)?.onFailure(why)
      })
    },
    onEnd(transaction) {
      waiters.delete(transaction)
      invites.delete(transaction)
      for (const [flow, transactions] of byFlow) {
        if (transactions.delete(transaction) && transactions.size === 0) byFlow.delete(flow)
      }
    },
  }
  const layer = createTransactionLayer({
    user,
    random,
    ...(options.timers === undefined ? {} : { timers: options.timers }),
  })

  const { onTrace: _trace, ...sockets } = options
  const transport = await openSipTransport({
    ...sockets,
    onMessage(message, messageCore, flow) {
      if (isClosed) return
      core.trace('in', message, messageCore, flow)
      if (message.kind === 'request') guarded(() => options.onSeen?.(flow))
      guarded(() => layer.receive(message, messageCore, flow, now()))
      rearm()
    },
    onFault: answerFault,
    onClosed(flow) {
      // What waits there for an answer will not get one.
      for (const transaction of byFlow.get(flow.id) ?? []) layer.transportFailed(transaction, now())
      byFlow.delete(flow.id)
      rearm()
    },
  })

  /** Which transactions wait on a connection; datagrams have none that could close. */
  function note(flow: SipFlow, transaction: string): void {
    if (!flow.reliable) return
    const known = byFlow.get(flow.id)
    if (known === undefined) byFlow.set(flow.id, new Set([transaction]))
    else known.add(transaction)
  }

  function answerFault(fault: TransportFault, flow: SipFlow): void {
    const reply = faultReply(fault, token(4))
    if (reply !== undefined && !isClosed) transport.send(reply, flow)
  }

  /** One timer for the next deadline of all transactions. */
  function rearm(): void {
    const deadline = layer.nextDeadlineMs ?? Number.POSITIVE_INFINITY
    if (deadline >= alarmMs || isClosed) return
    clearTimeout(alarm)
    alarmMs = deadline
    alarm = setTimeout(ring, Math.max(0, deadline - now()))
    alarm.unref()
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
    now,
    chance,
    token,
    ...createWays(options, transport, chance),
    headers: [{ name: 'User-Agent', value: options.product }],
    request(request, flow, waiter, branch) {
      const transaction = layer.request(request, flow, now(), branch)
      waiters.set(transaction, waiter)
      rearm()
      return transaction
    },
    sendAck(request, flow) {
      // A branch of its own: it is a transaction that nobody answers (§17).
      const sent = withBranch(request, `z9hG4bK${token(8)}`)
      core.trace('out', sent, undefined, flow)
      transport.send(sent, flow)
    },
    respond(transaction, response) {
      const isSent = layer.respond(transaction, { ...response, headers: [...response.headers, server] }, now())
      rearm()
      return isSent
    },
    after(ms, action) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        guarded(action)
      }, ms)
      timer.unref()
      timers.add(timer)
      return () => {
        timers.delete(timer)
        clearTimeout(timer)
      }
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
    if (receiver !== undefined) return receiver.onRequest(request, messageCore, flow, transaction)
    if (messageCore.toTag !== undefined) return void core.respond(transaction, core.refusal(request, 481))
    if (request.method === 'INVITE') return onInvite(request, messageCore, flow, transaction)
    void answerOther(request, messageCore, flow, transaction).catch(onError)
  }

  function onInvite(request: SipRequest, messageCore: MessageCore, flow: SipFlow, transaction: string): void {
    const refused = refusal(request, abilities, methods)
    if (refused !== undefined) {
      const parts = { toTag: token(8), headers: refused.headers ?? [] }
      return void core.respond(transaction, createResponse(request, refused.status, parts))
    }
    if (options.onCall === undefined || isClosed) return void core.respond(transaction, core.refusal(request, 480))
    core.respond(transaction, createResponse(request, 100))
    const replaces = replacedBy(request)
    if (isFault(replaces)) return void core.respond(transaction, core.refusal(request, replaces.status))
    const incoming = createIncoming(core, { request, core: messageCore, flow, transaction, replaces })
    invites.set(transaction, incoming)
    keep(incoming.call)
    options.onCall(incoming.call)
  }

  function replacedBy(request: SipRequest) {
    const replaces = replacesOf(request)
    if (replaces === undefined || isFault(replaces)) return replaces
    // As this side sees it, the To tag is ours.
    const call = users.get(replaces.callId)
    const { dialog } = call?.stored ?? {}
    const isOne = dialog?.localTag === replaces.toTag && (dialog.remoteTag ?? '0') === replaces.fromTag
    return isOne ? call : { ...noDialog, message: request }
  }

  async function answerOther(request: SipRequest, messageCore: MessageCore, flow: SipFlow, transaction: string) {
    const given = await options.onRequest?.(request, messageCore, flow)
    if (given !== undefined) {
      const { status, ...parts } = given
      return core.respond(transaction, createResponse(request, status, { toTag: token(8), ...parts }))
    }
    const refused = refusal(request, { ...abilities, methods: ['OPTIONS'] }, methods)
    const accept = { name: 'Accept', value: sdpType }
    const [status, headers] =
      refused === undefined ? [200, [allow, supported, accept]] : [refused.status, refused.headers ?? [allow]]
    return core.respond(transaction, createResponse(request, status, { toTag: token(8), headers }))
  }

  /** By Call-ID, for Replaces; forgotten when it is over. */
  function keep(call: SipCall): void {
    users.set(call.callId, call)
    const look = () => {
      if (call.phase !== 'ended') core.after(60_000, look)
      else if (users.get(call.callId) === call) users.delete(call.callId)
    }
    core.after(60_000, look)
  }

  const plan = (): PlannedCall => ({
    callId: `${token(12)}@${options.product.split('/')[0]?.toLowerCase() ?? 'sip'}`,
    localTag: token(8),
    branch: `z9hG4bK${token(12)}`,
  })

  async function endStored({ dialog, branch }: StoredCall, profile?: string): Promise<void> {
    const { phase, role } = dialog
    if (phase === 'ended' || (phase !== 'confirmed' && role === 'uas')) return
    if (phase !== 'confirmed') return cancelStored(dialog, branch, profile)
    const { nextHop } = nextRequest(dialog, 'BYE', { via: placeholder })
    const flow = await core.way(nextHop, profile)
    // Requests that were not stored may have used some numbers: any higher one will do (§12.2.1.1).
    const moved = { ...dialog, localCSeq: dialog.localCSeq + 1_000 }
    const { request } = nextRequest(moved, 'BYE', {
      via: core.via(flow),
      headers: [reasonHeader('Q.850', 41), ...core.headers],
    })
    await outcomeOf(request, flow)
  }

  /** CANCEL, and the ACK and BYE of an answer that was faster. */
  async function cancelStored(dialog: StoredCall['dialog'], branch: string | null, profile: string | undefined) {
    if (branch === null || dialog.localInviteCSeq === null) return
    const { nextHop } = cancelOf({ ...dialog, phase: 'calling' }, `${placeholder};branch=${branch}`)
    const flow = await core.way(nextHop, profile)
    const { request } = cancelOf({ ...dialog, phase: 'calling' }, `${core.via(flow)};branch=${branch}`)
    await new Promise<void>(resolve => {
      transport.send(request, flow, () => resolve())
      core.trace('out', request, undefined, flow)
    })
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
      const call = createOutgoing(core, callOptions, callOptions.planned ?? plan())
      keep(call)
      return call
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
    get calls() {
      return [...users.values()].filter(call => call.phase !== 'ended').length
    },
    get bound() {
      return transport.bound
    },
    async close() {
      isClosed = true
      clearTimeout(alarm)
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
      layer.clear()
      await transport.close()
    },
  }
}

const placeholder = 'SIP/2.0/UDP 192.0.2.1'
const noDialog = { fault: 'refused', status: 481, header: 'Replaces', detail: 'there is no such call' } as const

function callIdOf(message: SipMessage): string | undefined {
  return message.headers.find(({ name }) => name === 'Call-ID')?.value
}

function withBranch(request: SipRequest, branch: string): SipRequest {
  const [via, ...others] = request.headers
  if (via === undefined) return request
  return { ...request, headers: [{ name: via.name, value: `${via.value};branch=${branch}` }, ...others] }
}
