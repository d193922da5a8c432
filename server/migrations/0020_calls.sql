-- Calls: their legs, what is to be done about them, which node holds them, and what the SIP engine must remember of them.
--
-- The functions that cross tenants hand out ids and times only; what these mean is read in the tenant.

-- One row is one leg. A leg that another one brought about (a dialled second party, a transfer) names it as its parent.
-- A call's history is its events: `sequence` counts them.
create table calls (
  tenant_id          bigint not null,
  id                 text collate "C" not null,
  parent_call_id     text collate "C",
  direction          text not null check (direction in ('outbound', 'inbound')),
  -- As long as client:… of the longest identity.
  from_number        text not null check (length(from_number) between 1 and 261),
  to_number          text not null check (length(to_number) between 1 and 261),
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
  -- What the call does once it is answered; null: what its callback URL says.
  instructions       json,
  -- Asked for instructions when the callback URL does not answer.
  fallback_url       text,
  trunk_id           text collate "C",
  -- The leg it talks with, or talked with last.
  bridged_to         text collate "C",
  -- The number of the last report of its node that was written.
  reported           integer not null default 0,
  -- What the simulated caller of a call that was injected for a test does: {digits, seconds}.
  simulated          json,
  -- Its simulated remote parties act, and its instructions wait, ten times as fast.
  fast_clock         boolean not null default false,
  -- The key a call was asked for with, whose policy holds for all it dials.
  key_id             text collate "C",
  -- Whether it goes to a number or address outside, and so counts against the ceilings.
  counted            boolean not null default false,
  -- What a minute of the call costs, in millionths; null where nobody is paid.
  rate_micros        bigint,
  currency           text,
  -- What came of it, as a person says, who that was, and when they said it.
  outcome            text,
  outcome_by         bigint,
  outcome_at         timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_call_id) references calls (tenant_id, id),
  constraint calls_state check (state in
    ('initiated', 'ringing', 'answered', 'completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled')),
  constraint calls_end check ((ended_at is not null) = (state not in ('initiated', 'ringing', 'answered'))),
  constraint calls_cause check
    ((hangup_cause is null) = (ended_at is null) and (hangup_by is null) = (ended_at is null)),
  constraint calls_outcome check (outcome in
    ('answered', 'voicemail', 'no_answer', 'busy', 'wrong_number', 'call_back', 'not_interested')),
  constraint calls_outcome_said check ((outcome_by is null) = (outcome is null) and (outcome_at is null) = (outcome is null)),
  constraint calls_answer check (answered_at is not null or state not in ('answered', 'completed'))
);
create index calls_created on calls (tenant_id, created_at, id);
create index calls_by_state on calls (tenant_id, state, created_at, id);
create index calls_by_from on calls (tenant_id, from_number, created_at, id);
create index calls_by_to on calls (tenant_id, to_number, created_at, id);
-- Calls that came in, legs aside: those that somebody may have missed.
create index calls_received on calls (tenant_id, created_at) where direction = 'inbound' and parent_call_id is null;
create index calls_by_parent on calls (tenant_id, parent_call_id) where parent_call_id is not null;
create index calls_by_outcome on calls (tenant_id, outcome, created_at, id) where outcome is not null;
-- Calls of a trunk under way.
create index calls_by_trunk_live on calls (tenant_id, trunk_id) where trunk_id is not null and ended_at is null;
create index calls_by_trunk on calls (tenant_id, trunk_id, created_at, id) where trunk_id is not null;
create index calls_counted on calls (tenant_id, key_id) where counted and ended_at is null;
select protect_tenant_table('calls');
select open_to_engine('calls', 'select');
grant select, insert, update on calls to tandem_app;

