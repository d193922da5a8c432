-- How the installation does: its processes, and what waits in its queues. Read by /metrics and the status pages.

-- Processes of the server, each with its last sign of life. One that ends in order takes its row away; one that was killed is silent.
create table nodes (
  id           text collate "C" primary key,
  host         text not null,
  pid          integer not null,
  version      text not null,
  -- That of Node.js.
  runtime      text not null,
  -- What it does: api, worker, voice.
  roles        text[] not null,
  -- [{folder, freeBytes, sizeBytes}]
  disks        json not null,
  started_at   timestamptz(3) not null,
  heartbeat_at timestamptz(3) not null
) with (fillfactor = 50);
grant select, insert, update, delete on nodes to tandem_engine;

-- A sign of life, by the clock of the database, which all nodes share. What has been silent for a day is forgotten.
create function beat_node(node_id text, node_host text, node_pid integer, node_version text, node_runtime text,
  node_roles text[], node_disks json, node_started timestamptz)
returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from nodes where heartbeat_at < clock_timestamp() - interval '1 day';
  insert into nodes as n (id, host, pid, version, runtime, roles, disks, started_at, heartbeat_at)
  values (node_id, node_host, node_pid, node_version, node_runtime, node_roles, node_disks, node_started, clock_timestamp())
  on conflict on constraint nodes_pkey do update set
    disks = excluded.disks, roles = excluded.roles, heartbeat_at = excluded.heartbeat_at
$$;

create function remove_node(node_id text) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from nodes where id = node_id
$$;

create function list_nodes()
returns table (id text, host text, pid integer, version text, runtime text, roles text[], disks json, started_at timestamptz,
  heartbeat_at timestamptz, silent_seconds double precision)
language sql stable security definer set search_path = public, pg_temp as $$
  select n.id, n.host, n.pid, n.version, n.runtime, n.roles, n.disks, n.started_at, n.heartbeat_at,
    greatest(0, extract(epoch from clock_timestamp() - n.heartbeat_at))::double precision
  from nodes n order by n.started_at, n.id
$$;

-- What waits in each queue, of one tenant or, without one, of all. It looks at 10,000 rows of a queue at most; where there are more, how many
-- wait is estimated by the statistics of the table, and the oldest is that of the rows looked at. What belongs to a tenant whose work is held
-- is waiting, and not due; so is a delivery whose receiver is given rest.
create function queue_backlog(for_tenant bigint default null)
returns table (queue text, waiting bigint, due bigint, oldest_due_at timestamptz, is_estimate boolean)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  most constant integer := 10000;
  source record;
begin
  for source in
    select * from (values
      ('messages', 'message_jobs', 'cardinality(j.message_ids)', 'j.due_at', 'true'),
      ('mails', 'mail_jobs', '1', 'j.due_at', 'true'),
      ('webhooks', 'webhook_jobs', 'cardinality(j.event_ids)', 'j.due_at',
        'not exists (select from webhook_lanes l where l.tenant_id = j.tenant_id and l.id = j.lane and l.resume_at > now())'),
      ('calls', 'call_jobs', '1', 'j.due_at', 'true'),
      ('recordings', 'recording_jobs', '1', 'j.due_at', 'true'),
      ('imports', 'record_jobs', '1', 'j.created_at', 'coalesce(j.leased_until < now(), true)')
    ) as s (name, rows_of, items, due_at, claimable)
  loop
    return query execute format($query$
      with looked as (
        select %s::bigint as items,
          case when %s and not exists (select from held_tenants h where h.tenant_id = j.tenant_id) then %s end as due_at
        from (select * from %I j where %s limit %s) j
      ), counted as (
        select count(*) as n, coalesce(sum(items), 0)::bigint as items,
          coalesce(sum(items) filter (where due_at <= now()), 0)::bigint as due, min(due_at) filter (where due_at <= now()) as oldest
        from looked
      ), known as (
        select c.*, greatest(1, (select k.reltuples from pg_class k where k.oid = %L::regclass) / nullif(c.n, 0)) as factor
        from counted c
      )
      select %L, case when n < %s then items else round(items * factor)::bigint end,
        case when n < %s then due else round(due * factor)::bigint end, oldest, n >= %s
      from known
    $query$, source.items, source.claimable, source.due_at, source.rows_of,
      case when for_tenant is null then 'true' else format('j.tenant_id = %s', for_tenant) end, most,
      source.rows_of, source.name, most, most, most);
  end loop;
end $$;

-- Links of carriers and trunks that are switched on, as they are now: what nobody has spoken of for 15 seconds is down, or unknown.
create function link_states()
returns table (noun text, kind text, state text, organization_id bigint, mode text, id text, since timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'carrier', c.kind,
    case when l.state is null then 'connecting'
      when l.state <> 'stopped' and l.updated_at < now() - interval '15 seconds' then 'down' else l.state end,
    t.organization_id, t.mode, c.id, l.state_since
  from carriers c
  join tenants t on t.id = c.tenant_id
  left join carrier_links l on l.tenant_id = c.tenant_id and l.carrier_id = c.id
  where c.enabled
  union all
  select 'trunk', k.kind,
    case when s.state is null or s.state = 'disabled' or s.updated_at < now() - interval '15 seconds' then 'unknown' else s.state end,
    t.organization_id, t.mode, k.id, s.since
  from trunks k
  join tenants t on t.id = k.tenant_id
  left join trunk_states s on s.tenant_id = k.tenant_id and s.trunk_id = k.id
  where k.enabled
$$;

-- The figures of the installation in one statement, for /metrics and its operator.
create function installation_figures()
returns table (queues json, links json, calls json, database json, silent_nodes bigint, live_nodes bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select
    (select json_agg(q) from (
      select b.queue, b.waiting, b.due, b.is_estimate as "isEstimate",
        coalesce(greatest(0, extract(epoch from clock_timestamp() - b.oldest_due_at)), 0) as "oldestDueSeconds"
      from queue_backlog() b
    ) q),
    (select coalesce(json_agg(s), '[]'::json) from (
      select l.noun, l.kind, l.state, count(*) as links from link_states() l group by l.noun, l.kind, l.state
    ) s),
    (select coalesce(json_agg(c), '[]'::json) from (
      select e.engine, count(*) as calls from (select l.engine from call_leases l limit 10000) e group by e.engine
    ) c),
    (select json_build_object(
      'version', current_setting('server_version'),
      'sizeBytes', pg_database_size(d.datname),
      'connections', (select count(*) from pg_stat_activity a where a.datname = d.datname),
      'maxConnections', current_setting('max_connections')::integer,
      'transactionAge', age(d.datfrozenxid),
      'commits', s.xact_commit, 'rollbacks', s.xact_rollback, 'deadlocks', s.deadlocks,
      'blocksRead', s.blks_read, 'blocksHit', s.blks_hit
    ) from pg_database d join pg_stat_database s on s.datid = d.oid where d.datname = current_database()),
    (select count(*) from nodes n where n.heartbeat_at < clock_timestamp() - interval '45 seconds'),
    (select count(*) from nodes n where n.heartbeat_at >= clock_timestamp() - interval '45 seconds')
$$;

grant select on migrations to tandem_engine;

-- The newest migration: the version of the schema.
create function last_migration() returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select max(m.name) from migrations m
$$;

select give_to_engine('beat_node', 'remove_node', 'list_nodes', 'queue_backlog', 'link_states', 'installation_figures',
  'last_migration');
