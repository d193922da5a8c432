-- Members who leave, and what becomes of all that they own.

-- What one person owned is given to another, in live and test mode, some hundred records a transaction. What was done is written with it,
-- so that nothing is left out and nothing is done twice.
create table hand_overs (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^hov_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  from_user_id    bigint not null,
  to_user_id      bigint not null,
  -- Who asked for it, and with which key.
  by_user_id      bigint not null,
  key_id          text collate "C",
  state           text collate "C" not null default 'running' check (state in ('running', 'completed')),
  -- Of each mode and kind how many there were and how many were given.
  kinds           json not null default '[]',
  token           text collate "C",
  leased_until    timestamptz,
  attempts        integer not null default 0,
  created_at      timestamptz(3) not null,
  finished_at     timestamptz(3),
  -- Then it looks once more: a request that began before the person left may have given them something since.
  look_again_at   timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, from_user_id) references users (organization_id, id),
  foreign key (organization_id, to_user_id) references users (organization_id, id)
);
create unique index hand_overs_running on hand_overs (organization_id, from_user_id) where state = 'running';
create index hand_overs_due on hand_overs (created_at) where state = 'running' or look_again_at is not null;
select protect_organization_table('hand_overs');
select open_to_engine('hand_overs', 'select, update');
grant select, insert, update on hand_overs to tandem_app;

-- Leases hand-overs under a token, the oldest first; with the tenants that they go through.
create function claim_hand_overs(by_token text, most integer, lease_seconds double precision)
returns table (organization_id bigint, id text, live_tenant_id bigint, test_tenant_id bigint, attempts integer)
language sql security definer set search_path = public, pg_temp as $$
  update hand_overs h set token = by_token, leased_until = now() + make_interval(secs => lease_seconds), attempts = h.attempts + 1
  from (
    select d.organization_id, d.id from hand_overs d
    where (d.state = 'running' or d.look_again_at <= now()) and (d.leased_until is null or d.leased_until < now())
    order by d.created_at limit most for update skip locked
  ) due
  where h.organization_id = due.organization_id and h.id = due.id
  returning h.organization_id, h.id,
    (select t.id from tenants t where t.organization_id = h.organization_id and t.mode = 'live'),
    (select t.id from tenants t where t.organization_id = h.organization_id and t.mode = 'test'), h.attempts
$$;

-- Which members of an organization have a second factor, and of which the account is also a member elsewhere.
create function member_accounts(organization bigint)
returns table (user_id bigint, has_factor boolean, is_shared boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.id,
    exists (select from account_factors f where f.account_id = u.account_id and f.confirmed_at is not null),
    exists (select from users o where o.account_id = u.account_id and o.organization_id <> organization and o.removed_at is null)
  from users u where u.organization_id = organization and u.kind = 'person'
$$;

-- Takes all second factors and recovery codes of a member away, for one who lost them. An account that other organizations share is its
-- owner's alone: 'shared', and nothing is changed.
create function reset_sole_factors(organization bigint, member bigint) returns text
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  account bigint := (select u.account_id from users u where u.organization_id = organization and u.id = member);
begin
  perform from accounts a where a.id = account for update;
  if not found then return 'none'; end if;
  if exists (select from users u where u.account_id = account and u.organization_id <> organization
             and u.removed_at is null) then return 'shared'; end if;
  delete from account_factors f where f.account_id = account;
  if not found then return 'none'; end if;
  delete from recovery_codes r where r.account_id = account;
  update login_places p set trusted_until = null where p.account_id = account and p.trusted_until is not null;
  return 'reset';
end $$;
select open_to_engine('recovery_codes', 'select, delete');

-- The account of an address whose person is a member nowhere any more, so that nobody could log in with it: who has the link of a sign-up
-- or of an invitation chooses another password, and proves beside it what else the account asks for, unless somebody else may have made
-- that. `by_mail`: nobody but the address had the link. That of an invitation is shown to who invited, and proves nothing.
create function revive_account(address text, new_name text, hash text, by_mail boolean) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  account bigint;
begin
  select a.id into account from accounts a where lower(a.email) = lower(address) for update;
  if account is null or exists (select from users u where u.account_id = account and u.removed_at is null) then
    return null;
  end if;
  perform void_unproved_account(account);
  update accounts set password_hash = hash, password_is_temporary = false, password_changed_at = now(), name = new_name,
    email_verified_at = case when by_mail then coalesce(email_verified_at, now()) end,
    own_since = case when by_mail then coalesce(own_since, now()) end, updated_at = now()
  where id = account;
  perform copy_account(account);
  return account;
end $$;

grant delete on account_factors to tandem_engine;
grant update on login_places to tandem_engine;
select give_to_engine('claim_hand_overs', 'member_accounts', 'reset_sole_factors', 'revive_account');

-- Who is asked to own the organization. The change is made when they accept, and can be taken back by who owned it before, for a while.
create table ownership_transfers (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^own_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  from_user_id    bigint not null,
  to_user_id      bigint not null,
  state           text not null default 'pending' check (state in ('pending', 'accepted', 'declined', 'canceled', 'undone')),
  expires_at      timestamptz(3) not null,
  undo_until      timestamptz(3),
  created_at      timestamptz(3) not null,
  decided_at      timestamptz(3),
  primary key (organization_id, id),
  foreign key (organization_id, from_user_id) references users (organization_id, id),
  foreign key (organization_id, to_user_id) references users (organization_id, id),
  constraint ownership_transfers_undo check ((state in ('accepted', 'undone')) = (undo_until is not null))
);
create unique index ownership_transfers_pending on ownership_transfers (organization_id) where state = 'pending';
create index ownership_transfers_undoable on ownership_transfers (organization_id, undo_until) where state = 'accepted';
select protect_organization_table('ownership_transfers');
grant select, insert, update on ownership_transfers to tandem_app;
