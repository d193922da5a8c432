-- Carriers of messages and the links to them.
--
-- A link is held by one process at a time, the one that holds the carrier's advisory lock; what it says about its links
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
  -- The state of the links that was last reported by an event.
  reported_state       text collate "C" check (reported_state in ('up', 'down')),
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

-- Every carrier whose links are to be up.
create function enabled_carriers()
returns table (tenant_id bigint, organization_id bigint, id text, kind text, settings_version integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.tenant_id, t.organization_id, c.id, c.kind, c.settings_version
  from carriers c join tenants t on t.id = c.tenant_id
  where c.enabled
  order by c.tenant_id, c.id
$$;

-- Writes down what one process says about its links, and forgets the links that its carriers do not have any more. A carrier
-- that was deleted meanwhile is passed over.
create function write_carrier_links(link_owner text, tenant_ids bigint[], carrier_ids text[], links smallint[],
  roles text[], states text[], state_sinces timestamptz[], last_errors text[], counter_sets text[])
returns void
language sql security definer set search_path = public, pg_temp as $$
  with reported as (
    select u.* from unnest(tenant_ids, carrier_ids, links, roles, states, state_sinces, last_errors, counter_sets)
      as u (tenant_id, carrier_id, link, role, state, state_since, last_error, counters)
    join carriers c on c.tenant_id = u.tenant_id and c.id = u.carrier_id
  ), gone as (
    delete from carrier_links l
    using (select t.tenant_id, t.carrier_id, max(t.link) as last from reported t group by 1, 2) as k
    where l.tenant_id = k.tenant_id and l.carrier_id = k.carrier_id and l.link > k.last
  )
  insert into carrier_links as l (tenant_id, carrier_id, link, role, state, state_since, down_since, owner, last_error,
    counters, updated_at)
  select t.tenant_id, t.carrier_id, t.link, t.role, t.state, t.state_since,
    case when t.state not in ('up', 'throttled') then t.state_since end, link_owner, t.last_error, t.counters::json,
    clock_timestamp()
  from reported t
  order by t.tenant_id, t.carrier_id, t.link
  on conflict on constraint carrier_links_pkey do update set
    role = excluded.role, state = excluded.state, state_since = excluded.state_since,
    down_since = case when excluded.down_since is not null then coalesce(l.down_since, excluded.down_since) end,
    owner = excluded.owner, last_error = excluded.last_error, counters = excluded.counters, updated_at = excluded.updated_at
$$;

select give_to_engine('enabled_carriers', 'write_carrier_links');
