// The carrier by itself, without a database: the suite every carrier passes, against a message centre of our own package,
// and what only a carrier with links can get wrong.
// test: waits
import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMessage, statuses } from '@tandem/smpp'
import {
  context,
  createFixture,
  isUp,
  openCarrier,
  type Reported,
  submission,
  submitAll,
  tenantId,
} from '../../../test/carriers/smpp.ts'
import { carrierSuite } from '../../../test/carriers/suite.ts'
import { eventually } from '../../../test/eventually.ts'
import { startSmsc } from '../../../test/smsc.ts'
import { completeSettings, type SettingsSchema } from '../../kernel/links/settings.ts'
import { newId } from '../../kernel/values/ids.ts'
import type { InboundMessage } from '../../modules/messaging/carrier.ts'
import { smppCarriers } from './smpp.ts'

carrierSuite('smpp', async () => {
  const smsc = await startSmsc()
  const { carrier, reported } = openCarrier(smsc.port)
  const to = (last: string) => `+1500555${last}`
  return {
    carrier,
    tenants: [tenantId, tenantId],
    receipts: reported.receipts,
    inbound: reported.inbound,
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
    withinMs: 5_000,
    async stop() {
      await carrier.close()
      await smsc.close()
    },
  }
})

describe('links', () => {
  const { smsc, carrierOn, close } = createFixture()
  afterEach(close)

  test('come up in pairs or as transceivers, and end in order', async () => {
    const side = await smsc()
    const { carrier } = carrierOn(side.port, { settings: { bindType: 'transmitter_receiver', binds: 2 } })
    await eventually('four links', () => isUp(carrier))
    assert.deepEqual(
      carrier.reports().map(({ link, role }) => [link, role]),
      [
        [0, 'transmitter'],
        [1, 'transmitter'],
        [2, 'receiver'],
        [3, 'receiver'],
      ],
    )
    const [result] = await submitAll(carrier, [submission('hi')])
    assert.equal(result?.[0]?.outcome, 'accepted')
    await carrier.close()
    assert.deepEqual(new Set(carrier.reports().map(({ state }) => state)), new Set(['stopped']))
    assert.equal(carrier.room(), 0)
    await eventually('nobody is bound', () => side.smsc.sessions.length === 0)
  })

  test('are refused with a sentence that says what to do, and are not insisted on', async () => {
    const side = await smsc({ password: 'another' })
    const { carrier } = carrierOn(side.port)
    await eventually('down', () => carrier.reports()[0]?.state === 'down')
    assert.match(carrier.reports()[0]?.lastError ?? '', /refuses the password/)
    assert.equal(carrier.room(), 0)
    await sleep(1_200)
    assert.equal(side.binds(), 0)
  })

  test('do not go where they must not', async () => {
    const reported: Reported = { receipts: [], inbound: [], late: [], wakes: 0 }
    const settings = completeSettings(smppCarriers.settings as unknown as SettingsSchema, {
      host: '127.0.0.1',
      port: 1,
      systemId: 'tandem',
      password: 'secret',
    })
    const surroundings = { context: context(reported), tenantId, carrierId: 'car_1', queue: 'q', era: 'e' }
    for (const host of ['127.0.0.1', '169.254.169.254', '10.1.2.3', '::1', 'localhost']) {
      const carrier = smppCarriers.open(
        { ...settings, host },
        { ...surroundings, allow: [], crashedAtMs: null, storedBefore: [], changed() {} },
      )
      await eventually('down', () => carrier.reports()[0]?.state === 'down')
      assert.match(carrier.reports()[0]?.lastError ?? '', /may not reach/, host)
      await carrier.close()
    }
  })

  test('come back when the message centre starts late, and take what waits then', async () => {
    const first = await startSmsc()
    await first.close()
    const { carrier, reported } = carrierOn(first.port)
    await eventually('down', () => carrier.reports()[0]?.state === 'down')
    assert.equal(carrier.room(), 0)
    const [result] = await submitAll(carrier, [submission('hi')])
    assert.deepEqual(result, [{ part: 1, outcome: 'throttled', code: 'carrier_link_down' }])
    const side = await smsc({ port: first.port })
    await eventually('up', () => isUp(carrier))
    assert.ok(reported.wakes > 0, 'its queue is notified')
    const [again] = await submitAll(carrier, [submission('hi')])
    assert.equal(again?.[0]?.outcome, 'accepted')
    assert.equal(side.submitted.length, 1)
  })

  test('that answer every part of a message with one id report them all by it', async () => {
    let ids = 0
    const side = await smsc({
      answer: pdu => ({ status: 0, messageId: readMessage(pdu).join === null ? `${++ids}` : 'one' }),
    })
    const { carrier, reported } = carrierOn(side.port)
    await eventually('up', () => isUp(carrier))
    const [parts, other] = await submitAll(carrier, [submission('long '.repeat(80)), submission('short')])
    const named = parts?.map(part => part.outcome === 'accepted' && part.carrierMessageId)
    assert.deepEqual(named, ['one', 'one.2', 'one.3'])
    assert.equal(other?.[0]?.outcome === 'accepted' && other[0].carrierMessageId, '1')
    await side.sendReceipt(side.submitted[0] as never, 'one')
    assert.deepEqual(
      reported.receipts.map(receipt => [receipt.carrierMessageId, receipt.status, receipt.from !== undefined]),
      [
        ['one', 'delivered', true],
        ['one.2', 'delivered', false],
        ['one.3', 'delivered', false],
      ],
    )
  })

  test('take a message of more parts than their window, and count it as what it is', async () => {
    const answers: (() => void)[] = []
    let ids = 0
    const answered = () => new Promise(resolve => answers.push(() => resolve({ status: 0, messageId: `n${++ids}` })))
    const side = await smsc({ answer: () => answered() as never })
    const { carrier, reported } = carrierOn(side.port, { settings: { windowSize: 2, responseTimeoutSeconds: 20 } })
    await eventually('up', () => isUp(carrier))
    assert.equal(carrier.room(), 4, 'segments: a window, and one that waits behind it')
    const message = submission('long '.repeat(300))
    assert.equal(message.segments, 10)
    const results = submitAll(carrier, [message])
    assert.equal(carrier.room(), 0)
    const wakes = reported.wakes
    for (let part = 1; part <= 10; part++) {
      await eventually(`part ${part} is written`, () => answers.length > 0)
      if (part === 6) assert.equal(reported.wakes, wakes, 'five wait or have no answer')
      assert.ok(answers.length <= 2)
      answers.shift()?.()
    }
    assert.ok((await results)[0]?.every(({ outcome }) => outcome === 'accepted'))
    assert.equal(side.submitted.length, 10)
    assert.ok(reported.wakes > wakes)
    assert.equal(carrier.room(), 4)
  })

  test('keep the parts of one message together, and to the window', async () => {
    let open = 0
    let most = 0
    const side = await smsc({
      answer: async () => {
        most = Math.max(most, ++open)
        await sleep(5)
        open--
        return { status: 0, messageId: newId('smsc') } as never
      },
    })
    const { carrier } = carrierOn(side.port, { settings: { windowSize: 3, longMessages: 'udh16' } })
    await eventually('up', () => isUp(carrier))
    const body = 'long '.repeat(150)
    const results = await submitAll(carrier, [submission(body), submission('short'), submission(body)])
    for (const parts of results) for (const part of parts) assert.equal(part.outcome, 'accepted')
    assert.ok(most <= 3, `${most} were open at once`)
    const joins = side.submitted.map(pdu => readMessage(pdu).join)
    const first = joins.slice(0, 5)
    assert.deepEqual(
      first.map(join => join?.part),
      [1, 2, 3, 4, 5],
    )
    assert.equal(new Set(first.map(join => join?.reference)).size, 1)
    assert.equal(side.submitted.map(pdu => readMessage(pdu).text).join(''), `${body}short${body}`)
  })

  test('slow down when throttled, and recover', async () => {
    let isThrottling = true
    const side = await smsc({
      answer: () => (isThrottling ? { status: statuses.ESME_RTHROTTLED } : undefined),
    })
    const { carrier, reported } = carrierOn(side.port, { settings: { segmentsPerSecond: 100 } })
    await eventually('up', () => isUp(carrier))
    const [result] = await submitAll(carrier, [submission('hi')])
    assert.deepEqual(result, [
      { part: 1, outcome: 'throttled', code: 'carrier_throttled', retryAfterMs: 1_000, carrierCode: 'ESME_RTHROTTLED' },
    ])
    assert.equal(carrier.reports()[0]?.state, 'throttled')
    isThrottling = false
    assert.ok(carrier.room() < 1)
    const wakes = reported.wakes
    await eventually('room again', () => reported.wakes > wakes, { withinMs: 3_000 })
    const [again] = await submitAll(carrier, [submission('hi')])
    assert.equal(again?.[0]?.outcome, 'accepted')
    assert.ok(carrier.room() <= 100)
    assert.equal(carrier.reports()[0]?.counters.throttled, 1)
  })

  test('hold the rate', async () => {
    const side = await smsc()
    const { carrier } = carrierOn(side.port, { settings: { segmentsPerSecond: 40, windowSize: 100 } })
    await eventually('up', () => isUp(carrier))
    const startMs = performance.now()
    await submitAll(
      carrier,
      Array.from({ length: 60 }, (_, n) => submission(`text ${n}`)),
    )
    const seconds = (performance.now() - startMs) / 1_000
    assert.ok(seconds > 1.2 && seconds < 3, `${seconds} s for 60 at 40 a second`)
  })

  test('refuse what cannot be sent, without asking', async () => {
    const side = await smsc()
    const { carrier } = carrierOn(side.port, { settings: { textCoding: 'latin1' } })
    await eventually('up', () => isUp(carrier))
    const long = `${'x'.repeat(100)}€`
    const [refused, wide, plain] = await submitAll(carrier, [submission(long), submission('5 €'), submission('é{}')])
    assert.deepEqual(refused, [
      { part: 1, outcome: 'refused', code: 'message_rejected', carrierCode: 'character not in textCoding' },
    ])
    assert.equal(wide?.[0]?.outcome, 'accepted')
    assert.equal(plain?.[0]?.outcome, 'accepted')
    assert.deepEqual(
      side.submitted.map(pdu => [pdu.dataCoding, readMessage(pdu).text]),
      [
        [8, '5 €'],
        [3, 'é{}'],
      ],
    )
  })

  test('acknowledge only what is stored', async () => {
    let failures = 2
    const store = async () => {
      if (failures-- > 0) throw new Error('the database is away')
    }
    const side = await smsc()
    const { carrier, reported } = carrierOn(side.port, { store })
    await eventually('up', () => isUp(carrier))
    const status = await side.deliver({ sourceAddr: '491', destinationAddr: '492', shortMessage: Buffer.from('hi') })
    assert.equal(status, 0)
    assert.equal(reported.inbound.length, 1)
    assert.equal(failures, -1)
  })

  test('give a message that is repeated its reference again, and another one its own', async () => {
    const side = await smsc()
    const { carrier, reported } = carrierOn(side.port)
    await eventually('up', () => isUp(carrier))
    const yes = {
      sourceAddr: '4915100000001',
      sourceAddrTon: 1,
      destinationAddr: '12345',
      shortMessage: Buffer.from('YES'),
    }
    await Promise.all([side.deliver(yes), side.deliver(yes)])
    await side.deliver(yes)
    assert.equal(new Set(reported.inbound.map(({ reference }) => reference)).size, 3)
    const { from, to, body } = reported.inbound[0] as InboundMessage
    assert.deepEqual({ from, to, body }, { from: '+4915100000001', to: '12345', body: 'YES' })
    // The link breaks right behind the acknowledgement: it may not have arrived.
    const last = reported.inbound.at(-1)?.reference
    await side.smsc.sessions[0]?.close({ drainMs: 0 })
    await eventually('bound again', () => side.binds() === 2 && isUp(carrier))
    await side.deliver(yes)
    assert.equal(reported.inbound.at(-1)?.reference, last)
    await side.deliver(yes)
    assert.notEqual(reported.inbound.at(-1)?.reference, last)
  })
})
