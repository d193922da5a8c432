-- How workers deliver webhooks: they lease lanes, fetch what is due in them, and write down what became of it.

-- Behind which tenant the next claim goes on, 0 for the first: used while more of them wait than one claim looks at.
create sequence webhook_tenant_walk minvalue 0 start 0;
grant select, update on sequence webhook_tenant_walk to tandem_engine;

-- Leases lanes with something due, the longest waiting first, as far as the tenant's `tenant_slots` allow: each gets its
-- share of them, and not more than it bears. A fifth of them is kept for endpoints, whatever becomes of callbacks. One claim
-- at a time over all workers, so that none counts what another is just taking. `taken_over`: the worker before did not give
-- it back.
-- What a claim costs does not grow with what waits for later, nor with how many receivers one tenant's callbacks have: of
-- those it looks at `most` that are due again, and at `most` with something fresh, from where the last claim ended. It
-- looks at `max_tenants`, and the next one at the others.
create function claim_webhook_lanes(token text, max_lanes integer, tenant_slots integer, lease_seconds double precision,
  present timestamptz)
returns table (tenant_id bigint, lane text, slots smallint, concurrency smallint, failures integer, failing_since timestamptz,
  failed_attempts integer, delivered_at timestamptz, last_error text, taken_over boolean)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  clock timestamptz := clock_timestamp();
  callback_limit constant integer := greatest(1, tenant_slots * 4 / 5);
  most constant integer := 100;
  max_tenants constant integer := 2000;
  waiting bigint[];
