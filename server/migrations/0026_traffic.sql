-- Traffic: how messages and calls end, counted by quarters of an hour.

-- Messages and calls counted by the quarter of an hour they began in: every time zone cuts its days at quarters. What lies
-- before `folded_to` is counted here, what lies behind it is counted when asked.
create table traffic_slots (
  tenant_id bigint not null,
  kind      text collate "C" not null check (kind in ('message', 'call')),
  slot      timestamptz not null,
  direction text collate "C" not null,
  -- That of now: of a message its status, of a call its state.
  status    text collate "C" not null,
  items     bigint not null,
  -- Segments of messages, milliseconds of talk of calls.
  amount    bigint not null,
  primary key (tenant_id, kind, slot, direction, status)
) with (fillfactor = 80);
select protect_tenant_table('traffic_slots');
select open_to_engine('traffic_slots', 'select, insert, update');
grant select on traffic_slots to tandem_app;

create table traffic_folds (
  tenant_id bigint not null,
  kind      text collate "C" not null check (kind in ('message', 'call')),
  -- In milliseconds, as programs read it.
  folded_to timestamptz(3) not null,
  primary key (tenant_id, kind)
);
select protect_tenant_table('traffic_folds');
select open_to_engine('traffic_folds', 'select, insert, update');
grant select on traffic_folds to tandem_app;

-- What changed about messages and calls that are no longer new, and so may be counted already: what they were is taken
-- away, what they are is added. Written by triggers in the transaction of the change.
create table traffic_deltas (
  tenant_id bigint not null,
  id        bigint generated always as identity,
  kind      text collate "C" not null,
  -- When the message or call began.
  at        timestamptz not null,
  direction text collate "C" not null,
  status    text collate "C" not null,
  items     smallint not null check (items in (-1, 1)),
  amount    bigint not null,
  primary key (tenant_id, id)
);
select protect_tenant_table('traffic_deltas');
select open_to_engine('traffic_deltas', 'select, insert, delete');
grant select on traffic_deltas to tandem_app;

-- Milliseconds of talk; none before a call is over.
create function talk_ms(answered_at timestamptz, ended_at timestamptz) returns bigint
language sql immutable parallel safe as $$
  select greatest(coalesce(round(extract(epoch from ended_at - answered_at) * 1000)::bigint, 0), 0)
$$;

create function add_message_traffic() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    insert into traffic_deltas (tenant_id, kind, at, direction, status, items, amount)
    values (old.tenant_id, 'message', old.created_at, old.direction, old.status, -1, -old.segments);
  end if;
  insert into traffic_deltas (tenant_id, kind, at, direction, status, items, amount)
  values (new.tenant_id, 'message', new.created_at, new.direction, new.status, 1, new.segments);
  return null;
end $$;

create function add_call_traffic() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' then
    insert into traffic_deltas (tenant_id, kind, at, direction, status, items, amount)
    values (old.tenant_id, 'call', old.created_at, old.direction, old.state, -1, -talk_ms(old.answered_at, old.ended_at));
  end if;
  insert into traffic_deltas (tenant_id, kind, at, direction, status, items, amount)
  values (new.tenant_id, 'call', new.created_at, new.direction, new.state, 1, talk_ms(new.answered_at, new.ended_at));
  return null;
end $$;

-- New rows are counted from the table itself; what is reported here is old enough to be counted already.
create trigger message_traffic_inserted after insert on messages for each row
  when (new.created_at < clock_timestamp() - interval '2 minutes') execute function add_message_traffic();
create trigger message_traffic_updated after update of status on messages for each row
  when (new.status <> old.status and new.created_at < clock_timestamp() - interval '2 minutes')
  execute function add_message_traffic();
create trigger call_traffic_inserted after insert on calls for each row
  when (new.created_at < clock_timestamp() - interval '2 minutes') execute function add_call_traffic();
create trigger call_traffic_updated after update on calls for each row
  when ((new.state, new.answered_at, new.ended_at) is distinct from (old.state, old.answered_at, old.ended_at)
    and new.created_at < clock_timestamp() - interval '2 minutes')
  execute function add_call_traffic();

