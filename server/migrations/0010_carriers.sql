-- Carriers of messages and the links to them.
--
-- A link is held by one process at a time, the one that holds the carrier's advisory lock; what it tells of its links
-- stands in carrier_links and is as old as updated_at.

create table carriers (
  tenant_id        bigint not null references tenants (id),
  id               text collate "C" not null,
  kind             text collate "C" not null check (kind in ('smpp')),
  name             text not null check (length(name) between 1 and 200),
  settings         json not null,
  -- Sealed JSON of the settings that are never shown; null when there are none.
  secrets          text,
  -- [{prefix, priority, cost}]: where it carries messages to.
  routes           json not null,
  currency         text not null check (currency ~ '^[A-Z]{3}$'),
  enabled          boolean not null default true,
  version          integer not null default 1,
  -- Counts changes of settings and secrets only: links are opened again for those.
  settings_version integer not null default 1,
  -- That of its newest event.
  sequence         integer not null default 1,
  -- The state of the links that was told last by an event.
  told_state       text collate "C" check (told_state in ('up', 'down')),
  -- Part of the references of inbound messages; renewed when links are opened after an orderly end.
  inbound_era      text collate "C" not null default '0',
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  primary key (tenant_id, id)
);
select protect_tenant_table('carriers');
select open_to_engine('carriers', 'select');
grant select, insert, update, delete on carriers to tandem_app;

create table carrier_links (
  tenant_id   bigint not null,
  carrier_id  text collate "C" not null,
  -- From 0.
  link        smallint not null,
  role        text collate "C" not null check (role in ('transceiver', 'transmitter', 'receiver')),
  state       text collate "C" not null check (state in ('connecting', 'up', 'throttled', 'down', 'stopped')),
  state_since timestamptz(3) not null,
  -- Since when it has not been up, whatever else it was meanwhile; null while it is up or throttled.
  down_since  timestamptz(3),
  -- The process that holds it.
  owner       text collate "C" not null,
  last_error  text,
  counters    json not null,
  updated_at  timestamptz(3) not null default now(),
  primary key (tenant_id, carrier_id, link),
  foreign key (tenant_id, carrier_id) references carriers (tenant_id, id) on delete cascade
) with (fillfactor = 50);
select protect_tenant_table('carrier_links');
select open_to_engine('carrier_links', 'select, insert, update, delete');
grant select on carrier_links to tandem_app;

grant create on schema public to tandem_engine;

-- Every carrier whose links are to be up.
create function enabled_carriers()
returns table (tenant_id bigint, organization_id bigint, id text, kind text, settings_version integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.tenant_id, t.organization_id, c.id, c.kind, c.settings_version
  from carriers c join tenants t on t.id = c.tenant_id
  where c.enabled
  order by c.tenant_id, c.id
$$;

-- Writes down what one process tells of its links, and forgets the links that its carriers do not have any more. A carrier
-- that was deleted meanwhile is passed over.
create function write_carrier_links(link_owner text, tenant_ids bigint[], carrier_ids text[], links smallint[],
  roles text[], states text[], state_sinces timestamptz[], last_errors text[], counter_sets text[])
returns void
language sql security definer set search_path = public, pg_temp as $$
  with told as (
    select u.* from unnest(tenant_ids, carrier_ids, links, roles, states, state_sinces, last_errors, counter_sets)
      as u (tenant_id, carrier_id, link, role, state, state_since, last_error, counters)
    join carriers c on c.tenant_id = u.tenant_id and c.id = u.carrier_id
  ), gone as (
    delete from carrier_links l
    using (select t.tenant_id, t.carrier_id, max(t.link) as last from told t group by 1, 2) as k
    where l.tenant_id = k.tenant_id and l.carrier_id = k.carrier_id and l.link > k.last
  )
  insert into carrier_links as l (tenant_id, carrier_id, link, role, state, state_since, down_since, owner, last_error,
    counters, updated_at)
  select t.tenant_id, t.carrier_id, t.link, t.role, t.state, t.state_since,
    case when t.state not in ('up', 'throttled') then t.state_since end, link_owner, t.last_error, t.counters::json,
    clock_timestamp()
  from told t
  order by t.tenant_id, t.carrier_id, t.link
  on conflict on constraint carrier_links_pkey do update set
    role = excluded.role, state = excluded.state, state_since = excluded.state_since,
    down_since = case when excluded.down_since is not null then coalesce(l.down_since, excluded.down_since) end,
    owner = excluded.owner, last_error = excluded.last_error, counters = excluded.counters, updated_at = excluded.updated_at
$$;

-- How many messages of the tenant wait for each of these carriers, and since when the oldest is due. Counted up to
-- `most_jobs` jobs a carrier, so that a long queue costs no more than a short one.
create function carrier_backlog(carrier_ids text[], most_jobs integer)
returns table (carrier_id text, messages integer, oldest_due_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.id, coalesce(sum(cardinality(j.message_ids)), 0)::integer, min(j.due_at)
  from unnest(carrier_ids) as u (id)
  left join lateral (
    select q.message_ids, q.due_at from message_jobs q
    where q.tenant_id = (select current_setting('app.tenant_id')::bigint) and q.carrier = u.id
    order by q.due_at limit most_jobs
  ) j on true
  group by u.id
$$;

do $$
declare
  function_name text;
begin
  foreach function_name in array array['enabled_carriers', 'write_carrier_links', 'carrier_backlog'] loop
    execute format('alter function %I owner to tandem_engine', function_name);
    execute format('revoke all on function %I from public', function_name);
    execute format('grant execute on function %I to tandem_app', function_name);
  end loop;
end $$;
revoke create on schema public from tandem_engine;
