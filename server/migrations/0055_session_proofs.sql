-- A fresh proof of who somebody is gives their sessions other tokens: those of before end.

alter table sessions
  -- How often it was proved again; access tokens say of which proof they are.
  add column proofs integer not null default 0,
  -- The next refresh gives another refresh token, no matter how short ago the last one was given.
  add column renews boolean not null default false;

-- Notes a fresh proof for all sessions of a login, in every organization and on every node.
create or replace function prove_login(account bigint, login text, at timestamptz, with_factor boolean, how text[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  with proved as (
    update sessions s set auth_at = at, factor_at = case when with_factor then at else s.factor_at end,
      amr = array(select distinct m from unnest(s.amr || how) m order by m), proofs = s.proofs + 1, renews = true
    from users u
    where u.account_id = account and s.organization_id = u.organization_id and s.user_id = u.id and s.login_id = login
      and s.revoked_at is null
    returning s.id)
  insert into revocations (kind, subject) select 'session', id from proved
$$;

-- How often a session was proved again, before any context is known; null of one that there is not.
create function session_proofs(session text) returns integer
language sql stable security definer set search_path = public, pg_temp as $$
  select s.proofs from sessions s where s.id = session
$$;
select give_to_engine('session_proofs');
