-- Messages whose carrier has no link, is switched off or gone: they are routed again, or settled. And how much waits for a carrier.

-- Leases jobs that nobody will hand over: of carriers that have no link up, are switched off or are gone, and of `none`, the carrier of
-- what nobody carries; returns their messages, each with what it waits for. `lost`: their lease had run out, so that their outcome is
-- unknown.
create function claim_stranded_messages(token text, max_jobs integer, lease_seconds double precision)
returns table (tenant_id bigint, id text, carrier text, status text, from_address text, to_address text,
  service_id text, segments smallint, code text, price_micros bigint, currency text, resend boolean, lost boolean, outlived boolean,
  begun boolean, in_part boolean, spend_key_id text, from_pool boolean, counted_today boolean)
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
  select m.tenant_id, m.id, m.carrier, m.status, m.from_address, m.to_address, m.service_id, m.segments, m.code,
    m.price_micros, m.currency, m.resend, l.lost, coalesce(m.send_at, m.created_at) + make_interval(secs => m.validity_seconds) <= present,
    m.attempts > 0 and exists (select from message_segments s where s.tenant_id = m.tenant_id and s.message_id = m.id
      and s.state not in ('throttled', 'refused')),
    false, m.spend_key_id, m.from_pool,
    (select (m.created_at at time zone o.time_zone)::date = (present at time zone o.time_zone)::date
      from tenants t join organizations o on o.id = t.organization_id where t.id = m.tenant_id)
  from leased l cross join unnest(l.message_ids) as u (id)
  join messages m on m.tenant_id = l.tenant_id and m.id = u.id;
end $$;

-- Ends that lease: moves the messages that an event names, and lets the others wait for `to_carriers`, a while. Returns how
-- many messages moved.
create function settle_stranded_messages(token text, tenant_ids bigint[], ids text[], moves_by text[], codes text[],
  to_carriers text[], prices bigint[], currencies text[], retry_seconds double precision[], event_ids text[],
  moves_event text[], moves_from text[], moves_to text[], senders text[] default null)
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  moved integer;
begin
  delete from message_jobs j where j.lease_token = token;
  if not found then return 0; end if;
  select count(*) into moved
  from move_messages(tenant_ids, ids, moves_by, codes, null, event_ids, moves_event, moves_from, moves_to);
  insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
  select u.tenant_id, min(u.id) || token, u.carrier, present + make_interval(secs => u.retry), array_agg(u.id)
  from (
    select w.*, job_of(row_number() over (partition by w.tenant_id, w.carrier, w.retry order by w.n)) as job
    from unnest(tenant_ids, ids, to_carriers, retry_seconds) with ordinality as w (tenant_id, id, carrier, retry, n)
    join messages m on m.tenant_id = w.tenant_id and m.id = w.id and m.status in ('queued', 'scheduled')
    where w.carrier is not null
  ) u
  group by u.tenant_id, u.carrier, u.retry, u.job;
  update messages m set carrier = u.carrier, price_micros = u.price, currency = u.currency
  from unnest(tenant_ids, ids, to_carriers, prices, currencies) as u (tenant_id, id, carrier, price, currency)
  where m.tenant_id = u.tenant_id and m.id = u.id and m.status in ('queued', 'scheduled') and m.carrier <> u.carrier;
  return moved;
end $$;

-- How many messages of the tenant wait for each of these carriers, and since when the oldest is due. Counted up to
-- `max_jobs` jobs a carrier, so that a long queue costs no more than a short one.
create function carrier_backlog(carrier_ids text[], max_jobs integer)
returns table (carrier_id text, messages integer, oldest_due_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select u.id, coalesce(sum(cardinality(j.message_ids)), 0)::integer, min(j.due_at)
  from unnest(carrier_ids) as u (id)
  left join lateral (
    select q.message_ids, q.due_at from message_jobs q
    where q.tenant_id = (select current_setting('app.tenant_id')::bigint) and q.carrier = u.id
    order by q.due_at limit max_jobs
  ) j on true
  group by u.id
$$;

select give_to_engine('claim_stranded_messages', 'settle_stranded_messages', 'carrier_backlog');
