-- Heartbeats of calls wait for nobody: they lock leases of many tenants, in whichever order, while others end calls and remove theirs.

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
