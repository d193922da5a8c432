// Listeners, and what was forwarded to them, as clients see them.
import type { Principal } from '../../kernel/access/principal.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { timeOfId } from '../../kernel/values/ids.ts'
import { deliveryIdOf } from './delivery_id.ts'
import type { ForwardedRow, ListenerRow } from './listener_store.ts'
import { maySee } from './rules.ts'

export function presentListener(row: ListenerRow, { mode }: Pick<Principal, 'mode'>) {
  return {
    listenerId: row.id,
    name: row.name,
    forwardTo: row.forward_to,
    eventTypes: row.event_types,
    webhookId: row.webhook_id,
    mode,
    state: row.state,
    waiting: row.waiting,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}

export function presentForwarded(row: ForwardedRow, { permissions }: Pick<Principal, 'permissions'>) {
  return {
    deliveryId: deliveryIdOf(row.event_id, row.listener_id),
    listenerId: row.listener_id,
    eventId: row.event_id,
    eventType: row.event_type,
    status: row.status,
    attempt: row.attempt,
    createdAt: isoMs(timeOfId(row.event_id)),
    finishedAt: row.finished_at,
    durationMs: row.duration_ms,
    lastStatus: row.last_status,
    lastError: row.last_error,
    reply: maySee(row.event_type, permissions) ? row.reply : null,
  }
}
