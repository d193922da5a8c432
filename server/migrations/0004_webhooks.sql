-- Webhooks: who receives events, what is still to be delivered, and what became of it.
--
-- Events are the outbox: a trigger on their table writes, in the same transaction, what is to be delivered and to whom.
-- Deliveries wait in lanes, one for each endpoint and for each origin of callback URLs. A worker leases a lane as a whole,
-- so nothing is marked delivery by delivery, at most `slots` calls are under way to one receiver over all processes, and no
-- lane waits for another. The lease token fences anyone who was too slow.

create table webhook_endpoints (
  tenant_id       bigint not null,
  id              text collate "C" not null,
  -- Its deliveries have this in place of the id, which would be a quarter of them.
  number          integer generated always as identity,
  url             text not null,
  description     text,
  -- Null: all. `message.created` or `message.*`.
  event_types     text[],
  enabled         boolean not null default true,
  disabled_reason text collate "C",
  disabled_at     timestamptz(3),
  -- It was disabled by the server, and nobody was written to about it yet.
  mail_due        boolean not null default false,
  -- Sealed; the previous one signs too until its time is up.
  secret          text not null,
  previous_secret text,
  previous_until  timestamptz(3),
  -- That of the newest event about the endpoint itself.
  version         integer not null default 1,
  created_at      timestamptz(3) not null default clock_timestamp(),
  updated_at      timestamptz(3) not null default clock_timestamp(),
  primary key (tenant_id, id),
  unique (tenant_id, number),
  constraint webhook_endpoints_reason check (disabled_reason in ('request', 'gone', 'failing')),
  constraint webhook_endpoints_enabled check (enabled = (disabled_reason is null) and enabled = (disabled_at is null)),
  constraint webhook_endpoints_mail_due check (not (enabled and mail_due)),
  constraint webhook_endpoints_previous check ((previous_secret is null) = (previous_until is null))
);
create index webhook_endpoints_mail_due on webhook_endpoints (tenant_id) where mail_due;
select protect_tenant_table('webhook_endpoints');
select open_to_engine('webhook_endpoints', 'select');
grant select, insert, update, delete on webhook_endpoints to tandem_app;

-- The secret that signs what goes to callback URLs is made from the installation's pepper and this number; a tenant without
-- a row is at 1.
create table webhook_signing (
  tenant_id      bigint not null,
  generation     integer not null check (generation > 0),
  rotated_at     timestamptz(3) not null default clock_timestamp(),
  -- Until when the generation before signs too.
  previous_until timestamptz(3) not null,
  primary key (tenant_id)
);
select protect_tenant_table('webhook_signing');
select open_to_engine('webhook_signing', 'select');
grant select, insert, update on webhook_signing to tandem_app;

-- The delivery health of a receiver, and which worker has it. The id is that of the endpoint, or `cb:` and the origin of callback URLs.
create table webhook_lanes (
  tenant_id       bigint not null,
  id              text collate "C" not null,
  lease_token     text collate "C",
  leased_until    timestamptz,
  -- Calls that may be under way at once: what it bears, and what this lease was granted of it.
  concurrency     smallint not null default 10 check (concurrency between 1 and 10),
  slots           smallint not null default 0,
  -- Nothing is sent before: it asked for rest, or is probed only.
  resume_at       timestamptz(3),
  failures        integer not null default 0,
  failing_since   timestamptz(3),
  -- Attempts since then.
  failed_attempts integer not null default 0,
  -- How many of the notices about it were emitted since then.
  notices         smallint not null default 0,
  -- The last of them that people were written to about.
  mailed          smallint not null default 0,
  delivered_at    timestamptz(3),
  last_error      text collate "C",
  -- Of callbacks: when what was left at the last release is due, null when nothing was.
  next_at         timestamptz(3),
  -- Of callbacks: from when on a claim looks at it; what was never tried is found by its job.
  wake_at         timestamptz generated always as (case when id >= 'cb:' and id < 'cb;' then
    case when lease_token is not null then leased_until when next_at is not null then greatest(next_at, resume_at) end
  end) stored,
  primary key (tenant_id, id)
) with (fillfactor = 50);
create index webhook_lanes_due on webhook_lanes (tenant_id, wake_at) where wake_at is not null;
create index webhook_lanes_idle on webhook_lanes (tenant_id, id) where wake_at is null;
create index webhook_lanes_held on webhook_lanes (tenant_id, id) where lease_token is not null;
create index webhook_lanes_mail_due on webhook_lanes (tenant_id, id) where notices > mailed;
select protect_tenant_table('webhook_lanes');
select open_to_engine('webhook_lanes', 'select, insert, update, delete');
grant select, update, delete on webhook_lanes to tandem_app;

