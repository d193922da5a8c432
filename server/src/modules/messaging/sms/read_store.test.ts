// Lists of messages cost what they show, however many messages there are.
// Counted in rows that PostgreSQL says were read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startSteps } from '../../../../test/messages.ts'

const { t, s } = await startSteps()

/** Rows of messages that were read so far, as far as sessions have said so: they do within a second. */
async function rowsRead(): Promise<number> {
  const [row] = await t.ownerSql<{ read: string }>(
    "select idx_tup_fetch + seq_tup_read as read from pg_stat_user_tables where relname = 'messages'",
  )
  return Number(row!.read)
}

test('the newest messages are found without reading those before them', async () => {
  const count = 5_000
  await t.ownerSql(
    `insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments, created_at)
     select $1, first_id_at('msg', v.at), 'outbound', 'delivered', 'simulator', '+15005550006', '+15005550100', 'x', 'GSM-7', 1, v.at
     from (select now() - n * interval '1 minute' as at from generate_series(1, $2::integer) n) v`,
    [s.tenantId, count],
  )
  await t.ownerSql('analyze messages')
  const before = await rowsRead()
  const pages = 20
  let cursor = ''
  for (let page = 0; page < pages; page++) {
    const { status, json } = await t.call('GET', `/v2/messages?limit=5${cursor}`, { as: s.as })
    assert.equal(status, 200)
    assert.equal(json.data.length, 5)
    cursor = `&cursor=${json.meta.pagination.nextCursor}`
  }
  await eventually('the reads are counted', async () => (await rowsRead()) - before >= pages * 5)
  await new Promise(resolve => setTimeout(resolve, 1_500))
  const read = (await rowsRead()) - before
  assert.ok(read < pages * 50, `${read} rows were read for ${pages} pages`)
})
