-- Where a user logged in of late: what strangers guess elsewhere makes nobody wait there. A place is a device, by the hash of
-- what its cookie proves, or a block of addresses.
create table login_places (
  organization_id bigint not null,
  user_id         bigint not null,
  place           text collate "C" not null,
  seen_at         timestamptz not null,
  primary key (organization_id, user_id, place),
  foreign key (organization_id, user_id) references users (organization_id, id)
);
select protect_organization_table('login_places');
select open_to_engine('login_places', 'select');
grant select, insert, update, delete on login_places to tandem_app;

-- Failed logins of the last hour, for every process to see. A name is a keyed hash: people type passwords into the field for
-- the account. Unlogged: after a crash of the database guesses are counted anew.
create unlogged table login_failures (
  name     text collate "C" primary key,
  failures integer not null,
  last_ms  bigint not null
);
create index login_failures_last on login_failures (last_ms);
grant select, insert, update, delete on login_failures to tandem_engine;

-- Its new owner must be allowed to create here for the handover (as in 0004).
grant create on schema public to tandem_engine;

-- What is known of an attempt, in one question: those of the places that are known, and how often these names failed. One
-- without an account asks the same.
create function login_standing(organization bigint, account bigint, places text[], since timestamptz, names text[])
returns table (kind text, name text, failures integer, last_ms bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'place', p.place, 0, 0::bigint from login_places p
  where p.organization_id = organization and p.user_id = account and p.place = any (places) and p.seen_at > since
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

do $$
declare
  signature text;
begin
  foreach signature in array array['login_standing(bigint, bigint, text[], timestamptz, text[])',
    'login_failed(text[], bigint, bigint)', 'login_cleared(text)'] loop
    execute format('alter function %s owner to tandem_engine', signature);
    execute format('revoke all on function %s from public', signature);
    execute format('grant execute on function %s to tandem_app', signature);
  end loop;
end $$;

revoke create on schema public from tandem_engine;
