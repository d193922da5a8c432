/**
 * Fills one tenant with invoices for the list bench, by SQL as the owner of the database, since a million of them
 * through the API would take longer than the bench.
 */
import type pg from 'pg'

/**
 * Inserts invoices `$2`…`$3` (counted from 1 in their tenant) of tenant `$1`. What the bench relies on:
 * - spread over three years, the number's sequence running from 1 in each, gapless;
 * - six of ten are Paid, two Sent and due in the future, one Draft, one Cancelled, well mixed, so that page 2,000 of
 *   the paid ones exists at a million;
 * - amounts and due dates vary, so that no index is degenerate.
 */
const insertInvoices = `
  insert into invoices (tenant_id, id, year, sequence, currency, amount_minor, status, issue_date, due_date)
  select $1::bigint, i, 2024 + i % 3, (i + 2) / 3, 'USD', 1000 + i * 7919 % 900000,
         (array['Paid', 'Paid', 'Sent', 'Paid', 'Draft', 'Paid', 'Paid', 'Sent', 'Paid', 'Cancelled'])[1 + i % 10],
         make_date((2024 + i % 3)::int, 1, 1) + (i % 330)::int,
         case when i % 10 in (2, 7) then date '2099-01-01' + (i % 900)::int
              else make_date((2024 + i % 3)::int, 1, 31) + (i % 330)::int end
  from generate_series($2::bigint, $3::bigint) as i`

const batch = 50_000

/**
 * Brings a tenant that holds `have` seeded invoices to `n`, with the counters from which totals are told, then lets
 * PostgreSQL vacuum and analyze, so that the first measured page does not pay for the seeding.
 * @param owner a connection that sees the rows of all tenants.
 */
export async function seedInvoices(owner: pg.Client, tenantId: number, n: number, have = 0): Promise<void> {
  await owner.query('set synchronous_commit = off')
  for (let first = have + 1; first <= n; first += batch) {
    await owner.query(insertInvoices, [tenantId, first, Math.min(n, first + batch - 1)])
  }
  await owner.query('reset synchronous_commit')
  await owner.query('vacuum analyze invoices')
  await owner.query('checkpoint')
}
