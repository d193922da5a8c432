-- Recordings of calls: one row each, and what is still to be done about their files.

-- While a recording runs, and until it is stored, its file lies in the folder of one machine: `folder` names the folder,
-- `local_path` the file in it. Then it is an object of the store named by `storage`: `disk`, which is that folder again, or the
-- address of a bucket.
create table recordings (
  tenant_id    bigint not null,
  id           text collate "C" not null,
  call_id      text collate "C" not null,
  state        text not null default 'recording',
  sequence     integer not null default 1 check (sequence >= 1),
  channels     text not null check (channels in ('mono', 'dual')),
  callback_url text,
  metadata     json not null default '{}',
  owner        text collate "C" not null,
  folder       text collate "C" not null,
  local_path   text not null,
  storage      text,
  storage_key  text,
  duration_ms  integer check (duration_ms >= 0),
  size_bytes   bigint check (size_bytes >= 0),
  sha256       text check (sha256 ~ '^[0-9a-f]{64}$'),
  error        text,
  created_at   timestamptz not null default clock_timestamp(),
  started_at   timestamptz not null,
  ended_at     timestamptz,
  available_at timestamptz,
  deleted_at   timestamptz,
  changed_at   timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id),
  constraint recordings_state check
    (state in ('recording', 'paused', 'processing', 'available', 'absent', 'failed', 'deleted')),
  constraint recordings_end check ((ended_at is null) = (state in ('recording', 'paused'))),
  constraint recordings_object check ((storage is null) = (storage_key is null)
    and (state <> 'available' or storage is not null and size_bytes is not null and sha256 is not null
      and duration_ms is not null and available_at is not null)),
  constraint recordings_error check (error is not null or state <> 'failed'),
  constraint recordings_deleted check ((deleted_at is not null) = (state = 'deleted'))
);
create index recordings_created on recordings (tenant_id, created_at, id);
create index recordings_by_call on recordings (tenant_id, call_id, created_at, id);
create index recordings_by_state on recordings (tenant_id, state, created_at, id);
create index recordings_running on recordings (tenant_id, call_id) where state in ('recording', 'paused');
create index recordings_kept on recordings (ended_at) where state = 'available';
select protect_tenant_table('recordings');
select open_to_engine('recordings', 'select');
grant select, insert, update on recordings to tandem_app;

-- What is to be done about files, written in the transaction that decided it: `store` one, `clean` away what lies in a
-- machine's folder, `remove` an object. A job with a folder is for the processes that have that folder. A claim moves `due_at`
-- to the end of its lease; what is not finished by then comes back.
create table recording_jobs (
  tenant_id    bigint not null,
  recording_id text collate "C" not null,
  kind         text not null check (kind in ('store', 'clean', 'remove')),
  folder       text collate "C",
  due_at       timestamptz not null default now(),
  lease_token  text collate "C",
  attempts     integer not null default 0,
  created_at   timestamptz not null default now(),
  primary key (tenant_id, recording_id, kind),
  foreign key (tenant_id, recording_id) references recordings (tenant_id, id)
);
create index recording_jobs_due on recording_jobs (due_at);
select protect_tenant_table('recording_jobs');
select open_to_engine('recording_jobs', 'select, update');
grant select, insert, update, delete on recording_jobs to tandem_app;

-- Folders of machines, and when a process that has the folder last asked for what is to be done there; within a minute.
create table recording_folders (
  folder  text collate "C" primary key,
  seen_at timestamptz not null
);
grant select, insert, update on recording_folders to tandem_engine;

-- What waits to be stored on a machine that has not been there for `give_up_seconds` is given to anyone, to be given up. A machine that is
-- there keeps it, however long a store refuses it.
create function claim_recording_jobs(token text, max_rows integer, lease_seconds integer, own_folder text,
  give_up_seconds integer)
returns table (tenant_id bigint, organization_id bigint, recording_id text, kind text, folder text, attempts integer)
language sql security definer set search_path = public, pg_temp as $$
  insert into recording_folders as f (folder, seen_at)
  select own_folder, now() where own_folder is not null
    and not exists (select from recording_folders k where k.folder = own_folder and k.seen_at > now() - interval '1 minute')
  on conflict on constraint recording_folders_pkey do update set seen_at = excluded.seen_at;
  with due as (
    select j.tenant_id, j.recording_id, j.kind from recording_jobs j
    where j.due_at <= now() and (j.folder is null or j.folder = own_folder
      or j.kind = 'store' and j.created_at < now() - make_interval(secs => give_up_seconds)
        and not exists (select from recording_folders f
          where f.folder = j.folder and f.seen_at > now() - make_interval(secs => give_up_seconds)))
    order by j.due_at
    limit max_rows
    for update of j skip locked
  ), leased as (
    update recording_jobs j
    set lease_token = token, due_at = clock_timestamp() + make_interval(secs => lease_seconds), attempts = j.attempts + 1
    from due where j.tenant_id = due.tenant_id and j.recording_id = due.recording_id and j.kind = due.kind
    returning j.tenant_id, j.recording_id, j.kind, j.folder, j.attempts
  )
  select l.tenant_id, t.organization_id, l.recording_id, l.kind, l.folder, l.attempts
  from leased l join tenants t on t.id = l.tenant_id
$$;

-- Recordings that nobody ended although their call is over since so long: their process died.
create function lost_recordings(silent_seconds integer, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, recording_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.tenant_id, t.organization_id, r.id
  from recordings r
  join calls c on c.tenant_id = r.tenant_id and c.id = r.call_id
  join tenants t on t.id = r.tenant_id
  where r.state in ('recording', 'paused') and c.ended_at < now() - make_interval(secs => silent_seconds)
  limit max_rows
$$;

-- Recordings kept longer than they should be.
create function expired_recordings(keep_days integer, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, recording_id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.tenant_id, t.organization_id, r.id
  from recordings r join tenants t on t.id = r.tenant_id
  where r.state = 'available' and r.ended_at < now() - make_interval(days => keep_days)
  order by r.ended_at
  limit max_rows
$$;

select give_to_engine('claim_recording_jobs', 'lost_recordings', 'expired_recordings');
