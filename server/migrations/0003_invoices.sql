-- Invoices, their lines, payments and numbers; and what makes a page with an exact total cost the same at a million
-- invoices as at ten thousand (docs/adr/0003_invoice_pages_without_counting.md).

-- Counts up without gaps: the row stays locked until its transaction ends, and a rollback gives the number back.
create table number_series (
  tenant_id bigint not null,
  kind      text collate "C" not null,
  year      integer not null,
  next      bigint not null check (next >= 1),
  primary key (tenant_id, kind, year)
) with (fillfactor = 50);
select protect_tenant_table('number_series');
grant select, insert, update on number_series to tandem_app;

-- The next number of a series. Whoever takes one makes all others of the tenant wait: take it as late as can be.
create function take_number(tenant bigint, series_kind text, series_year integer) returns bigint
language sql volatile as $$
  insert into number_series as s (tenant_id, kind, year, next) values (tenant, series_kind, series_year, 2)
  on conflict (tenant_id, kind, year) do update set next = s.next + 1
  returning s.next - 1
$$;

-- The date as of which a tenant's invoices are listed as Overdue. In every committed state
--   invoices.listed_status = invoice_status(state, due_date, total_minor - paid_minor, as_of).
-- Who moves as_of locks the row; who writes a status that depends on it holds it shared. No row, no invoice.
create table invoice_calendar (
  tenant_id bigint primary key,
  as_of     date not null
) with (fillfactor = 50);
select protect_tenant_table('invoice_calendar');
select open_to_engine('invoice_calendar', 'select');
grant select, insert, update on invoice_calendar to tandem_app;

create function invoice_status(state text, due_date date, balance_minor bigint, today date) returns text
language sql immutable parallel safe as $$
  select case when state = 'Sent' and due_date < today and balance_minor > 0 then 'Overdue' else state end
$$;

create function invoice_number(year integer, sequence bigint) returns text language sql immutable parallel safe as $$
  select 'INV-' || lpad(year::text, 4, '0') || '-'
    || case when sequence >= 1000000 then sequence::text else lpad(coalesce(sequence, 0)::text, 6, '0') end
$$;

create function json_time(at timestamptz) returns text language plpgsql immutable parallel safe as $$
begin
  return coalesce('"' || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '"', 'null');
end $$;

-- The public form of an invoice as every answer and event shows it, but for `status`, which depends on the day, and for
-- lines and payments. Made once with each change instead of at each of many reads. The text lacks its opening brace: a
-- reader puts '{"status":"…",' before it. The settings make it the same whoever writes, a restored backup included.
create function present_invoice(tenant_id bigint, id bigint, year integer, sequence bigint, state text, currency text,
  exponent integer, net_minor bigint, tax_minor bigint, total_minor bigint, paid_minor bigint, customer json,
  lead_id bigint, notes text, issue_date date, due_date date, sent_at timestamptz, paid_at timestamptz,
  cancelled_at timestamptz, cancel_reason text, version integer, created_at timestamptz, updated_at timestamptz)
returns text language plpgsql immutable parallel safe set search_path = public, pg_temp set datestyle = 'ISO' as $$
declare
  unit constant numeric := power(0.1, exponent);
begin
  return concat('"id":', id, ',"number":"', invoice_number(year, sequence), '","tenant_id":', tenant_id,
    ',"amount":', trim_scale(total_minor * unit), ',"due_date":"', due_date, '","currency":"', currency,
    '","amount_minor":', total_minor, ',"subtotal":', trim_scale(net_minor * unit),
    ',"tax_total":', trim_scale(tax_minor * unit), ',"amount_paid":', trim_scale(paid_minor * unit),
    ',"amount_due":', trim_scale((total_minor - paid_minor) * unit), ',"payment_state":"',
    case when state = 'Paid' then 'paid' when paid_minor > 0 then 'partial' else 'unpaid' end,
    '","customer":', customer, ',"lead_id":', coalesce(lead_id::text, 'null'),
    ',"number_assigned":', to_json(sequence is not null), ',"issue_date":"', issue_date,
    '","sent_at":', json_time(sent_at), ',"paid_at":', json_time(paid_at), ',"cancelled_at":', json_time(cancelled_at),
    ',"cancel_reason":', coalesce(to_json(cancel_reason)::text, 'null'),
    ',"notes":', coalesce(to_json(notes)::text, 'null'), ',"created_at":', json_time(created_at),
    ',"updated_at":', json_time(updated_at), ',"version":', version, '}');
end $$;

