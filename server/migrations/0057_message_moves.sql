-- Functions that move messages write their moves into the messages' own rows, and one row for all that moved together.

-- Queues deliveries of events: the outbox. `message_ids` are the messages that the events are read out of. Events about an endpoint are not
-- delivered to that endpoint, and a test goes where it was asked for only.
create function queue_deliveries(tenant_ids bigint[], event_ids text[], types text[], resource_ids text[], callback_urls text[],
  message_ids text[] default null)
returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  tenants bigint[] := case when tenant_ids[1] = all (tenant_ids) then tenant_ids[1:1] else tenant_ids end;
begin
  if exists (select from webhook_endpoints e where e.tenant_id = any (tenants) and e.enabled) then
    insert into webhook_jobs (tenant_id, lane, due_at, event_ids, message_ids)
    select m.tenant_id, m.lane, clock_timestamp(), array_agg(m.event_id order by m.n),
      case when message_ids is not null then array_agg(m.resource_id order by m.n) end
    from (
      select f.tenant_id, e.id as lane, f.id as event_id, f.resource_id, row_number() over (partition by f.tenant_id, e.id order by f.id) as n
      from unnest(tenant_ids, event_ids, types, resource_ids) as f (tenant_id, id, type, resource_id)
      join webhook_endpoints e on e.tenant_id = f.tenant_id
      where e.enabled
        and (e.event_types is null or f.type = any (e.event_types) or split_part(f.type, '.', 1) || '.*' = any (e.event_types))
        and f.type <> 'webhook.test' and not (f.type like 'webhook.%' and f.resource_id = e.id)
    ) m
    group by m.tenant_id, m.lane, job_of(m.n);
  end if;
  if exists (
    select from webhook_listeners l where l.tenant_id = any (tenants) and l.ended_at is null and l.open_until > clock_timestamp()
  ) then
    insert into webhook_listener_deliveries (tenant_id, listener_id, event_id, event_type)
    select f.tenant_id, l.id, f.id, f.type
    from unnest(tenant_ids, event_ids, types, resource_ids) as f (tenant_id, id, type, resource_id)
    join webhook_listeners l on l.tenant_id = f.tenant_id and l.ended_at is null and l.open_until > clock_timestamp()
    left join webhook_endpoints e on e.tenant_id = l.tenant_id and e.id = l.webhook_id
    where case when f.type = 'webhook.test' then f.resource_id in (l.id, l.webhook_id)
      else (l.event_types is null or f.type = any (l.event_types) or split_part(f.type, '.', 1) || '.*' = any (l.event_types))
        and (e.event_types is null or f.type = any (e.event_types) or split_part(f.type, '.', 1) || '.*' = any (e.event_types))
        and not (f.type like 'webhook%' and (f.resource_id = l.id or f.resource_id is not distinct from l.webhook_id)) end
      and (l.webhook_id is null or e.id is not null);
  end if;
  if cardinality(array_remove(callback_urls, null)) > 0 then
    insert into webhook_jobs (tenant_id, lane, due_at, event_ids, message_ids)
    select m.tenant_id, m.lane, clock_timestamp(), array_agg(m.event_id order by m.n),
      case when message_ids is not null then array_agg(m.resource_id order by m.n) end
    from (
      select c.*, row_number() over (partition by c.tenant_id, c.lane order by c.event_id) as n
      from (
        select f.tenant_id, f.id as event_id, f.resource_id, 'cb:' || substring(f.callback_url from '^[a-z]+://[^/?#]+') as lane
        from unnest(tenant_ids, event_ids, resource_ids, callback_urls) as f (tenant_id, id, resource_id, callback_url) where f.callback_url is not null
      ) c
      where c.lane is not null
    ) m
    group by m.tenant_id, m.lane, job_of(m.n);
  end if;
end $$;

