// One request as the log keeps it.
import type { RequestDetail, RequestSource } from './request_detail.ts'

export type LoggedRequest = {
  tenantId: number
  /** The tenant's, in which its hours are counted. */
  timeZone: string
  id: string
  atMs: number
  method: string
  path: string
  /** As it was sent, without secrets. */
  query: string | null
  endpointId: string | null
  /** What it made or touched, such as `msg_01k9…` or `lead:12`. */
  resourceId: string | null
  status: number
  durationMs: number
  problem: string | null
  userId: number
  keyId: string | null
  source: RequestSource
  ip: string
  /** What is kept of it beside. */
  detail: RequestDetail | undefined
}
