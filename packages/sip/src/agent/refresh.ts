// The session timer of a dialog (RFC 4028): refreshes in time by UPDATE, or by re-INVITE where the other side has no UPDATE, and
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
import type { Outcome, Session } from './session.ts'

export type Refresher = {
  readonly wish: TimerWish | undefined
  /** Of a request that may refresh: without these it would end the timer (§7.1). */
  headers(): SipHeader[]
  /** After 422 once more, with what the other side or a proxy wants at least. */
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
  let { wish } = around
  let stopTimer = () => {}
  let updatable = false
  let retries = 0

  function headers(): SipHeader[] {
    const { timer } = around.session()
    return timer === undefined ? [] : refreshHeaders(timer, wish ?? { ...timer, minimum: minimumInterval })
  }

  function raise({ status, response }: Outcome): boolean {
    const session = around.session()
    const { timer } = session
    if (status !== 422 || response === undefined || timer === undefined) return false
    const raised = raisedWish(wish ?? { interval: timer.interval, minimum: minimumInterval }, response)
    if (raised === undefined) return false
    wish = raised
    session.timer = { ...timer, interval: Math.max(timer.interval, raised.minimum) }
    return true
  }

  function learn(message: SipResponse | SipRequest): void {
    if (header(message, 'Allow') !== undefined) updatable = refreshesByUpdate(message)
  }

  function take(response: SipResponse): void {
    around.session().timer = timerFromResponse(response, core.now())
    learn(response)
    watch()
  }

  function watch(): void {
    stopTimer()
    const { timer, isClosed } = around.session()
    if (timer === undefined || isClosed) return
    stopTimer = core.after(Math.max(0, timerDeadlineMs(timer) - core.now()), () => {
      due().catch(core.options.onError)
    })
  }

  async function due(): Promise<void> {
    const session = around.session()
    if (session.timer === undefined || session.isClosed) return
    const told = tickTimer(session.timer, core.now())
    session.timer = told.timer
    if (told.due === 'end') {
      around.lost()
      return
    }
    watch()
    if (told.due === 'refresh') await refresh(session)
  }

  async function refresh(session: Session): Promise<void> {
    if (!updatable) {
      await around.reinvite()
      return
    }
    const outcome = await session.send('UPDATE', { headers: [allow, supported, ...headers()] })
    const { status, response } = outcome
    if (response !== undefined && status < 300) {
      retries = 0
      take(response)
      return
    }
    const isUnknown = status === 405 || status === 501
    if (isUnknown) updatable = false
    if (!raise(outcome) && !isUnknown && status !== 491) return
    retries += 1
    if (retries > maxRetries) return
    if (status === 491) await core.pause(glareDelayMs(session.dialog.role, core.chance()))
    if (session.timer === undefined) return
    session.timer = { ...session.timer, isRefreshing: false }
    watch()
  }

  return {
    get wish() {
      return wish
    },
    headers,
    raise,
    take,
    watch,
    learn,
    stop: () => stopTimer(),
  }
}
