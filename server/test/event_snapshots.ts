// Holds what events of messages say against what the messages were: a trigger keeps each message as it is at each of its moves, as events
// had it when they were written at once.
import assert from 'node:assert/strict'
import type { TestApp } from './harness.ts'

const snapshot = `
  create table message_snapshots (tenant_id bigint, id text, sequence integer, data json, primary key (tenant_id, id, sequence));
  grant select, insert on message_snapshots to public;
  create function keep_snapshot() returns trigger language plpgsql as $$
  begin
    insert into message_snapshots
    select new.tenant_id, new.id, new.sequence, row_to_json(d) from (select
      new.id as "messageId", new.direction, new.from_address as "from", new.to_address as "to", new.body, new.status, new.code,
      new.encoding, new.segments, new.segments_delivered as "segmentsDelivered", new.attempts, new.carrier,
      new.service_id as "serviceId",
      case when new.sent_at is not null then trim_scale(new.price_micros / 1000000.0)::text end as price,
      case when new.sent_at is not null and new.price_micros is not null then new.currency end as currency,
      new.callback_url as "callbackUrl", coalesce(new.tags, '[]') as tags,
      coalesce(new.metadata, '{}') as metadata, new.validity_seconds as "validityPeriod", new.partial,
      iso_ms(new.created_at) as "createdAt", iso_ms(new.send_at) as "sendAt", iso_ms(new.sent_at) as "sentAt",
      iso_ms(new.delivered_at) as "deliveredAt", iso_ms(new.final_at) as "finalAt", iso_ms(new.redacted_at) as "redactedAt",
      case when tg_op = 'UPDATE' then old.status end as "previousStatus") d;
    return null;
  end $$;
  create trigger keep_first_snapshot after insert on messages for each row when (new.direction = 'outbound') execute function keep_snapshot();
  create trigger keep_snapshot after update on messages for each row when (new.sequence <> old.sequence) execute function keep_snapshot();`

type Seen = { id: string; sequence: number; redacted: boolean; kept: string; reported: string | null; times: number }

/** Begins to keep; the function returned compares, byte for byte, and answers how many events there were. */
export async function keepSnapshots(t: TestApp): Promise<() => Promise<number>> {
  await t.ownerSql(snapshot)
  return async () => {
    const rows = await t.ownerSql<Seen>(
      `select s.id, s.sequence, m.redacted_at is not null as redacted, s.data::text as kept, min(e.data::text) as reported, count(e.id)::integer as times
       from message_snapshots s
       join messages m on m.tenant_id = s.tenant_id and m.id = s.id
       left join event_log e on e.tenant_id = s.tenant_id and e.resource_id = s.id and e.sequence = s.sequence
       group by s.id, s.sequence, m.redacted_at, s.data::text order by s.id, s.sequence`,
    )
    for (const { id, sequence, redacted, kept, reported, times } of rows) {
      const wanted = redacted ? JSON.stringify({ ...JSON.parse(kept), body: '' }) : kept
      assert.equal(reported, wanted, `event ${sequence} of ${id}`)
      assert.equal(times, 1, `event ${sequence} of ${id} stands in the log ${times} times`)
    }
    const [log] = await t.ownerSql<{ count: number }>(
      "select count(*)::integer as count from event_log where type like 'message.%' and type <> 'message.received'",
    )
    assert.equal(log!.count, rows.length, 'the log has no other events of messages')
    return rows.length
  }
}
