/**
 * Fills a tenant with leads and companies for the bench of nouns, by SQL as the owner of the database, since a million of each through
 * the API would take longer than the bench. Counters are kept by the tables' own triggers, as for every other writer.
 */
import type pg from 'pg'
import { dropIndexes } from './seed_invoices.ts'

/** What words begin and end with. */
export const starts = ['ba', 'ke', 'mi', 'no', 'ru', 'sa', 'te', 'vi', 'lo', 'du']
export const ends = [
  ...['ler', 'mann', 'son', 'ton', 'berg', 'feld', 'wick', 'dorf', 'stein', 'bach'],
  ...['hus', 'land', 'gate', 'ford', 'ley', 'by', 'thal', 'au', 'brück', 'ow'],
]

/** Names of three words out of 200 each: a search for one finds some thousands of a million, for two some dozens. */
const words = `
  with syllables as (
    select array_agg(a || b) as list from unnest('{${starts}}'::text[]) a,
      unnest('{${ends}}'::text[]) b)`
const nameOf = (salt: number) =>
  `initcap(s.list[1 + (i * 7919 + ${salt}) % 200] || ' ' || s.list[1 + (i / 200 * 104729 + ${salt}) % 200] || ' ' || s.list[1 + (i / 40000 * 31 + i) % 200])`
/** Ids in the order of time: a range of one prefix counted up. */
const idOf = (prefix: string) => `'${prefix}_0' || lpad(translate(to_hex(i), 'abcdef', 'abcdef'), 25, '0')`
const createdAt = `now() - interval '400 days' + i * interval '30 seconds'`

const insertLeads = `${words}, drawn as (
    select i, nextval('leads_id_seq') as id, ${nameOf(1)} as name, 'lead' || i || '@bench.example' as email,
      '+49151' || lpad((i % 100000000)::text, 8, '0') as phone, s.list[1 + i % 200] as company, ${createdAt} as at
    from generate_series($2::bigint, $3::bigint) as i, syllables s
  ), made as (
    insert into leads (tenant_id, id, version, created_at, updated_at, name, email, phone, company, priority, status, owner_id, find)
    select $1::bigint, id, 1, at, at, name, email, phone, company, (array['Hot', 'Warm', 'Cold'])[1 + i % 3],
      (array['New', 'Contacted', 'Nurturing', 'Qualified'])[1 + i % 4], case when i % 5 = 0 then null else 1 + i % 20 end,
      noun_search_text(concat_ws(' ', name, email, phone, company))
    from drawn
    returning tenant_id, id, created_at)
  insert into changes (tenant_id, record_id, version, noun, at, user_id, source, difference)
  select tenant_id, 'lead:' || id, 1, 'lead', created_at, 1, 'request', '{}' from made`

const insertCompanies = `${words}, made as (
    insert into companies (tenant_id, id, version, created_at, updated_at, name, domain, phone, industry, owner_id, find)
    select $1::bigint, ${idOf('cmp')}, 1, ${createdAt}, ${createdAt}, ${nameOf(1)}, 'c' || i || '.bench.example',
      '+49151' || lpad((i % 100000000)::text, 8, '0'), (array['Retail', 'Manufacturing', 'Services', 'Public', 'Other'])[1 + i % 5],
      case when i % 5 = 0 then null else 1 + i % 20 end,
      noun_search_text(${nameOf(1)} || ' c' || i || '.bench.example +49151' || lpad((i % 100000000)::text, 8, '0'))
    from generate_series($2::bigint, $3::bigint) as i, syllables s
    returning tenant_id, id, domain)
  insert into record_keys (tenant_id, noun, field, value, record_id)
  select tenant_id, 'company', 'domain', domain, id from made`

const batch = 50_000

/** Brings a tenant to `n` leads and `n` companies, then lets PostgreSQL vacuum and analyze, so that the first measured list does not pay. */
export async function seedNouns(owner: pg.Client, tenantId: number, n: number): Promise<void> {
  await owner.query('set synchronous_commit = off')
  const indexes = n < 200_000 ? [] : await dropIndexes(owner, 'leads', 'companies', 'record_keys')
  for (let first = 1; first <= n; first += batch) {
    const range = [tenantId, first, Math.min(n, first + batch - 1)]
    await owner.query(insertLeads, range)
    await owner.query(insertCompanies, range)
  }
  for (const definition of indexes) await owner.query(definition)
  await owner.query('reset synchronous_commit')
  await owner.query('vacuum analyze leads, changes, companies, noun_counts, noun_words, record_keys')
  await owner.query('checkpoint')
}

/** Organizations with a tenant each and a hundred companies in it: what one tenant asks must not depend on how many others there are. */
export async function seedNeighbours(owner: pg.Client, count: number): Promise<void> {
  const { rows } = await owner.query<{ id: number }>('select max(id) as id from tenants')
  const first = Number(rows[0]!.id) + 1
  await owner.query('set synchronous_commit = off')
  for (let at = 0; at < count; at++) await owner.query(insertCompanies, [first + 1_000_000 + at, 1, 100])
  await owner.query('reset synchronous_commit')
}
