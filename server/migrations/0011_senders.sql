-- Senders: the organization's numbers and sender ids, the services that pool them, and who asked not to be texted.

create table messaging_services (
  tenant_id                bigint not null references tenants (id),
  id                       text collate "C" not null,
  name                     text not null check (length(name) between 1 and 200),
  sticky_sender            boolean not null default true,
  smart_encoding           boolean not null default false,
  unknown_outcome          text collate "C" not null default 'hold' check (unknown_outcome in ('hold', 'resend')),
  validity_seconds         integer check (validity_seconds between 1 and 36000),
  callback_url             text,
  -- Null looks for no duplicates.
  duplicate_window_seconds integer check (duplicate_window_seconds between 1 and 86400),
  -- [{language, stop, start, help}], each {words, reply}: see services/rules.ts.
  keywords                 json not null,
  version                  integer not null default 1,
  created_at               timestamptz(3) not null,
  updated_at               timestamptz(3) not null,
  primary key (tenant_id, id)
);
select protect_tenant_table('messaging_services');
select open_to_engine('messaging_services', 'select');
grant select, insert, update, delete on messaging_services to tandem_app;

-- A telephone number belongs to one organization of the installation: calls that come in by a carrier which serves several of
-- them must not depend on who else wrote the number down. The first to add it holds it; who proves it is theirs takes it
-- over from a holder who has not; what is proved stays until it is released or the operator says otherwise.
create table numbers (
  tenant_id           bigint not null references tenants (id),
  id                  text collate "C" not null,
  kind                text collate "C" not null check (kind in ('long_code', 'short_code', 'alphanumeric')),
  -- E.164 with +, the digits of a short code, or a sender id as it is written.
  address             text collate "C" not null,
  country             text collate "C" check (country ~ '^[A-Z]{2}$'),
  label               text check (length(label) between 1 and 200),
  service_id          text collate "C",
  -- Goes out through this carrier only.
  carrier_id          text collate "C",
  sms                 boolean not null,
  voice               boolean not null,
  -- Null is as fast as the carrier.
  segments_per_second numeric(7, 2) check (segments_per_second between 0.01 and 10000),
  callback_url        text,
  creates_leads       boolean not null default false,
  version             integer not null default 1,
  created_at          timestamptz(3) not null,
  updated_at          timestamptz(3) not null,
  -- Null where nobody else can have it: in the test tenant, short codes (each carrier has its own), names.
  ownership           text collate "C" check (ownership in ('unverified', 'verified', 'contested')),
  primary key (tenant_id, id),
  constraint numbers_address unique (tenant_id, address),
  constraint numbers_form check (case kind
    when 'long_code' then address ~ '^\+[1-9][0-9]{5,14}$'
    when 'short_code' then address ~ '^[0-9]{3,8}$'
    else address ~ '^[A-Za-z0-9 .&_-]{1,11}$' and address ~ '[A-Za-z]' end),
  -- Nothing comes in to a name.
  constraint numbers_names_only_send
    check (kind <> 'alphanumeric' or (not voice and not creates_leads and callback_url is null)),
  constraint numbers_service foreign key (tenant_id, service_id) references messaging_services (tenant_id, id),
  constraint numbers_carrier foreign key (tenant_id, carrier_id) references carriers (tenant_id, id)
    on delete set null (carrier_id)
);
create index numbers_of_service on numbers (tenant_id, service_id) where service_id is not null;
create index numbers_of_carrier on numbers (tenant_id, carrier_id) where carrier_id is not null;
create unique index numbers_holder on numbers (address) where ownership in ('unverified', 'verified');
create index numbers_claimed on numbers (address) where ownership is not null;
select protect_tenant_table('numbers');
select open_to_engine('numbers', 'select');
grant update (ownership, version, updated_at) on numbers to tandem_engine;
grant select, insert, update, delete on numbers to tandem_app;

