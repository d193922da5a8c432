-- Reading the log of events where those of messages are read out of the messages: one, those of a record, the newest, and what is behind
-- a snapshot. And what goes with messages and events that are removed.

-- All events of a tenant, wherever they are kept.
create view event_log with (security_invoker = true) as
  select e.tenant_id, e.id, e.type, e.resource_id, e.sequence, e.at, e.data, e.written_in, e.callback_url from events e
  union all
  select b.tenant_id, entry_event_id(b.id, u.entry), entry_type(u.entry), m.id,
    entry_sequence(u.entry), x.at, x.data, b.written_in, m.callback_url
  from message_event_batches b
  cross join lateral string_to_table(b.entries, ' ') as u (entry)
  join messages m on m.tenant_id = b.tenant_id and m.id = entry_message_id(u.entry)
  cross join lateral message_event(m, entry_sequence(u.entry)) x;
grant select on event_log to tandem_app, tandem_engine;

-- One event. Without settings of its own, which would cost more than the event: it is asked for one after the other.
create function event_at(of_tenant bigint, of_id text) returns setof event_log
language plpgsql stable as $$
declare
  entry text;
begin
  select substr(b.entries, strpos(b.entries, substr(of_id, 15)) - 13, 30) into entry
  from message_event_batches b
  where b.tenant_id = of_tenant and b.id >= left(of_id, 14) and b.id <= of_id and strpos(b.entries, substr(of_id, 15)) > 0;
  if found then
    return query
    select m.tenant_id, of_id, entry_type(entry), m.id, entry_sequence(entry), x.at, x.data,
      null::xid8, m.callback_url
    from messages m cross join lateral message_event(m, entry_sequence(entry)) x
    where m.tenant_id = any (array[of_tenant]) and m.id = any (array[entry_message_id(entry)]);
  else
    return query
    select e.tenant_id, e.id, e.type, e.resource_id, e.sequence, e.at, e.data, e.written_in, e.callback_url
    from events e where e.tenant_id = of_tenant and e.id = of_id;
  end if;
end $$;

-- The events that are read out of a message.
create function events_of_message(m messages) returns setof event_log
language sql stable as $$
  select m.tenant_id, v.event_id, 'message.' || v.status, m.id, v.sequence, x.at, x.data, null::xid8, m.callback_url
  from moves_of(m) v cross join lateral message_event(m, v.sequence) x
$$;

-- The events of one record.
create function events_of(of_tenant bigint, of_resource text) returns setof event_log
language sql stable as $$
  select e.tenant_id, e.id, e.type, e.resource_id, e.sequence, e.at, e.data, e.written_in, e.callback_url
  from events e where e.tenant_id = of_tenant and e.resource_id = of_resource
  union all
  select o.* from messages m cross join lateral events_of_message(m) o where m.tenant_id = of_tenant and m.id = of_resource
$$;

-- The newest events of messages with ids from `from_id` on and below `before_id`, of these statuses (letters; null for all) and
-- times (null for all), at most `most`.
-- At most `max_batches` batches are looked at: where that ended the search, the last row has only the id below which to go on.
create function message_events_before(of_tenant bigint, from_id text, before_id text, letters text, after timestamptz, before timestamptz,
  most integer, max_batches integer)
returns setof event_log
language plpgsql stable set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  batch record;
  seen integer := 0;
  place text collate "C" := '';
  moved_at timestamptz;
  found_ids text[] collate "C" := '{}';
  found_entries text[] collate "C" := '{}';
  some_ids text[] collate "C";
  some_entries text[] collate "C";
