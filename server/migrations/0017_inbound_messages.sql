-- Inbound messages, and the parts of long ones until they are joined.

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

-- Takes inbound messages in; returns the ids of those that were not known.
create function receive_messages(for_carrier text, tenant_ids bigint[], ids text[], carrier_references text[],
  created_ats timestamptz[], from_addresses text[], to_addresses text[], bodies text[], encodings text[],
  segment_counts smallint[], event_ids text[], event_data text[], service_ids text[], callback_urls text[],
  partials boolean[])
returns table (id text)
language sql security definer set search_path = public, pg_temp as $$
  with items as (
    select * from unnest(tenant_ids, ids, carrier_references, created_ats, from_addresses, to_addresses, bodies, encodings,
      segment_counts, event_ids, event_data, service_ids, callback_urls, partials) as u (tenant_id, id, reference,
      created_at, from_address, to_address, body, encoding, segments, event_id, data, service_id, callback_url, partial)
  ), fresh as (
    insert into messages (tenant_id, id, direction, status, carrier, carrier_reference, from_address, to_address, body,
      encoding, segments, created_at, final_at, service_id, callback_url, partial)
    select i.tenant_id, i.id, 'inbound', 'received', for_carrier, i.reference, i.from_address, i.to_address, i.body,
      i.encoding, i.segments, i.created_at, i.created_at, i.service_id, i.callback_url, coalesce(i.partial, false)
    from items i order by i.tenant_id, i.reference
    on conflict (tenant_id, carrier, carrier_reference) where direction = 'inbound' do nothing
    returning messages.tenant_id, messages.id
  ), emitted as (
    insert into events (tenant_id, id, type, resource_id, sequence, at, data, callback_url)
    select i.tenant_id, i.event_id, 'message.received', i.id, 1, i.created_at, i.data::json, i.callback_url
    from items i join fresh f on f.tenant_id = i.tenant_id and f.id = i.id
  )
  select f.id from fresh f
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

select give_to_engine('receive_messages', 'claim_overdue_parts');