-- The code that was sent last to a number, until it is said.
create table number_verifications (
  tenant_id      bigint not null,
  number_id      text collate "C" not null,
  method         text collate "C" not null check (method in ('text', 'call')),
  code_hash      bytea not null,
  expires_at     timestamptz not null,
  wrong_codes    integer not null default 0,
  primary key (tenant_id, number_id),
  foreign key (tenant_id, number_id) references numbers (tenant_id, id) on delete cascade
);
select protect_tenant_table('number_verifications');
grant select, insert, update, delete on number_verifications to tandem_app;

-- How many codes that prove numbers an organization asked for: for one number, and for all together (`organization`). Apart from
-- the numbers: who removes one and adds it again has no more tries to guess a code, nor texts and calls at the operator's cost.
create table number_code_requests (
  tenant_id      bigint not null references tenants (id),
  subject        text collate "C" not null,
  requests       integer not null,
  -- Counted for a day.
  requests_since timestamptz not null,
  primary key (tenant_id, subject)
);
select protect_tenant_table('number_code_requests');
grant select, insert, update, delete on number_code_requests to tandem_app;

-- Who is not to be texted, and by whom: by all senders of a service, or by the one address of a sender without one.
create table opt_outs (
  tenant_id  bigint not null references tenants (id),
  id         text collate "C" not null,
  scope      text collate "C" not null,
  recipient  text collate "C" not null check (recipient ~ '^\+[1-9][0-9]{5,14}$'),
  source     text collate "C" not null check (source in ('keyword', 'api')),
  -- The word as it was sent, where a word did it.
  keyword    text,
  created_at timestamptz(3) not null,
  primary key (tenant_id, id),
  constraint opt_outs_recipient_of_scope unique (tenant_id, scope, recipient)
);
create index opt_outs_recipient on opt_outs (tenant_id, recipient, id);
create index opt_outs_scope on opt_outs (tenant_id, scope, id);
select protect_tenant_table('opt_outs');
select open_to_engine('opt_outs', 'select');
grant select, insert, update, delete on opt_outs to tandem_app;

-- Of several who add a number at once the first to come is the first.
create function lock_number(phone text) returns void
language sql security definer set search_path = public, pg_temp as $$
  select pg_advisory_xact_lock(hashtextextended('number ' || phone, 0))
$$;

create function assign_number_ownership() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if new.kind <> 'long_code' or not exists (select from tenants t where t.id = new.tenant_id and t.mode = 'live') then
    new.ownership := null;
    return new;
  end if;
  perform lock_number(new.address);
  new.ownership := case when exists (select from numbers n
    where n.address = new.address and n.ownership in ('unverified', 'verified')) then 'contested' else 'unverified' end;
  return new;
end $$;
create trigger numbers_ownership before insert on numbers for each row execute function assign_number_ownership();

-- What is given up goes to the one who has had it longest of the others.
create function pass_number_on() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform lock_number(old.address);
  update numbers n set ownership = 'unverified', version = n.version + 1, updated_at = greatest(now(), n.created_at)
  from (select o.tenant_id, o.id from numbers o where o.address = old.address and o.ownership = 'contested'
    order by o.created_at, o.id limit 1) heir
  where n.tenant_id = heir.tenant_id and n.id = heir.id;
  return null;
end $$;
create trigger numbers_passed_on after delete on numbers for each row
  when (old.ownership in ('unverified', 'verified')) execute function pass_number_on();

-- Who of the tenants in live mode has a number, and which of them holds it.
create function number_claims(phone text)
returns table (tenant_id bigint, organization_id bigint, id text, voice boolean, ownership text)
language sql stable security definer set search_path = public, pg_temp as $$
  select n.tenant_id, t.organization_id, n.id, n.voice, n.ownership
  from numbers n join tenants t on t.id = n.tenant_id
  where n.address = phone and n.ownership is not null
$$;

select give_to_engine('lock_number', 'assign_number_ownership', 'pass_number_on', 'number_claims');
