-- Calls are held by voice nodes: what they are told to do, commands on live calls, and whose job a job is.

alter table calls
  -- What the call does once it is answered; null: what its callback URL says.
  add column instructions json,
  -- Asked for instructions when the callback URL does not answer.
  add column fallback_url text,
  add column trunk_id     text collate "C",
  -- The leg it talks with, or talked with last.
  add column bridged_to   text collate "C",
  -- The number of the last report of its node that was written.
  add column reported     integer not null default 0;

-- Jobs of a call that a node holds are that node's, until it has been silent for too long.
alter table call_jobs
  add column owner text collate "C",
  drop constraint call_jobs_kind_check,
  add constraint call_jobs_kind_check check (kind in ('originate', 'hangup', 'command'));
grant update on call_jobs to tandem_app;

-- Instructions for calls under way, in the order they came; a node takes them out when it carries them out.
create table call_commands (
  tenant_id    bigint not null,
  id           text collate "C" not null,
  call_id      text collate "C" not null,
  instructions json not null,
  created_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
create index call_commands_by_call on call_commands (tenant_id, call_id, id);
select protect_tenant_table('call_commands');
grant select, insert, delete on call_commands to tandem_app;

-- The simulated engine keeps its calls in memory now, as real ones do. Those under way are ended like those of a process that
-- is gone.
insert into call_leases (tenant_id, call_id, engine, owner, heartbeat_at)
select distinct s.tenant_id, s.call_id, 'simulator', 'gone', now() - interval '1 hour'
from simulator_call_steps s
on conflict do nothing;
drop function claim_simulator_call_steps(text, integer, integer);
drop table simulator_call_steps;
drop function claim_call_jobs(text, integer, integer, text[]);

grant create on schema public to tandem_engine;

-- `holder` gets jobs that are nobody's and its own; those of another only after that was silent for long. A node that is
-- about to stop takes no call that is to be dialled.
create function claim_call_jobs(token text, max_rows integer, lease_seconds integer, engines text[], holder text,
  may_dial boolean)
returns table (tenant_id bigint, organization_id bigint, mode text, call_id text, kind text, engine text,
  created_at timestamptz)
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select j.tenant_id, j.call_id, j.kind from call_jobs j
    where j.due_at <= now() and (j.engine is null or j.engine = any (engines))
      and (may_dial or j.kind <> 'originate')
      and (j.owner is null or j.owner = holder or j.created_at < now() - interval '40 seconds')
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

do $$
declare
  signature text := 'claim_call_jobs(text, integer, integer, text[], text, boolean)';
begin
  execute format('alter function %s owner to tandem_engine', signature);
  execute format('revoke all on function %s from public', signature);
  execute format('grant execute on function %s to tandem_app', signature);
end $$;
revoke create on schema public from tandem_engine;
