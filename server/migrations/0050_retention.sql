-- How long what piles up is kept (retention), and what stops its deletion (legal hold). The classes and their defaults are in
-- modules/privacy/retention/classes.ts; each organization may choose other days within the bounds of the installation.

create table retention_policies (
  organization_id bigint primary key references organizations (id),
  -- Days by class, those only that differ from what the installation says.
  days            jsonb not null default '{}',
  version         integer not null default 1,
  updated_at      timestamptz not null default clock_timestamp()
);
select protect_organization_table('retention_policies');
select open_to_engine('retention_policies', 'select');
grant select, insert, update on retention_policies to tandem_app;

-- What must not be deleted: all of the organization, or what belongs to one person in one of its tenants. Whom it is about is in `subject`;
-- `pattern` is the regular expression (modules/privacy/person/pattern.ts) by which rows about them are known.
create table legal_holds (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null,
  tenant_id       bigint,
  subject         json,
  pattern         text,
  reason          text not null check (length(reason) between 3 and 500),
  placed_by       bigint not null,
  placed_at       timestamptz(3) not null,
  released_by     bigint,
  released_at     timestamptz(3),
  primary key (organization_id, id),
  constraint legal_holds_person check ((tenant_id is null) = (pattern is null) and (tenant_id is null) = (subject is null)),
  constraint legal_holds_release check ((released_at is null) = (released_by is null)),
  foreign key (organization_id, placed_by) references users (organization_id, id),
  foreign key (organization_id, released_by) references users (organization_id, id)
);
create index legal_holds_standing on legal_holds (organization_id) where released_at is null;
select protect_organization_table('legal_holds');
select open_to_engine('legal_holds', 'select');
grant select, insert, update on legal_holds to tandem_app;

-- How far each purge has come in a table of a tenant. What it has looked at and left (held, in use) is looked at again a day later.
create table retention_positions (
  tenant_id    bigint not null references tenants (id),
  target       text collate "C" not null,
  behind       text collate "C" not null,
  restarted_at timestamptz not null,
  primary key (tenant_id, target)
);
select protect_tenant_table('retention_positions');
select open_to_engine('retention_positions', 'select, insert, update');

-- Tenants of which all is on hold.
create function tenants_on_hold() returns setof bigint
language sql stable set search_path = public, pg_temp as $$
  select t.id from legal_holds h join tenants t on t.organization_id = h.organization_id
  where h.released_at is null and h.tenant_id is null
$$;

-- Tenants of which anything is on hold.
create function tenants_with_holds() returns setof bigint
language sql stable set search_path = public, pg_temp as $$
  select t.id from legal_holds h join tenants t on t.organization_id = h.organization_id
  where h.released_at is null and (h.tenant_id is null or h.tenant_id = t.id)
$$;

-- By what rows of persons are known who are on hold in a tenant; null where nobody is.
create function held_pattern(of_tenant bigint) returns text
language sql stable set search_path = public, pg_temp as $$
  select string_agg('(?:' || h.pattern || ')', '|')
  from tenants t join legal_holds h on h.organization_id = t.organization_id and h.tenant_id = t.id
  where t.id = of_tenant and h.released_at is null
$$;

-- Days that a tenant keeps a class, where the installation says so many.
create function kept_days(of_tenant bigint, of_class text, default_days integer) returns integer
language sql stable set search_path = public, pg_temp as $$
  select coalesce((
    select (p.days ->> of_class)::integer from tenants t join retention_policies p on p.organization_id = t.organization_id
    where t.id = of_tenant), default_days)
$$;

-- Deletes rows by their ids with what belongs to them, of the tenant named in the setting app.erased_tenant, and answers how many went. What
-- is in use stays: messages and mails on their way, calls and conferences under way. `only_idle` also leaves messages that are to be sent
-- later or are of conversations that are not closed, and conversations that are not closed or were active since `before`.
create function remove_rows(of_table text, of_tenant bigint, ids text[], only_idle boolean, before timestamptz) returns integer
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  doomed text[];
  parts text[];
