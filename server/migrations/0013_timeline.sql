-- Messages and calls with one number, read page by page: for the time line of a lead, and for lists of messages.
--
-- Functions, so that they are planned anew each time, with the limit and the tables as they are: a plan that a connection
-- made while tables were small, and kept, would read all that was ever exchanged with the number.
grant create on schema public to tandem_engine;

-- Messages of the tenant of this transaction to a number and inbound ones from it, newest first, that stand behind a moment
-- and id. Each arm names the whole order of its index (behind row-level security PostgreSQL does not see that its first
-- column is constant), so that nothing is sorted but what is shown. The id decides between those of one moment, which come
-- along.
create function messages_with(phone text, behind_at timestamptz, behind_id text, most integer) returns setof messages
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set plan_cache_mode = force_custom_plan as $$
declare
  of_tenant bigint := current_setting('app.tenant_id')::bigint;
begin
  return query
  select u.* from (
    (select m.* from messages m
     where hashtextextended(m.to_address, m.tenant_id) = hashtextextended(phone, of_tenant) and m.created_at <= behind_at
       and m.tenant_id + 0 = of_tenant and m.to_address = phone and (m.created_at < behind_at or m.id < behind_id)
     order by hashtextextended(m.to_address, m.tenant_id) desc, m.created_at desc fetch first (most) rows with ties)
    union all
    (select m.* from messages m
     where m.direction = 'inbound' and m.created_at <= behind_at
       and hashtextextended(m.from_address, m.tenant_id) = hashtextextended(phone, of_tenant)
       and m.tenant_id + 0 = of_tenant and m.from_address = phone and (m.created_at < behind_at or m.id < behind_id)
       -- What somebody wrote to themselves stands above.
       and m.to_address <> phone
     order by hashtextextended(m.from_address, m.tenant_id) desc, m.created_at desc fetch first (most) rows with ties)
  ) u
  order by u.created_at desc, u.id desc limit most;
end $$;
alter function messages_with owner to tandem_engine;
revoke all on function messages_with from public;
grant execute on function messages_with to tandem_app;

-- Messages of the tenant of this transaction to a number (`way` is 'to'), inbound ones from it ('from'), or both ('with'),
-- newest first, within a range of ids and of the times these hold; the other filters are null or what must be so. Behind
-- row-level security PostgreSQL would not use these indexes: the hash in them is not known to keep secrets.
create function messages_of(way text, phone text, from_id text, before_id text, before_at timestamptz, of_status text,
  of_direction text, of_sender text, of_recipient text, of_service text, of_carrier text, of_tag text, most integer)
returns setof messages
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_bitmapscan = off set plan_cache_mode = force_custom_plan as $$
declare
  of_tenant bigint := current_setting('app.tenant_id')::bigint;
begin
  return query
  select u.* from (
    select m.* from messages m
    where way <> 'from' and m.tenant_id + 0 = of_tenant
      and hashtextextended(m.to_address, m.tenant_id) = hashtextextended(phone, of_tenant) and m.created_at <= before_at
      and m.to_address = phone
    union all
    select m.* from messages m
    where way <> 'to' and m.direction = 'inbound' and m.tenant_id + 0 = of_tenant
      and hashtextextended(m.from_address, m.tenant_id) = hashtextextended(phone, of_tenant)
      and m.created_at <= before_at and m.from_address = phone and (way = 'from' or m.to_address <> phone)
  ) u
  where u.id >= from_id and u.id < before_id
    and (of_status is null or u.status = of_status) and (of_direction is null or u.direction = of_direction)
    and (of_sender is null or u.from_address = of_sender) and (of_recipient is null or u.to_address = of_recipient)
    and (of_service is null or u.service_id = of_service) and (of_carrier is null or u.carrier = of_carrier)
    and (of_tag is null or u.tags::jsonb ? of_tag)
  order by u.created_at desc, u.id desc limit most;
end $$;
alter function messages_of owner to tandem_engine;
revoke all on function messages_of from public;
grant execute on function messages_of to tandem_app;

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
