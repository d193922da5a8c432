-- What people keep in the Playground for their team: environments (named sets of variables), and collections of requests in folders, with
-- tests of their answers. They belong to the organization as a whole: a request is written once and sent in both modes. None holds a
-- credential (modules/developer/playground/rules.ts).
create table playground_environments (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^env_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  name            text not null check (length(name) between 1 and 100),
  owner_id        bigint not null,
  shared          boolean not null,
  -- In which mode it is offered; null: in both.
  mode            text collate "C" check (mode in ('live', 'test')),
  -- Name, value, and whether it is secret: those have no value here.
  variables       json not null,
  version         integer not null default 1,
  updated_by      bigint not null,
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, owner_id) references users (organization_id, id)
);
create index playground_environments_owner on playground_environments (organization_id, owner_id, id);
select protect_organization_table('playground_environments');
grant select, insert, update, delete on playground_environments to tandem_app;

create table playground_collections (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^col_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  name            text not null check (length(name) between 1 and 100),
  description     text not null default '' check (length(description) <= 2000),
  owner_id        bigint not null,
  shared          boolean not null,
  -- Id and name of each, in their order.
  folders         json not null,
  version         integer not null default 1,
  updated_by      bigint not null,
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, owner_id) references users (organization_id, id)
);
create index playground_collections_owner on playground_collections (organization_id, owner_id, id);
select protect_organization_table('playground_collections');
grant select, insert, update, delete on playground_collections to tandem_app;

create table playground_requests (
  organization_id bigint not null,
  id              text collate "C" not null check (id ~ '^srq_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  collection_id   text collate "C" not null,
  -- One of the folders of the collection; null: in none.
  folder_id       text collate "C",
  name            text not null check (length(name) between 1 and 120),
  -- Orders the requests of a folder.
  position        double precision not null,
  method          text collate "C" not null,
  path            text not null,
  path_values     json not null,
  query           json not null,
  headers         json not null,
  body            text not null,
  tests           json not null,
  captures        json not null,
  -- Characters of all of it.
  size            integer not null,
  version         integer not null default 1,
  updated_by      bigint not null,
  created_at      timestamptz(3) not null,
  updated_at      timestamptz(3) not null,
  primary key (organization_id, id),
  foreign key (organization_id, collection_id) references playground_collections (organization_id, id) on delete cascade
);
create index playground_requests_collection on playground_requests (organization_id, collection_id, id);
select protect_organization_table('playground_requests');
grant select, insert, update, delete on playground_requests to tandem_app;
