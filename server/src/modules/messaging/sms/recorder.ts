// Writes down what carriers answer: many batches by one statement, and with patience, since an answer that is lost leaves its messages
// in doubt.
import { setTimeout as sleep } from 'node:timers/promises'
import { isConnectionProblem } from '../../../kernel/data/db.ts'
import { createGroup } from '../../../kernel/data/group.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import type { Carrier } from '../carrier.ts'
import { countSubmissions } from '../meters.ts'
import { receiptMoves } from './receipt_store.ts'
import type { RouteMemory } from './route_memory.ts'
import { movesOf } from './rules.ts'
import { type Conclusion, concludeMessages, keepForms } from './store.ts'

export const concludeMoves = [
  ...movesOf('accepted', 'throttled', 'refused', 'answer_lost', 'asked_again'),
  ...receiptMoves,
]

const longestWaitMs = 2_000
const maxAttempts = 5

/** Answers of one batch, whose lease ends with them or goes on. */
type Entry = { conclusions: Conclusion[]; token: string; isLast: boolean }
export type Recorder = (entry: Entry) => Promise<void>

export type RecorderOptions = {
  services: Pick<Services, 'db' | 'log' | 'metrics'>
  routes: RouteMemory | undefined
  /** How long a batch is held. */
  leaseMs: number
  /** The first wait before another try; the next ones are longer. */
  againMs?: number
}

/** Writes answers down, those of batches that are under way at the same time together. */
export function createRecorder(
  name: string,
  { receiptTimeoutMs }: Pick<Carrier, 'receiptTimeoutMs'>,
  { services, routes, leaseMs, againMs = 500 }: RecorderOptions,
): Recorder {
  return createGroup({
    async run(entries: Entry[]) {
      crashPoint('answers.known')
      const options = { receiptTimeoutMs, leaseMs, againMs }
      const write = (holding?: { begins: boolean }) => conclude(name, entries, { ...options, holding }, services)
      const conclusions = entries.flatMap(entry => entry.conclusions)
      await (routes === undefined ? write() : routes.write(conclusions, begins => write({ begins })))
      countSubmissions(
        services.metrics,
        name,
        conclusions.flatMap(({ parts }) => parts),
      )
      crashPoint('answers.committed')
      return entries.map(() => undefined)
    },
    maxItems: 32,
    maxInFlight: 2,
    overlapAfterMs: 30,
    gatherMs: 10,
  })
}

type ConcludeOptions = Required<Pick<RecorderOptions, 'leaseMs' | 'againMs'>> & {
  receiptTimeoutMs: number
  holding: { begins: boolean } | undefined
}

/**
 * An answer is worth some patience: unwritten, its messages would end unconfirmed although the carrier has spoken. Without a database it is
 * tried for as long as the lease lasts; what PostgreSQL refuses, a few times.
 */
async function conclude(
  name: string,
  entries: readonly Entry[],
  { leaseMs, againMs, ...options }: ConcludeOptions,
  { db, log }: RecorderOptions['services'],
): Promise<void> {
  const conclusions = entries.flatMap(entry => entry.conclusions)
  const tokens = entries.filter(entry => entry.isLast).map(entry => entry.token)
  const leases = entries.filter(entry => !entry.isLast).map(entry => entry.token)
  const goingOn = conclusions.filter(goesOn)
  const startMs = performance.now()
  for (let attempt = 1; ; attempt++) {
    try {
      if (goingOn.length > 0) await keepForms(db, goingOn)
      await concludeMessages(db, name, conclusions, { ...options, tokens, leases, moves: concludeMoves })
      return
    } catch (error) {
      const isOver = isConnectionProblem(error) ? performance.now() - startMs >= leaseMs : attempt === maxAttempts
      if (isOver) throw error
      log.warn(
        { err: error, carrier: name, messages: conclusions.length },
        'could not store the answers of a carrier; trying again',
      )
      await sleep(Math.min(againMs * 2 ** (attempt - 1), longestWaitMs))
    }
  }
}

/** Whether other parts of it are handed over later, in the form of those that the carrier has or may have. */
function goesOn(conclusion: Conclusion): conclusion is Conclusion & { form: string } {
  const { event, form, parts } = conclusion
  return (
    form !== undefined &&
    (event === 'throttled' || event === 'asked_again') &&
    parts.some(({ outcome }) => outcome === 'accepted' || outcome === 'unknown')
  )
}
