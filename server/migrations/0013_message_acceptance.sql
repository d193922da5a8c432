-- How messages are accepted: the turns of senders of limited speed, the sender a recipient knows, references of long messages.

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

-- Takes turns of senders of limited speed for messages in their order, each for so many seconds, and answers when each may be sent; null
-- for those that take no time. Anyone who comes next waits behind all of them.
create function take_sender_turns(tenant_ids bigint[], senders text[], seconds double precision[], present timestamptz)
returns timestamptz[]
language plpgsql set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  dues timestamptz[];
begin
  with paced as (
    select u.*, sum(u.seconds) over (partition by u.tenant_id, u.sender order by u.n) as until,
      sum(u.seconds) over (partition by u.tenant_id, u.sender) as total
    from unnest(tenant_ids, senders, seconds) with ordinality as u (tenant_id, sender, seconds, n)
    where u.seconds is not null
  ), taken as (
    insert into sender_pace as s (tenant_id, sender, free_at)
    select distinct p.tenant_id, p.sender, present + make_interval(secs => p.total) from paced p
    order by p.tenant_id, p.sender
    on conflict on constraint sender_pace_pkey do update
      set free_at = greatest(s.free_at, present) + (excluded.free_at - present)
    returning s.tenant_id, s.sender, s.free_at
  )
  select array_agg(t.free_at - make_interval(secs => p.total - p.until + p.seconds) order by u.n) into dues
  from generate_series(1, cardinality(tenant_ids)) as u (n)
  left join paced p on p.n = u.n
  left join taken t on t.tenant_id = p.tenant_id and t.sender = p.sender;
  return dues;
end $$;

-- Gives the last turns of a sender back that nobody waits for any more: of messages that were canceled. Turns in between stay empty. A queue of
-- which that is not found among its newest jobs is left as it is.
create function free_sender_turns(of_tenant bigint, of_sender text) returns void
language plpgsql set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  pace double precision;
  looked_at integer;
  last_turn timestamptz;
begin
  -- A text that is accepted meanwhile has this row, and is waited for.
  perform from sender_pace p where p.tenant_id = of_tenant and p.sender = of_sender for update;
  select n.segments_per_second into pace from numbers n where n.tenant_id = of_tenant and n.address = of_sender;
  with newest as materialized (
    select j.due_at, j.message_ids from message_jobs j where j.tenant_id = of_tenant order by j.id desc limit 5000
  )
  select (select count(*) from newest),
    (select j.due_at + make_interval(secs => coalesce(m.segments / nullif(pace, 0), 0))
     from newest j cross join unnest(j.message_ids) as u (id)
     join messages m on m.tenant_id = any (array[of_tenant]) and m.id = any (array[u.id])
     where m.from_address = of_sender and m.status = 'queued'
     order by j.due_at desc limit 1)
  into looked_at, last_turn;
  if last_turn is null and looked_at = 5000 then return; end if;
  update sender_pace p set free_at = least(p.free_at, greatest(last_turn, clock_timestamp()))
  where p.tenant_id = of_tenant and p.sender = of_sender;
end $$;

-- What waits keeps its turns; what comes behind it is as far away as it would be at the new speed.
create function pace_sender() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update sender_pace p
  set free_at = clock_timestamp() + (p.free_at - clock_timestamp()) * (old.segments_per_second / new.segments_per_second)::double precision
  where p.tenant_id = new.tenant_id and p.sender = new.address and p.free_at > clock_timestamp();
  return null;
end $$;
create trigger numbers_pace after update of segments_per_second on numbers for each row
  when (old.segments_per_second > 0 and new.segments_per_second > 0 and old.segments_per_second <> new.segments_per_second)
  execute function pace_sender();

-- Locks what several calls of accept_messages in one transaction will lock, in the order in which one call does: such transactions wait for
-- each other, and for single calls, and do not dead-lock. Rows that are not there yet are made and say nothing: a sender who is free, no
-- reference given, a recipient who knows no sender.
create function hold_for_messages(of_tenant bigint, senders text[], long_recipients text[], service_ids text[], recipients text[])
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- A row that is there is locked and not written again.
  insert into sender_pace as s (tenant_id, sender, free_at)
  select of_tenant, u.sender, now() from unnest(senders) as u (sender) group by u.sender order by u.sender
  on conflict (tenant_id, sender) do update set free_at = s.free_at where false;
  insert into message_references as r (tenant_id, recipient, reference)
  select of_tenant, u.recipient, 0 from unnest(long_recipients) as u (recipient) group by u.recipient order by u.recipient
  on conflict (tenant_id, recipient) do update set reference = r.reference where false;
  insert into service_contacts as c (tenant_id, service_id, recipient, sender)
  select of_tenant, u.service_id, u.recipient, '' from unnest(service_ids, recipients) as u (service_id, recipient)
  group by u.service_id, u.recipient order by u.service_id, u.recipient
  on conflict (tenant_id, service_id, recipient) do update set sender = c.sender where false;
