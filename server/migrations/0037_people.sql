-- People: what they prove beside a password, what an Admin may change of somebody's account.

-- What stands beside the password, or in its place: a secret shared with an app that makes codes, or the public key of a passkey.
create table account_factors (
  account_id    bigint not null references accounts (id),
  id            text collate "C" not null,
  kind          text not null check (kind in ('totp', 'passkey')),
  name          text not null check (length(name) between 1 and 100),
  -- Of a totp: sealed, and the last step of time whose code was used (RFC 6238 §5.2: each is taken once).
  secret        text,
  last_step     bigint not null default 0,
  -- Of a passkey (WebAuthn Level 3 §6.5.2).
  credential_id text collate "C",
  public_key    bytea,
  counter       bigint not null default 0,
  transports    text[] not null default '{}',
  aaguid        text,
  backed_up     boolean,
  -- Null until a first code was right.
  confirmed_at  timestamptz,
  last_used_at  timestamptz,
  created_at    timestamptz not null default now(),
  primary key (account_id, id),
  constraint account_factors_kind check ((kind = 'totp') = (secret is not null) and (kind = 'passkey') = (public_key is not null))
);
create unique index account_factors_credential on account_factors (credential_id) where credential_id is not null;
select protect_account_table('account_factors');
select open_to_engine('account_factors', 'select');
grant select, insert, update, delete on account_factors to tandem_app;

-- Each stands for the second factor once. Keyed hashes: with 120 random bits nobody tries them out.
create table recovery_codes (
  account_id bigint not null references accounts (id),
  hash       bytea not null,
  used_at    timestamptz,
  created_at timestamptz not null default now(),
  primary key (account_id, hash)
);
select protect_account_table('recovery_codes');
grant select, insert, update, delete on recovery_codes to tandem_app;

