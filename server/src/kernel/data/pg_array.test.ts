// Binary text arrays: what PostgreSQL reads from them is what was put in.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { type FreshDatabase, freshDatabase } from '../../../test/cluster.ts'
import { plainArray, textArray } from './pg_array.ts'

let database: FreshDatabase
let client: pg.Client
before(async () => {
  database = await freshDatabase()
  client = new pg.Client(database.owner)
  await client.connect()
})
after(async () => {
  await client?.end()
  await database?.drop()
})

async function roundTrip(values: (string | null)[]): Promise<(string | null)[]> {
  const { rows } = await client.query('select $1::text[] as values', [textArray(values)])
  return rows[0].values
}

test('empty arrays, nulls, quotes, backslashes, braces and every script', async () => {
  for (const values of [
    [],
    [null],
    [''],
    ['a', null, '', 'NULL', '{}', '"', '\\', ',', ' a '],
    ['é', '€', '😀', 'я\n'],
  ]) {
    assert.deepEqual(await roundTrip(values), values)
  }
})

test('any well-formed text', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 50 }).map(value => value.toWellFormed().replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(text), { maxLength: 70 }), async values => {
      assert.deepEqual(await roundTrip(values), values)
    }),
    { numRuns: 50 },
  )
})

test('numbers, booleans and times', async () => {
  const at = '2026-11-28T10:15:00.123Z'
  const { rows } = await client.query(
    'select $1::bigint[] as whole, $2::numeric[]::text[] as parts, $3::boolean[] as flags, $4::timestamptz[]::text[] as times, $5::integer[] as none',
    [
      plainArray([1, null, -2, Number.MAX_SAFE_INTEGER]),
      plainArray([0.25, null]),
      plainArray([true, null, false]),
      plainArray([at, null]),
      plainArray([]),
    ],
  )
  assert.deepEqual(rows, [
    {
      whole: ['1', null, '-2', String(Number.MAX_SAFE_INTEGER)],
      parts: ['0.25', null],
      flags: [true, null, false],
      times: ['2026-11-28 10:15:00.123+00', null],
      none: [],
    },
  ])
})
