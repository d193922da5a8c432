-- Closed organizations that hold rows still: all of them until an hour after they were erased, because what was under way when they were
-- closed may write once more; and once more when what the law asks to keep was kept long enough. One with a legal hold waits until it is
-- released.
create or replace function organizations_to_erase(at timestamptz, fiscal_days integer)
returns table (organization_id bigint, tenant_ids bigint[], all_of_it boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, array(select t.id from tenants t where t.organization_id = o.id order by t.id),
    o.state_since < at - make_interval(days => fiscal_days)
  from organizations o
  where o.state = 'closed' and (o.erased_at is null or o.erased_at > at - interval '1 hour'
      or o.state_since < at - make_interval(days => fiscal_days) and o.name <> 'Closed organization')
    and not exists (select from legal_holds h where h.organization_id = o.id and h.released_at is null)
$$;
