-- Messages grow up: several carriers a tenant, one row a segment, services, schedules, paced senders, opt-outs, redaction.
--
-- The functions of 0004 are written anew. A segment's row is written when its message is leased, before any byte leaves;
-- the carrier's answer and its receipt are written into it. What joins answer and receipt is still message_routes.

alter table messages
  add column service_id         text collate "C",
  add column send_at            timestamptz(3),
  add column segments_delivered smallint not null default 0,
  -- What all its segments cost by the route it took, in millionths.
  add column price_micros       bigint,
  add column currency           text collate "C",
  -- Joins the parts of a long message at the recipient; the same in every attempt.
  add column reference          integer,
  -- Whether a part whose outcome is unknown is handed over again.
  add column resend             boolean not null default false,
  -- Answers to keywords reach those who opted out, too.
  add column ignores_opt_out    boolean not null default false,
  -- An inbound message of which parts never came.
  add column partial            boolean not null default false,
  add column redacted_at        timestamptz(3);
-- Without the status, which changes: a change that touches no index stays on its page.
create index messages_scheduled on messages (tenant_id, id) where send_at is not null;
create index messages_of_service on messages (tenant_id, service_id, id) where service_id is not null;

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
  primary key (tenant_id, message_id, part),
  constraint message_segments_state check (state in ('submitting', 'accepted', 'throttled', 'refused', 'unknown',
    'delivered', 'undelivered', 'expired'))
) with (fillfactor = 50);
select protect_tenant_table('message_segments');
select open_to_engine('message_segments', 'select, insert, update');
grant select on message_segments to tandem_app;

alter table message_routes
  add column part                 smallint not null default 1,
  add column receipt_carrier_code text collate "C",
  -- Sender and recipient of the message a parked receipt is about, where the carrier repeats them.
  add column receipt_from         text collate "C",
  add column receipt_to           text collate "C";

-- When a sender of limited speed is free again.
create table sender_pace (
  tenant_id bigint not null,
  sender    text collate "C" not null,
  free_at   timestamptz not null,
  primary key (tenant_id, sender)
) with (fillfactor = 50);
select protect_tenant_table('sender_pace');
select open_to_engine('sender_pace', 'select, insert, update');
grant select on sender_pace to tandem_app;

-- Which sender of a service a recipient knows.
create table service_contacts (
  tenant_id  bigint not null,
  service_id text collate "C" not null,
  recipient  text collate "C" not null,
  sender     text collate "C" not null,
  primary key (tenant_id, service_id, recipient)
);
select protect_tenant_table('service_contacts');
select open_to_engine('service_contacts', 'select, insert, update');
grant select on service_contacts to tandem_app;

-- The last reference given to long messages to a recipient, so that no two of them are taken for one.
create table message_references (
  tenant_id bigint not null,
  recipient text collate "C" not null,
  reference integer not null,
  primary key (tenant_id, recipient)
) with (fillfactor = 50);
select protect_tenant_table('message_references');
select open_to_engine('message_references', 'select, insert, update');

-- Which senders and carriers a tenant has, changes: whoever keeps them in memory asks for this number.
create table messaging_revisions (
  tenant_id bigint not null,
  revision  bigint not null,
  primary key (tenant_id)
) with (fillfactor = 50);
select protect_tenant_table('messaging_revisions');
select open_to_engine('messaging_revisions', 'select, insert, update');
grant select on messaging_revisions to tandem_app;

-- The engine looks at these while it takes in, claims and routes.
do $$
declare
  listed text;
begin
  foreach listed in array array['numbers', 'opt_outs', 'carriers', 'carrier_links', 'messaging_services'] loop
    if exists (select from pg_policies where tablename = listed and policyname = 'engine_access') then
      execute format('grant select on %I to tandem_engine', listed);
    else
      perform open_to_engine(listed::regclass, 'select');
    end if;
  end loop;
end $$;

grant create on schema public to tandem_engine;

create function bump_messaging_revision() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into messaging_revisions as r (tenant_id, revision)
  select c.tenant_id, 1 from (select distinct tenant_id from changed) c order by c.tenant_id
  on conflict (tenant_id) do update set revision = r.revision + 1;
  return null;
end $$;
alter function bump_messaging_revision() owner to tandem_engine;
revoke all on function bump_messaging_revision() from public;
do $$
declare
  listed text;
