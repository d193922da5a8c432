-- How messages are claimed for a carrier. Claims cost what they take: they lock the jobs they need and no others, look at each
-- message once, and count the ids of their events up from the first.

-- `count` ids in a row, of which `first` is the first. They differ in their last four digits only (newIdBlock of ids.ts).
create function ids_from(first text, count integer) returns text[]
language sql immutable set search_path = public, pg_temp as $$
  with digits as (
    select '0123456789abcdefghjkmnpqrstvwxyz' as d
  ), counted as (
    select ((strpos(d, substr(first, length(first) - 3, 1)) - 1) << 15) + ((strpos(d, substr(first, length(first) - 2, 1)) - 1) << 10)
      + ((strpos(d, substr(first, length(first) - 1, 1)) - 1) << 5) + strpos(d, right(first, 1)) - 1 as start
    from digits
  )
  select coalesce(array_agg(left(first, -4) || substr(d, (n >> 15) + 1, 1) || substr(d, (n >> 10 & 31) + 1, 1)
    || substr(d, (n >> 5 & 31) + 1, 1) || substr(d, (n & 31) + 1, 1) order by n), '{}')
  from digits, counted, generate_series(start, start + count - 1) as n
$$;

-- Leases jobs that are due until they hold `max_segments` (the last one is split) and begins their messages; returns those
-- now to be submitted, with the parts that are still to be handed over. The lease and the rows of the segments are the
-- attempt: from this commit on, a message whose answer does not arrive is unconfirmed. Events take their ids from
-- `first_event_id` on, at most three for each message.
create function claim_messages(for_carrier text, token text, max_segments integer, lease_seconds double precision,
  first_event_id text, moves_event text[], moves_from text[], moves_to text[])
returns table (tenant_id bigint, id text, attempt smallint, from_address text, to_address text, body text, encoding text,
  segments smallint, expires_at timestamptz, created_at timestamptz, parts_mask integer, reference integer,
  resend boolean)
language plpgsql security definer set search_path = public, pg_temp
-- Jobs come in the order of their index: sorted, all that are due would be read.
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_sort = off
set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  present timestamptz := clock_timestamp();
  is_anything_held constant boolean := exists (select from held_tenants);
  -- Jobs looked at in order to hold some of them: however many an organization has for which nothing leaves, a claim costs as much.
  max_looked_at constant integer := 500;
  -- A cursor of its own reads one row at a time: what is not needed stays free for others.
  due cursor for
    select j.tenant_id, j.id, j.message_ids, j.lease_token is not null as lost
    from message_jobs j where j.carrier = for_carrier and j.due_at <= present
      and (not is_anything_held or not exists (select from held_tenants h where h.tenant_id = j.tenant_id))
    order by j.due_at for update skip locked;
  size integer;
  job_tenants bigint[] := '{}';
  job_ids text[] := '{}';
  job_sizes integer[] := '{}';
  listed_jobs integer[] := '{}';
  listed_tenants bigint[] := '{}';
  listed_losts boolean[] := '{}';
  listed_ids text[] := '{}';
  taken record;
  known record;
  event_ids text[];
  used integer;