begin
  -- Batches come by the time of their events, and those of one millisecond in no order.
  for batch in
    select b.id, b.entries from message_event_batches b
    where b.tenant_id = of_tenant and b.id >= left(from_id, 14) and b.id < before_id
    order by b.tenant_id desc, b.id desc
  loop
    if left(batch.id, 14) <> place then
      exit when cardinality(found_ids) >= most;
      if seen >= max_batches then
        return query
        select of_tenant, place || repeat('0', 16), null::text, null::text, null::integer, null::timestamptz, null::json, null::xid8, null::text;
        exit;
      end if;
      place := left(batch.id, 14);
      moved_at := time_of_id(place);
    end if;
    seen := seen + 1;
    select array_agg(entry_event_id(place, u.entry)), array_agg(u.entry) into some_ids, some_entries
    from string_to_table(batch.entries, ' ') as u (entry)
    where (letters is null or strpos(letters, right(u.entry, 1)) > 0)
      and entry_event_id(place, u.entry) >= from_id and entry_event_id(place, u.entry) < before_id
      and (
        select true from messages m
        cross join lateral (select case entry_sequence(u.entry) when 1 then m.created_at else greatest(moved_at, m.created_at) end as at) e
        where m.tenant_id = of_tenant and m.id = entry_message_id(u.entry)
          and (after is null or e.at >= after) and (before is null or e.at < before));
    found_ids := found_ids || some_ids;
    found_entries := found_entries || some_entries;
  end loop;
  return query
  select of_tenant, f.id, entry_type(f.entry), (m.message).id, entry_sequence(f.entry), x.at,
    x.data, null::xid8, (m.message).callback_url
  from (select * from unnest(found_ids, found_entries) as u (id, entry) order by u.id collate "C" desc limit most) f
  cross join lateral (
    select m as message from messages m where m.tenant_id = of_tenant and m.id = entry_message_id(f.entry) offset 0
  ) m
  cross join lateral message_event(m.message, entry_sequence(f.entry)) x
  order by f.id collate "C" desc;
end $$;

-- The oldest moves with ids of events from `from_id` on, of these statuses (letters; null for all), that were written behind a snapshot;
-- exactly `most` where there are as many. Within a page of one snapshot only those behind its last event, and with `up_to` only what that
-- snapshot has too. `only_first`: no move but the first of a message.
create function message_moves_behind(of_tenant bigint, from_id text, behind pg_snapshot, page pg_snapshot, page_id text, up_to pg_snapshot,
  letters text, only_first boolean, most integer)
returns table (id text, sequence integer, message messages)
language plpgsql stable set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  batches_at_once constant integer := 50;
  read record;
  last_id text collate "C" := '';
  found_ids text[] collate "C" := '{}';
  found_entries text[] collate "C" := '{}';
begin
  loop
    with b as materialized (
      select b.id, b.entries, page is not null and pg_visible_in_snapshot(b.written_in, page) as is_of_page
      from message_event_batches b
      where b.tenant_id = of_tenant and b.id >= left(from_id, 14) and b.id > last_id and not pg_visible_in_snapshot(b.written_in, behind)
        -- Messages that were taken in together moved for the first time, all others did not.
        and (not only_first or entry_sequence(b.entries) = 1)
        and (up_to is null or pg_visible_in_snapshot(b.written_in, up_to))
      order by b.tenant_id, b.id limit batches_at_once
    ), e as (
      select v.id, u.entry
      from b
      cross join lateral string_to_table(b.entries, ' ') as u (entry)
      cross join lateral (select entry_event_id(b.id, u.entry) as id) v
      where (letters is null or strpos(letters, right(u.entry, 1)) > 0)
        and v.id >= from_id and not (b.is_of_page and v.id <= page_id)
        -- Not as a join, which the planner might turn around.
        and (select true from messages m where m.tenant_id = of_tenant and m.id = entry_message_id(u.entry))
    )
    select (select count(*) from b) as batches, (select max(b.id) from b) as last_id, array_agg(e.id) as ids, array_agg(e.entry) as entries
    into read from e;
    found_ids := found_ids || read.ids;
    found_entries := found_entries || read.entries;
    exit when read.batches < batches_at_once;
    last_id := read.last_id;
    -- Of the last millisecond there may be more.
    exit when (select count(*) from unnest(found_ids) as i where i < left(last_id, 14)) >= most;
  end loop;
  return query
  select f.id, entry_sequence(f.entry), m.message
  from (select * from unnest(found_ids, found_entries) as u (id, entry) order by u.id collate "C" limit most) f
  cross join lateral (
    select m as message from messages m where m.tenant_id = of_tenant and m.id = entry_message_id(f.entry) offset 0
  ) m
  order by f.id collate "C";
end $$;

