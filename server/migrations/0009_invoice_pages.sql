-- What makes a page of invoices with an exact total cost the same at a million invoices as at ten thousand
-- (docs/adr/0003_invoice_pages_without_counting.md): counts by blocks of neighbours, kept by triggers.

-- How many invoices of each listed status stand in blocks of consecutive ordinals. A row counts up to 64 neighbouring
-- blocks, one an array element: blocks of 16 ordinals on level 0, of 1,024 on level 1, of 65,536 on level 2. A total is
-- the sum of level 2; the place of a page is found by going down, one row a level.
create table invoice_blocks (
  tenant_id bigint not null,
  level     integer not null,
  parent    bigint not null,
  draft     integer[] not null default '{}' check (0 <= all (draft)),
  sent      integer[] not null default '{}' check (0 <= all (sent)),
  overdue   integer[] not null default '{}' check (0 <= all (overdue)),
  paid      integer[] not null default '{}' check (0 <= all (paid)),
  cancelled integer[] not null default '{}' check (0 <= all (cancelled)),
  -- of whatever status
  every     integer[] not null default '{}' check (0 <= all (every)),
  primary key (tenant_id, level, parent)
) with (fillfactor = 50);
select protect_tenant_table('invoice_blocks');
grant select, insert, update on invoice_blocks to tandem_app;

-- Counts a change of the block with the index `block`, from 0, of a level.
create function add_to_invoice_block(tenant bigint, at_level integer, block bigint, more_draft bigint, more_sent bigint,
  more_overdue bigint, more_paid bigint, more_cancelled bigint) returns void
language plpgsql as $$
declare
  e constant integer := (block & 63) + 1;
begin
  loop
    update invoice_blocks
    set draft[e] = coalesce(draft[e], 0) + more_draft, sent[e] = coalesce(sent[e], 0) + more_sent,
        overdue[e] = coalesce(overdue[e], 0) + more_overdue, paid[e] = coalesce(paid[e], 0) + more_paid,
        cancelled[e] = coalesce(cancelled[e], 0) + more_cancelled,
        every[e] = coalesce(every[e], 0) + more_draft + more_sent + more_overdue + more_paid + more_cancelled
    where tenant_id = tenant and level = at_level and parent = block >> 6;
    exit when found;
    insert into invoice_blocks (tenant_id, level, parent) values (tenant, at_level, block >> 6)
    on conflict (tenant_id, level, parent) do nothing;
  end loop;
end $$;

-- Keeps the counts in the statement of every change of invoices, no matter who makes it. Rows are locked in the order of
-- their key and after all invoices of the statement, so that writers never wait for each other in a circle.
create function count_invoices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform add_to_invoice_block(tenant_id, level, block, draft, sent, overdue, paid, cancelled) from (
      select tenant_id, level, (ordinal - 1) >> (6 * level + 4) as block,
             sum(case listed_status when 'Draft' then n else 0 end) as draft,
             sum(case listed_status when 'Sent' then n else 0 end) as sent,
             sum(case listed_status when 'Overdue' then n else 0 end) as overdue,
             sum(case listed_status when 'Paid' then n else 0 end) as paid,
             sum(case listed_status when 'Cancelled' then n else 0 end) as cancelled
      from (select tenant_id, ordinal, listed_status, 1 as n from new_rows) moved
      cross join generate_series(0, 2) as level
      group by 1, 2, 3 order by 1, 2, 3) changes;
  elsif tg_op = 'UPDATE' then
    perform add_to_invoice_block(tenant_id, level, block, draft, sent, overdue, paid, cancelled) from (
      select tenant_id, level, (ordinal - 1) >> (6 * level + 4) as block,
             sum(case listed_status when 'Draft' then n else 0 end) as draft,
             sum(case listed_status when 'Sent' then n else 0 end) as sent,
             sum(case listed_status when 'Overdue' then n else 0 end) as overdue,
             sum(case listed_status when 'Paid' then n else 0 end) as paid,
             sum(case listed_status when 'Cancelled' then n else 0 end) as cancelled
      from (select tenant_id, ordinal, listed_status, 1 as n from new_rows
            union all
            select tenant_id, ordinal, listed_status, -1 from old_rows) moved
      cross join generate_series(0, 2) as level
      group by 1, 2, 3 order by 1, 2, 3) changes
    where draft <> 0 or sent <> 0 or overdue <> 0 or paid <> 0 or cancelled <> 0;
  else
    perform add_to_invoice_block(tenant_id, level, block, draft, sent, overdue, paid, cancelled) from (
      select tenant_id, level, (ordinal - 1) >> (6 * level + 4) as block,
             sum(case listed_status when 'Draft' then n else 0 end) as draft,
             sum(case listed_status when 'Sent' then n else 0 end) as sent,
             sum(case listed_status when 'Overdue' then n else 0 end) as overdue,
             sum(case listed_status when 'Paid' then n else 0 end) as paid,
             sum(case listed_status when 'Cancelled' then n else 0 end) as cancelled
      from (select tenant_id, ordinal, listed_status, -1 as n from old_rows) moved
      cross join generate_series(0, 2) as level
      group by 1, 2, 3 order by 1, 2, 3) changes;
  end if;
  return null;
