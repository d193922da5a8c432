// Server transactions (RFC 3261 §17.2, RFC 6026): a request reaches the user once, and its answer is repeated as often as it is
// asked for. CANCEL (§9.2) and requests that came twice over different ways (§8.2.2.2) are answered here.
import { createHash } from 'node:crypto'
import type { MessageCore } from '../core.ts'
import { readOne } from '../headers.ts'
import type { SipRequest, SipResponse } from '../message.ts'
import { isFault, methods } from '../message.ts'
import { createResponse } from '../replies.ts'
import { param } from '../scan.ts'
import type { Cause, Engine, ReliableProvisional, ServerTransaction } from './engine.ts'
import { isOldStyle, sequenceKey, serverId } from './matching.ts'
import type { TransactionAction } from './tables.ts'
import { inviteServer, otherServer, statusEvent } from './tables.ts'
import type { Flow, TransactionUser } from './user.ts'

export type Servers = {
  receive(request: SipRequest, core: MessageCore, flow: Flow, nowMs: number): void
  /** Whether a request is of a transaction that there is: a copy, or the CANCEL of one. */
  knows(request: SipRequest, core: MessageCore): boolean
  respond(transaction: string, response: SipResponse, nowMs: number): boolean
  acked(transaction: string): boolean
  pracked(request: SipRequest, core: MessageCore): string | undefined
  perform(transaction: ServerTransaction, action: TransactionAction, cause: Cause): void
  /** No copy, ACK or PRACK is for it any more. */
  forget(transaction: ServerTransaction): void
  clear(): void
}

/** What a CANCEL may mean besides an INVITE. */
const others = methods.filter(method => method !== 'INVITE' && method !== 'ACK' && method !== 'CANCEL')

export type ServersOptions = { random: (bytes: number) => Buffer; maxTransactions: number }

export function createServers(engine: Engine, user: TransactionUser, options: ServersOptions): Servers {
  return new ServerTransactions(engine, user, options)
}

/** Lives as long as its agent; the transactions themselves are kept by the engine. */
class ServerTransactions implements Servers {
  private readonly engine: Engine
  private readonly user: TransactionUser
  private readonly random: ServersOptions['random']
  private readonly maxTransactions: number
  /** Those that a copy, an ACK of a 2xx or a PRACK may mean; see `sequenceKey`. */
  private readonly sequences = new Map<string, ServerTransaction>()

  constructor(engine: Engine, user: TransactionUser, { random, maxTransactions }: ServersOptions) {
    this.engine = engine
    this.user = user
    this.random = random
    this.maxTransactions = maxTransactions
  }

  receive(request: SipRequest, core: MessageCore, flow: Flow, nowMs: number): void {
    if (request.method === 'ACK') {
      this.receiveAck(request, core, flow, nowMs)
      return
    }
    const id = serverId(request, core)
    const known = this.find(id)
    if (known !== undefined) {
      this.engine.step(known, 'request', { nowMs })
    } else if (this.engine.size >= this.roomFor(request, core)) {
      this.refuse(request, core, flow, id)
    } else if (request.method === 'CANCEL') {
      this.receiveCancel(request, core, flow, id, nowMs)
    } else if (this.isCopy(request, core)) {
      this.answer(this.open(id, request, core, flow, nowMs, true), 482, nowMs)
    } else {
      this.open(id, request, core, flow, nowMs, false)
      this.user.onRequest(request, core, flow, id)
    }
  }

  knows(request: SipRequest, core: MessageCore): boolean {
    if (this.find(serverId(request, core)) !== undefined) return true
    return request.method === 'CANCEL' && this.isCancelOfKnown(request, core)
  }

  /** That of another request than INVITE is always late, and changes nothing (§9.2). */
  private isCancelOfKnown(request: SipRequest, core: MessageCore): boolean {
    return ['INVITE', ...others].some(method => this.find(serverId(request, core, method)) !== undefined)
  }

  private find(id: string): ServerTransaction | undefined {
    const transaction = this.engine.find(id)
    return transaction?.side === 'server' ? transaction : undefined
  }

