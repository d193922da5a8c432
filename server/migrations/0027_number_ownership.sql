-- A telephone number belongs to one organization of the installation: calls that come in by a carrier which serves several of
-- them must not depend on who else wrote the number down. The first to add it holds it; who proves it is theirs takes it
-- over from a holder who has not; what is proved stays until it is released or the operator says otherwise.

alter table numbers
  -- Null where nobody else can have it: in the test tenant, short codes (each carrier has its own), names.
  add column ownership text collate "C" check (ownership in ('unverified', 'verified', 'contested'));
grant update (ownership, version, updated_at) on numbers to tandem_engine;

grant create on schema public to tandem_engine;
set local role tandem_engine;

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

-- What is given up goes to whoever has had it longest of the others.
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

-- Who of the tenants in live mode has a number, and which of them holds it.
create function number_claims(phone text)
returns table (tenant_id bigint, organization_id bigint, id text, voice boolean, ownership text)
language sql stable security definer set search_path = public, pg_temp as $$
  select n.tenant_id, t.organization_id, n.id, n.voice, n.ownership
  from numbers n join tenants t on t.id = n.tenant_id
  where n.address = phone and n.ownership is not null
$$;

-- Processes of the version before ask this one.
create or replace function number_owners(phone text)
returns table (tenant_id bigint, organization_id bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.tenant_id, c.organization_id from number_claims(phone) c where c.voice and c.ownership <> 'contested'
$$;

-- Who runs this installation: its first organization. Its carriers and trunks bring the codes that verify numbers, since
-- those of the organization that asks could read them on the way.
create function operator_tenant()
returns table (tenant_id bigint, organization_id bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.id, t.organization_id from tenants t where t.mode = 'live' order by t.organization_id limit 1
$$;

-- As before, and which numbers another organization holds.
create or replace function messaging_directory(of_tenant bigint, known bigint) returns json
language sql stable security definer set search_path = public, pg_temp as $$
  select json_build_object(
    'revision', r.revision,
    'links', (select coalesce(json_agg(distinct l.carrier_id), '[]') from carrier_links l
      where l.tenant_id = of_tenant and l.role <> 'receiver' and l.state in ('up', 'throttled')
        and l.updated_at > clock_timestamp() - interval '15 seconds'),
    'full', case when r.revision is distinct from known then json_build_object(
      'carriers', (select coalesce(json_agg(json_build_object('id', c.id, 'name', c.name, 'enabled', c.enabled,
        'currency', c.currency, 'routes', c.routes)), '[]') from carriers c where c.tenant_id = of_tenant),
      'numbers', (select coalesce(json_agg(json_build_object('id', n.id, 'address', n.address, 'kind', n.kind,
        'country', n.country, 'serviceId', n.service_id, 'carrierId', n.carrier_id, 'sms', n.sms,
        'contested', n.ownership is not distinct from 'contested', 'segmentsPerSecond', n.segments_per_second)), '[]') from numbers n where n.tenant_id = of_tenant),
      'services', (select coalesce(json_agg(json_build_object('id', s.id, 'stickySender', s.sticky_sender,
        'smartEncoding', s.smart_encoding, 'unknownOutcome', s.unknown_outcome, 'validitySeconds', s.validity_seconds,
        'callbackUrl', s.callback_url, 'duplicateWindowSeconds', s.duplicate_window_seconds)), '[]')
        from messaging_services s where s.tenant_id = of_tenant),
      'hadCarrier', r.had_carrier or exists (select from carriers c where c.tenant_id = of_tenant)) end)
  from (
    select coalesce(max(m.revision), 0) as revision, coalesce(bool_or(m.had_carrier), false) as had_carrier
    from messaging_revisions m where m.tenant_id = of_tenant
  ) r
$$;

revoke all on function lock_number(text), assign_number_ownership(), pass_number_on(), number_claims(text),
  operator_tenant() from public;
grant execute on function lock_number(text), number_claims(text), operator_tenant() to tandem_app;

-- Those that are there: the oldest of an address holds it.
update numbers n set ownership = case when exists (
    select from numbers o join tenants t on t.id = o.tenant_id
    where t.mode = 'live' and o.address = n.address and (o.created_at, o.id) < (n.created_at, n.id))
  then 'contested' else 'unverified' end
from tenants t
where t.id = n.tenant_id and t.mode = 'live' and n.kind = 'long_code';

reset role;
revoke create on schema public from tandem_engine;

create unique index numbers_holder on numbers (address) where ownership in ('unverified', 'verified');
create index numbers_claimed on numbers (address) where ownership is not null;

create trigger numbers_ownership before insert on numbers for each row execute function assign_number_ownership();
create trigger numbers_passed_on after delete on numbers for each row
  when (old.ownership in ('unverified', 'verified')) execute function pass_number_on();

-- The code that was sent last to a number, until it is said.
create table number_verifications (
  tenant_id      bigint not null,
  number_id      text collate "C" not null,
  method         text collate "C" not null check (method in ('text', 'call')),
  code_hash      bytea not null,
  expires_at     timestamptz not null,
  wrong_codes    integer not null default 0,
  -- How many were asked for since, counted for a day.
  requests       integer not null default 1,
  requests_since timestamptz not null,
  primary key (tenant_id, number_id),
  foreign key (tenant_id, number_id) references numbers (tenant_id, id) on delete cascade
);
select protect_tenant_table('number_verifications');
grant select, insert, update, delete on number_verifications to tandem_app;
