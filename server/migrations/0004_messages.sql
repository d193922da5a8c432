-- Messages and their way through the carriers.
--
-- A message moves only by the table of moves in sms/rules.ts: the server hands in, with every call, the moves its events
-- may make, and move_messages compares and sets. Each move writes its event in the same transaction; the events of a
-- message are its history. Everything here works on many messages at once.

create table messages (
  tenant_id         bigint not null,
  -- The time that the id holds, so that ids and times sort alike.
  created_at        timestamptz(3) not null,
  sent_at           timestamptz(3),
  delivered_at      timestamptz(3),
  final_at          timestamptz(3),
  -- That of its newest event.
  sequence          integer not null default 1,
  -- How often it was handed to a carrier.
  attempts          smallint not null default 0,
  segments          smallint not null,
  validity_seconds  integer,
  status            text collate "C" not null,
  -- Why it is in this status, one of the codes of kernel/problem.ts.
  code              text collate "C",
  id                text collate "C" not null,
  direction         text collate "C" not null,
  encoding          text collate "C" not null,
  carrier           text collate "C" not null,
  from_address      text collate "C" not null,
  to_address        text collate "C" not null,
  body              text not null,
  callback_url      text,
  tags              json,
  metadata          json,
  -- The carrier's own id of an inbound message, by which its repetition is known.
  carrier_reference text collate "C",
  primary key (tenant_id, id),
  constraint messages_status check (status in ('scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered',
    'expired', 'failed', 'canceled', 'unconfirmed', 'received')),
  constraint messages_direction check (direction in ('outbound', 'inbound')),
  constraint messages_encoding check (encoding in ('GSM-7', 'UCS-2'))
) with (fillfactor = 50); -- a message changes three times in its first seconds: on its own page that touches no index
-- The messages of one person, newest first. By a hash seeded with the tenant: an entry is a third of one with the number.
create index messages_to on messages (hashtextextended(to_address, tenant_id), created_at);
create index messages_inbound_from on messages (hashtextextended(from_address, tenant_id), created_at)
  where direction = 'inbound';
create unique index messages_inbound_reference on messages (tenant_id, carrier, carrier_reference)
  where direction = 'inbound';
select protect_tenant_table('messages');
select open_to_engine('messages', 'select, insert, update');
grant select on messages to tandem_app;