-- What an engine must be asked to do, written in the transaction that decided it. A claim moves `due_at` to the end of
-- its lease; what is not finished by then comes back.
create table call_jobs (
  tenant_id   bigint not null,
  call_id     text collate "C" not null,
  kind        text not null check (kind in ('originate', 'hangup', 'command')),
  engine      text check ((engine is null) = (kind = 'originate')),
  due_at      timestamptz not null default now(),
  lease_token text collate "C",
  created_at  timestamptz not null default now(),
  -- Jobs of a call that a node holds are that node's, until it has been silent for too long.
  owner       text collate "C",
  primary key (tenant_id, call_id, kind),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
-- What is asked of calls that are under way is claimed before calls that are to be dialled, of which many may wait.
create index call_jobs_due on call_jobs (due_at) where kind <> 'originate';
create index call_jobs_to_dial on call_jobs (due_at) where kind = 'originate';
select protect_tenant_table('call_jobs');
select open_to_engine('call_jobs', 'select, update, delete');
grant select, insert, update, delete on call_jobs to tandem_app;

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
select open_to_engine('call_leases', 'select, update, delete');
grant select, insert, delete on call_leases to tandem_app;

-- Commands on live calls, in the order they came; a node takes them out when it carries them out.
create table call_commands (
  tenant_id    bigint not null,
  id           text collate "C" not null,
  call_id      text collate "C" not null,
  -- {kind, …}: instructions are one kind.
  command      json not null,
  created_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
create index call_commands_by_call on call_commands (tenant_id, call_id, id);
select protect_tenant_table('call_commands');
select open_to_engine('call_commands', 'select, delete');
grant select, insert, delete on call_commands to tandem_app;

-- Calls as they stood when a message left, so that another process can end them.
create table sip_calls (
  tenant_id  bigint not null,
  call_id    text collate "C" not null,
  trunk_id   text collate "C",
  -- Dialog and branch as @tandem/sip stores them; they may hold the keys of the sound.
  stored     json not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, call_id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
) with (fillfactor = 70);
select protect_tenant_table('sip_calls');
select open_to_engine('sip_calls', 'select, delete');
grant select, insert, update, delete on sip_calls to tandem_app;

-- The SIP messages of each call, in the order they came and went, without passwords.
create table call_traces (
  tenant_id bigint not null,
  call_id   text collate "C" not null,
  position  integer not null,
  at        timestamptz not null,
  direction text collate "C" not null check (direction in ('sent', 'received')),
  transport text collate "C" not null,
  remote    text not null,
  message   text not null,
  -- No foreign key: it would lock the row of a call, which is locked again by each step of it, for every message.
  primary key (tenant_id, call_id, position)
);
-- SIP messages are written in the order of time, so that a block knows from when it is.
create index call_traces_at on call_traces using brin (at) with (pages_per_range = 32, autosummarize = on);
select protect_tenant_table('call_traces');
select open_to_engine('call_traces', 'select, delete');
grant select, insert, delete on call_traces to tandem_app;

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

-- Says that `holder` still holds these calls; answers those it really does. What is missing was taken away from it.
create function renew_call_leases(holder text, tenant_ids bigint[], call_ids text[])
returns table (tenant_id bigint, call_id text)
language sql security definer set search_path = public, pg_temp as $$
  update call_leases l set heartbeat_at = clock_timestamp()
  from unnest(tenant_ids, call_ids) as held (tenant_id, call_id)
  where l.tenant_id = held.tenant_id and l.call_id = held.call_id and l.owner = holder
  returning l.tenant_id, l.call_id
$$;

-- Calls without a heartbeat for so long; anyone who deletes the lease in the tenant's transaction ends the call.
create function lost_calls(silent_seconds integer, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, call_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select l.tenant_id, t.organization_id, l.call_id
  from call_leases l join tenants t on t.id = l.tenant_id
  where l.heartbeat_at < now() - make_interval(secs => silent_seconds)
  limit max_rows
$$;

-- Calls whose remote party has not been notified of the end: they are over and still stored, of whatever tenant, the longest over first.
-- One question for all of them; what is stored is what is under way now.
create function forgotten_calls(over_seconds double precision, held text[], max_rows integer)
returns table (tenant_id bigint, organization_id bigint, call_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.tenant_id, t.organization_id, s.call_id
  from sip_calls s
  join calls c on c.tenant_id = s.tenant_id and c.id = s.call_id
  join tenants t on t.id = s.tenant_id
  where c.ended_at < now() - make_interval(secs => over_seconds) and s.call_id <> all (held)
  order by c.ended_at
  limit max_rows
$$;

-- Calls of the tenant of this transaction with a number, page by page as messages_with reads messages. Calls from the number are shown
-- as the calls they were: not once more for each browser that rang for them.
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
       -- Times are returned in milliseconds.
       and (date_trunc('milliseconds', c.created_at), c.id) < (behind_at, behind_id)
     order by c.created_at desc, c.id desc limit most)
    union all
    (select c.* from calls c
     where c.tenant_id = of_tenant and c.from_number = phone and c.created_at < behind_at + interval '1 millisecond'
       and (date_trunc('milliseconds', c.created_at), c.id) < (behind_at, behind_id) and c.to_number <> phone
       and not (c.parent_call_id is not null and c.to_number like 'client:%')
     order by c.created_at desc, c.id desc limit most)
  ) u
  order by u.created_at desc, u.id desc limit most;
end $$;

-- Deletes SIP messages of calls that ended `keep_days` ago, and what a process that died could not take away of calls that
-- ended a day ago: nobody could do anything with it. Calls under way, however long they last, are left alone. Answers how many
-- rows went.
create function purge_calls(keep_days integer, max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  traces_before timestamptz := now() - make_interval(days => keep_days);
  ended_before timestamptz := now() - interval '1 day';
  stray text;
  gone integer;
  total integer := 0;
begin
  delete from call_traces where ctid = any (array(
    select x.ctid from call_traces x join calls c on c.tenant_id = x.tenant_id and c.id = x.call_id
    where x.at < traces_before and c.ended_at < traces_before limit max_rows));
  get diagnostics total = row_count;
  foreach stray in array array['sip_calls', 'call_commands', 'call_jobs', 'call_leases'] loop
    execute format('delete from %1$I where ctid = any (array(
      select x.ctid from %1$I x join calls c on c.tenant_id = x.tenant_id and c.id = x.call_id
      where c.ended_at < $1 limit $2))', stray) using ended_before, max_rows - total;
    get diagnostics gone = row_count;
    total := total + gone;
  end loop;
  return total;
end $$;

select give_to_engine('claim_call_jobs', 'renew_call_leases', 'lost_calls', 'forgotten_calls', 'purge_calls');