create or replace function queue_webhooks() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  tenants bigint[] := array(select distinct f.tenant_id from fresh f);
begin
  -- Nearly always nobody waits for them.
  if exists (select from webhook_endpoints e where e.tenant_id = any (tenants) and e.enabled)
    or exists (
      select from webhook_listeners l where l.tenant_id = any (tenants) and l.ended_at is null and l.open_until > clock_timestamp())
    or exists (select from fresh f where f.callback_url is not null)
  then
    perform queue_deliveries(array_agg(f.tenant_id), array_agg(f.id), array_agg(f.type), array_agg(f.resource_id), array_agg(f.callback_url))
    from fresh f;
  end if;
  return null;
end $$;

-- Queues what waits for messages that moved to one status: `digits` are the first of the ids of these events. It has no settings of its own,
-- as have those below that are called from functions with all that they need: they would cost more than what it does.
create function queue_message_events(digits text, of_status text, tenant_ids bigint[], message_ids text[], sequences integer[],
  callback_urls text[])
returns void
language plpgsql as $$
declare
  types constant text[] := array['message.' || of_status, 'message.*'];
  tenants bigint[] := case when tenant_ids[1] = all (tenant_ids) then tenant_ids[1:1] else tenant_ids end;
begin
  -- Nearly always nobody waits for them.
  if cardinality(array_remove(callback_urls, null)) > 0
    or exists (
      select from webhook_endpoints e where e.tenant_id = any (tenants) and e.enabled and (e.event_types is null or e.event_types && types))
    or exists (
      select from webhook_listeners l where l.tenant_id = any (tenants) and l.ended_at is null and l.open_until > clock_timestamp())
  then
    perform queue_deliveries(tenant_ids,
      array(select message_event_id(digits, u.id, u.sequence)
        from unnest(message_ids, sequences) with ordinality as u (id, sequence, n) order by u.n),
      array_fill(types[1], array[cardinality(message_ids)]), message_ids, callback_urls, message_ids);
  end if;
end $$;

-- (In place of move_messages and apply_receipts, which nothing calls any more; the next version takes them away.)
--
-- Moves messages by events and writes what happened; returns those that moved. `moves_…` is the part of the table of moves that these events
-- need, in which the moves of one event stand together; what begins messages is claim_messages alone. The tables grow faster than statistics
-- of them: whatever those say, rows are reached by their key, as the settings of all that call this say.
--
-- With what carriers answered, or reported (`of_receipts`), about their only parts, which is written with the move. A receipt that the part
-- does not take moves nothing; nor does an answer where the caller `is_strict` and has the rest done in another way. Receipts without
-- `part_states` are about the part what their events say.
create function advance_messages(tenant_ids bigint[], ids text[], moves_by text[], codes text[], ats timestamptz[],
  moves_event text[], moves_from text[], moves_to text[], of_receipts boolean default null, part_states text[] default null,
  carrier_message_ids text[] default null, part_codes text[] default null, carrier_codes text[] default null,
  attempts_made smallint[] default null, is_strict boolean default false,
  out number integer, out moved_tenants bigint[], out moved_ids text[], out moved_to text[], out moved_parts text[])
language plpgsql as $$
#variable_conflict use_column
declare
  present timestamptz(3) := clock_timestamp();
  digits text := event_digits(present);
  kinds text[];
  kind text;
  place integer;
  froms text[];
  target text;
  letter text;
  is_sent boolean;
  is_delivered boolean;
  is_final boolean;
  missing integer;
  moved record;
