-- Who may use this installation: organizations with their two tenants, users, sessions, API keys, and the limits on failed logins.

create table organizations (
  id                bigint generated always as identity primary key,
  name              text not null check (length(name) between 1 and 200),
  time_zone         text not null default 'UTC',
  currency          text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  default_country   text check (default_country ~ '^[A-Z]{2}$'),
  duplicate_mode    text not null default 'warn' check (duplicate_mode in ('block', 'warn', 'off')),
  invoice_numbering text not null default 'on_create' check (invoice_numbering in ('on_create', 'on_issue')),
  state             text not null default 'active' check (state in ('active', 'suspended', 'closing', 'closed')),
  -- Why it is so, as people read it.
  state_reason      text check (length(state_reason) <= 500),
  state_since       timestamptz not null default now(),
  -- Who is closing it, which nobody else takes back; when it becomes closed; when the last of it was erased.
  closing_by        text check (closing_by in ('owner', 'operator')),
  closes_at         timestamptz,
  erased_at         timestamptz,
  -- The one member who may close it or hand it over: its first Admin. Without one until there is an Admin.
  owner_user_id     bigint,
  -- Mails a day, where it is not as many as the server says: few for those who signed up by themselves.
  mails_per_day     integer check (mails_per_day >= 0),
  version           integer not null default 1,
  created_at        timestamptz not null default now(),
  updated_at        timestamptz not null default now(),
  constraint organizations_closing check ((state = 'closing') = (closing_by is not null) and (state = 'closing') = (closes_at is not null))
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

-- A person who logs in: one account, whatever organizations they are members of. What they are in one of them is a row of users.
create table accounts (
  id                    bigint generated always as identity primary key,
  email                 text not null check (length(email) between 3 and 254),
  email_verified_at     timestamptz,
  -- Since when all that logs in is its person's: they chose the password by a link that was mailed to the address and that no organization
  -- could read but one that speaks for it. Null: somebody else may know or have something that logs in.
  own_since             timestamptz,
  name                  text not null check (length(name) between 1 and 200),
  password_hash         text,
  password_changed_at   timestamptz,
  -- Set by somebody else: anyone who logs in with it chooses another first.
  password_is_temporary boolean not null default false,
  locale                text check (length(locale) between 2 and 35),
  created_at            timestamptz not null default now(),
  updated_at            timestamptz not null default now()
);
create unique index accounts_email_key on accounts (lower(email));
select protect_account_table('accounts', 'id');
select open_to_engine('accounts', 'select, insert, update');
grant select, update on accounts to tandem_app;

-- Members of an organization: people, by their account, and what apps act as. Name and e-mail are copies of the account's. The
-- administrator identifier is unique over all organizations, because login names none.
create table users (
  organization_id bigint not null references organizations (id),
  id              bigint generated always as identity,
  kind            text not null default 'person' check (kind in ('person', 'app')),
  account_id      bigint references accounts (id),
  email           text not null check (length(email) between 3 and 254),
  name            text not null check (length(name) between 1 and 200),
  role            text not null check (role in ('Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager')),
  -- A role of the organization's own, whose base is the role above.
  role_id         text collate "C",
  admin_id        text,
  disabled_at     timestamptz,
  -- Who left: disabled, and in no list. Their records still name them.
  removed_at      timestamptz,
  -- When they last chose this organization: a login without a choice goes to the last one.
  last_used_at    timestamptz,
  version         integer not null default 1,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id),
  constraint users_person check ((kind = 'person') = (account_id is not null)),
  constraint users_removed check (removed_at is null or disabled_at is not null)
);
alter table organizations add constraint organizations_owner foreign key (id, owner_user_id) references users (organization_id, id);
create unique index users_member on users (organization_id, account_id);
create index users_account on users (account_id);
create index users_email on users (organization_id, lower(email));
create unique index users_admin_id_key on users (lower(admin_id)) where admin_id is not null;
select protect_organization_table('users');
select open_to_engine('users', 'select, insert, update');
grant select, insert, update on users to tandem_app;

