-- People who make an organization by themselves: codes with which operators let them, and who asked, until the link of the mail is opened.

-- Codes by which somebody may make an organization, by their hash.
create table organization_codes (
  id              text collate "C" primary key check (id ~ '^oco_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  hash            bytea not null unique,
  note            text,
  -- The operator; null for the command line.
  made_by         bigint,
  expires_at      timestamptz not null,
  used_at         timestamptz,
  organization_id bigint,
  created_at      timestamptz not null
);
grant select, insert, update, delete on organization_codes to tandem_engine;

-- Who asked to sign up, also with the address of somebody who has an account: that mail opens nothing.
create table sign_ups (
  hash         bytea primary key,
  email        text not null,
  name         text not null,
  organization text not null,
  -- Hash of the code, where one was sent.
  code_hash    bytea,
  -- Keyed hash of the network address.
  place        text collate "C" not null,
  expires_at   timestamptz not null,
  used_at      timestamptz,
  created_at   timestamptz not null
);
create index sign_ups_place on sign_ups (place, created_at);
create index sign_ups_email on sign_ups (lower(email), created_at);
create index sign_ups_expires on sign_ups (expires_at);
grant select, insert, update, delete on sign_ups to tandem_engine;

create function make_organization_code(code_id text, code_hash bytea, about text, account bigint, made_at timestamptz, until timestamptz)
returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into organization_codes (id, hash, note, made_by, expires_at, created_at)
  values (code_id, code_hash, about, account, until, made_at)
$$;

create function list_organization_codes(before_id text, most integer)
returns table (id text, note text, expires_at timestamptz, used_at timestamptz, organization_id bigint, created_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.id, c.note, c.expires_at, c.used_at, c.organization_id, c.created_at from organization_codes c
  where before_id is null or c.id < before_id order by c.id desc limit most
$$;

-- Takes back one that nobody used.
create function remove_organization_code(code_id text) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from organization_codes c where c.id = code_id and c.used_at is null;
  return found;
end $$;

create function is_organization_code_good(of_hash bytea, asked_at timestamptz) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from organization_codes c where c.hash = of_hash and c.used_at is null and c.expires_at > asked_at)
$$;

-- Uses a code up for an organization; of two who do at once one waits, and gets false.
create function use_organization_code(of_hash bytea, organization bigint, asked_at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update organization_codes c set used_at = asked_at, organization_id = organization
  where c.hash = of_hash and c.used_at is null and c.expires_at > asked_at;
  return found;
end $$;

-- Notes that somebody asks to sign up; false where too many did from there of late. With it goes what is long over. What it does and costs is
-- the same for every address.
create function open_sign_up(token bytea, address text, person text, organization_name text, of_code bytea, from_place text,
  asked_at timestamptz, until timestamptz, per_place integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from sign_ups where hash = any (array(
    select s.hash from sign_ups s where s.expires_at < asked_at - interval '1 day' order by s.expires_at limit 20 for update skip locked));
  perform pg_advisory_xact_lock(hashtext('sign_ups ' || from_place));
  if (select count(*) from sign_ups s where s.place = from_place and s.created_at > asked_at - interval '1 hour') >= per_place then
    return false;
  end if;
  insert into sign_ups (hash, email, name, organization, code_hash, place, expires_at, created_at)
  values (token, address, person, organization_name, of_code, from_place, until, asked_at);
  return true;
end $$;

-- In whose name the mail of a sign-up goes out, and whether the address has an account that is a member somewhere: that of the operators
-- before others, the oldest first. No row where the address was asked about too often of late.
create function sign_up_mail(token bytea, per_address integer)
returns table (organization_id bigint, tenant_id bigint, is_known boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.id, t.id, exists (select from accounts a join users u on u.account_id = a.id and u.removed_at is null
    where lower(a.email) = lower(s.email))
  from sign_ups s
  cross join organizations o
  join tenants t on t.organization_id = o.id and t.mode = 'live'
  where s.hash = token and o.state = 'active'
    and (select count(*) from sign_ups x where lower(x.email) = lower(s.email) and x.created_at > s.created_at - interval '1 hour'
      and x.created_at <= s.created_at) <= per_address
  order by exists (select from users u join operators p on p.account_id = u.account_id
    where u.organization_id = o.id and u.disabled_at is null) desc, o.id
  limit 1
$$;

-- What was asked for with a token that is still good; not where the address became that of a member meanwhile.
create function find_sign_up(token bytea, asked_at timestamptz)
returns table (email text, name text, organization text, code_hash bytea)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.email, s.name, s.organization, s.code_hash from sign_ups s
  where s.hash = token and s.used_at is null and s.expires_at > asked_at
    and not exists (select from accounts a join users u on u.account_id = a.id and u.removed_at is null where lower(a.email) = lower(s.email))
$$;

-- Uses it up, with all others of its address. Whether it was still good.
create function use_sign_up(token bytea, asked_at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  address text;
begin
  select lower(f.email) into address from find_sign_up(token, asked_at) f;
  if address is null then return false; end if;
  -- Of two links of one address the second waits here, and finds its own used.
  perform pg_advisory_xact_lock(hashtext('sign_ups of ' || address));
  update sign_ups s set used_at = asked_at where s.hash = token and s.used_at is null;
  if not found then return false; end if;
  update sign_ups s set used_at = asked_at where lower(s.email) = address and s.used_at is null;
  return true;
end $$;

-- How many organizations an account owns that are not closed, and whether its address is known to be its own. The lock makes a second one
-- who asks wait.
create function lock_owner(account bigint)
returns table (owned bigint, is_verified boolean, email text, name text)
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform from accounts a where a.id = account for no key update;
  return query
  select (select count(*) from users u join organizations o on o.id = u.organization_id and o.owner_user_id = u.id
      where u.account_id = a.id and o.state <> 'closed'),
    a.email_verified_at is not null, a.email, a.name
  from accounts a where a.id = account;
end $$;

select give_to_engine('make_organization_code', 'list_organization_codes', 'remove_organization_code', 'is_organization_code_good',
  'use_organization_code', 'open_sign_up', 'sign_up_mail', 'find_sign_up', 'use_sign_up', 'lock_owner');
