-- How far carrying is behind: nodes that take messages in do not always carry them.

-- Seconds that the oldest due message waits of the carrier that is served best, of those that have a link and something to carry; 0 where
-- nothing waits. A carrier that is slow itself, or has no link, says nothing about this installation.
create function message_queue_lag() returns double precision
language sql security definer set search_path = public, pg_temp
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
  with recursive queues as (
    select min(j.carrier) as carrier from message_jobs j
    union all
    select (select min(j.carrier) from message_jobs j where j.carrier > q.carrier) from queues q where q.carrier is not null
  )
  select coalesce(min(d.lag), 0)
  from queues q
  cross join lateral (
    select case when j.due_at <= clock_timestamp() then extract(epoch from clock_timestamp() - j.due_at)
      -- Nothing is due: all that it has is being carried, or is for later.
      when exists (select from message_jobs l where l.lease_token is not null and l.carrier = q.carrier) then 0 end::double precision as lag
    from message_jobs j where j.carrier = q.carrier order by j.due_at limit 1
  ) d
  -- 'none': what waits for a carrier that can take it.
  where q.carrier <> 'none' and q.carrier not like 'car\_%'
    or exists (select from carrier_links l where l.carrier_id = q.carrier and l.role <> 'receiver' and l.state in ('up', 'throttled'))
$$;

select give_to_engine('message_queue_lag');
