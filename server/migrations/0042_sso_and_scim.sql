-- People who log in by the identity provider of their organization (OpenID Connect), and who are kept by it (SCIM 2.0).

-- Domains that an organization has shown to be its own, by a row in the DNS. It alone speaks for addresses at them.
create table organization_domains (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^dom_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  domain          text not null check (length(domain) between 3 and 253 and domain = lower(domain)),
  -- What the row in the DNS has to say.
  token           text not null,
  status          text not null default 'pending' check (status in ('pending', 'verified', 'lapsed')),
  -- Looks in a row that did not find it.
  misses          integer not null default 0,
  found           text[],
  checked_at      timestamptz,
  -- When it is looked up again.
  check_at        timestamptz,
  verified_at     timestamptz,
  version         integer not null default 1,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id),
  constraint organization_domains_domain unique (organization_id, domain)
);
-- One organization a domain: the first that verified it.
create unique index organization_domains_verified on organization_domains (domain) where status = 'verified';
create index organization_domains_due on organization_domains (check_at) where check_at is not null;
select protect_organization_table('organization_domains');
select open_to_engine('organization_domains', 'select');
grant select, insert, update, delete on organization_domains to tandem_app;

-- Domains of all organizations that are to be looked up again.
create function due_organization_domains(before timestamptz, most integer)
returns table (organization_id bigint, tenant_id bigint, id text, domain text, token text)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.organization_id, t.id, d.id, d.domain, d.token
  from organization_domains d join tenants t on t.organization_id = d.organization_id and t.mode = 'live'
  where d.check_at <= before order by d.check_at limit most
$$;

-- Whether the domain of an address is the organization's own.
create function speaks_for(organization bigint, address text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from organization_domains d
    where d.organization_id = organization and d.status = 'verified' and d.domain = lower(split_part(address, '@', 2)))
$$;

-- Who holds a permission, to be written to about what it is for: the owner, members with one of the built-in roles that hold it, and members
-- with a role of the organization's own in which it is.
create function people_who_may(organization bigint, permission text, built_in_roles text[]) returns table (email text, name text, locale text)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.email, a.name, a.locale
  from organizations o join users u on u.organization_id = o.id join accounts a on a.id = u.account_id
  left join roles r on r.organization_id = u.organization_id and r.id = u.role_id
  where o.id = organization and u.disabled_at is null and u.removed_at is null
    and (u.id = o.owner_user_id
      or case when u.role_id is null then u.role = any (built_in_roles) else permission = any (r.permissions) end)
$$;

