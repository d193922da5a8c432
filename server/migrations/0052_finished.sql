-- What ended long ago and is looked at by nobody goes as well: sign-ins, invitations, imports, bulk changes, archives, hand-overs. SIP messages
-- of calls go by the retention of each organization.

grant delete on sessions, invitations, imports, organization_exports, hand_overs to tandem_engine;
grant update on imports to tandem_engine;
select open_to_engine('import_faults', 'select, delete');
select open_to_engine('batches', 'select, delete');
select open_to_engine('ownership_transfers', 'select, delete');

-- Deletes what ended so long ago, a bounded number of rows of each kind a call; how many went, by kind. The last session of a person stays,
-- because it says when they were here last. An organization on hold keeps all of it.
create function purge_finished(session_days integer, work_days integer, max_rows integer) returns table (kind text, gone integer)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  held_organizations bigint[] := array(
    select h.organization_id from legal_holds h where h.released_at is null and h.tenant_id is null);
  held bigint[] := array(select tenants_on_hold());
  dead timestamptz := clock_timestamp() - make_interval(days => session_days);
  before timestamptz := clock_timestamp() - make_interval(days => work_days);
begin
  delete from sessions x where x.ctid = any (array(
    select s.ctid from sessions s
    where s.last_used_at < dead and coalesce(s.revoked_at, s.last_used_at) < dead and s.organization_id <> all (held_organizations)
      and exists (
        select from sessions n where n.organization_id = s.organization_id and n.user_id = s.user_id
          and (n.last_used_at, n.id) > (s.last_used_at, s.id))
    limit max_rows));
  get diagnostics gone = row_count; kind := 'sessions'; return next;

  delete from invitations x where x.ctid = any (array(
    select i.ctid from invitations i
    where coalesce(i.decided_at, i.expires_at) < dead and i.organization_id <> all (held_organizations) limit max_rows));
  get diagnostics gone = row_count; kind := 'invitations'; return next;

  delete from ownership_transfers x where x.ctid = any (array(
    select t.ctid from ownership_transfers t
    where greatest(t.decided_at, t.undo_until, t.expires_at) < before and t.organization_id <> all (held_organizations)
    limit max_rows));
  get diagnostics gone = row_count; kind := 'ownership_transfers'; return next;

  delete from hand_overs x where x.ctid = any (array(
    select h.ctid from hand_overs h
    where h.state = 'completed' and h.finished_at < before and h.organization_id <> all (held_organizations) limit max_rows));
  get diagnostics gone = row_count; kind := 'hand_overs'; return next;

  -- The files of these have gone long before.
  delete from organization_exports x where x.ctid = any (array(
    select e.ctid from organization_exports e
    where (e.state = 'expired' or e.state = 'failed' and e.storage_key is null) and e.created_at < before
      and e.organization_id <> all (held_organizations)
    limit max_rows));
  get diagnostics gone = row_count; kind := 'organization_exports'; return next;

  -- An import may have a million of them; it goes behind the last one.
  delete from import_faults x where x.ctid = any (array(
    select f.ctid from imports i join import_faults f on f.tenant_id = i.tenant_id and f.import_id = i.id
    where i.storage_key is null and i.state not in ('checking', 'running') and coalesce(i.finished_at, i.updated_at) < before
      and i.tenant_id <> all (held)
    limit max_rows));
  get diagnostics gone = row_count; kind := 'import_faults'; return next;

  delete from imports x where x.ctid = any (array(
    select i.ctid from imports i
    where i.storage_key is null and i.state not in ('checking', 'running') and coalesce(i.finished_at, i.updated_at) < before
      and i.tenant_id <> all (held)
      and not exists (select from import_faults f where f.tenant_id = i.tenant_id and f.import_id = i.id)
    limit max_rows));
  get diagnostics gone = row_count; kind := 'imports'; return next;

  -- Each may have a thousand records and more.
  delete from batches x where x.ctid = any (array(
    select b.ctid from batches b where b.state <> 'running' and b.finished_at < before and b.tenant_id <> all (held)
    limit greatest(1, max_rows / 100)));
  get diagnostics gone = row_count; kind := 'batches'; return next;
end $$;
select give_to_engine('purge_finished');

-- Files of imports that were kept for 30 days, but for those in these stores: not of imports at work, and not where anything is on hold.
create function expired_import_files(max_files integer, left_out text[]) returns table (storage text, storage_key text)
language sql stable security definer set search_path = public, pg_temp as $$
  select i.storage, i.storage_key from imports i
  where i.storage_key is not null and i.created_at < now() - interval '30 days' and i.state not in ('checking', 'running')
    and i.tenant_id <> all (array(select tenants_with_holds())) and i.storage <> all (left_out)
  limit max_files
$$;
select give_to_engine('expired_import_files');

-- Has imports keep these files no longer; which are to be removed. One that was begun meanwhile keeps its file.
create function forget_import_files(keys text[]) returns setof text
language sql security definer set search_path = public, pg_temp as $$
  update imports i set storage = null, storage_key = null
  from (
    select f.tenant_id, f.id, f.storage_key from imports f
    where f.storage_key = any(keys) and f.state not in ('checking', 'running') for update
  ) o
  where i.tenant_id = o.tenant_id and i.id = o.id
  returning o.storage_key
$$;
select give_to_engine('forget_import_files');

-- Which of these files imports keep: the others came to nothing, or were kept long enough.
create function kept_import_files(keys text[]) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select storage_key from imports where storage_key = any(keys)
$$;
select give_to_engine('kept_import_files');

-- As before, but each organization says how long the SIP messages of its calls are kept (class call_traces).
create or replace function purge_calls(keep_days integer, max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  ended_before timestamptz := now() - interval '1 day';
  held bigint[] := array(select tenants_with_holds());
  stray text;
  gone integer;
  total integer := 0;
begin
  delete from call_traces where ctid = any (array(
    select x.ctid
    from (select t.id, now() - make_interval(days => kept_days(t.id, 'call_traces', keep_days)) as before from tenants t
      where t.id <> all (held)) o
    join call_traces x on x.tenant_id = o.id join calls c on c.tenant_id = x.tenant_id and c.id = x.call_id
    where x.at < o.before and c.ended_at < o.before limit max_rows));
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
