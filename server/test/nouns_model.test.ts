// Lists of every noun against a model of them in plain JavaScript: whatever is stored and however it is asked for, the records, their order,
// their number and the walk by cursor are the same. Counters are what is there after any course of changes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import '../src/catalog.ts'
import type { AnyField } from '../src/kernel/noun/field.ts'
import { sortableNames } from '../src/kernel/noun/order.ts'
import { fieldsOf } from '../src/kernel/noun/records.ts'
import { allTables, type NounTable } from '../src/kernel/noun/registry.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { sampleBody } from './noun_records.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Value = string | number | boolean | null
type Model = Record<string, Value> & { id: string | number }

const words = ['Acme', 'Berta', 'cedar', 'Delta 2', 'Echo']
const dates = ['1999-12-31', '2001-02-03', '2026-11-23']

/** Values of a field that lists can be asked about; undefined for kinds that are not part of the model. */
function valuesOf({ kind, choices }: AnyField): fc.Arbitrary<Value> | undefined {
  if (kind === 'text') return fc.constantFrom(...words)
  if (choices !== undefined) return fc.constantFrom(...choices)
  if (kind === 'date') return fc.constantFrom(...dates)
  if (kind === 'boolean') return fc.boolean()
  if (kind === 'integer') return fc.integer({ min: 0, max: 9 })
  if (kind === 'user') return fc.constantFrom(1, 2)
  return undefined
}

const modelled = ({ spec }: NounTable) =>
  fieldsOf(spec).flatMap(([name, field]) => {
    const values = valuesOf(field)
    return values === undefined || field.setBy !== 'change'
      ? []
      : [{ name, field, values: field.required ? values : fc.option(values) }]
  })

function bodies(noun: NounTable): fc.Arbitrary<Record<string, Value>> {
  return fc.record(Object.fromEntries(modelled(noun).map(({ name, values }) => [name, values])))
}

type Condition = { query: string; holds(record: Model): boolean }

function conditions(noun: NounTable): fc.Arbitrary<Condition> {
  const all = modelled(noun).flatMap(({ name, field, values }): fc.Arbitrary<Condition>[] => {
    const given = values.filter(value => value !== null)
    const empty = fc.boolean().map(isEmpty => ({
      query: `${name}[empty]=${isEmpty}`,
      holds: (record: Model) => (record[name] === null) === isEmpty,
    }))
    if (field.kind === 'user') {
      const asked = fc.uniqueArray(fc.constantFrom('none', 'me', '1', '2'), { minLength: 1, maxLength: 3 })
      const idOf = (word: string) => (word === 'none' ? null : word === 'me' ? t.main.users.Admin.id : Number(word))
      return [
        asked.map(list => ({
          query: `${name}=${list.join()}`,
          holds: record => list.some(word => idOf(word) === record[name]),
        })),
      ]
    }
    const nullable = field.required ? [] : [empty]
    if (field.choices !== undefined) {
      const some = fc.uniqueArray(given, { minLength: 1, maxLength: 3 })
      return [
        some.map(list => ({ query: `${name}=${list.join()}`, holds: record => list.includes(record[name]!) })),
        ...nullable,
      ]
    }
    if (field.kind === 'text') {
      const begins = fc.constantFrom('A', 'De', 'cedar', 'x')
      return [
        given.map(value => ({ query: `${name}=${value}`, holds: record => record[name] === value })),
        begins.map(text => ({
          query: `${name}[begins]=${text}`,
          holds: record => String(record[name] ?? '').startsWith(text),
        })),
        ...nullable,
      ]
    }
    if (field.kind === 'boolean')
      return [given.map(value => ({ query: `${name}=${value}`, holds: record => record[name] === value }))]
    const bounds = { gte: (a: Value, b: Value) => a! >= b!, lt: (a: Value, b: Value) => a! < b! }
    const ranges = (Object.keys(bounds) as (keyof typeof bounds)[]).map(bound =>
      given.map(value => ({
        query: `${name}[${bound}]=${value}`,
        holds: (record: Model) => record[name] !== null && bounds[bound](record[name]!, value),
      })),
    )
    return [...ranges, ...nullable]
  })
  return fc.oneof(...all)
}

