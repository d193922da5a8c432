-- Leads: people and companies that may become customers, the history of their status, and exact counts of them.

create sequence leads_id_seq;
grant usage on sequence leads_id_seq to tandem_app;

-- What a search looks through. The blank in front lets "begins a word" be asked of the first word too. ASCII, which most of it is,
-- costs no call.
create function lead_search_text(name text, email text, phone text, company text) returns text
language sql immutable parallel safe
return case
  when octet_length(name) = length(name) and octet_length(coalesce(email, '')) = length(coalesce(email, ''))
    and octet_length(coalesce(company, '')) = length(coalesce(company, ''))
    then ' ' || name || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' ' || coalesce(company, '')
  else fold_wide(' ' || name || german_spelling(name) || ' ' || coalesce(email, '') || ' ' || coalesce(phone, '') || ' '
    || coalesce(company, '') || german_spelling(coalesce(company, ''))) end;

-- Ids are drawn from the sequence in blocks before the insert, so the whole answer is known before the commit.
create table leads (
  tenant_id          bigint not null,
  id                 bigint not null,
  name               text not null check (length(name) between 1 and 200),
  email              text check (length(email) between 3 and 254),
  phone              text collate "C" check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  company            text check (length(company) between 1 and 200),
  priority           text collate "C" not null check (priority in ('Hot', 'Warm', 'Cold')),
  status             text collate "C" not null
    check (status in ('New', 'Contacted', 'Nurturing', 'Qualified', 'Converted', 'Unqualified', 'Junk')),
  owner_id           bigint,
  source             text check (length(source) between 1 and 100),
  notes              text check (length(notes) between 1 and 10000),
  lost_reason        text check (length(lost_reason) between 1 and 500),
  first_responded_at timestamptz(3),
  company_id         text collate "C",
  contact_id         text collate "C",
  converted_at       timestamptz(3),
  status_changed_at  timestamptz(3) not null,
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  deleted_at         timestamptz(3),
  version            integer not null default 1,
  -- Beside the lead, as a search reads it: made again for every row that the index names it would be half of what a search costs, and its
  -- long expression the other half, each time a plan is made.
  search_text        text generated always as (lead_search_text(name, email, phone, company)) stored,
  primary key (tenant_id, id),
  constraint leads_can_be_reached check (email is not null or phone is not null),
  constraint leads_unqualified_for_a_reason check (status <> 'Unqualified' or lost_reason is not null)
);
-- Duplicates are found by a hash seeded with the tenant: eight bytes an entry.
create index leads_email on leads (hashtextextended(lower(email), tenant_id)) where email is not null;
create index leads_phone on leads (hashtextextended(phone, tenant_id)) where phone is not null;
create index leads_created on leads (tenant_id, created_at, id) where deleted_at is null;
-- Nobody is 0 here, because the order of an index is of no use behind "is null"; and said as a case, because under
-- row-level security an index on coalesce is not used.
create index leads_owner on leads (tenant_id, (case when owner_id is null then 0 else owner_id end), created_at, id)
  where deleted_at is null;
-- New leads are the newest ones, which the index above finds; leaving them out spares every creation an entry.
create index leads_status on leads (tenant_id, status, created_at, id) where deleted_at is null and status <> 'New';
create index leads_company on leads (tenant_id, company_id) where company_id is not null;
create index leads_contact on leads (tenant_id, contact_id) where contact_id is not null;
create index leads_deleted on leads (tenant_id, created_at, id) where deleted_at is not null;
-- The tenant is in the index too: one with many leads must not slow the search of the others.
create index leads_text on leads using gin (tenant_id, search_text gin_trgm_ops);
select protect_tenant_table('leads');
select open_to_engine('leads', 'select, insert');
grant select, insert, update, delete on leads to tandem_app;

-- Who moved a lead when, and how long it had stood where it was. `version` is that of the lead after the move.
create table lead_status_changes (
  tenant_id        bigint not null,
  lead_id          bigint not null,
  version          integer not null,
  from_status      text collate "C",
  to_status        text collate "C" not null,
  changed_by       bigint not null,
  changed_at       timestamptz(3) not null,
  seconds_in_state double precision,
  primary key (tenant_id, lead_id, version)
);
select protect_tenant_table('lead_status_changes');
select open_to_engine('lead_status_changes', 'insert');
grant select, insert, delete on lead_status_changes to tandem_app;

-- How many leads there are of each kind, changed by triggers in the transaction of every write, so that a total is a
-- sum over a few rows. `owner_id` is 0 for leads without an owner and -1 for all leads together. Transactions that run
-- at the same time write into different lanes: nobody waits for anybody's commit, and one lane may be below zero.
create table lead_counts (
  tenant_id bigint not null,
  owner_id  bigint not null,
  deleted   boolean not null,
  status    text collate "C" not null,
  priority  text collate "C" not null,
  lane      smallint not null,
  count     bigint not null,
  primary key (tenant_id, owner_id, deleted, status, priority, lane)
) with (fillfactor = 50);
select protect_tenant_table('lead_counts');
select open_to_engine('lead_counts', 'select, insert, update');
grant select, insert, update on lead_counts to tandem_app;