create table invoices (
  tenant_id     bigint not null,
  id            bigint generated always as identity,
  -- 1, 2, 3, … in the order of creation, without gaps: what pages are cut by
  ordinal       bigint not null check (ordinal >= 1),
  year          integer not null check (year between 1 and 9999),
  -- null while a draft has no number
  sequence      bigint check (sequence >= 1),
  state         text collate "C" not null check (state in ('Draft', 'Sent', 'Paid', 'Cancelled')),
  listed_status text collate "C" not null,
  currency      text collate "C" not null check (currency ~ '^[A-Z]{3}$'),
  exponent      smallint not null check (exponent between 0 and 4),
  net_minor     bigint not null,
  tax_minor     bigint not null,
  total_minor   bigint not null check (total_minor >= 0),
  paid_minor    bigint not null default 0 check (paid_minor between 0 and total_minor),
  -- amounts of all currencies in one order
  amount_rank   bigint generated always as
    (total_minor * case exponent when 0 then 10000 when 1 then 1000 when 2 then 100 when 3 then 10 else 1 end) stored,
  basis         text not null check (basis in ('none', 'amount', 'lines')),
  tax_rounding  text not null default 'per_rate' check (tax_rounding in ('per_rate', 'per_line')),
  customer      json not null,
  customer_name text not null generated always as (customer ->> 'name') stored,
  lead_id       bigint,
  notes         text,
  issue_date    date not null,
  due_date      date not null,
  sent_at       timestamptz,
  paid_at       timestamptz,
  cancelled_at  timestamptz,
  cancel_reason text,
  -- the due date whose passing an event has told
  overdue_told  date,
  event_count   integer not null default 0,
  version       integer not null default 1,
  created_at    timestamptz not null default clock_timestamp(),
  updated_at    timestamptz not null default clock_timestamp(),
  document      text not null generated always as (present_invoice(tenant_id, id, year, sequence, state, currency,
    exponent, net_minor, tax_minor, total_minor, paid_minor, customer, lead_id, notes, issue_date, due_date, sent_at,
    paid_at, cancelled_at, cancel_reason, version, created_at, updated_at)) stored,
  primary key (tenant_id, id),
  check (net_minor + tax_minor = total_minor),
  check (listed_status = state or listed_status = 'Overdue' and state = 'Sent' and paid_minor < total_minor),
  check ((state = 'Draft') = (sent_at is null and cancelled_at is null)),
  check ((state = 'Paid') = (paid_at is not null)),
  check ((state = 'Paid') = (sent_at is not null and cancelled_at is null and paid_minor = total_minor)),
  check ((state = 'Cancelled') = (cancelled_at is not null)),
  check (sent_at is null or sequence is not null),
  constraint invoices_lead foreign key (tenant_id, lead_id) references leads (tenant_id, id)
);
create unique index invoices_ordinal on invoices (tenant_id, ordinal);
create unique index invoices_number on invoices (tenant_id, year, sequence nulls first);
create index invoices_status on invoices (tenant_id, listed_status, ordinal);
create index invoices_open on invoices (tenant_id, due_date, ordinal) where state = 'Sent';
create index invoices_due on invoices (tenant_id, due_date, ordinal);
create index invoices_issued on invoices (tenant_id, issue_date, ordinal);
create index invoices_amount on invoices (tenant_id, amount_rank, ordinal);
create index invoices_lead on invoices (tenant_id, lead_id) where lead_id is not null;
create index invoices_customer on invoices using gin (tenant_id, customer_name gin_trgm_ops);
select protect_tenant_table('invoices');
select open_to_engine('invoices', 'select');
grant select, insert, update on invoices to tandem_app;

create table invoice_lines (
  tenant_id   bigint not null,
  invoice_id  bigint not null,
  position    integer not null,
  description text not null,
  quantity    numeric not null,
  unit_price  numeric not null,
  tax_ppm     integer not null check (tax_ppm between 0 and 1000000),
  net_minor   bigint not null,
  primary key (tenant_id, invoice_id, position),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
select protect_tenant_table('invoice_lines');
grant select, insert, delete on invoice_lines to tandem_app;

create table payments (
  tenant_id    bigint not null,
  id           bigint generated always as identity,
  invoice_id   bigint not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency     text collate "C" not null,
  method       text not null,
  reference    text,
  paid_at      timestamptz not null,
  created_at   timestamptz not null default clock_timestamp(),
  primary key (tenant_id, id),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
create index payments_invoice on payments (tenant_id, invoice_id, id);
select protect_tenant_table('payments');
grant select, insert on payments to tandem_app;

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

-- Keeps the counts in the statement of every change of invoices, whoever makes it. Rows are locked in the order of
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

-- Up to `most` invoices of the transaction's tenant whose customer's name is like the pattern. The engine's, because
-- under row-level security PostgreSQL does not use an index through operators that might leak (ilike).
create function find_invoices_by_customer(pattern text, most integer) returns setof bigint
language plpgsql stable security definer set search_path = public, pg_temp set plan_cache_mode = force_custom_plan as $$
begin
  return query select id from invoices
    where tenant_id = current_setting('app.tenant_id')::bigint and customer_name ilike pattern limit most;
end $$;

-- Every tenant that has a calendar, for the job that rolls them all.
create function invoice_calendars() returns table (organization_id bigint, tenant_id bigint, time_zone text, as_of date)
language sql stable security definer set search_path = public, pg_temp as $$
  select t.organization_id, c.tenant_id, o.time_zone, c.as_of
  from invoice_calendar c join tenants t on t.id = c.tenant_id join organizations o on o.id = t.organization_id
$$;

grant create on schema public to tandem_engine;
alter function find_invoices_by_customer(text, integer) owner to tandem_engine;
revoke all on function find_invoices_by_customer(text, integer) from public;
grant execute on function find_invoices_by_customer(text, integer) to tandem_app;
alter function invoice_calendars() owner to tandem_engine;
revoke all on function invoice_calendars() from public;
grant execute on function invoice_calendars() to tandem_app;
revoke create on schema public from tandem_engine;
