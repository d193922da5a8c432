// The simulator as a carrier, and that the receipts it promised survive the process that was to send them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { carrierSuite } from '../../../test/carriers/suite.ts'
import { freshDatabase, silentLog } from '../../../test/cluster.ts'
import { eventually } from '../../../test/eventually.ts'
import { openDb } from '../../kernel/data/db.ts'
import { createTestPace, pacesOf } from '../../kernel/data/quota.ts'
import { startQueue } from '../../kernel/jobs/queue.ts'
import { systemClock } from '../../kernel/values/clock.ts'
import { newId } from '../../kernel/values/ids.ts'
import type { CarrierContext, InboundMessage, Receipt, Submission } from '../../modules/messaging/carrier.ts'
import { createSimulatorCarrier } from './simulator.ts'

const speed = 50
const to = (last: string) => `+1500555${last}`

/** A database, and a context that only records what it is given. */
async function surroundings() {
  const database = await freshDatabase()
  const db = openDb({ app: database.app, poolSize: 2, onError: () => {} })
  const receipts: Receipt[] = []
  const inbound: InboundMessage[] = []
  const context: CarrierContext = {
    db,
    log: silentLog,
    clock: systemClock,
    wake: () => {},
    testPace: createTestPace({ paces: pacesOf(25) }),
    receiveReceipts: async batch => void receipts.push(...batch),
    receiveInbound: async batch => void inbound.push(...batch),
    receiveLateAnswers: async () => {},
  }
  const owner = new pg.Client(database.owner)
  await owner.connect()
  async function close(): Promise<void> {
    await owner.end()
    await db.close()
    await database.drop()
  }
  return { context, receipts, inbound, close, sql: async (text: string) => (await owner.query(text)).rows }
}

function startLoops(maker: ReturnType<typeof createSimulatorCarrier>, context: CarrierContext) {
  return (maker.queues ?? []).map(make => startQueue(make(context), { log: silentLog, newToken: () => newId('lse') }))
}

carrierSuite('the simulator', async () => {
  const { context, receipts, inbound, close } = await surroundings()
  const maker = createSimulatorCarrier({ speed })
  const loops = startLoops(maker, context)
  return {
    carrier: maker.open(context),
    tenants: [1, 2],
    receipts,
    inbound,
    recipients: {
      delivered: to('0100'),
      undelivered: to('0101'),
      expired: to('0107'),
      refused: to('0009'),
      throttled: to('0103'),
      silent: to('0104'),
      early: to('0105'),
      repeated: to('0106'),
      replies: to('0110'),
    },
    withinMs: 3_000,
    async stop() {
      await Promise.all(loops.map(loop => loop.stop()))
      await close()
    },
  }
})

function submission(recipient: string, more: Partial<Submission> = {}): Submission {
  return {
    tenantId: 1,
    messageId: newId('msg'),
    attempt: 1,
    from: '+15005550006',
    to: recipient,
    body: 'Hello',
    encoding: 'GSM-7',
    segments: 1,
    parts: [1],
    reference: 1,
    expiresAt: '2099-01-01T00:00:00.000Z',
    ...more,
  }
}

test('what it accepted it reports after a restart, and again when reporting failed', async () => {
  const { context, receipts, sql, close } = await surroundings()
  try {
    const maker = createSimulatorCarrier({ speed })
    const carrier = maker.open(context)
    await carrier.submit([submission(to('0100')), submission(to('0101'))], () => {})
    await carrier.close()
    assert.equal(receipts.length, 0)
    await sleep(30)
    // The next process; its first attempt to report fails.
    let attempts = 0
    const failing: CarrierContext = {
      ...context,
      async receiveReceipts(batch) {
        if (attempts++ === 0) throw new Error('the database is away')
        await context.receiveReceipts(batch)
      },
    }
    const loops = startLoops(maker, failing)
    await eventually('the first attempt', () => attempts > 0)
    await sleep(200)
    assert.equal(attempts, 1, 'while its lease stands nobody else reports it')
    await sql('update simulator_receipts set due_at = now()')
    await eventually('two receipts', () => receipts.length >= 2)
    await Promise.all(loops.map(loop => loop.stop()))
    assert.deepEqual(receipts.map(receipt => receipt.status).toSorted(), ['delivered', 'undelivered'])
    assert.deepEqual(await sql('select from simulator_receipts'), [])
  } finally {
    await close()
  }
})

test('as the virtual handset it has its numbers, none of them special, and reaches no others', async () => {
  const { context, receipts, close } = await surroundings()
  try {
    const maker = createSimulatorCarrier({ name: 'handset', scripted: false, speed })
    const loops = startLoops(maker, context)
    const outcomes: string[] = []
    await maker.open(context).submit(
      [...['0009', '0101', '0103', '0104'].map(to), '+4915112345678', '+150055501001'].map(one => submission(one)),
      (_index, results) =>
        outcomes.push(...results.map(result => ('code' in result ? `${result.code}` : result.outcome))),
    )
    assert.deepEqual(outcomes, ['accepted', 'accepted', 'accepted', 'accepted', 'no_route', 'no_route'])
    await eventually('four receipts', () => receipts.length >= 4)
    assert.deepEqual(
      receipts.map(receipt => receipt.status),
      ['delivered', 'delivered', 'delivered', 'delivered'],
    )
    await Promise.all(loops.map(loop => loop.stop()))
  } finally {
    await close()
  }
})

test('nobody writes back to a name', async () => {
  const { context, inbound, receipts, close } = await surroundings()
  try {
    const maker = createSimulatorCarrier({ speed })
    const loops = startLoops(maker, context)
    await maker.open(context).submit([submission(to('0110'), { from: 'ACME' })], () => {})
    await eventually('a receipt', () => receipts.length >= 1)
    await sleep(100)
    assert.deepEqual(inbound, [])
    await Promise.all(loops.map(loop => loop.stop()))
  } finally {
    await close()
  }
})
