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

-- What was used on a day of the organization. Only where there is a ceiling is anything counted. `told` are the ceilings of which an
-- event has told today.
create table destination_usage (
  tenant_id bigint not null references tenants (id),
  subject   text collate "C" not null,
  day       date not null,
  calls     integer not null default 0,
  spend     jsonb not null default '{}',
  told      text[] not null default '{}',
  primary key (tenant_id, subject)
);
select protect_tenant_table('destination_usage');
select open_to_engine('destination_usage', 'select, insert, update');
grant select on destination_usage to tandem_app;

-- The key a call was asked for with, whose policy holds for all it dials; and whether it goes to a number or address outside, and so
-- counts against the ceilings.
alter table calls add column key_id text collate "C", add column counted boolean not null default false;
create index calls_counted on calls (tenant_id, key_id) where counted and ended_at is null;

grant create on schema public to tandem_engine;

-- The row of a subject, locked, begun anew where its day is over. A clock that is a little behind does not bring yesterday back.
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
    used.told := '{}';
  end if;
  return used;
end $$;

-- Tells once a day that a ceiling is reached.
create function tell_destination_ceiling(used destination_usage, ceiling text, ceiling_limit text, event_id text)
returns text[]
language plpgsql set search_path = public, pg_temp as $$
begin
  if ceiling = any (used.told) then return used.told; end if;
  insert into events (tenant_id, id, type, resource_id, sequence, data)
  values (used.tenant_id, event_id, 'destination.ceiling_reached', used.subject || ':' || ceiling || ':' || used.day, 1,
    json_build_object('policy', used.subject, 'ceiling', ceiling, 'limit', ceiling_limit, 'day', used.day));
  return used.told || ceiling;
end $$;

-- Counts one call, unless that would break a ceiling of one of the subjects: then that ceiling is answered and nothing counted.
-- The rows of the subjects stay locked until the call is stored or not, so that no two calls take the last place.
create function count_call(of_tenant bigint, subjects text[], most_concurrent integer[], most_daily integer[],
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
      select count(*) into running from calls c
      where c.tenant_id = of_tenant and c.counted and c.ended_at is null
        and (subjects[i] = 'organization' or c.key_id = subjects[i]);
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
        used.told := tell_destination_ceiling(used, 'daily_spend', ceiling_limit, event_ids[i]);
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
    update destination_usage u set day = used.day, calls = used.calls, spend = used.spend, told = used.told
    where u.tenant_id = of_tenant and u.subject = subjects[i];
  end loop;
end $$;

-- A key that takes the place of another has its policy, whoever rotates it and in whichever mode they are.
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
alter function keep_destination_policy() owner to tandem_engine;
revoke all on function keep_destination_policy() from public;
create trigger api_keys_destination_policy after update of replaced_by on api_keys for each row
  when (new.replaced_by is not null) execute function keep_destination_policy();

-- Who may send, who carries, and where to, of one tenant, unless that is `known` already; and always which carriers have a link up.
create or replace function messaging_directory(of_tenant bigint, known bigint) returns json
language sql stable security definer set search_path = public, pg_temp as $$
  select json_build_object(
    'revision', r.revision,
    'links', (select coalesce(json_agg(distinct l.carrier_id), '[]') from carrier_links l
      where l.tenant_id = of_tenant and l.role <> 'receiver' and l.state in ('up', 'throttled')
        and l.updated_at > clock_timestamp() - interval '15 seconds'),
    'full', case when r.revision is distinct from known then json_build_object(
      'carriers', (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'enabled', c.enabled,
        'currency', c.currency, 'routes', c.routes)), '[]') from carriers c where c.tenant_id = of_tenant),
      'numbers', (select coalesce(json_agg(json_build_object('id', n.id, 'address', n.address, 'kind', n.kind,
        'country', n.country, 'serviceId', n.service_id, 'carrierId', n.carrier_id, 'sms', n.sms,
        'contested', n.ownership is not distinct from 'contested', 'segmentsPerSecond', n.segments_per_second)), '[]')
        from numbers n where n.tenant_id = of_tenant),
      'services', (select coalesce(json_agg(json_build_object('id', s.id, 'stickySender', s.sticky_sender,
        'smartEncoding', s.smart_encoding, 'unknownOutcome', s.unknown_outcome, 'validitySeconds', s.validity_seconds,
        'callbackUrl', s.callback_url, 'duplicateWindowSeconds', s.duplicate_window_seconds)), '[]')
        from messaging_services s where s.tenant_id = of_tenant),
      'policies', (select coalesce(json_agg(p), '[]') from (
        select d.subject, d.countries, d.allowed_prefixes, d.blocked_prefixes, d.kinds, d.concurrent_calls, d.daily_calls,
          d.daily_spend
        from destination_policies d where d.tenant_id = of_tenant and d.subject not like 'trk%') p),
      'hadCarrier', r.had_carrier or exists (select from carriers c where c.tenant_id = of_tenant)) end)
  from (
    select coalesce(max(m.revision), 0) as revision, coalesce(bool_or(m.had_carrier), false) as had_carrier
    from messaging_revisions m where m.tenant_id = of_tenant
  ) r
$$;

create trigger destination_policies_revision_insert after insert on destination_policies referencing new table as changed
  for each statement execute function bump_messaging_revision();
create trigger destination_policies_revision_update after update on destination_policies referencing new table as changed
  for each statement execute function bump_messaging_revision();
create trigger destination_policies_revision_delete after delete on destination_policies referencing old table as changed
  for each statement execute function bump_messaging_revision();

do $$
declare
  signature text;
begin
  foreach signature in array array['count_call(bigint, text[], integer[], integer[], timestamptz, text[])',
    'take_spend(bigint, text[], json[], bigint[], text[], timestamptz, text[])']
  loop
    execute 'alter function ' || signature || ' owner to tandem_engine';
    execute 'revoke all on function ' || signature || ' from public';
    execute 'grant execute on function ' || signature || ' to tandem_app';
  end loop;
  foreach signature in array array['open_destination_usage(bigint, text, timestamptz)',
    'tell_destination_ceiling(destination_usage, text, text, text)']
  loop
    execute 'revoke all on function ' || signature || ' from public';
    execute 'grant execute on function ' || signature || ' to tandem_engine';
  end loop;
end $$;
revoke create on schema public from tandem_engine;
