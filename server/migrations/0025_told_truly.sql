-- What nobody carries is told to be so: messages of the carrier `none` are settled like those whose carrier is gone.

-- Whether a tenant ever had a carrier: from then on its senders are its own, also when the last carrier is removed.
alter table messaging_revisions add column had_carrier boolean not null default false;

grant create on schema public to tandem_engine;

create or replace function bump_messaging_revision() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into messaging_revisions as r (tenant_id, revision, had_carrier)
  select c.tenant_id, 1, tg_table_name = 'carriers' from (select distinct tenant_id from changed) c order by c.tenant_id
  on conflict (tenant_id) do update
    set revision = r.revision + 1, had_carrier = r.had_carrier or excluded.had_carrier;
  return null;
end $$;

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
        'segmentsPerSecond', n.segments_per_second)), '[]') from numbers n where n.tenant_id = of_tenant),
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

-- Leases jobs that nobody will hand over: of carriers that have no link up, are switched off or are gone, and of none; returns
-- their messages, each with what it waits for. `lost`: their lease had run out, so that their outcome is unknown.
create or replace function claim_stranded_messages(token text, max_jobs integer, lease_seconds double precision)
returns table (tenant_id bigint, id text, carrier text, status text, from_address text, to_address text,
  service_id text, segments smallint, code text, resend boolean, lost boolean, outlived boolean, begun boolean)
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp();
begin
  return query
  with recursive queues as (
    select min(j.carrier) as carrier from message_jobs j
    union all
    select (select min(j.carrier) from message_jobs j where j.carrier > q.carrier) from queues q where q.carrier is not null
  ), stranded as (
    select q.carrier from queues q
    -- A link that went down a moment ago may be back in a moment, and so may one that is only being made.
    where (q.carrier like 'car\_%' or q.carrier = 'none')
      and not exists (select from carrier_links l where l.carrier_id = q.carrier and l.role <> 'receiver'
        and l.updated_at > present - interval '15 seconds'
        and (l.state in ('up', 'throttled') or l.down_since > present - interval '5 seconds'))
      and not exists (select from carriers c where c.id = q.carrier and c.enabled
        and c.updated_at > present - interval '5 seconds')
  ), due as (
    select j.tenant_id, j.id, j.lost from stranded s
    cross join lateral (
      select j.tenant_id, j.id, j.lease_token is not null as lost from message_jobs j
      where j.carrier = s.carrier and j.due_at <= present order by j.due_at
      -- Of each a share: one with a long queue keeps nobody else waiting.
      limit greatest(1, max_jobs / greatest(1, (select count(*) from stranded))) for update skip locked
    ) j
    limit 4 * max_jobs
  ), leased as (
    update message_jobs j set lease_token = token, due_at = present + make_interval(secs => lease_seconds)
    from due d where j.tenant_id = d.tenant_id and j.id = d.id
    returning j.tenant_id, j.message_ids, d.lost
  )
  select m.tenant_id, m.id, m.carrier, m.status, m.from_address, m.to_address, m.service_id, m.segments, m.code, m.resend,
    l.lost, coalesce(m.send_at, m.created_at) + make_interval(secs => m.validity_seconds) <= present,
    m.attempts > 0 and exists (select from message_segments s where s.tenant_id = m.tenant_id and s.message_id = m.id
      and s.state not in ('throttled', 'refused'))
  from leased l cross join unnest(l.message_ids) as u (id)
  join messages m on m.tenant_id = l.tenant_id and m.id = u.id;
end $$;

-- Takes the text of a message away for good, also from what was told of it and what was answered to that.
create or replace function redact_message(of_tenant bigint, message_id text, at timestamptz) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update messages m set body = '', redacted_at = at
  where m.tenant_id = of_tenant and m.id = message_id and m.redacted_at is null
    and m.status in ('delivered', 'undelivered', 'expired', 'failed', 'canceled', 'received', 'unconfirmed');
  if not found then return false; end if;
  update events e set data = (e.data::jsonb || '{"body": ""}')::json
  where e.tenant_id = of_tenant and e.resource_id = message_id;
  update webhook_deliveries d
  set log = (select json_agg(a.attempt - 'reply' order by a.n) from jsonb_array_elements(d.log::jsonb) with ordinality as a (attempt, n))
  from events e
  where e.tenant_id = of_tenant and e.resource_id = message_id and d.tenant_id = of_tenant and d.event_id = e.id
    and d.target in (select 'callback' union all select w.id from webhook_endpoints w where w.tenant_id = of_tenant)
    and d.log::jsonb @? '$[*].reply';
  return true;
end $$;

revoke create on schema public from tandem_engine;

grant update (body, response, note) on request_details to tandem_app;
