-- Invoices, their lines, payments and numbers. Pages and exact totals of them: the next file.

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

-- The next number of a series. Anyone who takes one makes all others of the tenant wait: take it as late as can be.
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
-- reader puts '{"status":"…",' before it. The settings make it the same no matter who writes, a restored backup included.
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
  -- the due date for which invoice.overdue was emitted
  overdue_emitted_for  date,
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
  constraint invoices_lead foreign key (tenant_id, lead_id) references leads (tenant_id, id) on delete set null (lead_id)
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
  -- a reversed payment stays, and counts no more
  reversed_at     timestamptz,
  reversal_reason text,
  primary key (tenant_id, id),
  check ((reversed_at is null) = (reversal_reason is null)),
  foreign key (tenant_id, invoice_id) references invoices (tenant_id, id)
);
create index payments_invoice on payments (tenant_id, invoice_id, id);
create index payments_received on payments (tenant_id, paid_at);
select protect_tenant_table('payments');
grant select, insert, update (reversed_at, reversal_reason) on payments to tandem_app;

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

select give_to_engine('find_invoices_by_customer', 'invoice_calendars');
