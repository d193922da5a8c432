-- Signing in safely: links that are mailed to an account, and how many logins may be open.

-- What organizations allow is asked before one is known.
select open_to_engine('security_policies', 'select');

-- What a mail brings to a person: another address to be confirmed, the way back to the one before, a login. Hashes of 256 random bits.
create table account_links (
  hash            bytea primary key,
  kind            text not null check (kind in ('email_change', 'email_undo', 'sign_in')),
  account_id      bigint not null references accounts (id),
  -- The address to change to, or back to.
  address         text check (length(address) between 3 and 254),
  -- Of a login: what the browser proves that asked for it, and what it is for.
  browser_hash    bytea,
  organization_id bigint,
  user_id         bigint,
  expires_at      timestamptz not null,
  used_at         timestamptz,
  created_at      timestamptz not null default now(),
  constraint account_links_kind check ((kind = 'sign_in') = (browser_hash is not null) and (kind = 'sign_in') = (address is null)
    and (kind = 'sign_in') = (organization_id is not null and user_id is not null))
);
create index account_links_account on account_links (account_id, created_at);
create index account_links_expiry on account_links (expires_at);
grant select, insert, update, delete on account_links to tandem_engine;

-- Keeps a link, unless five of its kind were asked for within the hour. Each call takes some of what is over away.
create function keep_account_link(link bytea, what text, account bigint, new_address text, browser bytea, organization bigint,
  member bigint, asked_at timestamptz, until timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from account_links where hash = any (array(
    select o.hash from account_links o where o.expires_at < asked_at - interval '1 day' limit 20 for update skip locked));
  if (select count(*) from account_links l
      where l.account_id = account and l.kind = what and l.created_at > asked_at - interval '1 hour') >= 5 then
    return false;
  end if;
  insert into account_links (hash, kind, account_id, address, browser_hash, organization_id, user_id, expires_at, created_at)
  values (link, what, account, new_address, browser, organization, member, until, asked_at);
  return true;
end $$;

-- Whether an address is that of an account.
create function is_account_address(address text) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from accounts a where lower(a.email) = lower(address))
$$;

-- All that was mailed for an account is of no use any more: what was asked for with another address must not come after.
create function void_account_links(account bigint, at timestamptz) returns void
language sql security definer set search_path = public, pg_temp as $$
  update account_links set used_at = at where account_id = account and used_at is null and kind <> 'email_undo';
  update account_tokens set used_at = at where account_id = account and used_at is null;
$$;

