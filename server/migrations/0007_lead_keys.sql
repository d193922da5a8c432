-- What leads are the same by, of the transaction's tenant: rows (field, value, record_id) for e-mails in small letters and telephone
-- numbers, the oldest twenty of each; not those in the trash. It belongs to the engine role because under row-level security PostgreSQL
-- does not use an index through functions that might leak (lower).
create function find_lead_keys(fields text[], vals text[]) returns table (field text, value text, record_id text)
language sql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
  with here as materialized (select current_setting('app.tenant_id')::bigint as tenant_id)
  select w.field, w.value, 'lead:' || l.id
  from here h
  cross join unnest(fields, vals) as w (field, value)
  cross join lateral (
    (select l.id from leads l
     where w.field = 'email' and hashtextextended(lower(l.email), l.tenant_id) = hashtextextended(lower(w.value), h.tenant_id)
       and l.tenant_id + 0 = h.tenant_id and lower(l.email) = lower(w.value) and coalesce(l.deleted_at, 'infinity') = 'infinity'
     order by l.id limit 20)
    union all
    (select l.id from leads l
     where w.field = 'phone' and hashtextextended(l.phone, l.tenant_id) = hashtextextended(w.value, h.tenant_id)
       and l.tenant_id + 0 = h.tenant_id and l.phone = w.value and coalesce(l.deleted_at, 'infinity') = 'infinity'
     order by l.id limit 20)
  ) l
$$;
select give_to_engine('find_lead_keys');