-- Whose a passkey is, with the membership that a login is for: that named, otherwise one that is open, the one used last.
create function find_passkey(credential text, organization bigint)
returns table (account_id bigint, organization_id bigint, user_id bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.account_id, u.organization_id, u.id
  from account_factors f join users u on u.account_id = f.account_id
  where f.credential_id = credential and u.removed_at is null
  order by u.organization_id = organization desc, u.disabled_at is null desc, u.last_used_at desc nulls last,
    u.organization_id, u.id
  limit 1
$$;

-- What may be used once and says so itself: challenges of logins and passkeys, by their hash, until they are no good anyway.
create table used_proofs (
  hash       bytea primary key,
  expires_at timestamptz not null
);
create index used_proofs_expiry on used_proofs (expires_at);
grant select, insert, update, delete on used_proofs to tandem_engine;

-- Whether this is the first use. Each call takes some of what is over away.
create function use_once(proof bytea, until timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from used_proofs where hash = any (array(
    select u.hash from used_proofs u where u.expires_at < clock_timestamp() - interval '1 hour' limit 20 for update skip locked));
  insert into used_proofs (hash, expires_at) values (proof, until) on conflict do nothing;
  return found;
end $$;

-- A person proved again who they are: all sessions of their login know it.
create function prove_login(account bigint, login text, at timestamptz, with_factor boolean, how text[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  with proved as (
    update sessions s set auth_at = at, factor_at = case when with_factor then at else s.factor_at end,
      amr = array(select distinct m from unnest(s.amr || how) m order by m)
    from users u
    where u.account_id = account and s.organization_id = u.organization_id and s.user_id = u.id and s.login_id = login
      and s.revoked_at is null
    returning s.id)
  insert into revocations (kind, subject) select 'session', id from proved
$$;

-- The account asks for more than before: what other logins proved is not enough any more.
create function doubt_logins(account bigint, but_login text) returns void
language sql security definer set search_path = public, pg_temp as $$
  with doubted as (
    update sessions s set factor_at = null
    from users u
    where u.account_id = account and s.organization_id = u.organization_id and s.user_id = u.id and s.revoked_at is null
      and s.login_id is distinct from but_login
    returning s.id)
  insert into revocations (kind, subject) select 'session', id from doubted
$$;

-- What a mail brings to the owner of an address: the right to set another password, once. Hashes of 256 random bits.
create table account_tokens (
  hash       bytea primary key,
  account_id bigint not null references accounts (id),
  -- Whether who uses it shows that the address is theirs: no organization could read the mail but one that speaks for the address.
  proves     boolean not null default false,
  expires_at timestamptz not null,
  used_at    timestamptz,
  created_at timestamptz not null default now()
);
create index account_tokens_account on account_tokens (account_id);
create index account_tokens_expiry on account_tokens (expires_at);
grant select, insert, update, delete on account_tokens to tandem_engine;

-- Keeps a token for the account of an address, and says in whose name the mail goes out; nothing where there is no account that may log
-- in, or where it asked five times within the hour. Each call takes some of what is over away. `by_installation`: its
-- operators hand it out themselves.
create function open_reset(address text, token bytea, asked_at timestamptz, until timestamptz, by_installation boolean)
returns table (account_id bigint, organization_id bigint, tenant_id bigint, email text, name text, locale text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
  with gone as (
    delete from account_tokens where hash = any (array(
      select o.hash from account_tokens o where o.expires_at < asked_at - interval '1 day' limit 20 for update skip locked))),
  found as (
    select a.id, s.organization_id, s.tenant_id, a.email, a.name, a.locale, s.is_private
    from accounts a cross join account_mails(a.id) s
    where lower(a.email) = lower(address) and exists (select from users u where u.account_id = a.id and u.disabled_at is null)
      and (select count(*) from account_tokens k where k.account_id = a.id and k.created_at > asked_at - interval '1 hour') < 5),
  kept as (
    insert into account_tokens (hash, account_id, proves, expires_at, created_at)
    select token, f.id, by_installation or f.is_private, until, asked_at from found f)
  select f.id, f.organization_id, f.tenant_id, f.email, f.name, f.locale from found f;
end $$;

-- Whose a token is that is still good.
create function find_reset(token bytea, asked_at timestamptz)
returns table (account_id bigint, organization_id bigint, tenant_id bigint, user_id bigint, email text, name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, u.organization_id, t.id, u.id, a.email, a.name
  from account_tokens k
  join accounts a on a.id = k.account_id
  join users u on u.account_id = a.id and u.disabled_at is null
  join tenants t on t.organization_id = u.organization_id and t.mode = 'live'
  where k.hash = token and k.used_at is null and k.expires_at > asked_at
  order by u.last_used_at desc nulls last, u.id limit 1
$$;

-- Uses a token up, and all others of its account; whether it was still good. Second factors stay, and were perhaps made by somebody else:
-- then the account is not its person's yet.
create function use_reset(token bytea, asked_at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  account bigint;
  is_proof boolean;
begin
  update account_tokens set used_at = asked_at where hash = token and used_at is null and expires_at > asked_at
  returning account_id, proves into account, is_proof;
  if account is null then return false; end if;
  update account_tokens set used_at = asked_at where account_id = account and used_at is null;
  update accounts set email_verified_at = coalesce(email_verified_at, asked_at),
    own_since = case when is_proof then coalesce(own_since, case
      when not exists (select from account_factors f where f.account_id = account) then asked_at end) end
  where id = account;
  return true;
end $$;

-- Who was asked to become a member, bound to the address that the mail goes to.
create table invitations (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^inv_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  email           text not null check (length(email) between 3 and 254),
  role            text not null check (role in ('Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager')),
  -- A role of the organization's own, whose base is the role above.
  role_id         text collate "C",
  invited_by      bigint not null,
  token_hash      bytea not null,
  -- The same token, sealed: the link is shown again, and sent again, as it was.
  token_sealed    text not null,
  resent_count    integer not null default 0 check (resent_count between 0 and 5),
  state           text not null default 'pending' check (state in ('pending', 'accepted', 'declined', 'revoked')),
  expires_at      timestamptz not null,
  user_id         bigint,
  created_at      timestamptz not null default now(),
  decided_at      timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, invited_by) references users (organization_id, id)
);
create unique index invitations_token on invitations (token_hash);
create index invitations_waiting on invitations (organization_id, lower(email)) where state = 'pending';
select protect_organization_table('invitations');
select open_to_engine('invitations', 'select');
grant select, insert, update on invitations to tandem_app;

-- What the link of an invitation opens, as long as it waits for an answer; and whether its address has an account.
create function find_invitation(token bytea, asked_at timestamptz)
returns table (organization_id bigint, tenant_id bigint, id text, email text, role text, role_id text, organization_name text,
  inviter_name text, account_id bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select i.organization_id, t.id, i.id, i.email, i.role, i.role_id, o.name, u.name,
    -- An account that is a member nowhere cannot log in: its password is chosen again.
    (select a.id from accounts a where lower(a.email) = lower(i.email)
      and exists (select from users m where m.account_id = a.id and m.removed_at is null))
  from invitations i
  join organizations o on o.id = i.organization_id
  join users u on u.organization_id = i.organization_id and u.id = i.invited_by
  join tenants t on t.organization_id = i.organization_id and t.mode = 'live'
  where i.token_hash = token and i.state = 'pending' and i.expires_at > asked_at and o.state = 'active'
$$;

-- What an organization asks of everybody who logs in to it; without a row, what the defaults say.
create table security_policies (
  organization_id       bigint not null references organizations (id),
  require_second_factor boolean not null default false,
  -- Days that a device may stand for the second factor; 0: never.
  trust_device_days     integer not null default 30 check (trust_device_days between 0 and 90),
  session_idle_minutes  integer not null default 20160 check (session_idle_minutes between 5 and 20160),
  session_max_hours     integer not null default 2160 check (session_max_hours between 1 and 2160),
  -- Ranges of addresses (CIDR) that people may log in from; none: from everywhere.
  allowed_addresses     text[] not null default '{}',
  magic_link            boolean not null default false,
  -- What people choose for themselves has at least so many characters, where that is more than the product asks.
  password_min          integer check (password_min between 10 and 64),
  -- Days after which API keys end that are made from now on.
  api_keys_max_days     integer check (api_keys_max_days between 1 and 3650),
  version               integer not null default 1,
  updated_at            timestamptz not null default now(),
  primary key (organization_id)
);
select protect_organization_table('security_policies');
grant select, insert, update on security_policies to tandem_app;

-- Changes of an account by the organization that its person is a member of: nothing but what is not null. An account that other
-- organizations share is its owner's alone: 'shared', and nothing is changed. What somebody else set proves nothing of its person, and what
-- was mailed before leads back to nothing; of what its person changes, the way back to an address before stays.
create function change_sole_account(organization bigint, member bigint, new_email text, new_name text, hash text,
  is_temporary boolean, by_person boolean) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  account bigint := (select u.account_id from users u where u.organization_id = organization and u.id = member);
begin
  perform from accounts a where a.id = account for update;
  if not found then return 'none'; end if;
  if exists (select from users u where u.account_id = account and u.organization_id <> organization
             and u.removed_at is null) then
    return 'shared';
  end if;
  if hash is not null or new_email is not null then
    perform void_account_links(account, clock_timestamp());
    if not by_person then
      update account_links l set used_at = clock_timestamp() where l.account_id = account and l.used_at is null;
    end if;
  end if;
  update accounts a set
    email = coalesce(new_email, a.email),
    email_verified_at = case when lower(new_email) <> lower(a.email) then null else a.email_verified_at end,
    own_since = case when lower(new_email) <> lower(a.email) or hash is not null then null else a.own_since end,
    name = coalesce(new_name, a.name),
    password_hash = coalesce(hash, a.password_hash),
    password_is_temporary = case when hash is null then a.password_is_temporary else is_temporary end,
    password_changed_at = case when hash is null then a.password_changed_at else now() end,
    updated_at = now()
  where a.id = account;
  return 'changed';
end $$;

-- Active people of an organization, and those of them without a second factor.
create function members_without_factor(organization bigint) returns table (members bigint, without_factor bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select count(*), count(*) filter (where not exists (
    select from account_factors f where f.account_id = u.account_id and f.confirmed_at is not null))
  from users u where u.organization_id = organization and u.kind = 'person' and u.disabled_at is null
$$;

select give_to_engine('find_passkey', 'find_invitation', 'open_reset', 'find_reset', 'use_reset', 'members_without_factor', 'change_sole_account', 'use_once', 'prove_login', 'doubt_logins');