end $$;
create trigger count_inserted after insert on invoices
  referencing new table as new_rows for each statement execute function count_invoices();
create trigger count_updated after update on invoices
  referencing old table as old_rows new table as new_rows for each statement execute function count_invoices();
create trigger count_deleted after delete on invoices
  referencing old table as old_rows for each statement execute function count_invoices();

-- What the invoices of a status and currency come to, kept by triggers as the counts are: sums of a whole list cost a few rows. Numeric,
-- because many of the largest amounts are more than a bigint holds. Rows of which there is nothing left stay, at zero.
create table invoice_sums (
  tenant_id   bigint not null,
  status      text collate "C" not null,
  currency    text collate "C" not null,
  invoices    bigint not null,
  total_minor numeric not null,
  paid_minor  numeric not null,
  primary key (tenant_id, status, currency)
) with (fillfactor = 50);
select protect_tenant_table('invoice_sums');
grant select, insert, update on invoice_sums to tandem_app;

-- Keeps the sums in the statement of every change, no matter who makes it. Rows are locked in the order of their key, behind the blocks:
-- triggers run in the order of their names.
create function sum_invoices() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into invoice_sums as s (tenant_id, status, currency, invoices, total_minor, paid_minor)
    select tenant_id, listed_status, currency, count(*), sum(total_minor), sum(paid_minor) from new_rows
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, status, currency) do update set invoices = s.invoices + excluded.invoices,
      total_minor = s.total_minor + excluded.total_minor, paid_minor = s.paid_minor + excluded.paid_minor;
  elsif tg_op = 'UPDATE' then
    insert into invoice_sums as s (tenant_id, status, currency, invoices, total_minor, paid_minor)
    select tenant_id, listed_status, currency, sum(n), sum(total_minor), sum(paid_minor)
    from (select tenant_id, listed_status, currency, 1 as n, total_minor, paid_minor from new_rows
          union all
          select tenant_id, listed_status, currency, -1, -total_minor, -paid_minor from old_rows) moved
    group by 1, 2, 3 having sum(n) <> 0 or sum(total_minor) <> 0 or sum(paid_minor) <> 0 order by 1, 2, 3
    on conflict (tenant_id, status, currency) do update set invoices = s.invoices + excluded.invoices,
      total_minor = s.total_minor + excluded.total_minor, paid_minor = s.paid_minor + excluded.paid_minor;
  else
    insert into invoice_sums as s (tenant_id, status, currency, invoices, total_minor, paid_minor)
    select tenant_id, listed_status, currency, -count(*), -sum(total_minor), -sum(paid_minor) from old_rows
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, status, currency) do update set invoices = s.invoices + excluded.invoices,
      total_minor = s.total_minor + excluded.total_minor, paid_minor = s.paid_minor + excluded.paid_minor;
  end if;
  return null;
end $$;
create trigger sum_inserted after insert on invoices
  referencing new table as new_rows for each statement execute function sum_invoices();
create trigger sum_updated after update on invoices
  referencing old table as old_rows new table as new_rows for each statement execute function sum_invoices();
create trigger sum_deleted after delete on invoices
  referencing old table as old_rows for each statement execute function sum_invoices();

-- The counts of one row of blocks: of every invoice (`wanted` is null), of one status, or of several, block by block.
create function wanted_counts(wanted text[], draft integer[], sent integer[], overdue integer[], paid integer[],
  cancelled integer[], every integer[]) returns integer[]
language plpgsql immutable parallel safe as $$
begin
  if wanted is null then return every; end if;
  if cardinality(wanted) = 1 then
    return case wanted[1] when 'Draft' then draft when 'Sent' then sent when 'Overdue' then overdue
      when 'Paid' then paid else cancelled end;
  end if;
  return array(
    select d * ('Draft' = any (wanted))::integer + s * ('Sent' = any (wanted))::integer
      + o * ('Overdue' = any (wanted))::integer + p * ('Paid' = any (wanted))::integer
      + c * ('Cancelled' = any (wanted))::integer
    from unnest(draft, sent, overdue, paid, cancelled) with ordinality as x (d, s, o, p, c, n) order by n);
