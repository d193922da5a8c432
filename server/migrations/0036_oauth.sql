-- OAuth: apps, clients, secrets, grants, records of the authorization server.

-- A program that organizations let in. What it does in its own name it does as its service user, a row of users.
create table oauth_apps (
  organization_id   bigint not null references organizations (id),
  id                text collate "C" not null,
  name              text not null check (length(name) between 1 and 100),
  description       text,
  homepage_url      text,
  privacy_url       text,
  kind              text not null check (kind in ('confidential', 'public', 'machine')),
  redirect_uris     text[] not null default '{}' check (cardinality(redirect_uris) <= 20),
  -- The most that anyone can let it do.
  scopes            text[] not null,
  require_par       boolean not null default false,
  status            text not null default 'active' check (status in ('active', 'suspended')),
  service_user_id   bigint not null,
  -- Tokens from before are worth nothing any more.
  tokens_not_before timestamptz,
  created_by        bigint not null,
  deleted_at        timestamptz,
  version           integer not null default 1,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, service_user_id) references users (organization_id, id),
  foreign key (organization_id, created_by) references users (organization_id, id)
);
select protect_organization_table('oauth_apps');
select open_to_engine('oauth_apps', 'select');
grant select, insert, update on oauth_apps to tandem_app;

-- What an app calls itself in each mode.
create table oauth_app_clients (
  organization_id bigint not null,
  client_id       text collate "C" not null,
  app_id          text collate "C" not null,
  tenant_id       bigint not null,
  mode            text not null check (mode in ('live', 'test')),
  primary key (organization_id, client_id),
  foreign key (organization_id, app_id) references oauth_apps (organization_id, id),
  foreign key (organization_id, tenant_id) references tenants (organization_id, id),
  unique (organization_id, app_id, mode)
);
create unique index oauth_app_clients_id_key on oauth_app_clients (client_id);
select protect_organization_table('oauth_app_clients');
select open_to_engine('oauth_app_clients', 'select');
grant select, insert on oauth_app_clients to tandem_app;

-- Only keyed hashes; at most two a mode, so that one can follow the other without a pause.
create table oauth_app_secrets (
  organization_id bigint not null,
  id              text collate "C" not null,
  client_id       text collate "C" not null,
  hash            bytea not null,
  last_four       text not null,
  last_used_at    timestamptz,
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, client_id) references oauth_app_clients (organization_id, client_id)
);
create index oauth_app_secrets_client on oauth_app_secrets (client_id);
select protect_organization_table('oauth_app_secrets');
select open_to_engine('oauth_app_secrets', 'select, update');
grant select, insert, delete on oauth_app_secrets to tandem_app;

-- What a person let a client do, in one mode. Clients that no organization registered have no app.
create table oauth_grants (
  organization_id bigint not null,
  id              text collate "C" not null,
  tenant_id       bigint not null,
  mode            text not null check (mode in ('live', 'test')),
  client_id       text collate "C" not null,
  client_name     text not null,
  app_id          text collate "C",
  user_id         bigint not null,
  scopes          text[] not null,
  resource        text not null,
  ip              text,
  expires_at      timestamptz not null,
  last_used_at    timestamptz,
  revoked_at      timestamptz,
  revoked_because text check (revoked_because in ('person', 'admin', 'app', 'reuse', 'app_deleted', 'blocked', 'newer')),
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, tenant_id) references tenants (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id),
  foreign key (organization_id, app_id) references oauth_apps (organization_id, id),
  constraint oauth_grants_revoked check ((revoked_at is null) = (revoked_because is null))
);
create unique index oauth_grants_id_key on oauth_grants (id);
create index oauth_grants_user on oauth_grants (organization_id, user_id, id);
create index oauth_grants_client on oauth_grants (organization_id, client_id, id);
select protect_organization_table('oauth_grants');
select open_to_engine('oauth_grants', 'select, update');
grant select, insert, update on oauth_grants to tandem_app;

-- What an organization decided on clients that it did not register.
create table oauth_client_policies (
  organization_id bigint not null references organizations (id),
  client_id       text collate "C" not null,
  client_name     text not null,
  -- Null while nobody has decided: somebody asked for it.
  decision        text check (decision in ('allowed', 'blocked')),
  decided_by      bigint,
  decided_at      timestamptz,
  asked_by        bigint,
  created_at      timestamptz not null default now(),
  primary key (organization_id, client_id),
  foreign key (organization_id, decided_by) references users (organization_id, id),
  foreign key (organization_id, asked_by) references users (organization_id, id)
);
select protect_organization_table('oauth_client_policies');
select open_to_engine('oauth_client_policies', 'select');
grant select, insert, update on oauth_client_policies to tandem_app;

