-- Requests of persons that an organization has records of (data subjects): to export all that is known of them, or to erase it.

create table privacy_requests (
  tenant_id       bigint not null,
  organization_id bigint not null,
  id              text collate "C" not null,
  kind            text collate "C" not null check (kind in ('export', 'erasure')),
  state           text collate "C" not null check (state in ('queued', 'running', 'completed', 'failed', 'expired')),
  -- The lead or contact that was named; null where it was an address.
  record_id       text collate "C",
  -- What it is about as lists show it: the record, or a few letters of the address.
  label           text not null,
  -- What was asked, whom that is, and the regular expression by which they are known. Null once nothing of it may be kept.
  subject         json,
  person          json,
  pattern         text,
  reason          text not null check (length(reason) between 3 and 500),
  requested_by    bigint not null,
  -- What is being done, behind which row, and which time over the same tables.
  step            text collate "C" not null,
  place           text[] not null default '{}',
  pass            smallint not null default 1,
  waits_for       text collate "C",
  counts          jsonb not null default '{}',
  kept            jsonb not null default '{}',
  storage         text,
  storage_key     text collate "C",
  folder          text,
  size_bytes      bigint,
  sha256          text,
  error           text,
  lease_token     text collate "C",
  lease_until     timestamptz,
  due_at          timestamptz not null,
  attempts        smallint not null default 0,
  created_at      timestamptz(3) not null,
  finished_at     timestamptz(3),
  expires_at      timestamptz(3),
  primary key (tenant_id, id),
  constraint privacy_requests_end check ((state in ('queued', 'running')) = (finished_at is null)),
  constraint privacy_requests_file check ((storage_key is null) = (storage is null))
);
create index privacy_requests_due on privacy_requests (due_at) where state in ('queued', 'running');
create index privacy_requests_kept on privacy_requests (expires_at) where storage_key is not null;
select protect_tenant_table('privacy_requests');
select open_to_engine('privacy_requests', 'select, update');
grant select, insert, update on privacy_requests to tandem_app;

-- What a request has found of the person and has not dealt with yet: a row of a table, by its id.
create table privacy_items (
  tenant_id  bigint not null,
  request_id text collate "C" not null,
  kind       text collate "C" not null,
  id         text collate "C" not null,
  primary key (tenant_id, request_id, kind, id),
  foreign key (tenant_id, request_id) references privacy_requests (tenant_id, id) on delete cascade
);
select protect_tenant_table('privacy_items');
grant select, insert, delete on privacy_items to tandem_app;

create index inbound_mails_from on inbound_mails (tenant_id, lower(from_address)) where from_address is not null;

-- Leases requests that are due. In one tenant erasures go one after the other, as each must see what the one before has left.
create function claim_privacy_requests(token text, most integer, lease_seconds integer)
returns table (tenant_id bigint, organization_id bigint, id text)
language sql security definer set search_path = public, pg_temp as $$
  update privacy_requests r set lease_token = token, state = 'running', attempts = r.attempts + 1,
    lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
  from (
    select d.tenant_id, d.id from privacy_requests d
    where d.state in ('queued', 'running') and d.due_at <= clock_timestamp()
      and (d.lease_until is null or d.lease_until < clock_timestamp())
      and not exists (
        select from privacy_requests o
        where o.tenant_id = d.tenant_id and o.id < d.id and o.kind = 'erasure' and o.state in ('queued', 'running')
          and o.waits_for is distinct from 'legal_hold')
    order by d.due_at limit most for update skip locked
  ) due
  where r.tenant_id = due.tenant_id and r.id = due.id
  returning r.tenant_id, r.organization_id, r.id
$$;

-- Archives that were kept as long as they are.
create function expired_privacy_exports(at timestamptz)
returns table (tenant_id bigint, organization_id bigint, id text, storage text, storage_key text)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.tenant_id, r.organization_id, r.id, r.storage, r.storage_key from privacy_requests r
  where r.storage_key is not null and r.expires_at < at
$$;