end $$;

-- A page of the list in the order of creation, newest first unless said otherwise, with the exact total: of every
-- invoice (`wanted` is null) or those of the wanted XX: the calendar is not at `today`; roll it and ask again.
-- With `below` the page begins under that ordinal (newest first only), else behind `skip` invoices.
-- STABLE makes all its queries read one snapshot. Generic plans spare it planning, of which a page would mostly
-- consist; they are kept, so they must not be those that suit a table while it is small.
create function invoice_page(tenant bigint, today date, wanted text[], skip bigint, below bigint, want bigint,
  oldest_first boolean, out total bigint, out last bigint, out page text, out more boolean)
language plpgsql stable set plan_cache_mode = force_generic_plan
set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off as $$
declare
  calendar date;
  place bigint;
  counts integer[];
  e integer;
  places bigint[];
  head text;
  glue text;
begin
  perform set_config('app.tenant_id', tenant::text, true);
  -- The last row of level 2 holds the newest invoices, and nearly always all of them.
  select c.as_of, b.parent, b.counts into calendar, place, counts
  from invoice_calendar c cross join lateral (
    select parent, wanted_counts(wanted, draft, sent, overdue, paid, cancelled, every) as counts from invoice_blocks
    where tenant_id = tenant and level = 2 order by parent desc limit 1) b
  where c.tenant_id = tenant;
  if calendar <> today then return; end if;

  total := 0;
  if place > 0 then
    select sum(n) into total from invoice_blocks
    cross join lateral unnest(wanted_counts(wanted, draft, sent, overdue, paid, cancelled, every)) as n
    where tenant_id = tenant and level = 2 and parent < place;
  end if;
  foreach e in array coalesce(counts, '{}') loop total := total + e; end loop;
  more := total - skip > want;
  want := least(want, total - skip);
  if want <= 0 then return; end if;
  if oldest_first then skip := total - skip - want; end if;

  last := 9007199254740991;
  if below is not null then
    last := below - 1;
  elsif skip > 0 then
    -- Down to the block of 16 in which the page begins.
    loop
      e := cardinality(counts);
      while e > 0 and skip >= counts[e] loop
        skip := skip - counts[e];
        e := e - 1;
      end loop;
      exit when e > 0;
      place := place - 1;
      select wanted_counts(wanted, draft, sent, overdue, paid, cancelled, every) into counts from invoice_blocks
      where tenant_id = tenant and level = 2 and parent = place;
    end loop;
    for at_level in reverse 1 .. 0 loop
      place := place * 64 + e - 1;
      select wanted_counts(wanted, draft, sent, overdue, paid, cancelled, every) into counts from invoice_blocks
      where tenant_id = tenant and level = at_level and parent = place;
      e := cardinality(counts);
      while skip >= counts[e] loop
        skip := skip - counts[e];
        e := e - 1;
      end loop;
    end loop;
    last := (place * 64 + e) * 16;
  end if;

  if wanted is null and not oldest_first then
    select min(x.ordinal), string_agg('{"status":"' || x.listed_status || '",' || x.document, ',') into last, page
    from (select ordinal, listed_status, document from invoices
          where tenant_id = tenant and ordinal <= last
          order by ordinal desc offset skip limit want) x;
  elsif cardinality(wanted) = 1 and not oldest_first then
    head := '{"status":"' || wanted[1] || '",';
    glue := ',' || head;
    select min(x.ordinal), head || string_agg(x.document, glue) into last, page
    from (select ordinal, document from invoices
          where tenant_id = tenant and listed_status = wanted[1] and ordinal <= last
          order by ordinal desc offset skip limit want) x;
  else
    places := array(
      select found.ordinal
      from unnest(coalesce(wanted, '{Draft,Sent,Overdue,Paid,Cancelled}')) as one (status) cross join lateral (
        select ordinal from invoices
        where tenant_id = tenant and listed_status = one.status and ordinal <= last
        order by ordinal desc limit skip + want) found
      order by found.ordinal desc offset skip limit want);
    select string_agg('{"status":"' || listed_status || '",' || document, ','
             order by case when oldest_first then ordinal else -ordinal end)
    into page from invoices where tenant_id = tenant and ordinal = any (places);
    last := places[case when oldest_first then 1 else cardinality(places) end];
  end if;

  if below is not null then
    more := exists (
      select from unnest(coalesce(wanted, '{Draft,Sent,Overdue,Paid,Cancelled}')) as one (status) cross join lateral (
        select from invoices where tenant_id = tenant and listed_status = one.status and ordinal < last limit 1) rest);
  end if;
end $$;