-- Identity providers of an organization.
create table sso_connections (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^sso_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  name            text not null check (length(name) between 1 and 100),
  issuer          text not null,
  client_id       text not null,
  client_secret   text,
  scopes          text[] not null default '{openid,email,profile}',
  status          text not null default 'draft' check (status in ('draft', 'tested', 'active', 'enforced', 'disabled')),
  role_claim      text,
  -- [{"value", "role"}], the first that fits.
  role_map        json not null default '[]',
  -- Whether who is unknown becomes a member, and as what.
  creates_members boolean not null default false,
  default_role    text not null default 'Sales Executive'
    check (default_role in ('Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager')),
  -- Values of amr and acr that stand for the second factor.
  strong_methods  text[] not null default '{}',
  -- Users who log in with a password although everybody else must come by the provider.
  break_glass     bigint[] not null default '{}',
  -- Since when people must come by it; and while members get a mail about that, the last one who got it.
  enforced_at     timestamptz,
  notified_up_to  bigint,
  -- The newest verified domain that was counted then: members at one that is verified later get it as well.
  notified_verified_at timestamptz,
  tested_at       timestamptz,
  tested_by       bigint,
  -- [{"step", "outcome", "text"}] of the last test.
  test_log        json,
  version         integer not null default 1,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
-- People are sent to one provider: there is no choice to be made at the login.
create unique index sso_connections_working on sso_connections (organization_id) where status in ('active', 'enforced');
create unique index sso_connections_id_key on sso_connections (id);
select protect_organization_table('sso_connections');
select open_to_engine('sso_connections', 'select');
grant select, insert, update, delete on sso_connections to tandem_app;

-- Who somebody is at a provider: its own id of them, never an address.
create table sso_identities (
  organization_id bigint not null,
  connection_id   text collate "C" not null,
  subject         text collate "C" not null check (length(subject) between 1 and 255),
  user_id         bigint not null,
  last_used_at    timestamptz not null default now(),
  created_at      timestamptz not null default now(),
  primary key (organization_id, connection_id, subject),
  foreign key (organization_id, connection_id) references sso_connections (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id),
  constraint sso_identities_user unique (organization_id, connection_id, user_id)
);
create index sso_identities_of on sso_identities (organization_id, user_id);
select protect_organization_table('sso_identities');
grant select, insert, update, delete on sso_identities to tandem_app;

-- Where a connection belongs, before any context is known.
create function find_sso_connection(connection text)
returns table (organization_id bigint, tenant_id bigint, organization_name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.organization_id, t.id, o.name
  from sso_connections c
  join organizations o on o.id = c.organization_id
  join tenants t on t.organization_id = c.organization_id and t.mode = 'live'
  where c.id = connection
$$;

-- The provider of a domain. It is asked by its domain alone: whether an address exists makes no difference.
create function discover_sso(wanted text) returns table (id text, organization_name text, status text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.id, o.name, c.status
  from organization_domains d
  join sso_connections c on c.organization_id = d.organization_id and c.status in ('active', 'enforced')
  join organizations o on o.id = d.organization_id
  where d.domain = wanted and d.status = 'verified'
$$;

-- Connections of all organizations whose members are still to be written to, some or all.
create function sso_connections_to_notify(most integer) returns table (organization_id bigint, tenant_id bigint, id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.organization_id, t.id, c.id
  from sso_connections c join tenants t on t.organization_id = c.organization_id and t.mode = 'live'
  where c.status in ('active', 'enforced') and (c.notified_up_to is not null or c.status = 'enforced' and exists (
    select from organization_domains d where d.organization_id = c.organization_id and d.status = 'verified'
      and d.verified_at > c.notified_verified_at))
  order by c.organization_id limit most
$$;

-- Members who must come by an identity provider, from a member on: at verified domains, and not named for emergencies.
create function bound_members(organization bigint, connection text, after bigint, most integer)
returns table (user_id bigint, email text, name text, locale text)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.id, a.email, a.name, a.locale
  from sso_connections c join users u on u.organization_id = c.organization_id join accounts a on a.id = u.account_id
  where c.organization_id = organization and c.id = connection and u.id > after and u.disabled_at is null
    and u.id <> all (c.break_glass) and speaks_for(organization, u.email)
  order by u.id limit most
$$;

-- The account of an address that the organization speaks for, made where there is none: without a password. One that somebody else may have
-- made is voided before it is taken. Null for an address at a domain that is not verified.
create function account_by_domain(organization bigint, address text, person text) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  account bigint;
begin
  if not speaks_for(organization, address) then return null; end if;
  insert into accounts (email, name, email_verified_at, own_since) values (address, person, now(), now())
  on conflict (lower(email)) do nothing returning id into account;
  if account is null then
    select a.id into account from accounts a where lower(a.email) = lower(address);
    if not exists (select from users u where u.organization_id = organization and u.account_id = account and u.removed_at is null)
      and void_unproved_account(account) then
      update accounts set email_verified_at = now(), own_since = now() where id = account;
    end if;
  end if;
  return account;
end $$;

-- Another address of somebody, by SCIM; as change_sole_account, from and to addresses that the organization speaks for.
create function rename_member(organization bigint, member bigint, address text) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not speaks_for(organization, address) then return 'domain'; end if;
  if not exists (select from users u where u.organization_id = organization and u.id = member and speaks_for(organization, u.email)) then
    return 'foreign';
  end if;
  return change_sole_account(organization, member, address, null, null, false, false);
end $$;

-- Keeping members by SCIM: what is set up.
create table scim_settings (
  organization_id bigint not null references organizations (id),
  enabled         boolean not null default false,
  default_role    text not null default 'Sales Executive'
    check (default_role in ('Sales Manager', 'Sales Executive', 'Finance Manager')),
  -- [{"group", "role"}], the first that fits.
  group_map       json not null default '[]',
  version         integer not null default 1,
  updated_at      timestamptz not null default now(),
  primary key (organization_id)
);
select protect_organization_table('scim_settings');
grant select, insert, update on scim_settings to tandem_app;

-- What the provider calls a member.
create table scim_users (
  organization_id bigint not null,
  user_id         bigint not null,
  user_name       text not null check (length(user_name) between 1 and 254),
  external_id     text check (length(external_id) between 1 and 255),
  given_name      text,
  family_name     text,
  -- Deleted by the provider: disabled here, and not shown to it.
  deleted_at      timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, user_id),
  foreign key (organization_id, user_id) references users (organization_id, id)
);
create unique index scim_users_name on scim_users (organization_id, lower(user_name)) where deleted_at is null;
select protect_organization_table('scim_users');
grant select, insert, update, delete on scim_users to tandem_app;

create table scim_groups (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^sgr_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  display_name    text not null check (length(display_name) between 1 and 255),
  external_id     text check (length(external_id) between 1 and 255),
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index scim_groups_name on scim_groups (organization_id, lower(display_name));
select protect_organization_table('scim_groups');
grant select, insert, update, delete on scim_groups to tandem_app;

create table scim_members (
  organization_id bigint not null,
  group_id        text collate "C" not null,
  user_id         bigint not null,
  primary key (organization_id, group_id, user_id),
  foreign key (organization_id, group_id) references scim_groups (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id)
);
create index scim_members_user on scim_members (organization_id, user_id);
select protect_organization_table('scim_members');
grant select, insert, delete on scim_members to tandem_app;

-- The last requests of the provider, for who sets it up: without bodies.
create table scim_requests (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null,
  method          text not null,
  path            text not null,
  status          integer not null,
  fault           text,
  at              timestamptz not null,
  primary key (organization_id, id)
);
select protect_organization_table('scim_requests');
grant select, insert, delete on scim_requests to tandem_app;

select give_to_engine('due_organization_domains', 'speaks_for', 'people_who_may', 'find_sso_connection', 'discover_sso',
  'sso_connections_to_notify', 'bound_members', 'account_by_domain', 'rename_member');
