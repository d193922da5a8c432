-- Calls: their legs, what is to be done about them, who holds them, and the scripts of the simulated engine.

-- One row is one leg. A leg that another one brought about (a dialled second party, a transfer) names it as its parent.
-- A call's history is its events: `sequence` counts them.
create table calls (
  tenant_id          bigint not null,
  id                 text collate "C" not null,
  parent_call_id     text collate "C",
  direction          text not null check (direction in ('outbound', 'inbound')),
  from_number        text not null check (length(from_number) between 1 and 255),
  to_number          text not null check (length(to_number) between 1 and 255),
  caller_name        text,
  callback_url       text,
  timeout_seconds    integer not null check (timeout_seconds between 1 and 600),
  time_limit_seconds integer not null check (time_limit_seconds between 1 and 86400),
  tags               text[] not null default '{}',
  metadata           json not null default '{}',
  engine             text,
  state              text not null default 'initiated',
  sequence           integer not null default 1 check (sequence >= 1),
  early_media        boolean not null default false,
  answered_by        text check (answered_by in ('human', 'machine')),
  hangup_cause       text,
  hangup_by          text check (hangup_by in ('caller', 'callee', 'api', 'system', 'carrier')),
  sip_code           integer check (sip_code between 100 and 699),
  q850               integer check (q850 between 1 and 127),
  created_at         timestamptz not null default clock_timestamp(),
  dialed_at          timestamptz,
  ringing_at         timestamptz,
  answered_at        timestamptz,
  ended_at           timestamptz,
  changed_at         timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_call_id) references calls (tenant_id, id),
  constraint calls_state check (state in
    ('initiated', 'ringing', 'answered', 'completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled')),
  constraint calls_end check ((ended_at is not null) = (state not in ('initiated', 'ringing', 'answered'))),
  constraint calls_cause check
    ((hangup_cause is null) = (ended_at is null) and (hangup_by is null) = (ended_at is null)),
  constraint calls_answer check (answered_at is not null or state not in ('answered', 'completed'))
);
create index calls_created on calls (tenant_id, created_at, id);
create index calls_by_state on calls (tenant_id, state, created_at, id);
create index calls_by_from on calls (tenant_id, from_number, created_at, id);
create index calls_by_to on calls (tenant_id, to_number, created_at, id);
create index calls_by_parent on calls (tenant_id, parent_call_id) where parent_call_id is not null;
select protect_tenant_table('calls');
grant select, insert, update on calls to tandem_app;

