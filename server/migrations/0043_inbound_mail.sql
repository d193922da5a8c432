-- Mail that comes in: over SMTP, from mailboxes, and handed in over HTTP. A mail is stored once, with what it is about and its event, in
-- one transaction; what it was stored for is in the object store before.

create table inbound_mails (
  tenant_id          bigint not null,
  id                 text collate "C" not null check (id ~ '^inm_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  state              text collate "C" not null check (state in ('matched', 'unmatched', 'ignored')),
  -- Outbound: a person wrote it elsewhere, and sent a blind copy here.
  direction          text collate "C" not null check (direction in ('inbound', 'outbound')),
  door               text collate "C" not null check (door in ('smtp', 'imap', 'http')),
  mailbox_id         text collate "C",
  -- SHA-256 of Message-ID, what it came for, and its body: the same mail is not stored again, whichever way it comes.
  dedupe             bytea not null,
  -- The mail as it came, in the object store.
  storage            text collate "C" not null,
  storage_key        text collate "C" not null,
  folder             text collate "C",
  size_bytes         integer not null,
  sha256             text collate "C" not null,
  -- When a notice and the files took the place of the mail as it came, because it held a person who was erased.
  source_erased_at   timestamptz(3),
  -- Without angle brackets.
  message_id         text collate "C",
  -- Message-IDs that it answers, the nearest first.
  answered_ids       text[] not null default '{}',
  from_address       text,
  from_name          text,
  -- Lists of {address, name}.
  to_list            json not null,
  cc_list            json not null,
  subject            text not null,
  text               text not null,
  html               text,
  -- What its Date says.
  written_at         timestamptz(3),
  -- Whether it is from whom it says: by DMARC.
  sender_check       text collate "C" not null check (sender_check in ('verified', 'unverified', 'unknown')),
  auth               json not null,
  -- By a machine (RFC 3834).
  is_automatic       boolean not null,
  matched_by         text collate "C" check (matched_by in ('token', 'thread', 'sender', 'recipient', 'person')),
  -- The mail of ours that it answers.
  mail_id            text collate "C",
  record_id          text collate "C",
  -- Records that it may belong to, where there are several.
  candidates         text[] not null default '{}',
  -- Who sent the blind copy.
  user_id            bigint,
  version            integer not null default 1,
  received_at        timestamptz(3) not null,
  updated_at         timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint inbound_mails_once unique (tenant_id, dedupe),
  constraint inbound_mails_record check ((state = 'matched') = (record_id is not null))
);
create index inbound_mails_state on inbound_mails (tenant_id, state, id);
create index inbound_mails_of_record on inbound_mails (tenant_id, record_id, received_at, id) where record_id is not null;
create index inbound_mails_message_id on inbound_mails (tenant_id, message_id) where message_id is not null;
create index inbound_mails_storage_key on inbound_mails (tenant_id, storage_key);
select protect_tenant_table('inbound_mails');
select open_to_engine('inbound_mails', 'select');
grant select, insert, update, delete on inbound_mails to tandem_app;

create table inbound_mail_attachments (
  tenant_id  bigint not null,
  inbound_id text collate "C" not null,
  -- Its place in the mail, from 1: its bytes are read from there.
  place      smallint not null,
  file_name  text not null,
  media_type text collate "C" not null,
  size_bytes integer not null,
  -- Shown within the HTML.
  is_inline  boolean not null,
  primary key (tenant_id, inbound_id, place),
  foreign key (tenant_id, inbound_id) references inbound_mails (tenant_id, id) on delete cascade
);
select protect_tenant_table('inbound_mail_attachments');
grant select, insert, delete on inbound_mail_attachments to tandem_app;

-- Mailboxes that are read over IMAP, each by one process at a time. The cursor moves in the transaction that stores the mails behind it.
create table mailboxes (
  tenant_id    bigint not null,
  id           text collate "C" not null check (id ~ '^mbx_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  name         text not null,
  settings     json not null,
  -- Sealed JSON of the settings that are never shown.
  secrets      text,
  enabled      boolean not null default true,
  -- Mails that were there before are left alone.
  reads_from   timestamptz(3) not null,
  -- UIDs are counted again when the server gives the folder another UIDVALIDITY (RFC 9051 §2.3.1.1).
  uid_validity bigint,
  last_uid     bigint not null default 0,
  -- `reading`, or why it cannot be read.
  status       text collate "C" not null default 'waiting' check (status in ('waiting', 'reading', 'failing')),
  fault        text,
  read_at      timestamptz(3),
  failures     integer not null default 0,
  due_at       timestamptz(3) not null default now(),
  lease_token  text collate "C",
  version      integer not null default 1,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (tenant_id, id)
);
create index mailboxes_due on mailboxes (due_at) where enabled;
create index mailboxes_lease on mailboxes (lease_token) where lease_token is not null;
select protect_tenant_table('mailboxes');
select open_to_engine('mailboxes', 'select, update');
grant select, insert, update, delete on mailboxes to tandem_app;

-- Leases mailboxes that nobody reads.
create function claim_mailboxes(token text, max_rows integer, lease_seconds double precision)
returns table (tenant_id bigint, organization_id bigint, id text)
language sql security definer set search_path = public, pg_temp as $$
  with due as (
    select m.tenant_id, m.id from mailboxes m where m.enabled and m.due_at <= clock_timestamp()
    order by m.due_at limit max_rows for update skip locked
  )
  update mailboxes m set lease_token = token, due_at = clock_timestamp() + make_interval(secs => lease_seconds)
  from due d, tenants t
  where m.tenant_id = d.tenant_id and m.id = d.id and t.id = m.tenant_id
  returning m.tenant_id, t.organization_id, m.id
$$;

-- Those that are still held under the token, for longer.
create function renew_mailboxes(token text, lease_seconds double precision) returns table (tenant_id bigint, id text, version integer)
language sql security definer set search_path = public, pg_temp as $$
  update mailboxes m set due_at = clock_timestamp() + make_interval(secs => lease_seconds)
  where m.lease_token = token and m.enabled returning m.tenant_id, m.id, m.version
$$;

-- Those of these keys in the store that no mail names.
create function unknown_inbound_mail_keys(tenant_ids bigint[], keys text[]) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select k.key from unnest(tenant_ids, keys) as k (tenant_id, key)
  where not exists (select from inbound_mails m where m.tenant_id = k.tenant_id and m.storage_key = k.key)
$$;

select give_to_engine('claim_mailboxes', 'renew_mailboxes', 'unknown_inbound_mail_keys');
