-- The log of requests: what was in them, how much of the API is used, and what is refused.

create table request_log (
  tenant_id   bigint not null,
  id          text collate "C" not null,
  at          timestamptz not null,
  method      text not null,
  path        text not null,
  endpoint_id text,
  status      integer not null,
  duration_ms real not null,
  problem     text,
  user_id     bigint,
  key_id      text collate "C",
  ip          text,
  -- Where the request came from, what it made or touched, and its query.
  source      text collate "C" not null default 'api',
  resource_id text collate "C",
  query       text,
  -- As in events.
  written_in  xid8 default pg_current_xact_id(),
  primary key (tenant_id, id)
);
create index request_log_at on request_log using brin (at);
-- The requests of one resource, newest first.
create index request_log_resource on request_log (tenant_id, resource_id, id) where resource_id is not null;
select protect_tenant_table('request_log');
select open_to_engine('request_log', 'select, insert, delete');
grant select on request_log to tandem_app;

-- Headers and bodies of requests, redacted before they came here; at most 8 KiB each. Kept as long as the log's rows.
create table request_details (
  tenant_id  bigint not null,
  request_id text collate "C" not null,
  at         timestamptz not null,
  headers    json,
  body       text,
  -- Refusals only.
  response   text,
  -- Why something is missing or cut.
  note       text,
  primary key (tenant_id, request_id)
);
create index request_details_at on request_details using brin (at);
select protect_tenant_table('request_details');
select open_to_engine('request_details', 'select, insert, delete');
grant select, update (body, response, note) on request_details to tandem_app;

-- Requests counted by hour, an hour beginning where the clocks of the tenant's zone show :00. Written with the rows of the
-- log in one transaction, so both always agree. No endpoint and no key are '', so that they can stand in the key.
create table request_usage (
  tenant_id    bigint not null,
  hour         timestamptz not null,
  endpoint_id  text collate "C" not null,
  user_id      bigint not null,
  key_id       text collate "C" not null,
  source       text collate "C" not null,
  status_class text collate "C" not null check (status_class in ('2xx', '3xx', '4xx', '429', '5xx')),
  requests     integer not null,
  -- How many took how long: counts by the bounds of kernel/request_log/usage.ts.
  durations    integer[] not null,
  primary key (tenant_id, hour, endpoint_id, user_id, key_id, source, status_class)
) with (fillfactor = 50);
-- Sums take it apart element by element: stored plain, none of them has to unpack it first.
alter table request_usage alter column durations set storage plain;
create index request_usage_hour on request_usage using brin (hour);
select protect_tenant_table('request_usage');
select open_to_engine('request_usage', 'select, insert, update, delete');
grant select on request_usage to tandem_app;

-- Refusals counted by the same hours and by problem, each with the last request that met it.
create table request_refusals (
  tenant_id       bigint not null,
  hour            timestamptz not null,
  endpoint_id     text collate "C" not null,
  problem         text collate "C" not null,
  status          smallint not null,
  user_id         bigint not null,
  key_id          text collate "C" not null,
  source          text collate "C" not null,
  requests        integer not null,
  last_request_id text collate "C" not null,
  last_at         timestamptz not null,
  primary key (tenant_id, hour, endpoint_id, problem, status, user_id, key_id, source)
) with (fillfactor = 50);
create index request_refusals_hour on request_refusals using brin (hour);
select protect_tenant_table('request_refusals');
select open_to_engine('request_refusals', 'select, insert, update, delete');
grant select on request_refusals to tandem_app;

-- Element by element.
create function add_counts(a integer[], b integer[]) returns integer[]
language sql immutable parallel safe as $$
  select array(select x + y from unnest(a, b) as t (x, y))
$$;

