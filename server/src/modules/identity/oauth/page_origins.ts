// Of which origins pages may call the API: those of public apps, which have no server to do it for them. The list is read again when it is
// old, and when an origin is not on it; at most once a second, no matter who asks.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { LetsIn } from '../../../kernel/http/cross_origin.ts'
import { readPageOrigins } from './clients_store.ts'

const oldAfterMs = 30_000
const againAfterMs = 1_000

export function pagesOfApps({ db, outages, log }: Pick<Services, 'db' | 'outages' | 'log'>): LetsIn {
  let origins = new Set<string>()
  let readMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(nowMs: number): Promise<void> {
    readMs = nowMs
    try {
      origins = new Set((await readPageOrigins(db)).flatMap(address => URL.parse(address)?.origin ?? []))
    } catch (err) {
      if (!outages.note(err)) log.error({ err }, 'origins of apps')
    }
  }

  return async (origin, nowMs) => {
    const ageMs = nowMs - readMs
    if (ageMs > oldAfterMs || (ageMs > againAfterMs && !origins.has(origin)))
      reading ??= read(nowMs).finally(() => {
        reading = undefined
      })
    await reading
    return origins.has(origin)
  }
}
