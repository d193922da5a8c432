-- Tags: words with a color that are put on records of any kind.
create table tags (
  tenant_id   bigint not null,
  id          text collate "C" not null check (id ~ '^tag_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  version     integer not null,
  created_at  timestamptz(3) not null,
  updated_at  timestamptz(3) not null,
  deleted_at  timestamptz(3),
  merged_into text collate "C",
  name        text not null check (length(name) between 1 and 60),
  color       text collate "C" not null
    check (color in ('gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'purple', 'pink', 'brown')),
  find        text not null,
  primary key (tenant_id, id)
);
create index tags_created on tags (tenant_id, created_at, id) where deleted_at is null;
create index tags_by_name on tags (tenant_id, name collate "und-x-icu", id) where deleted_at is null;
create index tags_deleted on tags (tenant_id, created_at, id) where deleted_at is not null;
select make_noun('tags', 'tag', '{}');
-- One tag a name, whatever the case of its letters.
create unique index record_keys_of_tags on record_keys (tenant_id, value) where noun = 'tag';

-- Which record has which tag. Records are named as the API names them: `cmp_…`, or `lead:17` where ids are numbers.
create table record_tags (
  tenant_id   bigint not null,
  record_id   text collate "C" not null,
  tag_id      text collate "C" not null,
  noun        text collate "C" not null,
  -- Whether the record is in the trash.
  deleted     boolean not null default false,
  assigned_at timestamptz(3) not null,
  assigned_by bigint not null,
  primary key (tenant_id, record_id, tag_id),
  foreign key (tenant_id, tag_id) references tags (tenant_id, id)
);
create index record_tags_of_tag on record_tags (tenant_id, tag_id, noun, record_id);
select protect_tenant_table('record_tags');
grant select, insert, update (deleted), delete on record_tags to tandem_app;

-- How many records of each noun have each tag, among the counters of nouns: `a` is the tag, `b` the noun.
create function count_record_tags() returns trigger language plpgsql as $$
begin
  insert into noun_counts as c (tenant_id, noun, owner, deleted, a, b, c, lane, count)
  select r.tenant_id, 'record_tag', -1, r.deleted, r.tag_id, r.noun, '', (select free_noun_lane()), count(*)
  from new_rows r group by r.tenant_id, r.deleted, r.tag_id, r.noun order by 1, 4, 5, 6
  on conflict (tenant_id, noun, owner, deleted, a, b, c, lane) do update set count = c.count + excluded.count;
  return null;
end $$;

create function uncount_record_tags() returns trigger language plpgsql as $$
begin
  insert into noun_counts as c (tenant_id, noun, owner, deleted, a, b, c, lane, count)
  select r.tenant_id, 'record_tag', -1, r.deleted, r.tag_id, r.noun, '', (select free_noun_lane()), -count(*)
  from old_rows r group by r.tenant_id, r.deleted, r.tag_id, r.noun order by 1, 4, 5, 6
  on conflict (tenant_id, noun, owner, deleted, a, b, c, lane) do update set count = c.count + excluded.count;
  return null;
end $$;

create function recount_record_tags() returns trigger language plpgsql as $$
begin
  insert into noun_counts as c (tenant_id, noun, owner, deleted, a, b, c, lane, count)
  select r.tenant_id, 'record_tag', -1, r.deleted, r.tag_id, r.noun, '', (select free_noun_lane()), sum(r.change)
  from (select *, 1 as change from new_rows union all select *, -1 from old_rows) r
  group by r.tenant_id, r.deleted, r.tag_id, r.noun having sum(r.change) <> 0 order by 1, 4, 5, 6
  on conflict (tenant_id, noun, owner, deleted, a, b, c, lane) do update set count = c.count + excluded.count;
  return null;
end $$;

create trigger record_tags_counted_insert after insert on record_tags referencing new table as new_rows
  for each statement execute function count_record_tags();
create trigger record_tags_counted_update after update on record_tags referencing new table as new_rows old table as old_rows
  for each statement execute function recount_record_tags();
create trigger record_tags_counted_delete after delete on record_tags referencing old table as old_rows
  for each statement execute function uncount_record_tags();

-- Says of the tags of a record whether it is in the trash. The argument is what ids begin with where others name them: `lead:`.
create function mark_record_tags() returns trigger language plpgsql as $$
begin
  update record_tags set deleted = new.deleted_at is not null
  where tenant_id = new.tenant_id and record_id = tg_argv[0] || new.id;
  return null;
end $$;

-- Lets tags be put on the records of a table. Called once, by the migration that creates the table.
create function hold_tags(target name, prefix text default '') returns void language plpgsql as $$
begin
  execute format('create trigger %I after update on %I for each row
    when ((old.deleted_at is null) <> (new.deleted_at is null)) execute function mark_record_tags(%L)',
    target || '_tags_marked', target, prefix);
end $$;

select hold_tags('companies'), hold_tags('contacts'), hold_tags('leads', 'lead:');

-- Saved views: how somebody looks at a list. What they ask for is checked against the list when it is saved, and again when it is read.
create table saved_views (
  tenant_id  bigint not null,
  id         text collate "C" not null check (id ~ '^viw_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  noun       text collate "C" not null,
  owner_id   bigint not null,
  name       text not null check (length(name) between 1 and 80),
  shared     boolean not null,
  layout     text collate "C" not null check (layout in ('list', 'board')),
  columns    json not null,
  filters    json not null,
  sort       text collate "C",
  group_by   text collate "C",
  version    integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index saved_views_owner on saved_views (tenant_id, noun, owner_id);
create index saved_views_shared on saved_views (tenant_id, noun) where shared;
select protect_tenant_table('saved_views');
grant select, insert, update, delete on saved_views to tandem_app;

-- The view that a list opens with, by person.
create table default_views (
  tenant_id bigint not null,
  user_id   bigint not null,
  noun      text collate "C" not null,
  view_id   text collate "C" not null,
  primary key (tenant_id, user_id, noun),
  foreign key (tenant_id, view_id) references saved_views (tenant_id, id) on delete cascade
);
create index default_views_of_view on default_views (tenant_id, view_id);
select protect_tenant_table('default_views');
grant select, insert, update, delete on default_views to tandem_app;
