-- What the SIP engine must remember: calls as they stood when a message left, so that another process can end them; when a
-- trunk may begin its next call; and what was said in each call.

create table sip_calls (
  tenant_id  bigint not null,
  call_id    text collate "C" not null,
  trunk_id   text collate "C",
  -- Dialog and branch as @tandem/sip stores them; they may hold the keys of the sound.
  stored     json not null,
  updated_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, call_id),
  foreign key (tenant_id, call_id) references calls (tenant_id, id)
) with (fillfactor = 70);
select protect_tenant_table('sip_calls');
grant select, insert, update, delete on sip_calls to tandem_app;

create table trunk_paces (
  tenant_id bigint not null,
  trunk_id  text collate "C" not null,
  -- Not before this may the next call begin.
  next_at   timestamptz not null,
  primary key (tenant_id, trunk_id),
  foreign key (tenant_id, trunk_id) references trunks (tenant_id, id) on delete cascade
) with (fillfactor = 50);
select protect_tenant_table('trunk_paces');
grant select, insert, update, delete on trunk_paces to tandem_app;

-- Calls of a trunk under way.
create index calls_by_trunk_live on calls (tenant_id, trunk_id) where trunk_id is not null and ended_at is null;

-- The SIP messages of each call, in the order they came and went, without passwords.
create table call_traces (
  tenant_id bigint not null,
  call_id   text collate "C" not null,
  position  integer not null,
  at        timestamptz not null,
  direction text collate "C" not null check (direction in ('sent', 'received')),
  transport text collate "C" not null,
  remote    text not null,
  message   text not null,
  -- No foreign key: it would lock the row of a call, which is locked anew by each step of it, for every message.
  primary key (tenant_id, call_id, position)
);
select protect_tenant_table('call_traces');
grant select, insert, delete on call_traces to tandem_app;

grant create on schema public to tandem_engine;

-- The tenants of live mode that have a number, for a call that came in by a trunk. More than one may say that it is theirs.
create function number_owners(phone text)
returns table (tenant_id bigint, organization_id bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select n.tenant_id, t.organization_id
  from numbers n join tenants t on t.id = n.tenant_id
  where n.address = phone and n.voice and t.mode = 'live'
$$;

do $$
begin
  execute 'alter function number_owners(text) owner to tandem_engine';
  execute 'revoke all on function number_owners(text) from public';
  execute 'grant execute on function number_owners(text) to tandem_app';
end $$;
revoke create on schema public from tandem_engine;