-- Tenants that have something to fold.
create function traffic_due() returns table (tenant_id bigint, kind text)
language sql stable security definer set search_path = public, pg_temp as $$
  with cut as (select clock_timestamp() - interval '6 minutes' as until)
  select t.id, k.kind
  from tenants t
  cross join cut
  cross join (values ('message'), ('call')) as k (kind)
  left join traffic_folds f on f.tenant_id = t.id and f.kind = k.kind
  where case k.kind
      when 'message' then exists (
        select from messages m where m.tenant_id = t.id
          and m.id >= first_id_at('msg', coalesce(f.folded_to, 'epoch')) and m.id < first_id_at('msg', cut.until))
      else exists (
        select from calls c where c.tenant_id = t.id
          and c.created_at >= coalesce(f.folded_to, 'epoch') and c.created_at < cut.until)
    end
    or exists (select from traffic_deltas d where d.tenant_id = t.id and d.kind = k.kind and d.at < f.folded_to)
$$;

-- Counts what lies between the fold and six minutes ago, at most `max_rows` of it, and moves the fold there; answers
-- whether there is more. Whatever changes later than two minutes after its beginning leaves a delta: so when the rows of a
-- time are counted, each change of them is committed, or comes with a delta.
create function fold_traffic(for_tenant bigint, for_kind text, max_rows integer) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  until timestamptz := date_trunc('milliseconds', clock_timestamp() - interval '6 minutes');
  -- Half a minute for ids whose time and row's time differ.
  slack interval := interval '30 seconds';
  folded timestamptz;
  reached timestamptz;
begin
  insert into traffic_folds (tenant_id, kind, folded_to) values (for_tenant, for_kind, 'epoch') on conflict do nothing;
  select f.folded_to into folded from traffic_folds f where f.tenant_id = for_tenant and f.kind = for_kind for update;
  until := greatest(until, folded);
  if for_kind = 'message' then
    select m.created_at into reached from messages m
    where m.tenant_id = for_tenant and m.id >= first_id_at('msg', folded) and m.id < first_id_at('msg', until)
    order by m.id offset max_rows limit 1;
  else
    select c.created_at into reached from calls c
    where c.tenant_id = for_tenant and c.created_at >= folded and c.created_at < until
    order by c.created_at, c.id offset max_rows limit 1;
  end if;
  reached := coalesce(date_trunc('milliseconds', reached), until);

  -- One statement, one view of the data: a delta is either here or not yet in the rows.
  with gone as (
    delete from traffic_deltas d where d.tenant_id = for_tenant and d.kind = for_kind and d.at < reached returning d.*
  ), fresh as (
    select m.created_at as at, m.direction, m.status, 1 as items, m.segments::bigint as amount from messages m
    where for_kind = 'message' and m.tenant_id = for_tenant
      and m.id >= first_id_at('msg', folded - slack) and m.id < first_id_at('msg', reached + slack)
      and m.created_at >= folded and m.created_at < reached
    union all
    select c.created_at, c.direction, c.state, 1, talk_ms(c.answered_at, c.ended_at) from calls c
    where for_kind = 'call' and c.tenant_id = for_tenant and c.created_at >= folded and c.created_at < reached
    union all
    -- For what is only being counted now, the rows have the latest state.
    select g.at, g.direction, g.status, g.items, g.amount from gone g where g.at < folded
  )
  insert into traffic_slots as s (tenant_id, kind, slot, direction, status, items, amount)
  select for_tenant, for_kind, date_bin('15 minutes', f.at, 'epoch'), f.direction, f.status, sum(f.items), sum(f.amount)
  from fresh f group by 3, 4, 5 having sum(f.items) <> 0 or sum(f.amount) <> 0
  on conflict on constraint traffic_slots_pkey do update set
    items = s.items + excluded.items, amount = s.amount + excluded.amount;

  update traffic_folds f set folded_to = reached where f.tenant_id = for_tenant and f.kind = for_kind;
  return reached < until;
end $$;

select give_to_engine('add_message_traffic', 'add_call_traffic', 'traffic_due', 'fold_traffic');
