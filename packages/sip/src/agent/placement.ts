// Where an INVITE of ours goes (RFC 3261 §13.2, RFC 3263 §4.3): to one target after the other until somebody is there, again with
// a proof after a challenge, again in other words after a refusal that names what it minds; and what CANCEL takes back.
import type { MessageCore } from '../core.ts'
import { createDigestClient } from '../dialog/digest_client.ts'
import type { Fork } from '../dialog/fork.ts'
import { abandonFork, createFork, receiveForkResponse, settleFork, updateFork } from '../dialog/fork.ts'
import { reasonsOf } from '../dialog/q850.ts'
import { nextRequest } from '../dialog/requests.ts'
import type { DialogState } from '../dialog/state.ts'
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import type { TransactionFailure } from '../transaction/user.ts'
import type { SipFlow, Target } from '../transport/types.ts'
import type { AgentCore } from './core.ts'
import { allow, contactAt } from './core.ts'
import type { InviteParts } from './invite.ts'
import { octetsOfInvite, placeholderVia, plannedDialog, withOffer, writeInvite } from './invite.ts'
import { afterRefusal, extensions, firstWords } from './second_try.ts'
import type { CallEnd, CallOptions, PlannedCall } from './types.ts'

/** How a call ends; what is left out the call knows. */
export type Ending = Omit<CallEnd, 'hasRung' | 'reasons' | 'wasAnswered'> & Partial<CallEnd>

/** What a placement emits to the call it is of. */
export type PlacementUser = {
  isOver(): boolean
  /** Awaited before an INVITE that is not stored yet. */
  store(): Promise<void>
  onProgress(response: SipResponse, dialog: DialogState): void
  onAnswer(response: SipResponse, dialog: DialogState, invite: SipRequest): void
  /** A 2xx that has come before: its ACK was lost. */
  onAnsweredAgain(): void
  /** Another phone has answered too, or one after the call was over: it gets ACK and BYE. */
  onUnwanted(dialog: DialogState, invite: SipRequest): void
  onUnwantedAgain(dialog: DialogState): void
  /** An early dialog is no more. */
  onGone(dialog: DialogState): void
  /** All early dialogs are no more; another INVITE may follow. */
  onRefused(): void
  onOver(end: Ending, error?: unknown): void
}

/** An INVITE to a target that did not answer in time. */
type Abandoned = { fork: Fork; invite: SipRequest }

const maxTries = 8

/** Lives as long as its call: answers may come to every INVITE of it until nobody waits for one any more. */
export class Placement {
  readonly digest
  words
  /** A response has come that says more than 100. */
  hasRung = false
  /** Of the INVITE that has no final answer. */
  branch: string | null
  remoteAddress: string | undefined
  private readonly core: AgentCore
  private readonly options: CallOptions
  private readonly planned: PlannedCall
  private readonly user: PlacementUser
  private plan: DialogState | undefined
  private fork: Fork | undefined
  private invite: SipRequest | undefined
  /** Of targets that did not answer in time: they may still, and are hung up then. */
  private readonly abandoned: Abandoned[] = []
  private transaction: string | undefined
  private tries = 0
  private isFirst = true
  /** Of an INVITE that was taken back: until its final answer the remote party may ring. */
  private canceled: PromiseWithResolvers<void> | undefined

  constructor(core: AgentCore, options: CallOptions, planned: PlannedCall, user: PlacementUser) {
    this.core = core
    this.options = options
    this.planned = planned
    this.user = user
    this.digest = options.account && createDigestClient(options.account, core.options.random)
    this.words = firstWords(options)
    this.branch = planned.branch
  }

  /** The dialog as it would be with the next INVITE. */
  get dialog(): DialogState {
    return this.plan ?? plannedDialog(this.options, this.planned)
  }

  async start(): Promise<void> {
    const { profile, hop, mayReach } = this.options
    try {
      const { nextHop } = nextRequest(this.dialog, 'INVITE', { via: placeholderVia })
      const targets = await this.core.targets(nextHop, profile, hop !== undefined, mayReach)
      if (!this.user.isOver()) await this.tryTargets(targets, 503)
    } catch (error) {
      if (!this.user.isOver()) this.user.onOver({ by: 'remote', status: 503, isSilent: true }, error)
    }
  }

  /** Resolves when the INVITE that was taken back has its final answer, or nobody waits for one. */
  async canceledForGood(): Promise<void> {
    await this.canceled?.promise
  }

  cancel(reason: readonly SipHeader[]): void {
    if (this.fork !== undefined) this.fork = abandonFork(this.fork)
    if (this.transaction !== undefined && this.core.layer.cancel(this.transaction, this.core.now(), reason)) {
      this.canceled = Promise.withResolvers()
      // Nobody waits longer for an answer that does not come (RFC 3261 §9.1).
      this.core.after(this.core.tailMs, this.canceled.resolve)
    }
    this.core.rearm()
  }

  /** A dialog of it has moved on. */
  moved(dialog: DialogState): void {
    if (this.fork !== undefined) this.fork = updateFork(this.fork, dialog)
  }

  /** No phone rings any more that could answer. */
  settle(): void {
    if (this.fork !== undefined) this.fork = settleFork(this.fork)
  }

