-- The time line of a lead: messages and calls with one number, read page by page.
--
-- Functions, so that they are planned anew each time, with the limit and the tables as they are: a plan that a connection
-- made while tables were small, and kept, would read all that was ever exchanged with the number.
grant create on schema public to tandem_engine;

-- Messages of the tenant of this transaction to a number and inbound ones from it, newest first, that stand behind a moment
-- and id. Each arm is in the order of its index, without the id, so that nothing is sorted but what is shown; those of one
-- moment come along, and the id decides between them.
create function messages_with(phone text, behind_at timestamptz, behind_id text, most integer) returns setof messages
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_custom_plan as $$
declare
  of_tenant bigint := current_setting('app.tenant_id')::bigint;
begin
  return query
  select u.* from (
    (select m.* from (
       select * from messages
       where hashtextextended(to_address, tenant_id) = hashtextextended(phone, of_tenant) and created_at <= behind_at
       order by created_at desc offset 0) m
     where m.tenant_id = of_tenant and m.to_address = phone and (m.created_at < behind_at or m.id < behind_id)
     order by m.created_at desc fetch first (most) rows with ties)
    union all
    (select m.* from (
       select * from messages
       where direction = 'inbound' and created_at <= behind_at
         and hashtextextended(from_address, tenant_id) = hashtextextended(phone, of_tenant)
       order by created_at desc offset 0) m
     where m.tenant_id = of_tenant and m.from_address = phone and (m.created_at < behind_at or m.id < behind_id)
       -- What somebody wrote to themselves stands above.
       and m.to_address <> phone
     order by m.created_at desc fetch first (most) rows with ties)
  ) u
  order by u.created_at desc, u.id desc limit most;
end $$;
alter function messages_with owner to tandem_engine;
revoke all on function messages_with from public;
grant execute on function messages_with to tandem_app;

revoke create on schema public from tandem_engine;

-- Calls with a number likewise.
create function calls_with(phone text, behind_at timestamptz, behind_id text, most integer) returns setof calls
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
     order by c.created_at desc, c.id desc limit most)
  ) u
  order by u.created_at desc, u.id desc limit most;
end $$;
