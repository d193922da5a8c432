-- The simulated carrier: the receipts it will send, and when, so that no process needs to remember them.

-- What the simulator will report, and when.
create table simulator_receipts (
  tenant_id   bigint not null,
  id          text collate "C" not null,
  carrier     text collate "C" not null,
  due_at      timestamptz not null,
  lease_token text collate "C",
  items       json not null,
  primary key (tenant_id, id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);
create index simulator_receipts_due on simulator_receipts (carrier, due_at);
create index simulator_receipts_lease on simulator_receipts (lease_token) where lease_token is not null;
select protect_tenant_table('simulator_receipts');
select open_to_engine('simulator_receipts', 'select, insert, update, delete');

-- Keeps what the simulator is to report, each list after its delay.
create function plan_simulator_receipts(for_carrier text, tenant_ids bigint[], ids text[], delay_seconds double precision[],
  item_lists text[])
returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into simulator_receipts (tenant_id, id, carrier, due_at, items)
  select u.tenant_id, u.id, for_carrier, clock_timestamp() + make_interval(secs => u.delay), u.items::json
  from unnest(tenant_ids, ids, delay_seconds, item_lists) as u (tenant_id, id, delay, items)
$$;

create function claim_simulator_receipts(for_carrier text, token text, max_rows integer, lease_seconds double precision)
returns table (tenant_id bigint, items json, due_at timestamptz)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp();
begin
  return query
  with due as (
    select s.tenant_id, s.id, s.due_at from simulator_receipts s
    where s.carrier = for_carrier and s.due_at <= present
    order by s.due_at limit max_rows for update skip locked
  )
  update simulator_receipts s set lease_token = token, due_at = present + make_interval(secs => lease_seconds)
  from due d where s.tenant_id = d.tenant_id and s.id = d.id
  returning s.tenant_id, s.items, d.due_at;
end $$;

create function finish_simulator_receipts(token text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from simulator_receipts s where s.lease_token = token
$$;

select give_to_engine('plan_simulator_receipts', 'claim_simulator_receipts', 'finish_simulator_receipts');
