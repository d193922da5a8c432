// Rows as clients see them, and the body of a delivery: what is signed and sent.

import type { Principal } from '../../kernel/access/principal.ts'
import { apiVersion } from '../../kernel/documents/sent_request.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { timeOfId } from '../../kernel/values/ids.ts'
import { callbackTarget, deliveryIdOf } from './delivery_id.ts'
import type { DeliveryRow, FoundDelivery, LogEntry } from './delivery_store.ts'
import { healthOf, maySee } from './rules.ts'
import type { WebhookRow } from './store.ts'

export function presentWebhook(row: WebhookRow, { mode }: Pick<Principal, 'mode'>) {
  return {
    webhookId: row.id,
    url: row.url,
    description: row.description,
    eventTypes: row.event_types,
    enabled: row.enabled,
    disabledReason: row.disabled_reason,
    disabledAt: row.disabled_at,
    mode,
    health: healthOf(row),
    failuresInRow: row.failures,
    failingSince: row.failing_since,
    lastDeliveredAt: row.delivered_at,
    lastError: row.last_error,
    waiting: row.waiting,
    previousSecretUntil: row.previous_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** @param webhook where deliveries to a webhook go; undefined for callbacks, which have their own address */
export function presentDelivery(
  row: DeliveryRow,
  webhook: { id: string; url: string } | undefined,
  { permissions }: Pick<Principal, 'permissions'>,
) {
  return {
    deliveryId: deliveryIdOf(row.event_id, webhook?.id ?? callbackTarget),
    webhookId: webhook?.id ?? null,
    url: webhook?.url ?? row.url ?? '',
    eventId: row.event_id,
    eventType: row.event_type,
    // Of some it is an address of a person.
    resourceId: maySee(row.event_type, permissions) ? row.resource_id : null,
    status: row.status,
    attempts: row.attempts,
    createdAt: isoMs(timeOfId(row.event_id)),
    lastAttemptAt: row.last_at,
    nextAttemptAt: row.next_at,
    finishedAt: row.finished_at,
    lastStatus: row.last_status,
    lastError: row.last_error,
  }
}

export function presentDetail(
  row: FoundDelivery,
  webhook: { id: string; url: string } | undefined,
  { mode, organizationId, permissions }: Pick<Principal, 'mode' | 'organizationId' | 'permissions'>,
) {
  const shown = maySee(row.event_type, permissions)
  const before = row.attempts - row.log.length
  return {
    ...presentDelivery(row, webhook, { permissions }),
    attemptLog: row.log.map((entry, index) => presentAttempt(row.event_id, entry, before + index + 1, shown)),
    payload: shown ? JSON.parse(bodyOf(row, { mode, organizationId })) : null,
  }
}

function presentAttempt(eventId: string, entry: LogEntry, attempt: number, shown: boolean) {
  const { at, ms, status, error, reply } = entry
  return {
    attempt,
    at,
    durationMs: ms,
    status: status ?? null,
    error: error ?? null,
    reply: shown ? (reply ?? null) : null,
    requestHeaders: { ...fixedHeaders, 'webhook-id': eventId, 'webhook-timestamp': String(secondsOf(Date.parse(at))) },
  }
}

/** Headers that every delivery has. */
export const fixedHeaders = {
  'content-type': 'application/json',
  'user-agent': 'Tandem-Webhooks/1.0',
} as const

/** The time of an attempt as the header `webhook-timestamp` has it. */
export function secondsOf(ms: number): number {
  return Math.floor(ms / 1000)
}

export type SentEvent = { event_id: string; event_type: string; at: string; sequence: number; data: string }

/** The body of a delivery. Made of what is stored only, so every attempt has the same bytes. */
export function bodyOf(event: SentEvent, whose: { mode: 'live' | 'test'; organizationId: number }): string {
  const { event_id, event_type, at, sequence, data } = event
  const head = `{"id":"${event_id}","type":"${event_type}","timestamp":"${at}","apiVersion":"${apiVersion}"`
  const owner = `"livemode":${whose.mode === 'live'},"organizationId":${whose.organizationId}`
  return `${head},${owner},"sequence":${sequence},"data":${data}}`
}
