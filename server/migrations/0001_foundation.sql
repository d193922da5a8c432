-- Roles, tenancy, identity, and what every request needs: idempotency, events, the request log, revocations.
--
-- tandem_app     serves requests; owns nothing, bypasses nothing, sees only the tenant its transaction names
-- tandem_engine  owns the few security-definer functions that must cross tenants, and has policies on just their tables
-- tandem_jobs    owns the schema of the cold-job queue and nothing else
--
-- Roles belong to the whole server: another database on it may have made them. A superuser needs no membership, and an owner
-- who may act as them already need not be allowed to grant them (release 16 tells that right apart).
do $$
declare
  acting text := case when current_setting('server_version_num')::integer >= 160000 then 'SET' else 'MEMBER' end;
  role_name text;
begin
  foreach role_name in array array['tandem_app', 'tandem_engine', 'tandem_jobs'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      execute format('create role %I %s nosuperuser nobypassrls nocreatedb nocreaterole noinherit', role_name,
        case role_name when 'tandem_engine' then 'nologin' else 'login' end);
    end if;
    continue when pg_has_role(current_user, role_name, acting);
    begin
      execute format('grant %I to %I', role_name, current_user);
    exception when insufficient_privilege then
      raise insufficient_privilege using
        message = format('the role %s exists already, and %s may not act as it', role_name, current_user),
        hint = format('Let a superuser run: grant tandem_app, tandem_engine, tandem_jobs to %I; then start again.',
          current_user);
    end;
  end loop;
end $$;

create extension if not exists pg_trgm;

create schema tandem_jobs authorization tandem_jobs;
grant usage, create on schema public to tandem_engine;
grant usage on schema public to tandem_app;

-- Closes a table of tenant rows: forced row-level security, the application sees the tenant of its transaction only.
-- The setting has no default on purpose: without a tenant the query fails loudly instead of returning nothing.
create function protect_tenant_table(target regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy tenant_isolation on %s for all to tandem_app
       using (tenant_id = (select current_setting(''app.tenant_id'')::bigint))
       with check (tenant_id = (select current_setting(''app.tenant_id'')::bigint))', target);
end $$;

-- The same for rows that belong to an organization (both its tenants): users, keys, sessions.
create function protect_organization_table(target regclass, key name default 'organization_id') returns void
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format(
    'create policy organization_isolation on %s for all to tandem_app
       using (%I = (select current_setting(''app.organization_id'')::bigint))
       with check (%I = (select current_setting(''app.organization_id'')::bigint))', target, key, key);
end $$;

-- Lets the engine role cross tenants on one table.
create function open_to_engine(target regclass, rights text) returns void language plpgsql as $$
begin
  execute format('create policy engine_access on %s for all to tandem_engine using (true) with check (true)', target);
  execute format('grant %s on %s to tandem_engine', rights, target);
end $$;

-- Keys and peppers of this installation. Only the owner reads them, once, at start.
create table instance_secrets (
  name       text primary key,
  value      bytea not null,
  created_at timestamptz not null default now()
);

create table organizations (
  id                bigint generated always as identity primary key,
  name              text not null check (length(name) between 1 and 200),
  time_zone         text not null default 'UTC',
  currency          text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  default_country   text check (default_country ~ '^[A-Z]{2}$'),
  duplicate_mode    text not null default 'warn' check (duplicate_mode in ('block', 'warn', 'off')),
  invoice_numbering text not null default 'on_create' check (invoice_numbering in ('on_create', 'on_issue')),
  version           integer not null default 1,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now()
);
select protect_organization_table('organizations', 'id');
select open_to_engine('organizations', 'select, insert, update');
grant select, update on organizations to tandem_app;

-- An organization owns two tenants: live and test. Test data is another tenant, isolated by the same row-level security.
create table tenants (
  id              bigint generated always as identity,
  organization_id bigint not null references organizations (id),
  mode            text not null check (mode in ('live', 'test')),
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  unique (id),
  unique (organization_id, mode)
);
select protect_organization_table('tenants');
select open_to_engine('tenants', 'select, insert');
grant select on tenants to tandem_app;

-- E-mail and administrator identifier are unique over all organizations, because login names no organization.
create table users (
  organization_id bigint not null references organizations (id),
  id              bigint generated always as identity,
  email           text not null check (length(email) between 3 and 254),
  name            text not null check (length(name) between 1 and 200),
  role            text not null check (role in ('Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager')),
  admin_id        text,
  password_hash   text,
  disabled_at     timestamptz,
  version         integer not null default 1,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index users_email_key on users (lower(email));
create unique index users_admin_id_key on users (lower(admin_id)) where admin_id is not null;
select protect_organization_table('users');
select open_to_engine('users', 'select, insert, update');
grant select, insert, update on users to tandem_app;

-- A login. Refresh tokens are not stored: they are MACs over the session and its generation.
create table sessions (
  organization_id bigint not null,
  id              text collate "C" not null,
  user_id         bigint not null,
  tenant_id       bigint not null,
  generation      integer not null default 0,
  rotated_at      timestamptz,
  created_at      timestamptz not null default now(),
  last_used_at    timestamptz not null default now(),
  revoked_at      timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id),
  foreign key (organization_id, tenant_id) references tenants (organization_id, id)
);
create index sessions_user on sessions (organization_id, user_id);
select protect_organization_table('sessions');
select open_to_engine('sessions', 'select');
grant select, insert, update on sessions to tandem_app;

create table api_keys (
  organization_id bigint not null,
  id              text collate "C" not null,
  tenant_id       bigint not null,
  user_id         bigint not null,
  name            text not null check (length(name) between 1 and 200),
  mode            text not null check (mode in ('live', 'test')),
  hash            bytea not null,
  last_four       text not null,
  scopes          text[],
  expires_at      timestamptz,
  last_used_at    timestamptz,
  replaced_by     text collate "C",
  revoked_at      timestamptz,
  created_at      timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id),
  foreign key (organization_id, tenant_id) references tenants (organization_id, id)
);
create unique index api_keys_hash_key on api_keys (hash);
select protect_organization_table('api_keys');
select open_to_engine('api_keys', 'select, insert, update');
grant select, insert, update on api_keys to tandem_app;

-- What must bite everywhere within two seconds: every node reads the newest rows each second.
create table revocations (
  id      bigint generated always as identity primary key,
  kind    text not null check (kind in ('session', 'user', 'key', 'organization')),
  subject text not null,
  at      timestamptz not null default clock_timestamp()
);
create index revocations_at on revocations (at);
grant select, insert on revocations to tandem_app;
grant select, delete on revocations to tandem_engine;

create table idempotency_keys (
  tenant_id   bigint not null,
  key         text collate "C" not null,
  fingerprint bytea not null,
  status      integer,
  body        text,
  version     integer,
  created_at  timestamptz not null default now(),
  primary key (tenant_id, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);
select protect_tenant_table('idempotency_keys');
select open_to_engine('idempotency_keys', 'select, insert, delete');
grant select, insert, update on idempotency_keys to tandem_app;

create table events (
  tenant_id   bigint not null,
  id          text collate "C" not null,
  type        text collate "C" not null,
  resource_id text collate "C" not null,
  sequence    integer not null,
  at          timestamptz not null default clock_timestamp(),
  data        json not null,
  primary key (tenant_id, id)
);
create index events_resource on events (tenant_id, resource_id, sequence);
select protect_tenant_table('events');
select open_to_engine('events', 'select, insert');
grant select, insert on events to tandem_app;

create table request_log (
  tenant_id   bigint not null,
  id          text collate "C" not null,
  at          timestamptz not null,
  method      text not null,
  path        text not null,
  endpoint_id text,
  status      integer not null,
  duration_ms real not null,
  problem     text,
  user_id     bigint,
  key_id      text collate "C",
  ip          text,
  primary key (tenant_id, id)
);
create index request_log_at on request_log using brin (at);
select protect_tenant_table('request_log');
select open_to_engine('request_log', 'select, insert, delete');
grant select on request_log to tandem_app;

-- The engine's functions: each crosses tenants in one narrow, reviewed way.

-- The account behind an e-mail address or administrator identifier, for login only.
create function auth_login(identifier text)
returns table (organization_id bigint, user_id bigint, password_hash text, disabled boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.organization_id, u.id, u.password_hash, u.disabled_at is not null
  from users u where lower(u.email) = lower(identifier)
  union all
  select u.organization_id, u.id, u.password_hash, u.disabled_at is not null
  from users u where u.admin_id is not null and lower(u.admin_id) = lower(identifier)
  limit 1
$$;

-- Everything a principal needs, for an API key by its hash.
create function auth_api_key(key_hash bytea)
returns table (organization_id bigint, tenant_id bigint, mode text, key_id text, scopes text[], expires_at timestamptz,
  revoked_at timestamptz, user_id bigint, email text, role text, disabled boolean,
  time_zone text, currency text, default_country text, duplicate_mode text, invoice_numbering text)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.organization_id, k.tenant_id, k.mode, k.id, k.scopes, k.expires_at,
         k.revoked_at, u.id, u.email, u.role, u.disabled_at is not null,
         o.time_zone, o.currency, o.default_country, o.duplicate_mode, o.invoice_numbering
  from api_keys k
  join users u on u.organization_id = k.organization_id and u.id = k.user_id
  join organizations o on o.id = k.organization_id
  where k.hash = key_hash
$$;

-- The same for a session by its id.
create function auth_session(session text)
returns table (organization_id bigint, tenant_id bigint, mode text, revoked boolean, user_id bigint, email text, role text,
  disabled boolean, time_zone text, currency text, default_country text, duplicate_mode text, invoice_numbering text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.organization_id, s.tenant_id, t.mode, s.revoked_at is not null, u.id, u.email, u.role, u.disabled_at is not null,
         o.time_zone, o.currency, o.default_country, o.duplicate_mode, o.invoice_numbering
  from sessions s
  join users u on u.organization_id = s.organization_id and u.id = s.user_id
  join tenants t on t.organization_id = s.organization_id and t.id = s.tenant_id
  join organizations o on o.id = s.organization_id
  where s.id = session
$$;
create unique index sessions_id_key on sessions (id);

-- Revocations of the last minute: the window is wider than any transaction may last, so none is skipped for having
-- committed late.
create function recent_revocations() returns table (id bigint, kind text, subject text)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.id, r.kind, r.subject from revocations r where r.at > clock_timestamp() - interval '1 minute'
$$;

create function touch_api_keys(key_ids text[], used_at timestamptz[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  update api_keys k set last_used_at = u.at
  from unnest(key_ids, used_at) as u (id, at)
  where k.id = u.id and (k.last_used_at is null or k.last_used_at < u.at)
$$;
create index api_keys_id on api_keys (id);

create function write_request_log(tenant_ids bigint[], ids text[], ats bigint[], methods text[], paths text[],
  endpoint_ids text[], statuses integer[], durations real[], problems text[], user_ids bigint[], key_ids text[], ips text[])
returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- The log tells of effects but is none: its commit need not wait for the disk.
  perform set_config('synchronous_commit', 'off', true);
  insert into request_log (tenant_id, id, at, method, path, endpoint_id, status, duration_ms, problem, user_id, key_id, ip)
  select r.tenant_id, r.id, to_timestamp(r.at_ms / 1000.0), r.method, r.path, r.endpoint_id, r.status, r.duration_ms,
    r.problem, r.user_id, r.key_id, r.ip
  from unnest(tenant_ids, ids, ats, methods, paths, endpoint_ids, statuses, durations, problems, user_ids, key_ids, ips)
    as r (tenant_id, id, at_ms, method, path, endpoint_id, status, duration_ms, problem, user_id, key_id, ip);
end $$;

-- Deletes what has outlived its promise, a bounded number of rows a call; returns how many went.
create function purge_expired(max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  total integer := 0;
begin
  delete from idempotency_keys where ctid = any (array(
    select ctid from idempotency_keys where created_at < now() - interval '72 hours' limit max_rows));
  get diagnostics gone = row_count;
  total := total + gone;
  -- Request ids begin with their time, so the primary key finds the old ones of a tenant.
  delete from request_log where ctid = any (array(
    select ctid from request_log where at < now() - interval '7 days' limit max_rows));
  get diagnostics gone = row_count;
  total := total + gone;
  delete from revocations where at < now() - interval '1 day';
  return total;
end $$;

do $$
declare
  signature text;
begin
  foreach signature in array array[
    'auth_login(text)', 'auth_api_key(bytea)', 'auth_session(text)', 'recent_revocations()',
    'touch_api_keys(text[], timestamptz[])',
    'write_request_log(bigint[], text[], bigint[], text[], text[], text[], integer[], real[], text[], bigint[], text[], text[])',
    'purge_expired(integer)']
  loop
    execute format('alter function %s owner to tandem_engine', signature);
    execute format('revoke all on function %s from public', signature);
    execute format('grant execute on function %s to tandem_app', signature);
  end loop;
end $$;
revoke create on schema public from tandem_engine;
