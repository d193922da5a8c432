// Writes the demo company's messages: their rows as they ended, and the events that are their history.

import type { Scope } from '../kernel/data/db.ts'
import { isoMs } from '../kernel/values/clock.ts'
import { newId } from '../kernel/values/ids.ts'
import { noCarrier } from '../modules/messaging/carrier.ts'
import { segmentsOf } from '../modules/messaging/segments.ts'
import {
  defaultValiditySeconds,
  finalStatuses,
  type MessageRow,
  nextMessage,
  presentMessage,
} from '../modules/messaging/sms/rules.ts'
import type { MessageStory } from './message_stories.ts'
import { type DemoTransaction, insertEvents, type PastEvent } from './transaction.ts'

type StoredMessage = MessageRow & { sequence: number; carrier_reference: string | null }

/** Adds the messages of stories, which come oldest first. */
export async function fillMessages(
  transaction: DemoTransaction,
  scope: Scope,
  mode: 'live' | 'test',
  stories: readonly MessageStory[],
): Promise<void> {
  const records = stories.map(story => recordsOf(story, scope.tenantId, mode))
  await transaction.asEngine(
    `insert into messages (tenant_id, id, direction, status, code, carrier, carrier_reference, from_address, to_address,
       body, encoding, segments, attempts, sequence, validity_seconds, tags, metadata, created_at, sent_at,
       delivered_at, final_at, segments_delivered)
     select tenant_id, id, direction, status, code, carrier, carrier_reference, from_address, to_address, body,
       encoding, segments, attempts, sequence, validity_seconds, tags, metadata, created_at, sent_at, delivered_at,
       final_at, segments_delivered
     from json_populate_recordset(null::messages, $1::json)
     order by id`,
    [JSON.stringify(records.map(({ row }) => row))],
  )
  await insertEvents(
    transaction,
    scope,
    records.flatMap(({ events }) => events),
  )
}

/** A story as it was stored: the message as it ended, and each status as it was reported then. */
function recordsOf(story: MessageStory, tenantId: number, mode: 'live' | 'test') {
  const { direction, from, to, body, atMs, tags, metadata, steps } = story
  const { encoding, segments } = segmentsOf(body)
  const id = newId('msg', atMs)
  const createdAt = isoMs(atMs)
  const isInbound = direction === 'inbound'
  const isUnreached = steps.some(({ code }) => code === 'no_route')
  let row: StoredMessage = {
    tenant_id: tenantId,
    id,
    direction,
    status: isInbound ? 'received' : 'queued',
    code: null,
    carrier: mode === 'test' ? 'simulator' : isUnreached ? noCarrier : 'handset',
    carrier_reference: isInbound ? `demo_${id.slice('msg_'.length)}` : null,
    from_address: from,
    to_address: to,
    body,
    encoding,
    segments,
    attempts: 0,
    sequence: 1,
    validity_seconds: isInbound ? null : defaultValiditySeconds,
    callback_url: null,
    tags: tags.length === 0 ? null : tags,
    metadata: Object.keys(metadata).length === 0 ? null : metadata,
    created_at: createdAt,
    sent_at: null,
    delivered_at: null,
    final_at: isInbound ? createdAt : null,
    service_id: null,
    send_at: null,
    segments_delivered: 0,
    price_micros: null,
    currency: null,
    partial: false,
    redacted_at: null,
  }
  const events = [eventOf(row, atMs, null)]
  for (const { event, atMs: stepMs, code } of steps) {
    const status = nextMessage(row.status, event)
    if (status === undefined) throw new Error(`a demo message cannot go from ${row.status} by ${event}`)
    const previous = row.status
    const at = isoMs(stepMs)
    row = {
      ...row,
      status,
      code: code ?? null,
      sequence: row.sequence + 1,
      attempts: row.attempts + (status === 'sending' ? 1 : 0),
      sent_at: status === 'sent' ? at : row.sent_at,
      delivered_at: status === 'delivered' ? at : null,
      segments_delivered: status === 'delivered' ? row.segments : 0,
      final_at: finalStatuses.includes(status) || status === 'unconfirmed' ? at : null,
    }
    events.push(eventOf(row, stepMs, previous))
  }
  return { row, events }
}

function eventOf(row: StoredMessage, atMs: number, previousStatus: string | null): PastEvent {
  const data = JSON.stringify({ ...presentMessage(row), previousStatus })
  return {
    id: newId('evt', atMs),
    type: `message.${row.status}`,
    resourceId: row.id,
    sequence: row.sequence,
    atMs,
    data,
  }
}