end $$;

-- Takes messages in, of several tenants: row, event and job, and the answer under its Idempotency-Key where there is one.
-- Arrays of what no message of the call has may be null. `paces` are segments a second of senders of limited speed: their
-- messages wait for each other. Returns items (from 1) of which nothing is written: those whose key was used before, with
-- what is stored for it, and those that are refused, with the code of the problem.
create function accept_messages(tenant_ids bigint[], ids text[], created_ats timestamptz[], carriers text[],
  from_addresses text[], to_addresses text[], bodies text[], encodings text[], segment_counts smallint[],
  validities integer[], callback_urls text[], tag_lists text[], metadatas text[], event_ids text[], event_data text[],
  keys text[], fingerprints bytea[], answers text[], service_ids text[], send_ats timestamptz[], prices bigint[],
  currencies text[], resends boolean[], opt_out_ignored boolean[], paces double precision[], spend_keys text[] default null,
  from_pools boolean[] default null)
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
    dues := take_sender_turns(tenant_ids, from_addresses, array(
      -- Those to be sent later take their turn when their time has come.
      select case when u.pace > 0 and u.send_at is null and u.n <> all (skipped) then u.segments / u.pace end
      from unnest(segment_counts, paces, send_ats) with ordinality as u (segments, pace, send_at, n) order by u.n), present);
  end if;

  insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments,
    validity_seconds, callback_url, tags, metadata, created_at, service_id, send_at, price_micros, currency, resend,
    ignores_opt_out, spend_key_id, from_pool)
  select u.tenant_id, u.id, 'outbound', case when u.send_at is null then 'queued' else 'scheduled' end, u.carrier,
    u.from_address, u.to_address, u.body, u.encoding, u.segments, u.validity, u.callback_url, u.tags::json,
    u.metadata::json, u.created_at, u.service_id, u.send_at, u.price, u.currency, coalesce(u.resend, false),
    coalesce(u.ignored, false), u.spend_key, u.from_pool
  from unnest(tenant_ids, ids, created_ats, carriers, from_addresses, to_addresses, bodies, encodings, segment_counts,
      validities, callback_urls, tag_lists, metadatas, service_ids, send_ats, prices, currencies, resends,
      opt_out_ignored, spend_keys, from_pools) with ordinality
    as u (tenant_id, id, created_at, carrier, from_address, to_address, body, encoding, segments, validity, callback_url,
      tags, metadata, service_id, send_at, price, currency, resend, ignored, spend_key, from_pool, n)
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
      job_of(row_number() over (partition by i.tenant_id, i.carrier, coalesce(i.send_at, dues[i.n]) order by i.n)) as job
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

-- A message of the service to this recipient with this text that was accepted since then, was or is to be sent between two times, and
-- has not failed.
create function find_duplicate_message(of_tenant bigint, of_service text, recipient text, text_body text, since timestamptz,
  sent_from timestamptz, sent_until timestamptz)
returns table (id text)
language sql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select m.id from messages_to_since(of_tenant, recipient, since) m
  where m.service_id = of_service and m.body = text_body and m.direction = 'outbound'
    and m.status not in ('failed', 'canceled', 'expired', 'undelivered')
    and coalesce(m.send_at, m.created_at) between sent_from and sent_until
  limit 1
$$;

-- Whether this text went from one address to the other since then.
create function was_answered(of_tenant bigint, sender text, recipient text, text_body text, since timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select exists (
    select from messages_to_since(of_tenant, recipient, since) m
    where m.from_address = sender and m.body = text_body and m.direction = 'outbound')
$$;

select restrict_to_engine('take_sender_turns', 'free_sender_turns');
select give_to_engine('pace_sender', 'hold_for_messages', 'accept_messages', 'service_senders', 'find_duplicate_message', 'was_answered');
