-- Conversations: what was exchanged with one person, or with one address that belongs to nobody, as one thing that people share: who
-- answers, what waits, what was put off. What was exchanged stands in the tables of messages, calls and mails; here is what is made of it.
--
-- They follow the log of events in batches (conversation_positions), each event once: nothing is added to the transactions that write it.

create table conversations (
  tenant_id      bigint not null,
  id             text collate "C" not null check (id ~ '^cnv_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  -- The lead (`lead:17`) or contact (`con_…`); null of an address that belongs to nobody.
  record_id      text collate "C",
  party_kind     text collate "C" not null check (party_kind in ('lead', 'contact', 'unknown')),
  -- Of the record, kept by triggers: lists need not read it.
  name           text not null,
  owner_id       bigint,
  state          text collate "C" not null check (state in ('open', 'snoozed', 'closed')),
  snoozed_until  timestamptz(3),
  assignee_id    bigint,
  team_id        text collate "C",
  -- The oldest that came in and that nobody answered.
  waiting_since  timestamptz(3),
  -- What it was when somebody closed it: reopening gives it back.
  closed_waiting_since timestamptz(3),
  last_inbound_at timestamptz(3),
  last_answer_at timestamptz(3),
  -- When an answer of the inbox was last committed, or nearly so: one that was decided before did not know of it.
  answered_at    timestamptz,
  last_at        timestamptz(3) not null,
  last_item      text collate "C" not null,
  last_kind      text collate "C" not null check (last_kind in ('text', 'call', 'voicemail', 'mail', 'note')),
  last_direction text collate "C" check (last_direction in ('inbound', 'outbound')),
  -- Of a mail that came in: what was found out about its sender.
  last_sender    text collate "C" check (last_sender in ('verified', 'unverified', 'unknown')),
  last_preview   text not null,
  -- The one that it became part of.
  merged_into    text collate "C",
  -- Who has it, as far as that decides who sees it: the owner of the record, of an unknown address who it is assigned to, or 0.
  holder         bigint not null generated always as (
    coalesce(case party_kind when 'unknown' then assignee_id else owner_id end, 0)) stored,
  -- Name and addresses, as searches compare them.
  find           text not null,
  version        integer not null default 1,
  created_at     timestamptz(3) not null,
  updated_at     timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint conversations_snooze check ((state = 'snoozed') = (snoozed_until is not null)),
  constraint conversations_record check ((record_id is null) = (party_kind = 'unknown'))
) with (fillfactor = 80);
create unique index conversations_of_record on conversations (tenant_id, record_id)
  where record_id is not null and merged_into is null;
-- One for each view and order, of the whole inbox and of one holder's part of it.
create index conversations_all on conversations (tenant_id, last_at, id) where merged_into is null;
create index conversations_state on conversations (tenant_id, state, last_at, id) where merged_into is null;
create index conversations_waiting on conversations (tenant_id, waiting_since, id)
  where merged_into is null and state = 'open' and waiting_since is not null;
create index conversations_unassigned on conversations (tenant_id, last_at, id)
  where merged_into is null and state = 'open' and assignee_id is null;
create index conversations_assigned on conversations (tenant_id, assignee_id, last_at, id)
  where merged_into is null and assignee_id is not null;
create index conversations_assigned_waiting on conversations (tenant_id, assignee_id, waiting_since, id)
  where merged_into is null and state = 'open' and waiting_since is not null and assignee_id is not null;
create index conversations_snoozed on conversations (tenant_id, snoozed_until, id) where merged_into is null and state = 'snoozed';
create index conversations_held on conversations (tenant_id, party_kind, holder, last_at, id) where merged_into is null;
create index conversations_held_state on conversations (tenant_id, party_kind, holder, state, last_at, id) where merged_into is null;
create index conversations_held_waiting on conversations (tenant_id, party_kind, holder, waiting_since, id)
  where merged_into is null and state = 'open' and waiting_since is not null;
create index conversations_held_snoozed on conversations (tenant_id, party_kind, holder, snoozed_until, id)
  where merged_into is null and state = 'snoozed';
create index conversations_last_item on conversations (tenant_id, last_item);
create index conversations_due on conversations (snoozed_until) where merged_into is null and state = 'snoozed';
create index conversations_merged on conversations (tenant_id, merged_into) where merged_into is not null;
create index conversations_find on conversations using gin (tenant_id, find gin_trgm_ops) where merged_into is null;
select protect_tenant_table('conversations');
select open_to_engine('conversations', 'select, update');
grant select, insert, update, delete on conversations to tandem_app;

-- Which conversation an address belongs to: what comes from it lands there.
create table conversation_addresses (
  tenant_id       bigint not null,
  -- A number in E.164, or an e-mail address as suppressions compare it.
  address         text collate "C" not null,
  channel         text collate "C" not null check (channel in ('phone', 'mail')),
  conversation_id text collate "C" not null,
  primary key (tenant_id, address),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
create index conversation_addresses_of on conversation_addresses (tenant_id, conversation_id);
select protect_tenant_table('conversation_addresses');
select open_to_engine('conversation_addresses', 'select');
grant select, insert, update, delete on conversation_addresses to tandem_app;

-- What a conversation is to one member: how far they read, and since when a note mentions them.
create table conversation_users (
  tenant_id       bigint not null,
  conversation_id text collate "C" not null,
  user_id         bigint not null,
  read_at         timestamptz(3),
  -- Marked as unread by themselves.
  is_unread       boolean not null default false,
  mentioned_at    timestamptz(3),
  primary key (tenant_id, conversation_id, user_id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
create index conversation_users_mentioned on conversation_users (tenant_id, user_id, mentioned_at, conversation_id)
  where mentioned_at is not null;
create index conversation_users_unread on conversation_users (tenant_id, user_id, conversation_id) where is_unread;
select protect_tenant_table('conversation_users');
grant select, insert, update, delete on conversation_users to tandem_app;

-- What stands in the thread and nowhere else: what was done with the conversation, notes on unknown people; and of what stands elsewhere
-- who answered, whom a note mentions, and mails that belong to no record.
create table conversation_entries (
  tenant_id       bigint not null,
  conversation_id text collate "C" not null,
  at              timestamptz(3) not null,
  -- That of the text, mail or note, where it is about one.
  id              text collate "C" not null,
  kind            text collate "C" not null check (kind in ('event', 'note', 'answer', 'of_note', 'mail')),
  user_id         bigint,
  data            json not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, conversation_id) references conversations (tenant_id, id) on delete cascade
);
create index conversation_entries_of on conversation_entries (tenant_id, conversation_id, at, id)
  where kind in ('event', 'note', 'mail');
create index conversation_entries_all_of on conversation_entries (tenant_id, conversation_id);
select protect_tenant_table('conversation_entries');
grant select, insert, update, delete on conversation_entries to tandem_app;

-- Who looks at a conversation or writes in it, at this moment. Nothing that a crash may not lose.
create unlogged table conversation_presences (
  tenant_id       bigint not null,
  conversation_id text collate "C" not null,
  user_id         bigint not null,
  state           text collate "C" not null check (state in ('viewing', 'composing')),
  since           timestamptz(3) not null,
  expires_at      timestamptz(3) not null,
  primary key (tenant_id, conversation_id, user_id)
) with (fillfactor = 50);
create index conversation_presences_expire on conversation_presences (expires_at);
select protect_tenant_table('conversation_presences');
select open_to_engine('conversation_presences', 'select, delete');
grant select, insert, update, delete on conversation_presences to tandem_app;

-- What changed, for those who have the inbox open: read by the stream of each node, and kept for an hour.
create table conversation_signals (
  tenant_id       bigint not null,
  id              text collate "C" not null,
  type            text collate "C" not null check (type in ('conversation.updated', 'conversation.presence')),
  conversation_id text collate "C" not null,
  user_id         bigint,
  -- Who is there now.
  presence        json,
  -- As the conversation was: who sees it is decided when it is sent.
  party_kind      text collate "C" not null,
  holder          bigint not null,
  -- Who sees it besides: who it is assigned to, and who is mentioned. Only these, where `is_private`.
  user_ids        bigint[] not null,
  is_private      boolean not null default false,
  at              timestamptz(3) not null,
  written_in      xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, id)
);
select protect_tenant_table('conversation_signals');
select open_to_engine('conversation_signals', 'select, delete');
grant select, insert on conversation_signals to tandem_app;

-- How far the log of events was followed. A row of it counts as followed exactly if the transaction that wrote it is in the snapshot, or in
-- `page_snapshot` with an id up to `page_id`, within which pages go on. Ids of what is not followed yet are not below `floor_at` (less what
-- clocks differ): transactions that were under way at `mark_at` had numbers below `mark_xid`, and the floor moves there once all of these ended.
create table conversation_positions (
  tenant_id     bigint not null,
  snapshot      pg_snapshot not null,
  page_snapshot pg_snapshot,
  page_id       text collate "C",
  floor_at      timestamptz(3) not null,
  mark_at       timestamptz(3) not null,
  mark_xid      xid8 not null,
  -- The newest event seen; until when to look for older ones that commit late.
  seen_id       text collate "C" not null,
  look_until    timestamptz(3) not null,
  -- What there was before is taken in first, in the order of the digits of ids: behind these, while it lasts, and before those.
  fill_behind   text collate "C",
  fill_before   text collate "C" not null,
  primary key (tenant_id)
);
select protect_tenant_table('conversation_positions');
select open_to_engine('conversation_positions', 'select, update');
grant select, insert, update on conversation_positions to tandem_app;

-- Tenants whose log has something that conversations have not followed.
create function tenants_behind_with_conversations(behind_tenant bigint, max_rows integer)
returns table (tenant_id bigint, organization_id bigint, mode text)
language sql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
  select t.id, t.organization_id, t.mode
  from tenants t
  cross join lateral (select e.id from events e where e.tenant_id = t.id order by e.id desc limit 1) e
  left join conversation_positions p on p.tenant_id = t.id
  where p.tenant_id is null or p.fill_behind is not null or p.seen_id < e.id or p.look_until > clock_timestamp()
  order by t.id <= behind_tenant, t.id limit max_rows
$$;

-- Snoozed conversations whose time has come.
create function due_conversations(max_rows integer) returns table (tenant_id bigint, organization_id bigint, id text)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.tenant_id, t.organization_id, c.id
  from conversations c join tenants t on t.id = c.tenant_id
  where c.state = 'snoozed' and c.merged_into is null and c.snoozed_until <= clock_timestamp()
  order by c.snoozed_until limit max_rows
$$;

-- Deletes signals that are over, a bounded number of rows; answers how many went.
create function purge_conversation_signals(max_rows integer) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  gone_too integer;
begin
  delete from conversation_presences p where p.ctid = any (array(
    select o.ctid from conversation_presences o where o.expires_at < clock_timestamp() - interval '1 minute' limit max_rows));
  get diagnostics gone = row_count;
  delete from conversation_signals s where s.ctid = any (array(
    select o.ctid from tenants t cross join lateral (
      select s.ctid from conversation_signals s
      where s.tenant_id = t.id and s.id < first_id_at('cns', clock_timestamp() - interval '1 hour') limit max_rows
    ) o limit max_rows - gone));
  get diagnostics gone_too = row_count;
  return gone + gone_too;
end $$;

-- What `find` is compared with, for each word, the longest first.
create function conversation_patterns(words text[]) returns text[]
language sql stable set search_path = public, pg_temp as $$
  select array(
    select '%' || regexp_replace(lower(fold_search(w)), '([\\%_])', '\\\1', 'g') || '%' from unnest(words) as w order by length(w) desc)
$$;

-- Conversations of the tenant of this transaction that hold all these texts, at most so many of them, in no order: the rest need not be
-- read. A function, as behind row-level security PostgreSQL would not use the index of parts of words.
create function conversations_found(words text[], most integer) returns setof text
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
declare
  of_tenant bigint := current_setting('app.tenant_id')::bigint;
  patterns text[] := conversation_patterns(words);
begin
  return query
  select c.id from conversations c
  -- The longest is what the index is asked for: it knows no `all`.
  where c.tenant_id = of_tenant and c.merged_into is null and c.find like patterns[1] and c.find like all (patterns)
  limit most;
end $$;

-- Name and owner of a record stand on its conversation.
create function name_conversation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
  update conversations c
  set name = new.name, owner_id = new.owner_id,
    find = lower(fold_search(new.name)) || substring(c.find from position(E'\n' in c.find))
  where c.tenant_id = new.tenant_id and c.record_id = case tg_table_name when 'leads' then 'lead:' || new.id else new.id::text end
    and c.merged_into is null;
  return null;
end $$;
create trigger leads_name_conversation after update on leads for each row
  when (old.name is distinct from new.name or old.owner_id is distinct from new.owner_id) execute function name_conversation();
create trigger contacts_name_conversation after update on contacts for each row
  when (old.name is distinct from new.name or old.owner_id is distinct from new.owner_id) execute function name_conversation();

-- A text that is erased is gone from the inbox too, and from the events of its conversation. Who follows the log holds the position of
-- the tenant: what they made of the text is there before this, and what they make of it later has none.
create function erase_preview() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
  of_text text[];
begin
  perform from conversation_positions p where p.tenant_id = new.tenant_id for update;
  update conversations c set last_preview = '' where c.tenant_id = new.tenant_id and c.last_item = new.id;
  of_text := array(
    select a.conversation_id from conversation_addresses a
    where a.tenant_id = new.tenant_id and a.address in (new.from_address, new.to_address));
  update events e set data = jsonb_set(e.data::jsonb, '{lastActivity,preview}', '""')::json
  from conversations c
  where c.tenant_id = new.tenant_id and (c.id = any (of_text) or c.merged_into = any (of_text))
    and e.tenant_id = c.tenant_id and e.resource_id = c.id and e.data::jsonb #>> '{lastActivity,itemId}' = new.id;
  return null;
end $$;
create trigger messages_erase_preview after update of redacted_at on messages for each row
  when (old.redacted_at is null and new.redacted_at is not null) execute function erase_preview();

select give_to_engine('tenants_behind_with_conversations', 'due_conversations', 'purge_conversation_signals', 'conversations_found');