-- What is to be sent: events of one lane that happened together, or one event that is tried again.
create table webhook_jobs (
  tenant_id bigint not null,
  lane      text collate "C" not null,
  due_at    timestamptz(3) not null,
  id        bigint generated always as identity,
  -- Attempts made so far, in this round of ten.
  tries     smallint not null default 0,
  event_ids text[] not null,
  primary key (tenant_id, lane, due_at, id)
) with (fillfactor = 80, toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
alter table webhook_jobs alter column event_ids set storage external;
-- Callbacks that were never tried, by receiver.
create index webhook_jobs_fresh on webhook_jobs (tenant_id, lane, due_at)
  where tries = 0 and lane >= 'cb:' and lane < 'cb;';
select protect_tenant_table('webhook_jobs');
select open_to_engine('webhook_jobs', 'select, insert, update, delete');
grant select, insert, delete on webhook_jobs to tandem_app;

-- Where the next claim goes on among the receivers of fresh callbacks, of tenants with too many for one look.
create table webhook_walks (
  tenant_id bigint not null,
  lane      text collate "C" not null,
  primary key (tenant_id)
);
select protect_tenant_table('webhook_walks');
select open_to_engine('webhook_walks', 'select, insert, update, delete');

-- What became of it: written with the first attempt, which for most is the last. The target is the number of the endpoint, 0 for callbacks.
create table webhook_deliveries (
  tenant_id   bigint not null,
  next_at     timestamptz(3),
  -- One that is not pending ended then.
  last_at     timestamptz(3),
  -- Of one that succeeded at once and got no text, as nearly all do: how long that took. It has no `log`; all else stands in the row.
  took_ms     integer,
  target      integer not null,
  attempts    smallint not null,
  -- Of one that is pending: as in its job.
  tries       smallint,
  last_status smallint,
  status      text collate "C" not null check (status in ('pending', 'delivered', 'failed')),
  event_id    text collate "C" not null,
  event_type  text collate "C" not null,
  last_error  text collate "C",
  -- Of callbacks only.
  url         text,
  -- The attempts, oldest first: at, ms, status, error, reply.
  log         json,
  primary key (tenant_id, target, event_id)
);
create index webhook_deliveries_open on webhook_deliveries (tenant_id, target, event_id) where status <> 'delivered';
select protect_tenant_table('webhook_deliveries');
select open_to_engine('webhook_deliveries', 'select, insert, update, delete');
grant select, insert, update on webhook_deliveries to tandem_app;

-- A program on a developer's machine that takes deliveries over a stream and hands them to a server there. It is open as long as it
-- was connected within some minutes; what happens meanwhile waits for it.
create table webhook_listeners (
  tenant_id       bigint not null,
  id              text collate "C" not null,
  name            text,
  forward_to      text not null,
  -- Null: all, or those of its webhook.
  event_types     text[],
  -- Whose secret signs in place of one of its own, sealed.
  webhook_id      text collate "C",
  secret          text,
  -- The connection that has it; a newer one takes it over.
  connection      text collate "C",
  connected_until timestamptz(3),
  open_until      timestamptz(3) not null,
  created_at      timestamptz(3) not null default clock_timestamp(),
  ended_at        timestamptz(3),
  primary key (tenant_id, id),
  constraint webhook_listeners_secret check ((secret is null) <> (webhook_id is null))
);
create index webhook_listeners_open on webhook_listeners (tenant_id, open_until) where ended_at is null;
select protect_tenant_table('webhook_listeners');
select open_to_engine('webhook_listeners', 'select, delete');
grant select, insert, update, delete on webhook_listeners to tandem_app;

-- What waits for a listener, and what its server answered.
create table webhook_listener_deliveries (
  tenant_id   bigint not null,
  finished_at timestamptz(3),
  attempt     integer not null default 1,
  duration_ms integer,
  last_status smallint,
  listener_id text collate "C" not null,
  event_id    text collate "C" not null,
  event_type  text collate "C" not null,
  status      text collate "C" not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  last_error  text collate "C",
  reply       text,
  primary key (tenant_id, listener_id, event_id)
);
create index webhook_listener_deliveries_open on webhook_listener_deliveries (tenant_id, listener_id, event_id)
  where status = 'pending';
select protect_tenant_table('webhook_listener_deliveries');
select open_to_engine('webhook_listener_deliveries', 'select, insert, delete');
grant select, update on webhook_listener_deliveries to tandem_app;

-- What `target` of a delivery is, by the id of an endpoint, `callback`, or a lane; null where the endpoint is gone.
create function webhook_target(of_tenant bigint, of_lane text) returns integer
language sql stable as $$
  select case when of_lane = 'callback' or of_lane like 'cb:%' then 0
    else (select e.number from webhook_endpoints e where e.tenant_id = of_tenant and e.id = of_lane) end
$$;

-- The public id of a delivery follows from event and target (the id of the endpoint, or `callback`): the time of the event, and a hash of both.
create function webhook_delivery_id(event_id text, target text) returns text
language sql immutable parallel safe as $$
  select 'dlv_' || substr(event_id, 5, 10)
    || substr(encode(sha256(convert_to(event_id || ' ' || target, 'UTF8')), 'hex'), 1, 16)
$$;

-- The outbox. Events about an endpoint are not delivered to that endpoint, and a test goes where it was asked for only.
create function queue_webhooks() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (
    select from webhook_endpoints e where e.tenant_id = any (array(select distinct f.tenant_id from fresh f)) and e.enabled
  ) then
    insert into webhook_jobs (tenant_id, lane, due_at, event_ids)
    select m.tenant_id, m.lane, clock_timestamp(), array_agg(m.event_id order by m.n)
    from (
      select f.tenant_id, e.id as lane, f.id as event_id, row_number() over (partition by f.tenant_id, e.id order by f.id) as n
      from fresh f join webhook_endpoints e on e.tenant_id = f.tenant_id
      where e.enabled
        and (e.event_types is null or f.type = any (e.event_types) or split_part(f.type, '.', 1) || '.*' = any (e.event_types))
        and f.type <> 'webhook.test' and not (f.type like 'webhook.%' and f.resource_id = e.id)
    ) m
    group by m.tenant_id, m.lane, job_of(m.n);
  end if;
  if exists (
    select from webhook_listeners l where l.tenant_id = any (array(select distinct f.tenant_id from fresh f))
      and l.ended_at is null and l.open_until > clock_timestamp()
  ) then
    insert into webhook_listener_deliveries (tenant_id, listener_id, event_id, event_type)
    select f.tenant_id, l.id, f.id, f.type
    from fresh f
    join webhook_listeners l on l.tenant_id = f.tenant_id and l.ended_at is null and l.open_until > clock_timestamp()
    left join webhook_endpoints e on e.tenant_id = l.tenant_id and e.id = l.webhook_id
    where case when f.type = 'webhook.test' then f.resource_id in (l.id, l.webhook_id)
      else (l.event_types is null or f.type = any (l.event_types) or split_part(f.type, '.', 1) || '.*' = any (l.event_types))
        and (e.event_types is null or f.type = any (e.event_types) or split_part(f.type, '.', 1) || '.*' = any (e.event_types))
        and not (f.type like 'webhook%' and (f.resource_id = l.id or f.resource_id is not distinct from l.webhook_id)) end
      and (l.webhook_id is null or e.id is not null);
  end if;
  if exists (select from fresh f where f.callback_url is not null) then
    insert into webhook_jobs (tenant_id, lane, due_at, event_ids)
    select m.tenant_id, m.lane, clock_timestamp(), array_agg(m.event_id order by m.n)
    from (
      select c.*, row_number() over (partition by c.tenant_id, c.lane order by c.event_id) as n
      from (
        select f.tenant_id, f.id as event_id, 'cb:' || substring(f.callback_url from '^[a-z]+://[^/?#]+') as lane
        from fresh f where f.callback_url is not null
      ) c
      where c.lane is not null
    ) m
    group by m.tenant_id, m.lane, job_of(m.n);
  end if;
  return null;
end $$;
create trigger events_queue_webhooks after insert on events
  referencing new table as fresh for each statement execute function queue_webhooks();

-- Organizations with webhooks about which people are to be written to: they fail, or were disabled; those behind one, by id.
create function due_webhook_mails(behind bigint, most integer)
returns table (organization_id bigint, tenant_id bigint, failing boolean, disabled boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.organization_id, (select o.id from tenants o where o.organization_id = t.organization_id and o.mode = 'live'),
    bool_or(d.failing), bool_or(not d.failing)
  from (
    select l.tenant_id, true as failing
    from webhook_lanes l join webhook_endpoints e on e.tenant_id = l.tenant_id and e.id = l.id
    where l.notices > l.mailed and e.enabled
    union all
    select e.tenant_id, false from webhook_endpoints e where e.mail_due
  ) d join tenants t on t.id = d.tenant_id
  where t.organization_id > behind
  group by t.organization_id order by t.organization_id limit most
$$;

-- Deletes what has outlived its use, a bounded number of rows a call: deliveries older than 30 days, and what belongs to
-- endpoints that were deleted. Answers how many went.
create function purge_webhooks(max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  place record;
  gone integer;
  total integer := 0;
begin
  for place in
    with recursive targets as (
      (select d.tenant_id, d.target from webhook_deliveries d order by d.tenant_id, d.target limit 1)
      union all
      select n.* from targets t cross join lateral (
        select d.tenant_id, d.target from webhook_deliveries d where (d.tenant_id, d.target) > (t.tenant_id, t.target)
        order by d.tenant_id, d.target limit 1
      ) n
    )
    select t.*, case
        when t.target = 0
          or exists (select from webhook_endpoints e where e.tenant_id = t.tenant_id and e.number = t.target)
        then first_id_at('evt', clock_timestamp() - interval '30 days') else 'evt_~' end as before
    from targets t
  loop
    delete from webhook_deliveries d where d.ctid = any (array(
      select o.ctid from webhook_deliveries o
      where o.tenant_id = place.tenant_id and o.target = place.target
        and o.event_id < place.before
      limit max_rows - total));
    get diagnostics gone = row_count;
    total := total + gone;
    if total >= max_rows then return total; end if;
  end loop;
  -- The lanes of endpoints only: those of callbacks are stepped over.
  for place in
    with recursive tenants as (
      (select j.tenant_id from webhook_jobs j order by j.tenant_id limit 1)
      union all
      select n.* from tenants t cross join lateral (
        select j.tenant_id from webhook_jobs j where j.tenant_id > t.tenant_id order by j.tenant_id limit 1
      ) n
    )
    select t.tenant_id, o.lane
    from tenants t cross join lateral (
      with recursive lanes as (
        (select j.lane from webhook_jobs j where j.tenant_id = t.tenant_id and j.lane >= 'cb;' order by j.lane limit 1)
        union all
        select n.* from lanes o cross join lateral (
          select j.lane from webhook_jobs j where j.tenant_id = t.tenant_id and j.lane > o.lane order by j.lane limit 1
        ) n
      )
      select * from lanes
    ) o
    where not exists (select from webhook_endpoints e where e.tenant_id = t.tenant_id and e.id = o.lane)
  loop
    delete from webhook_jobs j where j.ctid = any (array(
      select o.ctid from webhook_jobs o where o.tenant_id = place.tenant_id and o.lane = place.lane
      limit max_rows - total));
    get diagnostics gone = row_count;
    total := total + gone;
    if total >= max_rows then return total; end if;
  end loop;
  delete from webhook_lanes l where l.ctid = any (array(
      select o.ctid from webhook_lanes o
      where o.wake_at is null and o.lease_token is null
        and not exists (select from webhook_jobs j where j.tenant_id = o.tenant_id and j.lane = o.id)
        and (o.id like 'cb:%'
          or not exists (select from webhook_endpoints e where e.tenant_id = o.tenant_id and e.id = o.id))
      limit max_rows - total))
    and l.lease_token is null;
  get diagnostics gone = row_count;
  return total + gone;
end $$;

-- Deletes listeners that were last open a week ago, with what was forwarded; a bounded number of deliveries a call. Answers how many went.
create function purge_webhook_listeners(max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  week_ago timestamptz := clock_timestamp() - interval '7 days';
begin
  delete from webhook_listener_deliveries d where d.ctid = any (array(
    select o.ctid from webhook_listener_deliveries o
    join webhook_listeners l on l.tenant_id = o.tenant_id and l.id = o.listener_id
    where least(l.open_until, l.ended_at) < week_ago
    limit max_rows));
  get diagnostics gone = row_count;
  delete from webhook_listeners l
  where least(l.open_until, l.ended_at) < week_ago and not exists (
    select from webhook_listener_deliveries d where d.tenant_id = l.tenant_id and d.listener_id = l.id);
  return gone;
end $$;

select give_to_engine('queue_webhooks', 'due_webhook_mails', 'purge_webhooks', 'purge_webhook_listeners');