  /** The first target that can be reached gets the INVITE; the others are for when it does not answer. */
  private async tryTargets(targets: readonly Target[], status: number): Promise<void> {
    let last: unknown
    for (const [index, target] of targets.entries()) {
      let flow: SipFlow
      try {
        flow = await this.core.flowTo(target, {
          ...(this.options.mayUseTcp === true && { octets: octetsOfInvite(this.written()) }),
          ...(this.options.hop !== undefined && { reuseInbound: 'source' }),
        })
      } catch (error) {
        last = error
        continue
      }
      return this.user.isOver() ? undefined : this.sendInvite(flow, targets.slice(index + 1))
    }
    if (!this.user.isOver()) this.user.onOver({ by: 'remote', status, isSilent: true }, last)
  }

  /** What the next INVITE says, but for what depends on its way. */
  private written(): InviteParts {
    this.words = withOffer(this.words)
    const { core, options, words } = this
    const headers = [allow, ...extensions(words), ...core.headers, ...(options.headers ?? [])]
    return { dialog: this.dialog, headers, words }
  }

  private async sendInvite(flow: SipFlow, others: readonly Target[]): Promise<void> {
    this.remoteAddress = flow.remote.address
    if (++this.tries > maxTries) return this.user.onOver({ by: 'remote', status: 482, isSilent: false })
    const next = writeInvite(this.written(), {
      via: this.core.via(flow),
      contact: contactAt(this.core.transport, flow, /^sips:/i.test(this.options.target)),
      ...(this.digest && { credentials: this.digest.credentials }),
    })
    this.plan = next.dialog
    this.fork = createFork(this.plan)
    this.invite = next.request
    if (!this.isFirst) this.branch = `z9hG4bK${this.core.token(12)}`
    if (!this.isFirst || this.options.planned === undefined) await this.user.store()
    this.isFirst = false
    if (this.user.isOver()) return
    this.transaction = this.core.request(
      next.request,
      flow,
      {
        onResponse: (response, responseCore) => this.receive(response, responseCore, flow, others),
        onFailure: why => this.onFailure(why, others),
      },
      this.branch ?? undefined,
    )
  }

  private onFailure(why: TransactionFailure, others: readonly Target[]): void {
    this.canceled?.resolve()
    if (this.user.isOver()) return
    const status = why === 'timeout' ? 408 : 503
    if (this.fork !== undefined && this.invite !== undefined)
      this.abandoned.push({ fork: abandonFork(this.fork), invite: this.invite })
    // After a sign of life nobody else is tried: that telephone may ring.
    if (this.hasRung || others.length === 0) {
      this.user.onOver({ by: 'remote', status, isSilent: !this.hasRung })
      return
    }
    void this.tryTargets(others, status).catch(error =>
      this.user.onOver({ by: 'remote', status: 503, isSilent: true }, error),
    )
  }

  receive(response: SipResponse, responseCore: MessageCore, flow?: SipFlow, others: readonly Target[] = []): void {
    if (this.fork === undefined || this.invite === undefined) return
    const late = this.abandoned.find(({ fork: { call: of } }) => of.localInviteCSeq === responseCore.cseq.number)
    if (late !== undefined) {
      this.receiveLate(late, response, responseCore)
      return
    }
    if (response.status >= 200) this.canceled?.resolve()
    const received = receiveForkResponse(this.fork, response, responseCore)
    this.fork = received.fork
    const { event } = received
    switch (event.kind) {
      case 'trying':
        if (response.status > 100) this.hasRung = true
        return
      case 'progress':
        this.hasRung = true
        this.user.onProgress(response, event.dialog)
        return
      case 'gone':
        this.user.onGone(event.dialog)
        return
      case 'answered':
        this.digest?.accepted()
        this.user.onAnswer(response, event.dialog, this.invite)
        return
      case 'answered_again':
        this.user.onAnsweredAgain()
        return
      case 'unwanted':
        this.user.onUnwanted(event.dialog, this.invite)
        return
      case 'unwanted_again':
        this.user.onUnwantedAgain(event.dialog)
        return
      case 'refused':
        if (flow !== undefined) this.onRefusal(response, flow, others)
        return
      case 'stale':
        return
    }
  }

  /** Anyone who answers after somebody else was tried, or nobody any more, gets ACK and BYE. */
  private receiveLate(late: Abandoned, response: SipResponse, responseCore: MessageCore): void {
    const received = receiveForkResponse(late.fork, response, responseCore)
    late.fork = received.fork
    const { event } = received
    if (event.kind === 'unwanted') this.user.onUnwanted(event.dialog, late.invite)
    if (event.kind === 'unwanted_again') this.user.onUnwantedAgain(event.dialog)
  }

  private onRefusal(response: SipResponse, flow: SipFlow, others: readonly Target[]): void {
    const { status } = response
    if (this.user.isOver() || this.invite === undefined) return
    this.user.onRefused()
    const isProof = (status === 401 || status === 407) && this.digest?.challenged(response, this.invite) === 'retry'
    const next = isProof ? this.words : afterRefusal(this.words, response)
    if (next !== undefined) {
      this.words = next
      this.again(flow, others)
      return
    }
    // RFC 3263 §4.3: the next server of the same target, unless a telephone has rung.
    if (status === 503 && !this.hasRung && others.length > 0) {
      void this.tryTargets(others, 503).catch(error =>
        this.user.onOver({ by: 'remote', status: 503, isSilent: true }, error),
      )
      return
    }
    this.user.onOver({ by: 'remote', status, isSilent: false, reasons: reasonsOf(response), response })
  }

  private again(flow: SipFlow, others: readonly Target[]): void {
    this.sendInvite(flow, others).catch(error => this.user.onOver({ by: 'remote', status: 503, isSilent: true }, error))
  }
}