begin
  if of_table = 'messages' then
    doomed := array(
      select m.id from messages m
      where m.tenant_id = of_tenant and m.id = any (ids)
        and (m.status in ('delivered', 'undelivered', 'expired', 'failed', 'canceled', 'received', 'unconfirmed')
          or m.status = 'scheduled' and not only_idle)
        and not (only_idle and exists (
          select from conversation_addresses a join conversations c on c.tenant_id = a.tenant_id and c.id = a.conversation_id
          where a.tenant_id = of_tenant and a.address in (m.from_address, m.to_address) and c.state <> 'closed')));
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
    doomed := array(
      select m.id from mails m where m.tenant_id = of_tenant and m.id = any (ids) and m.state not in ('queued', 'sending'));
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
  else
    raise exception 'no rows of % are removed by their age', of_table;
  end if;
  -- Their events hold what they held.
  perform remove_events(of_tenant, doomed, only_idle);
  return cardinality(doomed);
end $$;

-- Deletes the events of resources; where it is not for their age, also their deliveries, which hold what receivers replied, and the bodies of
-- requests that were about them. `of_type` is like `lead.%`, for resources whose ids are numbers.
create function remove_events(of_tenant bigint, resource_ids text[], only_idle boolean, of_type text default '%') returns void
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
  delete from webhook_deliveries d where d.tenant_id = of_tenant and d.event_id = any (gone)
    and d.target in (select 0 union all select w.number from webhook_endpoints w where w.tenant_id = of_tenant);
  delete from webhook_listener_deliveries d where d.tenant_id = of_tenant and d.event_id = any (gone)
    and d.listener_id in (select l.id from webhook_listeners l where l.tenant_id = of_tenant);
end $$;

-- The same for calls, each with those it led to: all of them go, or none. A call stays as long as its recording.
create function remove_calls(of_tenant bigint, ids text[], only_idle boolean) returns integer
language plpgsql set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  doomed text[];
  sounds text[];
  part text;
begin
  with recursive family as (
    select c.id as root, c.id, c.ended_at from calls c
    where c.tenant_id = of_tenant and c.id = any (ids) and c.parent_call_id is null
    union all
    select f.root, c.id, c.ended_at from family f join calls c on c.tenant_id = of_tenant and c.parent_call_id = f.id
  ), kept as (
    select f.root from family f
    where f.ended_at is null
      or exists (select from recordings r where r.tenant_id = of_tenant and r.call_id = f.id and r.state not in ('absent', 'failed', 'deleted'))
      or exists (select from recordings r join recording_jobs j on j.tenant_id = r.tenant_id and j.recording_id = r.id
        where r.tenant_id = of_tenant and r.call_id = f.id)
      or exists (select from call_spend s where s.tenant_id = of_tenant and s.call_id = f.id)
  )
  select array_agg(f.id) into doomed from family f where f.root not in (select k.root from kept k);
  if doomed is null then return 0; end if;
  sounds := array(select r.id from recordings r where r.tenant_id = of_tenant and r.call_id = any (doomed));
  foreach part in array array['call_traces', 'sip_calls', 'call_commands', 'call_jobs', 'call_leases', 'client_legs', 'conference_participants',
    'recordings'] loop
    execute format('delete from %I x where x.tenant_id = $1 and x.call_id = any ($2)', part) using of_tenant, doomed;
  end loop;
  delete from calls c where c.tenant_id = of_tenant and c.id = any (doomed);
  perform remove_events(of_tenant, doomed || sounds, only_idle);
  return cardinality(doomed);
end $$;

