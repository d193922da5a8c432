// What of a migration would hold up, or break, a server of the version before.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  concurrentIndex,
  isSecondStep,
  lockingIndexes,
  notAdditive,
  runsOutside,
  statementsOf,
  statementTextsOf,
} from './migration_sql.ts'

const root = join(import.meta.dirname, '../../../..')

/** The last baseline: files up to it were rewritten in place (docs/adr/0021), those behind it only add. */
const lastBaseline = 51

test('statements are distinguished from comments, texts and bodies', () => {
  const sql = `-- drop table a;
    create table a (b text default 'x; drop table b');
    /* drop table c; */
    create function f() returns void language plpgsql as $body$ begin drop table d; end $body$;
    do $$ begin delete from e; end $$;`
  assert.deepEqual(statementsOf(sql), [
    "create table a (b text default '')",
    'create function f() returns void language plpgsql as $$',
    'do $$',
  ])
  assert.deepEqual(notAdditive(sql), [])
})

test('an apostrophe in a comment hides no statement from the rules', () => {
  const sql = "-- Whose it's.\ndrop table a;\n-- It isn't theirs.\nselect 1"
  assert.deepEqual(statementsOf(sql), ['drop table a', 'select 1'])
  assert.equal(notAdditive(sql).length, 1)
})

test('statements that are run one by one keep their texts', () => {
  const sql = `-- It's one; of two.
    create index concurrently a_b on a (b) where b in ('x; y', 'it''s -- c', '0');
    /* ; */ do $do$ begin perform ';'; end $do$;`
  assert.deepEqual(statementTextsOf(sql), [
    "create index concurrently a_b on a (b) where b in ('x; y', 'it''s -- c', '0')",
    "do $do$ begin perform ';'; end $do$",
  ])
})

test('what only adds, passes', () => {
  for (const sql of [
    'create table a (id int not null); create index a_id on a (id); alter table a add column b int not null',
    'alter table leads add column b int',
    'alter table leads add column b int not null default 0, add c text',
    'alter table leads add b int generated always as (id) stored not null',
    'alter table leads alter column b drop not null, alter c drop default, drop constraint leads_c_check',
    'alter table leads alter column b set default 1',
    "alter table leads drop constraint b_check, add constraint b_check check (b in ('a', 'b', 'c'))",
    'create or replace function f(a int) returns int language sql as $$ select 1 $$; grant execute on function f(int) to tandem_app',
    "update leads set b = 1 where b is null; insert into a values ('rename')",
    'create index concurrently if not exists leads_b on leads (b)',
  ])
    assert.deepEqual(notAdditive(sql), [], sql)
})

test('what takes away, renames or tightens, is named', () => {
  for (const sql of [
    'drop table leads',
    'drop function f(int)',
    'drop index leads_b',
    'alter table leads drop column b',
    'alter table leads drop b',
    'alter table leads rename column b to c',
    'alter function f(int) rename to g',
    'alter table leads alter column b type bigint',
    'alter table leads alter b set data type bigint',
    'alter table leads alter column b set not null',
    'alter table leads add column b int not null',
    'alter table leads add column a int, add column b int not null',
    'alter table leads add constraint b_check check (b > 0)',
    'alter table leads add unique (b)',
    'create unique index on leads (b)',
    'create unique index concurrently leads_b on leads (b)',
    'delete from leads',
    'truncate leads',
    'revoke select on leads from tandem_app',
  ])
    assert.equal(notAdditive(sql).length, 1, sql)
})

test('indexes of tables that were there before are made concurrently', () => {
  assert.deepEqual(lockingIndexes('create index leads_b on leads (b)'), ['create index leads_b on leads (b)'])
  assert.equal(lockingIndexes('create index on leads (b)').length, 1)
  assert.equal(lockingIndexes('create unique index if not exists leads_b on only leads (b)').length, 1)
  assert.deepEqual(lockingIndexes('create index concurrently leads_b on leads (b)'), [])
  assert.deepEqual(lockingIndexes('create table a (b int); create index on a (b)'), [])
  assert.equal(concurrentIndex('create index concurrently if not exists leads_b on leads (b)'), 'leads_b')
  assert.equal(concurrentIndex('create index leads_b on leads (b)'), undefined)
})

const files = globSync('server/migrations/*.sql', { cwd: root })
  .sort()
  .filter(file => Number(/(\d{4})_/.exec(file)?.[1]) > lastBaseline)

test('migrations behind the baselines let the version before go on, unless they are a second step', () => {
  for (const file of files) {
    const sql = readFileSync(join(root, file), 'utf8')
    if (!isSecondStep(sql))
      assert.deepEqual(
        notAdditive(sql),
        [],
        `${file}: add now, and take away in a migration of a later version that begins with "-- migrate: second step" (docs/upgrading.md)`,
      )
    assert.deepEqual(
      lockingIndexes(sql),
      [],
      `${file}: a table is locked while an index is made: use "create index concurrently if not exists" in a file of its own that begins with "-- migrate: outside a transaction"`,
    )
    if (!runsOutside(sql)) continue
    for (const statement of statementsOf(sql))
      assert.match(
        statement,
        /^(create (unique )?index concurrently if not exists|drop index concurrently if exists|alter table \w+ validate constraint) /i,
        `${file}: outside a transaction stands only what may run twice`,
      )
  }
})
