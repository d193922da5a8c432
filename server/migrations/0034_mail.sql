-- Mail: what is to be sent, what became of it, and how it looks. A mail, its event and its job are written in one transaction, often
-- that of what it reports; a worker leases the job, and what it hands over is marked before a byte leaves.

create table mails (
  tenant_id    bigint not null,
  id           text collate "C" not null check (id ~ '^mail_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  stream       text collate "C" not null check (stream in ('security', 'transactional', 'conversation', 'marketing')),
  state        text collate "C" not null check (state in ('queued', 'sending', 'sent', 'delivered', 'bounced', 'complained', 'suppressed',
    'canceled', 'expired', 'failed', 'unconfirmed')),
  -- Why it is so, where that needs a reason: a problem code, or `kept_in_outbox`.
  code         text collate "C",
  -- Key of the template it was made of.
  template     text collate "C",
  locale       text collate "C",
  sender_id    text collate "C",
  -- Null until it first leaves, where nobody named a sender.
  from_address text,
  from_name    text,
  reply_to     text,
  subject      text not null,
  -- Null once it left, for mails whose words open something.
  text         text,
  html         text,
  -- Without angle brackets; given when it first leaves, and the same ever after.
  message_id   text collate "C",
  dedupe_key   text collate "C",
  -- The lead or contact that it was written to.
  record_id    text collate "C",
  -- Message-IDs of the mails that it answers, the nearest last.
  answers      text[] not null default '{}',
  -- Who had it sent; null for mails that the server sends by itself.
  user_id      bigint,
  -- What it went by: `outbox`, `installation`, or a transport of the organization.
  transport    text collate "C",
  size_bytes   integer,
  attempts     smallint not null default 0,
  -- That of the newest event about it.
  version      integer not null default 1,
  scheduled_at timestamptz(3),
  expires_at   timestamptz(3) not null,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  sent_at      timestamptz(3),
  primary key (tenant_id, id),
  constraint mails_dedupe unique (tenant_id, dedupe_key)
);
create index mails_user on mails (tenant_id, user_id, id) where user_id is not null;
create index mails_of_record on mails (tenant_id, record_id, created_at, id) where record_id is not null;
create index mails_message_id on mails (tenant_id, message_id) where message_id is not null;
-- What is asked for by itself may be rare among very many: those of a state, but for the one that nearly all end in.
create index mails_of_state on mails (tenant_id, state, id) where state <> 'sent';
create index mails_of_stream on mails (tenant_id, stream, id);
create index mails_of_template on mails (tenant_id, template, id) where template is not null;
select protect_tenant_table('mails');
grant select, insert, update, delete on mails to tandem_app;

create table mail_recipients (
  tenant_id bigint not null,
  mail_id   text collate "C" not null,
  place     smallint not null,
  kind      text collate "C" not null check (kind in ('to', 'cc', 'bcc')),
  address   text collate "C" not null,
  -- In small letters, as suppressions and filters compare it.
  compared  text collate "C" not null,
  name      text,
  -- What became of the mail for this one alone.
  outcome   text collate "C" check (outcome in ('accepted', 'rejected', 'suppressed', 'delivered', 'bounced', 'complained')),
  code      text collate "C",
  reply     text,
  primary key (tenant_id, mail_id, place),
  foreign key (tenant_id, mail_id) references mails (tenant_id, id) on delete cascade
);
create index mail_recipients_address on mail_recipients (tenant_id, compared, mail_id);
select protect_tenant_table('mail_recipients');
grant select, insert, update, delete on mail_recipients to tandem_app;

-- Each time it was handed over, written before.
create table mail_attempts (
  tenant_id       bigint not null,
  mail_id         text collate "C" not null,
  number          smallint not null,
  transport       text collate "C" not null,
  host            text,
  started_at      timestamptz(3) not null,
  ended_at        timestamptz(3),
  outcome         text collate "C" check (outcome in ('kept', 'accepted', 'deferred', 'refused', 'unconfirmed', 'given_back')),
  -- Of the reply: `250`, `5.1.1`, and the beginning of its text.
  reply_code      smallint,
  enhanced_status text collate "C",
  reply           text,
  code            text collate "C",
  primary key (tenant_id, mail_id, number),
  foreign key (tenant_id, mail_id) references mails (tenant_id, id) on delete cascade
);
select protect_tenant_table('mail_attempts');
grant select, insert, update, delete on mail_attempts to tandem_app;

create table mail_attachments (
  tenant_id  bigint not null,
  mail_id    text collate "C" not null,
  place      smallint not null,
  file_name  text not null,
  media_type text collate "C" not null,
  content    bytea not null,
  primary key (tenant_id, mail_id, place),
  foreign key (tenant_id, mail_id) references mails (tenant_id, id) on delete cascade
);
select protect_tenant_table('mail_attachments');
grant select, insert, delete on mail_attachments to tandem_app;

-- What waits for a worker, or is being handed over. A lease that ends means that its process did.
create table mail_jobs (
  tenant_id       bigint not null,
  organization_id bigint not null,
  mail_id         text collate "C" not null,
  due_at          timestamptz(3) not null,
  -- Of the stream `security`: claimed before what is not.
  is_urgent       boolean not null default false,
  lease_token     text collate "C",
  primary key (tenant_id, mail_id),
  foreign key (tenant_id, mail_id) references mails (tenant_id, id) on delete cascade
) with (fillfactor = 70);
create index mail_jobs_due on mail_jobs (tenant_id, is_urgent, due_at);
select protect_tenant_table('mail_jobs');
select open_to_engine('mail_jobs', 'select, update');
grant select, insert, update, delete on mail_jobs to tandem_app;

-- How many mails left in the present minute and day; urgent ones by themselves, so that no other holds them up.
create table mail_rates (
  tenant_id    bigint not null,
  is_urgent    boolean not null,
  minute       timestamptz(3) not null,
  minute_count integer not null,
  day          date not null,
  day_count    integer not null,
  primary key (tenant_id, is_urgent)
) with (fillfactor = 50);
select protect_tenant_table('mail_rates');
grant select, insert, update on mail_rates to tandem_app;

-- The organization's own words: for a template that the server has, or for one of its own.
create table mail_templates (
  tenant_id  bigint not null,
  id         text collate "C" not null check (id ~ '^mtp_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  key        text collate "C" not null check (key ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*$'),
  -- Empty: for all that have none of their own.
  locale     text collate "C" not null default '',
  subject    text not null,
  text       text not null,
  html       text,
  version    integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint mail_templates_key unique (tenant_id, key, locale)
);
select protect_tenant_table('mail_templates');
grant select, insert, update, delete on mail_templates to tandem_app;

-- Who gets no mail: all of it, or of one stream.
create table mail_suppressions (
  tenant_id  bigint not null,
  id         text collate "C" not null check (id ~ '^sup_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  -- In small letters.
  address    text collate "C" not null,
  -- Empty: of all streams.
  stream     text collate "C" not null default '' check (stream in ('', 'security', 'transactional', 'conversation', 'marketing')),
  reason     text collate "C" not null check (reason in ('hard_bounce', 'complaint', 'unsubscribe', 'manual')),
  note       text,
  mail_id    text collate "C",
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint mail_suppressions_address unique (tenant_id, address, stream)
);
select protect_tenant_table('mail_suppressions');
grant select, insert, update, delete on mail_suppressions to tandem_app;

create table mail_transports (
  tenant_id  bigint not null,
  id         text collate "C" not null check (id ~ '^mtr_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  kind       text collate "C" not null check (kind in ('outbox', 'smtp', 'smtp_oauth')),
  name       text not null,
  settings   json not null,
  -- Sealed JSON of the settings that are never shown; null when there are none.
  secrets    text,
  -- What mails go by whose sender names no other.
  is_default boolean not null default false,
  enabled    boolean not null default true,
  per_minute integer,
  version    integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant_id, id)
);
create unique index mail_transports_default on mail_transports (tenant_id) where is_default;
select protect_tenant_table('mail_transports');
grant select, insert, update, delete on mail_transports to tandem_app;

create table mail_domains (
  tenant_id        bigint not null,
  id               text collate "C" not null check (id ~ '^mdo_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  domain           text collate "C" not null,
  selector         text collate "C" not null,
  -- PEM, sealed; and the public half as it stands in the DNS.
  private_key      text not null,
  public_key       text not null,
  -- Where bounces go: a name below the domain.
  return_path_host text collate "C" not null,
  status           text collate "C" not null default 'pending' check (status in ('pending', 'verified', 'failing')),
  -- What was last found of each row that should be in the DNS.
  found            json,
  checked_at       timestamptz(3),
  version          integer not null default 1,
  created_at       timestamptz(3) not null,
  updated_at       timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint mail_domains_domain unique (tenant_id, domain)
);
select protect_tenant_table('mail_domains');
grant select, insert, update, delete on mail_domains to tandem_app;

create table mail_senders (
  tenant_id    bigint not null,
  id           text collate "C" not null check (id ~ '^msn_[0-7][0-9a-hjkmnp-tv-z]{25}$'),
  address      text collate "C" not null,
  name         text,
  reply_to     text,
  transport_id text collate "C",
  -- Streams whose mails it sends where nobody names a sender.
  default_for  text[] not null default '{}',
  version      integer not null default 1,
  created_at   timestamptz(3) not null,
  updated_at   timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint mail_senders_address unique (tenant_id, address)
);
select protect_tenant_table('mail_senders');
grant select, insert, update, delete on mail_senders to tandem_app;

-- Leases mails that are due under a token, tenant after tenant from the one behind `behind_tenant` on, and of each no more than it has
-- room for: `tenant_room` less what it has under way here; urgent ones first. `was_leased`: its last worker never said what became of it.
create function claim_mails(token text, max_mails integer, tenant_room integer, lease_seconds double precision,
  behind_tenant bigint, busy_tenants bigint[], busy_counts integer[])
returns table (tenant_id bigint, organization_id bigint, mode text, mail_id text, was_leased boolean)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_sort = off as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp();
  at_tenant bigint := behind_tenant;
  has_turned boolean := false;
  room integer;
  urgent_room integer;
  -- That a slow server has all room of a tenant holds up no urgent mail.
  room_besides constant integer := 10;
  taken integer := 0;
  counted integer;
  is_held boolean;
  is_all_held boolean;
  -- Jobs of tenants for which nothing leaves that are set aside: however many there are, a claim costs as much.
  left_to_look_at integer := 500;
begin
  loop
    select j.tenant_id into at_tenant from mail_jobs j where j.tenant_id > at_tenant order by j.tenant_id limit 1;
    if not found then
      exit when has_turned;
      has_turned := true;
      at_tenant := 0;
      continue;
    end if;
    exit when has_turned and at_tenant > behind_tenant;
    -- Of an organization for which nothing leaves only what people need to log in and to know; the rest waits until that ends.
    select h.for_installation into is_all_held from held_tenants h where h.tenant_id = at_tenant for share;
    is_held := found;
    -- Where the whole installation is held, what waited before may have left the one that is lost; what is asked for since has not.
    if is_held and is_all_held then
      with looked_at as materialized (
        select j.tenant_id, j.mail_id from mail_jobs j
        where j.tenant_id = at_tenant and j.is_urgent and j.due_at <= present
          and exists (select from mails m, sending_hold s
            where m.tenant_id = j.tenant_id and m.id = j.mail_id and m.created_at < s.since)
        order by j.due_at limit left_to_look_at for update of j skip locked
      ), aside as (
        update mail_jobs j set due_at = 'infinity' from looked_at l
        where j.tenant_id = l.tenant_id and j.mail_id = l.mail_id
      )
      select left_to_look_at - count(*) into left_to_look_at from looked_at;
    end if;
    if is_held then
      with looked_at as materialized (
        select j.tenant_id, j.mail_id from mail_jobs j
        where j.tenant_id = at_tenant and not j.is_urgent and j.due_at <= present
        order by j.due_at limit left_to_look_at for update skip locked
      ), aside as (
        update mail_jobs j set due_at = 'infinity' from looked_at l
        where j.tenant_id = l.tenant_id and j.mail_id = l.mail_id
      )
      select left_to_look_at - count(*) into left_to_look_at from looked_at;
    end if;
    room := least(max_mails - taken, tenant_room - coalesce(busy_counts[array_position(busy_tenants, at_tenant)], 0));
    urgent_room := least(max_mails - taken, room + room_besides);
    if urgent_room > 0 then
      return query
        with urgent as materialized (
          select j.tenant_id, j.mail_id, j.lease_token is not null as was_leased from mail_jobs j
          where j.tenant_id = at_tenant and j.is_urgent and j.due_at <= present
            and (not is_held or not is_all_held or not exists (select from mails m, sending_hold s
              where m.tenant_id = j.tenant_id and m.id = j.mail_id and m.created_at < s.since))
          order by j.due_at limit urgent_room for update of j skip locked
        ), others as materialized (
          select j.tenant_id, j.mail_id, j.lease_token is not null as was_leased from mail_jobs j
          where j.tenant_id = at_tenant and not j.is_urgent and j.due_at <= present
          order by j.due_at limit case when is_held then 0 else greatest(0, room - (select count(*) from urgent)) end
          for update skip locked
        ), due as (
          select * from urgent union all select * from others
        )
        update mail_jobs j set lease_token = token, due_at = present + make_interval(secs => lease_seconds)
        from due d, tenants t
        where j.tenant_id = d.tenant_id and j.mail_id = d.mail_id and t.id = j.tenant_id
        returning j.tenant_id, j.organization_id, t.mode, j.mail_id, d.was_leased;
      get diagnostics counted = row_count;
      taken := taken + counted;
    end if;
    exit when taken >= max_mails;
  end loop;
end $$;

-- What takes longer keeps its lease.
create function renew_mails(token text, lease_seconds double precision) returns void
language sql security definer set search_path = public, pg_temp as $$
  update mail_jobs j set due_at = clock_timestamp() + make_interval(secs => lease_seconds) where j.lease_token = token
$$;
create index mail_jobs_lease on mail_jobs (lease_token) where lease_token is not null;

-- Mails are kept so long; what still waits, and what stands on the timeline of a record, is not removed.
create function purge_mails(before timestamptz, max_rows integer) returns integer
language sql security definer set search_path = public, pg_temp as $$
  with old as (
    select m.tenant_id, m.id from mails m
    where m.created_at < before and m.state not in ('queued', 'sending') and m.record_id is null limit max_rows
  ), gone as (
    delete from mails m using old o where m.tenant_id = o.tenant_id and m.id = o.id returning 1
  )
  select count(*)::integer from gone
$$;
-- Without those on records, which stay: looking for what is old would pass over all of them.
create index mails_created on mails (created_at) where record_id is null;
select open_to_engine('mails', 'select, delete');

select give_to_engine('claim_mails', 'renew_mails', 'purge_mails');
