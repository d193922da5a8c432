// Guards: docs/schema.sql shows all that a migration makes, with its comments and the function in force, and never leaves out a kind of
// object in silence.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import pg from 'pg'
import { freshDatabase, migrationsDir } from '../server/test/cluster.ts'
import { readNotes } from './schema_notes.ts'
import { schemaSql } from './schema_sql.ts'

const files = readdirSync(migrationsDir)
  .sort()
  .map(name => ({ name, text: readFileSync(join(migrationsDir, name), 'utf8') }))

const first = `-- Boats.

-- One that is afloat.
create table boats (
  tenant_id bigint not null,
  id        bigint generated always as identity,
  -- In metres.
  length    numeric(5, 2) not null check (length > 0),
  name      text collate "C" default 'Alma',
  primary key (tenant_id, id),
  -- No two are called alike.
  constraint boats_name unique (tenant_id, name)
) with (fillfactor = 50);
-- The longest first.
create index boats_length on boats (tenant_id, length desc) where name is not null;
select protect_tenant_table('boats');
select open_to_engine('boats', 'select, insert');
grant select on boats to tandem_app;
grant update (name) on boats to tandem_app;

-- What was said first.
create function longest_boat() returns numeric language sql stable security definer set search_path = public, pg_temp as $$
  select max(length) from boats
$$;

create function float_boat() returns trigger language plpgsql as $$ begin return new; end $$;
create trigger boats_float before insert on boats for each row execute function float_boat();
select give_to_engine('longest_boat', 'float_boat');
`
const second = `
-- The longest boat, or none.
create or replace function longest_boat() returns numeric language sql stable security definer set search_path = public as $$
  -- Nothing is 0.
  select coalesce(max(length), 0) from boats
$$;

alter table boats
  -- When it was put into the water.
  add column afloat_at timestamptz(3);
`

const shown = `
${'-'.repeat(100)}
-- server/migrations/0101_boats.sql
${'-'.repeat(100)}

-- One that is afloat.
create table boats (
  tenant_id bigint not null,
  id        bigint not null generated always as identity,
  -- In metres.
  length    numeric(5,2) not null,
  name      text collate "C" default 'Alma'::text,
  -- When it was put into the water.
  afloat_at timestamptz(3),
  constraint boats_pkey PRIMARY KEY (tenant_id, id),
  -- No two are called alike.
  constraint boats_name UNIQUE (tenant_id, name),
  constraint boats_length_check CHECK (length > 0::numeric)
) with (fillfactor=50);
-- The longest first.
CREATE INDEX boats_length ON boats USING btree (tenant_id, length DESC) WHERE name IS NOT NULL;
alter table boats enable row level security, force row level security;
create policy tenant_isolation on boats for all to tandem_app using (TENANT) with check (TENANT);
create policy erasure on boats for all to tandem_engine using (ERASED) with check (ERASED);
create policy engine_access on boats for all to tandem_engine using (true) with check (true);
create policy backup on boats for select to tandem_backup using (true);
grant select on boats to tandem_app;
grant select on boats to tandem_backup;
grant delete, insert, select, update on boats to tandem_engine;
grant update (name) on boats to tandem_app;
CREATE TRIGGER boats_float BEFORE INSERT ON boats FOR EACH ROW EXECUTE FUNCTION float_boat();

-- The longest boat, or none.
create function longest_boat()
 RETURNS numeric
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public'
AS $function$
  -- Nothing is 0.
  select coalesce(max(length), 0) from boats
$function$;
alter function longest_boat owner to tandem_engine;
revoke all on function longest_boat from public;
grant execute on function longest_boat to tandem_app;

create function float_boat()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin return new; end $function$;
alter function float_boat owner to tandem_engine;
revoke all on function float_boat from public;
`

async function migrated(t: TestContext, ...texts: string[]): Promise<pg.Client> {
  const database = await freshDatabase()
  const client = new pg.Client(database.owner)
  t.after(async () => {
    await client.end()
    await database.drop()
  })
  await client.connect()
  for (const text of texts) await client.query(text)
  return client
}

test('a table and its functions are shown once, as they are in force, with their comments', async t => {
  const client = await migrated(t, first, second)
  const text = await schemaSql(client, [
    ...files,
    { name: '0101_boats.sql', text: first },
    { name: '0102_more.sql', text: second },
  ])
  const tenant = "tenant_id = (( SELECT current_setting('app.tenant_id'::text)::bigint AS current_setting))"
  const erased = `tenant_id = (( SELECT NULLIF(current_setting('app.erased_tenant'::text, true), ''::text)::bigint AS "nullif"))`
  assert.equal(
    text.slice(text.indexOf('-- server/migrations/0101') - 102),
    shown.replaceAll('TENANT', tenant).replaceAll('ERASED', erased),
  )
})

test('what it cannot show, and what no file makes in its own words, is a fault', async t => {
  const client = await migrated(t, 'create materialized view all_leads as select id from leads')
  await assert.rejects(schemaSql(client, files), /does not show: relation all_leads of kind m/)
  await client.query('drop materialized view all_leads; create table hidden (id bigint primary key)')
  await assert.rejects(schemaSql(client, files), /no migration has "create … hidden"/)
})

test('a comment that stands apart from a statement is none of its', () => {
  const { commentOn } = readNotes([
    { name: '0001_a.sql', text: '-- Of the file.\n\ncreate table a (\n  id bigint\n);\n' },
  ])
  assert.equal(commentOn('a'), '')
})