begin
  if not pg_try_advisory_xact_lock(hashtext('claim_webhook_lanes')) then return; end if;
  present := greatest(present, clock);
  with recursive tenants as (
    (select j.tenant_id, 1 as n from webhook_jobs j where j.tenant_id > (select w.last_value from webhook_tenant_walk w)
    order by j.tenant_id limit 1)
    union all
    select n.tenant_id, t.n + 1 from tenants t cross join lateral (
      select j.tenant_id from webhook_jobs j where j.tenant_id > t.tenant_id order by j.tenant_id limit 1
    ) n
    where t.n < max_tenants
  )
  select array_agg(t.tenant_id order by t.n) into waiting from tenants t;
  if cardinality(waiting) = max_tenants then
    perform setval('webhook_tenant_walk', waiting[max_tenants]);
  elsif (select w.last_value > 0 from webhook_tenant_walk w) then
    perform setval('webhook_tenant_walk', 0);
  end if;
  if exists (select from held_tenants) then
    waiting := array(select w.tenant_id from unnest(waiting) with ordinality as w (tenant_id, n)
      where not exists (select from held_tenants h where h.tenant_id = w.tenant_id) order by w.n);
  end if;
  return query
  with places as materialized (
    select t.tenant_id, w.lane as behind, tenant_slots - h.slots as room, callback_limit - h.callback_slots as callback_room
    from unnest(waiting) as t (tenant_id)
    left join webhook_walks w on w.tenant_id = t.tenant_id
    cross join lateral (
      select coalesce(sum(l.slots), 0) as slots, coalesce(sum(l.slots) filter (where l.id like 'cb:%'), 0) as callback_slots
      from webhook_lanes l
      where l.tenant_id = t.tenant_id and l.lease_token is not null and l.leased_until >= clock
    ) h
  ), walked as materialized (
    select p.tenant_id, f.lane, f.due_at
    from places p cross join lateral (
      with recursive fresh as (
        (select j.lane, j.due_at, 1 as n from webhook_jobs j
        where j.tenant_id = p.tenant_id and j.lane > coalesce(p.behind, 'cb:')
          and j.tries = 0 and j.lane >= 'cb:' and j.lane < 'cb;'
        order by j.lane, j.due_at limit 1)
        union all
        select n.lane, n.due_at, f.n + 1 from fresh f cross join lateral (
          select j.lane, j.due_at from webhook_jobs j
          where j.tenant_id = p.tenant_id and j.lane > f.lane and j.tries = 0 and j.lane >= 'cb:' and j.lane < 'cb;'
          order by j.lane, j.due_at limit 1
        ) n
        where f.n < most
      )
      select * from fresh
    ) f
    where least(p.room, p.callback_room) > 0
  ), walks as (
    insert into webhook_walks as w (tenant_id, lane)
    select k.tenant_id, max(k.lane) from walked k group by k.tenant_id having count(*) >= most
    on conflict on constraint webhook_walks_pkey do update set lane = excluded.lane
  ), round as (
    delete from webhook_walks w using places p
    where p.behind is not null and least(p.room, p.callback_room) > 0 and w.tenant_id = p.tenant_id
      and (select count(*) from walked k where k.tenant_id = p.tenant_id) < most
  ), heads as (
    select p.tenant_id, h.lane, h.due_at
    from places p cross join lateral (
      with recursive lanes as (
        (select j.lane, j.due_at from webhook_jobs j where j.tenant_id = p.tenant_id and j.lane >= 'cb;'
        order by j.lane, j.due_at limit 1)
        union all
        select n.* from lanes o cross join lateral (
          select j.lane, j.due_at from webhook_jobs j where j.tenant_id = p.tenant_id and j.lane > o.lane
          order by j.lane, j.due_at limit 1
        ) n
      )
      select * from lanes
    ) h
    where p.room > 0
      and exists (select from webhook_endpoints e where e.tenant_id = p.tenant_id and e.id = h.lane and e.enabled)
    union all
    select p.tenant_id, a.id, a.wake_at
    from places p cross join lateral (
      select l.id, l.wake_at from webhook_lanes l where l.tenant_id = p.tenant_id and l.wake_at <= present
      order by l.wake_at limit most
    ) a
    where least(p.room, p.callback_room) > 0
    union all
    select * from walked
  ), due as (
    select h.tenant_id, h.lane, h.due_at, h.lane like 'cb:%' as callback, l.lease_token is not null as taken_over,
      coalesce(l.concurrency, 10) as concurrency
    from (select h.tenant_id, h.lane, min(h.due_at) as due_at from heads h group by h.tenant_id, h.lane) h
    left join webhook_lanes l on l.tenant_id = h.tenant_id and l.id = h.lane
    where h.due_at <= present
      and (l.lease_token is null or l.leased_until < clock)
      and (l.resume_at is null or l.resume_at <= present)
  ), shared as (
    select d.*, least(d.concurrency, greatest(1, tenant_slots / count(*) over (partition by d.tenant_id)),
      case when d.callback then greatest(1, callback_limit / count(*) over (partition by d.tenant_id, d.callback)) end) as share
    from due d
  ), capped as (
    select c.* from (
      select s.*, p.room, case when s.callback then p.callback_room
        - (sum(s.share) over (partition by s.tenant_id, s.callback order by s.due_at, s.lane) - s.share) end as callback_room
      from shared s join places p on p.tenant_id = s.tenant_id
    ) c where not c.callback or c.callback_room > 0
  ), placed as (
    select c.*, least(c.share, c.callback_room,
      c.room - (sum(c.share) over (partition by c.tenant_id order by c.due_at, c.lane) - c.share))::smallint as slots
    from capped c
  ), chosen as (
    select p.* from placed p where p.slots > 0 order by p.due_at limit max_lanes
  ), leased as (
    insert into webhook_lanes as l (tenant_id, id, lease_token, leased_until, slots)
    select c.tenant_id, c.lane, token, clock + make_interval(secs => lease_seconds), c.slots from chosen c
    on conflict on constraint webhook_lanes_pkey do update set
      lease_token = excluded.lease_token, leased_until = excluded.leased_until, slots = excluded.slots
    returning l.*
  )
  select l.tenant_id, l.id, l.slots, l.concurrency, l.failures, l.failing_since, l.failed_attempts, l.delivered_at,
    l.last_error, c.taken_over
  from leased l join chosen c on c.tenant_id = l.tenant_id and c.lane = l.id;
end $$;

-- Where the deliveries of lanes go, and what signs them, as of now. A lane whose endpoint is gone or disabled is left out.
create function webhook_targets(tenant_ids bigint[], lanes text[], present timestamptz)
returns table (item integer, organization_id bigint, mode text, url text, secret text, previous_secret text,
  generation integer, previous_generation integer)
language sql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  select u.n::integer, t.organization_id, t.mode, e.url, e.secret,
    case when e.previous_until > present then e.previous_secret end,
    coalesce(s.generation, 1), case when s.previous_until > present then s.generation - 1 end
  from unnest(tenant_ids, lanes) with ordinality as u (tenant_id, lane, n)
  join tenants t on t.id = u.tenant_id
  left join webhook_endpoints e on e.tenant_id = u.tenant_id and e.id = u.lane
  left join webhook_signing s on s.tenant_id = u.tenant_id
  where u.lane like 'cb:%' or e.enabled
$$;

-- Due jobs of leased lanes with their events, oldest first, without those the worker holds already: each lane's first job,
-- then the second of each, until there are `max_events`. With `rechecks`, for lanes taken over, `settled` says which events were
-- settled before: their job was not cleared away.
create function fetch_webhook_jobs(tenant_ids bigint[], lanes text[], job_limits integer[], rechecks boolean[], held bigint[],
  max_events integer, present timestamptz)