begin
  foreach listed in array array['carriers', 'numbers', 'messaging_services'] loop
    execute format('create trigger %I after insert on %I referencing new table as changed for each statement
      execute function bump_messaging_revision()', listed || '_revision_insert', listed);
    execute format('create trigger %I after update on %I referencing new table as changed for each statement
      execute function bump_messaging_revision()', listed || '_revision_update', listed);
    execute format('create trigger %I after delete on %I referencing old table as changed for each statement
      execute function bump_messaging_revision()', listed || '_revision_delete', listed);
  end loop;
end $$;

drop function accept_messages;
drop function claim_messages;
drop function conclude_messages;
drop function receive_receipts;
drop function receive_messages;
drop function settle_message_routes;
drop function move_messages;

-- Takes messages in, of several tenants: row, event and job, and the answer under its Idempotency-Key where there is one.
-- Arrays of what no message of the call has may be null. `paces` are segments a second of senders of limited speed: their
-- messages wait for each other. Returns items (from 1) of which nothing is written: those whose key was used before, with
-- what is stored for it, and those that are refused, with the code of the problem.
create function accept_messages(tenant_ids bigint[], ids text[], created_ats timestamptz[], carriers text[],
  from_addresses text[], to_addresses text[], bodies text[], encodings text[], segment_counts smallint[],
  validities integer[], callback_urls text[], tag_lists text[], metadatas text[], event_ids text[], event_data text[],
  keys text[], fingerprints bytea[], answers text[], service_ids text[], send_ats timestamptz[], prices bigint[],
  currencies text[], resends boolean[], opt_out_ignored boolean[], paces double precision[])
returns table (item integer, fingerprint bytea, status integer, body text, version integer, refusal text)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  repeated integer[] := '{}';
  refused integer[];
  refusals text[];
  skipped integer[] := '{}';
  dues timestamptz[];
begin
  select array_agg(r.n), array_agg(r.code) into refused, refusals
  from (
    select u.n::integer as n, case
        -- Opt-outs go with a number from service to service: its service now counts, and the one that was found for it.
        when u.ignored is not true and exists (select from opt_outs o where o.tenant_id = u.tenant_id and o.recipient = u.to_address
          and (o.scope = u.service_id or o.scope = u.from_address or o.scope = (select n.service_id from numbers n
            where n.tenant_id = u.tenant_id and n.address = u.from_address)))
          then 'recipient_opted_out'
        -- One to be sent later does not wait in today's queue.
        when u.pace is not null and u.send_at is null and exists (select from sender_pace p
          where p.tenant_id = u.tenant_id and p.sender = u.from_address and p.free_at > present + interval '10 hours')
          then 'sender_queue_full'
      end as code
    from unnest(tenant_ids, service_ids, from_addresses, to_addresses, opt_out_ignored, paces, send_ats) with ordinality
      as u (tenant_id, service_id, from_address, to_address, ignored, pace, send_at, n)
  ) r
  where r.code is not null;

  if keys is not null then
    -- Keys are claimed in one order everywhere: two groups with the same keys wait for each other and do not dead-lock.
    with asked as (
      select u.*, row_number() over (partition by u.tenant_id, u.key order by u.n) as turn
      from unnest(tenant_ids, keys, fingerprints, answers) with ordinality as u (tenant_id, key, fingerprint, answer, n)
      where u.key is not null and (refused is null or u.n <> all (refused))
    ), claimed as (
      insert into idempotency_keys as k (tenant_id, key, fingerprint, status, body)
      select a.tenant_id, a.key, a.fingerprint, 200, a.answer from asked a where a.turn = 1 order by a.tenant_id, a.key
      on conflict do nothing
      returning k.tenant_id, k.key
    )
    select coalesce(array_agg(a.n::integer), '{}') into repeated
    from asked a left join claimed c on c.tenant_id = a.tenant_id and c.key = a.key
    where c.key is null or a.turn > 1;
    -- What was taken in before is answered as it was then, whatever was refused since.
    if refused is not null then
      select repeated || coalesce(array_agg(u.n::integer), '{}') into repeated
      from unnest(tenant_ids, keys) with ordinality as u (tenant_id, key, n)
      join idempotency_keys k on k.tenant_id = u.tenant_id and k.key = u.key
      where u.n = any (refused);
    end if;
  end if;
  skipped := repeated || coalesce(refused, '{}');

  if paces is not null then
    with paced as (
      select u.n, u.tenant_id, u.sender, u.segments / u.pace as seconds,
        sum(u.segments / u.pace) over (partition by u.tenant_id, u.sender order by u.n) as until
      from unnest(tenant_ids, from_addresses, segment_counts, paces, send_ats) with ordinality
        as u (tenant_id, sender, segments, pace, send_at, n)
      -- Those to be sent later take their turn when their time has come.
      where u.pace > 0 and u.send_at is null and u.n <> all (skipped)
    ), taken as (
      insert into sender_pace as s (tenant_id, sender, free_at)
      select p.tenant_id, p.sender, present + make_interval(secs => sum(p.seconds)) from paced p
      group by p.tenant_id, p.sender order by p.tenant_id, p.sender
      on conflict (tenant_id, sender) do update
        set free_at = greatest(s.free_at, present) + (excluded.free_at - present)
      returning s.tenant_id, s.sender, s.free_at
    ), lasts as (
      select p.tenant_id, p.sender, sum(p.seconds) as total from paced p group by p.tenant_id, p.sender
    )
    select array_agg(t.free_at - make_interval(secs => l.total - p.until + p.seconds) order by u.n) into dues
    from generate_series(1, cardinality(tenant_ids)) as u (n)
    left join paced p on p.n = u.n
    left join taken t on t.tenant_id = p.tenant_id and t.sender = p.sender
    left join lasts l on l.tenant_id = p.tenant_id and l.sender = p.sender;
  end if;

  insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments,
    validity_seconds, callback_url, tags, metadata, created_at, service_id, send_at, price_micros, currency, resend,
    ignores_opt_out)
  select u.tenant_id, u.id, 'outbound', case when u.send_at is null then 'queued' else 'scheduled' end, u.carrier,
    u.from_address, u.to_address, u.body, u.encoding, u.segments, u.validity, u.callback_url, u.tags::json,
    u.metadata::json, u.created_at, u.service_id, u.send_at, u.price, u.currency, coalesce(u.resend, false),
    coalesce(u.ignored, false)
  from unnest(tenant_ids, ids, created_ats, carriers, from_addresses, to_addresses, bodies, encodings, segment_counts,
      validities, callback_urls, tag_lists, metadatas, service_ids, send_ats, prices, currencies, resends,
      opt_out_ignored) with ordinality
    as u (tenant_id, id, created_at, carrier, from_address, to_address, body, encoding, segments, validity, callback_url,
      tags, metadata, service_id, send_at, price, currency, resend, ignored, n)
  where u.n <> all (skipped);

  -- Parts of two long messages to one phone must not be joined into one.
  if exists (select from unnest(segment_counts) as s (segments) where s.segments > 1) then
    with long as (
      select u.tenant_id, u.recipient, u.id, row_number() over (partition by u.tenant_id, u.recipient order by u.n) as turn
      from unnest(tenant_ids, to_addresses, ids, segment_counts) with ordinality as u (tenant_id, recipient, id, segments, n)
      where u.segments > 1 and u.n <> all (skipped)
    ), taken as (
      insert into message_references as r (tenant_id, recipient, reference)
      select l.tenant_id, l.recipient, count(*) from long l group by l.tenant_id, l.recipient
      order by l.tenant_id, l.recipient
      on conflict (tenant_id, recipient) do update set reference = (r.reference + excluded.reference) % 65536
      returning r.tenant_id, r.recipient, r.reference
    )
    update messages m set reference = (t.reference + 65536 - l.turn + 1) % 65536
    from long l join taken t on t.tenant_id = l.tenant_id and t.recipient = l.recipient
    where m.tenant_id = l.tenant_id and m.id = l.id;
  end if;

  if service_ids is not null then
    insert into service_contacts as c (tenant_id, service_id, recipient, sender)
    select distinct on (u.tenant_id, u.service_id, u.recipient) u.tenant_id, u.service_id, u.recipient, u.sender
    from unnest(tenant_ids, service_ids, to_addresses, from_addresses) with ordinality
      as u (tenant_id, service_id, recipient, sender, n)
    where u.service_id is not null and u.n <> all (skipped)
    order by u.tenant_id, u.service_id, u.recipient, u.n desc
    on conflict (tenant_id, service_id, recipient) do update set sender = excluded.sender
      where c.sender <> excluded.sender;
  end if;

  insert into events (tenant_id, id, type, resource_id, sequence, at, data, callback_url)
  select u.tenant_id, u.event_id, case when u.send_at is null then 'message.queued' else 'message.scheduled' end, u.id, 1,
    u.created_at, u.data::json, u.callback_url
  from unnest(tenant_ids, event_ids, ids, created_ats, event_data, callback_urls, send_ats) with ordinality
    as u (tenant_id, event_id, id, created_at, data, callback_url, send_at, n)
  where u.n <> all (skipped);

  insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
  select u.tenant_id, min(u.id), u.carrier, u.due_at, array_agg(u.id order by u.n)
  from (
    select i.*, coalesce(i.send_at, dues[i.n], present) as due_at,
      -- A job is claimed and finished as one: no larger than one claim.
      (row_number() over (partition by i.tenant_id, i.carrier, coalesce(i.send_at, dues[i.n]) order by i.n) - 1) / 64 as job
    from unnest(tenant_ids, ids, carriers, send_ats) with ordinality as i (tenant_id, id, carrier, send_at, n)
    where i.n <> all (skipped)
  ) u
  group by u.tenant_id, u.carrier, u.due_at, u.job;

  if repeated <> '{}' then
    return query
    select u.n::integer, k.fingerprint, k.status, k.body, k.version, null::text
    from unnest(tenant_ids, keys) with ordinality as u (tenant_id, key, n)
    join idempotency_keys k on k.tenant_id = u.tenant_id and k.key = u.key
    where u.n = any (repeated);
  end if;
  if refused is not null then
    return query
    select u.n, null::bytea, null::integer, null::text, null::integer, u.code
    from unnest(refused, refusals) as u (n, code) where u.n <> all (repeated);
  end if;
end $$;

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
begin
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
      -- A carrier's clock may be wrong, and some tell whole minutes: delivery is after sending and not in the future.
      delivered_at = case v.to_status when 'delivered' then least(greatest(coalesce(r.at, present), m.sent_at), present) end,
      final_at = case when v.to_status in ('delivered', 'undelivered', 'expired', 'failed', 'canceled', 'unconfirmed')
        then present end
    from unnest(tenant_ids, ids, moves_by, codes, ats) as r (tenant_id, id, event, code, at)
    join unnest(moves_event, moves_from, moves_to) as v (event, from_status, to_status) on v.event = r.event
    where m.tenant_id = r.tenant_id and m.id = r.id and m.status = v.from_status
    returning m.*, v.from_status as previous
  ), told as (
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
end $$;

-- Leases jobs that are due until they hold `max_segments` (the last one is split) and begins their messages; returns those
-- now to be submitted, with the parts that are still to be handed over. The lease and the rows of the segments are the
-- attempt: from this commit on, a message whose answer does not arrive is unconfirmed.
create function claim_messages(for_carrier text, token text, max_segments integer, lease_seconds double precision,
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns table (tenant_id bigint, id text, attempt smallint, from_address text, to_address text, body text, encoding text,
  segments smallint, expires_at timestamptz, created_at timestamptz, parts_mask integer, reference integer,
  resend boolean)
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
  leased integer;
  used integer := 0;
  known record;
begin
  -- What is locked is read from the locked rows and nowhere else: another claim may have split a job since this statement
  -- began.
  with due as materialized (
    select j.tenant_id, j.id, j.due_at, j.message_ids, j.lease_token is not null as lost
    from message_jobs j where j.carrier = for_carrier and j.due_at <= present
    order by j.due_at limit max_segments for update skip locked
  ), counted as (
    select d.*, sum(cardinality(d.message_ids)) over (order by d.due_at, d.id) - cardinality(d.message_ids) as before
    from due d
  ), near as (
    select * from counted c where c.before < max_segments
  ), sized as (
    select n.tenant_id, n.id,
      sum(coalesce(m.segments, 1)) over (order by n.due_at, n.id, u.n) - coalesce(m.segments, 1) as before
    from near n cross join unnest(n.message_ids) with ordinality as u (message_id, n)
    left join messages m on m.tenant_id = n.tenant_id and m.id = u.message_id
  ), chosen as (
    -- A lost lease is settled whole.
    select n.tenant_id, n.id, n.message_ids, n.lost,
      case when n.lost then cardinality(n.message_ids) else k.taken end as taken
    from near n join (
      select z.tenant_id, z.id, count(*)::integer as taken from sized z where z.before < max_segments group by 1, 2
    ) k on k.tenant_id = n.tenant_id and k.id = n.id
  ), split as (
    update message_jobs j set message_ids = c.message_ids[c.taken + 1:]
    from chosen c where j.tenant_id = c.tenant_id and j.id = c.id and c.taken < cardinality(c.message_ids)
  ), part as (
    insert into message_jobs (tenant_id, id, carrier, due_at, lease_token, message_ids)
    select c.tenant_id, token || c.message_ids[1], for_carrier, present + make_interval(secs => lease_seconds), token,
      c.message_ids[:c.taken]
    from chosen c where c.taken < cardinality(c.message_ids)
  ), leased as (
    update message_jobs j set lease_token = token, due_at = present + make_interval(secs => lease_seconds)
    from chosen c where j.tenant_id = c.tenant_id and j.id = c.id and c.taken = cardinality(c.message_ids)
  )
  select array_agg(c.tenant_id), array_agg(u.id), array_agg(c.lost) into tenants, message_ids, lost
  from chosen c cross join unnest(c.message_ids[:c.taken]) as u (id);
  if tenants is null then return; end if;
  leased := cardinality(message_ids);

  -- Those whose time has come are queued first, each at the turn of its sender.
  if exists (select from unnest(tenants, message_ids) as u (tenant_id, id)
      join messages m on m.tenant_id = u.tenant_id and m.id = u.id where m.status = 'scheduled') then
    select array_agg(t.tenant_id) as tenants, array_agg(t.id) as ids into known
    from unnest(tenants, message_ids) as u (tenant_id, id)
    join messages t on t.tenant_id = u.tenant_id and t.id = u.id and t.status = 'scheduled';
    select count(*) into used from move_messages(known.tenants, known.ids, array_fill('time_came'::text,
      array[cardinality(known.ids)]), null, null, event_ids, moves_event, moves_from, moves_to);
    event_ids := event_ids[used + 1:];
    with paced as (
      select m.tenant_id, m.id, m.from_address, m.carrier, m.segments / n.segments_per_second::double precision as seconds,
        sum(m.segments / n.segments_per_second::double precision)
          over (partition by m.tenant_id, m.from_address order by m.id) as until
      from unnest(known.tenants, known.ids) as u (tenant_id, id)
      join messages m on m.tenant_id = u.tenant_id and m.id = u.id
      join numbers n on n.tenant_id = m.tenant_id and n.address = m.from_address and n.segments_per_second > 0
    ), taken as (
      insert into sender_pace as s (tenant_id, sender, free_at)
      select p.tenant_id, p.from_address, present + make_interval(secs => sum(p.seconds)) from paced p
      group by p.tenant_id, p.from_address order by p.tenant_id, p.from_address
      on conflict (tenant_id, sender) do update set free_at = greatest(s.free_at, present) + (excluded.free_at - present)
      returning s.tenant_id, s.sender, s.free_at
    ), later as (
      select p.tenant_id, p.id, p.carrier, t.free_at - make_interval(secs => max(p.until) over
        (partition by p.tenant_id, p.from_address) - p.until + p.seconds) as due_at
      from paced p join taken t on t.tenant_id = p.tenant_id and t.sender = p.from_address
    ), again as (
      insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
      select l.tenant_id, l.id || token, l.carrier, l.due_at, array[l.id] from later l where l.due_at > present
      returning tenant_id, message_ids[1] as id
    )
    select array_agg(u.tenant_id), array_agg(u.id), array_agg(u.lost) into tenants, message_ids, lost
    from unnest(tenants, message_ids, lost) as u (tenant_id, id, lost)
    where not exists (select from again a where a.tenant_id = u.tenant_id and a.id = u.id);
    if tenants is null then
      delete from message_jobs j where j.lease_token = token;
      return;
    end if;
  end if;

  select array_agg(d.tenant_id), array_agg(d.id), array_agg(d.event), array_agg(case d.event
      when 'answer_lost' then 'submit_unconfirmed'
      when 'asked_again' then 'submit_unconfirmed'
      when 'refused_by_us' then 'recipient_opted_out'
      -- Why it waited until then.
      when 'outlived_in_part' then 'validity_expired'
      when 'outlived' then case d.code when 'carrier_throttled' then 'carrier_queue_overflow'
        when 'carrier_queue_full' then 'carrier_queue_overflow'
        when 'carrier_link_down' then 'carrier_link_down' else 'validity_expired' end
    end)
  into tenants, message_ids, moves_by, codes
  from (
    select m.tenant_id, m.id, m.code, case
        -- Who looks after stranded messages may have leased it and died: then nothing of it was begun.
        when u.lost and m.status = 'sending' then case when m.resend then 'asked_again' else 'answer_lost' end
        when coalesce(m.send_at, m.created_at) + make_interval(secs => m.validity_seconds) <= present then
          -- With a part at the carrier it is not certain that nobody gets it.
          case when m.attempts > 0 and exists (select from message_segments s where s.tenant_id = m.tenant_id
            and s.message_id = m.id and s.state not in ('throttled', 'refused')) then 'outlived_in_part' else 'outlived' end
        when not m.ignores_opt_out and exists (select from opt_outs o where o.tenant_id = m.tenant_id and o.recipient = m.to_address
          and (o.scope = m.service_id or o.scope = m.from_address or o.scope = (select n.service_id from numbers n
            where n.tenant_id = m.tenant_id and n.address = m.from_address)))
          then 'refused_by_us'
        else 'claimed'
      end as event
    from unnest(tenants, message_ids, lost) as u (tenant_id, id, lost)
    join messages m on m.tenant_id = u.tenant_id and m.id = u.id
  ) d;

  with moved as materialized (
    select * from move_messages(tenants, message_ids, moves_by, codes, null, event_ids, moves_event, moves_from, moves_to)
  ), again as (
    -- Messages whose sender wants them handed over again after an unknown outcome.
    insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
    select v.tenant_id, v.id || token, for_carrier, present, array[v.id] from moved v where v.status = 'queued'
  ), begun as (
    insert into message_segments as s (tenant_id, message_id, part, attempt, state, carrier)
    select v.tenant_id, v.id, p.part, v.attempts, 'submitting', for_carrier
    from moved v cross join generate_series(1, v.segments) as p (part) where v.status = 'sending'
    on conflict (tenant_id, message_id, part) do update set
      attempt = excluded.attempt, state = 'submitting', carrier = excluded.carrier, code = null, carrier_code = null,
      answered_at = null, carrier_message_id = null
      where s.state in ('throttled', 'refused', 'unknown', 'submitting')
    returning s.tenant_id, s.message_id, s.part
  ), gathered as (
    select b.tenant_id, b.message_id, array_agg(b.part order by b.part) as parts from begun b group by 1, 2
  )
  select array_agg(v.tenant_id) filter (where g.parts is not null) as tenants,
    array_agg(v.id) filter (where g.parts is not null) as ids,
    array_agg(v.attempts) filter (where g.parts is not null) as attempts,
    -- An array of arrays must be rectangular: a part is a bit.
    array_agg((select bit_or(1 << (part - 1)) from unnest(g.parts) as part)) filter (where g.parts is not null) as masks,
    array_agg(v.tenant_id) filter (where g.parts is null) as whole_tenants,
    array_agg(v.id) filter (where g.parts is null) as whole_ids
  into known
  from moved v left join gathered g on g.tenant_id = v.tenant_id and g.message_id = v.id
  where v.status = 'sending';

  -- Every part was taken after all, as a late answer said.
  if known.whole_ids is not null then
    event_ids := event_ids[cardinality(message_ids) + 1:];
    perform from move_messages(known.whole_tenants, known.whole_ids, array_fill('accepted'::text,
      array[cardinality(known.whole_ids)]), null, null, event_ids, moves_event, moves_from, moves_to);
    -- Their receipts may have come as well.
    perform apply_receipts(known.whole_tenants, known.whole_ids, null, null, null, null, null,
      event_ids[cardinality(known.whole_ids) + 1:], moves_event, moves_from, moves_to);
  end if;
  if known.ids is null then
    -- Nothing of it is left to be handed over.
    delete from message_jobs j where j.lease_token = token;
    return;
  end if;
  if cardinality(known.ids) < leased then
    -- The lease holds what is being handed over and nothing else: should it be lost, only that is in doubt.
    update message_jobs j set message_ids = array(select u.id from unnest(j.message_ids) with ordinality as u (id, n)
      where u.id = any (known.ids) order by u.n)
    where j.lease_token = token and not j.message_ids <@ known.ids;
    delete from message_jobs j where j.lease_token = token and j.message_ids = '{}';
  end if;
  return query
  select m.tenant_id, m.id, u.attempts, m.from_address, m.to_address, m.body, m.encoding, m.segments,
    coalesce(m.send_at, m.created_at) + make_interval(secs => m.validity_seconds), m.created_at, u.mask, m.reference,
    m.resend
  from unnest(known.tenants, known.ids, known.attempts, known.masks) as u (tenant_id, id, attempts, mask)
  join messages m on m.tenant_id = u.tenant_id and m.id = u.id;
end $$;

-- Everybody takes locks in this order: routes, messages by their key, their segments. Of a message of one part that is handed
-- over for the first time nobody else speaks, and it is spared the lock.
create function lock_messages(tenant_ids bigint[], ids text[]) returns void
language plpgsql set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  perform from (
    select distinct u.tenant_id, u.id from unnest(tenant_ids, ids) as u (tenant_id, id) order by 1, 2
  ) u
  cross join lateral (
    select from messages m where m.tenant_id = u.tenant_id and m.id = u.id and (m.segments > 1 or m.attempts <> 1) for update
  ) m;
end $$;

-- A batch that takes longer keeps its lease.
create function renew_messages(token text, lease_seconds double precision) returns void
language sql security definer set search_path = public, pg_temp as $$
  update message_jobs j set due_at = clock_timestamp() + make_interval(secs => lease_seconds) where j.lease_token = token
$$;

-- Writes receipts into the rows of their segments and moves the messages of which every part has come to its end: delivered
-- when all parts are, else as the first part that is not. Returns how many messages moved.
create function apply_receipts(tenant_ids bigint[], ids text[], parts smallint[], receipts text[], codes text[],
  carrier_codes text[], ats timestamptz[], event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz(3) := clock_timestamp();
  done record;
  moved integer;
begin
  perform lock_messages(tenant_ids, ids);
  -- All parts of these messages, in one order: of two batches with parts of one message the second counts what the first
  -- has written.
  perform from message_segments s
  join (select distinct u.tenant_id, u.id from unnest(tenant_ids, ids) as u (tenant_id, id)) u
    on s.tenant_id = u.tenant_id and s.message_id = u.id
  order by s.tenant_id, s.message_id, s.part
  for update of s;
  update message_segments s set
    state = case u.receipt when 'receipt_delivered' then 'delivered' when 'receipt_expired' then 'expired'
      else 'undelivered' end,
    code = u.code, carrier_code = u.carrier_code, receipt_at = coalesce(u.at, present)
  from unnest(tenant_ids, ids, parts, receipts, codes, carrier_codes, ats)
    as u (tenant_id, id, part, receipt, code, carrier_code, at)
  where s.tenant_id = u.tenant_id and s.message_id = u.id and s.part = u.part
    and s.state in ('accepted', 'submitting', 'unknown');

  with counted as materialized (
    select g.tenant_id, g.id, count(*) filter (where s.state = 'delivered')::smallint as delivered,
      m.segments_delivered as known, bool_and(s.state in ('delivered', 'undelivered', 'expired'))
        and count(*) = m.segments as ended,
      case when bool_and(s.state = 'delivered') then 'receipt_delivered'
        when bool_or(s.state = 'undelivered') then 'receipt_undelivered' else 'receipt_expired' end as event,
      min(s.code) filter (where s.state <> 'delivered') as code, max(s.receipt_at) as at
    from (select distinct u.tenant_id, u.id from unnest(tenant_ids, ids) as u (tenant_id, id)) g
    join message_segments s on s.tenant_id = g.tenant_id and s.message_id = g.id
    join messages m on m.tenant_id = g.tenant_id and m.id = g.id
    group by g.tenant_id, g.id, m.segments, m.segments_delivered
  ), shown as (
    update messages m set segments_delivered = c.delivered
    from counted c where c.delivered <> c.known and not (c.ended and c.event = 'receipt_delivered')
      and m.tenant_id = c.tenant_id and m.id = c.id
  )
  select array_agg(c.tenant_id) as tenant_ids, array_agg(c.id) as ids, array_agg(c.event) as events,
    array_agg(c.code) as codes, array_agg(c.at) as ats
  into done
  from counted c where c.ended;
  if done.ids is null then return 0; end if;
  select count(*) into moved from move_messages(done.tenant_ids, done.ids, done.events, done.codes, done.ats, event_ids,
    moves_event, moves_from, moves_to);
  return moved;
end $$;

-- Writes down what the carrier answered, and ends the leases of `tokens`; `leases` go on, without what waits again. Answers
-- are those of one attempt each: what was begun again since is left alone. Returns how many messages moved.
create function conclude_messages(for_carrier text, job text, tokens text[], leases text[], tenant_ids bigint[], ids text[],
  attempts_made smallint[], moves_by text[], codes text[], retry_seconds double precision[], part_tenants bigint[],
  part_ids text[], parts smallint[], part_attempts smallint[], part_states text[], carrier_message_ids text[],
  part_codes text[], carrier_codes text[], receipt_seconds double precision,
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  moved integer;
  parked record;
  current record;
  requeued text[];
  answered integer;
  ended integer := 0;
begin
  delete from message_jobs j where j.lease_token = any(tokens);
  if cardinality(ids) = 0 then return 0; end if;

  -- A carrier may use an id again: the message that had it before keeps its place under another name, where its time for
  -- receipts runs out.
  update message_routes r set route = r.route || '~' || r.message_id
  from unnest(part_tenants, part_ids, carrier_message_ids) as u (tenant_id, id, route)
  where r.tenant_id = u.tenant_id and r.route = for_carrier || ':' || u.route and r.message_id <> u.id;

  -- Always in the order of the key, so that answers and receipts wait for each other and do not dead-lock. Of two parts that
  -- a carrier answers with one id, receipts count for the first.
  with routed as (
    insert into message_routes as r (tenant_id, route, message_id, part, due_at)
    select distinct on (u.tenant_id, u.route) u.tenant_id, for_carrier || ':' || u.route, u.id, u.part,
      present + make_interval(secs => receipt_seconds)
    from unnest(part_tenants, part_ids, parts, carrier_message_ids) as u (tenant_id, id, part, route)
    where u.route is not null
    order by u.tenant_id, u.route, u.id, u.part
    on conflict on constraint message_routes_pkey do update set
      message_id = excluded.message_id,
      part = excluded.part,
      due_at = excluded.due_at
    returning r.tenant_id, r.message_id, r.part, r.receipt, r.receipt_code, r.receipt_carrier_code, r.receipt_at
  )
  select array_agg(r.tenant_id) as tenant_ids, array_agg(r.message_id) as ids, array_agg(r.part) as parts,
    array_agg(r.receipt) as receipts, array_agg(r.receipt_code) as codes,
    array_agg(r.receipt_carrier_code) as carrier_codes, array_agg(r.receipt_at) as ats
  into parked from routed r where r.receipt is not null;

  perform lock_messages(tenant_ids, ids);
  update message_segments s set state = u.state, carrier_message_id = u.carrier_message_id, code = u.code,
    carrier_code = u.carrier_code, answered_at = present
  -- One list and no other: from two, the planner may take the tenant alone to look rows up by.
  from unnest(part_tenants, part_ids, parts, part_attempts, part_states, carrier_message_ids, part_codes, carrier_codes)
      as u (tenant_id, id, part, attempt, state, carrier_message_id, code, carrier_code)
  where s.tenant_id = u.tenant_id and s.message_id = u.id and s.part = u.part and s.attempt = u.attempt
    and (s.state in ('submitting', 'unknown') or u.state = 'accepted' and s.state in ('refused', 'throttled'));
  get diagnostics answered = row_count;

  select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg(u.event) as events,
    array_agg(u.code) as codes
  into current
  from unnest(tenant_ids, ids, attempts_made, moves_by, codes) as u (tenant_id, id, attempt, event, code)
  join messages m on m.tenant_id = u.tenant_id and m.id = u.id and m.attempts = u.attempt;

  with m as materialized (
    select * from move_messages(current.tenant_ids, current.ids, current.events, current.codes, null, event_ids,
      moves_event, moves_from, moves_to)
  ), waiting as (
    select m.tenant_id, m.id, u.retry
    from m join unnest(tenant_ids, ids, retry_seconds) as u (tenant_id, id, retry)
      on u.tenant_id = m.tenant_id and u.id = m.id
    where m.status = 'queued'
  ), again as (
    insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
    select w.tenant_id, min(w.id) || job, for_carrier, present + make_interval(secs => w.retry), array_agg(w.id)
    from (select w.*, (row_number() over (partition by w.tenant_id, w.retry) - 1) / 64 as chunk from waiting w) w
    group by w.tenant_id, w.retry, w.chunk
  )
  select count(*), array_agg(m.id) filter (where m.status = 'queued') into moved, requeued from m;
  if requeued is not null then
    -- A lease that is lost later must not speak for what others have begun by then.
    update message_jobs j set message_ids = array(select u.id from unnest(j.message_ids) with ordinality as u (id, n)
      where u.id <> all (requeued) order by u.n)
    where j.lease_token = any (leases) and j.message_ids && requeued;
  end if;

  if parked.ids is not null then
    ended := apply_receipts(parked.tenant_ids, parked.ids, parked.parts, parked.receipts, parked.codes,
      parked.carrier_codes, parked.ats, event_ids[cardinality(ids) + 1:], moves_event, moves_from, moves_to);
  end if;
  if answered < cardinality(part_ids) then
    -- The receipt of a part came before its answer by another way: by our id, or from an older attempt.
    perform apply_receipts(current.tenant_ids, current.ids, null, null, null, null, null,
      event_ids[cardinality(ids) + ended + 1:], moves_event, moves_from, moves_to);
  end if;
  return moved;
end $$;

-- Takes receipts in, before they are acknowledged to the carrier. One whose message is not known yet is parked for
-- `park_seconds`; one that changes nothing (repeated, or after the end) is parked for nothing and forgotten then. Returns
-- how many messages moved.
create function receive_receipts(tenant_ids bigint[], routes text[], message_ids text[], receipts text[], codes text[],
  carrier_codes text[], ats timestamptz[], senders text[], recipients text[], park_seconds double precision,
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  known record;
  served record;
  moved integer := 0;
begin
  for turn in 1..2 loop
    select array_agg(r.tenant_id) filter (where k.is_certain) as tenant_ids,
      array_agg(r.message_id) filter (where k.is_certain) as ids,
      array_agg(r.part) filter (where k.is_certain) as parts,
      array_agg(u.receipt) filter (where k.is_certain) as receipts,
      array_agg(u.code) filter (where k.is_certain) as codes,
      array_agg(u.carrier_code) filter (where k.is_certain) as carrier_codes,
      array_agg(u.at) filter (where k.is_certain) as ats,
      -- Whose answer is stored: with its receipt the route has served.
      array_agg(r.tenant_id) filter (where r.route is not null and r.receipt is null) as served_tenants,
      array_agg(r.route) filter (where r.route is not null and r.receipt is null) as served_routes,
      count(*) filter (where r.route is null) as missing
    into known
    from unnest(tenant_ids, routes, receipts, codes, carrier_codes, ats)
      as u (tenant_id, route, receipt, code, carrier_code, at)
    left join lateral (
      -- Apart, so that each is looked up by its key even where statistics say that there are none.
      select q.* from message_routes q where q.tenant_id = u.tenant_id and q.route = u.route offset 0
    ) r on true
    -- One that names our id without answer: of several parts it may be about any, which is settled later.
    left join messages m on r.receipt is not null and m.tenant_id = r.tenant_id and m.id = r.message_id
    cross join lateral (select r.message_id is not null and (r.receipt is null or m.segments = 1) as is_certain) k;
    exit when known.missing = 0;
    -- Where the answer is being stored at this moment, this waits for it, and the second look finds it.
    insert into message_routes (tenant_id, route, message_id, due_at, receipt, receipt_code, receipt_carrier_code,
      receipt_at, receipt_from, receipt_to)
    select u.tenant_id, u.route, u.message_id, clock_timestamp() + make_interval(secs => park_seconds), u.receipt, u.code,
      u.carrier_code, u.at, u.sender, u.recipient
    from unnest(tenant_ids, routes, message_ids, receipts, codes, carrier_codes, ats, senders, recipients)
      as u (tenant_id, route, message_id, receipt, code, carrier_code, at, sender, recipient)
    order by u.tenant_id, u.route
    on conflict on constraint message_routes_pkey do nothing;
  end loop;
  if known.ids is not null then
    moved := apply_receipts(known.tenant_ids, known.ids, known.parts, known.receipts, known.codes, known.carrier_codes,
      known.ats, event_ids, moves_event, moves_from, moves_to);
  end if;
  -- A carrier's receipts are those of one tenant, nearly always: by a list, each is looked up by its key as above.
  for served in
    select u.tenant_id, array_agg(u.route) as routes from unnest(known.served_tenants, known.served_routes)
      as u (tenant_id, route) group by u.tenant_id
  loop
    delete from message_routes r where r.tenant_id = served.tenant_id and r.route = any (served.routes);
  end loop;
  return moved;
end $$;

-- Takes inbound messages in; returns the ids of those that were not known.
create function receive_messages(for_carrier text, tenant_ids bigint[], ids text[], carrier_references text[],
  created_ats timestamptz[], from_addresses text[], to_addresses text[], bodies text[], encodings text[],
  segment_counts smallint[], event_ids text[], event_data text[], service_ids text[], callback_urls text[],
  partials boolean[])
returns table (id text)
language sql security definer set search_path = public, pg_temp as $$
  with items as (
    select * from unnest(tenant_ids, ids, carrier_references, created_ats, from_addresses, to_addresses, bodies, encodings,
      segment_counts, event_ids, event_data, service_ids, callback_urls, partials) as u (tenant_id, id, reference,
      created_at, from_address, to_address, body, encoding, segments, event_id, data, service_id, callback_url, partial)
  ), fresh as (
    insert into messages (tenant_id, id, direction, status, carrier, carrier_reference, from_address, to_address, body,
      encoding, segments, created_at, final_at, service_id, callback_url, partial)
    select i.tenant_id, i.id, 'inbound', 'received', for_carrier, i.reference, i.from_address, i.to_address, i.body,
      i.encoding, i.segments, i.created_at, i.created_at, i.service_id, i.callback_url, coalesce(i.partial, false)
    from items i order by i.tenant_id, i.reference
    on conflict (tenant_id, carrier, carrier_reference) where direction = 'inbound' do nothing
    returning messages.tenant_id, messages.id
  ), told as (
    insert into events (tenant_id, id, type, resource_id, sequence, at, data, callback_url)
    select i.tenant_id, i.event_id, 'message.received', i.id, 1, i.created_at, i.data::json, i.callback_url
    from items i join fresh f on f.tenant_id = i.tenant_id and f.id = i.id
  )
  select f.id from fresh f
$$;

-- Looks after routes that are due: a message without receipt becomes unconfirmed (a late receipt may still come for
-- `late_seconds`), a parked receipt whose answer was lost is applied (to the message it names, or to the only one it can
-- be about), the rest have served. Returns how many were due.
create function settle_message_routes(max_routes integer, late_seconds double precision, event_ids text[],
  moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  due record;
  found_for record;
  moved text[];
begin
  with taken as (
    select r.* from message_routes r where r.due_at <= present order by r.due_at limit max_routes for update skip locked
  )
  select array_agg(t.tenant_id) as tenant_ids, array_agg(t.route) as routes, array_agg(t.message_id) as ids,
    array_agg(t.receipt) as receipts, array_agg(t.receipt_code) as codes, array_agg(t.receipt_carrier_code) as carrier_codes,
    array_agg(t.receipt_at) as ats, array_agg(t.receipt_from) as senders, array_agg(t.receipt_to) as recipients
  into due from taken t;
  if due.tenant_ids is null then return 0; end if;

  select coalesce(array_agg(m.id), '{}') into moved
  from move_messages(
    (select array_agg(u.tenant_id) from unnest(due.tenant_ids, due.receipts) as u (tenant_id, receipt)
      where u.receipt is null),
    (select array_agg(u.id) from unnest(due.ids, due.receipts) as u (id, receipt) where u.receipt is null),
    (select array_agg('receipt_missing'::text) from unnest(due.receipts) as u (receipt) where u.receipt is null),
    null, null, event_ids, moves_event, moves_from, moves_to) m;

  -- What a parked receipt is about: the message it names, or the only one it can be about, and there the first part that
  -- nobody has spoken of; several of one message are about one part each.
  with named as (
    select u.*, u.message_id as id
    from unnest(due.tenant_ids, due.routes, due.ids, due.receipts, due.codes, due.carrier_codes, due.ats)
      as u (tenant_id, route, message_id, receipt, code, carrier_code, at)
    where u.receipt is not null and u.message_id is not null
    union all
    select u.tenant_id, u.route, u.message_id, u.receipt, u.code, u.carrier_code, u.at, o.id
    from unnest(due.tenant_ids, due.routes, due.ids, due.receipts, due.codes, due.carrier_codes, due.ats, due.senders,
        due.recipients) as u (tenant_id, route, message_id, receipt, code, carrier_code, at, sender, recipient)
    cross join lateral (
      select min(m.id) filter (where m.status = 'unconfirmed' and m.code = 'submit_unconfirmed') as id
      from (
        -- Of a recipient with very many messages the newest must do.
        select * from messages m
        where m.tenant_id = u.tenant_id
          and hashtextextended(m.to_address, m.tenant_id) = hashtextextended(u.recipient, u.tenant_id)
          and m.to_address = u.recipient and m.created_at > present - interval '3 days'
        order by m.created_at desc limit 500
      ) m
      where (u.sender is null or m.from_address = u.sender) and u.route like m.carrier || ':%'
      having count(*) filter (where m.status = 'unconfirmed' and m.code = 'submit_unconfirmed') = 1
        -- Not one that is repeated: its part has been told of.
        and not bool_or(exists (select from message_segments s where s.tenant_id = m.tenant_id and s.message_id = m.id
          and u.route = s.carrier || ':' || s.carrier_message_id))
    ) o
    where u.receipt is not null and u.message_id is null and u.recipient is not null
  ), numbered as (
    select n.*, row_number() over (partition by n.tenant_id, n.id order by n.route) - 1 as earlier from named n
  )
  select array_agg(n.tenant_id) as tenant_ids, array_agg(n.id) as ids, array_agg(s.part) as parts,
    array_agg(n.receipt) as receipts, array_agg(n.code) as codes, array_agg(n.carrier_code) as carrier_codes,
    array_agg(n.at) as ats
  into found_for
  from numbered n
  left join lateral (
    select s.part from message_segments s
    where s.tenant_id = n.tenant_id and s.message_id = n.id
      and (s.state in ('submitting', 'unknown') or n.message_id is not null and s.state = 'accepted')
    order by s.state = 'accepted', s.part offset n.earlier limit 1
  ) s on true;
  if found_for.ids is not null then
    perform apply_receipts(found_for.tenant_ids, found_for.ids, found_for.parts, found_for.receipts, found_for.codes,
      found_for.carrier_codes, found_for.ats, event_ids[cardinality(due.ids) + 1:], moves_event, moves_from, moves_to);
  end if;

  with looked as (
    select u.tenant_id, u.route, case
        when u.receipt is null and (u.message_id = any (moved)
          or m.status = 'unconfirmed' and m.final_at > present - make_interval(secs => late_seconds / 2))
          then make_interval(secs => late_seconds)
        -- Its lease was not given up yet.
        when u.receipt is not null and m.status = 'sending' then interval '1 minute'
      end as keep_for
    from unnest(due.tenant_ids, due.routes, due.ids, due.receipts) as u (tenant_id, route, message_id, receipt)
    left join messages m on m.tenant_id = u.tenant_id and m.id = u.message_id
  ), kept as (
    update message_routes r set due_at = present + l.keep_for
    from looked l where l.keep_for is not null and r.tenant_id = l.tenant_id and r.route = l.route
  )
  delete from message_routes r using looked l
  where l.keep_for is null and r.tenant_id = l.tenant_id and r.route = l.route;
  return cardinality(due.tenant_ids);
end $$;

-- Who may send and who carries, of one tenant, unless that is `known` already; and always which carriers have a link up.
create function messaging_directory(of_tenant bigint, known bigint) returns json
language sql stable security definer set search_path = public, pg_temp as $$
  select json_build_object(
    'revision', r.revision,
    'links', (select coalesce(json_agg(distinct l.carrier_id), '[]') from carrier_links l
      where l.tenant_id = of_tenant and l.role <> 'receiver' and l.state in ('up', 'throttled')
        and l.updated_at > clock_timestamp() - interval '15 seconds'),
    'full', case when r.revision is distinct from known then json_build_object(
      'carriers', (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'enabled', c.enabled,
        'currency', c.currency, 'routes', c.routes)), '[]') from carriers c where c.tenant_id = of_tenant),
      'numbers', (select coalesce(json_agg(json_build_object('id', n.id, 'address', n.address, 'kind', n.kind,
        'country', n.country, 'serviceId', n.service_id, 'carrierId', n.carrier_id, 'sms', n.sms,
        'segmentsPerSecond', n.segments_per_second)), '[]') from numbers n where n.tenant_id = of_tenant),
      'services', (select coalesce(json_agg(json_build_object('id', s.id, 'stickySender', s.sticky_sender,
        'smartEncoding', s.smart_encoding, 'unknownOutcome', s.unknown_outcome, 'validitySeconds', s.validity_seconds,
        'callbackUrl', s.callback_url, 'duplicateWindowSeconds', s.duplicate_window_seconds)), '[]')
        from messaging_services s where s.tenant_id = of_tenant)) end)
  from (select coalesce((select m.revision from messaging_revisions m where m.tenant_id = of_tenant), 0) as revision) r
$$;

-- What decides between the senders of a service: whom the recipient knows, and how long each one has to send already.
create function service_senders(of_tenant bigint, of_service text, to_recipient text, candidates text[])
returns table (sender text, known boolean, waits_seconds double precision)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.sender, c.sender is not null,
    greatest(coalesce(extract(epoch from p.free_at - clock_timestamp()), 0), 0)::double precision
  from unnest(candidates) as u (sender)
  left join service_contacts c on c.tenant_id = of_tenant and c.service_id = of_service and c.recipient = to_recipient
    and c.sender = u.sender
  left join sender_pace p on p.tenant_id = of_tenant and p.sender = u.sender
$$;

create function find_duplicate_message(of_tenant bigint, of_service text, recipient text, text_body text, since timestamptz)
returns table (id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select m.id from messages m
  where m.tenant_id = of_tenant and hashtextextended(m.to_address, m.tenant_id) = hashtextextended(recipient, of_tenant)
    and m.to_address = recipient and m.created_at >= since and m.service_id = of_service and m.body = text_body
    and m.direction = 'outbound' and m.status not in ('failed', 'canceled', 'expired', 'undelivered')
  limit 1
$$;

-- Takes back messages that no carrier has; returns those that moved.
create function cancel_messages(tenant_ids bigint[], ids text[], event_ids text[], moves_event text[], moves_from text[],
  moves_to text[])
returns table (id text)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_messages(tenant_ids, ids);
  return query
  select m.id
  from (
    -- None of which a carrier may have a part.
    select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg('canceled'::text) as events
    from unnest(tenant_ids, ids) as u (tenant_id, id)
    where not exists (select from message_segments s where s.tenant_id = u.tenant_id and s.message_id = u.id
      and s.state not in ('throttled', 'refused'))
  ) free
  cross join lateral move_messages(free.tenant_ids, free.ids, free.events, null, null, event_ids, moves_event, moves_from,
    moves_to) m;
end $$;

-- Leases jobs that nobody will hand over: of carriers that have no link up, are switched off or are gone; returns their
-- messages, each with what it waits for. `lost`: their lease had run out, so that their outcome is unknown.
create function claim_stranded_messages(token text, max_jobs integer, lease_seconds double precision)
returns table (tenant_id bigint, id text, carrier text, status text, from_address text, to_address text,
  service_id text, segments smallint, code text, resend boolean, lost boolean, outlived boolean, begun boolean)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp();
begin
  return query
  with recursive queues as (
    select min(j.carrier) as carrier from message_jobs j
    union all
    select (select min(j.carrier) from message_jobs j where j.carrier > q.carrier) from queues q where q.carrier is not null
  ), stranded as (
    select q.carrier from queues q
    -- A link that went down a moment ago may be back in a moment, and so may one that is only being made.
    where q.carrier like 'car\_%'
      and not exists (select from carrier_links l where l.carrier_id = q.carrier and l.role <> 'receiver'
        and l.updated_at > present - interval '15 seconds'
        and (l.state in ('up', 'throttled') or l.down_since > present - interval '5 seconds'))
      and not exists (select from carriers c where c.id = q.carrier and c.enabled
        and c.updated_at > present - interval '5 seconds')
  ), due as (
    select j.tenant_id, j.id, j.lost from stranded s
    cross join lateral (
      select j.tenant_id, j.id, j.lease_token is not null as lost from message_jobs j
      where j.carrier = s.carrier and j.due_at <= present order by j.due_at
      -- Of each a share: one with a long queue keeps nobody else waiting.
      limit greatest(1, max_jobs / greatest(1, (select count(*) from stranded))) for update skip locked
    ) j
    limit 4 * max_jobs
  ), leased as (
    update message_jobs j set lease_token = token, due_at = present + make_interval(secs => lease_seconds)
    from due d where j.tenant_id = d.tenant_id and j.id = d.id
    returning j.tenant_id, j.message_ids, d.lost
  )
  select m.tenant_id, m.id, m.carrier, m.status, m.from_address, m.to_address, m.service_id, m.segments, m.code, m.resend,
    l.lost, coalesce(m.send_at, m.created_at) + make_interval(secs => m.validity_seconds) <= present,
    m.attempts > 0 and exists (select from message_segments s where s.tenant_id = m.tenant_id and s.message_id = m.id
      and s.state not in ('throttled', 'refused'))
  from leased l cross join unnest(l.message_ids) as u (id)
  join messages m on m.tenant_id = l.tenant_id and m.id = u.id;
end $$;

-- Ends that lease: moves the messages that an event names, and lets the others wait for `to_carriers`, a while. Returns how
-- many messages moved.
create function settle_stranded_messages(token text, tenant_ids bigint[], ids text[], moves_by text[], codes text[],
  to_carriers text[], prices bigint[], currencies text[], retry_seconds double precision[], event_ids text[],
  moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  moved integer;
begin
  delete from message_jobs j where j.lease_token = token;
  if not found then return 0; end if;
  select count(*) into moved
  from move_messages(tenant_ids, ids, moves_by, codes, null, event_ids, moves_event, moves_from, moves_to);
  insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
  select u.tenant_id, min(u.id) || token, u.carrier, present + make_interval(secs => u.retry), array_agg(u.id)
  from (
    select w.*, (row_number() over (partition by w.tenant_id, w.carrier, w.retry order by w.n) - 1) / 64 as job
    from unnest(tenant_ids, ids, to_carriers, retry_seconds) with ordinality as w (tenant_id, id, carrier, retry, n)
    join messages m on m.tenant_id = w.tenant_id and m.id = w.id and m.status in ('queued', 'scheduled')
    where w.carrier is not null
  ) u
  group by u.tenant_id, u.carrier, u.retry, u.job;
  update messages m set carrier = u.carrier, price_micros = u.price, currency = u.currency
  from unnest(tenant_ids, ids, to_carriers, prices, currencies) as u (tenant_id, id, carrier, price, currency)
  where m.tenant_id = u.tenant_id and m.id = u.id and m.status in ('queued', 'scheduled') and m.carrier <> u.carrier;
  return moved;
end $$;

-- Takes the text of a message away for good, also from what was told of it.
create function redact_message(of_tenant bigint, message_id text, at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update messages m set body = '', redacted_at = at
  where m.tenant_id = of_tenant and m.id = message_id and m.redacted_at is null
    and m.status in ('delivered', 'undelivered', 'expired', 'failed', 'canceled', 'received', 'unconfirmed');
  if not found then return false; end if;
  update events e set data = (e.data::jsonb || '{"body": ""}')::json
  where e.tenant_id = of_tenant and e.resource_id = message_id;
  return true;
end $$;

do $$
declare
  function_name text;
begin
  foreach function_name in array array['accept_messages', 'claim_messages', 'renew_messages', 'conclude_messages',
    'receive_receipts', 'receive_messages', 'settle_message_routes', 'cancel_messages', 'claim_stranded_messages',
    'settle_stranded_messages', 'redact_message', 'messaging_directory', 'service_senders',
    'find_duplicate_message']
  loop
    execute format('alter function %I owner to tandem_engine', function_name);
    execute format('revoke all on function %I from public', function_name);
    execute format('grant execute on function %I to tandem_app', function_name);
  end loop;
  foreach function_name in array array['move_messages', 'apply_receipts', 'lock_messages'] loop
    execute format('revoke all on function %I from public', function_name);
    execute format('grant execute on function %I to tandem_engine', function_name);
  end loop;
end $$;
grant update (data) on events to tandem_engine;
revoke create on schema public from tandem_engine;