-- Writes down which rows are of a person: by their numbers, e-mail addresses (in small letters) and records. Calls are named by the one that
-- began them: with it go those that it led to.
create function collect_person(of_tenant bigint, of_request text, phones text[], emails text[], records text[]) returns void
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_custom_plan as $$
declare
  roots text[];
  families text[];
begin
  perform set_config('app.erased_tenant', of_tenant::text, true);
  with recursive up as (
    select c.id, c.parent_call_id from calls c
    where c.tenant_id = of_tenant and (c.from_number = any (phones) or c.to_number = any (phones))
    union
    select c.id, c.parent_call_id from up u join calls c on c.tenant_id = of_tenant and c.id = u.parent_call_id
  )
  select coalesce(array_agg(u.id), '{}') into roots from up u where u.parent_call_id is null;
  with recursive down as (
    select r collate "C" as id from unnest(roots) as r
    union
    select c.id from down d join calls c on c.tenant_id = of_tenant and c.parent_call_id = d.id
  )
  select coalesce(array_agg(d.id), '{}') into families from down d;
  insert into privacy_items (tenant_id, request_id, kind, id)
  select of_tenant, of_request, f.kind, f.id from (
    select 'messages' as kind, m.id
    from unnest(phones) as u (phone)
    cross join generate_series(first_message_period(of_tenant, ''), message_period(clock_timestamp() + interval '1 day')) as p (period)
    join messages m on person_key(message_period(m.created_at), m.tenant_id, m.to_address) = person_key(p.period, of_tenant, u.phone)
    where m.tenant_id = of_tenant and m.to_address = u.phone
    union
    select 'messages', m.id
    from unnest(phones) as u (phone)
    cross join generate_series(first_message_period(of_tenant, ''), message_period(clock_timestamp() + interval '1 day')) as p (period)
    join messages m on person_key(message_period(m.created_at), m.tenant_id, m.from_address) = person_key(p.period, of_tenant, u.phone)
    where m.tenant_id = of_tenant and m.direction = 'inbound' and m.from_address = u.phone
    union
    select 'calls', unnest(roots)
    union
    select 'recordings', r.id from recordings r where r.tenant_id = of_tenant and r.call_id = any (families)
    union
    select 'mails', r.mail_id from mail_recipients r where r.tenant_id = of_tenant and r.compared = any (emails)
    union
    select 'mails', m.id from mails m where m.tenant_id = of_tenant and m.record_id = any (records)
    union
    select 'inbound_mails', m.id from inbound_mails m where m.tenant_id = of_tenant and lower(m.from_address) = any (emails)
    union
    select 'inbound_mails', m.id from inbound_mails m where m.tenant_id = of_tenant and m.record_id = any (records)
    union
    select 'conversations', a.conversation_id from conversation_addresses a
    where a.tenant_id = of_tenant and a.address = any (phones || emails)
    union
    select 'conversations', c.id from conversations c where c.tenant_id = of_tenant and c.record_id = any (records)
    union
    select 'notes', n.id from notes n where n.tenant_id = of_tenant and n.record_id = any (records)
    union
    select 'tasks', n.id from tasks n where n.tenant_id = of_tenant and n.record_id = any (records)
    union
    select 'attachments', n.id from attachments n where n.tenant_id = of_tenant and n.record_id = any (records)
    union
    select 'records', unnest(records)
    union
    select 'invoices', i.id::text from invoices i
    where i.tenant_id = of_tenant and i.lead_id = any (array(select substr(r, 6)::bigint from unnest(records) as r where r like 'lead:%'))
  ) f
  on conflict do nothing;
end $$;

-- Deletes rows that a request has found, with their events and deliveries, and forgets them; those that are in use stay. How many went.
create function erase_found(of_tenant bigint, of_request text, of_table text, ids text[]) returns integer
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  gone integer;
  there text[];