-- The oldest events with ids from `from_id` on and below `before_id`, without their data, exactly `most` where there are as many. What is about
-- a message that is gone has no resource.
create function event_heads(of_tenant bigint, from_id text, before_id text, most integer)
returns table (id text, type text, resource_id text, sequence integer, at timestamptz, callback_url text)
language plpgsql stable set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
begin
  return query
  select h.* from (
    (select e.id, e.type, e.resource_id, e.sequence, e.at, e.callback_url from events e
     where e.tenant_id = of_tenant and e.id >= from_id and e.id < before_id order by e.tenant_id, e.id limit most)
    union all
    select v.id, v.type, m.id, v.sequence,
      case v.sequence when 1 then m.created_at else greatest(time_of_id(v.id), m.created_at) end, m.callback_url
    from (
      select entry_event_id(b.id, u.entry) as id, entry_type(u.entry) as type,
        entry_message_id(u.entry) as message_id, entry_sequence(u.entry) as sequence
      from (
        -- Those of the first millisecond may all be before it.
        select b.* from message_event_batches b
        where b.tenant_id = of_tenant and b.id >= left(from_id, 14) and b.id < before_id
        order by b.tenant_id, b.id limit most + 1000
      ) b
      cross join lateral string_to_table(b.entries, ' ') as u (entry)
      where entry_event_id(b.id, u.entry) >= from_id and entry_event_id(b.id, u.entry) < before_id
      order by 1 limit most
    ) v
    left join lateral (select q.* from messages q where q.tenant_id = of_tenant and q.id = v.message_id offset 0) m on true
  ) h
  order by h.id limit most;
end $$;

-- The newest id in the log of a tenant.
create function newest_event(of_tenant bigint) returns text
language sql stable set search_path = public, pg_temp as $$
  select greatest(
    (select e.id from events e where e.tenant_id = of_tenant order by e.id desc limit 1),
    (select b.id from message_event_batches b where b.tenant_id = of_tenant order by b.id desc limit 1))
$$;

-- As before, from the log of all events.
create or replace function fetch_webhook_jobs(tenant_ids bigint[], lanes text[], job_limits integer[], rechecks boolean[], held bigint[],
  max_events integer, present timestamptz)
returns table (item integer, job_id bigint, due_at timestamptz, tries smallint, event_id text, type text, at timestamptz,
  sequence integer, data text, callback_url text, settled boolean)
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  present := greatest(present, clock_timestamp());
  return query
  select j.n::integer, j.id, j.due_at, j.tries, i.event_id, e.type, e.at, e.sequence, e.data, e.callback_url,
    j.recheck and exists (
      select from webhook_deliveries d
      where d.tenant_id = j.tenant_id and d.target = webhook_target(j.tenant_id, j.lane)
        and d.event_id = i.event_id and (d.status <> 'pending' or d.tries > j.tries))
  from (
    select w.*, sum(cardinality(w.event_ids)) over (order by w.turn, w.n) - cardinality(w.event_ids) as before
    from (
      select u.n, u.recheck, k.*, row_number() over (partition by u.n order by k.due_at, k.id) as turn
      from unnest(tenant_ids, lanes, job_limits, rechecks) with ordinality as u (tenant_id, lane, job_limit, recheck, n)
      cross join lateral (
        select * from webhook_jobs k
        where k.tenant_id = u.tenant_id and k.lane = u.lane and k.due_at <= present and k.id <> all (held)
        order by k.due_at, k.id limit u.job_limit
      ) k
    ) w
  ) j
  cross join lateral unnest(j.event_ids, j.message_ids) as i (event_id, message_id)
  left join lateral (
    select 'message.' || status_of_letter(x.letter) as type, x.at, v.sequence, x.data, q.callback_url
    from messages q
    cross join lateral (
      select digits_sequence(right(i.event_id, 3)) as sequence, split_part(q.moves, ';', -1) as shown, split_part(q.moves, ';', -2) as earlier
      offset 0
    ) v
    cross join lateral (
      -- Its last move, as nearly always: the message is as the event says.
      select left(v.shown, 1) as letter, greatest(w.moved_at, q.created_at) as at,
        message_data(q, left(v.shown, 1), nullif(split_part(v.shown, ',', 2), ''),
          case when left(v.shown, 1) = 'd' then q.segments else coalesce(nullif(split_part(v.shown, ',', 3), '')::smallint, 0::smallint) end,
          q.attempts, q.sent_at is not null, w.moved_at, status_of_letter(left(v.earlier, 1))) as data
      from (select q.created_at + split_part(substr(v.shown, 2), ',', 1)::bigint * interval '1 millisecond' as moved_at) w
      where v.sequence = q.sequence and v.earlier <> '' and left(v.earlier, 1) <> '~' and left(v.shown, 1) <> '~'
      union all
      select e.letter, e.at, e.data::text from message_event(q, v.sequence) e
      where v.sequence <> q.sequence or v.earlier = '' or left(v.earlier, 1) = '~' or left(v.shown, 1) = '~'
    ) x
    where q.tenant_id = any (array[j.tenant_id]) and q.id = any (array[i.message_id])
    union all
    select o.type, o.at, o.sequence, o.data::text, o.callback_url from event_at(j.tenant_id, i.event_id) o where i.message_id is null
  ) e on true
  where j.before < max_events;