-- Clients of no organization: they registered themselves (RFC 7591), or publish a document under their id.
create table oauth_foreign_clients (
  client_id  text collate "C" primary key,
  sealed     text not null,
  claimed_at timestamptz,
  last_used  timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index oauth_foreign_clients_unclaimed on oauth_foreign_clients (created_at) where claimed_at is null;
create index oauth_foreign_clients_used on oauth_foreign_clients (last_used);
grant select, insert, update, delete on oauth_foreign_clients to tandem_engine;

-- What the authorization server keeps: codes, refresh tokens, requests under way. An id is the secret itself, so only its keyed hash is
-- here, and what belongs to it is sealed. Half of it exists before any organization is known.
create table oauth_records (
  kind           text collate "C" not null,
  hash           bytea not null,
  grant_id       text collate "C",
  uid_hash       bytea,
  user_code_hash bytea,
  sealed         text not null,
  consumed_at    timestamptz,
  expires_at     timestamptz not null,
  primary key (kind, hash)
);
create index oauth_records_grant on oauth_records (grant_id) where grant_id is not null;
create index oauth_records_uid on oauth_records (kind, uid_hash) where uid_hash is not null;
create index oauth_records_user_code on oauth_records (kind, user_code_hash) where user_code_hash is not null;
create index oauth_records_expiry on oauth_records (expires_at);
grant select, insert, update, delete on oauth_records to tandem_engine;

-- Access tokens that ended before their time, by the keyed hash of their jti, until they would have ended anyway.
create table oauth_revoked_tokens (
  hash       bytea primary key,
  expires_at timestamptz not null
);
create index oauth_revoked_tokens_expiry on oauth_revoked_tokens (expires_at);
grant select, insert, delete on oauth_revoked_tokens to tandem_engine;

-- What apps did wrong, said more plainly than the protocol lets it be said to the app: the last of it.
create table oauth_app_errors (
  organization_id bigint not null,
  id              text collate "C" not null,
  app_id          text collate "C" not null,
  client_id       text collate "C" not null,
  mode            text not null check (mode in ('live', 'test')),
  -- Where it asked: /oauth/token.
  path            text not null,
  status          smallint not null,
  error           text collate "C" not null,
  -- What it was answered, and what was not.
  description     text,
  detail          text,
  ip              text,
  user_agent      text,
  request_id      text collate "C" not null,
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, app_id) references oauth_apps (organization_id, id)
);
create index oauth_app_errors_app on oauth_app_errors (organization_id, app_id, id);
create index oauth_app_errors_at on oauth_app_errors using brin (created_at);
select protect_organization_table('oauth_app_errors');
select open_to_engine('oauth_app_errors', 'select, delete');
grant select, insert on oauth_app_errors to tandem_app;

-- The engine's functions.

-- Stores a record, or what it has become. What was consumed stays so, and a refresh token has one successor, no matter who makes it.
create function oauth_put(record_kind text, record_hash bytea, grant_of text, uid bytea, user_code bytea, payload text,
  seconds double precision) returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into oauth_records as r (kind, hash, grant_id, uid_hash, user_code_hash, sealed, expires_at)
  values (record_kind, record_hash, grant_of, uid, user_code, payload, clock_timestamp() + make_interval(secs => seconds))
  on conflict (kind, hash) do update
    set sealed = excluded.sealed, grant_id = excluded.grant_id, expires_at = excluded.expires_at
    where r.kind <> 'RefreshToken'
$$;

create function oauth_find(record_kind text, record_hash bytea) returns table (hash bytea, sealed text, consumed_seconds double precision)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.hash, r.sealed, extract(epoch from clock_timestamp() - r.consumed_at)::double precision
  from oauth_records r where r.kind = record_kind and r.hash = record_hash
$$;

create function oauth_find_by(record_kind text, by_uid bytea, by_user_code bytea)
returns table (hash bytea, sealed text, consumed_seconds double precision)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.hash, r.sealed, extract(epoch from clock_timestamp() - r.consumed_at)::double precision
  from oauth_records r
  where r.kind = record_kind and (r.uid_hash = by_uid or (by_uid is null and r.user_code_hash = by_user_code))
$$;