  private open(
    id: string,
    request: SipRequest,
    core: MessageCore,
    flow: Flow,
    nowMs: number,
    isQuiet: boolean,
  ): ServerTransaction {
    const isInvite = request.method === 'INVITE'
    const transaction: ServerTransaction = {
      side: 'server',
      id,
      table: isInvite ? inviteServer : otherServer,
      flow,
      request,
      isQuiet,
      state: isInvite ? 'proceeding' : 'trying',
      timers: [],
      hasToTag: core.toTag !== undefined,
      sequence: sequenceKey(core, core.cseq.number, request.method),
      response: undefined,
      isCancelled: false,
      isAcknowledged: false,
      unacknowledged: [],
    }
    this.engine.begin(transaction, nowMs)
    if (!isQuiet && (isInvite || this.isOutOfDialog(core))) this.sequences.set(transaction.sequence, transaction)
    return transaction
  }

  /** An answer that the layer gives by itself. */
  private answer(transaction: ServerTransaction, status: number, nowMs: number, toTag = this.createTag()): void {
    const response = createResponse(transaction.request, status, { toTag })
    this.engine.step(transaction, statusEvent(status), { nowMs, message: response })
  }

  private createTag(): string {
    return this.random(8).toString('hex')
  }

  /** A request outside of a dialog that a transaction is at work on already, though it came another way (§8.2.2.2). */
  private isCopy(request: SipRequest, core: MessageCore): boolean {
    if (!this.isOutOfDialog(core)) return false
    const other = this.sequences.get(sequenceKey(core, core.cseq.number, request.method))
    return other !== undefined && !other.hasToTag
  }

  /** Without a From tag, as in RFC 2543, copies cannot be distinguished from other requests. */
  private isOutOfDialog({ toTag, fromTag }: MessageCore): boolean {
    return toTag === undefined && fromTag !== undefined
  }

  /** What ends calls must still get through when there is no room for new ones. */
  private roomFor(request: SipRequest, core: MessageCore): number {
    return core.toTag !== undefined || request.method === 'CANCEL' ? 2 * this.maxTransactions : this.maxTransactions
  }

  /** More is asked of us than we can keep: without a state, so with the same tag each time (§8.2.7). */
  private refuse(request: SipRequest, core: MessageCore, flow: Flow, id: string): void {
    const toTag = createHash('sha256').update(id).update(core.callId).digest('hex').slice(0, 16)
    const headers = [{ name: 'Retry-After', value: '10' }]
    this.user.send(createResponse(request, 503, { toTag, headers }), flow, '')
  }

  private receiveAck(request: SipRequest, core: MessageCore, flow: Flow, nowMs: number): void {
    const matched = this.find(serverId(request, core, 'INVITE')) ?? this.findOld(request, core)
    // A transaction that was refused takes its ACK for itself; in a wrong state it means nothing.
    if (matched !== undefined && matched.state !== 'accepted') {
      this.engine.step(matched, 'ack', { nowMs })
      return
    }
    const invite = matched ?? this.findAccepted(core)
    if (invite === undefined) this.user.onAck(request, core, flow, undefined)
    else this.engine.step(invite, 'ack', { nowMs, message: request, core, flow })
  }

  /** RFC 2543: the To of the ACK has the tag of our response, that of the INVITE had perhaps none (§17.2.3). */
  private findOld(request: SipRequest, core: MessageCore): ServerTransaction | undefined {
    if (!isOldStyle(core)) return undefined
    const invite = this.find(serverId(request, core, 'INVITE', ''))
    return invite !== undefined && tagOf(invite.response) === core.toTag ? invite : undefined
  }

  /** The ACK of a 2xx has a branch of its own; tags, Call-ID and number of CSeq make it the INVITE's (§13.2.2.4). */
  private findAccepted(core: MessageCore): ServerTransaction | undefined {
    const invite = this.sequences.get(sequenceKey(core, core.cseq.number, 'INVITE'))
    return invite?.state === 'accepted' && tagOf(invite.response) === core.toTag ? invite : undefined
  }

  private receiveCancel(request: SipRequest, core: MessageCore, flow: Flow, id: string, nowMs: number): void {
    const invite = this.find(serverId(request, core, 'INVITE'))
    const isKnown = this.isCancelOfKnown(request, core)
    const cancel = this.open(id, request, core, flow, nowMs, true)
    this.answer(cancel, isKnown ? 200 : 481, nowMs, tagOf(invite?.response))
    if (invite === undefined) return
    if (invite.state !== 'proceeding' || invite.isCancelled || invite.isQuiet) return
    invite.isCancelled = true
    this.user.onCancel(invite.id, request, core)
  }

