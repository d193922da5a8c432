-- Sight: what was in a request, how much of the API is used and what is refused, and how messages and calls end.

-- Where a request came from, what it made or touched, and its query.
alter table request_log
  add column source text collate "C" not null default 'api',
  add column resource_id text collate "C",
  add column query text;
-- The requests of one resource, newest first.
create index request_log_resource on request_log (tenant_id, resource_id, id) where resource_id is not null;

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
grant select on request_details to tandem_app;

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
  -- How many took how long: counts by the bounds of kernel/usage.ts.
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

-- Messages and calls counted by the quarter of an hour they began in: every time zone cuts its days at quarters. What lies
-- before `folded_to` is counted here, what lies behind it is counted when asked.
create table traffic_slots (
  tenant_id bigint not null,
  kind      text collate "C" not null check (kind in ('message', 'call')),
  slot      timestamptz not null,
  direction text collate "C" not null,
  -- That of now: of a message its status, of a call its state.
  status    text collate "C" not null,
  items     bigint not null,
  -- Segments of messages, milliseconds of talk of calls.
  amount    bigint not null,
  primary key (tenant_id, kind, slot, direction, status)
) with (fillfactor = 80);
select protect_tenant_table('traffic_slots');
select open_to_engine('traffic_slots', 'select, insert, update');
grant select on traffic_slots to tandem_app;

create table traffic_folds (
  tenant_id bigint not null,
  kind      text collate "C" not null check (kind in ('message', 'call')),
  -- In milliseconds, as programs read it.
  folded_to timestamptz(3) not null,
  primary key (tenant_id, kind)
);
select protect_tenant_table('traffic_folds');
select open_to_engine('traffic_folds', 'select, insert, update');
grant select on traffic_folds to tandem_app;

-- What changed about messages and calls that are no longer new, and so may be counted already: what they were is taken
-- away, what they are is added. Written by triggers in the transaction of the change.
create table traffic_deltas (
  tenant_id bigint not null,
  id        bigint generated always as identity,
  kind      text collate "C" not null,
  -- When the message or call began.
  at        timestamptz not null,
  direction text collate "C" not null,
  status    text collate "C" not null,
  items     smallint not null check (items in (-1, 1)),
  amount    bigint not null,
  primary key (tenant_id, id)
);
select protect_tenant_table('traffic_deltas');
select open_to_engine('traffic_deltas', 'select, insert, delete');
grant select on traffic_deltas to tandem_app;
-- Folding reads the calls of a tenant; messages it may read already.
select open_to_engine('calls', 'select');

-- The smallest id an instant can have, as kernel/ids.ts makes them.
create function first_id_at(prefix text, at timestamptz) returns text
language sql immutable parallel safe as $$
  select prefix || '_' || string_agg(
      substr('0123456789abcdefghjkmnpqrstvwxyz', ((t.ms >> (5 * (9 - n))) & 31)::integer + 1, 1), '' order by n)
    || repeat('0', 16)
  from (select greatest(0, floor(extract(epoch from at) * 1000))::bigint as ms) as t, generate_series(0, 9) as n
$$;

-- Element by element.
create function add_counts(a integer[], b integer[]) returns integer[]
language sql immutable parallel safe as $$
  select array(select x + y from unnest(a, b) as t (x, y))
$$;

grant create on schema public to tandem_engine;
set local role tandem_engine;

drop function write_request_log(bigint[], text[], bigint[], text[], text[], text[], integer[], real[], text[], bigint[],
  text[], text[]);

-- A batch of the log: its rows, the details that are kept of some, and what the rows add to usage and refusals. Counters are
-- written last and in the order of their key, so that two nodes wait for each other shortly and never dead-lock.
create function write_request_log(tenant_ids bigint[], ids text[], ats bigint[], methods text[], paths text[],
  endpoint_ids text[], statuses integer[], durations real[], problems text[], user_ids bigint[], key_ids text[], ips text[],
  sources text[], resource_ids text[], queries text[], details json, usage json, refusals json)
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- The log tells of effects but is none: its commit need not wait for the disk.
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
create or replace function purge_expired(max_rows integer) returns integer
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

create function tell_message_traffic() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    insert into traffic_deltas (tenant_id, kind, at, direction, status, items, amount)
    values (old.tenant_id, 'message', old.created_at, old.direction, old.status, -1, -old.segments);
  end if;
  insert into traffic_deltas (tenant_id, kind, at, direction, status, items, amount)
  values (new.tenant_id, 'message', new.created_at, new.direction, new.status, 1, new.segments);
  return null;
end $$;

-- Milliseconds of talk; none before a call is over.
create function talk_ms(answered_at timestamptz, ended_at timestamptz) returns bigint
language sql immutable parallel safe as $$
  select greatest(coalesce(round(extract(epoch from ended_at - answered_at) * 1000)::bigint, 0), 0)
$$;

create function tell_call_traffic() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    insert into traffic_deltas (tenant_id, kind, at, direction, status, items, amount)
    values (old.tenant_id, 'call', old.created_at, old.direction, old.state, -1, -talk_ms(old.answered_at, old.ended_at));
  end if;
  insert into traffic_deltas (tenant_id, kind, at, direction, status, items, amount)
  values (new.tenant_id, 'call', new.created_at, new.direction, new.state, 1, talk_ms(new.answered_at, new.ended_at));
  return null;
end $$;