end $$;

-- The attempts of a delivery, oldest first: its log, or the one attempt that has no entry of its own there.
create function attempts_of(log json, took_ms integer, at timestamptz, status smallint) returns json
language sql stable as $$
  select case when took_ms is null then log else
    ('[{"at":' || json_time(at) || ',"ms":' || took_ms || ',"status":' || status || '}]')::json end
$$;

-- As before; what is left of a job is found by the ids of its events. An entry is the attempt in JSON, or the milliseconds of one that
-- succeeded and got no text.
create or replace function finish_webhooks(present timestamptz,
  lane_tenants bigint[], lane_ids text[], lane_tokens text[], releases boolean[], concurrencies smallint[],
  resume_ats timestamptz[], failure_counts integer[], failing_sinces timestamptz[], failed_counts integer[],
  delivered_ats timestamptz[], last_errors text[],
  result_lanes integer[], result_events text[], result_types text[], result_urls text[], result_statuses text[],
  result_tries smallint[], result_ats timestamptz[], next_ats timestamptz[], result_codes smallint[], result_errors text[],
  entries text[],
  done_lanes integer[], done_dues timestamptz[], done_ids bigint[],
  kept_lanes integer[], kept_dues timestamptz[], kept_ids bigint[], kept_events text[],
  notice_hours integer[], least_attempts integer, full_concurrency integer)
returns table (item integer, notice smallint)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  holds integer[];
  targets integer[];
