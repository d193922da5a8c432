// Lists that have no cursor, which no endpoint of today is: read by page number until the total is reached.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listAll } from '../src/paging.ts'

const records = Array.from({ length: 25 }, (_, index) => index)

function byPage(total: number) {
  const asked: Record<string, unknown>[] = []
  const fetchPage = async (params: Record<string, unknown>) => {
    asked.push(params)
    const [page, limit] = [Number(params['page'] ?? 1), Number(params['limit'])]
    const items = records.slice((page - 1) * limit, page * limit)
    return { items, pagination: { page, limit, totalCount: total } }
  }
  return { asked, fetchPage }
}

test('pages are asked for until the total is reached', async () => {
  const { asked, fetchPage } = byPage(25)
  const list = listAll({ items: 'items', hasCursor: false }, fetchPage, { limit: 10, q: 'x' })
  assert.deepEqual(await list.toArray(), records)
  assert.deepEqual(asked, [
    { limit: 10, q: 'x' },
    { limit: 10, q: 'x', page: 2 },
    { limit: 10, q: 'x', page: 3 },
  ])
})

test('an empty page ends the list, whatever the total says', async () => {
  const { asked, fetchPage } = byPage(1000)
  await listAll({ items: 'items', hasCursor: false }, fetchPage, { limit: 10 }).toArray()
  assert.equal(asked.length, 4)
})

test("nothing is fetched for nothing, and the caller's fields stay as they are", async () => {
  const { asked, fetchPage } = byPage(25)
  const params = { limit: 10 }
  const list = listAll({ items: 'items', hasCursor: false }, fetchPage, params)
  assert.deepEqual(await list.toArray(0), [])
  assert.equal(asked.length, 0)
  await list.toArray(11)
  assert.deepEqual([asked.length, params], [2, { limit: 10 }])
})
