-- What calls need not wait for: locks of others, where a heartbeat renews leases of many tenants in whichever order while others end calls
-- and remove theirs; and the disk, where their jobs are claimed.

-- Says that `holder` still holds these calls; answers those it really does. What is missing was taken away from it. A lease that is
-- being removed in this moment is left as it is.
create or replace function renew_call_leases(holder text, tenant_ids bigint[], call_ids text[])
returns table (tenant_id bigint, call_id text)
language sql security definer set search_path = public, pg_temp as $$
  with kept as (
    select l.tenant_id, l.call_id from unnest(tenant_ids, call_ids) as held (tenant_id, call_id)
    join call_leases l on l.tenant_id = held.tenant_id and l.call_id = held.call_id where l.owner = holder
  ), free as (
    select l.tenant_id, l.call_id from unnest(tenant_ids, call_ids) as held (tenant_id, call_id)
    join call_leases l on l.tenant_id = held.tenant_id and l.call_id = held.call_id where l.owner = holder
    for no key update of l skip locked
  ), renewed as (
    update call_leases l set heartbeat_at = clock_timestamp() from free f where l.tenant_id = f.tenant_id and l.call_id = f.call_id
  )
  select k.tenant_id, k.call_id from kept k
$$;

-- As before, but hang-ups and commands do not wait behind calls that are to be dialled, and nobody waits for the disk: a lease that a crash of
-- the database takes back is claimed again, and no call is dialled before it is marked as such by a commit of its own, which is waited for.
create or replace function claim_call_jobs(token text, max_rows integer, lease_seconds integer, engines text[], holder text,
  may_dial boolean)
returns table (tenant_id bigint, organization_id bigint, mode text, call_id text, kind text, engine text,
  created_at timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  select set_config('synchronous_commit', 'off', true);
  with asked as (
    select j.tenant_id, j.call_id, j.kind from call_jobs j
    where j.kind <> 'originate' and j.due_at <= now() and j.engine = any (engines)
      and (j.owner is null or j.owner = holder or j.created_at < now() - interval '40 seconds')
    order by j.due_at
    limit max_rows
    for update of j skip locked
  ), to_dial as (
    select j.tenant_id, j.call_id, j.kind from call_jobs j
    where j.kind = 'originate' and j.due_at <= now() and may_dial
      -- Not as a join, for which all that is due would be sorted.
      and j.tenant_id not in (select h.tenant_id from held_tenants h)
    order by j.due_at
    limit max_rows - (select count(*) from asked)
    for update of j skip locked
  ), due as (
    select * from asked union all select * from to_dial
  ), leased as (
    update call_jobs j
    set lease_token = token, due_at = clock_timestamp() + make_interval(secs => lease_seconds)
    from due where j.tenant_id = due.tenant_id and j.call_id = due.call_id and j.kind = due.kind
    returning j.tenant_id, j.call_id, j.kind, j.engine, j.created_at
  )
  select l.tenant_id, t.organization_id, t.mode, l.call_id, l.kind, l.engine, l.created_at
  from leased l join tenants t on t.id = l.tenant_id
$$;
