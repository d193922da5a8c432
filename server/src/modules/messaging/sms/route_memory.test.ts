// Receipts find their messages by routes in memory, in the table, or after a crash by the log, and none is lost on the way from one
// to the other. Each test is the process that holds the links, or several after each other.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longText, refused, startSteps, taken } from '../../../../test/messages.ts'
import { recoverRoutes } from './receipt_store.ts'
import { RouteMemory } from './route_memory.ts'

const { t, s } = await startSteps()
const { db, log } = t.app.services

/** What a process begins with that holds the links of the carrier from now on. */
async function take(stragglersMs = 0) {
  const routes = new RouteMemory({ db, log }, { tenantId: s.tenantId, carrier: 'simulator', stragglersMs, everyMs: 0 })
  await routes.open()
  return routes
}

async function claimed(count = 1) {
  for (let n = 0; n < count; n++) await s.send({ body: `Hello ${n}` })
  return s.claim('lease')
}

const stored = () =>
  t.sql<{ route: string; message_id: string | null; receipt: string | null }>(
    'select route, message_id, receipt from message_routes order by route',
  )
const marks = () => t.sql<{ since: string; seen_at: string }>('select since::text, seen_at::text from route_marks')

/** As many periods as are held: what was held before is given away. */
async function pass(routes: { give(): Promise<void> }, periods = 7): Promise<void> {
  for (let n = 0; n < periods; n++) await routes.give()
}

describe('a receipt that comes soon', () => {
  test('finds its message in memory: nothing is stored for it', async () => {
    const routes = await take()
    const rows = await claimed(3)
    await s.concludeHolding(routes, rows, ({ id }) => taken(`smsc-${id}`))
    assert.deepEqual(await stored(), [])
    assert.equal((await marks()).length, 1)
    for (const { id } of rows) await s.receive(`smsc-${id}`, {}, 'simulator', routes)
    for (const { id } of rows) {
      const { path, states, parts } = await s.read(id)
      assert.deepEqual(
        [path, states, parts[0].carrierMessageId],
        ['queued sending sent delivered', 'delivered', `smsc-${id}`],
      )
    }
    await routes.give()
    assert.deepEqual([await stored(), await marks()], [[], []])
  })

  test('waits for its answer while that is being written', async () => {
    const routes = await take()
    const [row] = await claimed()
    const order: string[] = []
    const answered = s.concludeHolding(routes, [row!], () => taken('smsc-1'), {
      async before() {
        void s.receive('smsc-1', {}, 'simulator', routes).then(() => order.push('receipt'))
        await new Promise(resolve => setTimeout(resolve, 100))
        order.push('answer')
      },
    })
    await answered
    for (let n = 0; n < 200 && order.length < 2; n++) await new Promise(resolve => setTimeout(resolve, 10))
    assert.deepEqual(order, ['answer', 'receipt'])
    assert.equal((await s.read(row!.id)).path, 'queued sending sent delivered')
    assert.deepEqual(await stored(), [])
  })

  test('counts once, however often it is repeated', async () => {
    const routes = await take()
    const [row] = await claimed()
    await s.concludeHolding(routes, [row!], () => taken('smsc-1'))
    await Promise.all([1, 2, 3].map(() => s.receive('smsc-1', {}, 'simulator', routes)))
    await s.receive('smsc-1', { status: 'undelivered' }, 'simulator', routes)
    assert.equal((await s.read(row!.id)).path, 'queued sending sent delivered')
    assert.deepEqual(await stored(), [])
  })

  test('that came before the answer is met by it', async () => {
    const routes = await take()
    const [row] = await claimed()
    await s.receive('smsc-1', {}, 'simulator', routes)
    assert.equal((await stored()).length, 1)
    await s.concludeHolding(routes, [row!], () => taken('smsc-1'))
    assert.equal((await s.read(row!.id)).path, 'queued sending sent delivered')
    assert.deepEqual(await stored(), [])
  })

  test('that is being stored as the answer comes is met by it', async () => {
    for (let n = 0; n < 10; n++) {
      const routes = await take()
      const [row] = await claimed()
      await Promise.all([
        s.receive(`smsc-${n}`, {}, 'simulator', routes),
        s.concludeHolding(routes, [row!], () => taken(`smsc-${n}`)),
      ])
      assert.equal((await s.read(row!.id)).path, 'queued sending sent delivered')
    }
  })
})

