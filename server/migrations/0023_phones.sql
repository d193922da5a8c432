-- Softphones and SIP phones, and what a call to a number begins with. Signalling of softphones goes through these rows, since the process
-- that holds a call is not the one the browser is connected to.

-- What a call to a number begins with. It goes with its number.
create table number_voice (
  tenant_id    bigint not null,
  number_id    text collate "C" not null,
  callback_url text,
  fallback_url text,
  -- A list, or a sealed text where it holds secrets.
  instructions json,
  updated_at   timestamptz(3) not null,
  primary key (tenant_id, number_id),
  foreign key (tenant_id, number_id) references numbers (tenant_id, id) on delete cascade
);
select protect_tenant_table('number_voice');
grant select, insert, update, delete on number_voice to tandem_app;

-- One row is one stream of a browser and one identity it rings for. Who did not beat for 15 seconds is gone.
create table client_registrations (
  tenant_id    bigint not null,
  id           text collate "C" not null,
  identity     text collate "C" not null check (length(identity) between 1 and 254),
  connected_at timestamptz not null default clock_timestamp(),
  seen_at      timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id, identity)
) with (fillfactor = 50);
create index client_registrations_by_identity on client_registrations (tenant_id, identity);
select protect_tenant_table('client_registrations');
select open_to_engine('client_registrations', 'select');
grant select, insert, update, delete on client_registrations to tandem_app;

-- Calls whose remote party is a browser, until a minute after their end.
create table client_legs (
  tenant_id  bigint not null,
  call_id    text collate "C" not null,
  identity   text collate "C" not null check (length(identity) between 1 and 254),
  -- rings: the browser is called; calls: it has called, and we speak to it first; dials_in: a handset that calls a number.
  kind       text not null check (kind in ('rings', 'calls', 'dials_in')),
  lead_id    bigint,
  -- What a browser that calls has offered (SDP), and what it or one that took the call was answered.
  offer      text,
  answer     text,
  -- When a browser took a call that rang.
  taken_at   timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, call_id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
);
create index client_legs_by_identity on client_legs (tenant_id, identity);
select protect_tenant_table('client_legs');
grant select, insert, update, delete on client_legs to tandem_app;

-- Phones of an organization: the names and passwords they register with.
create table sip_credentials (
  tenant_id    bigint not null references tenants (id),
  id           text collate "C" not null,
  username     text collate "C" not null check (username ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  -- Sealed JSON of the digests that prove the password; never the password.
  digests      text not null,
  display_name text check (length(display_name) between 1 and 64),
  caller_id    text,
  callback_url text,
  -- A list, or a sealed text where it holds secrets.
  instructions json,
  version      integer not null default 1,
  created_at   timestamptz(3) not null default now(),
  updated_at   timestamptz(3) not null default now(),
  primary key (tenant_id, id),
  constraint sip_credentials_username unique (tenant_id, username)
);
select protect_tenant_table('sip_credentials');
select open_to_engine('sip_credentials', 'select');
grant select, insert, update, delete on sip_credentials to tandem_app;

-- Where a phone is reached until it expires; written whole by each REGISTER.
create table sip_contacts (
  tenant_id     bigint not null,
  credential_id text collate "C" not null,
  position      integer not null,
  contact       text not null,
  path          text[] not null,
  source        text not null,
  call_id       text not null,
  cseq          bigint not null,
  q             real not null,
  instance      text,
  user_agent    text,
  registered_at timestamptz(3) not null,
  expires_at    timestamptz(3) not null,
  primary key (tenant_id, credential_id, position),
  foreign key (tenant_id, credential_id) references sip_credentials (tenant_id, id) on delete cascade
);
select protect_tenant_table('sip_contacts');
grant select, insert, update, delete on sip_contacts to tandem_app;

-- Whether phones may come at all: without a trunk and a phone no port is opened.
create function any_sip_credential() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from sip_credentials)
$$;

-- Whether there is anything for the process for calls: a call or a command for one, a trunk that is switched on, a phone, a softphone in a
-- browser, or the remote party of a call that is over and was never notified. Servers that have none yet ask every second.
create function voice_wanted() returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from call_jobs)
    or exists (select from trunks where enabled)
    or exists (select from sip_credentials)
    or exists (select from sip_calls)
    or exists (select from client_registrations where seen_at > clock_timestamp() - interval '15 seconds')
$$;

select give_to_engine('any_sip_credential', 'voice_wanted');
