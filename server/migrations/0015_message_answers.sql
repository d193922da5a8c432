-- What carriers answer and report: their answers to messages, and receipts. Receipts of messages of one part take no locks for the
-- others.
--
-- A segment's row is written when its message is claimed, before any byte leaves; the carrier's answer and its receipt are written
-- into it. What joins answer and receipt is message_routes.

-- Which message a carrier's id means: where answer and receipt meet. Whichever comes first inserts the row, the other
-- waits for that one's commit and joins it. A receipt that came first is parked in it.
create table message_routes (
  tenant_id            bigint not null,
  -- The carrier's name, a colon, and its id of the message: one column, so that no plan can do with half of the key.
  route                text collate "C" not null,
  message_id           text collate "C",
  -- When the receipt is overdue; after that, when the row has outlived its use.
  due_at               timestamptz not null,
  receipt              text collate "C",
  receipt_code         text collate "C",
  receipt_at           timestamptz(3),
  part                 smallint not null default 1,
  receipt_carrier_code text collate "C",
  -- Sender and recipient of the message a parked receipt is about, where the carrier repeats them.
  receipt_from         text collate "C",
  receipt_to           text collate "C",
  primary key (tenant_id, route)
);
create index message_routes_due on message_routes (due_at);
select protect_tenant_table('message_routes');
select open_to_engine('message_routes', 'select, insert, update, delete');

