// Who may read the metrics: they show how much business is done. Without a token only programs on this machine, and none once a reverse
// proxy may stand in front, whose requests come from this machine too.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isLoopback } from './socket.ts'

export type MetricsAccess = {
  token: string | undefined
  /** Whether settings name a reverse proxy. */
  behindProxy: boolean
}

export const metricsRefusal =
  'Metrics are shown to anyone who sends TANDEM_METRICS_TOKEN as a bearer token; without that setting, to programs on this machine that come by no proxy.'

const forwarded = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Whether a request may read the metrics; `credential` is its bearer token. */
export function mayReadMetrics(
  { socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>,
  credential: string | undefined,
  { token, behindProxy }: MetricsAccess,
): boolean {
  if (token !== undefined) return credential !== undefined && timingSafeEqual(digest(credential), digest(token))
  if (behindProxy || forwarded.some(name => headers[name] !== undefined)) return false
  return isLoopback(socket.remoteAddress ?? '')
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
