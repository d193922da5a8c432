-- Conferences and their participants, as the API shows them.

-- A conference lives in the node that holds its calls (`owner`), which writes down here what happens in it.
create table conferences (
  tenant_id    bigint not null references tenants (id),
  id           text collate "C" not null,
  name         text not null check (length(name) between 1 and 255),
  state        text not null default 'init',
  sequence     integer not null default 0 check (sequence >= 0),
  owner        text collate "C" not null,
  -- That of the call which began it.
  callback_url text,
  -- How many calls are in it.
  participants integer not null default 0 check (participants >= 0),
  -- How many of the reports of its node are written: those that come again change nothing.
  reported     integer not null default 0,
  end_reason   text check (end_reason in ('empty', 'host_left', 'node_lost')),
  created_at   timestamptz not null,
  started_at   timestamptz,
  ended_at     timestamptz,
  changed_at   timestamptz not null,
  primary key (tenant_id, id),
  constraint conferences_state check (state in ('init', 'active', 'ended')),
  constraint conferences_end
    check ((ended_at is not null) = (state = 'ended') and (end_reason is not null) = (state = 'ended'))
);
create unique index conferences_live on conferences (tenant_id, name) where state <> 'ended';
create index conferences_created on conferences (tenant_id, created_at, id);
select protect_tenant_table('conferences');
select open_to_engine('conferences', 'select');
grant select, insert, update on conferences to tandem_app;

-- A call that comes back into the same conference has its row rewritten.
create table conference_participants (
  tenant_id     bigint not null,
  conference_id text collate "C" not null,
  call_id       text collate "C" not null,
  muted         boolean not null default false,
  held          boolean not null default false,
  -- The call that hears what this one says, and nobody else.
  coach         text collate "C",
  joined_at     timestamptz not null,
  left_at       timestamptz,
  left_reason   text check (left_reason in ('left', 'key', 'timeout', 'removed', 'ended', 'hangup', 'node_lost')),
  primary key (tenant_id, conference_id, call_id),
  foreign key (tenant_id, conference_id) references conferences (tenant_id, id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id),
  constraint conference_participants_end check ((left_at is null) = (left_reason is null))
);
-- Who is in, and who left last.
create index conference_participants_by_leaving on conference_participants (tenant_id, conference_id, left_at, call_id);
create index conference_participants_by_call on conference_participants (tenant_id, call_id);
select protect_tenant_table('conference_participants');
grant select, insert, update on conference_participants to tandem_app;

-- Conferences whose node has died, or never said that they are over: none of the calls it held is held any more.
create function lost_conferences(silent_seconds integer, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, conference_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.tenant_id, t.organization_id, c.id
  from conferences c join tenants t on t.id = c.tenant_id
  where c.state <> 'ended' and c.changed_at < now() - make_interval(secs => silent_seconds)
    and not exists (select from call_leases l where l.tenant_id = c.tenant_id and l.owner = c.owner)
  limit max_rows
$$;

select give_to_engine('lost_conferences');
