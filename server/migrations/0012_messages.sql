-- Messages: their rows, how they move, and how they are read.
--
-- A message moves only by the table of moves in sms/rules.ts: the server hands in, with every call, the moves its events
-- may make, and move_messages compares and sets. Each move writes its event in the same transaction; the events of a
-- message are its history. Everything here works on many messages at once.
--
-- Plans of these functions are kept, and made when tables may be empty. Joined as `m.id = any (array[u.id])`, a row can only be
-- looked up by its whole key: with `m.id = u.id` the planner may take the tenant alone, or read a table once for each row.

create table messages (
  tenant_id          bigint not null,
  -- The time that the id holds, so that ids and times sort alike.
  created_at         timestamptz(3) not null,
  sent_at            timestamptz(3),
  delivered_at       timestamptz(3),
  final_at           timestamptz(3),
  -- That of its newest event.
  sequence           integer not null default 1,
  -- How often it was handed to a carrier.
  attempts           smallint not null default 0,
  segments           smallint not null,
  validity_seconds   integer,
  status             text collate "C" not null,
  -- Why it is in this status, one of the codes of kernel/values/problem.ts.
  code               text collate "C",
  id                 text collate "C" not null,
  direction          text collate "C" not null,
  encoding           text collate "C" not null,
  carrier            text collate "C" not null,
  from_address       text collate "C" not null,
  to_address         text collate "C" not null,
  body               text not null,
  callback_url       text,
  tags               json,
  metadata           json,
  -- The carrier's own id of an inbound message, by which its repetition is known.
  carrier_reference  text collate "C",
  service_id         text collate "C",
  send_at            timestamptz(3),
  segments_delivered smallint not null default 0,
  -- What all its segments cost by the route it took, in millionths.
  price_micros       bigint,
  currency           text collate "C",
  -- Joins the parts of a long message at the recipient; the same in every attempt.
  reference          integer,
  -- Whether a part whose outcome is unknown is handed over again.
  resend             boolean not null default false,
  -- Answers to keywords reach those who opted out, too.
  ignores_opt_out    boolean not null default false,
  -- An inbound message of which parts never came.
  partial            boolean not null default false,
  redacted_at        timestamptz(3),
  -- The API key whose own daily ceiling counted what it costs; null as for nearly all.
  spend_key_id       text collate "C",
  -- Of one to be sent later: its service chose the sender, and chooses another one where that is gone. Else null.
  from_pool          boolean,
  primary key (tenant_id, id),
  constraint messages_status check (status in ('scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered',
    'expired', 'failed', 'canceled', 'unconfirmed', 'received')),
  constraint messages_direction check (direction in ('outbound', 'inbound')),
  constraint messages_encoding check (encoding in ('GSM-7', 'UCS-2'))
) with (fillfactor = 50); -- a message changes three times in its first seconds: on its own page that touches no index
-- Where the messages of one number stand in their indexes: by periods of twelve days (2^20 seconds), the newest last, and in each by 40 bits
-- of a hash that is seeded with the tenant. By the hash alone each new message would write a page of its own out of all years.
create function message_period(at timestamptz) returns bigint language sql immutable parallel safe
return floor(date_part('epoch', at at time zone 'UTC') / 1048576)::bigint;
create function person_key(period bigint, tenant_id bigint, number text) returns bigint language sql immutable parallel safe
return (period << 40) | (hashtextextended(number, tenant_id) & 1099511627775);

create index messages_to on messages (person_key(message_period(created_at), tenant_id, to_address), created_at);
create index messages_inbound_from on messages (person_key(message_period(created_at), tenant_id, from_address), created_at)
  where direction = 'inbound';
create index messages_received on messages (tenant_id, id) where direction = 'inbound';
create unique index messages_inbound_reference on messages (tenant_id, carrier, carrier_reference)
  where direction = 'inbound';
-- Without the status, which changes: a change that touches no index stays on its page.
create index messages_scheduled on messages (tenant_id, id) where send_at is not null;
create index messages_of_service on messages (tenant_id, service_id, id) where service_id is not null;
select protect_tenant_table('messages');
select open_to_engine('messages', 'select, insert, update');
grant select on messages to tandem_app;

-- One part of a message on its way, by its newest attempt.
create table message_segments (
  tenant_id          bigint not null,
  answered_at        timestamptz(3),
  receipt_at         timestamptz(3),
  part               smallint not null,
  attempt            smallint not null,
  message_id         text collate "C" not null,
  state              text collate "C" not null,
  carrier            text collate "C" not null,
  carrier_message_id text collate "C",
  code               text collate "C",
  carrier_code       text collate "C",
  -- In which its carrier sent it, where other parts wait yet: they are sent in the same.
  form               text collate "C",
  primary key (tenant_id, message_id, part),
  constraint message_segments_state check (state in ('submitting', 'accepted', 'throttled', 'refused', 'unknown',
    'delivered', 'undelivered', 'expired'))
) with (fillfactor = 50);
select protect_tenant_table('message_segments');
select open_to_engine('message_segments', 'select, insert, update');
grant select on message_segments to tandem_app;

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

