-- Companies: organizations that are customers or may become so.
create table companies (
  tenant_id               bigint not null,
  id                      text collate "C" not null check (id ~ '^cmp_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  version                 integer not null,
  created_at              timestamptz(3) not null,
  updated_at              timestamptz(3) not null,
  deleted_at              timestamptz(3),
  merged_into             text collate "C",
  name                    text not null check (length(name) between 1 and 200),
  domain                  text collate "C" check (length(domain) between 3 and 253),
  phone                   text collate "C" check (phone ~ '^\+[1-9][0-9]{5,14}$'),
  industry                text collate "C" check (industry in ('Retail', 'Manufacturing', 'Services', 'Public', 'Other')),
  annual_revenue_minor    bigint,
  annual_revenue_currency text collate "C",
  annual_revenue_rank     double precision,
  addresses               json,
  owner_id                bigint,
  parent_id               text collate "C",
  notes                   text check (length(notes) between 1 and 10000),
  find                    text not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, parent_id) references companies (tenant_id, id)
);
create index companies_created on companies (tenant_id, created_at, id) where deleted_at is null;
create index companies_owner on companies (tenant_id, (case when owner_id is null then 0 else owner_id end), created_at, id)
  where deleted_at is null;
create index companies_industry on companies (tenant_id, industry, created_at, id) where deleted_at is null;
create index companies_by_name on companies (tenant_id, name collate "und-x-icu", id) where deleted_at is null;
create index companies_of_parent_id on companies (tenant_id, parent_id) where parent_id is not null;
create index companies_deleted on companies (tenant_id, created_at, id) where deleted_at is not null;
select make_noun('companies', 'company', '{industry}', 'owner_id');