describe('a receipt that takes its time', () => {
  test('finds the route in the table, and without one the message ends unconfirmed', async () => {
    const routes = await take()
    const rows = await claimed(2)
    await s.concludeHolding(routes, rows, ({ id }) => taken(`smsc-${id}`))
    await pass(routes, 5)
    assert.deepEqual(await stored(), [], 'not yet')
    await pass(routes, 2)
    assert.deepEqual(
      (await stored()).map(row => row.message_id),
      rows.map(row => row.id),
    )
    assert.deepEqual(await marks(), [])
    await s.receive(`smsc-${rows[0]!.id}`, {}, 'simulator', routes)
    assert.equal((await s.read(rows[0]!.id)).path, 'queued sending sent delivered')
    await s.ripen('message_routes')
    await s.settle()
    assert.equal((await s.read(rows[1]!.id)).path, 'queued sending sent unconfirmed')
  })

  test('is met by its route when another process has stored it', async () => {
    const routes = await take()
    const [row] = await claimed()
    await s.concludeHolding(routes, [row!], () => taken('smsc-1'))
    await s.receive('smsc-1')
    assert.equal((await s.read(row!.id)).path, 'queued sending sent')
    await pass(routes)
    assert.equal((await s.read(row!.id)).path, 'queued sending sent delivered')
  })

  test('of an id that the carrier gives to two messages at once keeps nothing waiting, and all that is held is given away', async () => {
    const routes = await take()
    const rows = await claimed(2)
    let received: Promise<void> | undefined
    const first = s.concludeHolding(routes, [rows[0]!], () => taken('smsc-1'), {
      async before() {
        // The receipt has come by now, and the second answer before the first one is written.
        received = s.receive('smsc-1', {}, 'simulator', routes)
        await s.concludeHolding(routes, [rows[1]!], () => taken('smsc-1'))
      },
    })
    await first
    await received
    const paths = await Promise.all(rows.map(async ({ id }) => (await s.read(id)).path))
    assert.deepEqual(paths, ['queued sending sent', 'queued sending sent delivered'])
    await pass(routes)
    assert.deepEqual(
      (await stored()).map(row => row.route),
      [`simulator:smsc-1~${rows[0]!.id}`],
    )
    assert.deepEqual(await marks(), [])
  })

  test('of an id that the carrier uses again is for the newer message, and the older ends by its time', async () => {
    const routes = await take()
    const [first] = await claimed()
    await s.concludeHolding(routes, [first!], () => taken('smsc-1'))
    const [second] = await claimed()
    await s.concludeHolding(routes, [second!], () => taken('smsc-1'))
    await s.receive('smsc-1', {}, 'simulator', routes)
    assert.equal((await s.read(second!.id)).path, 'queued sending sent delivered')
    await pass(routes)
    assert.deepEqual(
      (await stored()).map(row => row.route),
      [`simulator:smsc-1~${first!.id}`],
    )
    await s.ripen('message_routes')
    await s.settle()
    assert.equal((await s.read(first!.id)).path, 'queued sending sent unconfirmed')
  })
})