-- What is to be handed to a carrier: messages of one tenant that were accepted together. While `lease_token` stands, they
-- are with the carrier and `due_at` is when the lease ends; found due with a token, their outcome is unknown.
create table message_jobs (
  tenant_id   bigint not null,
  id          text collate "C" not null,
  carrier     text collate "C" not null,
  due_at      timestamptz not null,
  lease_token text collate "C",
  message_ids text[] not null,
  primary key (tenant_id, id)
) with (fillfactor = 70, toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table message_jobs alter column message_ids set storage external;
create index message_jobs_due on message_jobs (carrier, due_at);
create index message_jobs_lease on message_jobs (lease_token) where lease_token is not null;
select protect_tenant_table('message_jobs');
select open_to_engine('message_jobs', 'select, insert, update, delete');

-- Which message a carrier's id means: where answer and receipt meet. Whichever comes first inserts the row, the other
-- waits for that one's commit and joins it. A receipt that came first is parked in it.
create table message_routes (
  tenant_id    bigint not null,
  -- The carrier's name, a colon, and its id of the message: one column, so that no plan can do with half of the key.
  route        text collate "C" not null,
  message_id   text collate "C",
  -- When the receipt is overdue; after that, when the row has outlived its use.
  due_at       timestamptz not null,
  receipt      text collate "C",
  receipt_code text collate "C",
  receipt_at   timestamptz(3),
  primary key (tenant_id, route)
);
create index message_routes_due on message_routes (due_at);
select protect_tenant_table('message_routes');
select open_to_engine('message_routes', 'select, insert, update, delete');

-- What the simulator will tell, and when.
create table simulator_receipts (
  tenant_id   bigint not null,
  id          text collate "C" not null,
  carrier     text collate "C" not null,
  due_at      timestamptz not null,
  lease_token text collate "C",
  items       json not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index simulator_receipts_due on simulator_receipts (carrier, due_at);
create index simulator_receipts_lease on simulator_receipts (lease_token) where lease_token is not null;
select protect_tenant_table('simulator_receipts');
select open_to_engine('simulator_receipts', 'select, insert, update, delete');

grant create on schema public to tandem_engine;

-- Takes messages in, of several tenants: row, event and job, and the answer under its Idempotency-Key where there is one.
-- Returns the items (from 1) whose key was used before, with what is stored for it; of these nothing is written.
create function accept_messages(tenant_ids bigint[], ids text[], created_ats timestamptz[], carriers text[],
  from_addresses text[], to_addresses text[], bodies text[], encodings text[], segment_counts smallint[],
  validities integer[], callback_urls text[], tag_lists text[], metadatas text[], event_ids text[], event_data text[],
  keys text[], fingerprints bytea[], answers text[])
returns table (item integer, fingerprint bytea, status integer, body text, version integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  repeated integer[] := '{}';
begin
  if keys is not null then
    -- Keys are claimed in one order everywhere: two groups with the same keys wait for each other and do not dead-lock.
    with asked as (
      select u.*, row_number() over (partition by u.tenant_id, u.key order by u.n) as turn
      from unnest(tenant_ids, keys, fingerprints, answers) with ordinality as u (tenant_id, key, fingerprint, answer, n)
      where u.key is not null
    ), claimed as (
      insert into idempotency_keys as k (tenant_id, key, fingerprint, status, body)
      select a.tenant_id, a.key, a.fingerprint, 200, a.answer from asked a where a.turn = 1 order by a.tenant_id, a.key
      on conflict do nothing
      returning k.tenant_id, k.key
    )
    select coalesce(array_agg(a.n::integer), '{}') into repeated
    from asked a left join claimed c on c.tenant_id = a.tenant_id and c.key = a.key
    where c.key is null or a.turn > 1;
  end if;

  insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments,
    validity_seconds, callback_url, tags, metadata, created_at)
  select u.tenant_id, u.id, 'outbound', 'queued', u.carrier, u.from_address, u.to_address, u.body, u.encoding, u.segments,
    u.validity, u.callback_url, u.tags::json, u.metadata::json, u.created_at
  from unnest(tenant_ids, ids, created_ats, carriers, from_addresses, to_addresses, bodies, encodings, segment_counts,
      validities, callback_urls, tag_lists, metadatas) with ordinality
    as u (tenant_id, id, created_at, carrier, from_address, to_address, body, encoding, segments, validity, callback_url,
      tags, metadata, n)
  where u.n <> all (repeated);

  insert into events (tenant_id, id, type, resource_id, sequence, at, data)
  select u.tenant_id, u.event_id, 'message.queued', u.id, 1, u.created_at, u.data::json
  from unnest(tenant_ids, event_ids, ids, created_ats, event_data) with ordinality
    as u (tenant_id, event_id, id, created_at, data, n)
  where u.n <> all (repeated);

  insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
  select u.tenant_id, min(u.id), u.carrier, clock_timestamp(), array_agg(u.id)
  from unnest(tenant_ids, ids, carriers) with ordinality as u (tenant_id, id, carrier, n)
  where u.n <> all (repeated)
  group by u.tenant_id, u.carrier;

  if repeated <> '{}' then
    return query
    select u.n::integer, k.fingerprint, k.status, k.body, k.version
    from unnest(tenant_ids, keys) with ordinality as u (tenant_id, key, n)
    join idempotency_keys k on k.tenant_id = u.tenant_id and k.key = u.key
    where u.n = any (repeated);
  end if;
end $$;

-- Moves messages by events and writes what happened; returns those that moved. `moves_…` is the part of the table of moves
-- that these events need. The tables grow faster than statistics of them: whatever those say, rows are reached by their key.
create function move_messages(tenant_ids bigint[], ids text[], moves_by text[], codes text[], ats timestamptz[],
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns table (tenant_id bigint, id text, status text, attempts smallint, from_address text, to_address text, body text,
  encoding text, segments smallint, expires_at timestamptz)
language plpgsql set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  present timestamptz(3) := clock_timestamp();
begin
  return query
  with moved as (
    update messages m set
      status = v.to_status,
      code = r.code,
      sequence = m.sequence + 1,
      attempts = m.attempts + case v.to_status when 'sending' then 1 else 0 end,
      sent_at = case v.to_status when 'sent' then present else m.sent_at end,
      -- A carrier's clock may be wrong, and some tell whole minutes: delivery is after sending and not in the future.
      delivered_at = case v.to_status when 'delivered' then least(greatest(coalesce(r.at, present), m.sent_at), present) end,
      final_at = case when v.to_status in ('delivered', 'undelivered', 'expired', 'failed', 'canceled', 'unconfirmed')
        then present end
    from unnest(tenant_ids, ids, moves_by, codes, ats) as r (tenant_id, id, event, code, at)
    join unnest(moves_event, moves_from, moves_to) as v (event, from_status, to_status) on v.event = r.event
    where m.tenant_id = r.tenant_id and m.id = r.id and m.status = v.from_status
    returning m.*, v.from_status as previous
  ), told as (
    insert into events (tenant_id, id, type, resource_id, sequence, at, data)
    select m.tenant_id, event_ids[row_number() over ()], 'message.' || m.status, m.id, m.sequence,
      greatest(present, m.created_at),
      -- As presentMessage of sms/rules.ts has it.
      (select row_to_json(d) from (select
        m.id as "messageId", m.direction, m.from_address as "from", m.to_address as "to", m.body, m.status, m.code,
        m.encoding, m.segments, m.attempts, m.carrier, m.callback_url as "callbackUrl", coalesce(m.tags, '[]') as tags,
        coalesce(m.metadata, '{}') as metadata, m.validity_seconds as "validityPeriod",
        to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
        to_char(m.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "sentAt",
        to_char(m.delivered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "deliveredAt",
        to_char(m.final_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "finalAt",
        m.previous as "previousStatus") d)
    from moved m
  )
  select m.tenant_id, m.id, m.status, m.attempts, m.from_address, m.to_address, m.body, m.encoding, m.segments,
    m.created_at + make_interval(secs => m.validity_seconds)
  from moved m;
end $$;

-- Leases jobs that are due until they hold `max_messages` and begins their messages; returns those now to be submitted.
-- The lease is the attempt: from this commit on, a message whose answer does not arrive is unconfirmed.
create function claim_messages(for_carrier text, token text, max_messages integer, lease_seconds double precision,
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns table (tenant_id bigint, id text, attempt smallint, from_address text, to_address text, body text, encoding text,
  segments smallint, expires_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp();
  tenants bigint[];
  message_ids text[];
  lost boolean[];
  moves_by text[];
  codes text[];
begin
  with due as (
    select j.tenant_id, j.id, j.due_at, cardinality(j.message_ids) as size, j.lease_token is not null as lost
    from message_jobs j where j.carrier = for_carrier and j.due_at <= present
    order by j.due_at limit max_messages for update skip locked
  ), counted as (
    select d.*, sum(d.size) over (order by d.due_at, d.id) - d.size as before from due d
  ), leased as (
    update message_jobs j set lease_token = token, due_at = present + make_interval(secs => lease_seconds)
    from counted c
    where j.tenant_id = c.tenant_id and j.id = c.id and (c.before = 0 or c.before + c.size <= max_messages)
    returning j.tenant_id, j.message_ids, c.lost
  )
  select array_agg(l.tenant_id), array_agg(u.id), array_agg(l.lost) into tenants, message_ids, lost
  from leased l cross join unnest(l.message_ids) as u (id);
  if tenants is null then return; end if;

  select array_agg(d.tenant_id), array_agg(d.id), array_agg(d.event), array_agg(case d.event
      when 'answer_lost' then 'submit_unconfirmed'
      -- Why it waited until then.
      when 'outlived' then case d.code when 'carrier_throttled' then 'carrier_queue_overflow'
        when 'carrier_link_down' then 'carrier_link_down' else 'validity_expired' end
    end)
  into tenants, message_ids, moves_by, codes
  from (
    select m.tenant_id, m.id, m.code, case
        when u.lost then 'answer_lost'
        when m.created_at + make_interval(secs => m.validity_seconds) <= present then 'outlived'
        else 'claimed'
      end as event
    from unnest(tenants, message_ids, lost) as u (tenant_id, id, lost)
    join messages m on m.tenant_id = u.tenant_id and m.id = u.id
  ) d;

  return query
  select m.tenant_id, m.id, m.attempts, m.from_address, m.to_address, m.body, m.encoding, m.segments, m.expires_at
  from move_messages(tenants, message_ids, moves_by, codes, null, event_ids, moves_event, moves_from, moves_to) m
  where m.status = 'sending';
  if found then return; end if;
  -- Nothing of it is left to be handed over.
  delete from message_jobs j where j.lease_token = token;
end $$;

-- Writes down what the carrier answered and ends the lease. An answer that comes after the lease was given up moves only
-- what the table of moves lets it move. Returns how many messages moved.
create function conclude_messages(for_carrier text, token text, tenant_ids bigint[], ids text[], moves_by text[],
  codes text[], routes text[], retry_seconds double precision[], receipt_seconds double precision,
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  moved integer;
  parked record;
begin
  delete from message_jobs j where j.lease_token = token;

  -- Always in the order of the key, so that answers and receipts wait for each other and do not dead-lock.
  with routed as (
    insert into message_routes as r (tenant_id, route, message_id, due_at)
    select u.tenant_id, u.route, u.id, present + make_interval(secs => receipt_seconds)
    from unnest(tenant_ids, ids, routes) as u (tenant_id, id, route)
    where u.route is not null
    order by u.tenant_id, u.route
    on conflict on constraint message_routes_pkey do update set
      -- A carrier may use an id again: what was parked for another message is none of this one's.
      receipt = case when coalesce(r.message_id, excluded.message_id) = excluded.message_id then r.receipt end,
      message_id = excluded.message_id,
      due_at = excluded.due_at
    returning r.tenant_id, r.message_id, r.receipt, r.receipt_code, r.receipt_at
  )
  select array_agg(r.tenant_id) as tenant_ids, array_agg(r.message_id) as ids, array_agg(r.receipt) as receipts,
    array_agg(r.receipt_code) as codes, array_agg(r.receipt_at) as ats
  into parked from routed r where r.receipt is not null;

  with m as (
    select * from move_messages(tenant_ids, ids, moves_by, codes, null, event_ids, moves_event, moves_from, moves_to)
  ), again as (
    insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
    select m.tenant_id, min(m.id), for_carrier, present + make_interval(secs => u.retry), array_agg(m.id)
    from m join unnest(tenant_ids, ids, retry_seconds) as u (tenant_id, id, retry)
      on u.tenant_id = m.tenant_id and u.id = m.id
    where m.status = 'queued'
    group by m.tenant_id, u.retry
  )
  select count(*) into moved from m;

  if parked.ids is not null then
    perform from move_messages(parked.tenant_ids, parked.ids, parked.receipts, parked.codes, parked.ats,
      event_ids[cardinality(ids) + 1:], moves_event, moves_from, moves_to);
  end if;
  return moved;
end $$;

-- Takes receipts in, before they are acknowledged to the carrier. One whose message is not known yet is parked for
-- `park_seconds`; one that changes nothing (repeated, or after the end) is parked for nothing and forgotten then. Returns
-- how many messages moved.
create function receive_receipts(tenant_ids bigint[], routes text[], message_ids text[], receipts text[], codes text[],
  ats timestamptz[], park_seconds double precision, event_ids text[], moves_event text[], moves_from text[],
  moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  known record;
  moved integer;
begin
  for turn in 1..2 loop
    select array_agg(r.tenant_id) filter (where r.message_id is not null) as tenant_ids,
      array_agg(r.message_id) filter (where r.message_id is not null) as ids,
      array_agg(u.receipt) filter (where r.message_id is not null) as receipts,
      array_agg(u.code) filter (where r.message_id is not null) as codes,
      array_agg(u.at) filter (where r.message_id is not null) as ats,
      -- Whose answer is stored: with its receipt the route has served.
      array_agg(r.tenant_id) filter (where r.route is not null and r.receipt is null) as served_tenants,
      array_agg(r.route) filter (where r.route is not null and r.receipt is null) as served_routes,
      count(*) filter (where r.route is null) as missing
    into known
    from unnest(tenant_ids, routes, receipts, codes, ats) as u (tenant_id, route, receipt, code, at)
    left join message_routes r on r.tenant_id = u.tenant_id and r.route = u.route;
    exit when known.missing = 0;
    -- Where the answer is being stored at this moment, this waits for it, and the second look finds it.
    insert into message_routes (tenant_id, route, message_id, due_at, receipt, receipt_code, receipt_at)
    select u.tenant_id, u.route, u.message_id, clock_timestamp() + make_interval(secs => park_seconds), u.receipt, u.code,
      u.at
    from unnest(tenant_ids, routes, message_ids, receipts, codes, ats)
      as u (tenant_id, route, message_id, receipt, code, at)
    order by u.tenant_id, u.route
    on conflict on constraint message_routes_pkey do nothing;
  end loop;
  select count(*) into moved
  from move_messages(known.tenant_ids, known.ids, known.receipts, known.codes, known.ats, event_ids,
    moves_event, moves_from, moves_to);
  delete from message_routes r using unnest(known.served_tenants, known.served_routes) as u (tenant_id, route)
  where r.tenant_id = u.tenant_id and r.route = u.route;
  return moved;
end $$;

-- Takes inbound messages in; returns the ids of those that were not known.
create function receive_messages(for_carrier text, tenant_ids bigint[], ids text[], carrier_references text[],
  created_ats timestamptz[], from_addresses text[], to_addresses text[], bodies text[], encodings text[],
  segment_counts smallint[], event_ids text[], event_data text[])
returns table (id text)
language sql security definer set search_path = public, pg_temp as $$
  with items as (
    select * from unnest(tenant_ids, ids, carrier_references, created_ats, from_addresses, to_addresses, bodies, encodings,
      segment_counts, event_ids, event_data) as u (tenant_id, id, reference, created_at, from_address, to_address, body,
      encoding, segments, event_id, data)
  ), fresh as (
    insert into messages (tenant_id, id, direction, status, carrier, carrier_reference, from_address, to_address, body,
      encoding, segments, created_at, final_at)
    select i.tenant_id, i.id, 'inbound', 'received', for_carrier, i.reference, i.from_address, i.to_address, i.body,
      i.encoding, i.segments, i.created_at, i.created_at
    from items i order by i.tenant_id, i.reference
    on conflict (tenant_id, carrier, carrier_reference) where direction = 'inbound' do nothing
    returning messages.tenant_id, messages.id
  ), told as (
    insert into events (tenant_id, id, type, resource_id, sequence, at, data)
    select i.tenant_id, i.event_id, 'message.received', i.id, 1, i.created_at, i.data::json
    from items i join fresh f on f.tenant_id = i.tenant_id and f.id = i.id
  )
  select f.id from fresh f
$$;

-- Looks after routes that are due: a message without receipt becomes unconfirmed (a late receipt may still come for
-- `late_seconds`), a parked receipt whose answer was lost is applied, the rest have served. Returns how many were due.
create function settle_message_routes(max_routes integer, late_seconds double precision, event_ids text[],
  moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  due record;
  moved text[];
begin
  with taken as (
    select r.* from message_routes r where r.due_at <= present order by r.due_at limit max_routes for update skip locked
  )
  select array_agg(t.tenant_id) as tenant_ids, array_agg(t.route) as routes, array_agg(t.message_id) as ids,
    array_agg(coalesce(t.receipt, 'receipt_missing')) as moves_by, array_agg(t.receipt_code) as codes,
    array_agg(t.receipt_at) as ats
  into due from taken t;
  if due.tenant_ids is null then return 0; end if;

  select coalesce(array_agg(m.id), '{}') into moved
  from move_messages(due.tenant_ids, due.ids, due.moves_by, due.codes, due.ats, event_ids,
    moves_event, moves_from, moves_to) m;

  with looked as (
    select u.tenant_id, u.route, case
        when u.event = 'receipt_missing' and u.message_id = any (moved) then make_interval(secs => late_seconds)
        -- Its lease was not given up yet.
        when u.event <> 'receipt_missing' and m.status = 'sending' then interval '1 minute'
      end as keep_for
    from unnest(due.tenant_ids, due.routes, due.ids, due.moves_by) as u (tenant_id, route, message_id, event)
    left join messages m on m.tenant_id = u.tenant_id and m.id = u.message_id
  ), kept as (
    update message_routes r set due_at = present + l.keep_for
    from looked l where l.keep_for is not null and r.tenant_id = l.tenant_id and r.route = l.route
  )
  delete from message_routes r using looked l
  where l.keep_for is null and r.tenant_id = l.tenant_id and r.route = l.route;
  return cardinality(due.tenant_ids);
end $$;

-- Keeps what the simulator is to tell, each list after its delay.
create function plan_simulator_receipts(for_carrier text, tenant_ids bigint[], ids text[], delay_seconds double precision[],
  item_lists text[])
returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into simulator_receipts (tenant_id, id, carrier, due_at, items)
  select u.tenant_id, u.id, for_carrier, clock_timestamp() + make_interval(secs => u.delay), u.items::json
  from unnest(tenant_ids, ids, delay_seconds, item_lists) as u (tenant_id, id, delay, items)
$$;

create function claim_simulator_receipts(for_carrier text, token text, max_rows integer, lease_seconds double precision)
returns table (tenant_id bigint, items json, due_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp();
begin
  return query
  with due as (
    select s.tenant_id, s.id, s.due_at from simulator_receipts s
    where s.carrier = for_carrier and s.due_at <= present
    order by s.due_at limit max_rows for update skip locked
  )
  update simulator_receipts s set lease_token = token, due_at = present + make_interval(secs => lease_seconds)
  from due d where s.tenant_id = d.tenant_id and s.id = d.id
  returning s.tenant_id, s.items, d.due_at;
end $$;

create function finish_simulator_receipts(token text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from simulator_receipts s where s.lease_token = token
$$;

do $$
declare
  function_name text;
begin
  foreach function_name in array array['accept_messages', 'claim_messages', 'conclude_messages', 'receive_receipts',
    'receive_messages', 'settle_message_routes', 'plan_simulator_receipts', 'claim_simulator_receipts',
    'finish_simulator_receipts']
  loop
    execute format('alter function %I owner to tandem_engine', function_name);
    execute format('revoke all on function %I from public', function_name);
    execute format('grant execute on function %I to tandem_app', function_name);
  end loop;
end $$;
revoke all on function move_messages from public;
grant execute on function move_messages to tandem_engine;
revoke create on schema public from tandem_engine;
