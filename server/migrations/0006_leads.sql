-- Leads: people and enquiries that may become customers. What makes them a noun is in 0033_lead_noun.sql.

create sequence leads_id_seq;
grant usage on sequence leads_id_seq to tandem_app;

-- Ids are drawn from the sequence in blocks before the insert, so the whole answer is known before the commit.
create table leads (
  tenant_id          bigint not null,
  id                 bigint not null,
  name               text not null check (length(name) between 1 and 200),
  email              text check (length(email) between 3 and 254),
  phone              text collate "C" check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  company            text check (length(company) between 1 and 200),
  priority           text collate "C" not null check (priority in ('Hot', 'Warm', 'Cold')),
  status             text collate "C" not null
    check (status in ('New', 'Contacted', 'Nurturing', 'Qualified', 'Converted', 'Unqualified', 'Junk')),
  owner_id           bigint,
  source             text check (length(source) between 1 and 100),
  notes              text check (length(notes) between 1 and 10000),
  lost_reason        text check (length(lost_reason) between 1 and 500),
  first_responded_at timestamptz(3),
  company_id         text collate "C",
  contact_id         text collate "C",
  converted_at       timestamptz(3),
  created_at         timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  deleted_at         timestamptz(3),
  version            integer not null,
  merged_into        text collate "C",
  find               text not null,
  primary key (tenant_id, id),
  constraint leads_can_be_reached check (email is not null or phone is not null),
  constraint leads_unqualified_for_a_reason check (status <> 'Unqualified' or lost_reason is not null)
);
-- Duplicates are found by a hash seeded with the tenant: eight bytes an entry.
create index leads_email on leads (hashtextextended(lower(email), tenant_id)) where email is not null;
create index leads_phone on leads (hashtextextended(phone, tenant_id)) where phone is not null;
create index leads_created on leads (tenant_id, created_at, id) where deleted_at is null;
-- Nobody is 0 here, because the order of an index is of no use behind "is null"; and said as a case, because under
-- row-level security an index on coalesce is not used.
create index leads_owner on leads (tenant_id, (case when owner_id is null then 0 else owner_id end), created_at, id)
  where deleted_at is null;
create index leads_status on leads (tenant_id, status, created_at, id) where deleted_at is null;
create index leads_priority on leads (tenant_id, priority, created_at, id) where deleted_at is null;
create index leads_converted on leads (tenant_id, converted_at) where converted_at is not null;
create index leads_of_company_id on leads (tenant_id, company_id) where company_id is not null;
create index leads_of_contact_id on leads (tenant_id, contact_id) where contact_id is not null;
create index leads_deleted on leads (tenant_id, created_at, id) where deleted_at is not null;
