-- Which numbers an organization calls and texts, and how much in a day: its destination policies, and what counts against them.

-- One row for the tenant (`organization`), and one for each API key or trunk that has a policy of its own. Without a row the
-- defaults hold (modules/destinations/rules.ts).
create table destination_policies (
  tenant_id        bigint not null references tenants (id),
  subject          text collate "C" not null check (subject = 'organization' or subject ~ '^(key|trk)_[0-9a-z]{26}$'),
  countries        text[],
  allowed_prefixes text[] not null default '{}',
  blocked_prefixes text[] not null default '{}',
  kinds            text[] check (kinds <@ array['premium_rate', 'shared_cost', 'personal', 'satellite', 'international_network']),
  concurrent_calls integer check (concurrent_calls >= 0),
  daily_calls      integer check (daily_calls >= 0),
  -- Millionths, by currency.
  daily_spend      json,
  updated_at       timestamptz(3) not null default now(),
  primary key (tenant_id, subject)
);
select protect_tenant_table('destination_policies');
select open_to_engine('destination_policies', 'select, insert');
grant select, insert, update, delete on destination_policies to tandem_app;

-- What was used on a day of the organization. Only where there is a ceiling is anything counted. `reported` are the ceilings whose
-- event was emitted today.
create table destination_usage (
  tenant_id bigint not null references tenants (id),
  subject   text collate "C" not null,
  day       date not null,
  calls     integer not null default 0,
  spend     jsonb not null default '{}',
  reported  text[] not null default '{}',
  primary key (tenant_id, subject)
);
select protect_tenant_table('destination_usage');
select open_to_engine('destination_usage', 'select, insert, update');
grant select on destination_usage to tandem_app;

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

-- The row of a subject, locked, begun again where its day is over. A clock that is a little behind does not bring yesterday back.
create function open_destination_usage(of_tenant bigint, of_subject text, at timestamptz) returns destination_usage
language plpgsql set search_path = public, pg_temp as $$
declare
  used destination_usage;
  today date;
begin
  select (at at time zone o.time_zone)::date into strict today
  from tenants t join organizations o on o.id = t.organization_id where t.id = of_tenant;
  insert into destination_usage (tenant_id, subject, day) values (of_tenant, of_subject, today) on conflict do nothing;
  select * into strict used from destination_usage u where u.tenant_id = of_tenant and u.subject = of_subject for update;
  if used.day < today then
    used.day := today;
    used.calls := 0;
    used.spend := '{}';
    used.reported := '{}';
  end if;
  return used;
end $$;

-- Locks what was used by these subjects, in their order, and returns it: anyone who asks before the transaction ends waits. In one order
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

-- Emits once a day that a ceiling is reached.
create function emit_ceiling_reached(used destination_usage, ceiling text, ceiling_limit text, event_id text)
returns text[]
language plpgsql set search_path = public, pg_temp as $$
begin
  if ceiling = any (used.reported) then return used.reported; end if;
  insert into events (tenant_id, id, type, resource_id, sequence, data)
  values (used.tenant_id, event_id, 'destination.ceiling_reached', used.subject || ':' || ceiling || ':' || used.day, 1,
    json_build_object('policy', used.subject, 'ceiling', ceiling, 'limit', ceiling_limit, 'day', used.day));
  return used.reported || ceiling;
end $$;

