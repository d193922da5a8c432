-- What makes leads a noun: counters, search and rights, and their creation in groups.
select make_noun('leads', 'lead', '{status,priority}', 'owner_id');
grant insert on leads to tandem_engine;
alter table leads
  add foreign key (tenant_id, company_id) references companies (tenant_id, id),
  add foreign key (tenant_id, contact_id) references contacts (tenant_id, id);
select open_to_engine('changes', 'insert');
grant insert on noun_words to tandem_engine;

-- Creates leads of any tenants, in one commit; one row for each, in their order.
-- outcome: 'created' (with `duplicates`, the inside of a JSON array, for those that asked), 'owner_not_found', or
-- 'answered': the Idempotency-Key was used before, and this is the stored answer. With a key, the answer that is stored
-- is `head || duplicates || ']}'`.
-- Plans are kept as they are made first, when tables may be empty and every index seems as good as another. So the
-- conditions on leads are written such that only the right index can serve them: `tenant_id + 0` and `coalesce` hide
-- the columns that others begin with.
create function create_leads(
  tenant_ids bigint[], organization_ids bigint[], ids bigint[], names text[], emails text[], phones text[],
  companies text[], priorities text[], owner_ids bigint[], sources text[], remarks text[], of_companies text[], finds text[],
  creators bigint[], creator_keys text[], ats timestamptz[], warns boolean[], event_ids text[], snapshots text[],
  keys text[], fingerprints bytea[], heads text[])
returns table (outcome text, duplicates text, fingerprint bytea, status integer, body text, version integer)
language plpgsql security definer
set search_path = public, pg_temp set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  -- By place: whose owner may own leads, who is created, and what the duplicates are.
  owned boolean[] := array_fill(true, array[cardinality(ids)]);
  good boolean[];
  found text[];
  keyed boolean := array_remove(keys, null) <> '{}';
begin
  if array_remove(owner_ids, null) <> '{}' then
    select array_agg(
             i.owner_id is null or i.owner_id = i.creator or exists (
               select from users u
               where u.organization_id = i.organization_id and u.id = i.owner_id and u.disabled_at is null)
             order by i.ord)
    into owned
    from unnest(organization_ids, owner_ids, creators) with ordinality as i (organization_id, owner_id, creator, ord);
  end if;
  good := owned;

  if keyed then
    -- Of two requests of this group with one key the first is the one; a request of another group that holds the key is
    -- waited for. Keys are taken in their order, so that no two groups wait for one another.
    with wanted as (
      select distinct on (i.tenant_id, i.key) i.tenant_id, i.key, i.fingerprint, i.ord
      from unnest(tenant_ids, keys, fingerprints, good) with ordinality as i (tenant_id, key, fingerprint, good, ord)
      where i.key is not null and i.good
      order by i.tenant_id, i.key, i.ord
    ), claimed as (
      insert into idempotency_keys as k (tenant_id, key, fingerprint)
      select w.tenant_id, w.key, w.fingerprint from wanted w order by w.tenant_id, w.key
      on conflict do nothing
      returning k.tenant_id, k.key
    )
    select array_agg(i.good and (i.key is null or c.key is not null) order by i.ord)
    into good
    from unnest(tenant_ids, keys, good) with ordinality as i (tenant_id, key, good, ord)
    left join wanted w on w.ord = i.ord
    left join claimed c on c.tenant_id = w.tenant_id and c.key = w.key;
    if exists (
      select from unnest(tenant_ids, keys, good, owned) as i (tenant_id, key, good, owned)
      where i.owned and not i.good
        and not exists (select from idempotency_keys k where k.tenant_id = i.tenant_id and k.key = i.key)) then
      raise serialization_failure using message = 'a key was purged while it was being looked up: the group has to be created again';
    end if;
  end if;

  insert into leads (tenant_id, id, name, email, phone, company, priority, status, owner_id, source, notes,
    company_id, find, created_at, updated_at, version)
  select i.tenant_id, i.id, i.name, i.email, i.phone, i.company, i.priority, 'New', i.owner_id, i.source, i.remark,
    i.company_id, noun_search_text(i.find), i.at, i.at, 1
  from unnest(tenant_ids, ids, names, emails, phones, companies, priorities, owner_ids, sources, remarks, of_companies, finds, ats,
    good) as i (tenant_id, id, name, email, phone, company, priority, owner_id, source, remark, company_id, find, at, good)
  where i.good;

  insert into changes (tenant_id, record_id, version, noun, at, user_id, key_id, source, difference)
  select i.tenant_id, 'lead:' || i.id, 1, 'lead', i.at, i.creator, i.creator_key, 'request', '{}'
  from unnest(tenant_ids, ids, creators, creator_keys, ats, good) as i (tenant_id, id, creator, creator_key, at, good)
  where i.good;

  insert into events (tenant_id, id, type, resource_id, sequence, data)
  select i.tenant_id, i.event_id, 'lead.created', i.id::text, 1, i.snapshot::json
  from unnest(tenant_ids, event_ids, ids, snapshots, good) as i (tenant_id, event_id, id, snapshot, good)
  where i.good;

  -- A lead of this group is a duplicate of those that come after it.
  with matches as (
    select i.ord, m.id, m.name, min(m.matched_by) as matched_by,
           row_number() over (partition by i.ord order by m.id) as place
    from unnest(tenant_ids, ids, emails, phones, warns, good) with ordinality
      as i (tenant_id, id, email, phone, warn, good, ord)
    cross join lateral (
      (select l.id, l.name, 'email' as matched_by
       from leads l
       where hashtextextended(lower(l.email), l.tenant_id) = hashtextextended(lower(i.email), i.tenant_id)
         and l.tenant_id + 0 = i.tenant_id and lower(l.email) = lower(i.email)
         and coalesce(l.deleted_at, 'infinity') = 'infinity' and (l.id < i.id or l.id <> all (ids))
       limit 10)
      union all
      (select l.id, l.name, 'phone'
       from leads l
       where hashtextextended(l.phone, l.tenant_id) = hashtextextended(i.phone, i.tenant_id)
         and l.tenant_id + 0 = i.tenant_id and l.phone = i.phone
         and coalesce(l.deleted_at, 'infinity') = 'infinity' and (l.id < i.id or l.id <> all (ids))
       limit 10)
    ) m
    where i.warn and i.good
    group by i.ord, m.id, m.name
  ), lists as (
    select m.ord, string_agg(
             '{"id":' || m.id || ',"title":' || to_json(m.name) || ',"matched_by":"' || m.matched_by || '"}', ','
             order by m.id) as list
    from matches m
    where m.place <= 10
    group by m.ord
  )
  select array_agg(coalesce(l.list, '') order by i.ord)
  into found
  from unnest(ids) with ordinality as i (id, ord)
  left join lists l on l.ord = i.ord;

  if keyed then
    update idempotency_keys k
    set status = 201, body = i.head || i.found || ']}', version = 1
    from unnest(tenant_ids, keys, heads, found, good) as i (tenant_id, key, head, found, good)
    where k.tenant_id = i.tenant_id and k.key = i.key and i.good;
  end if;

  return query
  select case when i.good then 'created' when i.owned then 'answered' else 'owner_not_found' end,
         i.found, k.fingerprint, k.status, k.body, k.version
  from unnest(tenant_ids, keys, found, good, owned) with ordinality as i (tenant_id, key, found, good, owned, ord)
  left join idempotency_keys k on not i.good and k.tenant_id = i.tenant_id and k.key = i.key
  order by i.ord;
end $$;

select give_to_engine('create_leads');
