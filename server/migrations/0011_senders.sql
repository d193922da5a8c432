-- Senders and what comes in: the organization's numbers and sender ids, the services that pool them, who asked to be left
-- alone, and the parts of long inbound messages until they are joined.

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
select protect_tenant_table('numbers');
select open_to_engine('numbers', 'select');
grant select, insert, update, delete on numbers to tandem_app;

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

-- Parts of long inbound messages. Those that were not joined yet have a text; afterwards the row is kept for a while without
-- it, so that a part the carrier repeats is known.
create table inbound_parts (
  tenant_id         bigint not null references tenants (id),
  carrier           text collate "C" not null,
  -- The carrier's own id of this part.
  carrier_reference text collate "C" not null,
  -- Which parts belong together: the same sender may use one reference for several messages.
  group_id          text collate "C" not null,
  from_address      text collate "C" not null,
  to_address        text collate "C" not null,
  reference         integer not null check (reference between 0 and 65535),
  total             smallint not null check (total between 1 and 255),
  part              smallint not null check (part between 1 and 255),
  body              text,
  -- When what is there becomes a message; of a joined part, when it is forgotten.
  due_at            timestamptz not null,
  primary key (tenant_id, carrier, carrier_reference),
  constraint inbound_parts_place check (part <= total)
);
create unique index inbound_parts_waiting
  on inbound_parts (tenant_id, carrier, from_address, to_address, reference, total, group_id, part) where body is not null;
create index inbound_parts_due on inbound_parts (due_at);
select protect_tenant_table('inbound_parts');
select open_to_engine('inbound_parts', 'select, update, delete');
grant select, insert, update on inbound_parts to tandem_app;

grant create on schema public to tandem_engine;

-- Whose these tenants are, for what arrives from outside and knows the tenant only.
create function owners_of_tenants(tenant_ids bigint[])
returns table (tenant_id bigint, organization_id bigint, mode text)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, t.organization_id, t.mode from tenants t where t.id = any (tenant_ids)
$$;

-- Leases messages of which parts did not come in time, and forgets parts that were joined long ago. A lease that ends lets
-- another try; one that fails again and again stands behind all others.
create function claim_overdue_parts(max_rows integer, lease_seconds double precision)
returns table (tenant_id bigint, carrier text, from_address text, to_address text, reference integer, total smallint,
  group_id text)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp();
begin
  return query
  with due as (
    select p.tenant_id, p.carrier, p.carrier_reference, p.body is null as joined
    from inbound_parts p where p.due_at <= present
    order by p.due_at limit max_rows for update skip locked
  ), forgotten as (
    delete from inbound_parts p using due d
    where d.joined and p.tenant_id = d.tenant_id and p.carrier = d.carrier and p.carrier_reference = d.carrier_reference
  ), leased as (
    update inbound_parts p set due_at = present + make_interval(secs => lease_seconds)
    from due d
    where not d.joined and p.tenant_id = d.tenant_id and p.carrier = d.carrier
      and p.carrier_reference = d.carrier_reference
    returning p.*
  )
  select distinct l.tenant_id, l.carrier, l.from_address, l.to_address, l.reference, l.total, l.group_id from leased l;
end $$;

do $$
declare
  function_name text;
begin
  foreach function_name in array array['owners_of_tenants', 'claim_overdue_parts'] loop
    execute format('alter function %I owner to tandem_engine', function_name);
    execute format('revoke all on function %I from public', function_name);
    execute format('grant execute on function %I to tandem_app', function_name);
  end loop;
end $$;
revoke create on schema public from tandem_engine;
