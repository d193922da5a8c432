-- How messages are claimed and what carriers answer and report, where a message of one part keeps that part itself.

-- Whether the carrier has taken a part, and perhaps reported what became of it; null where the message has no part of its own.
create function was_taken(part_state text) returns boolean language sql immutable parallel safe
return part_state in ('accepted', 'delivered', 'undelivered', 'expired');

-- Leases jobs that are due until they hold `max_segments` (the last one is split) and begins their messages; returns those
-- now to be submitted, with the parts that are still to be handed over. The lease and the state of the parts are the
-- attempt: from this commit on, a message whose answer does not arrive is unconfirmed. `first_event_id` is not read.
create or replace function claim_messages(for_carrier text, token text, max_segments integer, lease_seconds double precision,
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
  present timestamptz(3) := clock_timestamp();
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
  other record;
  made record;
  begun record;
  claimed_tenants bigint[];
  claimed_ids text[];
  digits text;
  handed integer;
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
    select u.*, m.status, m.code, m.carrier, m.part_state, m.send_at, m.created_at, m.validity_seconds, m.segments,
      m.attempts, m.resend, m.ignores_opt_out, m.service_id, m.from_address, m.to_address, m.from_pool, m.callback_url,
      m.id is not null as known,
      sum(coalesce(m.segments, 1)) over (order by u.place) - coalesce(m.segments, 1) as before
    from unnest(listed_jobs, listed_tenants, listed_losts, listed_ids) with ordinality as u (job, tenant_id, lost, id, place)
    left join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
  ), kept as (
    -- A lost lease is settled whole, when its turn has come.
    select z.*,
      -- Its sender was given back since it was scheduled, turned out to be another's, or sends no texts any more.
      z.status = 'scheduled' and z.carrier like 'car\_%' and not exists (select from numbers n
        where n.tenant_id = z.tenant_id and n.address = z.from_address and n.sms and n.ownership is distinct from 'contested') as is_orphan,
      -- Its service chose that sender, has it no more, and has others.
      z.status = 'scheduled' and z.from_pool is true and z.carrier like 'car\_%' and not exists (select from numbers n
        where n.tenant_id = z.tenant_id and n.address = z.from_address and n.service_id = z.service_id and n.sms
          and n.ownership is distinct from 'contested')
        and exists (select from numbers n where n.tenant_id = z.tenant_id and n.service_id = z.service_id and n.sms
          and n.ownership is distinct from 'contested') as is_to_be_chosen
    from sized z
    where z.before < max_segments or z.lost and exists (select from sized f where f.job = z.job and f.before < max_segments)
  ), decided as (
    select k.*, case
        -- Who looks after stranded messages may have leased it and died: then nothing of it was begun.
        when k.lost and k.status = 'sending' then case when k.resend then 'asked_again' else 'answer_lost' end
        -- A late answer said that it was taken after all: nothing is handed over, and what was reported of it counts.
        when was_taken(k.part_state) then 'claimed'
        when coalesce(k.send_at, k.created_at) + make_interval(secs => k.validity_seconds) <= present then
          -- With a part at the carrier it is not certain that nobody gets it.
          case when k.attempts > 0 and (k.part_state not in ('throttled', 'refused') or exists (select from message_segments s
            where s.tenant_id = k.tenant_id and s.message_id = k.id and s.state not in ('throttled', 'refused'))) then 'outlived_in_part' else 'outlived' end
        -- Who opted out is asked for with the sender that it will have.
        when k.is_to_be_chosen then 'sender_gone'
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
    bool_or(d.status = 'scheduled') as scheduled,
    bool_or(d.segments > 1 or d.attempts > 0) as has_parts,
    bool_or(d.callback_url is not null) as has_callbacks
  into taken
  from decided d;

  if cardinality(taken.jobs) = cardinality(listed_ids) then
    update message_jobs j set lease_token = token, due_at = present + make_interval(secs => lease_seconds)
    from unnest(job_tenants, job_ids) as u (tenant_id, id) where j.tenant_id = any (array[u.tenant_id]) and j.id = any (array[u.id]);
  else
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
  end if;
  if taken.ids is null then
    delete from message_jobs j where j.lease_token = token;
    return;
  end if;

  -- Those whose time has come are queued first, each at the turn of its sender.
  if taken.scheduled then
    select array_agg(t.tenant_id) as tenants, array_agg(t.id) as ids into known
    from unnest(taken.tenants, taken.ids, taken.events) as u (tenant_id, id, event)
    join messages t on t.tenant_id = any (array[u.tenant_id]) and t.id = any (array[u.id]) and t.status = 'scheduled'
    where u.event <> 'sender_gone';
    -- Unless they were taken back meanwhile.
    if known.ids is not null then
      perform advance_messages(known.tenants, known.ids, array_fill('time_came'::text, array[cardinality(known.ids)]), null, null,
        moves_event, moves_from, moves_to);
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
        array_agg(u.code) as codes, taken.jobs as jobs, true as scheduled, taken.has_parts as has_parts, taken.has_callbacks as has_callbacks
      into taken
      from unnest(taken.tenants, taken.ids, taken.events, taken.codes) as u (tenant_id, id, event, code)
      where not exists (select from again a where a.tenant_id = u.tenant_id and a.id = u.id);
      if taken.ids is null then
        delete from message_jobs j where j.lease_token = token;
        return;
      end if;
    end if;
  end if;

  -- Behind every event of these messages that was written before, and behind those of their time that has come.
  present := clock_timestamp();
  digits := event_digits(present);
  if 'claimed' = all (taken.events) then
    claimed_tenants := taken.tenants;
    claimed_ids := taken.ids;
  else
    select array_agg(u.tenant_id) filter (where u.event = 'claimed') as claimed_tenants,
      array_agg(u.id) filter (where u.event = 'claimed') as claimed_ids,
      array_agg(u.tenant_id) filter (where u.event <> 'claimed') as tenants, array_agg(u.id) filter (where u.event <> 'claimed') as ids,
      array_agg(u.event) filter (where u.event <> 'claimed') as events, array_agg(u.code) filter (where u.event <> 'claimed') as codes
    into other
    from unnest(taken.tenants, taken.ids, taken.events, taken.codes) as u (tenant_id, id, event, code);
    claimed_tenants := other.claimed_tenants;
    claimed_ids := other.claimed_ids;
    made := advance_messages(other.tenants, other.ids, other.events, other.codes, null, moves_event, moves_from, moves_to);
    -- Messages whose sender wants them handed over again after an unknown outcome.
    insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
    select v.tenant_id, v.id || token, for_carrier, present, array[v.id]
    from unnest(made.moved_tenants, made.moved_ids, made.moved_to) as v (tenant_id, id, status) where v.status = 'queued';
    if 'sender_gone' = any (other.events) then
      -- They do not move, and wait for who chooses another sender and finds its carrier (sms/stranded.ts).
      insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
      select v.tenant_id, min(v.id) || token, 'none', present, array_agg(v.id order by v.n)
      from (
        select u.*, job_of(row_number() over (partition by u.tenant_id order by u.n)) as job
        from unnest(other.tenants, other.ids, other.events) with ordinality as u (tenant_id, id, event, n) where u.event = 'sender_gone'
      ) v
      group by v.tenant_id, v.job;
    end if;
  end if;

  -- Parts in rows of their own begin first. Who has them keeps them: a message in the part of its own row, which begins with it.
  if taken.has_parts then
    perform from (select u.tenant_id, u.id from unnest(claimed_tenants, claimed_ids) as u (tenant_id, id) order by 1, 2) u
    cross join lateral (select from messages m where m.tenant_id = u.tenant_id and m.id = u.id for update) m;
    with parts as (
      insert into message_segments as s (tenant_id, message_id, part, attempt, state, carrier)
      select m.tenant_id, m.id, p.part, m.attempts + 1, 'submitting', for_carrier
      from unnest(claimed_tenants, claimed_ids) as u (tenant_id, id)
      join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
      cross join generate_series(1, m.segments) as p (part)
      where m.status = 'queued' and m.part_state is null and not (m.segments = 1 and m.attempts = 0)
      on conflict (tenant_id, message_id, part) do update set
        attempt = excluded.attempt, state = 'submitting', carrier = excluded.carrier, code = null, carrier_code = null,
        answered_at = null, carrier_message_id = null
        where s.state in ('throttled', 'refused', 'unknown', 'submitting')
      returning s.tenant_id, s.message_id, s.part
    )
    -- An array of arrays must be rectangular: a part is a bit.
    select array_agg(p.tenant_id) as tenants, array_agg(p.message_id) as ids, array_agg(p.mask) as masks
    into begun
    from (select p.tenant_id, p.message_id, bit_or(1 << (p.part - 1)) as mask from parts p group by 1, 2) p;
  else
    select null::bigint[] as tenants, null::text[] as ids, null::integer[] as masks into begun;
  end if;

  return query
  with moved as (
    update messages m set
      status = 'sending',
      code = null,
      sequence = m.sequence + 1,
      attempts = m.attempts + 1,
      -- A part begins again, unless a late answer said that it was taken after all.
      part_state = case when was_taken(m.part_state) then m.part_state
        when m.segments = 1 and (m.attempts = 0 or m.part_state is not null) then 'submitting' end,
      part_carrier = case when was_taken(m.part_state) then m.part_carrier end,
      carrier_message_id = case when was_taken(m.part_state) then m.carrier_message_id end,
      part_code = case when was_taken(m.part_state) then m.part_code end,
      carrier_code = case when was_taken(m.part_state) then m.carrier_code end,
      answered_at = case when was_taken(m.part_state) then m.answered_at end,
      receipt_at = case when was_taken(m.part_state) then m.receipt_at end,
      moves = concat_ws(';', m.moves, 'g' || ms_between(m.created_at, present)
        || case when m.segments_delivered > 0 then ',,' || m.segments_delivered else '' end)
    from (
      select u.tenant_id, u.id, u.n from unnest(claimed_tenants, claimed_ids) with ordinality as u (tenant_id, id, n)
      order by u.tenant_id, u.id
    ) v
    where m.tenant_id = any (array[v.tenant_id]) and m.id = any (array[v.id]) and m.status = 'queued'
    returning m.tenant_id, m.id, m.attempts, m.from_address, m.to_address, m.body, m.encoding, m.segments,
      coalesce(m.send_at, m.created_at) + make_interval(secs => m.validity_seconds) as expires_at, m.created_at, m.reference, m.resend,
      m.part_state, batch_of(v.n) as batch, batch_entry(m.id, m.sequence, 'g') as entry
  ), logged as (
    insert into message_event_batches (tenant_id, id, entries)
    select b.tenant_id, min(entry_event_id(digits, b.entry)), string_agg(b.entry, ' ') from moved b group by b.tenant_id, b.batch
  )
  select m.tenant_id, m.id, m.attempts, m.from_address, m.to_address, m.body, m.encoding, m.segments, m.expires_at, m.created_at, p.mask,
    m.reference, m.resend
  from moved m
  cross join lateral (
    select case when m.part_state = 'submitting' then 1 when m.part_state is null then begun.masks[array_position(begun.ids, m.id)] end as mask
  ) p
  where p.mask is not null;
  get diagnostics handed = row_count;

  if taken.has_callbacks or exists (select from webhook_endpoints e where e.tenant_id = any (claimed_tenants) and e.enabled
      and (e.event_types is null or e.event_types && array['message.sending', 'message.*']))
    or exists (select from webhook_listeners l
      where l.tenant_id = any (claimed_tenants) and l.ended_at is null and l.open_until > clock_timestamp())
  then
    perform queue_message_events(digits, 'sending', array_agg(m.tenant_id), array_agg(m.id), array_agg(m.sequence), array_agg(m.callback_url))
    from unnest(claimed_tenants, claimed_ids) as u (tenant_id, id)
    join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
    -- Those that moved just now.
    where m.xmin = pg_current_xact_id()::xid and m.status = 'sending'
    having count(*) > 0;
  end if;

  if handed < cardinality(taken.jobs) then
    -- Of those that moved just now, with and without something to be handed over.
    select array_agg(m.tenant_id) filter (where v.is_whole) as whole_tenants, array_agg(m.id) filter (where v.is_whole) as whole_ids,
      coalesce(array_agg(m.id) filter (where not v.is_whole), '{}') as ids
    into known
    from unnest(claimed_tenants, claimed_ids) as u (tenant_id, id)
    join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
    cross join lateral (
      select case when m.part_state is null then m.id <> all (coalesce(begun.ids, '{}')) else m.part_state <> 'submitting' end as is_whole
    ) v
    where m.xmin = pg_current_xact_id()::xid and m.status = 'sending';
    if known.whole_ids is not null then
      -- Every part was taken after all, as a late answer said. Their receipts may have come as well.
      perform advance_messages(known.whole_tenants, known.whole_ids, array_fill('accepted'::text, array[cardinality(known.whole_ids)]), null,
        null, moves_event, moves_from, moves_to);
      perform record_receipts(known.whole_tenants, known.whole_ids, null, null, null, null, null, moves_event, moves_from, moves_to);
    end if;
    -- The lease holds what is being handed over and nothing else: should it be lost, only that is in doubt.
    update message_jobs j set message_ids = array(select u.id from unnest(j.message_ids) with ordinality as u (id, n)
      where u.id = any (known.ids) order by u.n)
    where j.lease_token = token and not j.message_ids <@ known.ids;
    delete from message_jobs j where j.lease_token = token and j.message_ids = '{}';
  end if;
end $$;

-- What claims have begun under these leases, with the parts that were to be handed over.
create function list_begun_messages(tokens text[])
returns table (token text, tenant_id bigint, id text, attempt smallint, segments smallint, parts_mask integer)
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  select j.lease_token, m.tenant_id, m.id, m.attempts, m.segments, p.mask
  from message_jobs j cross join unnest(j.message_ids) as u (id)
  join messages m on m.tenant_id = any (array[j.tenant_id]) and m.id = any (array[u.id])
  cross join lateral (
    select bit_or(1 << (s.part - 1)) as mask from parts_of(m) s where s.state = 'submitting' and s.attempt = m.attempts
  ) p
  where j.lease_token = any (tokens) and m.status = 'sending' and p.mask is not null;
end $$;

-- Keeps the form in which the parts of these attempts were sent; called before the answers to them are written down.
create function keep_forms(tenant_ids bigint[], ids text[], attempts_made smallint[], forms text[]) returns void
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
begin
  perform lock_messages(tenant_ids, ids);
  update message_segments s set form = u.form
  from unnest(tenant_ids, ids, attempts_made, forms) as u (tenant_id, id, attempt, form)
  where s.tenant_id = any (array[u.tenant_id]) and s.message_id = any (array[u.id]) and s.attempt = u.attempt;
end $$;

-- The forms in which parts of these messages were taken, where that was kept.
create function forms_taken(tenant_ids bigint[], ids text[]) returns table (tenant_id bigint, id text, form text)
language plpgsql stable security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
begin
  return query
  select s.tenant_id, s.message_id, (array_agg(s.form order by s.attempt desc))[1]
  from unnest(tenant_ids, ids) as u (tenant_id, id)
  join message_segments s on s.tenant_id = any (array[u.tenant_id]) and s.message_id = any (array[u.id])
  where was_taken(s.state) and s.form is not null
  group by 1, 2;
end $$;

-- As before, and whether the carrier has some parts of it and not the others.
create or replace function claim_stranded_messages(token text, max_jobs integer, lease_seconds double precision)
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
    m.price_micros, m.currency, m.resend, l.lost,
    -- One that was taken after all, as a late answer said, waits for the next claim, which hands nothing over.
    coalesce(m.send_at, m.created_at) + make_interval(secs => m.validity_seconds) <= present
      and was_taken(m.part_state) is not true,
    m.attempts > 0 and exists (select from parts_of(m) s where s.state not in ('throttled', 'refused')),
    m.segments > 1 and m.attempts > 0
      and exists (select from parts_of(m) s where was_taken(s.state)) and exists (select from parts_of(m) s where not was_taken(s.state)),
    m.spend_key_id, m.from_pool,
    (select (m.created_at at time zone o.time_zone)::date = (present at time zone o.time_zone)::date
      from tenants t join organizations o on o.id = t.organization_id where t.id = m.tenant_id)
  from leased l cross join unnest(l.message_ids) as u (id)
  join messages m on m.tenant_id = l.tenant_id and m.id = u.id;
end $$;

-- Writes receipts into the parts of messages and moves those of which every part has come to its end: delivered when all parts are, else as
-- the first part that is not. Without receipts, by what was reported before. Returns how many messages moved. (Settings: those of what
-- calls it.)
create function record_receipts(tenant_ids bigint[], ids text[], parts smallint[], receipts text[], codes text[],
  carrier_codes text[], ats timestamptz[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql as $$
declare
  present timestamptz(3) := clock_timestamp();
  own record;
  rest record;
  done record;
  made record;
  moved integer := 0;
  has_parts boolean := lock_messages(tenant_ids, ids);
begin
  -- Of messages that keep their part themselves: the receipt, or what was reported before the answer came, is written with the move.
  select array_agg(o.tenant_id) as tenant_ids, array_agg(o.id) as ids,
    array_agg(case when o.was_reported then 'receipt_' || o.part_state else o.receipt end) as events,
    array_agg(case when not o.was_reported and o.receipt <> 'receipt_delivered' then o.code
      when o.was_reported and o.part_state <> 'delivered' then o.part_code end) as codes,
    array_agg(case when o.was_reported then o.receipt_at else o.at end) as ats,
    array_agg(case when not o.was_reported then substr(o.receipt, 9) end) as part_states,
    array_agg(o.code) as part_codes, array_agg(o.carrier_code) as carrier_codes
  into own
  from (
    select distinct on (u.tenant_id, u.id) u.tenant_id, u.id, u.receipt, u.code, u.carrier_code, u.at, m.part_state, m.part_code,
      m.receipt_at, m.part_state in ('delivered', 'undelivered', 'expired') as was_reported
    from unnest(tenant_ids, ids, receipts, codes, carrier_codes, ats) as u (tenant_id, id, receipt, code, carrier_code, at)
    join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
    where m.part_state is not null and (u.receipt is not null or m.part_state in ('delivered', 'undelivered', 'expired'))
    order by u.tenant_id, u.id
  ) o;
  if own.ids is not null then
    made := advance_messages(own.tenant_ids, own.ids, own.events, own.codes, own.ats, moves_event, moves_from, moves_to, true,
      own.part_states, null, own.part_codes, own.carrier_codes);
    moved := made.number;
    if moved < cardinality(own.ids) then
      -- The answer is still to come, or the message has come to its end.
      perform write_parts(true, o.tenant_ids, o.ids, null, o.states, null, o.codes, o.carrier_codes, o.ats)
      from (
        select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg(u.state) as states, array_agg(u.code) as codes,
          array_agg(u.carrier_code) as carrier_codes, array_agg(u.at) as ats
        from unnest(own.tenant_ids, own.ids, own.part_states, own.part_codes, own.carrier_codes, own.ats)
          as u (tenant_id, id, state, code, carrier_code, at)
        where u.state is not null and (made.moved_ids is null or u.id <> all (made.moved_ids))
      ) o
      where o.ids is not null;
    end if;
  end if;

  select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg(u.part) as parts, array_agg(u.receipt) as receipts,
    array_agg(u.code) as codes, array_agg(u.carrier_code) as carrier_codes, array_agg(u.at) as ats
  into rest
  from unnest(tenant_ids, ids, parts, receipts, codes, carrier_codes, ats) as u (tenant_id, id, part, receipt, code, carrier_code, at)
  join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id])
  where m.part_state is null;
  if rest.ids is null then return moved; end if;
  tenant_ids := rest.tenant_ids;
  ids := rest.ids;
  parts := rest.parts;
  receipts := rest.receipts;
  codes := rest.codes;
  carrier_codes := rest.carrier_codes;
  ats := rest.ats;
  if has_parts then
    -- All parts of these messages, in one order: of two batches with parts of one message the second counts what the first
    -- has written.
    perform from message_segments s
    join (select distinct u.tenant_id, u.id from unnest(tenant_ids, ids) as u (tenant_id, id)) u
      on s.tenant_id = any (array[u.tenant_id]) and s.message_id = any (array[u.id])
    order by s.tenant_id, s.message_id, s.part
    for update of s;
  end if;
  update message_segments s set
    state = case u.receipt when 'receipt_delivered' then 'delivered' when 'receipt_expired' then 'expired'
      else 'undelivered' end,
    code = u.code, carrier_code = u.carrier_code, receipt_at = coalesce(u.at, present)
  -- In one order, as repeated receipts may come in any.
  from (
    select u.* from unnest(tenant_ids, ids, parts, receipts, codes, carrier_codes, ats)
      as u (tenant_id, id, part, receipt, code, carrier_code, at)
    order by u.tenant_id, u.id, u.part
  ) u
  where s.tenant_id = any (array[u.tenant_id]) and s.message_id = any (array[u.id]) and s.part = u.part
    and s.state in ('accepted', 'submitting', 'unknown');

  with counted as materialized (
    select g.tenant_id, g.id, count(*) filter (where s.state = 'delivered')::smallint as delivered,
      m.segments_delivered as known, bool_and(s.state in ('delivered', 'undelivered', 'expired'))
        and count(*) = m.segments as ended,
      case when bool_and(s.state = 'delivered') then 'receipt_delivered'
        when bool_or(s.state = 'undelivered') then 'receipt_undelivered' else 'receipt_expired' end as event,
      min(s.code) filter (where s.state <> 'delivered') as code, max(s.receipt_at) as at
    from (select distinct u.tenant_id, u.id from unnest(tenant_ids, ids) as u (tenant_id, id)) g
    join message_segments s on s.tenant_id = any (array[g.tenant_id]) and s.message_id = any (array[g.id])
    join messages m on m.tenant_id = any (array[g.tenant_id]) and m.id = any (array[g.id])
    group by g.tenant_id, g.id, m.segments, m.segments_delivered
  ), shown as (
    update messages m set segments_delivered = c.delivered
    from counted c where c.delivered <> c.known and not (c.ended and c.event = 'receipt_delivered')
      and m.tenant_id = any (array[c.tenant_id]) and m.id = any (array[c.id])
  )
  select array_agg(c.tenant_id) as tenant_ids, array_agg(c.id) as ids, array_agg(c.event) as events,
    array_agg(c.code) as codes, array_agg(c.at) as ats
  into done
  from counted c where c.ended;
  if done.ids is null then return moved; end if;
  return moved + (advance_messages(done.tenant_ids, done.ids, done.events, done.codes, done.ats, moves_event, moves_from, moves_to)).number;
end $$;

-- Since when answers of a carrier may stand in the memory of the process that holds its links only, which is who hears its receipts; no row:
-- all of them have their routes. Who takes the links over after a crash finds them in the log of events from there on.
create table route_marks (
  tenant_id       bigint not null,
  carrier         text collate "C" not null,
  since           timestamptz not null,
  -- When that process last said so.
  seen_at         timestamptz not null,
  receipt_seconds double precision not null,
  primary key (tenant_id, carrier)
);
select protect_tenant_table('route_marks');
select open_to_engine('route_marks', 'select, insert, update, delete');

-- Notes for which part of which message receipts by a carrier's id count from now on; returns the receipts that came before.
create function store_routes(for_carrier text, tenant_ids bigint[], ids text[], parts smallint[], carrier_message_ids text[], due_ats timestamptz[])
returns table (tenant_id bigint, message_id text, part smallint, receipt text, code text, carrier_code text, at timestamptz)
language plpgsql as $$
#variable_conflict use_column
begin
  -- A carrier may use an id again: the message that had it before keeps its place under another name, where its time for
  -- receipts runs out.
  update message_routes r set route = r.route || '~' || r.message_id
  from unnest(tenant_ids, ids, carrier_message_ids) as u (tenant_id, id, route)
  where r.tenant_id = any (array[u.tenant_id]) and r.route = any (array[for_carrier || ':' || u.route])
    and r.message_id <> u.id;

  -- Always in the order of the key, so that answers and receipts wait for each other and do not dead-lock. Of two parts that
  -- a carrier answers with one id, receipts count for the first.
  return query
  with routed as (
    insert into message_routes as r (tenant_id, route, message_id, part, due_at)
    select distinct on (u.tenant_id, u.route) u.tenant_id, for_carrier || ':' || u.route, u.id, u.part, u.due_at
    from unnest(tenant_ids, ids, parts, carrier_message_ids, due_ats) as u (tenant_id, id, part, route, due_at)
    where u.route is not null
    order by u.tenant_id, u.route, u.id, u.part
    on conflict on constraint message_routes_pkey do update set
      message_id = excluded.message_id,
      part = excluded.part,
      due_at = excluded.due_at
    returning r.*
  )
  select r.tenant_id, r.message_id, r.part, r.receipt, r.receipt_code, r.receipt_carrier_code, r.receipt_at::timestamptz
  from routed r where r.receipt is not null;
end $$;

-- Writes down answers as write_answers does, of messages with several parts or attempts, and those that do not say that the message was taken. (Settings: those of what
-- calls it.)
create function write_other_answers(for_carrier text, job text, leases text[], tenant_ids bigint[], ids text[], attempts_made smallint[],
  moves_by text[], codes text[], retry_seconds double precision[], part_tenants bigint[], part_ids text[], parts smallint[],
  part_attempts smallint[], part_states text[], carrier_message_ids text[], part_codes text[], carrier_codes text[],
  moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql as $$
declare
  present timestamptz := clock_timestamp();
  made record;
  current record;
  requeued text[];
  answered integer;
  aligned record;
begin
  perform lock_messages(tenant_ids, ids);
  update message_segments s set state = u.state, carrier_message_id = u.carrier_message_id, code = u.code,
    carrier_code = u.carrier_code, answered_at = present
  -- One list and no other: from two, the planner may take the tenant alone to look rows up by.
  from unnest(part_tenants, part_ids, parts, part_attempts, part_states, carrier_message_ids, part_codes, carrier_codes)
      as u (tenant_id, id, part, attempt, state, carrier_message_id, code, carrier_code)
  where s.tenant_id = any (array[u.tenant_id]) and s.message_id = any (array[u.id]) and s.part = u.part
    and s.attempt = u.attempt
    and (s.state in ('submitting', 'unknown') or u.state = 'accepted' and s.state in ('refused', 'throttled'));
  get diagnostics answered = row_count;

  -- The answer to the only part of each message, as nearly all have one.
  if part_ids = ids then
    select part_states as states, carrier_message_ids as references, part_codes as codes, carrier_codes as carrier_codes into aligned;
  else
    select array_agg(part_states[p.n] order by u.n) as states, array_agg(carrier_message_ids[p.n] order by u.n) as references,
      array_agg(part_codes[p.n] order by u.n) as codes, array_agg(carrier_codes[p.n] order by u.n) as carrier_codes
    into aligned
    from unnest(ids) with ordinality as u (id, n) cross join lateral (select array_position(part_ids, u.id) as n) p;
  end if;
  -- Of a part that an earlier attempt has brought to the carrier, as a late answer said, a later attempt decides nothing.
  select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids,
    array_agg(case when t.is_decided then 'accepted' else u.event end) as events,
    array_agg(case when not t.is_decided then u.code end) as codes,
    array_agg(case when m.part_state is not null and not t.is_decided then u.state end) as states, array_agg(u.reference) as references,
    array_agg(u.part_code) as part_codes, array_agg(u.carrier_code) as carrier_codes, array_agg(m.attempts) as attempts
  into current
  from unnest(tenant_ids, ids, attempts_made, moves_by, codes, aligned.states, aligned.references, aligned.codes, aligned.carrier_codes)
    as u (tenant_id, id, attempt, event, code, state, reference, part_code, carrier_code)
  join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id]) and m.attempts = u.attempt
  cross join lateral (
    select u.event <> 'accepted' and was_taken(m.part_state) is true as is_decided
  ) t;

  made := advance_messages(current.tenant_ids, current.ids, current.events, current.codes, null, moves_event, moves_from, moves_to,
    false, current.states, current.references, current.part_codes, current.carrier_codes);
  with waiting as (
    select m.tenant_id, m.id, u.retry
    from unnest(made.moved_tenants, made.moved_ids, made.moved_to) as m (tenant_id, id, status)
    join unnest(tenant_ids, ids, retry_seconds) as u (tenant_id, id, retry) on u.tenant_id = m.tenant_id and u.id = m.id
    where m.status = 'queued'
  ), again as (
    insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
    select w.tenant_id, min(w.id) || job, for_carrier, present + make_interval(secs => w.retry), array_agg(w.id)
    from (select w.*, job_of(row_number() over (partition by w.tenant_id, w.retry)) as chunk from waiting w) w
    group by w.tenant_id, w.retry, w.chunk
  )
  select array_agg(m.id) filter (where m.status = 'queued'),
    -- Others were reported before their answer.
    answered + count(*) filter (where m.part_state in ('accepted', 'throttled', 'refused', 'unknown'))
  into requeued, answered
  from unnest(made.moved_ids, made.moved_to, made.moved_parts) as m (id, status, part_state);
  if made.number < cardinality(current.ids) then
    -- What does not move by its answer keeps it all the same.
    select answered + coalesce(sum(write_parts(false, o.tenant_ids, o.ids, o.attempts, o.states, o.references, o.codes, o.carrier_codes, null)), 0)
    into answered
    from (
      select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg(u.attempt) as attempts, array_agg(u.state) as states,
        array_agg(u.reference) as references, array_agg(u.code) as codes, array_agg(u.carrier_code) as carrier_codes
      from unnest(current.tenant_ids, current.ids, current.attempts, current.states, current.references, current.part_codes,
        current.carrier_codes) as u (tenant_id, id, attempt, state, reference, code, carrier_code)
      where u.state is not null and (made.moved_ids is null or u.id <> all (made.moved_ids))
    ) o
    where o.ids is not null;
  end if;
  if requeued is not null then
    -- A lease that is lost later must not speak for what others have begun by then.
    update message_jobs j set message_ids = array(select u.id from unnest(j.message_ids) with ordinality as u (id, n)
      where u.id <> all (requeued) order by u.n)
    where j.lease_token = any (leases) and j.message_ids && requeued;
  end if;

  if answered < cardinality(part_ids) then
    -- The receipt of a part came before its answer by another way: by our id, or from an older attempt.
    perform record_receipts(current.tenant_ids, current.ids, null, null, null, null, null, moves_event, moves_from, moves_to);
  end if;
  return made.number;