-- Counts one call, unless that would break a ceiling of one of the subjects: then that ceiling is answered and nothing counted.
-- The rows of the subjects stay locked until the call is stored or not, so that no two calls take the last place.
create function count_call(of_tenant bigint, subjects text[], max_concurrent integer[], max_daily integer[],
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
    if used.calls >= max_daily[i] then
      return query select 'daily_calls', subjects[i], max_daily[i]::text;
      return;
    end if;
    if max_concurrent[i] is not null then
      running := active_destination_calls(of_tenant, subjects[i]);
      if running >= max_concurrent[i] then
        return query select 'concurrent_calls', subjects[i], max_concurrent[i]::text;
        return;
      end if;
    end if;
    held := array_append(held, used);
    active := active || running;
  end loop;
  for i in 1 .. cardinality(subjects) loop
    used := held[i];
    used.calls := used.calls + 1;
    if used.calls >= max_daily[i] then
      used.reported := emit_ceiling_reached(used, 'daily_calls', max_daily[i]::text, event_ids[2 * i - 1]);
    end if;
    if active[i] + 1 >= max_concurrent[i] then
      used.reported := emit_ceiling_reached(used, 'concurrent_calls', max_concurrent[i]::text, event_ids[2 * i]);
    end if;
    update destination_usage u set day = used.day, calls = used.calls, spend = used.spend, reported = used.reported
    where u.tenant_id = of_tenant and u.subject = subjects[i];
  end loop;
end $$;

-- Takes what texts cost, in their order, each unless it would break a ceiling of one of the subjects; answers those that are refused,
-- by number from 1. A ceiling names its currencies: what costs in another one is refused, as nothing would limit it. A price below
-- zero is given back.
create function take_spend(of_tenant bigint, subjects text[], ceilings json[], prices bigint[], currencies text[],
  at timestamptz, event_ids text[])
returns table (item integer, subject text, ceiling_limit text)
language plpgsql security definer set search_path = public, pg_temp as $$
#variable_conflict use_variable
declare
  held destination_usage[] := '{}';
  used destination_usage;
  most bigint;
  spent bigint;
  refusing integer;
begin
  for i in 1 .. cardinality(subjects) loop
    held := array_append(held, open_destination_usage(of_tenant, subjects[i], at));
  end loop;
  for n in 1 .. cardinality(prices) loop
    continue when prices[n] is null or prices[n] = 0;
    refusing := null;
    for i in 1 .. cardinality(subjects) loop
      most := (ceilings[i] ->> currencies[n])::bigint;
      used := held[i];
      spent := coalesce((used.spend ->> currencies[n])::bigint, 0) + prices[n];
      if prices[n] > 0 and (most is null or spent > most) then
        refusing := i;
        item := n;
        subject := subjects[i];
        ceiling_limit := coalesce(trim_scale(most::numeric / 1000000)::text, 'nothing') || ' ' || currencies[n];
        used.reported := emit_ceiling_reached(used, 'daily_spend', ceiling_limit, event_ids[i]);
        held[i] := used;
        return next;
        exit;
      end if;
    end loop;
    continue when refusing is not null;
    for i in 1 .. cardinality(subjects) loop
      used := held[i];
      spent := greatest(coalesce((used.spend ->> currencies[n])::bigint, 0) + prices[n], 0);
      used.spend := used.spend || jsonb_build_object(currencies[n], spent);
      held[i] := used;
    end loop;
  end loop;
  for i in 1 .. cardinality(subjects) loop
    used := held[i];
    update destination_usage u set day = used.day, calls = used.calls, spend = used.spend, reported = used.reported
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

-- A key that takes the place of another has its policy, no matter who rotates it and in whichever mode they are.
create function keep_destination_policy() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into destination_policies (tenant_id, subject, countries, allowed_prefixes, blocked_prefixes, kinds, concurrent_calls,
    daily_calls, daily_spend)
  select p.tenant_id, new.replaced_by, p.countries, p.allowed_prefixes, p.blocked_prefixes, p.kinds, p.concurrent_calls,
    p.daily_calls, p.daily_spend
  from destination_policies p where p.tenant_id = new.tenant_id and p.subject = new.id
  on conflict do nothing;
  return null;
end $$;
create trigger api_keys_destination_policy after update of replaced_by on api_keys for each row
  when (new.replaced_by is not null) execute function keep_destination_policy();

select restrict_to_engine('open_destination_usage', 'active_destination_calls', 'emit_ceiling_reached');

select give_to_engine('lock_destination_usage', 'count_call', 'take_spend', 'return_spend', 'due_call_spend',
  'keep_destination_policy');