begin
  perform set_config('synchronous_commit', 'off', true);
  present := greatest(present, clock_timestamp());

  select coalesce(array_agg(k.n), '{}') into holds
  from (
    select u.n::integer as n
    from unnest(lane_tenants, lane_ids, lane_tokens) with ordinality as u (tenant_id, id, token, n)
    join webhook_lanes l on l.tenant_id = u.tenant_id and l.id = u.id and l.lease_token = u.token
    order by u.tenant_id, u.id
    for update of l
  ) k;
  targets := array(select webhook_target(u.tenant_id, u.id) from unnest(lane_tenants, lane_ids) with ordinality as u (tenant_id, id, n) order by u.n);

  insert into webhook_deliveries as d (tenant_id, target, event_id, event_type, url, status, attempts, tries, last_at, next_at,
    last_status, last_error, took_ms, log)
  select lane_tenants[r.lane], targets[r.lane], r.event_id,
    r.type, r.url, r.status, 1, case when r.status = 'pending' then r.tries end, r.at, r.next_at, r.code, r.error,
    case when r.entry not like '{%' then r.entry::integer end,
    case when r.entry like '{%' then ('[' || r.entry || ']')::json end
  from unnest(result_lanes, result_events, result_types, result_urls, result_statuses, result_tries, result_ats, next_ats,
      result_codes, result_errors, entries)
    as r (lane, event_id, type, url, status, tries, at, next_at, code, error, entry)
  where r.lane = any (holds) and targets[r.lane] is not null
  on conflict on constraint webhook_deliveries_pkey do update set
    status = excluded.status, attempts = d.attempts + 1, tries = excluded.tries, last_at = excluded.last_at,
    next_at = excluded.next_at, last_status = excluded.last_status, last_error = excluded.last_error, took_ms = null,
    log = (
      select case
        when json_array_length(o.before) = 0 then o.added
        when json_array_length(o.before) < 50 then (left(o.before::text, -1) || ',' || substr(o.added::text, 2))::json
        else (select json_agg(a.entry order by a.n) from (
          select entry, n from json_array_elements(o.before) with ordinality as e (entry, n) where n > 1
          union all select o.added -> 0, 1000) a)
      end
      from (select attempts_of(d.log, d.took_ms, d.last_at, d.last_status) as before,
        attempts_of(excluded.log, excluded.took_ms, excluded.last_at, excluded.last_status) as added) o);

  if cardinality(array_remove(next_ats, null)) > 0 then
    insert into webhook_jobs (tenant_id, lane, due_at, tries, event_ids)
    select lane_tenants[r.lane], lane_ids[r.lane], r.next_at, r.tries, array[r.event_id]
    from unnest(result_lanes, result_events, result_tries, next_ats) as r (lane, event_id, tries, next_at)
    where r.next_at is not null and r.lane = any (holds);
  end if;

  delete from webhook_jobs j using unnest(done_lanes, done_dues, done_ids) as u (lane, due_at, id)
  where u.lane = any (holds) and j.tenant_id = lane_tenants[u.lane] and j.lane = lane_ids[u.lane]
    and j.due_at = u.due_at and j.id = u.id;

  if cardinality(kept_ids) > 0 then
    update webhook_jobs j set event_ids = array(select json_array_elements_text(u.events::json)), message_ids = null
    from unnest(kept_lanes, kept_dues, kept_ids, kept_events) as u (lane, due_at, id, events)
    where u.lane = any (holds) and j.tenant_id = lane_tenants[u.lane] and j.lane = lane_ids[u.lane]
      and j.due_at = u.due_at and j.id = u.id;
  end if;

  return query
  with fared as (
    update webhook_lanes l set
      lease_token = case when u.release then null else l.lease_token end,
      leased_until = case when u.release then null else l.leased_until end,
      slots = case when u.release then 0 else l.slots end,
      concurrency = u.concurrency, resume_at = u.resume_at, failures = u.failures, failing_since = u.failing_since,
      failed_attempts = u.failed, delivered_at = u.delivered_at, last_error = u.last_error,
      notices = case when u.failing_since is null then 0 else l.notices end,
      mailed = case when u.failing_since is null then 0 else l.mailed end,
      next_at = case when u.release and l.id like 'cb:%' then (
        select j.due_at from webhook_jobs j where j.tenant_id = l.tenant_id and j.lane = l.id order by j.due_at limit 1) end
    from unnest(lane_tenants, lane_ids, releases, concurrencies, resume_ats, failure_counts, failing_sinces, failed_counts,
        delivered_ats, last_errors) with ordinality
      as u (tenant_id, id, release, concurrency, resume_at, failures, failing_since, failed, delivered_at, last_error, n)
    where u.n = any (holds) and l.tenant_id = u.tenant_id and l.id = u.id
    returning u.n, l.id, l.notices, l.failing_since, l.failed_attempts
  )
  select f.n::integer, case when f.failing_since is not null and f.id not like 'cb:%' then (
      select max(h.n) from unnest(notice_hours) with ordinality as h (hours, n)
      where f.failing_since <= present - make_interval(hours => h.hours) and f.notices < h.n
        and (h.n < cardinality(notice_hours) or f.failed_attempts >= least_attempts))
    end::smallint
  from fared f;

  -- What is known of a callback's receiver that is well and hears nothing more is not worth a row.
  if true = any (releases) then
    delete from webhook_lanes l
    using unnest(lane_tenants, lane_ids, releases, failing_sinces, concurrencies) with ordinality
      as u (tenant_id, id, release, failing_since, concurrency, n)
    where u.n = any (holds) and u.release and u.id like 'cb:%' and u.failing_since is null and u.concurrency >= full_concurrency
      and l.next_at is null and l.tenant_id = u.tenant_id and l.id = u.id;
  end if;
end $$;