begin
  perform set_config('app.erased_tenant', of_tenant::text, true);
  gone := remove_rows(of_table, of_tenant, ids, false, 'infinity');
  execute format('select array(select x.id from %I x where x.tenant_id = $1 and x.id = any ($2))', of_table) into there using of_tenant, ids;
  delete from privacy_items i
  where i.tenant_id = of_tenant and i.request_id = of_request and i.kind = of_table and i.id = any (ids) and i.id <> all (there);
  return gone;
end $$;

-- Deletes the events of records and of what was put on them, with their deliveries: of types like `lead.%`.
create function erase_events(of_tenant bigint, resource_ids text[], of_type text) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform set_config('app.erased_tenant', of_tenant::text, true);
  perform remove_events(of_tenant, resource_ids, false, of_type);
end $$;

-- Leads and contacts with one of these numbers and e-mail addresses (in small letters), in the trash or not.
create function records_at(of_tenant bigint, at_phones text[], at_emails text[]) returns setof text
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
begin
  perform set_config('app.erased_tenant', of_tenant::text, true);
  return query
  select 'lead:' || l.id from unnest(at_emails) as e (email) join leads l
    on hashtextextended(lower(l.email), l.tenant_id) = hashtextextended(e.email, of_tenant) and l.email is not null and lower(l.email) = e.email
  where l.tenant_id = of_tenant
  union
  select 'lead:' || l.id from unnest(at_phones) as p (phone) join leads l
    on hashtextextended(l.phone, l.tenant_id) = hashtextextended(p.phone, of_tenant) and l.phone is not null and l.phone = p.phone
  where l.tenant_id = of_tenant
  union
  select k.record_id from record_keys k where k.tenant_id = of_tenant and k.noun = 'contact' and k.value = any (at_phones || at_emails)
  union
  select c.id from contacts c
  where c.tenant_id = of_tenant and c.deleted_at is not null
    and (exists (select from json_array_elements(c.emails) e where lower(e.value ->> 'value') = any (at_emails))
      or exists (select from json_array_elements(c.phones) e where e.value ->> 'value' = any (at_phones)));
end $$;

-- Those of these names, in small letters, that other leads and contacts than these have too.
create function namesakes(of_tenant bigint, names text[], records text[]) returns setof text
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off set plan_cache_mode = force_custom_plan as $$
begin
  perform set_config('app.erased_tenant', of_tenant::text, true);
  return query
  select n.name from unnest(names) as n (name)
  where exists (
      select from leads r where r.tenant_id = of_tenant and r.find like '%' || lower(fold_search(n.name)) || '%'
        and lower(r.name) = n.name and 'lead:' || r.id <> all (records))
    or exists (
      select from contacts r where r.tenant_id = of_tenant and r.find like '%' || lower(fold_search(n.name)) || '%'
        and lower(r.name) = n.name and r.id <> all (records));
end $$;