const collator = new Intl.Collator('en')

/** What is empty comes last; the id decides at the end. */
function inOrder(noun: NounTable, sort: readonly string[]) {
  const { fields } = noun.spec
  const descendingEnd = sort.at(-1)!.startsWith('-')
  return (a: Model, b: Model): number => {
    for (const key of sort) {
      const [name, sign] = key.startsWith('-') ? [key.slice(1), -1] : [key, 1]
      const [one, other] = [a[name] ?? null, b[name] ?? null]
      if (one === other) continue
      if (one === null || other === null) return one === null ? 1 : -1
      const choices = fields[name]?.choices
      if (choices !== undefined) return sign * (choices.indexOf(String(one)) - choices.indexOf(String(other)))
      if (fields[name] !== undefined && typeof one === 'string') return sign * collator.compare(one, String(other))
      return one < other ? -sign : sign
    }
    return a.id < b.id === descendingEnd ? 1 : -1
  }
}

const namesOthers = ({ spec }: NounTable) => Object.keys(spec.sample).some(name => spec.fields[name]?.kind === 'ref')

/** Nouns whose records stand by themselves, and beside others that are the same; those last that have records of others made for them. */
const free = allTables()
  .filter(
    ({ spec }) =>
      spec.unique !== true && !fieldsOf(spec).some(([, field]) => field.kind === 'record' && field.required),
  )
  .toSorted((a, b) => Number(namesOthers(a)) - Number(namesOthers(b)))

for (const noun of free) {
  const [, many] = noun.spec.names
  const path = `/v1/api/${many.replaceAll('_', '-')}`

  test(`${many}: lists are what the model says`, async () => {
    const as = t.main.tokens.Admin
    const records: Model[] = []
    // What is no part of the model is as the sample has it: what is named, and how people are reached.
    const drawn = new Set(modelled(noun).map(({ name }) => name))
    const rest = Object.fromEntries(
      Object.entries(await sampleBody(t, as, noun.spec)).filter(([name]) => !drawn.has(name)),
    )
    for (const body of fc.sample(bodies(noun), { numRuns: 60, seed: 7 })) {
      const record = await createdFrom(noun, rest, body)
      if (record !== undefined) records.push(record)
    }
    assert.ok(records.length >= 20, `${records.length} of 60 were created`)
    const names = sortableNames(noun.spec.fields).filter(
      name => name !== 'id' && (records[0]![name] ?? null) !== undefined,
    )
    const keys = fc.uniqueArray(fc.constantFrom(...names), { minLength: 1, maxLength: 3 })
    const sorts = keys.chain(chosen =>
      fc.tuple(...chosen.map(name => fc.boolean().map(down => (down ? `-${name}` : name)))),
    )
    const asked = fc.record({
      sort: sorts,
      where: fc.uniqueArray(conditions(noun), { maxLength: 2, selector: ({ query }) => query.split('=')[0] }),
      limit: fc.integer({ min: 1, max: 25 }),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ sort, where, limit }) => {
        const wanted = records.filter(record => where.every(({ holds }) => holds(record))).toSorted(inOrder(noun, sort))
        const query = [...where.map(condition => condition.query), `sort=${sort.join()}`, `limit=${limit}`].join('&')
        const walked: string[] = []
        for (let cursor = ''; ; ) {
          const { status, json, text } = await t.call('GET', `${path}?${encodeURI(query)}${cursor}`, { as })
          assert.equal(status, 200, `${query}: ${text}`)
          assert.deepEqual([json.pagination.totalCount, json.pagination.totalIsExact], [wanted.length, true], query)
          walked.push(...json[many].map(({ id }: Model) => id))
          if (json.pagination.nextCursor === null) break
          assert.ok(walked.length <= wanted.length, `the walk does not end: ${query}`)
          assert.equal(json[many].length, limit)
          cursor = `&cursor=${json.pagination.nextCursor}`
        }
        assert.deepEqual(
          walked,
          wanted.map(({ id }) => id),
          query,
        )
      }),
      { numRuns: 60 },
    )
  })

  test(`${many}: counters are what is there, and history is what happened, after any course of changes`, async () => {
    const as = t.main.tokens.Admin
    const ids = (await t.ownerSql<{ id: string | number }>(`select id from ${noun.table} order by id limit 20`)).map(
      ({ id }) => id,
    )
    const steps = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constant('set' as const), body: bodies(noun), at: fc.nat(ids.length - 1) }),
        fc.record({
          kind: fc.constantFrom('delete' as const, 'restore' as const),
          body: fc.constant({}),
          at: fc.nat(ids.length - 1),
        }),
      ),
      { minLength: 5, maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(steps, async course => {
        for (const { kind, body, at } of course) {
          const bulk = kind === 'set' ? { set: body } : { action: kind }
          const several = [ids[at], ids[(at + 1) % ids.length]]
          const { status, text } = await t.call('POST', `${path}/bulk`, { as, body: { ids: several, ...bulk } })
          assert.equal(status, 200, text)
        }
        await countersAgree(noun)
      }),
      { numRuns: 8 },
    )
    for (const id of ids.slice(0, 5)) {
      const { json } = await t.call('GET', `${path}/${id}/history`, { as })
      const versions = json.changes.map(({ version }: { version: number }) => version)
      assert.deepEqual(
        versions,
        versions.map((_: number, at: number) => versions.length - at),
        'every version is there',
      )
      const [row] = await t.ownerSql<Record<string, unknown>>(`select * from ${noun.table} where id = $1`, [id])
      for (const { name } of modelled(noun)) {
        const last = json.changes.flatMap(({ fields }: { fields: { field: string; to: Value }[] }) =>
          fields.filter(({ field }) => field === name),
        )[0]
        if (last !== undefined) assert.deepEqual(last.to, row![name], `${name} of ${id}`)
      }
    }
  })
}