-- What of rows says whom they are about, as one text of a row `x`, for tables in which the row alone does not.
create function text_about(of_table text) returns text
language sql immutable set search_path = public, pg_temp as $$
  select 'x::text' || case of_table
    when 'conversations' then ' || (select coalesce(string_agg(a.address, '' ''), '''') from conversation_addresses a
      where a.tenant_id = x.tenant_id and a.conversation_id = x.id)'
    when 'mails' then ' || (select coalesce(string_agg(r.address, '' ''), '''') from mail_recipients r
      where r.tenant_id = x.tenant_id and r.mail_id = x.id)'
    when 'request_log' then ' || coalesce((select d::text from request_details d
      where d.tenant_id = x.tenant_id and d.request_id = x.id), '''')'
    when 'calls' then ' || (select coalesce(string_agg(c::text, '' ''), '''') from calls c
      where c.tenant_id = x.tenant_id and c.parent_call_id = x.id)'
    else '' end
$$;

-- Tenants with rows of a table that are older than they keep its class, behind where the purge has come to.
create function due_for_retention(of_table text, of_prefix text, of_class text, default_days integer)
returns table (tenant_id bigint, days integer)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  return query execute format($due$
    select t.id, d.days from tenants t
    left join retention_policies p on p.organization_id = t.organization_id
    left join retention_positions o on o.tenant_id = t.id and o.target = %1$L
    cross join lateral (select coalesce((p.days ->> $1)::integer, $2) as days) d
    where t.id <> all (array(select tenants_on_hold()))
      and exists (
        select from %1$I x
        where x.tenant_id = t.id and x.id < first_id_at(%2$L, clock_timestamp() - make_interval(days => d.days))
          and x.id > case when o.restarted_at > clock_timestamp() - interval '1 day' then o.behind else '' end)
    order by t.id
  $due$, of_table, of_prefix) using of_class, default_days;
end $$;

-- Looks at the next rows of a table of a tenant that are older than so many days, and deletes those that nothing keeps: how many were looked
-- at, and how many went. Several at once follow each other: the position is theirs in turn. (Nobody gives up because another holds it: that
-- may be the statement before, which was canceled and has answered, and has not yet let go.)
create function purge_by_age(of_table text, of_prefix text, of_tenant bigint, days integer, most integer)
returns table (seen integer, gone integer)
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  before timestamptz := clock_timestamp() - make_interval(days => days);
  place retention_positions;
  ids text[];
  held text := held_pattern(of_tenant);
  last_id text;
begin
  seen := 0;
  gone := 0;
  if of_tenant in (select tenants_on_hold()) then
    return next;
    return;
  end if;
  perform set_config('app.erased_tenant', of_tenant::text, true);
  insert into retention_positions (tenant_id, target, behind, restarted_at) values (of_tenant, of_table, '', clock_timestamp())
  on conflict on constraint retention_positions_pkey do nothing;
  update retention_positions o set
    behind = case when o.restarted_at > clock_timestamp() - interval '1 day' then o.behind else '' end,
    restarted_at = case when o.restarted_at > clock_timestamp() - interval '1 day' then o.restarted_at else clock_timestamp() end
  where o.tenant_id = of_tenant and o.target = of_table returning * into place;
  execute format('select array(select x.id from %I x where x.tenant_id = $1 and x.id > $2 and x.id < $3 order by x.id limit $4)', of_table)
    into ids using of_tenant, place.behind, first_id_at(of_prefix, before), most;
  seen := cardinality(ids);
  if seen > 0 then
    last_id := ids[seen];
    if held is not null then
      execute format('select array(select x.id from %I x where x.tenant_id = $1 and x.id = any ($2) and not (%s) ~* $3)',
        of_table, text_about(of_table)) into ids using of_tenant, ids, held;
    end if;
    gone := remove_rows(of_table, of_tenant, ids, true, before);
    update retention_positions o set behind = last_id where o.tenant_id = of_tenant and o.target = of_table;
  end if;
  return next;
end $$;

