-- SIP trunks: the carriers of an organization's calls, and what is known of each.
--
-- A trunk is watched by one process at a time, the one that holds its advisory lock; what that process reports stands in
-- trunk_states and is as old as updated_at.

create table trunks (
  tenant_id        bigint not null references tenants (id),
  id               text collate "C" not null,
  name             text not null check (length(name) between 1 and 200),
  settings         json not null,
  -- Sealed JSON of the settings that are never shown; null when there are none.
  secrets          text,
  -- Which those are.
  secrets_set      text[] not null default '{}',
  -- [{prefix, priority, weight, cost}]: where it carries calls to, and what a minute costs, a decimal in its currency.
  routes           json not null,
  enabled          boolean not null default true,
  version          integer not null default 1,
  -- Counts changes of settings and secrets only: those set a trunk up again.
  settings_version integer not null default 1,
  -- The state that was last reported by an event.
  reported_state       text collate "C" check (reported_state in ('up', 'down')),
  created_at       timestamptz(3) not null default now(),
  updated_at       timestamptz(3) not null default now(),
  -- One that speaks SIP, or an Asterisk that is steered over ARI.
  kind             text collate "C" not null default 'sip' check (kind in ('sip', 'asterisk')),
  currency         text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  primary key (tenant_id, id),
  constraint trunks_secrets check ((secrets is null) = (cardinality(secrets_set) = 0))
);
select protect_tenant_table('trunks');
select open_to_engine('trunks', 'select');
grant select, insert, update, delete on trunks to tandem_app;

create table trunk_states (
  tenant_id  bigint not null,
  trunk_id   text collate "C" not null,
  state      text collate "C" not null
    check (state in ('up', 'down', 'registering', 'unregistered', 'disabled', 'unknown')),
  since      timestamptz(3) not null,
  last_error text,
  -- {calls, failed, active}, since the trunk was set up last.
  counters   json not null,
  -- The process that watches it.
  owner      text collate "C" not null,
  updated_at timestamptz(3) not null default now(),
  primary key (tenant_id, trunk_id),
  foreign key (tenant_id, trunk_id) references trunks (tenant_id, id) on delete cascade
) with (fillfactor = 50);
select protect_tenant_table('trunk_states');
select open_to_engine('trunk_states', 'select, insert, update');
grant select on trunk_states to tandem_app;

-- When a trunk may begin its next call, and when those that wait for it ask again: each at a time of its own.
create table trunk_paces (
  tenant_id bigint not null,
  trunk_id  text collate "C" not null,
  -- Not before this may the next call begin.
  next_at   timestamptz not null,
  -- Until then other calls were given a time to ask again.
  asking_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, trunk_id),
  foreign key (tenant_id, trunk_id) references trunks (tenant_id, id) on delete cascade
) with (fillfactor = 50);
select protect_tenant_table('trunk_paces');
grant select, insert, update, delete on trunk_paces to tandem_app;

-- Every trunk that calls may take.
create function enabled_trunks()
returns table (tenant_id bigint, organization_id bigint, id text, settings_version integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select k.tenant_id, t.organization_id, k.id, k.settings_version
  from trunks k join tenants t on t.id = k.tenant_id
  where k.enabled
  order by k.tenant_id, k.id
$$;

-- Writes down what one process says about the trunks it watches. A trunk that was deleted meanwhile is passed over.
create function write_trunk_states(state_owner text, tenant_ids bigint[], trunk_ids text[], states text[],
  state_sinces timestamptz[], last_errors text[], counter_sets text[])
returns void
language sql security definer set search_path = public, pg_temp as $$
  insert into trunk_states as s (tenant_id, trunk_id, state, since, last_error, counters, owner, updated_at)
  select u.tenant_id, u.trunk_id, u.state, u.since, u.last_error, u.counters::json, state_owner, clock_timestamp()
  from unnest(tenant_ids, trunk_ids, states, state_sinces, last_errors, counter_sets)
    as u (tenant_id, trunk_id, state, since, last_error, counters)
  join trunks k on k.tenant_id = u.tenant_id and k.id = u.trunk_id
  order by u.tenant_id, u.trunk_id
  on conflict on constraint trunk_states_pkey do update set
    state = excluded.state, since = excluded.since, last_error = excluded.last_error, counters = excluded.counters,
    owner = excluded.owner, updated_at = excluded.updated_at
$$;

select give_to_engine('enabled_trunks', 'write_trunk_states');