begin
  number := 0;
  if moves_by[1] = all (moves_by) then
    kinds := moves_by[1:1];
  else
    kinds := array(select distinct e from unnest(moves_by) as e where e is not null);
    -- Kind after kind, and yet in one order whatever they are.
    if cardinality(kinds) > 1 then
      perform from (select u.tenant_id, u.id from unnest(tenant_ids, ids) as u (tenant_id, id) order by 1, 2) u
      cross join lateral (select from messages m where m.tenant_id = u.tenant_id and m.id = u.id for update) m;
    end if;
  end if;
  foreach kind in array kinds loop
    place := array_position(moves_event, kind);
    continue when place is null;
    froms := moves_from[place:place + cardinality(array_positions(moves_event, kind)) - 1];
    target := moves_to[place];
    letter := letter_of_status(target);
    is_sent := target = 'sent';
    is_delivered := target = 'delivered';
    is_final := target in ('delivered', 'undelivered', 'expired', 'failed', 'canceled', 'unconfirmed');
    missing := cardinality(array_positions(moves_by, kind));
    -- A message that another one moves at this moment is left alone: it is not in the status any more that was found. What the
    -- carrier said must not be lost to that: it is looked at again.
    for turn in 1..2 loop
      with moved as (
        update messages m set
          status = target,
          code = case when not is_delivered then v.code end,
          sequence = m.sequence + 1,
          -- It is delivered when all its parts are: written here, that is no second version of the row.
          segments_delivered = case when is_delivered then m.segments else m.segments_delivered end,
          sent_at = case when is_sent then coalesce(m.sent_at, present) else m.sent_at end,
          -- A carrier's clock may be wrong, and some report whole minutes: delivery is after sending and not in the future.
          delivered_at = case when is_delivered then least(greatest(coalesce(v.at, present), m.sent_at), present) end,
          final_at = case when is_final then present end,
          part_state = case when m.part_state = any (v.states_before) then v.part_state else m.part_state end,
          carrier_message_id = case when not of_receipts and m.part_state = any (v.states_before) then v.carrier_message_id
            else m.carrier_message_id end,
          part_code = case when m.part_state = any (v.states_before) then v.part_code else m.part_code end,
          carrier_code = case when m.part_state = any (v.states_before) then v.carrier_code else m.carrier_code end,
          answered_at = case when not of_receipts and m.part_state = any (v.states_before)
            then case when is_sent and m.sent_at is null and v.carrier_message_id is not null then null else present end
            else m.answered_at end,
          receipt_at = case when of_receipts and m.part_state = any (v.states_before) then coalesce(v.at, present) else m.receipt_at end,
          moves = concat_ws(';', m.moves, letter || ms_between(m.created_at, present)
            || case when is_delivered then '' when m.segments_delivered > 0 then ',' || coalesce(v.code, '') || ',' || m.segments_delivered
              when v.code is not null then ',' || v.code else '' end)
        from (
          select u.*, states_before(u.part_state, of_receipts)
          from (
            select u.tenant_id, u.id, u.code, u.at, u.carrier_message_id, u.part_code, u.carrier_code, u.attempt, u.n,
              case when of_receipts and part_states is null then substr(kind, 9) else u.part_state end as part_state
            from unnest(tenant_ids, ids, moves_by, codes, ats, part_states, carrier_message_ids, part_codes, carrier_codes, attempts_made)
              with ordinality as u (tenant_id, id, event, code, at, part_state, carrier_message_id, part_code, carrier_code, attempt, n)
            where u.event = kind
          ) u
          order by u.tenant_id, u.id
        ) v
        where m.tenant_id = any (array[v.tenant_id]) and m.id = any (array[v.id]) and m.status = any (froms)
          and (v.attempt is null or m.attempts = v.attempt)
          and (m.part_state = any (v.states_before) or not is_strict and (of_receipts is not true or v.part_state is null))
        returning m.tenant_id, m.id, m.sequence, m.callback_url, m.part_state, batch_of(v.n) as batch,
          batch_entry(m.id, m.sequence, letter) as entry
      ), logged as (
        insert into message_event_batches (tenant_id, id, entries)
        select b.tenant_id, min(entry_event_id(digits, b.entry)), string_agg(b.entry, ' ') from moved b group by b.tenant_id, b.batch
      )
      select array_agg(m.tenant_id) as tenants, array_agg(m.id) as ids, array_agg(m.sequence) as sequences,
        array_agg(m.callback_url) as callback_urls, array_agg(m.part_state) as part_states, count(*)::integer as number
      into moved
      from moved m;
      if moved.number > 0 then
        perform queue_message_events(digits, target, moved.tenants, moved.ids, moved.sequences, moved.callback_urls);
        number := number + moved.number;
        moved_tenants := moved_tenants || moved.tenants;
        moved_ids := moved_ids || moved.ids;
        moved_to := moved_to || array_fill(target, array[moved.number]);
        moved_parts := moved_parts || moved.part_states;
      end if;
      missing := missing - moved.number;
      exit when missing = 0 or kind = 'receipt_missing' or not froms && array['sent', 'unconfirmed'];
      froms := array(select f from unnest(froms) as f where f in ('sent', 'unconfirmed'));
    end loop;
  end loop;