describe('when the process ends', () => {
  test('in order, it gives away what it holds', async () => {
    const routes = await take()
    const rows = await claimed(2)
    await s.concludeHolding(routes, rows, ({ id }) => taken(`smsc-${id}`))
    await s.receive(`smsc-${rows[0]!.id}`, {}, 'simulator', routes)
    await routes.close({ isOwner: true })
    assert.deepEqual(
      (await stored()).map(row => row.message_id),
      [rows[1]!.id],
    )
    assert.deepEqual(await marks(), [])
    await s.receive(`smsc-${rows[1]!.id}`)
    assert.equal((await s.read(rows[1]!.id)).path, 'queued sending sent delivered')
  })

  test('by a crash, the next one finds what it held by the log, and nothing else', async () => {
    const lost = await take()
    const rows = await claimed(4)
    await s.concludeHolding(lost, rows, ({ id }) => (id === rows[3]!.id ? refused : taken(`smsc-${id}`)))
    await s.receive(`smsc-${rows[0]!.id}`, {}, 'simulator', lost)
    // While nobody holds the links, and before the next one has looked.
    await s.receive(`smsc-${rows[1]!.id}`)
    const routes = await take(60_000)
    assert.deepEqual(
      (await stored()).flatMap(row => (row.receipt === null ? row.message_id : [])),
      [rows[2]!.id],
    )
    assert.equal((await s.read(rows[1]!.id)).path, 'queued sending sent delivered')
    await s.receive(`smsc-${rows[2]!.id}`, {}, 'simulator', routes)
    assert.equal((await s.read(rows[2]!.id)).path, 'queued sending sent delivered')
    assert.equal((await marks()).length, 1, 'answers of the process before may still be written')
  })

  test('the next one finds it page by page, also what the carrier gave the same id in several, and once more', async () => {
    const lost = await take()
    const rows = await claimed(4)
    for (const [n, row] of rows.entries())
      await s.concludeHolding(lost, [row], () => taken(n % 2 === 0 ? 'smsc-0' : `smsc-${n}`), { token: `token ${n}` })
    const holder = { tenantId: s.tenantId, carrier: 'simulator' }
    const expected = [`0~${rows[0]!.id}`, '0', '1', '3'].map(id => `simulator:smsc-${id}`)
    for (const page of [1, 1, 2, 200]) {
      assert.equal(await recoverRoutes(db, holder, page), true)
      const found = await stored()
      assert.deepEqual(found.map(({ route }) => route).toSorted(), expected.toSorted(), `pages of ${page}`)
      assert.equal(found.find(({ route }) => route === 'simulator:smsc-0')?.message_id, rows[2]!.id)
    }
    await t.ownerSql('delete from route_marks')
    assert.equal(await recoverRoutes(db, holder), false)
  })

  test('the only part of a message that the version before has begun is found too, and no part of longer ones', async () => {
    const lost = await take()
    await s.send({ body: longText(2) })
    const rows = await claimed()
    const row = rows.find(({ segments }) => segments === 1)
    // As that version keeps it (ADR 70): the part has a row of its own.
    await t.ownerSql(
      `insert into message_segments (tenant_id, message_id, part, attempt, state, carrier)
       select tenant_id, id, 1, attempts, part_state, carrier from messages where id = $1`,
      [row!.id],
    )
    await t.ownerSql('update messages set part_state = null, part_carrier = null where id = $1', [row!.id])
    await s.concludeHolding(lost, rows, ({ id }, part) => taken(`smsc-${id}-${part}`))
    const before = (await stored()).map(({ message_id }) => message_id)
    assert.ok(before.length === 2 && !before.includes(row!.id), 'routes of several parts are in the table')
    await t.ownerSql('delete from message_routes')
    await take()
    assert.deepEqual(await stored(), [{ route: `simulator:smsc-${row!.id}-1`, message_id: row!.id, receipt: null }])
    await s.receive(`smsc-${row!.id}-1`)
    assert.equal((await s.read(row!.id)).path, 'queued sending sent delivered')
    await t.ownerSql('delete from route_marks')
  })

  test('answers that it still writes after another has its links are found too', async () => {
    const lost = await take()
    const rows = await claimed(2)
    await s.concludeHolding(lost, [rows[0]!], () => taken('smsc-1'), { token: 'other' })
    const routes = await take(20)
    await s.concludeHolding(lost, [rows[1]!], () => taken('smsc-2'))
    await routes.give()
    await new Promise(resolve => setTimeout(resolve, 30))
    await routes.give()
    assert.deepEqual(
      (await stored()).map(row => row.message_id),
      rows.map(row => row.id),
    )
    await routes.give()
    assert.deepEqual(await marks(), [])
  })

  test('and nobody takes its carrier over, messages end by their time all the same', async () => {
    const lost = await take()
    const [row] = await claimed()
    await s.concludeHolding(lost, [row!], () => taken('smsc-1'))
    await s.settle()
    assert.deepEqual([await stored(), (await marks()).length], [[], 1], 'it may be alive')
    await t.ownerSql("update route_marks set seen_at = now() - interval '6 minutes'")
    await s.settle()
    assert.deepEqual(await marks(), [])
    assert.equal((await stored()).length, 1)
    await s.ripen('message_routes')
    await s.settle()
    assert.equal((await s.read(row!.id)).path, 'queued sending sent unconfirmed')
  })

  test('a long log of a carrier that nobody takes over keeps no others waiting: it is read page by page', async () => {
    await t.ownerSql('delete from message_event_batches')
    const lost = await take()
    const [row] = await claimed()
    await t.ownerSql(
      `insert into message_event_batches (tenant_id, id, entries)
       select $1, first_id_at('evt', now() - n * interval '1 second'), '01m2qd7gk5bc56d1e7721ccc56001q' from generate_series(1, 350) n`,
      [s.tenantId],
    )
    await s.concludeHolding(lost, [row!], () => taken('smsc-1'))
    await t.ownerSql("update route_marks set since = now() - interval '1 hour', seen_at = now() - interval '6 minutes'")
    await s.settle()
    assert.deepEqual([await stored(), (await marks()).length], [[], 1])
    await s.settle()
    assert.deepEqual([(await stored()).map(({ message_id }) => message_id), await marks()], [[row!.id], []])
    await t.ownerSql('delete from message_event_batches')
  })
})

