-- Phones in browsers: which are there, and their calls. Signalling goes through these rows, since the process that holds a call
-- is not the one the browser is connected to.

-- One row is one stream of a browser and one identity it rings for. Who did not beat for 15 seconds is gone.
create table client_registrations (
  tenant_id    bigint not null,
  id           text collate "C" not null,
  identity     text collate "C" not null check (length(identity) between 1 and 254),
  connected_at timestamptz not null default clock_timestamp(),
  seen_at      timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id, identity)
) with (fillfactor = 50);
create index client_registrations_by_identity on client_registrations (tenant_id, identity);
select protect_tenant_table('client_registrations');
grant select, insert, update, delete on client_registrations to tandem_app;

-- Calls whose far side is a browser, until a minute after their end.
create table client_legs (
  tenant_id  bigint not null,
  call_id    text collate "C" not null,
  identity   text collate "C" not null check (length(identity) between 1 and 254),
  -- rings: the browser is called; calls: it has called, and we speak to it first; dials_in: a handset that calls a number.
  kind       text not null check (kind in ('rings', 'calls', 'dials_in')),
  lead_id    bigint,
  -- What a browser that calls has offered (SDP), and what it or one that took the call was answered.
  offer      text,
  answer     text,
  -- When a browser took a call that rang.
  taken_at   timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, call_id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
create index client_legs_by_identity on client_legs (tenant_id, identity);
select protect_tenant_table('client_legs');
grant select, insert, update, delete on client_legs to tandem_app;

-- The time line of a number shows calls from it as the calls they were: not once more for each browser that rang for them.
create or replace function calls_with(phone text, behind_at timestamptz, behind_id text, most integer) returns setof calls
language plpgsql stable set search_path = public, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_custom_plan as $$
declare
  of_tenant bigint := current_setting('app.tenant_id')::bigint;
begin
  return query
  select u.* from (
    (select c.* from calls c
     where c.tenant_id = of_tenant and c.to_number = phone and c.created_at < behind_at + interval '1 millisecond'
       -- Times are told in milliseconds.
       and (date_trunc('milliseconds', c.created_at), c.id) < (behind_at, behind_id)
     order by c.created_at desc, c.id desc limit most)
    union all
    (select c.* from calls c
     where c.tenant_id = of_tenant and c.from_number = phone and c.created_at < behind_at + interval '1 millisecond'
       and (date_trunc('milliseconds', c.created_at), c.id) < (behind_at, behind_id) and c.to_number <> phone
       and not (c.parent_call_id is not null and c.to_number like 'client:%')
     order by c.created_at desc, c.id desc limit most)
  ) u
  order by u.created_at desc, u.id desc limit most;
end $$;
