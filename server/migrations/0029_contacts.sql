-- Contacts: the people that one deals with, and the companies that they belong to.
create table contacts (
  tenant_id     bigint not null,
  id            text collate "C" not null check (id ~ '^con_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  version       integer not null,
  created_at    timestamptz(3) not null,
  updated_at    timestamptz(3) not null,
  deleted_at    timestamptz(3),
  merged_into   text collate "C",
  name          text not null check (length(name) between 1 and 200),
  job_title     text check (length(job_title) between 1 and 200),
  companies     json,
  emails        json,
  phones        json,
  addresses     json,
  birthday      date,
  language      text collate "C" check (length(language) between 2 and 35),
  email_consent boolean not null,
  sms_consent   boolean not null,
  call_consent  boolean not null,
  owner_id      bigint,
  source        text check (length(source) between 1 and 100),
  notes         text check (length(notes) between 1 and 10000),
  find          text not null,
  primary key (tenant_id, id)
);
create index contacts_created on contacts (tenant_id, created_at, id) where deleted_at is null;
create index contacts_owner on contacts (tenant_id, (case when owner_id is null then 0 else owner_id end), created_at, id)
  where deleted_at is null;
create index contacts_by_name on contacts (tenant_id, name collate "und-x-icu", id) where deleted_at is null;
create index contacts_deleted on contacts (tenant_id, created_at, id) where deleted_at is not null;
select make_noun('contacts', 'contact', '{}', 'owner_id');