-- Round and round from the one behind `behind_tenant` on: however many always have something new, each is looked into in its turn.
create or replace function tenants_behind_with_conversations(behind_tenant bigint, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, mode text)
language sql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
  select b.id, b.organization_id, b.mode
  from (values (1, behind_tenant, 9223372036854775807), (2, 0, behind_tenant)) as r (place, low, high)
  cross join lateral (
    select t.id, t.organization_id, t.mode
    from tenants t
    cross join lateral (select newest_event(t.id) as id offset 0) e
    left join conversation_positions p on p.tenant_id = t.id
    where t.id > r.low and t.id <= r.high and e.id is not null
      and (p.tenant_id is null or p.fill_behind is not null or p.seen_id < e.id or p.look_until > clock_timestamp())
    order by t.id limit max_rows
  ) b
  order by r.place, b.id limit max_rows
$$;

-- Deletes what became of events that are erased: it holds what receivers replied.
create function remove_deliveries(of_tenant bigint, gone text[]) returns void
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  delete from webhook_deliveries d where d.tenant_id = of_tenant and d.event_id = any (gone)
    and d.target in (select 0 union all select w.number from webhook_endpoints w where w.tenant_id = of_tenant);
  delete from webhook_listener_deliveries d where d.tenant_id = of_tenant and d.event_id = any (gone)
    and d.listener_id in (select l.id from webhook_listeners l where l.tenant_id = of_tenant);
end $$;

-- As before; batches of events go by their age, of erased messages what became of their events, and erased mails that wait.
create or replace function remove_rows(of_table text, of_tenant bigint, ids text[], only_idle boolean, before timestamptz) returns integer
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  doomed text[];
  waiting text[];
begin
  if of_table = 'messages' then
    -- One that another transaction moves meanwhile is asked again when that has ended: it may be on its way then.
    doomed := array(
      select m.id from messages m
      where m.tenant_id = of_tenant and m.id = any (ids)
        and (m.status in ('delivered', 'undelivered', 'expired', 'failed', 'canceled', 'received', 'unconfirmed')
          or m.status = 'scheduled' and not only_idle)
        -- Its age counts from its end: one that was scheduled may have just been sent, and its callbacks wait for it.
        and not (only_idle and coalesce(m.final_at, m.created_at) >= before)
        and not (only_idle and exists (
          select from conversation_addresses a join conversations c on c.tenant_id = a.tenant_id and c.id = a.conversation_id
          where a.tenant_id = of_tenant and a.address in (m.from_address, m.to_address) and c.state <> 'closed'))
      order by m.id
      for update of m);
    -- Their events go with them.
    if not only_idle then
      perform remove_deliveries(of_tenant, array(
        select v.event_id from messages m cross join lateral moves_of(m) v where m.tenant_id = of_tenant and m.id = any (doomed)));
    end if;
    delete from message_segments s where s.tenant_id = of_tenant and s.message_id = any (doomed);
    delete from messages m where m.tenant_id = of_tenant and m.id = any (doomed);
  elsif of_table = 'conversations' then
    doomed := array(
      select c.id from conversations c
      where c.tenant_id = of_tenant and c.id = any (ids)
        and not (only_idle and (c.merged_into is not null or c.state <> 'closed' or c.last_at >= before)));
    doomed := doomed || array(select c.id from conversations c where c.tenant_id = of_tenant and c.merged_into = any (doomed));
    delete from conversations c where c.tenant_id = of_tenant and c.id = any (doomed);
  elsif of_table = 'calls' then
    return remove_calls(of_tenant, ids, only_idle);
  elsif of_table = 'conferences' then
    doomed := array(
      select c.id from conferences c where c.tenant_id = of_tenant and c.id = any (ids) and c.state = 'ended'
        and not exists (select from conference_participants p where p.tenant_id = of_tenant and p.conference_id = c.id));
    delete from conferences c where c.tenant_id = of_tenant and c.id = any (doomed);
  elsif of_table = 'mails' then
    -- What an erasure finds waiting is never sent. Nobody begins it meanwhile: that takes the job, which is locked here first. What
    -- another transaction has locked is asked again when that has ended.
    if not only_idle then
      waiting := array(
        select j.mail_id from mail_jobs j where j.tenant_id = of_tenant and j.mail_id = any (ids) order by j.mail_id for update skip locked);
    end if;
    doomed := array(
      select m.id from mails m
      where m.tenant_id = of_tenant and m.id = any (ids)
        and (m.state not in ('queued', 'sending')
          or m.state = 'queued' and not only_idle and (m.id = any (waiting) or not exists (
            select from mail_jobs j where j.tenant_id = of_tenant and j.mail_id = m.id)))
      order by m.id
      for update of m skip locked);
    delete from mails m where m.tenant_id = of_tenant and m.id = any (doomed);
  elsif of_table = 'inbound_mails' then
    doomed := ids;
    delete from inbound_mails m where m.tenant_id = of_tenant and m.id = any (doomed);
  elsif of_table = 'request_log' then
    delete from request_details d where d.tenant_id = of_tenant and d.request_id = any (ids);
    doomed := array(select l.id from request_log l where l.tenant_id = of_tenant and l.id = any (ids));
    delete from request_log l where l.tenant_id = of_tenant and l.id = any (doomed);
    return cardinality(doomed);
  elsif of_table = 'events' then
    doomed := array(select e.id from events e where e.tenant_id = of_tenant and e.id = any (ids));
    delete from events e where e.tenant_id = of_tenant and e.id = any (doomed);
    return cardinality(doomed);
  elsif of_table = 'message_event_batches' then
    doomed := array(select b.id from message_event_batches b where b.tenant_id = of_tenant and b.id = any (ids));
    delete from message_event_batches b where b.tenant_id = of_tenant and b.id = any (doomed);
    return cardinality(doomed);
  else
    raise exception 'no rows of % are removed by their age', of_table;
  end if;
  -- Their events hold what they held.
  perform remove_events(of_tenant, doomed, only_idle);
  return cardinality(doomed);
