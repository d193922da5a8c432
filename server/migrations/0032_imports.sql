-- Many records changed in the background: imports of files, changes of all records that a filter finds, and what takes either back.

-- What waits for a worker, or is at work. A lease that ends is claimed again; progress is kept with what is done, in its transaction.
create table record_jobs (
  tenant_id       bigint not null,
  organization_id bigint not null,
  -- Of an import, or of a batch.
  id              text collate "C" not null,
  kind            text collate "C" not null check (kind in ('check', 'import', 'change', 'revert')),
  -- The machine on whose disk the file is; null for a store that all can reach, or for no file.
  folder          text,
  -- Of who began it by an access token of the authorization server: whose it was, and all that it may do.
  client_id       text collate "C",
  grant_id        text collate "C",
  scopes          text[],
  token           text collate "C",
  leased_until    timestamptz,
  -- Claims since it last got further.
  attempts        integer not null default 0,
  -- Of these, the ones whose worker never gave it back: it died. Of a trial, which begins from its first row then, all of them.
  losses          integer not null default 0,
  -- Of a trial that was given back before its end: what its rows would have created. Its next worker takes them.
  marks           bytea,
  -- Of the first one of a tenant: since when no worker had any of that tenant.
  waits_since     timestamptz not null default now(),
  created_at      timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint record_jobs_client check ((client_id is null) = (scopes is null))
);
select protect_tenant_table('record_jobs');
select open_to_engine('record_jobs', 'select, update');
grant select, insert, update, delete on record_jobs to tandem_app;

-- Leases jobs under a token, one of a tenant at a time and the oldest of it: a tenant's jobs follow one another. Among tenants the one that
-- has waited longest comes first.
create function claim_record_jobs(by_token text, max_jobs integer, lease_seconds double precision, own_folder text)
returns table (tenant_id bigint, organization_id bigint, id text, kind text, attempts integer, losses integer)
language sql security definer set search_path = public, pg_temp as $$
  update record_jobs j set token = by_token, leased_until = now() + make_interval(secs => lease_seconds), attempts = j.attempts + 1,
    losses = j.losses + case when j.token is null then 0 else 1 end, waits_since = now()
  from (
    select d.tenant_id, d.id from record_jobs d
    where (d.leased_until is null or d.leased_until < now()) and (d.folder is null or d.folder = own_folder)
      and not exists (
        select from record_jobs o
        where o.tenant_id = d.tenant_id and o.id <> d.id
          and (o.leased_until >= now() or (o.created_at, o.id) < (d.created_at, d.id) and (o.folder is null or o.folder = own_folder)))
    order by d.waits_since, d.created_at limit max_jobs for update skip locked
  ) due
  where j.tenant_id = due.tenant_id and j.id = due.id
  returning j.tenant_id, j.organization_id, j.id, j.kind, j.attempts, j.losses
$$;
select give_to_engine('claim_record_jobs');

create table imports (
  tenant_id   bigint not null,
  id          text collate "C" not null check (id ~ '^imp_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  version     integer not null,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  noun        text collate "C" not null,
  file_name   text check (length(file_name) between 1 and 200),
  state       text collate "C" not null check (state in ('draft', 'checking', 'checked', 'running', 'completed', 'canceled', 'failed')),
  -- Who it runs for, and with which rights: those of the key too, where it was made with one.
  user_id     bigint not null,
  key_id      text collate "C",
  -- Where the file is; null when it was removed.
  storage     text,
  storage_key text collate "C",
  folder      text,
  size_bytes  bigint not null,
  sha256      text collate "C" not null,
  encoding    text collate "C" not null,
  delimiter   text collate "C" not null,
  -- The names of its columns with the values and the cells of the first rows.
  columns     json not null,
  mapping     json not null,
  options     json not null,
  row_count   integer,
  -- Rows that are done; of the check, or of the run.
  done        integer not null,
  created     integer not null,
  updated     integer not null,
  unchanged   integer not null,
  skipped     integer not null,
  refused     integer not null,
  -- Why it failed, for people.
  problem     text,
  batch_id    text collate "C",
  finished_at timestamptz(3),
  primary key (tenant_id, id)
);
create index imports_file on imports (storage_key) where storage_key is not null;
create index imports_batch on imports (tenant_id, batch_id) where batch_id is not null;
select protect_tenant_table('imports');
select open_to_engine('imports', 'select');
grant select, insert, update, delete on imports to tandem_app;

-- Rows that cannot be imported, by their place in the file, and what is wrong with each.
create table import_faults (
  tenant_id bigint not null,
  import_id text collate "C" not null,
  place     integer not null,
  faults    json not null,
  primary key (tenant_id, import_id, place),
  foreign key (tenant_id, import_id) references imports (tenant_id, id) on delete cascade
);
select protect_tenant_table('import_faults');
grant select, insert, delete on import_faults to tandem_app;

-- Changes of many records by one request, and what takes a batch back. Of imports the batch is in the histories alone.
create table batches (
  tenant_id   bigint not null,
  id          text collate "C" not null check (id ~ '^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  created_at  timestamptz(3) not null,
  noun        text collate "C" not null,
  source      text collate "C" not null check (source in ('bulk', 'revert')),
  state       text collate "C" not null check (state in ('running', 'completed', 'canceled', 'failed')),
  user_id     bigint not null,
  key_id      text collate "C",
  -- What is set, or done instead; of a revert null.
  work        json,
  -- The batch that is taken back.
  reverts     text collate "C",
  -- The last record that is done, in the order of ids.
  behind      text collate "C" not null,
  total       integer not null,
  changed     integer not null,
  unchanged   integer not null,
  failed      integer not null,
  problem     text,
  finished_at timestamptz(3),
  primary key (tenant_id, id)
);
create index batches_reverts on batches (tenant_id, reverts, id) where reverts is not null;
select protect_tenant_table('batches');
grant select, insert, update on batches to tandem_app;

-- The records of a batch that are still to be changed: those that the filter found when it was asked for.
create table batch_records (
  tenant_id bigint not null,
  batch_id  text collate "C" not null,
  record_id text collate "C" not null,
  primary key (tenant_id, batch_id, record_id),
  foreign key (tenant_id, batch_id) references batches (tenant_id, id) on delete cascade
);
select protect_tenant_table('batch_records');
grant select, insert, delete on batch_records to tandem_app;

-- Records that could not be changed, or taken back, and why.
create table batch_failures (
  tenant_id bigint not null,
  batch_id  text collate "C" not null,
  record_id text collate "C" not null,
  code      text collate "C" not null,
  message   text not null,
  primary key (tenant_id, batch_id, record_id),
  foreign key (tenant_id, batch_id) references batches (tenant_id, id) on delete cascade
);
select protect_tenant_table('batch_failures');
grant select, insert on batch_failures to tandem_app;