-- Tenants that have something to fold.
create function traffic_due() returns table (tenant_id bigint, kind text)
language sql stable security definer set search_path = public, pg_temp as $$
  with cut as (select clock_timestamp() - interval '6 minutes' as until)
  select t.id, k.kind
  from tenants t
  cross join cut
  cross join (values ('message'), ('call')) as k (kind)
  left join traffic_folds f on f.tenant_id = t.id and f.kind = k.kind
  where case k.kind
      when 'message' then exists (
        select from messages m where m.tenant_id = t.id
          and m.id >= first_id_at('msg', coalesce(f.folded_to, 'epoch')) and m.id < first_id_at('msg', cut.until))
      else exists (
        select from calls c where c.tenant_id = t.id
          and c.created_at >= coalesce(f.folded_to, 'epoch') and c.created_at < cut.until)
    end
    or exists (select from traffic_deltas d where d.tenant_id = t.id and d.kind = k.kind and d.at < f.folded_to)
$$;

-- Counts what lies between the fold and six minutes ago, at most `max_rows` of it, and moves the fold there; answers
-- whether there is more. Whatever changes later than two minutes after its beginning leaves a delta: so when the rows of a
-- time are counted, each change of them is committed, or comes with a delta.
create function fold_traffic(for_tenant bigint, for_kind text, max_rows integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  until timestamptz := date_trunc('milliseconds', clock_timestamp() - interval '6 minutes');
  -- Half a minute for ids whose time and row's time differ.
  slack interval := interval '30 seconds';
  folded timestamptz;
  reached timestamptz;
begin
  insert into traffic_folds (tenant_id, kind, folded_to) values (for_tenant, for_kind, 'epoch') on conflict do nothing;
  select f.folded_to into folded from traffic_folds f where f.tenant_id = for_tenant and f.kind = for_kind for update;
  until := greatest(until, folded);
  if for_kind = 'message' then
    select m.created_at into reached from messages m
    where m.tenant_id = for_tenant and m.id >= first_id_at('msg', folded) and m.id < first_id_at('msg', until)
    order by m.id offset max_rows limit 1;
  else
    select c.created_at into reached from calls c
    where c.tenant_id = for_tenant and c.created_at >= folded and c.created_at < until
    order by c.created_at, c.id offset max_rows limit 1;
  end if;
  reached := coalesce(date_trunc('milliseconds', reached), until);

  -- One statement, one view of the data: a delta is either here or not yet in the rows.
  with gone as (
    delete from traffic_deltas d where d.tenant_id = for_tenant and d.kind = for_kind and d.at < reached returning d.*
  ), fresh as (
    select m.created_at as at, m.direction, m.status, 1 as items, m.segments::bigint as amount from messages m
    where for_kind = 'message' and m.tenant_id = for_tenant
      and m.id >= first_id_at('msg', folded - slack) and m.id < first_id_at('msg', reached + slack)
      and m.created_at >= folded and m.created_at < reached
    union all
    select c.created_at, c.direction, c.state, 1, talk_ms(c.answered_at, c.ended_at) from calls c
    where for_kind = 'call' and c.tenant_id = for_tenant and c.created_at >= folded and c.created_at < reached
    union all
    -- Of what is only being counted now, the rows tell the last word.
    select g.at, g.direction, g.status, g.items, g.amount from gone g where g.at < folded
  )
  insert into traffic_slots as s (tenant_id, kind, slot, direction, status, items, amount)
  select for_tenant, for_kind, date_bin('15 minutes', f.at, 'epoch'), f.direction, f.status, sum(f.items), sum(f.amount)
  from fresh f group by 3, 4, 5 having sum(f.items) <> 0 or sum(f.amount) <> 0
  on conflict on constraint traffic_slots_pkey do update set
    items = s.items + excluded.items, amount = s.amount + excluded.amount;

  update traffic_folds f set folded_to = reached where f.tenant_id = for_tenant and f.kind = for_kind;
  return reached < until;
end $$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'write_request_log(bigint[], text[], bigint[], text[], text[], text[], integer[], real[], text[], bigint[], text[], text[], text[], text[], text[], json, json, json)',
    'traffic_due()', 'fold_traffic(bigint, text, integer)']
  loop
    execute format('revoke all on function %s from public', signature);
    execute format('grant execute on function %s to tandem_app', signature);
  end loop;
  -- Whoever makes a trigger must be allowed to call its function.
  revoke all on function tell_message_traffic(), tell_call_traffic() from public;
  execute format('grant execute on function tell_message_traffic(), tell_call_traffic() to %I', session_user);
end $$;
reset role;
revoke create on schema public from tandem_engine;

-- New rows are counted from the table itself; what is told here is old enough to be counted already.
create trigger message_traffic_inserted after insert on messages for each row
  when (new.created_at < clock_timestamp() - interval '2 minutes') execute function tell_message_traffic();
create trigger message_traffic_updated after update of status on messages for each row
  when (new.status <> old.status and new.created_at < clock_timestamp() - interval '2 minutes')
  execute function tell_message_traffic();
create trigger call_traffic_inserted after insert on calls for each row
  when (new.created_at < clock_timestamp() - interval '2 minutes') execute function tell_call_traffic();
create trigger call_traffic_updated after update on calls for each row
  when ((new.state, new.answered_at, new.ended_at) is distinct from (old.state, old.answered_at, old.ended_at)
    and new.created_at < clock_timestamp() - interval '2 minutes')
  execute function tell_call_traffic();