returns table (item integer, job_id bigint, due_at timestamptz, tries smallint, event_id text, type text, at timestamptz,
  sequence integer, data text, callback_url text, settled boolean)
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  present := greatest(present, clock_timestamp());
  return query
  select j.n::integer, j.id, j.due_at, j.tries, i.event_id, e.type, e.at, e.sequence, e.data::text, e.callback_url,
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
  cross join lateral unnest(j.event_ids) as i (event_id)
  left join events e on e.tenant_id = j.tenant_id and e.id = i.event_id
  where j.before < max_events;
end $$;

-- Writes down what became of deliveries: their row with the attempt, the next try of those that failed, jobs that are done
-- or of which a rest is kept, the delivery health of the lanes; and gives lanes back. What belongs to a lane whose lease was lost is left
-- out: its new holder does it again. Answers the lanes that were held, and which notice about each is due, by the `notice_hours`
-- it has been failing: the last is the end, which takes `least_attempts`, too.
-- Its commit need not wait for the disk: what a power cut takes away is delivered once more, never lost.
create function finish_webhooks(present timestamptz,
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

  insert into webhook_deliveries as d (tenant_id, target, event_id, event_type, url, status, attempts, tries, last_at, next_at,
    last_status, last_error, log)
  select lane_tenants[r.lane], webhook_target(lane_tenants[r.lane], lane_ids[r.lane]), r.event_id,
    r.type, r.url, r.status, 1, r.tries, r.at, r.next_at, r.code, r.error,
    ('[' || r.entry || ']')::json
  from unnest(result_lanes, result_events, result_types, result_urls, result_statuses, result_tries, result_ats, next_ats,
      result_codes, result_errors, entries)
    as r (lane, event_id, type, url, status, tries, at, next_at, code, error, entry)
  where r.lane = any (holds)
  on conflict on constraint webhook_deliveries_pkey do update set
    status = excluded.status, attempts = d.attempts + 1, tries = excluded.tries, last_at = excluded.last_at,
    next_at = excluded.next_at, last_status = excluded.last_status, last_error = excluded.last_error,
    log = case
      when json_array_length(d.log) = 0 then excluded.log
      when json_array_length(d.log) < 50 then (left(d.log::text, -1) || ',' || substr(excluded.log::text, 2))::json
      else (select json_agg(a.entry order by a.n) from (
        select entry, n from json_array_elements(d.log) with ordinality as o (entry, n) where n > 1
        union all select excluded.log -> 0, 1000) a)
    end;

  insert into webhook_jobs (tenant_id, lane, due_at, tries, event_ids)
  select lane_tenants[r.lane], lane_ids[r.lane], r.next_at, r.tries, array[r.event_id]
  from unnest(result_lanes, result_events, result_tries, next_ats) as r (lane, event_id, tries, next_at)
  where r.next_at is not null and r.lane = any (holds);

  delete from webhook_jobs j using unnest(done_lanes, done_dues, done_ids) as u (lane, due_at, id)
  where u.lane = any (holds) and j.tenant_id = lane_tenants[u.lane] and j.lane = lane_ids[u.lane]
    and j.due_at = u.due_at and j.id = u.id;

  update webhook_jobs j set event_ids = array(select json_array_elements_text(u.events::json))
  from unnest(kept_lanes, kept_dues, kept_ids, kept_events) as u (lane, due_at, id, events)
  where u.lane = any (holds) and j.tenant_id = lane_tenants[u.lane] and j.lane = lane_ids[u.lane]
    and j.due_at = u.due_at and j.id = u.id;

  return query
  with fared as (
    update webhook_lanes l set
      lease_token = case when u.release then null else l.lease_token end,
      leased_until = case when u.release then null else l.leased_until end,
      slots = case when u.release then 0 else l.slots end,
      concurrency = u.concurrency, resume_at = u.resume_at, failures = u.failures, failing_since = u.failing_since,
      failed_attempts = u.failed, delivered_at = u.delivered_at, last_error = u.last_error,
      notices = case when u.failing_since is null then 0 else l.notices end,
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
  delete from webhook_lanes l
  using unnest(lane_tenants, lane_ids, releases, failing_sinces, concurrencies) with ordinality
    as u (tenant_id, id, release, failing_since, concurrency, n)
  where u.n = any (holds) and u.release and u.id like 'cb:%' and u.failing_since is null and u.concurrency = full_concurrency
    and l.next_at is null and l.tenant_id = u.tenant_id and l.id = u.id;
end $$;

select give_to_engine('claim_webhook_lanes', 'webhook_targets', 'fetch_webhook_jobs', 'finish_webhooks');
