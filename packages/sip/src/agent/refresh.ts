// The session timer of a dialog (RFC 4028): refreshes in time by UPDATE, or by re-INVITE where the remote party has no UPDATE, and
// ends the call when nobody refreshes it.
import { glareDelayMs } from '../dialog/negotiation.ts'
import { retryAfterMs } from '../dialog/registration.ts'
import type { TimerWish } from '../dialog/session_timer.ts'
import {
  minimumInterval,
  raisedWish,
  refreshesByUpdate,
  refreshHeaders,
  tickTimer,
  timerDeadlineMs,
  timerFromResponse,
} from '../dialog/session_timer.ts'
import { header } from '../headers.ts'
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import type { AgentCore } from './core.ts'
import { allow, supported } from './core.ts'
import type { Outcome, Session } from './session_api.ts'

export type Refresher = {
  readonly wish: TimerWish | undefined
  /** Of a request that may refresh: without these it would end the timer (§7.1). */
  headers(): SipHeader[]
  /** After 422 once more, with what the remote party or a proxy wants at least. */
  raise(outcome: Outcome): boolean
  /** What a 2xx says of the timer. */
  take(response: SipResponse): void
  watch(): void
  learn(message: SipResponse | SipRequest): void
  stop(): void
}

type Surroundings = {
  wish: TimerWish | undefined
  session(): Session
  reinvite(): Promise<boolean>
  /** Nobody refreshed it. */
  lost(): void
}

/** What is sent otherwise than before goes at once, so often. */
const maxRetries = 3
const leastPauseMs = 1_000

export function createRefresher(core: AgentCore, around: Surroundings): Refresher {
  return new SessionRefresher(core, around)
}

/** Lives as long as its session: one timer, and what the peer can do. */
class SessionRefresher implements Refresher {
  private readonly core: AgentCore
  private readonly around: Surroundings
  wish: TimerWish | undefined
  private stopTimer = () => {}
  private updatable = false
  private retries = 0

  constructor(core: AgentCore, around: Surroundings) {
    this.core = core
    this.around = around
    this.wish = around.wish
  }

  headers(): SipHeader[] {
    const { timer } = this.around.session()
    return timer === undefined ? [] : refreshHeaders(timer, this.wish ?? { ...timer, minimum: minimumInterval })
  }

  raise({ status, response }: Outcome): boolean {
    const session = this.around.session()
    const { timer } = session
    if (status !== 422 || response === undefined || timer === undefined) return false
    const raised = raisedWish(this.wish ?? { interval: timer.interval, minimum: minimumInterval }, response)
    if (raised === undefined) return false
    this.wish = raised
    session.timer = { ...timer, interval: Math.max(timer.interval, raised.minimum) }
    return true
  }

  learn(message: SipResponse | SipRequest): void {
    if (header(message, 'Allow') !== undefined) this.updatable = refreshesByUpdate(message)
  }

  take(response: SipResponse): void {
    this.around.session().timer = timerFromResponse(response, this.core.now())
    this.learn(response)
    this.watch()
  }

  watch(): void {
    this.stopTimer()
    const { timer, isClosed } = this.around.session()
    if (timer === undefined || isClosed) return
    this.stopTimer = this.core.after(Math.max(0, timerDeadlineMs(timer) - this.core.now()), () => {
      this.due().catch(this.core.options.onError)
    })
  }

  private async due(): Promise<void> {
    const session = this.around.session()
    if (session.timer === undefined || session.isClosed) return
    const tick = tickTimer(session.timer, this.core.now())
    session.timer = tick.timer
    if (tick.due === 'end') {
      this.around.lost()
      return
    }
    this.watch()
    if (tick.due === 'refresh') await this.refresh(session)
  }

  /** One that failed says nothing of the call: others follow while there is time (§10), and only the timer ends it. */
  private async refresh(session: Session): Promise<void> {
    const refreshedMs = session.timer?.refreshedMs
    const waitMs = await this.tryRefresh(session)
    if (waitMs === undefined) return
    await this.core.pause(waitMs)
    // The remote party may have refreshed it meanwhile, or ended it.
    if (session.isClosed || session.timer === undefined || session.timer.refreshedMs !== refreshedMs) return
    session.timer = { ...session.timer, isRefreshing: false }
    this.watch()
  }

  /** Undefined: it is refreshed. Else after which time another one may be. */
  private async tryRefresh(session: Session): Promise<number | undefined> {
    if (!this.updatable) return (await this.around.reinvite()) ? undefined : this.laterMs(session)
    const outcome = await session.send('UPDATE', { headers: [allow, supported, ...this.headers()] })
    const { status, response } = outcome
    if (response !== undefined && status < 300) {
      this.retries = 0
      this.take(response)
      return undefined
    }
    if (status === 491) return glareDelayMs(session.dialog.role, this.core.chance())
    const isUnknown = status === 405 || status === 501
    if (isUnknown) this.updatable = false
    const isOtherwise = this.raise(outcome) || isUnknown
    if (isOtherwise && this.retries++ < maxRetries) return 0
    return this.laterMs(session, response)
  }

  /** A peer that asks for more time than there is gets a part of it. */
  private laterMs({ timer }: Session, response?: SipResponse): number {
    const partMs = (timer?.interval ?? minimumInterval) * 100
    const askedMs = response && retryAfterMs(response)
    return Math.max(leastPauseMs, Math.min(askedMs ?? partMs, partMs))
  }

  stop(): void {
    this.stopTimer()
  }
}