-- Moves messages by events and writes what happened; returns those that moved. `moves_…` is the part of the table of moves
-- that these events need. The tables grow faster than statistics of them: whatever those say, rows are reached by their key.
create function move_messages(tenant_ids bigint[], ids text[], moves_by text[], codes text[], ats timestamptz[],
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns table (tenant_id bigint, id text, status text, attempts smallint, segments smallint)
language plpgsql set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  present timestamptz(3) := clock_timestamp();
  missing integer := cardinality(ids);
  moved integer;
  moved_once boolean;
begin
  select array_agg(v.event), array_agg(v.from_status), array_agg(v.to_status) into moves_event, moves_from, moves_to
  from unnest(moves_event, moves_from, moves_to) as v (event, from_status, to_status) where v.event = any (moves_by);
  -- A message that another one moves at this moment is left alone: it is not in the status any more that was found. What the
  -- carrier said must not be lost to that: it is looked at again.
  while missing > 0 and moves_event is not null loop
    return query
    with moved as (
      update messages m set
        status = v.to_status,
        code = r.code,
        sequence = m.sequence + 1,
        attempts = m.attempts + case v.to_status when 'sending' then 1 else 0 end,
        -- It is delivered when all its parts are: written here, that is no second version of the row.
        segments_delivered = case v.to_status when 'delivered' then m.segments else m.segments_delivered end,
        sent_at = case v.to_status when 'sent' then coalesce(m.sent_at, present) else m.sent_at end,
        -- A carrier's clock may be wrong, and some report whole minutes: delivery is after sending and not in the future.
        delivered_at = case v.to_status when 'delivered' then least(greatest(coalesce(r.at, present), m.sent_at), present) end,
        final_at = case when v.to_status in ('delivered', 'undelivered', 'expired', 'failed', 'canceled', 'unconfirmed')
          then present end
      from (
        select u.* from unnest(tenant_ids, ids, moves_by, codes, ats) as u (tenant_id, id, event, code, at)
        order by u.tenant_id, u.id
      ) r
      cross join lateral (
        select v.* from unnest(moves_event, moves_from, moves_to) as v (event, from_status, to_status)
        where v.event = r.event offset 0
      ) v
      where m.tenant_id = any (array[r.tenant_id]) and m.id = any (array[r.id]) and m.status = v.from_status
      returning m.*, v.from_status as previous
    ), emitted as (
      insert into events (tenant_id, id, type, resource_id, sequence, at, callback_url, data)
      select m.tenant_id, event_ids[row_number() over ()], 'message.' || m.status, m.id, m.sequence,
        greatest(present, m.created_at), m.callback_url,
        -- As presentMessage of sms/rules.ts has it.
        (select row_to_json(d) from (select
          m.id as "messageId", m.direction, m.from_address as "from", m.to_address as "to", m.body, m.status, m.code,
          m.encoding, m.segments, m.segments_delivered as "segmentsDelivered", m.attempts, m.carrier,
          m.service_id as "serviceId",
          case when m.sent_at is not null then trim_scale(m.price_micros / 1000000.0)::text end as price,
          case when m.sent_at is not null and m.price_micros is not null then m.currency end as currency,
          m.callback_url as "callbackUrl", coalesce(m.tags, '[]') as tags,
          coalesce(m.metadata, '{}') as metadata, m.validity_seconds as "validityPeriod", m.partial,
          to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
          to_char(m.send_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "sendAt",
          to_char(m.sent_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "sentAt",
          to_char(m.delivered_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "deliveredAt",
          to_char(m.final_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "finalAt",
          to_char(m.redacted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "redactedAt",
          m.previous as "previousStatus") d)
      from moved m
    )
    select m.tenant_id, m.id, m.status, m.attempts, m.segments from moved m;
    get diagnostics moved = row_count;
    missing := missing - moved;
    exit when missing = 0;
    event_ids := event_ids[moved + 1:];
    select array_agg(v.event), array_agg(v.from_status), array_agg(v.to_status) into moves_event, moves_from, moves_to
    from unnest(moves_event, moves_from, moves_to) as v (event, from_status, to_status)
    where v.from_status in ('sent', 'unconfirmed') and v.event <> 'receipt_missing' and moved_once is not true;
    moved_once := true;
  end loop;
end $$;

-- Everybody takes locks in this order: routes, messages by their key, their segments. Of a message of one part that is handed
-- over for the first time nobody else speaks, and it is spared the lock. Answers whether there was one with several parts
-- or attempts.
create function lock_messages(tenant_ids bigint[], ids text[]) returns boolean
language plpgsql set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  perform from (
    select distinct u.tenant_id, u.id from unnest(tenant_ids, ids) as u (tenant_id, id) order by 1, 2
  ) u
  cross join lateral (
    select from messages m where m.tenant_id = u.tenant_id and m.id = u.id and (m.segments > 1 or m.attempts <> 1) for update
  ) m;
  return found;
end $$;

-- Takes back messages that no carrier has; returns those that moved. What was to be sent later leaves its job: it waits for nobody
-- any more. A job that is being claimed is left alone, for who claims it finds that the message was taken back.
create function cancel_messages(tenant_ids bigint[], ids text[], event_ids text[], moves_event text[],
  moves_from text[], moves_to text[])
returns table (id text)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_messages(tenant_ids, ids);
  return query
  with moved as materialized (
    select m.tenant_id, m.id
    from (
      -- None of which a carrier may have a part.
      select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg('canceled'::text) as events
      from unnest(tenant_ids, ids) as u (tenant_id, id)
      where not exists (select from message_segments s where s.tenant_id = u.tenant_id and s.message_id = u.id
        and s.state not in ('throttled', 'refused'))
    ) free
    cross join lateral move_messages(free.tenant_ids, free.ids, free.events, null, null, event_ids, moves_event, moves_from,
      moves_to) m
  ), held as materialized (
    select j.tenant_id, j.id, m.id as message_id
    from moved v
    join messages m on m.tenant_id = v.tenant_id and m.id = v.id
    join message_jobs j on j.carrier = m.carrier and j.due_at = m.send_at and j.tenant_id = m.tenant_id
      and m.id = any (j.message_ids)
    for update of j skip locked
  ), emptied as (
    delete from message_jobs j using held h
    where j.tenant_id = h.tenant_id and j.id = h.id and j.message_ids <@ array[h.message_id]
  ), reduced as (
    update message_jobs j set message_ids = array_remove(j.message_ids, h.message_id)
    from held h where j.tenant_id = h.tenant_id and j.id = h.id and not j.message_ids <@ array[h.message_id]
  )
  select v.id from moved v;
end $$;

-- Removes the text of a message for good, also from its events and from what receivers replied to them.
create function redact_message(of_tenant bigint, message_id text, at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update messages m set body = '', redacted_at = at
  where m.tenant_id = of_tenant and m.id = message_id and m.redacted_at is null
    and m.status in ('delivered', 'undelivered', 'expired', 'failed', 'canceled', 'received', 'unconfirmed');
  if not found then return false; end if;
  update events e set data = (e.data::jsonb || '{"body": ""}')::json
  where e.tenant_id = of_tenant and e.resource_id = message_id;
  update webhook_deliveries d
  set log = (select json_agg(a.attempt - 'reply' order by a.n) from jsonb_array_elements(d.log::jsonb) with ordinality as a (attempt, n))
  from events e
  where e.tenant_id = of_tenant and e.resource_id = message_id and d.tenant_id = of_tenant and d.event_id = e.id
    and d.target in (select 0 union all select w.number from webhook_endpoints w where w.tenant_id = of_tenant)
    and d.log::jsonb @? '$[*].reply';
  return true;
end $$;

-- Messages with one number, read page by page. Functions, so that they are planned again each time, with the limit and the tables as they
-- are: a plan that a connection made while tables were small, and kept, would read all that was ever exchanged with the number. They
-- go on from one span of periods to the one before until the page is full.

-- The period of the oldest message of a tenant from an id on; null where it has none.
create function first_message_period(of_tenant bigint, from_id text) returns bigint
language sql stable as $$
  select message_period(m.created_at) from messages m where m.tenant_id = of_tenant and m.id >= from_id
  order by m.tenant_id, m.id limit 1
$$;

-- The periods between two, both included, as lists go through them: the newest four, the thirty-two before them, and so on. Nothing
-- where one of the two is null.
create function period_spans(newest bigint, oldest bigint) returns table (last_period bigint, first_period bigint)
language sql immutable parallel safe as $$
  with recursive spans (last_period, first_period, width) as (
    select newest, newest - 3, 4 where newest >= oldest
    union all
    select s.first_period - 1, s.first_period - 8 * s.width, 8 * s.width from spans s where s.first_period > oldest
  )
  select s.last_period, greatest(s.first_period, oldest) from spans s order by s.last_period desc
$$;

-- What was sent to a number since then, in no order.
create function messages_to_since(of_tenant bigint, recipient text, since timestamptz) returns setof messages
language sql stable as $$
  select m.*
  from generate_series(message_period(since), message_period(clock_timestamp() + interval '1 day')) as p (period)
  join messages m on person_key(message_period(m.created_at), m.tenant_id, m.to_address) = person_key(p.period, of_tenant, recipient)
  where m.tenant_id = of_tenant and m.to_address = recipient and m.created_at >= since
$$;

-- Messages of the tenant of this transaction to a number and inbound ones from it, newest first, that stand behind a moment
-- and id. Each arm names the whole order of its index (behind row-level security PostgreSQL does not see that its first
-- column is constant), so that nothing is sorted but what is shown. The id decides between those of one moment, which come
-- along.
create function messages_with(phone text, behind_at timestamptz, behind_id text, most integer) returns setof messages
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_custom_plan as $$
declare
  of_tenant bigint := current_setting('app.tenant_id')::bigint;
  span record;
  missing integer := most;
  got integer;
begin
  for span in
    select * from period_spans(message_period(least(behind_at, clock_timestamp() + interval '1 day')), first_message_period(of_tenant, ''))
  loop
    return query
    select u.* from generate_series(span.first_period, span.last_period) as p (period)
    cross join lateral (
      (select m.* from messages m
       where person_key(message_period(m.created_at), m.tenant_id, m.to_address) = person_key(p.period, of_tenant, phone)
         and m.created_at <= behind_at
         and m.tenant_id + 0 = of_tenant and m.to_address = phone and (m.created_at < behind_at or m.id < behind_id)
       order by person_key(message_period(m.created_at), m.tenant_id, m.to_address) desc, m.created_at desc
       fetch first (missing) rows with ties)
      union all
      (select m.* from messages m
       where m.direction = 'inbound' and m.created_at <= behind_at
         and person_key(message_period(m.created_at), m.tenant_id, m.from_address) = person_key(p.period, of_tenant, phone)
         and m.tenant_id + 0 = of_tenant and m.from_address = phone and (m.created_at < behind_at or m.id < behind_id)
         -- What somebody wrote to themselves stands above.
         and m.to_address <> phone
       order by person_key(message_period(m.created_at), m.tenant_id, m.from_address) desc, m.created_at desc
       fetch first (missing) rows with ties)
    ) u
    order by u.created_at desc, u.id desc limit missing;
    get diagnostics got = row_count;
    missing := missing - got;
    exit when missing <= 0;
  end loop;
end $$;

-- Messages of the tenant of this transaction to a number (`way` is 'to'), inbound ones from it ('from'), or both ('with'),
-- newest first, within a range of ids and of the times these hold; the other filters are null or what must be so. Behind
-- row-level security PostgreSQL would not use these indexes: the hash in them is not known to keep secrets.
create function messages_of(way text, phone text, from_id text, before_id text, before_at timestamptz, of_status text,
  of_direction text, of_sender text, of_recipient text, of_service text, of_carrier text, of_tag text, most integer)
returns setof messages
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_hashjoin = off set enable_mergejoin = off
set plan_cache_mode = force_custom_plan as $$
declare
  of_tenant bigint := current_setting('app.tenant_id')::bigint;
  span record;
  missing integer := most;
  got integer;
begin
  for span in
    select * from period_spans(message_period(least(before_at, clock_timestamp() + interval '1 day')), first_message_period(of_tenant, from_id))
  loop
    return query
    select u.* from generate_series(span.first_period, span.last_period) as p (period)
    cross join lateral (
      select m.* from messages m
      where way <> 'from' and m.tenant_id + 0 = of_tenant
        and person_key(message_period(m.created_at), m.tenant_id, m.to_address) = person_key(p.period, of_tenant, phone)
        and m.created_at <= before_at and m.to_address = phone
      union all
      select m.* from messages m
      where way <> 'to' and m.direction = 'inbound' and m.tenant_id + 0 = of_tenant
        and person_key(message_period(m.created_at), m.tenant_id, m.from_address) = person_key(p.period, of_tenant, phone)
        and m.created_at <= before_at and m.from_address = phone and (way = 'from' or m.to_address <> phone)
    ) u
    where u.id >= from_id and u.id < before_id
      and (of_status is null or u.status = of_status) and (of_direction is null or u.direction = of_direction)
      and (of_sender is null or u.from_address = of_sender) and (of_recipient is null or u.to_address = of_recipient)
      and (of_service is null or u.service_id = of_service) and (of_carrier is null or u.carrier = of_carrier)
      and (of_tag is null or u.tags::jsonb ? of_tag)
    order by u.created_at desc, u.id desc limit missing;
    get diagnostics got = row_count;
    missing := missing - got;
    exit when missing <= 0;
  end loop;
end $$;

select restrict_to_engine('move_messages', 'lock_messages');

select restrict_to_engine('first_message_period', 'period_spans', 'messages_to_since');
select give_to_engine('cancel_messages', 'redact_message', 'messages_with', 'messages_of');