-- Sessions, one for each mode that a login opened. Refresh tokens are not stored: they are MACs over the session and its generation.
create table sessions (
  organization_id bigint not null,
  id              text collate "C" not null,
  -- What people know as one session: all that one login opened, also in other organizations.
  login_id        text collate "C" not null,
  user_id         bigint not null,
  tenant_id       bigint not null,
  generation      integer not null default 0,
  rotated_at      timestamptz,
  created_at      timestamptz not null default now(),
  last_used_at    timestamptz not null default now(),
  revoked_at      timestamptz,
  -- How the person proved who they are (RFC 8176), when last, and when last with all that the account asks for.
  amr             text[] not null default '{}',
  auth_at         timestamptz not null default now(),
  factor_at       timestamptz,
  ip              text,
  user_agent      text,
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id),
  foreign key (organization_id, tenant_id) references tenants (organization_id, id)
);
create index sessions_user on sessions (organization_id, user_id);
create index sessions_login on sessions (login_id);
create unique index sessions_id_key on sessions (id);
select protect_organization_table('sessions');
select open_to_engine('sessions', 'select, update');
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
  -- Which key made it: anyone who holds that one knows the secret of this one, so ending the one ends the other.
  parent_id       text collate "C",
  primary key (organization_id, id),
  foreign key (organization_id, user_id) references users (organization_id, id),
  foreign key (organization_id, tenant_id) references tenants (organization_id, id),
  constraint api_keys_parent foreign key (organization_id, parent_id) references api_keys (organization_id, id)
);
create unique index api_keys_hash_key on api_keys (hash);
create index api_keys_id on api_keys (id);
create index api_keys_children on api_keys (organization_id, parent_id) where parent_id is not null;
create index api_keys_user on api_keys (organization_id, user_id);
select protect_organization_table('api_keys');
select open_to_engine('api_keys', 'select, insert, update');
grant select, insert, update on api_keys to tandem_app;

-- What must bite everywhere within two seconds: every node reads the newest rows each second.
create table revocations (
  id      bigint generated always as identity primary key,
  kind    text not null check (kind in ('session', 'user', 'key', 'organization', 'account', 'oauth')),
  subject text not null,
  at      timestamptz not null default clock_timestamp()
);
create index revocations_at on revocations (at);
grant select, insert on revocations to tandem_app;
grant select, insert, delete on revocations to tandem_engine;

-- Where an account logged in of late: what strangers guess elsewhere makes nobody wait there. A place is a device, by the hash of
-- what its cookie proves, or a block of addresses. Devices have an id, for people to see them and to take their trust back.
create table login_places (
  account_id    bigint not null references accounts (id),
  place         text collate "C" not null,
  id            text collate "C",
  user_agent    text,
  ip            text,
  -- Until then it stands for the second factor.
  trusted_until timestamptz,
  created_at    timestamptz not null default now(),
  seen_at       timestamptz not null,
  primary key (account_id, place)
);
select protect_account_table('login_places');
select open_to_engine('login_places', 'select');
grant select, insert, update, delete on login_places to tandem_app;

-- Failed logins of the last hour, for every process to see. A name is a keyed hash: people type passwords into the field for
-- the account. Unlogged: after a crash of the database guesses are counted again.
create unlogged table login_failures (
  name     text collate "C" primary key,
  failures integer not null,
  last_ms  bigint not null
);
create index login_failures_last on login_failures (last_ms);
grant select, insert, update, delete on login_failures to tandem_engine;

-- The engine's functions: each crosses tenants in one narrow, reviewed way.