select restrict_to_engine('tenants_on_hold', 'tenants_with_holds', 'held_pattern', 'kept_days', 'remove_rows', 'remove_events', 'remove_calls', 'text_about');
select give_to_engine('due_for_retention', 'purge_by_age');

-- What was purged by one time for all follows the organization, and stops for holds.

drop function purge_expired(integer);
-- Deletes what has outlived its promise, a bounded number of rows of each kind a call; returns how many went. The request log goes by the
-- retention of each organization.
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

drop function purge_mails(timestamptz, integer);
-- Deletes mails that are about no record, older than a moment: those to members, with links that are long dead.
create function purge_mails(before timestamptz, max_rows integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with held as materialized (
    select tenants_with_holds() as id
  ), old as (
    select m.tenant_id, m.id from mails m
    where m.created_at < before and m.state not in ('queued', 'sending') and m.record_id is null
      and not exists (select from held h where h.id = m.tenant_id)
    limit max_rows
  ), gone as (
    delete from mails m using old o where m.tenant_id = o.tenant_id and m.id = o.id returning 1
  )
  select count(*)::integer from gone
$$;

drop function expired_recordings(integer, integer);
drop index recordings_kept;
create index recordings_kept on recordings (tenant_id, ended_at) where state = 'available';
-- Recordings that are older than their tenant keeps them, and nothing holds.
create function expired_recordings(default_days integer, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, recording_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, t.organization_id, old.id
  from tenants t
  left join retention_policies p on p.organization_id = t.organization_id
  cross join lateral (select held_pattern(t.id) as pattern) held
  cross join lateral (
    select r.id from recordings r
    where r.tenant_id = t.id and r.state = 'available'
      and r.ended_at < now() - make_interval(days => coalesce((p.days ->> 'recordings')::integer, default_days))
      and (held.pattern is null or not exists (
        select from calls c where c.tenant_id = r.tenant_id and c.id = r.call_id and c::text ~* held.pattern))
    order by r.ended_at limit max_rows) old
  where t.id <> all (array(select tenants_on_hold()))
  limit max_rows
$$;

drop function expired_trash(name, integer, integer);
-- Records that have been in the trash for so many days, but of these tenants, and of those with any hold: a hold on a person keeps the whole
-- trash.
create function expired_trash(target name, keep_days integer, max_rows integer, left_out bigint[])
returns table (tenant_id bigint, organization_id bigint, id text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute format(
    'select r.tenant_id, t.organization_id, r.id::text from %I r join tenants t on t.id = r.tenant_id
     where r.deleted_at < now() - make_interval(days => $1) and r.tenant_id <> all ($3 || array(select tenants_with_holds()))
     order by r.tenant_id, r.id limit $2', target)
  using keep_days, max_rows, left_out;
end $$;

drop function purge_calls(integer, integer);
-- Deletes what calls have left behind, a bounded number of rows: their SIP messages after so many days, and what their work needed a day
-- after they ended. Answers how many went.
create function purge_calls(keep_days integer, max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  traces_before timestamptz := now() - make_interval(days => keep_days);
  ended_before timestamptz := now() - interval '1 day';
  held bigint[] := array(select tenants_with_holds());
  stray text;
  gone integer;
  total integer := 0;
begin
  delete from call_traces where ctid = any (array(
    select x.ctid from call_traces x join calls c on c.tenant_id = x.tenant_id and c.id = x.call_id
    where x.at < traces_before and c.ended_at < traces_before and x.tenant_id <> all (held) limit max_rows));
  get diagnostics total = row_count;
  foreach stray in array array['sip_calls', 'call_commands', 'call_jobs', 'call_leases'] loop
    execute format('delete from %1$I where ctid = any (array(
      select x.ctid from %1$I x join calls c on c.tenant_id = x.tenant_id and c.id = x.call_id
      where c.ended_at < $1 limit $2))', stray) using ended_before, max_rows - total;
    get diagnostics gone = row_count;
    total := total + gone;
  end loop;
  return total;
end $$;

drop function audit_to_expire(integer);
drop function expire_audit(integer);
-- Organizations with seals that have been kept long enough.
create function audit_to_expire(default_days integer) returns table (organization_id bigint)
language sql security definer set search_path = public, pg_temp as $$
  select distinct s.organization_id
  from audit_seals s left join audit_policies p using (organization_id)
  where not coalesce(p.legal_hold, false)
    and not exists (select from legal_holds h where h.organization_id = s.organization_id and h.released_at is null and h.tenant_id is null)
    and s.at < now() - make_interval(days => coalesce(p.retention_days, default_days))
    and not exists (
      select from audit_expired x where x.organization_id = s.organization_id and x.position >= s.to_position)
$$;

-- Deletes the first events of the chain of the organization of the transaction, whole seals of them, that are older than so many days; how
-- many events went, and up to where. Policy and holds are asked again: a hold that came meanwhile holds.
create function expire_audit(default_days integer) returns table (events integer, up_to bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  organization bigint := current_setting('app.organization_id')::bigint;
  policy record;
  ending record;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_chain', organization));
  select retention_days, legal_hold into policy from audit_policies p where p.organization_id = organization for share;
  events := 0;
  if coalesce(policy.legal_hold, false) or exists (
    select from legal_holds h where h.organization_id = organization and h.released_at is null and h.tenant_id is null) then
    return;
  end if;
  select s.to_position, s.head into ending from audit_seals s
  where s.organization_id = organization
    and s.at < now() - make_interval(days => coalesce(policy.retention_days, default_days))
    and s.to_position > coalesce((select max(x.position) from audit_expired x where x.organization_id = organization), 0)
  order by s.to_position limit 1;
  if not found then return; end if;
  with links as (
    delete from audit_chain c where c.organization_id = organization and c.position <= ending.to_position returning c.event_id
  ), labels as (
    delete from audit_labels l using links where l.organization_id = organization and l.event_id = links.event_id
  ), gone as (
    delete from audit_events e using links where e.organization_id = organization and e.id = links.event_id returning e.id
  )
  select count(*)::integer into events from gone;
  insert into audit_expired (organization_id, position, hash) values (organization, ending.to_position, ending.head);
  up_to := ending.to_position;
  return next;
end $$;

drop function organizations_to_erase(timestamptz, integer);
-- Closed ones that hold rows still: all of them until they are erased, and once more when what the law asks to keep was kept long enough.
-- One with a legal hold waits until it is released.
create function organizations_to_erase(at timestamptz, fiscal_days integer)
returns table (organization_id bigint, tenant_ids bigint[], all_of_it boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, array(select t.id from tenants t where t.organization_id = o.id order by t.id),
    o.state_since < at - make_interval(days => fiscal_days)
  from organizations o
  where o.state = 'closed' and (o.erased_at is null
      or o.state_since < at - make_interval(days => fiscal_days) and o.name <> 'Closed organization')
    and not exists (select from legal_holds h where h.organization_id = o.id and h.released_at is null)
$$;

drop function purge_webhooks(integer);
-- Deletes what has outlived its use, a bounded number of rows a call: deliveries older than their tenant keeps them, and what
-- belongs to endpoints that were deleted; nothing of tenants with a legal hold. Answers how many went.
create function purge_webhooks(default_days integer, max_rows integer) returns integer
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
        then first_id_at('evt', clock_timestamp() - make_interval(days => kept_days(t.tenant_id, 'webhook_deliveries', default_days)))
        else 'evt_~' end as before
    from targets t where t.tenant_id <> all (array(select tenants_with_holds()))
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

select give_to_engine('purge_expired', 'purge_webhooks', 'purge_mails', 'expired_recordings', 'expired_trash', 'purge_calls', 'audit_to_expire',
  'expire_audit', 'organizations_to_erase');
