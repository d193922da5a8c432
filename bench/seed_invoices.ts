/**
 * Fills one tenant with invoices for the list bench, by SQL as the owner of the database, since a million of them
 * through the API would take longer than the bench. The counts behind totals and pages are kept by the database's own
 * trigger, as for every other writer.
 */
import type pg from 'pg'

/**
 * Inserts invoices `$2`…`$3` (counted from 1 in their tenant) of tenant `$1`. What the bench relies on:
 * - spread over three years, the number's sequence running from 1 in each, gapless;
 * - six of ten are Paid, one Sent and due in the future, one Overdue, one Draft, one Cancelled, well mixed, so that
 *   page 2,000 of the paid ones exists at a million;
 * - amounts and due dates vary, so that no index is degenerate.
 */
const insertInvoices = `
  insert into invoices (tenant_id, ordinal, year, sequence, state, listed_status, currency, exponent, net_minor,
    tax_minor, total_minor, paid_minor, basis, customer, issue_date, due_date, sent_at, paid_at, cancelled_at,
    cancel_reason, overdue_emitted_for, created_at, updated_at)
  select $1::bigint, i, year, (i + 2) / 3, case status when 'Overdue' then 'Sent' else status end, status, 'USD', 2,
    total, 0, total, case status when 'Paid' then total else 0 end, 'amount',
    ('{"name":"Customer ' || i % 5000 || '","email":"c' || i % 5000 || '@bench.example","address":null,"tax_id":null}')::json,
    issued, due, case when status not in ('Draft', 'Cancelled') then created + interval '1 hour' end,
    case status when 'Paid' then created + interval '9 days' end,
    case status when 'Cancelled' then created + interval '1 day' end,
    case status when 'Cancelled' then 'Billed twice' end, case status when 'Overdue' then due end, created, created
  from invoice_calendar c
  cross join lateral (
    select i, extract(year from c.as_of)::integer - (i % 3)::integer as year, 1000 + i * 7919 % 900000 as total,
      (array['Paid', 'Paid', 'Sent', 'Paid', 'Draft', 'Paid', 'Paid', 'Overdue', 'Paid', 'Cancelled'])[1 + i % 10] as status,
      c.as_of - 1100 + i * interval '1 minute' as created
    from generate_series($2::bigint, $3::bigint) as i) a
  cross join lateral (select make_date(year, 1, 1) + (i % 330)::integer as issued) b
  cross join lateral (
    select case status when 'Sent' then date '2099-01-01' + (i % 900)::integer
      when 'Overdue' then c.as_of - 1 - (i % 400)::integer else issued + 30 end as due) d
  where c.tenant_id = $1`

/** Lists are as of today in the organization's time zone, so that the first page finds nothing to bring up to date. */
const startCalendar = `
  insert into invoice_calendar (tenant_id, as_of)
  select t.id, (now() at time zone o.time_zone)::date from tenants t join organizations o on o.id = t.organization_id
  where t.id = $1 on conflict do nothing`

/** The series go on where the seed ends. */
const setSeries = `
  insert into number_series (tenant_id, kind, year, next)
  select $1::bigint, 'invoice', year, max(sequence) + 1 from invoices where tenant_id = $1 group by year
  union all
  select $1::bigint, 'invoice_ordinal', 0, max(ordinal) + 1 from invoices where tenant_id = $1
  on conflict (tenant_id, kind, year) do update set next = excluded.next`

const batch = 50_000

/** From this many on, building the indexes again is quicker than filling them row by row. */
const rebuildFrom = 200_000

/**
 * Brings a tenant that holds `have` seeded invoices to `n`, then lets PostgreSQL vacuum and analyze, so that the first
 * measured page does not pay for the seeding.
 * @param owner a connection that sees the rows of all tenants.
 */
export async function seedInvoices(owner: pg.Client, tenantId: number, n: number, have = 0): Promise<void> {
  await owner.query('set synchronous_commit = off')
  await owner.query(startCalendar, [tenantId])
  const indexes = n - have < rebuildFrom ? [] : await dropIndexes(owner, 'invoices')
  for (let first = have + 1; first <= n; first += batch) {
    await owner.query(insertInvoices, [tenantId, first, Math.min(n, first + batch - 1)])
  }
  for (const definition of indexes) await owner.query(definition)
  await owner.query(setSeries, [tenantId])
  await owner.query('reset synchronous_commit')
  await owner.query('vacuum analyze invoices, invoice_blocks, number_series, invoice_calendar')
  await owner.query('checkpoint')
}

/** Drops the indexes of tables but the primary keys; the statements that make them again, which is quicker than filling them. */
export async function dropIndexes(owner: pg.Client, ...tables: string[]): Promise<string[]> {
  const { rows } = await owner.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index where indrelid = any($1::regclass[]) and not indisprimary`,
    [tables],
  )
  for (const { name } of rows) await owner.query(`drop index ${name}`)
  await owner.query("set maintenance_work_mem = '256MB'")
  return rows.map(({ definition }) => definition)
}