begin
  if is_anything_held then
    -- Of organizations for which nothing leaves: they wait until that ends, and the next claims have them behind them. The lock makes who
    -- ends it wait for this.
    with looked_at as materialized (
      select j.tenant_id, j.id from message_jobs j where j.carrier = for_carrier and j.due_at <= present
      order by j.due_at limit max_looked_at
    ), held as (
      select j.tenant_id, j.id from looked_at l
      join held_tenants h on h.tenant_id = l.tenant_id
      join message_jobs j on j.tenant_id = l.tenant_id and j.id = l.id
      where j.due_at <= present for share of h for update of j skip locked
    )
    update message_jobs j set due_at = 'infinity' from held h where j.tenant_id = h.tenant_id and j.id = h.id;
  end if;
  -- What is locked is read from the locked rows: another claim may have split a job since this one began.
  for job in due loop
    size := cardinality(job.message_ids);
    if size = 0 then
      -- All of a lost lease waits again: it speaks for nothing.
      delete from message_jobs j where j.tenant_id = job.tenant_id and j.id = job.id;
      continue;
    end if;
    job_tenants := job_tenants || job.tenant_id;
    job_ids := job_ids || job.id;
    job_sizes := job_sizes || size;
    listed_jobs := listed_jobs || array_fill(cardinality(job_ids), array[size]);
    listed_tenants := listed_tenants || array_fill(job.tenant_id, array[size]);
    listed_losts := listed_losts || array_fill(job.lost, array[size]);
    listed_ids := listed_ids || job.message_ids;
    exit when cardinality(listed_ids) >= max_segments;
  end loop;
  if listed_ids = '{}' then return; end if;

  -- Each message once: whether it is still taken, and what becomes of it. One list and no other: from two, the planner may
  -- take the tenant alone to look rows up by.
  with sized as (
    select u.*, m.status, m.code, m.carrier, m.send_at, m.created_at, m.validity_seconds,
      m.attempts, m.resend, m.ignores_opt_out, m.service_id, m.from_address, m.to_address, m.id is not null as known,
      sum(coalesce(m.segments, 1)) over (order by u.place) - coalesce(m.segments, 1) as before
    from unnest(listed_jobs, listed_tenants, listed_losts, listed_ids) with ordinality as u (job, tenant_id, lost, id, place)
    left join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
  ), kept as (
    -- A lost lease is settled whole, when its turn has come.
    select z.*,
      -- Its sender was given back since it was scheduled.
      z.status = 'scheduled' and z.carrier like 'car\_%' and not exists (select from numbers n
        where n.tenant_id = z.tenant_id and n.address = z.from_address) as is_orphan
    from (select y.*, min(y.before) over (partition by y.job) as begins from sized y) z
    where case when z.lost then z.begins else z.before end < max_segments
  ), decided as (
    select k.*, case
        -- Who looks after stranded messages may have leased it and died: then nothing of it was begun.
        when k.lost and k.status = 'sending' then case when k.resend then 'asked_again' else 'answer_lost' end
        when coalesce(k.send_at, k.created_at) + make_interval(secs => k.validity_seconds) <= present then
          -- With a part at the carrier it is not certain that nobody gets it.
          case when k.attempts > 0 and exists (select from message_segments s where s.tenant_id = k.tenant_id
            and s.message_id = k.id and s.state not in ('throttled', 'refused')) then 'outlived_in_part' else 'outlived' end
        when not k.ignores_opt_out and exists (select from opt_outs o where o.tenant_id = k.tenant_id and o.recipient = k.to_address
          and (o.scope = k.service_id or o.scope = k.from_address or o.scope = (select n.service_id from numbers n
            where n.tenant_id = k.tenant_id and n.address = k.from_address)))
          then 'refused_by_us'
        when k.is_orphan then 'refused_by_us'
        else 'claimed'
      end as event
    from kept k
  )
  select array_agg(d.job order by d.place) as jobs, array_agg(d.id order by d.place) as listed,
    array_agg(d.tenant_id order by d.place) filter (where d.known) as tenants,
    array_agg(d.id order by d.place) filter (where d.known) as ids,
    array_agg(d.event order by d.place) filter (where d.known) as events,
    array_agg(case d.event
        when 'answer_lost' then 'submit_unconfirmed'
        when 'asked_again' then 'submit_unconfirmed'
        when 'refused_by_us' then case when d.is_orphan then 'sender_not_owned' else 'recipient_opted_out' end
        -- Why it waited until then.
        when 'outlived_in_part' then 'validity_expired'
        when 'outlived' then case d.code when 'carrier_throttled' then 'carrier_queue_overflow'
          when 'carrier_queue_full' then 'carrier_queue_overflow'
          when 'carrier_link_down' then 'carrier_link_down' else 'validity_expired' end
      end order by d.place) filter (where d.known) as codes,
    bool_or(d.status = 'scheduled') as scheduled
  into taken
  from decided d;

  -- One job at most is split: the last one that is needed.
  with chosen as (
    select job_tenants[t.job] as tenant_id, job_ids[t.job] as id, job_sizes[t.job] as size, t.ids
    from (select t.job, array_agg(t.id order by t.n) as ids
      from unnest(taken.jobs, taken.listed) with ordinality as t (job, id, n) group by t.job) t
  ), part as (
    insert into message_jobs (tenant_id, id, carrier, due_at, lease_token, message_ids)
    select c.tenant_id, token || c.ids[1], for_carrier, present + make_interval(secs => lease_seconds), token, c.ids
    from chosen c where cardinality(c.ids) < c.size
  )
  update message_jobs j set
    lease_token = case when cardinality(c.ids) = c.size then token else j.lease_token end,
    due_at = case when cardinality(c.ids) = c.size then present + make_interval(secs => lease_seconds) else j.due_at end,
    message_ids = case when cardinality(c.ids) = c.size then j.message_ids else j.message_ids[cardinality(c.ids) + 1:] end
  from chosen c where j.tenant_id = any (array[c.tenant_id]) and j.id = any (array[c.id]);
  if taken.ids is null then
    delete from message_jobs j where j.lease_token = token;
    return;
  end if;
  event_ids := ids_from(first_event_id, 3 * cardinality(taken.ids));

  -- Those whose time has come are queued first, each at the turn of its sender.
  if taken.scheduled then
    select array_agg(t.tenant_id) as tenants, array_agg(t.id) as ids into known
    from unnest(taken.tenants, taken.ids) as u (tenant_id, id)
    join messages t on t.tenant_id = any (array[u.tenant_id]) and t.id = any (array[u.id]) and t.status = 'scheduled';
    -- Unless they were taken back meanwhile.
    if known.ids is not null then
      select count(*) into used from move_messages(known.tenants, known.ids, array_fill('time_came'::text,
        array[cardinality(known.ids)]), null, null, event_ids, moves_event, moves_from, moves_to);
      event_ids := event_ids[used + 1:];
      with paced as (
        select array_agg(m.tenant_id order by m.id) as tenants, array_agg(m.id order by m.id) as ids,
          array_agg(m.carrier order by m.id) as carriers, array_agg(m.from_address order by m.id) as senders,
          array_agg(m.segments / n.segments_per_second::double precision order by m.id) as seconds
        from unnest(known.tenants, known.ids) as u (tenant_id, id)
        join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
        join numbers n on n.tenant_id = m.tenant_id and n.address = m.from_address and n.segments_per_second > 0
      ), turns as materialized (
        select p.*, take_sender_turns(p.tenants, p.senders, p.seconds, present) as dues from paced p where p.ids is not null
      ), again as (
        insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
        select l.tenant_id, l.id || token, l.carrier, l.due_at, array[l.id]
        from turns t cross join unnest(t.tenants, t.ids, t.carriers, t.dues) as l (tenant_id, id, carrier, due_at)
        where l.due_at > present
        returning tenant_id, message_ids[1] as id
      )
      select array_agg(u.tenant_id) as tenants, array_agg(u.id) as ids, array_agg(u.event) as events,
        array_agg(u.code) as codes, taken.jobs as jobs, true as scheduled
      into taken
      from unnest(taken.tenants, taken.ids, taken.events, taken.codes) as u (tenant_id, id, event, code)
      where not exists (select from again a where a.tenant_id = u.tenant_id and a.id = u.id);
      if taken.ids is null then
        delete from message_jobs j where j.lease_token = token;
        return;
      end if;
    end if;
  end if;

  with moved as materialized (
    select * from move_messages(taken.tenants, taken.ids, taken.events, taken.codes, null, event_ids, moves_event,
      moves_from, moves_to)
  ), again as (
    -- Messages whose sender wants them handed over again after an unknown outcome.
    insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
    select v.tenant_id, v.id || token, for_carrier, present, array[v.id] from moved v where v.status = 'queued'
  ), begun as (
    insert into message_segments as s (tenant_id, message_id, part, attempt, state, carrier)
    select v.tenant_id, v.id, p.part, v.attempts, 'submitting', for_carrier
    from moved v cross join generate_series(1, v.segments) as p (part) where v.status = 'sending'
    on conflict (tenant_id, message_id, part) do update set
      attempt = excluded.attempt, state = 'submitting', carrier = excluded.carrier, code = null, carrier_code = null,
      answered_at = null, carrier_message_id = null
      where s.state in ('throttled', 'refused', 'unknown', 'submitting')
    returning s.tenant_id, s.message_id, s.attempt, s.part
  ), gathered as (
    -- An array of arrays must be rectangular: a part is a bit.
    select b.tenant_id, b.message_id, b.attempt, bit_or(1 << (b.part - 1)) as mask from begun b group by 1, 2, 3
  )
  select array_agg(g.tenant_id) as tenants, array_agg(g.message_id) as ids, array_agg(g.attempt) as attempts,
    array_agg(g.mask) as masks, null::bigint[] as whole_tenants,
    (select array_agg(v.id) from moved v where v.status = 'sending') as whole_ids
  into known
  from (select * from gathered order by message_id) g;

  -- Every part was taken after all, as a late answer said.
  if cardinality(known.whole_ids) > coalesce(cardinality(known.ids), 0) then
    select array_agg(u.tenant_id), array_agg(u.id) into known.whole_tenants, known.whole_ids
    from unnest(taken.tenants, taken.ids) as u (tenant_id, id)
    where u.id = any (known.whole_ids) and (known.ids is null or u.id <> all (known.ids));
    event_ids := event_ids[cardinality(taken.ids) + 1:];
    perform from move_messages(known.whole_tenants, known.whole_ids, array_fill('accepted'::text,
      array[cardinality(known.whole_ids)]), null, null, event_ids, moves_event, moves_from, moves_to);
    -- Their receipts may have come as well.
    perform apply_receipts(known.whole_tenants, known.whole_ids, null, null, null, null, null,
      event_ids[cardinality(known.whole_ids) + 1:], moves_event, moves_from, moves_to);
  end if;
  if known.ids is null then
    -- Nothing of it is left to be handed over.
    delete from message_jobs j where j.lease_token = token;
    return;
  end if;
  if cardinality(known.ids) < cardinality(taken.jobs) then
    -- The lease holds what is being handed over and nothing else: should it be lost, only that is in doubt.
    update message_jobs j set message_ids = array(select u.id from unnest(j.message_ids) with ordinality as u (id, n)
      where u.id = any (known.ids) order by u.n)
    where j.lease_token = token and not j.message_ids <@ known.ids;
    delete from message_jobs j where j.lease_token = token and j.message_ids = '{}';
  end if;
  return query
  select m.tenant_id, m.id, u.attempts, m.from_address, m.to_address, m.body, m.encoding, m.segments,
    coalesce(m.send_at, m.created_at) + make_interval(secs => m.validity_seconds), m.created_at, u.mask, m.reference,
    m.resend
  from unnest(known.tenants, known.ids, known.attempts, known.masks) as u (tenant_id, id, attempts, mask)
  join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id]);
end $$;

-- A batch that takes longer keeps its lease.
create function renew_messages(token text, lease_seconds double precision) returns void
language sql security definer set search_path = public, pg_temp as $$
  update message_jobs j set due_at = clock_timestamp() + make_interval(secs => lease_seconds) where j.lease_token = token
$$;

select restrict_to_engine('ids_from');

select give_to_engine('claim_messages', 'renew_messages');