end $$;

-- Writes down what the carrier answered, and ends the leases of `tokens`; `leases` go on, without what waits again. Answers
-- are those of one attempt each: what was begun again since is left alone. Returns how many messages moved. `event_ids` is not read.
-- `held` says of each part whether the caller keeps its route in memory, which it says in route_marks first where `begins_holding`;
-- `are_first` that all were the first attempts of messages of one part.
create function write_answers(for_carrier text, job text, tokens text[], leases text[], tenant_ids bigint[], ids text[],
  attempts_made smallint[], moves_by text[], codes text[], retry_seconds double precision[], part_tenants bigint[],
  part_ids text[], parts smallint[], part_attempts smallint[], part_states text[], carrier_message_ids text[],
  part_codes text[], carrier_codes text[], receipt_seconds double precision,
  event_ids text[], moves_event text[], moves_from text[], moves_to text[],
  held boolean[] default null, begins_holding boolean default false, are_first boolean default false)
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  due_at timestamptz := present + make_interval(secs => receipt_seconds);
  moved integer := 0;
  made record;
  stored record;
  parked record;
begin
  -- Jobs before messages, as who claims a lost lease: what waits again leaves its lease below.
  if cardinality(leases) > 0 and cardinality(array_remove(retry_seconds, null)) > 0 then
    perform from message_jobs j where j.lease_token = any (leases) order by j.tenant_id, j.id for update;
  end if;
  delete from message_jobs j where j.lease_token = any(tokens);
  if cardinality(ids) = 0 then return 0; end if;

  if begins_holding then
    insert into route_marks (tenant_id, carrier, since, seen_at, receipt_seconds)
    select distinct t, for_carrier, present, present, receipt_seconds from unnest(part_tenants) as t
    on conflict do nothing;
  end if;
  if held is null then
    select part_tenants as tenant_ids, part_ids as ids, parts, carrier_message_ids as references into stored;
  else
    select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg(u.part) as parts, array_agg(u.reference) as references
    into stored
    from unnest(part_tenants, part_ids, parts, carrier_message_ids, held) as u (tenant_id, id, part, reference, held)
    where u.reference is not null and not u.held;
  end if;
  -- Routes before messages, and those in the order of their keys, as who takes receipts in.
  with early as (
    select r.tenant_id, r.message_id, r.part, r.receipt, r.code, r.carrier_code, r.at
    from store_routes(for_carrier, stored.tenant_ids, stored.ids, stored.parts, stored.references,
      array_fill(due_at, array[cardinality(stored.ids)])) r
    where stored.ids is not null
  ), met as (
    -- What came before an answer whose route is kept in memory.
    delete from message_routes r
    using (
      select u.tenant_id, u.id, u.part, for_carrier || ':' || u.reference as route
      from unnest(part_tenants, part_ids, parts, carrier_message_ids, held) as u (tenant_id, id, part, reference, held)
      where u.held order by u.tenant_id, u.reference
    ) u
    where held is not null and r.tenant_id = any (array[u.tenant_id]) and r.route = any (array[u.route]) and r.receipt is not null
    returning r.tenant_id, u.id as message_id, u.part, r.receipt, r.receipt_code as code, r.receipt_carrier_code as carrier_code,
      r.receipt_at::timestamptz as at
  )
  select array_agg(r.tenant_id) as tenant_ids, array_agg(r.message_id) as ids, array_agg(r.part) as parts,
    array_agg(r.receipt) as receipts, array_agg(r.code) as codes, array_agg(r.carrier_code) as carrier_codes, array_agg(r.at) as ats
  into parked from (select * from early union all select * from met) r;

  -- As nearly always: nobody else speaks of these, see lock_messages.
  if are_first and part_ids = ids and 'accepted' = all (moves_by) then
    made := advance_messages(tenant_ids, ids, moves_by, codes, null, moves_event, moves_from, moves_to, false, part_states, carrier_message_ids,
      part_codes, carrier_codes, attempts_made, true);
    moved := made.number;
  end if;
  if moved = 0 then
    moved := write_other_answers(for_carrier, job, leases, tenant_ids, ids, attempts_made, moves_by, codes, retry_seconds, part_tenants,
      part_ids, parts, part_attempts, part_states, carrier_message_ids, part_codes, carrier_codes, moves_event, moves_from, moves_to);
  elsif moved < cardinality(ids) then
    moved := moved + (
      select write_other_answers(for_carrier, job, leases, array_agg(u.tenant_id), array_agg(u.id), array_agg(u.attempt), array_agg(u.event),
        array_agg(u.code), array_agg(u.retry), array_agg(u.tenant_id), array_agg(u.id), array_agg(u.part), array_agg(u.attempt),
        array_agg(u.state), array_agg(u.reference), array_agg(u.part_code), array_agg(u.carrier_code), moves_event, moves_from, moves_to)
      from unnest(tenant_ids, ids, attempts_made, moves_by, codes, retry_seconds, parts, part_states, carrier_message_ids, part_codes,
        carrier_codes) as u (tenant_id, id, attempt, event, code, retry, part, state, reference, part_code, carrier_code)
      where u.id <> all (made.moved_ids));
  end if;
  if parked.ids is not null then
    perform record_receipts(parked.tenant_ids, parked.ids, parked.parts, parked.receipts, parked.codes,
      parked.carrier_codes, parked.ats, moves_event, moves_from, moves_to);
  end if;
  return moved;