-- A lane that no other transaction holds. When all are taken any will do: then two wait for one another, and nothing is
-- lost.
create function free_lead_count_lane() returns smallint language plpgsql as $$
begin
  for lane in 0..15 loop
    if pg_try_advisory_xact_lock(1818583908, lane) then
      return lane;
    end if;
  end loop;
  return pg_backend_pid() % 16;
end $$;

create function count_leads_in() returns trigger language plpgsql as $$
begin
  insert into lead_counts as c (tenant_id, owner_id, deleted, status, priority, lane, count)
  select r.tenant_id, o.owner_id, r.deleted_at is not null, r.status, r.priority, (select free_lead_count_lane()),
         count(*)
  from new_rows r
  cross join lateral (values (-1), (coalesce(r.owner_id, 0))) as o (owner_id)
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
  on conflict (tenant_id, owner_id, deleted, status, priority, lane) do update set count = c.count + excluded.count;
  return null;
end $$;

create function count_leads_over() returns trigger language plpgsql as $$
begin
  insert into lead_counts as c (tenant_id, owner_id, deleted, status, priority, lane, count)
  select r.tenant_id, o.owner_id, r.deleted_at is not null, r.status, r.priority, (select free_lead_count_lane()),
         sum(r.change)
  from (
    select tenant_id, owner_id, deleted_at, status, priority, 1 as change from new_rows
    union all
    select tenant_id, owner_id, deleted_at, status, priority, -1 from old_rows
  ) r
  cross join lateral (values (-1), (coalesce(r.owner_id, 0))) as o (owner_id)
  group by 1, 2, 3, 4, 5
  having sum(r.change) <> 0
  order by 1, 2, 3, 4, 5
  on conflict (tenant_id, owner_id, deleted, status, priority, lane) do update set count = c.count + excluded.count;
  return null;
end $$;

create function count_leads_out() returns trigger language plpgsql as $$
begin
  insert into lead_counts as c (tenant_id, owner_id, deleted, status, priority, lane, count)
  select r.tenant_id, o.owner_id, r.deleted_at is not null, r.status, r.priority, (select free_lead_count_lane()),
         -count(*)
  from old_rows r
  cross join lateral (values (-1), (coalesce(r.owner_id, 0))) as o (owner_id)
  group by 1, 2, 3, 4, 5
  order by 1, 2, 3, 4, 5
  on conflict (tenant_id, owner_id, deleted, status, priority, lane) do update set count = c.count + excluded.count;
  return null;
end $$;

create trigger leads_counted_in after insert on leads referencing new table as new_rows
  for each statement execute function count_leads_in();
create trigger leads_counted_over after update on leads referencing new table as new_rows old table as old_rows
  for each statement execute function count_leads_over();
create trigger leads_counted_out after delete on leads referencing old table as old_rows
  for each statement execute function count_leads_out();

-- Creates leads of any tenants, in one commit; one row for each, in their order.
-- outcome: 'created' (with `duplicates`, the inside of a JSON array, for those that asked), 'owner_not_found', or
-- 'answered': the Idempotency-Key was used before, and this is the stored answer. With a key, the answer that is stored
-- is `head || duplicates || ']}'`.
-- Plans are kept as they are made first, when tables may be empty and every index seems as good as another. So the
-- conditions on leads are written such that only the right index can serve them: `tenant_id + 0` and `coalesce` hide
-- the columns that others begin with.
create function create_leads(
  tenant_ids bigint[], organization_ids bigint[], ids bigint[], names text[], emails text[], phones text[],
  companies text[], priorities text[], owner_ids bigint[], sources text[], remarks text[], of_companies text[], creators bigint[],
  ats timestamptz[], warns boolean[], event_ids text[], snapshots text[],
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
  end if;

  insert into leads (tenant_id, id, name, email, phone, company, priority, status, owner_id, source, notes,
    company_id, status_changed_at, created_at, updated_at)
  select i.tenant_id, i.id, i.name, i.email, i.phone, i.company, i.priority, 'New', i.owner_id, i.source, i.remark,
    i.company_id, i.at, i.at, i.at
  from unnest(tenant_ids, ids, names, emails, phones, companies, priorities, owner_ids, sources, remarks, of_companies, ats,
    good) as i (tenant_id, id, name, email, phone, company, priority, owner_id, source, remark, company_id, at, good)
  where i.good;

  insert into lead_status_changes (tenant_id, lead_id, version, to_status, changed_by, changed_at)
  select i.tenant_id, i.id, 1, 'New', i.creator, i.at
  from unnest(tenant_ids, ids, creators, ats, good) as i (tenant_id, id, creator, at, good)
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
             '{"id":' || m.id || ',"name":' || to_json(m.name) || ',"matched_by":"' || m.matched_by || '"}', ','
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