test('the mark moves on with what is held, and goes with the last of it', async () => {
  const routes = await take()
  const rows = await claimed(2)
  await s.concludeHolding(routes, [rows[0]!], () => taken('smsc-1'), { token: 'other' })
  const [first] = await marks()
  await pass(routes, 3)
  assert.equal((await marks())[0]?.since, first!.since)
  await s.concludeHolding(routes, [rows[1]!], () => taken('smsc-2'))
  await s.receive('smsc-1', {}, 'simulator', routes)
  await routes.give()
  const [second] = await marks()
  assert.ok(second!.since > first!.since, `${second!.since} is not after ${first!.since}`)
  await s.receive('smsc-2', {}, 'simulator', routes)
  await routes.give()
  assert.deepEqual(await marks(), [])
})

test('what is not written yet is not given away, however long that takes', async () => {
  const routes = await take()
  const [row] = await claimed()
  await s.concludeHolding(routes, [row!], () => taken('smsc-1'), { before: () => pass(routes, 20) })
  assert.deepEqual([await stored(), (await marks()).length], [[], 1])
  await routes.give()
  assert.deepEqual([(await stored()).length, await marks()], [1, []])
  await s.receive('smsc-1', {}, 'simulator', routes)
  assert.equal((await s.read(row!.id)).path, 'queued sending sent delivered')
})

test('an answer that could not be written leaves its receipt with the name of the message', async () => {
  const routes = await take()
  const [row] = await claimed()
  const conclusions = s.conclusionsOf([row!], () => taken('smsc-1'))
  for (const conclusion of conclusions) routes.hold(conclusion, 60_000)
  const failing = routes.write(conclusions, async () => {
    throw new Error('no database')
  })
  await assert.rejects(failing, /no database/)
  const early = s.receive('smsc-1', {}, 'simulator', routes)
  routes.fail(conclusions)
  await early
  assert.deepEqual(await stored(), [{ route: 'simulator:smsc-1', message_id: row!.id, receipt: 'receipt_delivered' }])
})

test('messages of several parts keep their routes in the table', async () => {
  const routes = await take()
  await s.send({ body: longText(2) })
  const [row] = await s.claim('lease')
  await s.concludeHolding(routes, [row!], (_, part) => taken(`smsc-${part}`))
  assert.equal((await stored()).length, 2)
  for (const part of [1, 2]) await s.receive(`smsc-${part}`, {}, 'simulator', routes)
  assert.equal((await s.read(row!.id)).path, 'queued sending sent delivered')
})
