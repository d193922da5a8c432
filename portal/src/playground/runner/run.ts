// A run: requests sent one after the other, each with the variables that the ones before it took from their answers. What is sent and
// asked is handed in; nothing here knows of the screen.
import type { SavedRequest } from '@tandem/sdk'
import { draftOfRequest } from '../collections/content.ts'
import type { Mode } from '../kept/drafts.ts'
import { isReading } from '../request/careful.ts'
import { type Effective, effectiveRequest } from '../request/request.ts'
import type { Lookup } from '../request/variables.ts'
import { readRetryAfter } from '../sending/rate_limit.ts'
import type { Outcome } from '../sending/send.ts'
import { responseMs } from '../sending/timing.ts'
import { type Tested, testAnswer } from '../tests/answer.ts'
import { t } from '../texts.ts'

export type RunState = 'waiting' | 'running' | 'passed' | 'failed' | 'skipped' | 'canceled'
export type RunRow = {
  request: SavedRequest
  state: RunState
  status?: number
  totalMs?: number
  tested?: Tested
  /** Why it failed, where no test says so, or what it waits for. */
  why?: string
}

export type RunOptions = {
  requests: readonly SavedRequest[]
  origin: string
  lookup: Lookup
  stopOnFailure: boolean
  signal: AbortSignal
  /** A token good to send with. */
  resolve(): Promise<string | undefined>
  /** In which mode a request would act. */
  modeOf(effective: Effective): Mode
  /** Requests that the person has let change live data. */
  allowed: ReadonlySet<string>
  send(effective: Effective, signal: AbortSignal): Promise<Outcome>
  onRow(index: number, row: RunRow): void
  /** Waits so long, or until it is canceled. */
  wait?(ms: number, signal: AbortSignal): Promise<void>
}

/** Of a limit that is reached, the wait is borne twice for one request. */
const MAX_WAITS = 2
const MAX_WAIT_MS = 90_000

export async function run(options: RunOptions): Promise<RunRow[]> {
  const { requests, signal, stopOnFailure, onRow } = options
  const taken = new Map<string, string>()
  const lookup: Lookup = name => taken.get(name) ?? options.lookup(name)
  const rows: RunRow[] = requests.map(request => ({ request, state: 'waiting' }))
  const note = (index: number, row: RunRow) => {
    rows[index] = row
    onRow(index, row)
  }
  let stopped = false
  for (const [index, request] of requests.entries()) {
    if (signal.aborted || stopped) {
      note(index, { request, state: signal.aborted ? 'canceled' : 'skipped' })
      continue
    }
    note(index, { request, state: 'running' })
    const row = await sendOne(request, lookup, options, why => note(index, { request, state: 'running', why }))
    for (const { name, value } of row.tested?.taken ?? []) taken.set(name, value)
    note(index, row)
    stopped = stopOnFailure && row.state === 'failed'
  }
  return rows
}

async function sendOne(
  request: SavedRequest,
  lookup: Lookup,
  options: RunOptions,
  onWait: (why: string) => void,
): Promise<RunRow> {
  const failed = (why: string): RunRow => ({ request, state: 'failed', why })
  let token: string | undefined
  try {
    token = await options.resolve()
  } catch (error) {
    return failed(error instanceof Error ? error.message : t('noToken'))
  }
  const { origin, signal, modeOf, allowed, send, wait = pause } = options
  const effective = effectiveRequest(draftOfRequest(request), { origin, lookup, token })
  const faults = effective.notes.filter(({ level }) => level === 'error').map(({ message }) => message)
  if (faults.length > 0) return failed(t('notSentWhy', { why: faults.join(' ') }))
  if (!isReading(effective.method) && modeOf(effective) === 'live' && !allowed.has(request.requestId))
    return failed(t('notSentLive'))
  for (let waits = 0; ; waits++) {
    const outcome = await send(effective, signal)
    const waitMs = limitWaitMs(outcome)
    // What was refused for its number was not done, so it may be sent again.
    if (waitMs !== undefined && waits < MAX_WAITS && !request.tests.some(expectsLimit)) {
      onWait(t('limitWait', { seconds: Math.ceil(waitMs / 1_000) }))
      await wait(waitMs, signal)
      if (!signal.aborted) continue
    }
    return rowOf(request, outcome, await testAnswer(outcome, request, lookup), signal)
  }
}

const expectsLimit = ({ subject, value }: SavedRequest['tests'][number]) =>
  subject === 'status' && /429|4xx/.test(value)

function limitWaitMs(outcome: Outcome): number | undefined {
  if (outcome.kind !== 'answer' || outcome.status !== 429) return undefined
  const ms = (readRetryAfter(outcome.headers, Date.now()) ?? 0) * 1_000
  return ms > 0 && ms <= MAX_WAIT_MS ? ms : undefined
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Tests decide; of a request without any, whether it was answered without an error. */
function rowOf(request: SavedRequest, outcome: Outcome, tested: Tested, signal: AbortSignal): RunRow {
  if (outcome.kind !== 'answer') {
    if (signal.aborted) return { request, state: 'canceled', why: t('mayBeDone') }
    return {
      request,
      state: 'failed',
      totalMs: outcome.totalMs,
      tested,
      why: t('noAnswerCame', { reason: t(`failure.${outcome.reason}`) }),
    }
  }
  const { status, time } = outcome
  const isError = status >= 400 && tested.results.length === 0
  const passed = !isError && tested.missed.length === 0 && tested.results.every(result => result.passed)
  return {
    ...{ request, state: passed ? 'passed' : 'failed', status, totalMs: responseMs(time), tested },
    ...(isError && { why: t('answeredWith', { status }) }),
  }
}

/** `2 passed, 1 failed, 1 skipped` */
export function countText(rows: readonly RunRow[]): string {
  const states = ['passed', 'failed', 'skipped', 'canceled'] as const
  const counts = states.map(state => [rows.filter(row => row.state === state).length, state] as const)
  return counts.flatMap(([count, state]) => (count === 0 ? [] : [t(`count.${state}`, { count })])).join(', ')
}