end $$;

create or replace function remove_events(of_tenant bigint, resource_ids text[], only_idle boolean, of_type text default '%') returns void
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  gone text[];
begin
  with deleted as (
    delete from events e where e.tenant_id = of_tenant and e.resource_id = any (resource_ids) and e.type like of_type returning e.id
  )
  select array_agg(d.id) into gone from deleted d;
  if only_idle then return; end if;
  delete from request_details d using request_log l
  where l.tenant_id = of_tenant and d.tenant_id = of_tenant and d.request_id = l.id
    and l.resource_id = any (resource_ids || array(select split_part(of_type, '.', 1) || ':' || r from unnest(resource_ids) as r));
  if gone is null then return; end if;
  perform remove_deliveries(of_tenant, gone);
end $$;

create or replace function text_about(of_table text) returns text
language sql immutable set search_path = public, pg_temp as $$
  select 'x::text' || case of_table
    when 'conversations' then ' || (select coalesce(string_agg(a.address, '' ''), '''') from conversation_addresses a
      where a.tenant_id = x.tenant_id and a.conversation_id = x.id)'
    when 'mails' then ' || (select coalesce(string_agg(r.address, '' ''), '''') from mail_recipients r
      where r.tenant_id = x.tenant_id and r.mail_id = x.id)'
    when 'request_log' then ' || coalesce((select d::text from request_details d
      where d.tenant_id = x.tenant_id and d.request_id = x.id), '''')'
    when 'message_event_batches' then ' || (select coalesce(string_agg(m::text, '' ''), '''') from string_to_table(x.entries, '' '') as u (entry)
      join messages m on m.tenant_id = x.tenant_id and m.id = entry_message_id(u.entry))'
    when 'calls' then ' || (select coalesce(string_agg(c::text, '' ''), '''') from calls c
      where c.tenant_id = x.tenant_id and c.parent_call_id = x.id)'
    else '' end
$$;

-- Removes the text of a message for good, also from its events and from what receivers replied to them.
create or replace function redact_message(of_tenant bigint, message_id text, at timestamptz) returns boolean
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
  from events_of(of_tenant, message_id) e
  where d.tenant_id = of_tenant and d.event_id = e.id
    and d.target in (select 0 union all select w.number from webhook_endpoints w where w.tenant_id = of_tenant)
    and d.log::jsonb @? '$[*].reply';
  update webhook_listener_deliveries d set reply = null
  from events_of(of_tenant, message_id) e
  where d.tenant_id = of_tenant and d.event_id = e.id and d.reply is not null
    and d.listener_id in (select l.id from webhook_listeners l where l.tenant_id = of_tenant);
  return true;
end $$;

select restrict_to_engine('remove_deliveries');