-- One of many that come at once is first. Others within the grace learn that: they get the same successor.
create function oauth_consume(record_kind text, record_hash bytea, grace_seconds double precision) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  consumed timestamptz;
begin
  update oauth_records r set consumed_at = clock_timestamp()
  where r.kind = record_kind and r.hash = record_hash and r.consumed_at is null;
  if found then return 'first'; end if;
  select r.consumed_at into consumed from oauth_records r where r.kind = record_kind and r.hash = record_hash;
  if consumed > clock_timestamp() - make_interval(secs => grace_seconds) then return 'grace'; end if;
  return 'late';
end $$;

create function oauth_destroy(record_kind text, record_hash bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from oauth_records r where r.kind = record_kind and r.hash = record_hash
$$;

-- Ends grants with all that was made of them; of which organization and tenant those were that had not ended.
create function oauth_revoke_grants(grant_ids text[], why text)
returns table (id text, organization_id bigint, tenant_id bigint)
language sql security definer set search_path = public, pg_temp as $$
  with gone as (delete from oauth_records r where r.grant_id = any (grant_ids)),
  ended as (
    update oauth_grants g set revoked_at = clock_timestamp(), revoked_because = why
    where g.id = any (grant_ids) and g.revoked_at is null
    returning g.id, g.organization_id, g.tenant_id),
  spread as (insert into revocations (kind, subject) select 'oauth', e.id from ended e)
  select * from ended
$$;

-- Where a grant belongs, before any context is known.
create function oauth_grant_scope(wanted text) returns table (organization_id bigint, tenant_id bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select g.organization_id, g.tenant_id from oauth_grants g where g.id = wanted
$$;

-- Ends one access token.
create function oauth_revoke_token(token_hash bytea, ends_at timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  with spread as (insert into revocations (kind, subject) values ('oauth', 'token'))
  insert into oauth_revoked_tokens (hash, expires_at) values (token_hash, ends_at) on conflict do nothing
$$;

-- A client as the authorization server needs it: one that is suspended or deleted is none.
create function oauth_client(wanted text)
returns table (app_id text, organization_id bigint, tenant_id bigint, mode text, name text, kind text, redirect_uris text[],
  scopes text[], require_par boolean, secrets text[])
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.organization_id, c.tenant_id, c.mode, a.name, a.kind, a.redirect_uris, a.scopes, a.require_par,
    array(select encode(s.hash, 'hex') from oauth_app_secrets s where s.client_id = c.client_id order by s.id)
  from oauth_app_clients c
  join oauth_apps a on a.organization_id = c.organization_id and a.id = c.app_id
  where c.client_id = wanted and a.status = 'active' and a.deleted_at is null
$$;

-- Of which origins pages may call the API: those to which a public app that stands sends people back.
create function oauth_page_origins() returns table (origin text)
language sql stable security definer set search_path = public, pg_temp as $$
  select distinct lower(substring(uri from '^https?://[^/?#]+'))
  from oauth_apps a cross join unnest(a.redirect_uris) uri
  where a.kind = 'public' and a.status = 'active' and a.deleted_at is null and uri ~ '^https?://'
$$;

-- Notes, once a minute at most, that a secret was used.
create function oauth_touch_secret(used bytea) returns void
language sql security definer set search_path = public, pg_temp as $$
  update oauth_app_secrets s set last_used_at = clock_timestamp()
  where s.hash = used and coalesce(s.last_used_at < clock_timestamp() - interval '1 minute', true)
$$;

-- What a token is made with: whether the grant stands, and where; notes that it was used.
create function oauth_use_grant(wanted text) returns table (tenant_id bigint, user_id bigint)
language sql security definer set search_path = public, pg_temp as $$
  update oauth_grants g set last_used_at = clock_timestamp()
  from users u
  where g.id = wanted and g.revoked_at is null and g.expires_at > clock_timestamp()
    and u.organization_id = g.organization_id and u.id = g.user_id and u.disabled_at is null
    and not exists (select from oauth_client_policies p
      where p.organization_id = g.organization_id and p.client_id = g.client_id and p.decision = 'blocked')
  returning g.tenant_id, g.user_id
$$;

create function oauth_foreign_client(wanted text) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select f.sealed from oauth_foreign_clients f where f.client_id = wanted
$$;

-- Takes in a client that registers itself, unless too many have that nobody let in; or what one publishes.
create function oauth_keep_foreign_client(new_id text, payload text, most bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if most is not null and (select count(*) from oauth_foreign_clients f where f.claimed_at is null) >= most then
    return false;
  end if;
  insert into oauth_foreign_clients (client_id, sealed) values (new_id, payload)
  on conflict (client_id) do update set sealed = excluded.sealed, last_used = clock_timestamp();
  return true;
end $$;

create function oauth_claim_foreign_client(wanted text) returns void
language sql security definer set search_path = public, pg_temp as $$
  update oauth_foreign_clients f set claimed_at = coalesce(f.claimed_at, clock_timestamp()), last_used = clock_timestamp()
  where f.client_id = wanted
$$;

-- Everything a principal needs, for an access token of a grant, or of a client that acts in its own name.
create function auth_oauth(client text, grant_of text, token_hash bytea)
returns table (organization_id bigint, tenant_id bigint, mode text, revoked boolean, user_id bigint, email text, role text,
  custom jsonb, disabled boolean, time_zone text, currency text, default_country text, duplicate_mode text, invoice_numbering text,
  app_id text, scopes text[], not_before timestamptz, organization_state text)
language sql stable security definer set search_path = public, pg_temp as $$
  select g.organization_id, g.tenant_id, g.mode,
    g.revoked_at is not null or g.expires_at <= clock_timestamp() or a.status = 'suspended' or a.deleted_at is not null
      or exists (select from oauth_revoked_tokens t where t.hash = token_hash)
      or exists (select from oauth_client_policies p
        where p.organization_id = g.organization_id and p.client_id = g.client_id and p.decision = 'blocked'),
    u.id, u.email, u.role, custom_role(u.organization_id, u.id, u.role_id), u.disabled_at is not null or o.state = 'closed',
    o.time_zone, o.currency, o.default_country, o.duplicate_mode, o.invoice_numbering,
    g.app_id, case when a.id is null then g.scopes else array(select unnest(g.scopes) intersect select unnest(a.scopes)) end,
    a.tokens_not_before, o.state
  from oauth_grants g
  join users u on u.organization_id = g.organization_id and u.id = g.user_id
  join organizations o on o.id = g.organization_id
  left join oauth_apps a on a.organization_id = g.organization_id and a.id = g.app_id
  where g.id = grant_of and g.client_id = client
  union all
  select c.organization_id, c.tenant_id, c.mode,
    a.status = 'suspended' or a.deleted_at is not null
      or exists (select from oauth_revoked_tokens t where t.hash = token_hash),
    u.id, u.email, u.role, custom_role(u.organization_id, u.id, u.role_id), u.disabled_at is not null or o.state = 'closed',
    o.time_zone, o.currency, o.default_country, o.duplicate_mode, o.invoice_numbering,
    a.id, a.scopes, a.tokens_not_before, o.state
  from oauth_app_clients c
  join oauth_apps a on a.organization_id = c.organization_id and a.id = c.app_id
  join users u on u.organization_id = a.organization_id and u.id = a.service_user_id
  join organizations o on o.id = c.organization_id
  where grant_of is null and c.client_id = client
$$;

-- Takes away what has ended: how many rows.
create function purge_oauth(max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  total integer;
begin
  delete from oauth_records where ctid = any (array(
    select ctid from oauth_records where expires_at < clock_timestamp() - interval '1 hour' limit max_rows));
  get diagnostics total = row_count;
  delete from oauth_revoked_tokens where ctid = any (array(
    select ctid from oauth_revoked_tokens where expires_at < clock_timestamp() limit max_rows));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from oauth_foreign_clients where ctid = any (array(
    select ctid from oauth_foreign_clients
    where last_used < clock_timestamp() - interval '90 days'
      or (claimed_at is null and created_at < clock_timestamp() - interval '1 day') limit max_rows));
  get diagnostics gone = row_count;
  return total + gone;
end $$;

-- Takes away what is older than 30 days, and of each app all but the last thousand: how many rows.
create function purge_oauth_app_errors(max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  total integer;
begin
  delete from oauth_app_errors where ctid = any (array(
    select ctid from oauth_app_errors where created_at < clock_timestamp() - interval '30 days' limit max_rows));
  get diagnostics total = row_count;
  delete from oauth_app_errors where ctid = any (array(
    select e.ctid from (
      select ctid, row_number() over (partition by organization_id, app_id order by id desc) as place from oauth_app_errors) e
    where e.place > 1000 limit max_rows));
  get diagnostics gone = row_count;
  return total + gone;
end $$;

select give_to_engine('oauth_put', 'oauth_find', 'oauth_find_by', 'oauth_consume', 'oauth_destroy', 'oauth_revoke_grants',
  'oauth_grant_scope',  'oauth_revoke_token', 'oauth_client', 'oauth_page_origins', 'oauth_touch_secret', 'oauth_use_grant', 'oauth_foreign_client',
  'oauth_keep_foreign_client', 'oauth_claim_foreign_client', 'auth_oauth', 'purge_oauth', 'purge_oauth_app_errors');
