-- Organizations as a whole: who runs the installation, what suspending, closing and erasing one does.

-- Accounts that run this installation. No server role reads or writes it but by the functions below.
create table operators (
  account_id bigint primary key references accounts (id),
  level      text not null check (level in ('support', 'full')),
  -- The operator who made it; null for the command line.
  made_by    bigint,
  created_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on operators to tandem_engine;

-- What operators did, for operators; what it did to an organization is in the audit log of that organization as well.
create table operator_events (
  id              text collate "C" primary key,
  at              timestamptz not null,
  action          text collate "C" not null,
  -- Null for the command line.
  account_id      bigint,
  operator        text not null,
  organization_id bigint,
  target          text,
  reason          text,
  ip              text
);
create index operator_events_organization on operator_events (organization_id, id);
grant select, insert on operator_events to tandem_engine;

-- Tenants for which nothing leaves: those of organizations that are suspended or closing. Few, so that everybody who claims work can ask.
create table held_tenants (
  tenant_id bigint primary key
);
select protect_tenant_table('held_tenants');
select open_to_engine('held_tenants', 'select, insert, update, delete');

-- Archives of all that an organization has.
create table organization_exports (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null,
  state           text not null check (state in ('queued', 'running', 'ready', 'failed', 'expired')),
  asked_by        bigint not null,
  storage         text,
  storage_key     text collate "C",
  folder          text,
  size_bytes      bigint,
  sha256          text,
  rows            bigint,
  files           bigint,
  error           text,
  lease_token     text collate "C",
  lease_until     timestamptz,
  attempts        smallint not null default 0,
  expires_at      timestamptz,
  ready_at        timestamptz,
  created_at      timestamptz not null default clock_timestamp(),
  primary key (organization_id, id),
  constraint organization_exports_file check ((state = 'ready') <= (storage is not null and storage_key is not null and size_bytes is not null)),
  foreign key (organization_id, asked_by) references users (organization_id, id)
);
create index organization_exports_due on organization_exports (created_at) where state in ('queued', 'running');
select protect_organization_table('organization_exports');
select open_to_engine('organization_exports', 'select, update');
grant select, insert, update on organization_exports to tandem_app;

-- Moves an organization from one state to another; false when it is in another one meanwhile. What leaves for its tenants is held or let
-- go with it; the locks make sure that nobody who claims work holds something back for ever.
create function move_organization(organization bigint, from_state text, to_state text, why text, closer text, closes timestamptz)
returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_tenants bigint[] := array(select t.id from tenants t where t.organization_id = organization order by t.id);
begin
  update organizations o set state = to_state, state_reason = why, state_since = clock_timestamp(), closing_by = closer,
    closes_at = closes, version = o.version + 1, updated_at = now()
  where o.id = organization and o.state = from_state;
  if not found then return false; end if;
  if to_state = 'active' then
    delete from held_tenants h where h.tenant_id = any (of_tenants);
    update message_jobs j set due_at = clock_timestamp() where j.tenant_id = any (of_tenants) and j.due_at = 'infinity';
    update mail_jobs j set due_at = clock_timestamp() where j.tenant_id = any (of_tenants) and j.due_at = 'infinity';
  else
    insert into held_tenants (tenant_id) select unnest(of_tenants) on conflict do nothing;
  end if;
  if to_state = 'closed' then
    update users u set disabled_at = coalesce(u.disabled_at, clock_timestamp()) where u.organization_id = organization;
    update sessions s set revoked_at = clock_timestamp() where s.organization_id = organization and s.revoked_at is null;
  end if;
  insert into revocations (kind, subject) values ('organization', organization::text);
  return true;
end $$;

-- An organization with its two tenants. Where the installation sends nothing, neither do they.
create function make_organization(new_name text, zone text, money text, country text, mails integer)
returns table (organization_id bigint, live_tenant_id bigint, test_tenant_id bigint)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  insert into organizations as o (name, time_zone, currency, default_country, mails_per_day)
  values (new_name, zone, money, country, mails) returning o.id into organization_id;
  insert into tenants as t (organization_id, mode) values (organization_id, 'live') returning t.id into live_tenant_id;
  insert into tenants as t (organization_id, mode) values (organization_id, 'test') returning t.id into test_tenant_id;
  insert into held_tenants (tenant_id, for_installation)
  select made, true from unnest(array[live_tenant_id, test_tenant_id]) as made
  where exists (select from sending_hold s for share of s);
  return next;
end $$;

-- The first Admin of an organization, who owns it: somebody who has an account, or a new one. Where it is not the holder of the account
-- who asks, it is voided unless it is proved to be its person's. `needs_password`: nobody can log in with a password yet.
create function make_owner(organization bigint, new_email text, new_name text, hash text, is_temporary boolean, is_verified boolean,
  by_holder boolean)
returns table (account_id bigint, user_id bigint, needs_password boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  select a.id, false into account_id, needs_password from accounts a where lower(a.email) = lower(new_email);
  if not found then
    needs_password := true;
    account_id := make_account(new_email, new_name, hash, is_temporary);
  elsif not by_holder then
    needs_password := void_unproved_account(account_id);
  end if;
  if is_verified then
    update accounts a set email_verified_at = coalesce(a.email_verified_at, clock_timestamp()),
      own_since = coalesce(a.own_since, clock_timestamp()) where a.id = account_id;
  end if;
  insert into users as u (organization_id, account_id, email, name, role)
  select organization, a.id, a.email, a.name, 'Admin' from accounts a where a.id = account_id returning u.id into user_id;
  update users u set admin_id = 'ADM-' || lpad(user_id::text, greatest(6, length(user_id::text)), '0')
  where u.organization_id = organization and u.id = user_id;
  update organizations o set owner_user_id = user_id where o.id = organization;
  return next;
end $$;

-- What operators see of organizations: what they are, and how much there is of them; never a record.
create function list_organizations(only_id bigint, in_state text, words text, behind bigint, most integer)
returns table (id bigint, name text, state text, state_reason text, state_since timestamptz, closing_by text, closes_at timestamptz,
  erased_at timestamptz, mails_per_day integer, version integer, created_at timestamptz, owner_email text, owner_name text,
  members bigint, leads bigint, messages bigint, calls bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, o.name, o.state, o.state_reason, o.state_since, o.closing_by, o.closes_at, o.erased_at, o.mails_per_day, o.version,
    o.created_at, u.email, u.name,
    (select count(*) from users m where m.organization_id = o.id and m.kind = 'person' and m.removed_at is null),
    (select coalesce(sum(c.count), 0)::bigint from noun_counts c where c.tenant_id = l.id and c.noun = 'lead' and not c.deleted),
    (select coalesce(sum(s.items), 0)::bigint from traffic_slots s where s.tenant_id = l.id and s.kind = 'message'
      and s.slot > now() - interval '30 days'),
    (select coalesce(sum(s.items), 0)::bigint from traffic_slots s where s.tenant_id = l.id and s.kind = 'call'
      and s.slot > now() - interval '30 days')
  from organizations o
  join tenants l on l.organization_id = o.id and l.mode = 'live'
  left join users u on u.organization_id = o.id and u.id = o.owner_user_id
  where (only_id is null or o.id = only_id) and (in_state is null or o.state = in_state) and (behind is null or o.id > behind)
    and (words is null or o.name ilike words or u.email ilike words)
  order by o.id limit most
$$;

-- What an operator may change of an organization.
create function change_organization(organization bigint, new_name text, sets_mails boolean, mails integer) returns void
language sql security definer set search_path = public, pg_temp as $$
  with spread as (insert into revocations (kind, subject) values ('organization', organization::text))
  update organizations o set name = coalesce(new_name, o.name), mails_per_day = case when sets_mails then mails else o.mails_per_day end,
    version = o.version + 1, updated_at = now()
  where o.id = organization
$$;

-- Owner and Admins of an organization who may log in, and how to write to them.
create function organization_admins(organization bigint)
returns table (email text, name text, locale text, is_owner boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.email, a.name, a.locale, u.id = o.owner_user_id
  from organizations o join users u on u.organization_id = o.id join accounts a on a.id = u.account_id
  where o.id = organization and u.disabled_at is null and ((u.role = 'Admin' and u.role_id is null) or u.id = o.owner_user_id)
$$;

-- Whether an account is an operator, and has a second factor.
create function operator_standing(account bigint)
returns table (level text, email text, name text, has_factor boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.level, a.email, a.name,
    exists (select from account_factors f where f.account_id = a.id and f.confirmed_at is not null)
  from accounts a left join operators p on p.account_id = a.id where a.id = account
$$;

-- The operator that a token names, as long as the login that made it stands, and its second factor.
create function auth_operator(account bigint, session text)
returns table (level text, email text, name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.level, a.email, a.name
  from operators p join accounts a on a.id = p.account_id
  join sessions s on s.id = session and s.revoked_at is null
  join users u on u.organization_id = s.organization_id and u.id = s.user_id and u.account_id = a.id
  where p.account_id = account
    and exists (select from account_factors f where f.account_id = a.id and f.confirmed_at is not null)
$$;

create function list_operators()
returns table (account_id bigint, email text, name text, level text, has_factor boolean, created_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select p.account_id, a.email, a.name, p.level,
    exists (select from account_factors f where f.account_id = a.id and f.confirmed_at is not null), p.created_at
  from operators p join accounts a on a.id = p.account_id order by p.account_id
$$;

-- All accounts, or that of an address, for the command line.
create function list_accounts(address text)
returns table (account_id bigint, email text, name text, operator text, factors bigint, organizations text[])
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.email, a.name, p.level,
    (select count(*) from account_factors f where f.account_id = a.id and f.confirmed_at is not null),
    array(select o.name from users u join organizations o on o.id = u.organization_id
      where u.account_id = a.id and u.removed_at is null order by o.id)
  from accounts a left join operators p on p.account_id = a.id
  where address is null or lower(a.email) = lower(address) order by a.id
$$;

-- Makes an account an operator, changes what it may do, or, without a level, makes it none. Which account that is; null for none.
-- `refused` when no full operator would be left, unless it does not matter; `voided` where a new operator has to choose a password first,
-- because somebody else could have logged in.
create function set_operator(address text, new_level text, by_account bigint, may_be_last boolean)
returns table (account_id bigint, email text, level text, before text, refused boolean, voided boolean)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  lock table operators in share row exclusive mode;
  select a.id, a.email into account_id, email from accounts a where lower(a.email) = lower(address);
  if account_id is null then return; end if;
  select o.level into before from operators o where o.account_id = set_operator.account_id;
  refused := not may_be_last and before = 'full' and new_level is distinct from 'full'
    and (select count(*) from operators o where o.level = 'full') = 1;
  level := new_level;
  voided := not refused and before is null and new_level is not null and void_unproved_account(account_id);
  if refused then return next; return; end if;
  if new_level is null then
    delete from operators o where o.account_id = set_operator.account_id;
  else
    insert into operators as o (account_id, level, made_by) values (set_operator.account_id, new_level, by_account)
    on conflict on constraint operators_pkey do update set level = excluded.level;
  end if;
  return next;
end $$;

create function add_operator_event(event_id text, happened timestamptz, what text, account bigint, who text, organization bigint,
  what_to text, why text, from_ip text) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into operator_events (id, at, action, account_id, operator, organization_id, target, reason, ip)
  values (event_id, happened, what, account, who, organization, what_to, why, from_ip)
$$;

create function list_operator_events(of_organization bigint, before_id text, most integer)
returns table (id text, at timestamptz, action text, account_id bigint, operator text, organization_id bigint, target text, reason text,
  ip text)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.id, e.at, e.action, e.account_id, e.operator, e.organization_id, e.target, e.reason, e.ip
  from operator_events e
  where (of_organization is null or e.organization_id = of_organization) and (before_id is null or e.id < before_id)
  order by e.id desc limit most
$$;

-- Organizations that are closing, and those whose day has come or that are not erased yet.
create function closing_organizations()
returns table (organization_id bigint, tenant_id bigint, name text, closes_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, t.id, o.name, o.closes_at from organizations o join tenants t on t.organization_id = o.id and t.mode = 'live'
  where o.state = 'closing'
$$;

-- Closed ones that hold rows still: all of them until they are erased, and once more when what the law asks to keep was kept long enough.
create function organizations_to_erase(at timestamptz, fiscal_days integer)
returns table (organization_id bigint, tenant_ids bigint[], all_of_it boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, array(select t.id from tenants t where t.organization_id = o.id order by t.id),
    o.state_since < at - make_interval(days => fiscal_days)
  from organizations o
  where o.state = 'closed' and (o.erased_at is null
    or o.state_since < at - make_interval(days => fiscal_days) and o.name <> 'Closed organization')
$$;

-- What stays of a closed organization for as long as the law asks: numbered invoices with their lines, payments and series. The signed
-- seals of its audit log stay for ever: they name nobody.
create function kept_of_closed(of_table name) returns text
language sql immutable set search_path = public, pg_temp as $$
  select case of_table::text
    when 'invoices' then 'sequence is null'
    when 'invoice_lines' then 'not exists (select from invoices i where i.tenant_id = x.tenant_id and i.id = x.invoice_id and i.sequence is not null)'
    when 'payments' then 'not exists (select from invoices i where i.tenant_id = x.tenant_id and i.id = x.invoice_id and i.sequence is not null)'
    when 'number_series' then 'false'
    else 'true' end
$$;

-- Erases rows of an organization that is closed, at most so many of each call, those first to which nothing points; how many went, and 0 when
-- nothing is left. Anything that stops between two calls loses nothing.
create function erase_organization(organization bigint, all_of_it boolean, most integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  total bigint := 0;
  gone bigint;
  owner_key text;
  owner_id bigint;
  wanted text;
  accounts_left bigint[];
  part record;
  place record;
begin
  perform from organizations o where o.id = organization and o.state = 'closed' for update;
  if not found then raise exception 'organization % is not closed', organization; end if;
  update organizations o set owner_user_id = null where o.id = organization and o.owner_user_id is not null;
  for place in
    select 'tenant_id' as key, t.id from tenants t where t.organization_id = organization
    union all select 'organization_id', organization
  loop
    perform set_config('app.erased_' || replace(place.key, '_id', ''), place.id::text, true);
    for part in
      select c.oid::regclass::text as named, c.relname from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = place.key
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relrowsecurity
        and c.relname not in ('tenants', 'audit_seals')
      order by c.oid desc
    loop
      exit when total >= most;
      wanted := case when all_of_it then 'true' else kept_of_closed(part.relname) end;
      begin
        if part.relname = 'users' then
          with members as (
            delete from users u where u.ctid = any (array(
              select v.ctid from users v where v.organization_id = organization limit most - total))
            returning u.account_id)
          select array_agg(m.account_id), count(*) into accounts_left, gone from members m;
          perform erase_accounts(accounts_left);
        else
          execute format('delete from %1$s x where x.ctid = any (array(select x.ctid from %1$s x where x.%2$I = $1 and %3$s limit $2)) and x.%2$I = $1',
            part.named, place.key, wanted) using place.id, most - total;
          get diagnostics gone = row_count;
        end if;
        total := total + gone;
      exception when foreign_key_violation then
        -- What points to it goes first, and rows that point to one another go together.
        begin
          execute format('delete from %1$s x where x.%2$I = $1 and %3$s', part.named, place.key, wanted) using place.id;
          get diagnostics gone = row_count;
          total := total + gone;
        exception when foreign_key_violation then
          null;
        end;
      end;
    end loop;
  end loop;
  if total = 0 then
    update organizations o set erased_at = coalesce(o.erased_at, clock_timestamp()), state_reason = null,
      name = case when all_of_it then 'Closed organization' else o.name end
    where o.id = organization;
    delete from held_tenants h using tenants t where t.organization_id = organization and h.tenant_id = t.id;
  end if;
  return total;
end $$;

-- Accounts of people who are members of nothing any more, unless they run the installation, with all that is theirs.
create function erase_accounts(account_ids bigint[]) returns void
language plpgsql set search_path = public, pg_temp as $$
declare
  account bigint;
  part record;
begin
  for account in
    select a.id from accounts a where a.id = any (account_ids) and not exists (select from users u where u.account_id = a.id)
      and not exists (select from operators p where p.account_id = a.id) for update
  loop
    perform set_config('app.erased_account', account::text, true);
    for part in
      select c.oid::regclass::text as named from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'account_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname not in ('users', 'operators', 'operator_events')
    loop
      execute format('delete from %s where account_id = $1', part.named) using account;
    end loop;
    delete from accounts a where a.id = account;
  end loop;
end $$;

-- Leases archives that are to be made.
create function claim_organization_exports(token text, most integer, lease_seconds integer)
returns table (organization_id bigint, id text)
language sql security definer set search_path = public, pg_temp as $$
  update organization_exports e set lease_token = token, state = 'running', attempts = e.attempts + 1,
    lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
  from (
    select d.organization_id, d.id from organization_exports d
    where d.state in ('queued', 'running') and (d.lease_until is null or d.lease_until < clock_timestamp())
    order by d.created_at limit most for update skip locked
  ) due
  where e.organization_id = due.organization_id and e.id = due.id
  returning e.organization_id, e.id
$$;

-- Archives that were kept as long as they are.
create function expired_organization_exports(at timestamptz)
returns table (organization_id bigint, id text, storage text, storage_key text)
language sql stable security definer set search_path = public, pg_temp as $$
  select e.organization_id, e.id, e.storage, e.storage_key from organization_exports e
  where e.state = 'ready' and e.expires_at < at
$$;

select restrict_to_engine('kept_of_closed', 'erase_accounts');
select give_to_engine('move_organization', 'make_organization', 'make_owner', 'list_organizations',
  'change_organization', 'organization_admins', 'operator_standing', 'auth_operator', 'list_operators', 'list_accounts', 'set_operator',
  'add_operator_event', 'list_operator_events', 'closing_organizations', 'organizations_to_erase',
  'erase_organization', 'claim_organization_exports', 'expired_organization_exports');