-- The account behind an e-mail address or administrator identifier, for login only, and the membership that the login is for:
-- that of the identifier, otherwise the one in the organization that was named, otherwise the one used last.
create function auth_login(identifier text, organization bigint)
returns table (account_id bigint, email text, organization_id bigint, user_id bigint, password_hash text,
  is_temporary boolean, disabled boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, a.email, u.organization_id, u.id, a.password_hash, a.password_is_temporary, u.disabled_at is not null or o.state = 'closed'
  from accounts a join users u on u.account_id = a.id join organizations o on o.id = u.organization_id
  where a.id = coalesce((select b.id from accounts b where lower(b.email) = lower(identifier)),
    (select m.account_id from users m where m.admin_id is not null and lower(m.admin_id) = lower(identifier)))
  order by u.admin_id is not null and lower(u.admin_id) = lower(identifier) desc, u.organization_id = organization desc,
    u.disabled_at is null and o.state <> 'closed' desc, u.last_used_at desc nulls last, u.organization_id, u.id
  limit 1
$$;

-- What a person is a member of, the one used last first.
create function memberships_of(account bigint)
returns table (organization_id bigint, organization_name text, user_id bigint, role text, disabled boolean,
  last_used_at timestamptz, organization_state text)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.organization_id, o.name, u.id, u.role, u.disabled_at is not null, u.last_used_at, o.state
  from users u join organizations o on o.id = u.organization_id
  where u.account_id = account and u.removed_at is null and o.state <> 'closed'
  order by u.last_used_at desc nulls last, u.organization_id
$$;

-- A new person; an address that has an account already fails by the unique key.
create function make_account(new_email text, new_name text, hash text, is_temporary boolean) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  insert into accounts (email, name, password_hash, password_is_temporary, password_changed_at)
  values (new_email, new_name, hash, is_temporary, case when hash is not null then now() end)
  returning id
$$;

-- Name and e-mail of a person, copied to what they are in each organization.
create function copy_account(account bigint) returns void
language sql security definer set search_path = public, pg_temp as $$
  update users u set name = a.name, email = a.email, version = u.version + 1, updated_at = now()
  from accounts a where a.id = account and u.account_id = a.id and (u.name, u.email) <> (a.name, a.email)
$$;

-- The open sessions of a person in all organizations, by what opened them.
create function account_sessions(account bigint, idle_seconds bigint, max_seconds bigint)
returns table (login_id text, organizations text[], modes text[], amr text[], ip text, user_agent text,
  created_at timestamptz, last_used_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.login_id, array_agg(distinct o.name), array_agg(distinct t.mode), max(s.amr), max(s.ip), max(s.user_agent),
    min(s.created_at), max(s.last_used_at)
  from users u
  join sessions s on s.organization_id = u.organization_id and s.user_id = u.id
  join tenants t on t.organization_id = s.organization_id and t.id = s.tenant_id
  join organizations o on o.id = s.organization_id
  where u.account_id = account and s.revoked_at is null
    and s.last_used_at > clock_timestamp() - make_interval(secs => idle_seconds)
    and s.created_at > clock_timestamp() - make_interval(secs => max_seconds)
  group by s.login_id
$$;

-- Ends sessions of a person in all organizations, of one login or of all but one; how many logins that ended.
create function end_account_sessions(account bigint, only_login text, but_login text) returns bigint
language sql security definer set search_path = public, pg_temp as $$
  with ended as (
    update sessions s set revoked_at = clock_timestamp()
    from users u
    where u.account_id = account and s.organization_id = u.organization_id and s.user_id = u.id and s.revoked_at is null
      and (only_login is null or s.login_id = only_login) and s.login_id is distinct from but_login
    returning s.id, s.login_id),
  revoked as (insert into revocations (kind, subject) select 'session', id from ended)
  select count(distinct login_id) from ended
$$;

-- What a user has of a role of the organization's own, and, where it sees those of its teams, whose records these are. Null for the
-- roles that everybody has. In plpgsql, as its tables are made by a later file.
create function custom_role(organization bigint, of_user bigint, of_role text) returns jsonb
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  if of_role is null then return null; end if;
  return (
    select jsonb_build_object('id', r.id, 'name', r.name, 'permissions', to_jsonb(r.permissions), 'rows', r.rows, 'mates',
      case when jsonb_path_exists(r.rows, '$.* ? (@ == "team")') then (
        select coalesce(jsonb_agg(distinct m.user_id order by m.user_id), '[]')
        from team_members own
        join team_members m on m.organization_id = own.organization_id and m.team_id = own.team_id
        where own.organization_id = organization and own.user_id = of_user)
      else '[]' end)
    from roles r where r.organization_id = organization and r.id = of_role);
end $$;

-- Everything a principal needs, for an API key by its hash.
create function auth_api_key(key_hash bytea)
returns table (organization_id bigint, tenant_id bigint, mode text, key_id text, scopes text[], expires_at timestamptz,
  revoked_at timestamptz, user_id bigint, email text, role text,
  custom jsonb, disabled boolean,
  time_zone text, currency text, default_country text, duplicate_mode text, invoice_numbering text,
  organization_state text)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.organization_id, k.tenant_id, k.mode, k.id, k.scopes, k.expires_at,
         k.revoked_at, u.id, u.email, u.role,
         custom_role(u.organization_id, u.id, u.role_id), u.disabled_at is not null or o.state = 'closed',
         o.time_zone, o.currency, o.default_country, o.duplicate_mode, o.invoice_numbering, o.state
  from api_keys k
  join users u on u.organization_id = k.organization_id and u.id = k.user_id
  join organizations o on o.id = k.organization_id
  where k.hash = key_hash
$$;

-- Access tokens that act as an API key name it by its id: what a principal needs, as auth_api_key gives it by the hash.
create function auth_api_key_by_id(api_key text)
returns table (organization_id bigint, tenant_id bigint, mode text, key_id text, scopes text[], expires_at timestamptz,
  revoked_at timestamptz, user_id bigint, email text, role text,
  custom jsonb, disabled boolean,
  time_zone text, currency text, default_country text, duplicate_mode text, invoice_numbering text,
  organization_state text)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.organization_id, k.tenant_id, k.mode, k.id, k.scopes, k.expires_at,
         k.revoked_at, u.id, u.email, u.role,
         custom_role(u.organization_id, u.id, u.role_id), u.disabled_at is not null or o.state = 'closed',
         o.time_zone, o.currency, o.default_country, o.duplicate_mode, o.invoice_numbering, o.state
  from api_keys k
  join users u on u.organization_id = k.organization_id and u.id = k.user_id
  join organizations o on o.id = k.organization_id
  where k.id = api_key
$$;

-- The same for a session by its id.
create function auth_session(session text)
returns table (organization_id bigint, tenant_id bigint, mode text, revoked boolean, user_id bigint, email text, role text,
  custom jsonb, disabled boolean, time_zone text, currency text, default_country text, duplicate_mode text, invoice_numbering text,
  account_id bigint, login_id text, auth_at timestamptz, factor_at timestamptz,
  organization_state text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.organization_id, s.tenant_id, t.mode, s.revoked_at is not null, u.id, u.email, u.role,
         custom_role(u.organization_id, u.id, u.role_id), u.disabled_at is not null or o.state = 'closed',
         o.time_zone, o.currency, o.default_country, o.duplicate_mode, o.invoice_numbering,
         u.account_id, s.login_id, s.auth_at, s.factor_at, o.state
  from sessions s
  join users u on u.organization_id = s.organization_id and u.id = s.user_id
  join tenants t on t.organization_id = s.organization_id and t.id = s.tenant_id
  join organizations o on o.id = s.organization_id
  where s.id = session
$$;

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

-- What is known of an attempt, in one question: those of the places that are known, and how often these names failed. One
-- without an account asks the same.
create function login_standing(account bigint, places text[], since timestamptz, names text[])
returns table (kind text, name text, failures integer, last_ms bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'place', p.place, 0, 0::bigint from login_places p
  where p.account_id = account and p.place = any (places) and p.seen_at > since
  union all
  select 'failures', f.name, f.failures, f.last_ms from login_failures f where f.name = any (names)
$$;

-- Counts a failure under each name. Names in order, so that two attempts never wait for one another; each call takes some
-- of what is forgotten away, so the table holds little more than an hour of failures.
create function login_failed(names text[], now_ms bigint, forget_ms bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into login_failures as f (name, failures, last_ms)
  select n, 1, now_ms from unnest(names) n order by n
  on conflict (name) do update set
    failures = case when now_ms - f.last_ms < forget_ms then f.failures + 1 else 1 end,
    last_ms = now_ms;
  delete from login_failures where name = any (array(
    select g.name from login_failures g where g.last_ms < now_ms - forget_ms limit 20 for update skip locked));
end $$;

create function login_cleared(cleared text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from login_failures where name = cleared
$$;

-- Whose these tenants are, for what arrives from outside and knows the tenant only.
create function owners_of_tenants(tenant_ids bigint[])
returns table (tenant_id bigint, organization_id bigint, mode text)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, t.organization_id, t.mode from tenants t where t.id = any (tenant_ids)
$$;

-- Whose a phone is, by what its user name says: the number of the organization and the mode.
create function tenant_of(organization bigint, tenant_mode text) returns bigint
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id from tenants t where t.organization_id = organization and t.mode = tenant_mode
$$;

-- Who runs this installation: its first organization. Its carriers and trunks bring the codes that verify numbers, since
-- those of the organization that asks could read them on the way.
create function operator_tenant()
returns table (tenant_id bigint, organization_id bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, t.organization_id from tenants t where t.mode = 'live' order by t.organization_id limit 1
$$;

select give_to_engine('auth_login', 'custom_role', 'memberships_of', 'make_account', 'copy_account', 'account_sessions',
  'end_account_sessions', 'auth_api_key', 'auth_api_key_by_id', 'auth_session', 'recent_revocations',
  'touch_api_keys', 'login_standing', 'login_failed', 'login_cleared', 'owners_of_tenants', 'tenant_of',
  'operator_tenant');
