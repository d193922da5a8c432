-- The messaging directory of a tenant: what routing keeps in memory of its senders, carriers and destination policies.

-- Which senders and carriers a tenant has, changes: anyone who keeps them in memory asks for this number.
create table messaging_revisions (
  tenant_id   bigint not null,
  revision    bigint not null,
  -- Whether the tenant ever had a carrier: from then on its senders are its own, also when the last carrier is removed.
  had_carrier boolean not null default false,
  primary key (tenant_id)
) with (fillfactor = 50);
select protect_tenant_table('messaging_revisions');
select open_to_engine('messaging_revisions', 'select, insert, update');
grant select on messaging_revisions to tandem_app;

create function bump_messaging_revision() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into messaging_revisions as r (tenant_id, revision, had_carrier)
  select c.tenant_id, 1, tg_table_name = 'carriers' from (select distinct tenant_id from changed) c order by c.tenant_id
  on conflict (tenant_id) do update
    set revision = r.revision + 1, had_carrier = r.had_carrier or excluded.had_carrier;
  return null;
end $$;

do $$
declare
  listed text;
begin
  foreach listed in array array['carriers', 'numbers', 'messaging_services', 'destination_policies'] loop
    execute format('create trigger %I after insert on %I referencing new table as changed for each statement
      execute function bump_messaging_revision()', listed || '_revision_insert', listed);
    execute format('create trigger %I after update on %I referencing new table as changed for each statement
      execute function bump_messaging_revision()', listed || '_revision_update', listed);
    execute format('create trigger %I after delete on %I referencing old table as changed for each statement
      execute function bump_messaging_revision()', listed || '_revision_delete', listed);
  end loop;
end $$;

-- Who may send, who carries, and where to, of one tenant, unless that is `known` already; and always which carriers have a link up.
create function messaging_directory(of_tenant bigint, known bigint) returns json
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
        'contested', n.ownership is not distinct from 'contested', 'segmentsPerSecond', n.segments_per_second)), '[]')
        from numbers n where n.tenant_id = of_tenant),
      'services', (select coalesce(json_agg(json_build_object('id', s.id, 'stickySender', s.sticky_sender,
        'smartEncoding', s.smart_encoding, 'unknownOutcome', s.unknown_outcome, 'validitySeconds', s.validity_seconds,
        'callbackUrl', s.callback_url, 'duplicateWindowSeconds', s.duplicate_window_seconds)), '[]')
        from messaging_services s where s.tenant_id = of_tenant),
      'policies', (select coalesce(json_agg(p), '[]') from (
        select d.subject, d.countries, d.allowed_prefixes, d.blocked_prefixes, d.kinds, d.concurrent_calls, d.daily_calls,
          d.daily_spend
        from destination_policies d where d.tenant_id = of_tenant and d.subject not like 'trk%') p),
      'hadCarrier', r.had_carrier or exists (select from carriers c where c.tenant_id = of_tenant)) end)
  from (
    select coalesce(max(m.revision), 0) as revision, coalesce(bool_or(m.had_carrier), false) as had_carrier
    from messaging_revisions m where m.tenant_id = of_tenant
  ) r
$$;

select give_to_engine('bump_messaging_revision', 'messaging_directory');
