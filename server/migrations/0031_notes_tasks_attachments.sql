-- Notes about records of any kind. Whose they are to see is decided by the record.
create table notes (
  tenant_id   bigint not null,
  id          text collate "C" not null check (id ~ '^note_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  version     integer not null,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  deleted_at  timestamptz(3),
  merged_into text collate "C",
  record_id   text collate "C" not null,
  body        text not null check (length(body) between 1 and 10000),
  is_pinned   boolean not null,
  author_id   bigint not null,
  edited_at   timestamptz(3),
  find        text not null,
  primary key (tenant_id, id)
);
create index notes_created on notes (tenant_id, created_at, id) where deleted_at is null;
create index notes_of_record_id on notes (tenant_id, record_id, created_at, id) where record_id is not null;
create index notes_deleted on notes (tenant_id, created_at, id) where deleted_at is not null;
select make_noun('notes', 'note', '{}');


-- Tasks about records of any kind, or about none.
create table tasks (
  tenant_id    bigint not null,
  id           text collate "C" not null check (id ~ '^task_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  version      integer not null,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  deleted_at   timestamptz(3),
  merged_into  text collate "C",
  title        text not null check (length(title) between 1 and 200),
  body         text check (length(body) between 1 and 10000),
  record_id    text collate "C",
  assignee_id  bigint,
  status       text collate "C" not null check (status in ('open', 'done', 'canceled')),
  priority     text collate "C" not null check (priority in ('low', 'normal', 'high', 'urgent')),
  due_on       date,
  due_at       timestamptz(3),
  created_by   bigint not null,
  completed_at timestamptz(3),
  completed_by bigint,
  find         text not null,
  primary key (tenant_id, id)
);
create index tasks_created on tasks (tenant_id, created_at, id) where deleted_at is null;
create index tasks_owner on tasks (tenant_id, (case when assignee_id is null then 0 else assignee_id end), created_at, id) where deleted_at is null;
create index tasks_status on tasks (tenant_id, status, created_at, id) where deleted_at is null;
create index tasks_by_due_at on tasks (tenant_id, due_at, id) where deleted_at is null and due_at is not null;
create index tasks_without_due_at on tasks (tenant_id, id) where deleted_at is null and due_at is null;
create index tasks_of_record_id on tasks (tenant_id, record_id, created_at, id) where record_id is not null;
create index tasks_deleted on tasks (tenant_id, created_at, id) where deleted_at is not null;
select make_noun('tasks', 'task', '{status}', 'assignee_id');

-- Attachments: files about records of any kind.
create table attachments (
  tenant_id    bigint not null,
  id           text collate "C" not null check (id ~ '^att_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  version      integer not null,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  deleted_at   timestamptz(3),
  merged_into  text collate "C",
  record_id    text collate "C" not null,
  name         text not null check (length(name) between 1 and 200),
  content_type text not null check (length(content_type) between 1 and 127),
  size_bytes   bigint not null check (size_bytes between 1 and 9007199254740991),
  sha256       text not null check (length(sha256) between 1 and 64),
  uploaded_by  bigint not null,
  find         text not null,
  primary key (tenant_id, id)
);
create index attachments_created on attachments (tenant_id, created_at, id) where deleted_at is null;
create index attachments_of_record_id on attachments (tenant_id, record_id, created_at, id) where record_id is not null;
create index attachments_deleted on attachments (tenant_id, created_at, id) where deleted_at is not null;
select make_noun('attachments', 'attachment', '{}');

-- Where the bytes of attachments are; `folder` says on which machine a local store is.
create table attachment_files (
  tenant_id     bigint not null,
  attachment_id text collate "C" not null,
  storage       text collate "C" not null,
  storage_key   text collate "C" not null,
  folder        text collate "C",
  primary key (tenant_id, attachment_id),
  foreign key (tenant_id, attachment_id) references attachments (tenant_id, id) on delete cascade
);
create index attachment_files_key on attachment_files (tenant_id, storage_key);
select protect_tenant_table('attachment_files');
select open_to_engine('attachment_files', 'select');
grant select, insert, delete on attachment_files to tandem_app;

-- Those of these keys in the store that no attachment names.
create function unknown_attachment_keys(tenant_ids bigint[], keys text[]) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select k.key from unnest(tenant_ids, keys) as k (tenant_id, key)
  where not exists (select from attachment_files f where f.tenant_id = k.tenant_id and f.storage_key = k.key)
$$;
select give_to_engine('unknown_attachment_keys');

-- Records of all tenants that have been in the trash for so long, by the table of their noun.
create function expired_trash(target name, keep_days integer, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, id text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
begin
  return query execute format(
    'select r.tenant_id, t.organization_id, r.id::text from %I r join tenants t on t.id = r.tenant_id
     where r.deleted_at < now() - make_interval(days => $1) order by r.tenant_id, r.id limit $2', target)
  using keep_days, max_rows;
end $$;
select give_to_engine('expired_trash');
grant delete on changes to tandem_app;
