// Every noun that is one value, held against its database: its table is the one that it declares, an index serves each facet and
// each order, and its endpoints are there.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import pg from 'pg'
import { changesOf } from '../../scripts/noun_changes.ts'
import { catalog } from '../src/catalog.ts'
import { fieldsOf } from '../src/kernel/noun/records.ts'
import { allTables, type NounTable, tableNamed } from '../src/kernel/noun/registry.ts'
import { verbsOf } from '../src/kernel/noun/spec.ts'
import { checkTable } from '../src/kernel/values/states.ts'
import { startTestApp, type TestApp } from './harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const pathOf = ({ spec }: NounTable) => `/v1/api/${spec.names[1].replaceAll('_', '-')}`

for (const noun of allTables()) {
  const { spec, table } = noun
  const [one, many] = spec.names

  describe(many, () => {
    test('the table is the one that the noun declares: columns, checks, references, indexes, counters, tags', async () => {
      const changes = await t.asOwner(client => changesOf(client, noun, name => tableNamed(name).table))
      assert.deepEqual(
        changes,
        [],
        `the migration of ${table} lacks these statements; npm run noun -- ${one} prints them too`,
      )
    })

    test('states lead to one another: each is reached from the first', () => {
      for (const [name, { moves, choices, elsewhere = {} }] of fieldsOf(spec)) {
        if (moves === undefined) continue
        const states = choices!
        // What is reached otherwise than by moves is where others may begin.
        const initial = [states[0]!, ...Object.keys(elsewhere)]
        assert.deepEqual(checkTable(moves, { states, initial }), [], name)
        for (const state of Object.keys(elsewhere))
          assert.ok(!Object.values(moves).some(({ to }) => to === state), `a move leads to ${state} too`)
      }
    })

    test('its endpoints are in the catalog', () => {
      const ids = new Set(catalog.map(({ id }) => id))
      const missing = verbsOf(spec).filter(verb => !ids.has(`${many}.${verb}`))
      assert.deepEqual(
        missing,
        [],
        'name the noun in server/src/record_nouns.ts, or spread its endpoints in catalog.ts',
      )
    })

    test('lists: each is in order by an index, as the application may read, with at most three statements', async () => {
      const orders = [spec.order.first, ...spec.order.indexed.flatMap(name => [name, `-${name}`])]
      const facets = spec.facets.flatMap(name => {
        const [choice] = spec.fields[name]!.choices ?? []
        return choice === undefined ? [] : [`${name}=${encodeURIComponent(choice)}`]
      })
      const owner = spec.rows === undefined ? [] : [`${spec.rows.owner}=1`]
      for (const query of [...orders.map(sort => `sort=${sort}`), ...facets, ...owner, 'deleted=true']) {
        const reads = await statementsOf(`${pathOf(noun)}?${query}`, table)
        assert.ok(reads.length <= 3, `${query}: ${reads.length} statements`)
        const page = reads.find(({ text }) => text.includes(`from "${table}"`) && text.includes('order by'))
        assert.ok(page, query)
        const plan = await planOf(page)
        assert.match(plan, /Index (Only )?Scan/, `${query}\n${plan}`)
        const merged = /Append/.test(plan)
        assert.ok(merged || !/Sort/.test(plan), `${query} is sorted\n${plan}`)
      }
    })
  })
}

type Statement = { text: string; values: unknown[] }

/** What a request asks the database in its transaction. */
async function statementsOf(url: string, table: string): Promise<Statement[]> {
  const sent: (Statement & { client: pg.Client })[] = []
  const { query } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: [Statement | string]) {
    const [statement] = given
    if (typeof statement === 'object') sent.push({ client: this, text: statement.text, values: statement.values })
    return (query as (...all: unknown[]) => unknown).apply(this, given)
  } as typeof query
  try {
    const { status, text } = await t.call('GET', url, { as: t.main.tokens.Admin })
    assert.equal(status, 200, text)
  } finally {
    pg.Client.prototype.query = query
  }
  const client = sent.find(({ text }) => text.includes(`from "${table}"`))?.client
  return sent.filter(one => one.client === client && !one.text.includes('set_config'))
}

/** How the application reads a page, where the planner reads in no other way than by indexes in their order if it can. */
async function planOf({ text, values }: Statement): Promise<string> {
  return t.asOwner(async client => {
    await client.query('begin')
    try {
      await client.query('set local role tandem_app')
      await client.query("select set_config('app.tenant_id', $1, true)", [String(t.main.liveTenantId)])
      for (const name of ['seqscan', 'sort', 'bitmapscan']) await client.query(`set local enable_${name} = off`)
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    } finally {
      await client.query('rollback')
    }
  })
}
