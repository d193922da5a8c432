-- What calls cost, and ceilings of trunks: calls at a time, calls a day, and spend a day, of which calls are a part now.

-- Nobody asks it any more: number_claims has taken its place.
drop function number_owners(text);

-- [{prefix, priority, weight, cost}]: cost is what a minute costs, a decimal in this currency.
alter table trunks add column currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$');
grant update (currency, routes) on trunks to tandem_engine;
set local role tandem_engine;
update trunks k set currency = o.currency,
  routes = (select coalesce(json_agg(r.route::jsonb || '{"cost": "0"}' order by r.n), '[]')
    from json_array_elements(k.routes) with ordinality as r (route, n))
from tenants t join organizations o on o.id = t.organization_id where t.id = k.tenant_id;
reset role;
revoke update (currency, routes) on trunks from tandem_engine;

-- What a minute of the call costs, in millionths; null where nobody is paid.
alter table calls add column rate_micros bigint, add column currency text;

-- Minutes of calls that were taken from ceilings, each call until it is over and what it did not use was given back.
create table call_spend (
  tenant_id   bigint not null,
  call_id     text collate "C" not null,
  -- Of a minute, in millionths.
  rate_micros bigint not null check (rate_micros > 0),
  currency    text not null,
  minutes     integer not null check (minutes > 0),
  -- The policies they were taken from, and the day on which that happened last.
  subjects    text[] not null,
  day         date not null,
  primary key (tenant_id, call_id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
select protect_tenant_table('call_spend');
select open_to_engine('call_spend', 'select');
grant select, insert, update, delete on call_spend to tandem_app;

grant create on schema public to tandem_engine;

-- Locks what was used by these subjects, in their order, and tells it: whoever asks before the transaction ends waits. In one order
-- everywhere, so that no two wait for each other: organization, keys, trunks, each by their ids.
create function lock_destination_usage(of_tenant bigint, subjects text[], at timestamptz)
returns table (subject text, day date, calls integer, spend jsonb, active integer)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  used destination_usage;
begin
  for i in 1 .. cardinality(subjects) loop
    used := open_destination_usage(of_tenant, subjects[i], at);
    return query select used.subject, used.day, used.calls, used.spend, active_destination_calls(of_tenant, subjects[i]);
  end loop;
end $$;

-- How many calls of a subject are under way that count.
create function active_destination_calls(of_tenant bigint, of_subject text) returns integer
language sql stable set search_path = public, pg_temp as $$
  select count(*)::integer from calls c
  where c.tenant_id = of_tenant and c.counted and c.ended_at is null
    and case when of_subject = 'organization' then true
      when of_subject like 'trk%' then c.trunk_id = of_subject
      else c.key_id = of_subject end
$$;

-- As before, and for trunks.
create or replace function count_call(of_tenant bigint, subjects text[], most_concurrent integer[], most_daily integer[],
  at timestamptz, event_ids text[])
returns table (ceiling text, subject text, ceiling_limit text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  held destination_usage[] := '{}';
  used destination_usage;
  active integer[] := '{}';
  running integer;
begin
  for i in 1 .. cardinality(subjects) loop
    used := open_destination_usage(of_tenant, subjects[i], at);
    running := 0;
    if used.calls >= most_daily[i] then
      return query select 'daily_calls', subjects[i], most_daily[i]::text;
      return;
    end if;
    if most_concurrent[i] is not null then
      running := active_destination_calls(of_tenant, subjects[i]);
      if running >= most_concurrent[i] then
        return query select 'concurrent_calls', subjects[i], most_concurrent[i]::text;
        return;
      end if;
    end if;
    held := array_append(held, used);
    active := active || running;
  end loop;
  for i in 1 .. cardinality(subjects) loop
    used := held[i];
    used.calls := used.calls + 1;
    if used.calls >= most_daily[i] then
      used.told := tell_destination_ceiling(used, 'daily_calls', most_daily[i]::text, event_ids[2 * i - 1]);
    end if;
    if active[i] + 1 >= most_concurrent[i] then
      used.told := tell_destination_ceiling(used, 'concurrent_calls', most_concurrent[i]::text, event_ids[2 * i]);
    end if;
    update destination_usage u set day = used.day, calls = used.calls, spend = used.spend, told = used.told
    where u.tenant_id = of_tenant and u.subject = subjects[i];
  end loop;
end $$;

-- Gives back what was taken for calls that did not need it, or adds what they needed beyond (below zero): amounts of the day on
-- which they were taken. What a day that is over has counted stays. To be called with the rows locked.
create function return_spend(of_tenant bigint, subjects text[], days date[], currencies text[], amounts bigint[])
returns void
language sql security definer set search_path = public, pg_temp as $$
  update destination_usage u
  set spend = (
    select jsonb_object_agg(p.currency, greatest(p.micros - coalesce(b.micros, 0), 0))
    from (select key as currency, value::text::bigint as micros from jsonb_each(u.spend)) p
    left join (
      select g.currency, sum(g.micros)::bigint as micros
      from unnest(subjects, days, currencies, amounts) as g (subject, day, currency, micros)
      where g.subject = u.subject and g.day = u.day group by g.currency
    ) b on b.currency = p.currency)
  where u.tenant_id = of_tenant and u.spend <> '{}'
    and exists (select from unnest(subjects, days) as g (subject, day) where g.subject = u.subject and g.day = u.day)
$$;

-- Calls whose minutes are to be looked at: they are over, or talk and have less than so many seconds left of what was taken.
create function due_call_spend(at timestamptz, lead_seconds double precision, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, call_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.tenant_id, t.organization_id, s.call_id
  from call_spend s
  join calls c on c.tenant_id = s.tenant_id and c.id = s.call_id
  join tenants t on t.id = s.tenant_id
  where c.ended_at is not null or c.answered_at + make_interval(mins => s.minutes) < at + make_interval(secs => lead_seconds)
  limit max_rows
$$;

do $$
declare
  signature text;
begin
  foreach signature in array array['lock_destination_usage(bigint, text[], timestamptz)',
    'return_spend(bigint, text[], date[], text[], bigint[])', 'due_call_spend(timestamptz, double precision, integer)']
  loop
    execute 'alter function ' || signature || ' owner to tandem_engine';
    execute 'revoke all on function ' || signature || ' from public';
    execute 'grant execute on function ' || signature || ' to tandem_app';
  end loop;
end $$;
revoke all on function active_destination_calls(bigint, text) from public;
grant execute on function active_destination_calls(bigint, text) to tandem_engine;
revoke create on schema public from tandem_engine;