end $$;

-- Writes what carriers answered or reported about the only parts of messages that it does not move. Returns how many took it.
create function write_parts(of_receipts boolean, tenant_ids bigint[], ids text[], part_attempts smallint[], part_states text[],
  carrier_message_ids text[], part_codes text[], carrier_codes text[], ats timestamptz[])
returns integer
language plpgsql set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz(3) := clock_timestamp();
  taken integer;
begin
  update messages m set
    part_state = v.part_state, part_code = v.part_code, carrier_code = v.carrier_code,
    carrier_message_id = case when of_receipts then m.carrier_message_id else v.carrier_message_id end,
    answered_at = case when of_receipts then m.answered_at else present end,
    receipt_at = case when of_receipts then coalesce(v.at, present) else m.receipt_at end
  from (
    select u.* from unnest(tenant_ids, ids, part_attempts, part_states, carrier_message_ids, part_codes, carrier_codes, ats)
      as u (tenant_id, id, attempt, part_state, carrier_message_id, part_code, carrier_code, at)
    order by u.tenant_id, u.id
  ) v
  where m.tenant_id = any (array[v.tenant_id]) and m.id = any (array[v.id]) and (v.attempt is null or m.attempts = v.attempt)
    and m.part_state = any (states_before(v.part_state, of_receipts));
  get diagnostics taken = row_count;
  return taken;
end $$;

-- As before, and `event_ids` is not read.
create or replace function cancel_messages(tenant_ids bigint[], ids text[], event_ids text[], moves_event text[],
  moves_from text[], moves_to text[])
