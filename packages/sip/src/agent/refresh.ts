// The session timer of a dialog (RFC 4028): refreshes in time by UPDATE, or by re-INVITE where the remote party has no UPDATE, and
// ends the call when nobody refreshes it.
import { glareDelayMs } from '../dialog/negotiation.ts'
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

const maxRetries = 3

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

  private async refresh(session: Session): Promise<void> {
    if (!this.updatable) {
      await this.around.reinvite()
      return
    }
    const outcome = await session.send('UPDATE', { headers: [allow, supported, ...this.headers()] })
    const { status, response } = outcome
    if (response !== undefined && status < 300) {
      this.retries = 0
      this.take(response)
      return
    }
    const isUnknown = status === 405 || status === 501
    if (isUnknown) this.updatable = false
    if (!this.raise(outcome) && !isUnknown && status !== 491) return
    this.retries += 1
    if (this.retries > maxRetries) return
    if (status === 491) await this.core.pause(glareDelayMs(session.dialog.role, this.core.chance()))
    if (session.timer === undefined) return
    session.timer = { ...session.timer, isRefreshing: false }
    this.watch()
  }

  stop(): void {
    this.stopTimer()
  }
}