-- Writes receipts into the rows of their segments and moves the messages of which every part has come to its end: delivered
-- when all parts are, else as the first part that is not. Returns how many messages moved.
create function apply_receipts(tenant_ids bigint[], ids text[], parts smallint[], receipts text[], codes text[],
  carrier_codes text[], ats timestamptz[], event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz(3) := clock_timestamp();
  done record;
  moved integer;
begin
  if lock_messages(tenant_ids, ids) then
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
  if done.ids is null then return 0; end if;
  select count(*) into moved from move_messages(done.tenant_ids, done.ids, done.events, done.codes, done.ats, event_ids,
    moves_event, moves_from, moves_to);
  return moved;
end $$;

-- Writes down what the carrier answered, and ends the leases of `tokens`; `leases` go on, without what waits again. Answers
-- are those of one attempt each: what was begun again since is left alone. Returns how many messages moved.
create function conclude_messages(for_carrier text, job text, tokens text[], leases text[], tenant_ids bigint[], ids text[],
  attempts_made smallint[], moves_by text[], codes text[], retry_seconds double precision[], part_tenants bigint[],
  part_ids text[], parts smallint[], part_attempts smallint[], part_states text[], carrier_message_ids text[],
  part_codes text[], carrier_codes text[], receipt_seconds double precision,
  event_ids text[], moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  moved integer;
  parked record;
  current record;
  requeued text[];
  answered integer;
  ended integer := 0;
begin
  -- Jobs before messages, as who claims a lost lease: what waits again leaves its lease below.
  if cardinality(leases) > 0 and cardinality(array_remove(retry_seconds, null)) > 0 then
    perform from message_jobs j where j.lease_token = any (leases) order by j.tenant_id, j.id for update;
  end if;
  delete from message_jobs j where j.lease_token = any(tokens);
  if cardinality(ids) = 0 then return 0; end if;

  -- A carrier may use an id again: the message that had it before keeps its place under another name, where its time for
  -- receipts runs out.
  update message_routes r set route = r.route || '~' || r.message_id
  from unnest(part_tenants, part_ids, carrier_message_ids) as u (tenant_id, id, route)
  where r.tenant_id = any (array[u.tenant_id]) and r.route = any (array[for_carrier || ':' || u.route])
    and r.message_id <> u.id;

  -- Always in the order of the key, so that answers and receipts wait for each other and do not dead-lock. Of two parts that
  -- a carrier answers with one id, receipts count for the first.
  with routed as (
    insert into message_routes as r (tenant_id, route, message_id, part, due_at)
    select distinct on (u.tenant_id, u.route) u.tenant_id, for_carrier || ':' || u.route, u.id, u.part,
      present + make_interval(secs => receipt_seconds)
    from unnest(part_tenants, part_ids, parts, carrier_message_ids) as u (tenant_id, id, part, route)
    where u.route is not null
    order by u.tenant_id, u.route, u.id, u.part
    on conflict on constraint message_routes_pkey do update set
      message_id = excluded.message_id,
      part = excluded.part,
      due_at = excluded.due_at
    returning r.tenant_id, r.message_id, r.part, r.receipt, r.receipt_code, r.receipt_carrier_code, r.receipt_at
  )
  select array_agg(r.tenant_id) as tenant_ids, array_agg(r.message_id) as ids, array_agg(r.part) as parts,
    array_agg(r.receipt) as receipts, array_agg(r.receipt_code) as codes,
    array_agg(r.receipt_carrier_code) as carrier_codes, array_agg(r.receipt_at) as ats
  into parked from routed r where r.receipt is not null;

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

  select array_agg(u.tenant_id) as tenant_ids, array_agg(u.id) as ids, array_agg(u.event) as events,
    array_agg(u.code) as codes
  into current
  from unnest(tenant_ids, ids, attempts_made, moves_by, codes) as u (tenant_id, id, attempt, event, code)
  join messages m on m.tenant_id = any (array[u.tenant_id]) and m.id = any (array[u.id]) and m.attempts = u.attempt;

  with m as materialized (
    select * from move_messages(current.tenant_ids, current.ids, current.events, current.codes, null, event_ids,
      moves_event, moves_from, moves_to)
  ), waiting as (
    select m.tenant_id, m.id, u.retry
    from m join unnest(tenant_ids, ids, retry_seconds) as u (tenant_id, id, retry)
      on u.tenant_id = m.tenant_id and u.id = m.id
    where m.status = 'queued'
  ), again as (
    insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
    select w.tenant_id, min(w.id) || job, for_carrier, present + make_interval(secs => w.retry), array_agg(w.id)
    from (select w.*, job_of(row_number() over (partition by w.tenant_id, w.retry)) as chunk from waiting w) w
    group by w.tenant_id, w.retry, w.chunk
  )
  select count(*), array_agg(m.id) filter (where m.status = 'queued') into moved, requeued from m;
  if requeued is not null then
    -- A lease that is lost later must not speak for what others have begun by then.
    update message_jobs j set message_ids = array(select u.id from unnest(j.message_ids) with ordinality as u (id, n)
      where u.id <> all (requeued) order by u.n)
    where j.lease_token = any (leases) and j.message_ids && requeued;
  end if;

  if parked.ids is not null then
    ended := apply_receipts(parked.tenant_ids, parked.ids, parked.parts, parked.receipts, parked.codes,
      parked.carrier_codes, parked.ats, event_ids[cardinality(ids) + 1:], moves_event, moves_from, moves_to);
  end if;
  if answered < cardinality(part_ids) then
    -- The receipt of a part came before its answer by another way: by our id, or from an older attempt.
    perform apply_receipts(current.tenant_ids, current.ids, null, null, null, null, null,
      event_ids[cardinality(ids) + ended + 1:], moves_event, moves_from, moves_to);
  end if;
  return moved;
end $$;

-- Takes receipts in, before they are acknowledged to the carrier. One whose message is not known yet is parked for
-- `park_seconds`; one that changes nothing (repeated, or after the end) is parked for nothing and forgotten then. Returns
-- how many messages moved.
create function receive_receipts(tenant_ids bigint[], routes text[], message_ids text[], receipts text[], codes text[],
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
    moved := apply_receipts(known.tenant_ids, known.ids, known.parts, known.receipts, known.codes, known.carrier_codes,
      known.ats, event_ids, moves_event, moves_from, moves_to);
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

-- Looks after routes that are due: a message without receipt becomes unconfirmed (a late receipt may still come for
-- `late_seconds`), a parked receipt whose answer was lost is applied (to the message it names, or to the only one it can
-- be about), the rest have served. Returns how many were due.
create function settle_message_routes(max_routes integer, late_seconds double precision, event_ids text[],
  moves_event text[], moves_from text[], moves_to text[])
returns integer
language plpgsql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
declare
  present timestamptz := clock_timestamp();
  due record;
  found_for record;
  moved text[];
begin
  with taken as (
    select r.* from message_routes r where r.due_at <= present order by r.due_at limit max_routes for update skip locked
  )
  select array_agg(t.tenant_id) as tenant_ids, array_agg(t.route) as routes, array_agg(t.message_id) as ids,
    array_agg(t.receipt) as receipts, array_agg(t.receipt_code) as codes, array_agg(t.receipt_carrier_code) as carrier_codes,
    array_agg(t.receipt_at) as ats, array_agg(t.receipt_from) as senders, array_agg(t.receipt_to) as recipients
  into due from taken t;
  if due.tenant_ids is null then return 0; end if;

  select coalesce(array_agg(m.id), '{}') into moved
  from move_messages(
    (select array_agg(u.tenant_id) from unnest(due.tenant_ids, due.receipts) as u (tenant_id, receipt)
      where u.receipt is null),
    (select array_agg(u.id) from unnest(due.ids, due.receipts) as u (id, receipt) where u.receipt is null),
    (select array_agg('receipt_missing'::text) from unnest(due.receipts) as u (receipt) where u.receipt is null),
    null, null, event_ids, moves_event, moves_from, moves_to) m;

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
        select m.*
        from messages_to_since(u.tenant_id, u.recipient, present - interval '3 days') m
        order by m.created_at desc limit 500
      ) m
      where (u.sender is null or m.from_address = u.sender) and u.route like m.carrier || ':%'
      having count(*) filter (where m.status = 'unconfirmed' and m.code = 'submit_unconfirmed') = 1
        -- Not one that is repeated: its part has been reported.
        and not bool_or(exists (select from message_segments s where s.tenant_id = m.tenant_id and s.message_id = m.id
          and u.route = s.carrier || ':' || s.carrier_message_id))
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
    select s.part from message_segments s
    where s.tenant_id = n.tenant_id and s.message_id = n.id
      and (s.state in ('submitting', 'unknown') or n.message_id is not null and s.state = 'accepted')
    order by s.state = 'accepted', s.part offset n.earlier limit 1
  ) s on true;
  if found_for.ids is not null then
    perform apply_receipts(found_for.tenant_ids, found_for.ids, found_for.parts, found_for.receipts, found_for.codes,
      found_for.carrier_codes, found_for.ats, event_ids[cardinality(due.ids) + 1:], moves_event, moves_from, moves_to);
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

select restrict_to_engine('apply_receipts');

select give_to_engine('conclude_messages', 'receive_receipts', 'settle_message_routes');
