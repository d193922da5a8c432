-- Failures of logins are forgotten each after its own time: most after an hour, those that strangers had in a row with one account
-- after 30 days.
drop function login_failed(text[], bigint, bigint);
drop function login_cleared(text);
drop index login_failures_last;
delete from login_failures;
alter table login_failures add column forgotten_ms bigint not null;
create index login_failures_forgotten on login_failures (forgotten_ms);

-- Counts a failure under each name, to be forgotten after the time beside it. Names in order, so that two attempts never wait for one
-- another; each call takes some of what is forgotten away, so the table holds little more than that.
create function login_failed(names text[], forget_ms bigint[], now_ms bigint) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into login_failures as f (name, failures, last_ms, forgotten_ms)
  select n, 1, now_ms, now_ms + forget from unnest(names, forget_ms) as u (n, forget) order by n
  on conflict (name) do update set
    failures = case when now_ms < f.forgotten_ms then f.failures + 1 else 1 end,
    last_ms = now_ms,
    forgotten_ms = excluded.forgotten_ms;
  delete from login_failures where name = any (array(
    select g.name from login_failures g where g.forgotten_ms < now_ms limit 20 for update skip locked));
end $$;

create function login_cleared(cleared text[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from login_failures where name = any (cleared)
$$;

select give_to_engine('login_failed', 'login_cleared');