-- In whose name what opens an account is mailed. An organization reads the mails in its name, has words of its own for them and sends them
-- by its own server: of somebody who is also a member elsewhere it gets none, unless it speaks for the address. Those go out in the name of
-- who runs the installation. `is_private`: nobody reads it on its way who has no right to the address.
create function account_mails(account bigint) returns table (organization_id bigint, tenant_id bigint, is_private boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  address text := (select a.email from accounts a where a.id = account);
  of_people bigint[] := array(select u.organization_id from users u join organizations o on o.id = u.organization_id
    where u.account_id = account and u.removed_at is null and o.state <> 'closed'
    order by speaks_for(u.organization_id, address) desc, u.organization_id);
  runs bigint := (select o.organization_id from operator_tenant() o);
  speaks boolean := coalesce(speaks_for(of_people[1], address), false);
  chosen bigint := case when speaks or cardinality(of_people) = 1 then of_people[1] else runs end;
begin
  return query select t.organization_id, t.id, speaks or chosen = runs
    from tenants t where t.organization_id = chosen and t.mode = 'live';
end $$;

-- Before an account gets more without its holder, who may be somebody else that made it: what was mailed for it is of no use any more, and
-- all that logs in is taken away unless it is proved to be its person's. True where that was so; they choose a password by a mail.
create function void_unproved_account(account bigint) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update account_links l set used_at = clock_timestamp() where l.account_id = account and l.used_at is null;
  update account_tokens k set used_at = clock_timestamp() where k.account_id = account and k.used_at is null;
  update accounts a set password_hash = null, password_is_temporary = false, password_changed_at = null, email_verified_at = null,
    updated_at = now()
  where a.id = account and a.own_since is null;
  if not found then return false; end if;
  delete from account_factors f where f.account_id = account;
  delete from recovery_codes r where r.account_id = account;
  update login_places p set trusted_until = null where p.account_id = account and p.trusted_until is not null;
  perform end_account_sessions(account, null, null);
  return true;
end $$;

-- The person confirmed the new address: it becomes that of the account, and the link given opens the way back. Nothing where the link
-- is not theirs, or no good any more.
create function take_email_change(link bytea, account bigint, undo bytea, asked_at timestamptz, undo_until timestamptz)
returns table (email_before text, email_after text)
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  taken text;
  before text;
begin
  update account_links l set used_at = asked_at
  where l.hash = link and l.kind = 'email_change' and l.account_id = account and l.used_at is null and l.expires_at > asked_at
  returning l.address into taken;
  if taken is null then return; end if;
  select a.email into before from accounts a where a.id = account for update;
  update accounts a set email = taken, email_verified_at = asked_at, updated_at = now() where a.id = account;
  perform copy_account(account);
  perform void_account_links(account, asked_at);
  insert into account_links (hash, kind, account_id, address, expires_at, created_at)
  values (undo, 'email_undo', account, before, undo_until, asked_at);
  return query select before, taken;
end $$;

-- Whose the way back is that an address before was mailed, while it is good: in whose name mails go out, as open_reset says it.
create function find_email_undo(link bytea, asked_at timestamptz)
returns table (account_id bigint, organization_id bigint, tenant_id bigint, user_id bigint, address text, name text)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, u.organization_id, t.id, u.id, l.address, a.name
  from account_links l
  join accounts a on a.id = l.account_id
  join users u on u.account_id = a.id and u.removed_at is null
  join tenants t on t.organization_id = u.organization_id and t.mode = 'live'
  where l.hash = link and l.kind = 'email_undo' and l.used_at is null and l.expires_at > asked_at
  order by u.disabled_at is null desc, u.last_used_at desc nulls last, u.id limit 1
$$;

-- Back to an address before, by that link: it ends all logins, and takes the ways back with it that came later, so that nobody undoes
-- this. Whether it was still good.
create function undo_email_change(link bytea, asked_at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  found_link account_links;
begin
  update account_links l set used_at = asked_at
  where l.hash = link and l.kind = 'email_undo' and l.used_at is null and l.expires_at > asked_at
  returning l.* into found_link;
  if found_link.hash is null then return false; end if;
  -- The password may be that of who changed the address.
  update accounts a set email = found_link.address, email_verified_at = asked_at, own_since = null, updated_at = now()
  where a.id = found_link.account_id;
  perform copy_account(found_link.account_id);
  perform void_account_links(found_link.account_id, asked_at);
  update account_links l set used_at = asked_at
  where l.account_id = found_link.account_id and l.kind = 'email_undo' and l.used_at is null
    and l.created_at >= found_link.created_at;
  perform end_account_sessions(found_link.account_id, null, null);
  return true;
end $$;

-- Whether a login by mail can be had here at all, which the page of the login asks.
create function offers_sign_in_links() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from security_policies p where p.magic_link)
$$;

-- Whom a login by mail would be for: of an address, in the organization used last, where that allows it; and in whose name the mail goes.
create function find_sign_in(address text)
returns table (account_id bigint, organization_id bigint, mail_organization_id bigint, mail_tenant_id bigint, user_id bigint, email text,
  name text, locale text)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.id, u.organization_id, s.organization_id, s.tenant_id, u.id, a.email, a.name, a.locale
  from accounts a
  join users u on u.id = (
    select m.id from users m where m.account_id = a.id and m.disabled_at is null
    order by m.last_used_at desc nulls last, m.organization_id, m.id limit 1)
  join security_policies p on p.organization_id = u.organization_id and p.magic_link
  cross join account_mails(a.id) s
  where lower(a.email) = lower(address)
$$;

-- Takes a login by mail, once, in the browser that asked for it. The address was shown to be theirs, or that of who reads their mails.
create function take_sign_in(link bytea, browser bytea, asked_at timestamptz)
returns table (account_id bigint, organization_id bigint, user_id bigint)
language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    update account_links l set used_at = asked_at
    where l.hash = link and l.kind = 'sign_in' and l.browser_hash = browser and l.used_at is null and l.expires_at > asked_at
      and exists (select from security_policies p where p.organization_id = l.organization_id and p.magic_link)
    returning l.account_id, l.organization_id, l.user_id),
  verified as (
    update accounts a set email_verified_at = coalesce(a.email_verified_at, asked_at),
      own_since = case when s.is_private then a.own_since end
    from taken k cross join account_mails(k.account_id) s where a.id = k.account_id)
  select * from taken
$$;

-- Ends the logins of a person beyond the newest so many; how many that ended.
create function end_oldest_logins(account bigint, most integer, idle_seconds bigint) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with open as (
    select s.login_id
    from users u join sessions s on s.organization_id = u.organization_id and s.user_id = u.id
    where u.account_id = account and s.revoked_at is null
      and s.last_used_at > clock_timestamp() - make_interval(secs => idle_seconds)
    group by s.login_id order by max(s.last_used_at) desc, s.login_id desc offset most),
  ended as (
    update sessions s set revoked_at = clock_timestamp()
    from users u
    where u.account_id = account and s.organization_id = u.organization_id and s.user_id = u.id and s.revoked_at is null
      and s.login_id in (select login_id from open)
    returning s.id, s.login_id),
  revoked as (insert into revocations (kind, subject) select 'session', id from ended)
  select count(distinct login_id)::integer from ended
$$;

-- Whom a policy would concern before it holds: logins that would be over, and people whose open logins come from elsewhere are counted by
-- the server, which knows what a range is.
create function open_logins_of(organization bigint, idle_seconds bigint, max_seconds bigint)
returns table (user_id bigint, ip text, idle_for bigint, open_for bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.user_id, max(s.ip), min(extract(epoch from clock_timestamp() - s.last_used_at))::bigint,
    max(extract(epoch from clock_timestamp() - s.created_at))::bigint
  from sessions s
  where s.organization_id = organization and s.revoked_at is null
    and s.last_used_at > clock_timestamp() - make_interval(secs => idle_seconds)
    and s.created_at > clock_timestamp() - make_interval(secs => max_seconds)
  group by s.user_id, s.login_id
$$;

-- The longest that an organization of a person asks passwords to be.
create function account_password_min(account bigint) returns integer
language sql stable security definer set search_path = public, pg_temp as $$
  select max(p.password_min) from users u join security_policies p on p.organization_id = u.organization_id
  where u.account_id = account and u.removed_at is null
$$;

select give_to_engine('account_password_min', 'keep_account_link', 'is_account_address', 'void_account_links', 'void_unproved_account', 'account_mails', 'take_email_change', 'find_email_undo', 'undo_email_change',
  'offers_sign_in_links', 'find_sign_in', 'take_sign_in', 'end_oldest_logins', 'open_logins_of');