-- What an engine must be asked to do, written in the transaction that decided it. A claim moves `due_at` to the end of
-- its lease; what is not finished by then comes back.
create table call_jobs (
  tenant_id   bigint not null,
  call_id     text collate "C" not null,
  kind        text not null check (kind in ('originate', 'hangup')),
  engine      text check ((engine is null) = (kind = 'originate')),
  due_at      timestamptz not null default now(),
  lease_token text collate "C",
  created_at  timestamptz not null default now(),
  primary key (tenant_id, call_id, kind),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
create index call_jobs_due on call_jobs (due_at);
select protect_tenant_table('call_jobs');
select open_to_engine('call_jobs', 'select, update');
grant select, insert, delete on call_jobs to tandem_app;

-- Calls that live in the memory of one process. Its heartbeat keeps them; a call whose lease is lost has failed, and is
-- billed up to the last heartbeat. Beats change no indexed column, so they stay cheap.
create table call_leases (
  tenant_id    bigint not null,
  call_id      text collate "C" not null,
  engine       text not null,
  owner        text collate "C" not null,
  heartbeat_at timestamptz not null default now(),
  primary key (tenant_id, call_id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
) with (fillfactor = 50);
select protect_tenant_table('call_leases');
select open_to_engine('call_leases', 'select, update');
grant select, insert, delete on call_leases to tandem_app;

-- The simulated engine: what will happen to each call and when, so that no process needs to remember it.
create table simulator_call_steps (
  tenant_id   bigint not null,
  call_id     text collate "C" not null,
  position    integer not null,
  due_at      timestamptz not null,
  happening   json not null,
  lease_token text collate "C",
  lease_until timestamptz,
  primary key (tenant_id, call_id, position),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
create index simulator_call_steps_due on simulator_call_steps (due_at);
select protect_tenant_table('simulator_call_steps');
select open_to_engine('simulator_call_steps', 'select, update');
grant select, insert, delete on simulator_call_steps to tandem_app;

-- Each of these runs as a transaction of its own and hands out ids and times only; what they mean is read in the
-- tenant.

create function claim_call_jobs(token text, max_rows integer, lease_seconds integer, engines text[])
returns table (tenant_id bigint, organization_id bigint, mode text, call_id text, kind text, engine text,
  created_at timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select j.tenant_id, j.call_id, j.kind from call_jobs j
    where j.due_at <= now() and (j.engine is null or j.engine = any (engines))
    order by j.due_at
    limit max_rows
    for update skip locked
  ), leased as (
    update call_jobs j
    set lease_token = token, due_at = clock_timestamp() + make_interval(secs => lease_seconds)
    from due where j.tenant_id = due.tenant_id and j.call_id = due.call_id and j.kind = due.kind
    returning j.tenant_id, j.call_id, j.kind, j.engine, j.created_at
  )
  select l.tenant_id, t.organization_id, t.mode, l.call_id, l.kind, l.engine, l.created_at
  from leased l join tenants t on t.id = l.tenant_id
$$;

-- Says that `holder` still holds these calls; answers those it really does. What is missing was taken away from it.
create function renew_call_leases(holder text, tenant_ids bigint[], call_ids text[])
returns table (tenant_id bigint, call_id text)
language sql security definer set search_path = public, pg_temp as $$
  update call_leases l set heartbeat_at = clock_timestamp()
  from unnest(tenant_ids, call_ids) as held (tenant_id, call_id)
  where l.tenant_id = held.tenant_id and l.call_id = held.call_id and l.owner = holder
  returning l.tenant_id, l.call_id
$$;

-- Calls without a heartbeat for so long; whoever deletes the lease in the tenant's transaction ends the call.
create function lost_calls(silent_seconds integer, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, call_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select l.tenant_id, t.organization_id, l.call_id
  from call_leases l join tenants t on t.id = l.tenant_id
  where l.heartbeat_at < now() - make_interval(secs => silent_seconds)
  limit max_rows
$$;

-- Only the first step of a call can be claimed, so two workers never play one call out of order.
create function claim_simulator_call_steps(token text, max_rows integer, lease_seconds integer)
returns table (tenant_id bigint, organization_id bigint, call_id text)
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select s.tenant_id, s.call_id, s.position from simulator_call_steps s
    where s.due_at <= now() and (s.lease_until is null or s.lease_until <= now())
      and not exists (select from simulator_call_steps before
        where before.tenant_id = s.tenant_id and before.call_id = s.call_id and before.position < s.position)
    order by s.due_at
    limit max_rows
    for update skip locked
  ), leased as (
    update simulator_call_steps s
    set lease_token = token, lease_until = clock_timestamp() + make_interval(secs => lease_seconds)
    from due where s.tenant_id = due.tenant_id and s.call_id = due.call_id and s.position = due.position
    returning s.tenant_id, s.call_id
  )
  select l.tenant_id, t.organization_id, l.call_id from leased l join tenants t on t.id = l.tenant_id
$$;

grant create on schema public to tandem_engine;
do $$
declare
  signature text;
begin
  foreach signature in array array[
    'claim_call_jobs(text, integer, integer, text[])', 'renew_call_leases(text, bigint[], text[])',
    'lost_calls(integer, integer)', 'claim_simulator_call_steps(text, integer, integer)']
  loop
    execute format('alter function %s owner to tandem_engine', signature);
    execute format('revoke all on function %s from public', signature);
    execute format('grant execute on function %s to tandem_app', signature);
  end loop;
end $$;
revoke create on schema public from tandem_engine;