/**
 * A record with these values. Its own rules may refuse what is made by chance: it is created without, and then changed to it where they let
 * it, as people do with a state; undefined where they refuse it whatever is left out.
 */
async function createdFrom(noun: NounTable, rest: object, body: Record<string, Value>): Promise<Model | undefined> {
  const [one, many] = noun.spec.names
  const path = `/v1/api/${many.replaceAll('_', '-')}`
  const as = t.main.tokens.Admin
  const create = (values: object) => t.call('POST', path, { as, body: { ...rest, ...values } })
  let answer = await create(body)
  const [first, later] = [{ ...body }, {} as Record<string, Value>]
  while (answer.status === 400 && noun.spec.create !== undefined) {
    const refused = (answer.json.details as { field: string }[]).map(({ field }) => field).filter(name => name in first)
    if (refused.length === 0) return undefined
    for (const name of refused) {
      later[name] = first[name]!
      delete first[name]
    }
    answer = await create(first)
  }
  assert.equal(answer.status, 201, answer.text)
  const created: Model = answer.json[one]
  if (Object.keys(later).length === 0) return created
  const changed = await t.call('PATCH', `${path}/${created.id}`, { as, body: later })
  return changed.status === 200 ? changed.json[one] : created
}

async function countersAgree({ spec, table }: NounTable): Promise<void> {
  const facets = spec.facets.map(name => `coalesce(${name}::text, '')`)
  const [a, b, c] = [...facets, "''", "''", "''"]
  const owner = spec.rows === undefined ? '0' : `coalesce(${spec.rows.owner}, 0)`
  const counted = await t.ownerSql(
    `select owner, deleted, a, b, c, sum(count)::integer as count from noun_counts where noun = $1
     group by 1, 2, 3, 4, 5 having sum(count) <> 0 order by 1, 2, 3, 4, 5`,
    [spec.names[0]],
  )
  const there = await t.ownerSql(
    `select owner, deleted, a, b, c, count(*)::integer as count
     from (select o.owner, deleted_at is not null as deleted, ${a} as a, ${b} as b, ${c} as c
           from ${table} cross join lateral (select -1::bigint as owner union all select ${owner} where ${spec.rows !== undefined}) o) r
     group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  )
  assert.deepEqual(counted, there)
}