returns table (id text)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  perform lock_messages(tenant_ids, ids);
  return query
  with moved as materialized (
    select o.tenant_id, o.id
    from (
      -- None of which a carrier may have a part.
      select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg('canceled'::text) as events
      from unnest(tenant_ids, ids) as u (tenant_id, id)
      join messages m on m.tenant_id = u.tenant_id and m.id = u.id
      where not exists (select from parts_of(m) p where p.state not in ('throttled', 'refused'))
    ) free
    cross join lateral advance_messages(free.tenant_ids, free.ids, free.events, null, null, moves_event, moves_from, moves_to) m
    cross join lateral unnest(m.moved_tenants, m.moved_ids) as o (tenant_id, id)
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
  perform free_sender_turns(s.tenant_id, s.sender)
  from (
    select distinct p.tenant_id, p.sender
    from unnest(tenant_ids, ids) as u (tenant_id, id)
    join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
    join sender_pace p on p.tenant_id = m.tenant_id and p.sender = m.from_address
    where p.free_at > clock_timestamp()
    order by p.tenant_id, p.sender
  ) s;
end $$;

-- Takes messages in, of several tenants: row, event and job, and the answer under its Idempotency-Key where there is one. Arrays of what
-- no message of the call has may be null. `paces` are segments a second of senders of limited speed: their messages wait for each other.
-- Returns items (from 1) of which nothing is written: those whose key was used before, with what is stored for it, and those that are
-- refused, with the code of the problem. `event_ids` and `event_data` are not read any more.
create or replace function accept_messages(tenant_ids bigint[], ids text[], created_ats timestamptz[], carriers text[],
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
  digits text := event_digits(present);
  repeated integer[] := '{}';
  answered integer;
  refused integer[];
  refusals text[];
  full_items integer[];
  left_over record;
  dues timestamptz[];
begin
  -- Opt-outs go with a number from service to service: its service now counts, and the one that was found for it.
  select array_agg(distinct u.n::integer) into refused
  from unnest(tenant_ids, service_ids, from_addresses, to_addresses, opt_out_ignored) with ordinality
    as u (tenant_id, service_id, from_address, to_address, ignored, n)
  join opt_outs o on o.tenant_id = u.tenant_id and o.recipient = u.to_address
  where u.ignored is not true and (o.scope = u.service_id or o.scope = u.from_address
    or o.scope = (select n.service_id from numbers n where n.tenant_id = u.tenant_id and n.address = u.from_address));
  if refused is not null then refusals := array_fill('recipient_opted_out'::text, array[cardinality(refused)]); end if;
  if paces is not null then
    -- One to be sent later does not wait in today's queue.
    select array_agg(w.n::integer) into full_items
    from (
      select u.*, sum(u.segments / u.pace) over (partition by u.tenant_id, u.from_address order by u.n) - u.segments / u.pace as seconds
      from unnest(tenant_ids, from_addresses, paces, send_ats, segment_counts, validities) with ordinality
        as u (tenant_id, from_address, pace, send_at, segments, validity, n)
      where u.pace > 0 and u.send_at is null and (refused is null or u.n <> all (refused))
    ) w
    left join sender_pace p on p.tenant_id = w.tenant_id and p.sender = w.from_address
    where greatest(p.free_at, present) + make_interval(secs => w.seconds)
      > present + least(interval '10 hours', make_interval(secs => w.validity));
    if full_items is not null then
      refused := refused || full_items;
      refusals := refusals || array_fill('sender_queue_full'::text, array[cardinality(full_items)]);
    end if;
  end if;

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
  if repeated <> '{}' then
    return query
    select u.n::integer, k.fingerprint, k.status, k.body, k.version, null::text
    from unnest(tenant_ids, keys) with ordinality as u (tenant_id, key, n)
    join idempotency_keys k on k.tenant_id = u.tenant_id and k.key = u.key
    where u.n = any (repeated);
    get diagnostics answered = row_count;
    if answered < cardinality(repeated) then
      raise serialization_failure using message = 'a key was purged while it was being looked up: the group has to be taken in again';
    end if;
  end if;
  if refused is not null then
    return query
    select u.n, null::bytea, null::integer, null::text, null::integer, u.code
    from unnest(refused, refusals) as u (n, code) where u.n <> all (repeated);
  end if;
  if repeated <> '{}' or refused is not null then
    -- The others are taken in.
    select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg(u.created_at) as created_ats, array_agg(u.carrier) as carriers,
      array_agg(u.from_address) as from_addresses, array_agg(u.to_address) as to_addresses, array_agg(u.body) as bodies,
      array_agg(u.encoding) as encodings, array_agg(u.segments) as segment_counts, array_agg(u.validity) as validities,
      array_agg(u.callback_url) as callback_urls, array_agg(u.tags) as tag_lists, array_agg(u.metadata) as metadatas,
      array_agg(u.service_id) as service_ids, array_agg(u.send_at) as send_ats, array_agg(u.price) as prices,
      array_agg(u.currency) as currencies, array_agg(u.resend) as resends, array_agg(u.ignored) as opt_out_ignored, array_agg(u.pace) as paces,
      array_agg(u.spend_key) as spend_keys, array_agg(u.from_pool) as from_pools
    into left_over
    from unnest(tenant_ids, ids, created_ats, carriers, from_addresses, to_addresses, bodies, encodings, segment_counts,
        validities, callback_urls, tag_lists, metadatas, service_ids, send_ats, prices, currencies, resends, opt_out_ignored, paces,
        spend_keys, from_pools)
      with ordinality as u (tenant_id, id, created_at, carrier, from_address, to_address, body, encoding, segments, validity, callback_url,
        tags, metadata, service_id, send_at, price, currency, resend, ignored, pace, spend_key, from_pool, n)
    where u.n <> all (repeated || coalesce(refused, '{}'));
    if left_over.ids is null then return; end if;
    tenant_ids := left_over.tenant_ids;
    ids := left_over.ids;
    created_ats := left_over.created_ats;
    carriers := left_over.carriers;
    from_addresses := left_over.from_addresses;
    to_addresses := left_over.to_addresses;
    bodies := left_over.bodies;
    encodings := left_over.encodings;
    segment_counts := left_over.segment_counts;
    validities := left_over.validities;
    callback_urls := left_over.callback_urls;
    tag_lists := left_over.tag_lists;
    metadatas := left_over.metadatas;
    service_ids := case when service_ids is not null then left_over.service_ids end;
    send_ats := case when send_ats is not null then left_over.send_ats end;
    prices := left_over.prices;
    currencies := left_over.currencies;
    resends := left_over.resends;
    opt_out_ignored := left_over.opt_out_ignored;
    paces := case when paces is not null then left_over.paces end;
    spend_keys := left_over.spend_keys;
    from_pools := left_over.from_pools;
  end if;

  if paces is not null then
    dues := take_sender_turns(tenant_ids, from_addresses, array(
      -- Those to be sent later take their turn when their time has come.
      select case when u.pace > 0 and u.send_at is null then u.segments / u.pace end
      from unnest(segment_counts, paces, send_ats) with ordinality as u (segments, pace, send_at, n) order by u.n), present);
  end if;

  insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments,
    validity_seconds, callback_url, tags, metadata, created_at, service_id, send_at, price_micros, currency, resend,
    ignores_opt_out, spend_key_id, from_pool, moves)
  select u.tenant_id, u.id, 'outbound', case when u.send_at is null then 'queued' else 'scheduled' end, u.carrier,
    u.from_address, u.to_address, u.body, u.encoding, u.segments, u.validity, u.callback_url, u.tags::json,
    u.metadata::json, u.created_at, u.service_id, u.send_at, u.price, u.currency, coalesce(u.resend, false),
    coalesce(u.ignored, false), u.spend_key, u.from_pool,
    case when u.send_at is null then 'q' else 'h' end || ms_between(u.created_at, present)
  from unnest(tenant_ids, ids, created_ats, carriers, from_addresses, to_addresses, bodies, encodings, segment_counts,
      validities, callback_urls, tag_lists, metadatas, service_ids, send_ats, prices, currencies, resends,
      opt_out_ignored, spend_keys, from_pools)
    as u (tenant_id, id, created_at, carrier, from_address, to_address, body, encoding, segments, validity, callback_url,
      tags, metadata, service_id, send_at, price, currency, resend, ignored, spend_key, from_pool);

  -- Parts of two long messages to one phone must not be joined into one.
  if not 1 >= all (segment_counts) then
    with long as (
      select u.tenant_id, u.recipient, u.id, row_number() over (partition by u.tenant_id, u.recipient order by u.n) as turn
      from unnest(tenant_ids, to_addresses, ids, segment_counts) with ordinality as u (tenant_id, recipient, id, segments, n)
      where u.segments > 1
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
    where u.service_id is not null
    order by u.tenant_id, u.service_id, u.recipient, u.n desc
    on conflict (tenant_id, service_id, recipient) do update set sender = excluded.sender
      where c.sender <> excluded.sender;
  end if;

  insert into message_event_batches (tenant_id, id, entries)
  select e.tenant_id, min(entry_event_id(digits, e.entry)), string_agg(e.entry, ' ')
  from (
    select u.tenant_id, batch_of(u.n) as batch, batch_entry(u.id, 1, case when u.send_at is null then 'q' else 'h' end) as entry
    from unnest(tenant_ids, ids, send_ats) with ordinality as u (tenant_id, id, send_at, n)
  ) e
  group by e.tenant_id, e.batch;
  if send_ats is null then
    perform queue_message_events(digits, 'queued', tenant_ids, ids, array_fill(1, array[cardinality(ids)]), callback_urls);
  else
    perform queue_message_events(digits, e.status, array_agg(e.tenant_id), array_agg(e.id), array_agg(1), array_agg(e.callback_url))
    from (
      select u.tenant_id, u.id, u.callback_url, case when u.send_at is null then 'queued' else 'scheduled' end as status
      from unnest(tenant_ids, ids, callback_urls, send_ats) as u (tenant_id, id, callback_url, send_at)
    ) e
    group by e.status;
  end if;

  if send_ats is null and dues is null and cardinality(ids) <= 64 and tenant_ids[1] = all (tenant_ids) and carriers[1] = all (carriers) then
    -- As nearly always they wait for one thing.
    insert into message_jobs (tenant_id, id, carrier, due_at, message_ids) values (tenant_ids[1], ids[1], carriers[1], present, ids);
  else
    insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
    select u.tenant_id, min(u.id), u.carrier, u.due_at, array_agg(u.id order by u.n)
    from (
      -- One whose turn comes too late after all ends when its validity does.
      select i.*, coalesce(i.send_at,
          case when dues[i.n] is not null then least(dues[i.n], i.created_at + make_interval(secs => i.validity)) end, present) as due_at,
        job_of(row_number() over (partition by i.tenant_id, i.carrier, coalesce(i.send_at, dues[i.n]) order by i.n)) as job
      from unnest(tenant_ids, ids, carriers, send_ats, created_ats, validities) with ordinality
        as i (tenant_id, id, carrier, send_at, created_at, validity, n)
    ) u
    group by u.tenant_id, u.carrier, u.due_at, u.job;
  end if;
end $$;

-- As before; what a carrier said of the part stays with its name. `senders`, where the service of a scheduled text chose again: the sender
-- it has keeps it for good, as no other can send it.
create or replace function settle_stranded_messages(token text, tenant_ids bigint[], ids text[], moves_by text[], codes text[],
  to_carriers text[], prices bigint[], currencies text[], retry_seconds double precision[], event_ids text[],
  moves_event text[], moves_from text[], moves_to text[], senders text[] default null)
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  moved integer;
begin
  delete from message_jobs j where j.lease_token = token;
  if not found then return 0; end if;
  moved := (advance_messages(tenant_ids, ids, moves_by, codes, null, moves_event, moves_from, moves_to)).number;
  insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
  select u.tenant_id, min(u.id) || token, u.carrier, present + make_interval(secs => u.retry), array_agg(u.id)
  from (
    select w.*, job_of(row_number() over (partition by w.tenant_id, w.carrier, w.retry order by w.n)) as job
    from unnest(tenant_ids, ids, to_carriers, retry_seconds) with ordinality as w (tenant_id, id, carrier, retry, n)
    join messages m on m.tenant_id = w.tenant_id and m.id = w.id and m.status in ('queued', 'scheduled')
    where w.carrier is not null
  ) u
  group by u.tenant_id, u.carrier, u.retry, u.job;
  update messages m set carrier = u.carrier,
    -- By its own carrier it costs what was counted for it.
    price_micros = case when m.carrier <> u.carrier then u.price else m.price_micros end,
    currency = case when m.carrier <> u.carrier then u.currency else m.currency end,
    from_address = coalesce(u.sender, m.from_address),
    from_pool = case when u.sender = m.from_address then null else m.from_pool end,
    part_carrier = case when m.part_state is not null then coalesce(m.part_carrier, m.carrier) end,
    moves = case when m.carrier <> u.carrier or u.sender <> m.from_address then concat_ws(';', m.moves,
      '~' || concat(m.carrier, ',', m.price_micros, ',', m.currency, case when u.sender <> m.from_address then ',' || m.from_address end))
      else m.moves end
  from unnest(tenant_ids, ids, to_carriers, prices, currencies, senders) as u (tenant_id, id, carrier, price, currency, sender)
  where m.tenant_id = u.tenant_id and m.id = u.id and m.status in ('queued', 'scheduled')
    and (m.carrier <> u.carrier or u.carrier is not null and u.sender is not null);
  if senders is not null then
    -- Whom the recipient knows from now on.
    insert into service_contacts as c (tenant_id, service_id, recipient, sender)
    select distinct on (m.tenant_id, m.service_id, m.to_address) m.tenant_id, m.service_id, m.to_address, m.from_address
    from unnest(tenant_ids, ids, senders) as u (tenant_id, id, sender)
    join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
    where m.from_pool and m.from_address = u.sender
    order by m.tenant_id, m.service_id, m.to_address, m.id desc
    on conflict (tenant_id, service_id, recipient) do update set sender = excluded.sender where c.sender <> excluded.sender;
  end if;
  return moved;
end $$;

select restrict_to_engine('queue_deliveries', 'queue_message_events', 'advance_messages', 'write_parts');