-- Takes what names a person out of a value: in all of its texts, and keys.
create function erase_json(value jsonb, pattern text) returns jsonb
language plpgsql immutable set search_path = public, pg_temp as $$
begin
  return case jsonb_typeof(value)
    when 'string' then to_jsonb(regexp_replace(value #>> '{}', pattern, '[erased]', 'gi'))
    when 'number' then case when value::text ~* pattern then '"[erased]"'::jsonb else value end
    when 'array' then coalesce((
      select jsonb_agg(erase_json(e.value, pattern) order by e.n) from jsonb_array_elements(value) with ordinality as e (value, n)), '[]')
    when 'object' then coalesce((
      select jsonb_object_agg(regexp_replace(e.key, pattern, '[erased]', 'gi'), erase_json(e.value, pattern)) from jsonb_each(value) e), '{}')
    else value end;
end $$;

-- Why nothing is erased in a table of an organization, or null where what names a person is.
create function not_swept(of_table name) returns text
language sql immutable set search_path = public, pg_temp as $$
  select case
    when of_table in ('accounts', 'users', 'sessions', 'login_places', 'account_factors', 'recovery_codes', 'invitations', 'scim_users',
      'scim_groups', 'scim_members', 'sso_identities', 'team_members', 'hand_overs', 'ownership_transfers')
      then 'members of the organization, and how they log in'
    when of_table in ('organizations', 'tenants', 'held_tenants', 'roles', 'teams', 'security_policies', 'organization_domains',
      'sso_connections', 'scim_settings', 'api_keys', 'oauth_apps', 'oauth_app_clients', 'oauth_app_secrets', 'oauth_grants',
      'oauth_client_policies', 'carriers', 'carrier_links', 'trunks', 'trunk_states', 'trunk_paces', 'numbers', 'number_voice',
      'number_verifications', 'number_code_requests', 'messaging_services', 'messaging_revisions', 'sip_credentials', 'sip_contacts',
      'client_registrations', 'webhook_endpoints', 'webhook_signing', 'webhook_lanes', 'webhook_jobs', 'webhook_walks', 'mail_templates',
      'mail_transports', 'mail_domains', 'mail_senders', 'mailboxes', 'destination_policies', 'destination_usage', 'audit_streams',
      'audit_policies', 'retention_policies', 'retention_positions', 'organization_exports')
      then 'what an Admin has set up, and what serves it'
    when of_table in ('audit_events', 'audit_chain', 'audit_seals', 'audit_unsealed', 'audit_expired')
      then 'the signed part of the audit log, which holds no names'
    when of_table in ('opt_outs', 'mail_suppressions') then 'so that nobody writes to them again'
    when of_table in ('privacy_requests', 'privacy_items', 'legal_holds') then 'cleared by the request itself'
    when of_table = 'noun_words' then 'cleared word by word'
  end
$$;

-- The tables in which what names a person is looked for, in this order: what is written about requests of today comes last.
create function swept_tables() returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select c.relname::text from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity and not_swept(c.relname) is null
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname in ('tenant_id', 'organization_id'))
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid in ('text'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text[]'::regtype))
  order by c.relname in ('webhook_deliveries', 'idempotency_keys', 'request_details', 'request_log'), c.relname
$$;

-- Looks through the next rows of a table of a tenant, or of its organization, for what names a person, and takes it out: how many rows were
-- looked at, how many changed, how many hold it because the law asks to keep them, and the key of the last one. A row that is known by it
-- (in a unique key), and a name in the audit log, goes as a whole. Invoices with a number, and their lines and payments, stay as long as they
-- were issued since `fiscal_from`.
create function sweep_person(of_tenant bigint, of_organization bigint, of_table text, behind text[], pattern text, fiscal_from date, most integer)
returns table (seen integer, erased integer, kept integer, place text[])
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  table_id constant oid := format('public.%I', of_table)::regclass;
  owner_name text := 'tenant_id';
  key_names text[];
  key_types text[];
  texts text[];
  keyed text[];
  sets text;
begin
  if not_swept(of_table) is not null then raise exception 'nothing is erased in %', of_table; end if;
  perform set_config('app.erased_tenant', of_tenant::text, true), set_config('app.erased_organization', of_organization::text, true);
  if not exists (select from pg_attribute a where a.attrelid = table_id and a.attname = 'tenant_id') then owner_name := 'organization_id'; end if;
  select array_agg(a.attname::text order by k.n), array_agg(format_type(a.atttypid, a.atttypmod) order by k.n) into key_names, key_types
  from pg_index i cross join lateral unnest(i.indkey) with ordinality as k (attnum, n)
  join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
  where i.indrelid = table_id and i.indisprimary;
  texts := array(
    select a.attname::text from pg_attribute a
    where a.attrelid = table_id and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
      and a.atttypid in ('text'::regtype, 'json'::regtype, 'jsonb'::regtype, 'text[]'::regtype));
  keyed := case when of_table = 'audit_labels' then texts else array(
    select distinct a.attname::text from pg_index i cross join lateral unnest(i.indkey) as k (attnum)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = table_id and i.indisunique and a.attname::text = any (texts)) end;
  select string_agg(format(case a.atttypid
      when 'json'::regtype then '%1$I = erase_json(x.%1$I::jsonb, $3)::json'
      when 'jsonb'::regtype then '%1$I = erase_json(x.%1$I, $3)'
      when 'text[]'::regtype then '%1$I = array(select regexp_replace(t, $3, ''[erased]'', ''gi'') from unnest(x.%1$I) as t)'
      else '%1$I = regexp_replace(x.%1$I, $3, ''[erased]'', ''gi'')' end, a.attname), ', ') into sets
  from pg_attribute a where a.attrelid = table_id and a.attname::text = any (texts) and a.attname::text <> all (keyed);
  return query execute format($sweep$
    with page as materialized (
      select x.ctid as at, row_number() over (order by %1$s) as n, array[%2$s] as place, (%3$s) ~* $3 as hit, %4$s as keyed, %5$s as spared
      from %6$I x where x.%7$I = $1 and %8$s order by %1$s limit $4
    ), gone as (
      delete from %6$I x using page p where x.ctid = p.at and x.%7$I = $1 and p.keyed and not p.spared returning 1
    )%9$s
    select (select count(*)::integer from page), (select count(*)::integer from gone)%10$s,
      (select count(*)::integer from page p where p.hit and p.spared), (select p.place from page p order by p.n desc limit 1)
  $sweep$,
    (select string_agg(format('x.%I', k), ', ') from unnest(key_names) as k),
    (select string_agg(format('x.%I::text', k), ', ') from unnest(key_names) as k),
    (select 'concat_ws('' '', ' || string_agg(format('x.%I::text', k), ', ') || ')' from unnest(texts) as k),
    coalesce((select 'concat_ws('' '', ' || string_agg(format('x.%I::text', k), ', ') || ') ~* $3' from unnest(keyed) as k), 'false'),
    case of_table
      when 'invoices' then '(x.sequence is not null and x.issue_date >= $5)'
      when 'invoice_lines' then '(exists (select from invoices i where i.tenant_id = x.tenant_id and i.id = x.invoice_id and i.sequence is not null and i.issue_date >= $5))'
      when 'payments' then '(exists (select from invoices i where i.tenant_id = x.tenant_id and i.id = x.invoice_id and i.sequence is not null and i.issue_date >= $5))'
      else '($5 is null)' end,
    of_table, owner_name,
    case when cardinality(behind) = 0 then 'true' else (
      select '(' || string_agg(format('x.%I', k.name), ', ' order by k.n) || ') > (' || string_agg(format('$2[%s]::%s', k.n, k.type), ', ' order by k.n) || ')'
      from unnest(key_names, key_types) with ordinality as k (name, type, n)) end,
    case when sets is null then '' else format(
      ', changed as (update %I x set %s from page p where x.ctid = p.at and x.%I = $1 and p.hit and not p.keyed and not p.spared returning 1)',
      of_table, sets, owner_name) end,
    case when sets is null then '' else ' + (select count(*)::integer from changed)' end)
  using case owner_name when 'tenant_id' then of_tenant else of_organization end, behind, pattern, most, fiscal_from;
end $$;

-- Takes words out of what misspelt searches are compared with, where no record of the noun holds them any more.
create function erase_words(of_tenant bigint, of_noun text, of_table name, words text[]) returns void
language plpgsql security definer set search_path = public, pg_temp set enable_seqscan = off as $$
begin
  perform set_config('app.erased_tenant', of_tenant::text, true);
  execute format('delete from noun_words k where k.tenant_id = $1 and k.noun = $2 and k.word = any ($3)
    and not exists (select from %I r where r.tenant_id = $1 and r.find like ''%%'' || k.word || ''%%'')', of_table)
  using of_tenant, of_noun, words;
end $$;

select restrict_to_engine('erase_json', 'not_swept');
select give_to_engine('claim_privacy_requests', 'expired_privacy_exports', 'collect_person', 'erase_found', 'erase_events', 'records_at', 'namesakes',
  'swept_tables', 'sweep_person', 'erase_words');