-- A batch of the log: its rows, the details that are kept of some, and what the rows add to usage and refusals. Counters are
-- written last and in the order of their key, so that two nodes wait for each other shortly and never dead-lock.
create function write_request_log(tenant_ids bigint[], ids text[], ats bigint[], methods text[], paths text[],
  endpoint_ids text[], statuses integer[], durations real[], problems text[], user_ids bigint[], key_ids text[], ips text[],
  sources text[], resource_ids text[], queries text[], details json, usage json, refusals json)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- The log reports effects but is none: its commit need not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);

  insert into request_log (tenant_id, id, at, method, path, endpoint_id, status, duration_ms, problem, user_id, key_id, ip,
    source, resource_id, query)
  select r.tenant_id, r.id, to_timestamp(r.at_ms / 1000.0), r.method, r.path, r.endpoint_id, r.status, r.duration_ms,
    r.problem, r.user_id, r.key_id, r.ip, r.source, r.resource_id, r.query
  from unnest(tenant_ids, ids, ats, methods, paths, endpoint_ids, statuses, durations, problems, user_ids, key_ids, ips,
      sources, resource_ids, queries)
    as r (tenant_id, id, at_ms, method, path, endpoint_id, status, duration_ms, problem, user_id, key_id, ip, source,
      resource_id, query);

  if details is not null then
    insert into request_details (tenant_id, request_id, at, headers, body, response, note)
    select r.tenant, r.id, to_timestamp(r.at / 1000.0), r.headers, r.body, r.response, r.note
    from json_to_recordset(details)
      as r (tenant bigint, id text, at bigint, headers json, body text, response text, note text);
  end if;

  insert into request_usage as u (tenant_id, hour, endpoint_id, user_id, key_id, source, status_class, requests, durations)
  select r.tenant, to_timestamp(r.hour / 1000.0), r.endpoint, r.usr, r.key, r.source, r.class, r.requests, r.durations
  from json_to_recordset(usage) as r (tenant bigint, hour bigint, endpoint text, usr bigint, key text, source text,
    class text, requests integer, durations integer[])
  order by r.tenant, r.hour, r.endpoint collate "C", r.usr, r.key collate "C", r.source collate "C", r.class collate "C"
  on conflict on constraint request_usage_pkey do update set
    requests = u.requests + excluded.requests,
    durations = add_counts(u.durations, excluded.durations);

  if refusals is not null then
    insert into request_refusals as f (tenant_id, hour, endpoint_id, problem, status, user_id, key_id, source, requests,
      last_request_id, last_at)
    select r.tenant, to_timestamp(r.hour / 1000.0), r.endpoint, r.problem, r.status, r.usr, r.key, r.source, r.requests,
      r.id, to_timestamp(r.at / 1000.0)
    from json_to_recordset(refusals) as r (tenant bigint, hour bigint, endpoint text, problem text, status smallint,
      usr bigint, key text, source text, requests integer, id text, at bigint)
    order by r.tenant, r.hour, r.endpoint collate "C", r.problem collate "C", r.status, r.usr, r.key collate "C",
      r.source collate "C"
    on conflict on constraint request_refusals_pkey do update set
      requests = f.requests + excluded.requests,
      last_request_id = case when excluded.last_at >= f.last_at then excluded.last_request_id else f.last_request_id end,
      last_at = greatest(f.last_at, excluded.last_at);
  end if;
end $$;

-- Deletes what has outlived its promise, a bounded number of rows of each kind a call; returns how many went.
create function purge_expired(max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  total integer := 0;
begin
  delete from idempotency_keys where ctid = any (array(
    select ctid from idempotency_keys where created_at < now() - interval '72 hours' limit max_rows));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from request_log where ctid = any (array(
    select ctid from request_log where at < now() - interval '7 days' limit max_rows));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from request_details where ctid = any (array(
    select ctid from request_details where at < now() - interval '7 days' limit max_rows));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from request_usage where ctid = any (array(
    select ctid from request_usage where hour < now() - interval '400 days' limit max_rows));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from request_refusals where ctid = any (array(
    select ctid from request_refusals where hour < now() - interval '400 days' limit max_rows));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from revocations where at < now() - interval '1 day';
  return total;
end $$;

select give_to_engine('write_request_log', 'purge_expired');
