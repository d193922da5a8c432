// The figures of the installation, read at most every five seconds however often they are asked for, and given up after three: a scrape
// shows what the process itself knows also while the database is away.
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { type Figures, readFigures } from './store.ts'

const keptMs = 5_000
const patienceMs = 3_000

export type FigureReader = {
  /** Undefined while the database does not answer. */
  read(): Promise<Figures | undefined>
}

export function createFigureReader({ db, clock }: Pick<Services, 'db' | 'clock'>): FigureReader {
  let reading: { atMs: number; figures: Promise<Figures | undefined> } | undefined
  return {
    read() {
      const nowMs = clock.now()
      // A clock that was set back must not keep old figures for ever.
      if (reading === undefined || Math.abs(nowMs - reading.atMs) >= keptMs)
        reading = { atMs: nowMs, figures: within(readFigures(db)) }
      return reading.figures
    },
  }
}

async function within(figures: Promise<Figures>): Promise<Figures | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>()
  const timer = setTimeout(() => resolve(undefined), patienceMs)
  try {
    return await Promise.race([figures.catch(() => undefined), promise])
  } finally {
    clearTimeout(timer)
  }
}
