// A page that takes longer than a statement may is halved, down to one row, and stays as small as it had to be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { withinTimeout } from './page_size.ts'

const failing = (code: string) => Object.assign(new pg.DatabaseError('canceling statement', 0, 'error'), { code })

test('a page is halved until it is done in time, and stays so', async () => {
  const size = { rows: 1_000 }
  const asked: number[] = []
  const run = async (rows: number) => {
    asked.push(rows)
    if (rows > 300) throw failing('57014')
    return rows
  }
  assert.equal(await withinTimeout(size, run), 250)
  assert.equal(await withinTimeout(size, run), 250)
  assert.deepEqual(asked, [1_000, 500, 250, 250])
})

test('a single row that takes too long fails, and so does what is no timeout, at once', async () => {
  const size = { rows: 8 }
  const asked: number[] = []
  const run = (code: string) => async (rows: number) => {
    asked.push(rows)
    throw failing(code)
  }
  await assert.rejects(withinTimeout(size, run('57014')), { code: '57014' })
  await assert.rejects(withinTimeout({ rows: 8 }, run('40P01')), { code: '40P01' })
  assert.deepEqual(asked, [8, 4, 2, 1, 8])
})