  respond(id: string, response: SipResponse, nowMs: number): boolean {
    const transaction = this.find(id)
    if (transaction === undefined || transaction.isQuiet) return false
    return this.engine.step(transaction, statusEvent(response.status), { nowMs, message: response })
  }

  acked(id: string): boolean {
    const transaction = this.find(id)
    if (transaction?.state !== 'accepted') return false
    transaction.isAcknowledged = true
    this.engine.stop(transaction, 'again')
    return true
  }

  pracked(request: SipRequest, core: MessageCore): string | undefined {
    const rack = readOne(request, 'RAck')
    if (rack === undefined || isFault(rack)) return undefined
    const invite = this.sequences.get(sequenceKey(core, rack.cseq, rack.method))
    const index = invite?.unacknowledged.findIndex(({ rseq }) => rseq === rack.rseq) ?? -1
    const provisional = invite?.unacknowledged[index]
    if (invite === undefined || provisional === undefined || tagOf(provisional.response) !== core.toTag)
      return undefined
    invite.unacknowledged.splice(index, 1)
    this.engine.stop(invite, 'reliable', provisional)
    this.engine.stop(invite, 'prack', provisional)
    return invite.id
  }

  perform(transaction: ServerTransaction, action: TransactionAction, cause: Cause): void {
    const { id, flow, isQuiet } = transaction
    switch (action) {
      case 'send':
        this.send(transaction, cause.message as SipResponse, cause.nowMs)
        return
      case 'repeat':
        if (transaction.response !== undefined) this.user.send(transaction.response, flow, id)
        return
      case 'trying':
        this.send(transaction, createResponse(transaction.request, 100), cause.nowMs)
        return
      case 'repeat_reliable':
        this.user.send(cause.provisional!.response, flow, id)
        return
      case 'report_unacknowledged':
        this.engine.stop(transaction, 'reliable', cause.provisional)
        this.user.onFailure(id, 'unacknowledged')
        return
      case 'acknowledged':
        this.acked(id)
        this.user.onAck(cause.message as SipRequest, cause.core!, cause.flow!, id)
        return
      case 'expect_ack':
        if (!transaction.isAcknowledged) this.user.onFailure(id, 'timeout')
        return
      case 'report_timeout':
        if (!isQuiet) this.user.onFailure(id, 'timeout')
        return
      case 'report_failure':
        if (!isQuiet) this.user.onFailure(id, 'transport')
    }
  }

  private send(transaction: ServerTransaction, response: SipResponse, nowMs: number): void {
    transaction.response = response
    this.engine.stop(transaction, 'trying')
    // Who has to prove itself asks again, and not all count CSeq on as they must (§22.2): that is no copy.
    if (response.status === 401 || response.status === 407) this.forget(transaction)
    const provisional = reliableOf(transaction, response)
    if (provisional !== undefined) {
      transaction.unacknowledged.push(provisional)
      this.engine.start(transaction, 'reliable', nowMs, provisional)
      this.engine.start(transaction, 'prack', nowMs, provisional)
    }
    this.user.send(response, transaction.flow, transaction.id)
  }

  forget(transaction: ServerTransaction): void {
    if (this.sequences.get(transaction.sequence) === transaction) this.sequences.delete(transaction.sequence)
  }

  clear(): void {
    this.sequences.clear()
  }
}

/** A provisional response to an INVITE with RSeq wants a PRACK (RFC 3262 §3). */
function reliableOf({ request }: ServerTransaction, response: SipResponse): ReliableProvisional | undefined {
  if (request.method !== 'INVITE' || response.status <= 100 || response.status >= 200) return undefined
  const rseq = readOne(response, 'RSeq')
  return rseq === undefined || isFault(rseq) ? undefined : { rseq, response }
}

function tagOf(response: SipResponse | undefined): string | undefined {
  const to = response && readOne(response, 'To')
  return to === undefined || isFault(to) ? undefined : param(to, 'tag')
}