end $$;

-- As nodes of the version before write answers down.
create or replace function conclude_messages(for_carrier text, job text, tokens text[], leases text[], tenant_ids bigint[], ids text[],
  attempts_made smallint[], moves_by text[], codes text[], retry_seconds double precision[], part_tenants bigint[],
  part_ids text[], parts smallint[], part_attempts smallint[], part_states text[], carrier_message_ids text[],
  part_codes text[], carrier_codes text[], receipt_seconds double precision,
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language sql security definer set search_path = public, pg_temp as $$
  select write_answers(for_carrier, job, tokens, leases, tenant_ids, ids, attempts_made, moves_by, codes, retry_seconds, part_tenants,
    part_ids, parts, part_attempts, part_states, carrier_message_ids, part_codes, carrier_codes, receipt_seconds,
    event_ids, moves_event, moves_from, moves_to)
$$;

-- As before, and `event_ids` is not read.
create or replace function receive_receipts(tenant_ids bigint[], routes text[], message_ids text[], receipts text[], codes text[],
  carrier_codes text[], ats timestamptz[], senders text[], recipients text[], park_seconds double precision,
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  known record;
  served record;
  moved integer := 0;
begin
  for turn in 1..2 loop
    select array_agg(r.tenant_id) filter (where k.is_certain) as tenant_ids,
      array_agg(r.message_id) filter (where k.is_certain) as ids,
      array_agg(r.part) filter (where k.is_certain) as parts,
      array_agg(u.receipt) filter (where k.is_certain) as receipts,
      array_agg(u.code) filter (where k.is_certain) as codes,
      array_agg(u.carrier_code) filter (where k.is_certain) as carrier_codes,
      array_agg(u.at) filter (where k.is_certain) as ats,
      -- Whose answer is stored: with its receipt the route has served.
      array_agg(r.tenant_id) filter (where r.route is not null and r.receipt is null) as served_tenants,
      array_agg(r.route) filter (where r.route is not null and r.receipt is null) as served_routes,
      count(*) filter (where r.route is null) as missing
    into known
    from unnest(tenant_ids, routes, receipts, codes, carrier_codes, ats)
      as u (tenant_id, route, receipt, code, carrier_code, at)
    left join lateral (
      -- Apart, so that each is looked up by its key even where statistics say that there are none.
      select q.* from message_routes q where q.tenant_id = u.tenant_id and q.route = u.route offset 0
    ) r on true
    -- One that names our id without answer: of several parts it may be about any, which is settled later.
    left join messages m on r.receipt is not null and m.tenant_id = any (array[r.tenant_id]) and m.id = any (array[r.message_id])
    cross join lateral (select r.message_id is not null and (r.receipt is null or m.segments = 1) as is_certain) k;
    exit when known.missing = 0;
    -- Where the answer is being stored at this moment, this waits for it, and the second look finds it.
    insert into message_routes (tenant_id, route, message_id, due_at, receipt, receipt_code, receipt_carrier_code,
      receipt_at, receipt_from, receipt_to)
    select u.tenant_id, u.route, u.message_id, clock_timestamp() + make_interval(secs => park_seconds), u.receipt, u.code,
      u.carrier_code, u.at, u.sender, u.recipient
    from unnest(tenant_ids, routes, message_ids, receipts, codes, carrier_codes, ats, senders, recipients)
      as u (tenant_id, route, message_id, receipt, code, carrier_code, at, sender, recipient)
    order by u.tenant_id, u.route
    on conflict on constraint message_routes_pkey do nothing;
  end loop;
  if known.ids is not null then
    moved := record_receipts(known.tenant_ids, known.ids, known.parts, known.receipts, known.codes, known.carrier_codes,
      known.ats, moves_event, moves_from, moves_to);
  end if;
  -- A carrier's receipts are those of one tenant, nearly always: by a list, each is looked up by its key as above.
  for served in
    select u.tenant_id, array_agg(u.route) as routes from unnest(known.served_tenants, known.served_routes)
      as u (tenant_id, route) group by u.tenant_id
  loop
    -- Who settles routes at this moment has locked it before the message that we hold, and finds that it has served.
    delete from message_routes r where r.tenant_id = served.tenant_id and r.route = any (array(
      select q.route from message_routes q where q.tenant_id = served.tenant_id and q.route = any (served.routes)
      for update skip locked));
  end loop;
  return moved;
end $$;

-- Takes receipts in of messages of one part, of which the caller knows that the answer is stored, and to which attempt it was. Returns how many
-- messages moved.
create function receive_known_receipts(tenant_ids bigint[], message_ids text[], attempts_made smallint[], receipts text[], codes text[],
  carrier_codes text[], ats timestamptz[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  made record;
  rest record;
begin
  -- Of those that were handed over once, as nearly all are, nobody else speaks: see lock_messages.
  if 1 = all (attempts_made) then
    made := advance_messages(tenant_ids, message_ids, receipts, codes, ats, moves_event, moves_from, moves_to, true, null, null, codes,
      carrier_codes, attempts_made, true);
    if made.number = cardinality(message_ids) then return made.number; end if;
  else
    select 0 as number, null::text[] as moved_ids into made;
  end if;
  select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg(1::smallint) as parts, array_agg(u.receipt) as receipts,
    array_agg(u.code) as codes, array_agg(u.carrier_code) as carrier_codes, array_agg(u.at) as ats
  into rest
  from unnest(tenant_ids, message_ids, receipts, codes, carrier_codes, ats) as u (tenant_id, id, receipt, code, carrier_code, at)
  where made.moved_ids is null or u.id <> all (made.moved_ids);
  return made.number + record_receipts(rest.tenant_ids, rest.ids, rest.parts, rest.receipts, rest.codes, rest.carrier_codes, rest.ats,
    moves_event, moves_from, moves_to);
end $$;

-- Stores routes that their holder gives out of its memory, and since when it holds others: null leaves the mark as it is, infinity takes it
-- away. Returns the moment before which no answer was written that the caller has not heard of by now.
create function give_routes(of_tenant bigint, for_carrier text, ids text[], parts smallint[], carrier_message_ids text[],
  due_seconds double precision[], held_since timestamptz, receipt_seconds double precision,
  moves_event text[], moves_from text[], moves_to text[])
returns timestamptz
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  parked record;
begin
  if cardinality(ids) > 0 then
    select array_agg(r.tenant_id) as tenant_ids, array_agg(r.message_id) as ids, array_agg(r.part) as parts,
      array_agg(r.receipt) as receipts, array_agg(r.code) as codes, array_agg(r.carrier_code) as carrier_codes, array_agg(r.at) as ats
    into parked
    from store_routes(for_carrier, array_fill(of_tenant, array[cardinality(ids)]), ids, parts, carrier_message_ids,
      array(select present + make_interval(secs => d.seconds) from unnest(due_seconds) with ordinality as d (seconds, n) order by d.n)) r;
    if parked.ids is not null then
      perform record_receipts(parked.tenant_ids, parked.ids, parked.parts, parked.receipts, parked.codes, parked.carrier_codes, parked.ats,
        moves_event, moves_from, moves_to);
    end if;
  end if;
  if held_since = 'infinity' then
    delete from route_marks k where k.tenant_id = of_tenant and k.carrier = for_carrier;
  else
    insert into route_marks as k (tenant_id, carrier, since, seen_at, receipt_seconds)
    -- One that is missing was taken for left behind.
    values (of_tenant, for_carrier, coalesce(held_since, present - interval '10 minutes'), present, receipt_seconds)
    on conflict on constraint route_marks_pkey do update set since = coalesce(held_since, k.since), seen_at = present;
  end if;
  return present;
end $$;

-- Stores the routes that the holder of a carrier's links had in its memory when it ended: those of messages that its log says were sent since
-- its mark, the oldest first, of `most` rows of the log behind the one with the id `behind`. Returns the id to go on behind, empty when that
-- was all, and null where there is no mark. The mark stays.
create function recover_routes(of_tenant bigint, for_carrier text, behind text, most integer, moves_event text[], moves_from text[],
  moves_to text[])
returns text
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  mark route_marks;
  page record;
  lost record;
  receipts_seconds double precision;
begin
  select * into mark from route_marks k where k.tenant_id = of_tenant and k.carrier = for_carrier for update;
  if not found then return null; end if;
  receipts_seconds := mark.receipt_seconds;
  select array_agg(b.entries) as entries, max(b.id) as last_id, count(*) as rows into page
  from (
    select b.id, b.entries from message_event_batches b
    where b.tenant_id = of_tenant and b.id > behind and b.id >= first_id_at('evt', mark.since - interval '1 second')
    order by b.tenant_id, b.id limit most
  ) b;
  select array_agg(f.id) as ids, array_agg(1::smallint) as parts,
    -- Of those with one id, receipts count for the newest, as in memory.
    array_agg(case when f.newer = 0 then f.carrier_message_id else f.carrier_message_id || '~' || f.id end) as references,
    array_agg(greatest(0, extract(epoch from f.answered_at - clock_timestamp())::double precision + receipts_seconds)) as due_seconds
  into lost
  from (
    select m.id, p.carrier_message_id, p.answered_at,
      row_number() over (partition by p.carrier_message_id order by p.answered_at desc, m.id desc) - 1 as newer
    from (
      select distinct entry_message_id(e.entry) as id
      from unnest(page.entries) as b (entries) cross join lateral string_to_table(b.entries, ' ') as e (entry)
      where right(e.entry, 1) = 's'
    ) s
    join messages m on m.tenant_id = any (array[of_tenant]) and m.id = any (array[s.id])
    cross join lateral parts_of(m) p
    where m.status = 'sent' and m.segments = 1 and p.state = 'accepted' and p.carrier_message_id is not null and p.carrier = for_carrier
      and not exists (
        select from message_routes r
        where r.tenant_id = any (array[of_tenant]) and r.message_id = m.id
          and r.route = any (array[for_carrier || ':' || p.carrier_message_id, for_carrier || ':' || p.carrier_message_id || '~' || m.id]))
  ) f;
  perform give_routes(of_tenant, for_carrier, lost.ids, lost.parts, lost.references, lost.due_seconds, null, receipts_seconds,
    moves_event, moves_from, moves_to);
  return case when page.rows < most then '' else page.last_id end;
end $$;

-- As before, and `event_ids` is not read. Marks that nobody has renewed for long are those of carriers that were never opened again: a page
-- of what they held with each call, so that a busy one keeps nobody else waiting.
create or replace function settle_message_routes(max_routes integer, late_seconds double precision, event_ids text[],
  moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  due record;
  found_for record;
  moved text[];
  mark record;
  page_end text;
begin
  select k.* into mark from route_marks k where k.seen_at < present - interval '5 minutes'
  order by k.seen_at limit 1 for update skip locked;
  if found then
    page_end := recover_routes(mark.tenant_id, mark.carrier, '', 200, moves_event, moves_from, moves_to);
    if page_end = '' then
      delete from route_marks k where k.tenant_id = mark.tenant_id and k.carrier = mark.carrier;
    else
      -- A second later than the last row, since a page begins a second before its mark.
      update route_marks k set since = time_of_id(page_end) + interval '1 second', seen_at = mark.seen_at
      where k.tenant_id = mark.tenant_id and k.carrier = mark.carrier;
    end if;
  end if;

  with taken as (
    select r.* from message_routes r where r.due_at <= present order by r.due_at limit max_routes for update skip locked
  )
  select array_agg(t.tenant_id) as tenant_ids, array_agg(t.route) as routes, array_agg(t.message_id) as ids,
    array_agg(t.receipt) as receipts, array_agg(t.receipt_code) as codes, array_agg(t.receipt_carrier_code) as carrier_codes,
    array_agg(t.receipt_at) as ats, array_agg(t.receipt_from) as senders, array_agg(t.receipt_to) as recipients
  into due from taken t;
  if due.tenant_ids is null then return 0; end if;

  select coalesce(a.moved_ids, '{}') into moved
  from (
    select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg('receipt_missing'::text) as events
    from unnest(due.tenant_ids, due.ids, due.receipts) as u (tenant_id, id, receipt) where u.receipt is null
  ) u
  cross join lateral advance_messages(u.tenant_ids, u.ids, u.events, null, null, moves_event, moves_from, moves_to) a;

  -- What a parked receipt is about: the message it names, or the only one it can be about, and there the first part that
  -- nobody has spoken of; several of one message are about one part each.
  with named as (
    select u.*, u.message_id as id
    from unnest(due.tenant_ids, due.routes, due.ids, due.receipts, due.codes, due.carrier_codes, due.ats)
      as u (tenant_id, route, message_id, receipt, code, carrier_code, at)
    where u.receipt is not null and u.message_id is not null
    union all
    select u.tenant_id, u.route, u.message_id, u.receipt, u.code, u.carrier_code, u.at, o.id
    from unnest(due.tenant_ids, due.routes, due.ids, due.receipts, due.codes, due.carrier_codes, due.ats, due.senders,
        due.recipients) as u (tenant_id, route, message_id, receipt, code, carrier_code, at, sender, recipient)
    cross join lateral (
      select min(m.id) filter (where m.status = 'unconfirmed' and m.code = 'submit_unconfirmed') as id
      from (
        -- Of a recipient with very many messages the newest must do.
        select m.id, m.status, m.code, m.from_address, m.carrier, m as message
        from messages_to_since(u.tenant_id, u.recipient, present - interval '3 days') m
        order by m.created_at desc limit 500
      ) m
      where (u.sender is null or m.from_address = u.sender) and u.route like m.carrier || ':%'
      having count(*) filter (where m.status = 'unconfirmed' and m.code = 'submit_unconfirmed') = 1
        -- Not one that is repeated: its part has been reported.
        and not bool_or(exists (select from parts_of(m.message) s where u.route = s.carrier || ':' || s.carrier_message_id))
    ) o
    where u.receipt is not null and u.message_id is null and u.recipient is not null
  ), numbered as (
    select n.*, row_number() over (partition by n.tenant_id, n.id order by n.route) - 1 as earlier from named n
  )
  select array_agg(n.tenant_id) as tenant_ids, array_agg(n.id) as ids, array_agg(s.part) as parts,
    array_agg(n.receipt) as receipts, array_agg(n.code) as codes, array_agg(n.carrier_code) as carrier_codes,
    array_agg(n.at) as ats
  into found_for
  from numbered n
  left join lateral (
    select s.part from messages m cross join lateral parts_of(m) s
    where m.tenant_id = n.tenant_id and m.id = n.id
      and (s.state in ('submitting', 'unknown') or n.message_id is not null and s.state = 'accepted')
    order by s.state = 'accepted', s.part offset n.earlier limit 1
  ) s on true;
  if found_for.ids is not null then
    perform record_receipts(found_for.tenant_ids, found_for.ids, found_for.parts, found_for.receipts, found_for.codes,
      found_for.carrier_codes, found_for.ats, moves_event, moves_from, moves_to);
  end if;

  with looked as (
    select u.tenant_id, u.route, case
        when u.receipt is null and (u.message_id = any (moved)
          or m.status = 'unconfirmed' and m.final_at > present - make_interval(secs => late_seconds / 2))
          then make_interval(secs => late_seconds)
        -- Its lease was not given up yet.
        when u.receipt is not null and m.status = 'sending' then interval '1 minute'
      end as keep_for
    from unnest(due.tenant_ids, due.routes, due.ids, due.receipts) as u (tenant_id, route, message_id, receipt)
    left join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.message_id])
  ), kept as (
    update message_routes r set due_at = present + l.keep_for
    from looked l where l.keep_for is not null and r.tenant_id = any (array[l.tenant_id]) and r.route = any (array[l.route])
  )
  delete from message_routes r using looked l
  where l.keep_for is null and r.tenant_id = any (array[l.tenant_id]) and r.route = any (array[l.route]);
  return cardinality(due.tenant_ids);
end $$;

select give_to_engine('write_answers', 'receive_known_receipts', 'give_routes', 'recover_routes', 'list_begun_messages', 'keep_forms', 'forms_taken');
select restrict_to_engine('record_receipts', 'store_routes', 'write_other_answers');
