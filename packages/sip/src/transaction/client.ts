// Client transactions (RFC 3261 §17.1, RFC 6026): a request goes out until somebody answers. CANCEL is a transaction of its own,
// which is not reported to the user (§9.1): the outcome of its INVITE is.
import type { MessageCore } from '../core.ts'
import { isUniqueBranch } from '../core.ts'
import { isSameName } from '../header_names.ts'
import { readAll } from '../headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import { isFault } from '../message.ts'
import { createAck, createCancel } from '../replies.ts'
import { withParam } from '../scan.ts'
import { formatVia } from '../values.ts'
import type { Cause, ClientTransaction, Engine } from './engine.ts'
import { clientId, responseId } from './matching.ts'
import type { TransactionAction } from './tables.ts'
import { inviteClient, otherClient, statusEvent } from './tables.ts'
import type { Flow, TransactionUser } from './user.ts'

export type Clients = {
  request(request: SipRequest, flow: Flow, nowMs: number, branch?: string): string
  cancel(transaction: string, nowMs: number, headers: readonly SipHeader[]): boolean
  receive(response: SipResponse, core: MessageCore, nowMs: number): void
  perform(transaction: ClientTransaction, action: TransactionAction, cause: Cause): void
}

export function createClients(engine: Engine, user: TransactionUser, random: (bytes: number) => Buffer): Clients {
  return new ClientTransactions(engine, user, random)
}

/** Lives as long as its agent; the transactions themselves are kept by the engine. */
class ClientTransactions implements Clients {
  private readonly engine: Engine
  private readonly user: TransactionUser
  private readonly nextBranch

  constructor(engine: Engine, user: TransactionUser, random: (bytes: number) => Buffer) {
    this.engine = engine
    this.user = user
    this.nextBranch = createBranches(random)
  }

  request(asked: SipRequest, flow: Flow, nowMs: number, branch = this.nextBranch()): string {
    if (asked.method === 'ACK' || asked.method === 'CANCEL') {
      throw new RangeError(`${asked.method}: is not requested; an ACK of a 2xx is sent as it is, and cancel() cancels`)
    }
    if (!isUniqueBranch(branch)) throw new RangeError(`${branch}: is no branch of RFC 3261`)
    return this.open(withBranch(asked, branch), branch, flow, nowMs, false)
  }

  private open(sent: SipRequest, branch: string, flow: Flow, nowMs: number, isQuiet: boolean): string {
    const isInvite = sent.method === 'INVITE'
    const id = clientId(branch, sent.method)
    const transaction: ClientTransaction = {
      side: 'client',
      id,
      table: isInvite ? inviteClient : otherClient,
      flow,
      request: sent,
      isQuiet,
      state: isInvite ? 'calling' : 'trying',
      timers: [],
      cancelHeaders: undefined,
      isCancelled: false,
    }
    this.engine.begin(transaction, nowMs)
    this.user.send(sent, flow, id)
    return id
  }

  cancel(id: string, nowMs: number, headers: readonly SipHeader[]): boolean {
    const transaction = this.engine.find(id)
    if (transaction?.side !== 'client' || transaction.table !== inviteClient) return false
    const { state } = transaction
    if (state !== 'calling' && state !== 'proceeding') return false
    if (transaction.isCancelled) return true
    transaction.cancelHeaders ??= headers
    // Before a provisional response it could overtake its INVITE.
    if (state === 'proceeding') this.sendCancel(transaction, nowMs)
    return true
  }

  private sendCancel(invite: ClientTransaction, nowMs: number): void {
    if (invite.cancelHeaders === undefined || invite.isCancelled) return
    invite.isCancelled = true
    this.engine.start(invite, 'cancel', nowMs)
    const bare = createCancel(invite.request)
    const branch = invite.id.slice(clientId('', 'INVITE').length)
    this.open({ ...bare, headers: [...bare.headers, ...invite.cancelHeaders] }, branch, invite.flow, nowMs, true)
  }

  receive(response: SipResponse, core: MessageCore, nowMs: number): void {
    // It went astray: we send with one Via, so one comes back (§8.1.3.3).
    if (core.vias.length > 1) return
    const id = responseId(core)
    const transaction = id === undefined ? undefined : this.engine.find(id)
    if (transaction?.side === 'client') {
      this.engine.step(transaction, statusEvent(response.status), { nowMs, message: response, core })
    } else this.user.onStrayResponse(response, core)
  }

  perform(transaction: ClientTransaction, action: TransactionAction, cause: Cause): void {
    const { id, flow, isQuiet, request: sent } = transaction
    const response = cause.message as SipResponse
    switch (action) {
      case 'repeat':
        this.user.send(sent, flow, id)
        return
      case 'ack':
        // Each response is acknowledged with its own To: a proxy that forks without a state may let several through.
        this.user.send(createAck(sent, response), flow, id)
        return
      case 'cancel':
        this.sendCancel(transaction, cause.nowMs)
        return
      case 'pass':
        if (!isQuiet) this.user.onResponse(response, cause.core!, id)
        return
      case 'pass_stray':
        this.user.onStrayResponse(response, cause.core!)
        return
      case 'report_timeout':
        if (!isQuiet) this.user.onFailure(id, 'timeout')
        return
      case 'report_failure':
        if (!isQuiet) this.user.onFailure(id, 'transport')
    }
  }
}

/** §8.1.1.7: 96 random bits each. They are drawn for many at once: each drawing costs a fifth of a transaction. */
function createBranches(random: (bytes: number) => Buffer): () => string {
  let drawn = ''
  let at = 0
  return () => {
    if (at >= drawn.length) {
      drawn = random(12 * 64).toString('hex')
      at = 0
    }
    at += 24
    return `z9hG4bK${drawn.slice(at - 24, at)}`
  }
}

/** The top Via with a branch of ours, whatever it had. Throws a RangeError when there is none: sent-by is the caller's. */
function withBranch(request: SipRequest, branch: string): SipRequest {
  const index = request.headers.findIndex(line => isSameName(line.name, 'Via'))
  const line = request.headers[index]
  const vias = line && readAll({ ...request, headers: [{ name: 'Via', value: line.value }] }, 'Via')
  if (vias === undefined || isFault(vias)) throw new RangeError('Via: the request needs one that says who sends it')
  const value = [withParam(vias[0]!, 'branch', branch), ...vias.slice(1)].map(formatVia).join(', ')
  return { ...request, headers: request.headers.with(index, { name: 'Via', value }) }
}
