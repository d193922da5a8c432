-- Roles of an organization's own, and the teams by which some of them see records.

create table roles (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^rol_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  name            text not null check (length(name) between 1 and 100),
  description     text not null default '' check (length(description) <= 500),
  -- What /v1 shows of everybody who has it.
  base            text not null check (base in ('Admin', 'Sales Manager', 'Sales Executive', 'Finance Manager')),
  permissions     text[] not null,
  -- By kind of record, whose are seen: own, team or all. Of a kind that is not named, what the base sees.
  rows            jsonb not null check (jsonb_typeof(rows) = 'object'),
  version         integer not null default 1,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index roles_name_key on roles (organization_id, lower(name));
select protect_organization_table('roles');
select open_to_engine('roles', 'select');
grant select, insert, update, delete on roles to tandem_app;

alter table users add constraint users_role foreign key (organization_id, role_id) references roles (organization_id, id);
create index users_role on users (organization_id, role_id) where role_id is not null;
alter table invitations add constraint invitations_role foreign key (organization_id, role_id) references roles (organization_id, id);

create table teams (
  organization_id bigint not null references organizations (id),
  id              text collate "C" not null check (id ~ '^team_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  name            text not null check (length(name) between 1 and 100),
  description     text not null default '' check (length(description) <= 500),
  version         integer not null default 1,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),
  primary key (organization_id, id)
);
create unique index teams_name_key on teams (organization_id, lower(name));
select protect_organization_table('teams');
grant select, insert, update, delete on teams to tandem_app;

create table team_members (
  organization_id bigint not null,
  team_id         text collate "C" not null,
  user_id         bigint not null,
  -- Whom others ask about the team; it gives no rights.
  is_lead         boolean not null default false,
  created_at      timestamptz not null default now(),
  primary key (organization_id, team_id, user_id),
  foreign key (organization_id, team_id) references teams (organization_id, id) on delete cascade,
  foreign key (organization_id, user_id) references users (organization_id, id)
);
create index team_members_user on team_members (organization_id, user_id);
select protect_organization_table('team_members');
select open_to_engine('team_members', 'select');
grant select, insert, update, delete on team_members to tandem_app;
