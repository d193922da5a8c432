// Lists of messages cost what they show, however many messages there are.
// Counted in rows that PostgreSQL says were read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startSteps } from '../../../../test/messages.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { listMessages, type MessageFilter } from './read_store.ts'

const { t, s } = await startSteps()

const anyMessage: MessageFilter = {
  fromId: 'msg_',
  beforeId: 'msg_z',
  status: null,
  direction: null,
  to: null,
  from: null,
  participant: null,
  serviceId: null,
  carrier: null,
  tag: null,
}

/** Rows of messages that the session of a transaction has read so far. */
async function rowsRead(tx: Tx): Promise<number> {
  const { rows } = await sql<{ read: number }>`
    select (idx_tup_fetch + seq_tup_read)::integer as read from pg_stat_xact_user_tables where relname = 'messages'`.execute(
    tx,
  )
  return rows[0]!.read
}

/** The ids of the pages of a list, and how many rows of messages were read for them. */
async function listed(filter: Partial<MessageFilter>, { limit = 30, scanned = 50_000, most = 1_000 } = {}) {
  const scope = { tenantId: s.tenantId, organizationId: t.main.organizationId }
  return s.db.inTenant(scope, async tx => {
    const before = await rowsRead(tx)
    const ids: string[] = []
    let pages = 0
    for (let beforeId = 'msg_z'; pages < most; pages++) {
      const { rows, reached } = await listMessages(tx, scope, { ...anyMessage, ...filter, beforeId }, limit, scanned)
      const page = rows.slice(0, limit).map(({ id }) => id)
      ids.push(...page)
      const goOn = reached ?? (rows.length > limit ? page.at(-1) : undefined)
      if (goOn === undefined) break
      beforeId = goOn
    }
    return { ids, pages, read: (await rowsRead(tx)) - before }
  })
}

/** Messages each nine hours for four years. Each twentieth is with `theirs`, half of these from them; of the others each second is of a service. */
async function fourYears(ours: string, theirs: string) {
  return t.ownerSql<{ id: string; direction: string; to_address: string; from_address: string; status: string }>(
    `insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments, created_at,
       carrier_reference, service_id)
     select $1, first_id_at('msg', v.at), case when v.n % 40 = 0 then 'inbound' else 'outbound' end,
       case when v.n % 40 = 0 then 'received' when v.n in (1, 3999) then 'failed' else 'delivered' end, 'simulator',
       case when v.n % 40 = 0 then $3 else $2 end,
       case when v.n % 40 = 0 then $2 when v.n % 20 = 0 then $3 else '+15005550100' end, 'x', 'GSM-7', 1, v.at, v.n::text,
       case when v.n % 2 = 1 then 'svc_a' end
     from (select n, now() - n * interval '9 hours' as at from generate_series(1, 4000) n) v
     returning id, direction, to_address, from_address, status`,
    [s.tenantId, ours, theirs],
  )
}

test('the messages of one number are found over the years without reading those of others', async () => {
  const theirs = '+15005550123'
  const all = await fourYears('+15005550006', theirs)
  await t.ownerSql('analyze messages')
  for (const [filter, isAsked, count] of [
    [{ to: theirs }, (m: (typeof all)[0]) => m.to_address === theirs, 100],
    [{ participant: theirs }, (m: (typeof all)[0]) => [m.to_address, m.from_address].includes(theirs), 200],
    [{ direction: 'inbound', from: theirs }, (m: (typeof all)[0]) => m.from_address === theirs, 100],
  ] as const) {
    const expected = all.filter(isAsked).map(({ id }) => id)
    assert.equal(expected.length, count)
    const { ids, read } = await listed(filter)
    assert.deepEqual(ids, expected.toSorted().toReversed())
    assert.ok(read < count * 10, `${read} rows were read for ${count} messages (${JSON.stringify(filter)})`)
  }
})

test('a page of what hardly any message is looks at so many, and says where to go on', async () => {
  await fourYears('+15005550006', '+15005550123')
  await t.ownerSql('analyze messages')
  const { ids, pages, read } = await listed({ serviceId: 'svc_a', status: 'failed' }, { scanned: 100 })
  assert.equal(ids.length, 2)
  assert.equal(pages, 20)
  assert.ok(read < 2_000 * 3, `${read} rows were read of 2,000 of the service`)
})

test('the newest messages are found without reading those before them', async () => {
  const count = 5_000
  await t.ownerSql(
    `insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments, created_at)
     select $1, first_id_at('msg', v.at), 'outbound', 'delivered', 'simulator', '+15005550006', '+15005550100', 'x', 'GSM-7', 1, v.at
     from (select now() - n * interval '1 minute' as at from generate_series(1, $2::integer) n) v`,
    [s.tenantId, count],
  )
  await t.ownerSql('analyze messages')
  const { ids, read } = await listed({}, { limit: 5, most: 20 })
  assert.equal(ids.length, 100)
  assert.ok(read < 20 * 50, `${read} rows were read for 20 pages`)
})
