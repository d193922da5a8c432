// Texts that a carrier repeats, to the process that takes its links over or on the next link: each is there once, whenever the one before ended.
import assert from 'node:assert/strict'
import { type AddressInfo, connect, createServer } from 'node:net'
import { afterEach, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { startSmsc, type TestSmsc, type TestSmscOptions } from '../../../test/smsc.ts'
import type { DbSession } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { type CarrierKind, holdCarrierLinks, type LinkedCarrier } from '../../modules/messaging/carriers/index.ts'
import { smppCarriers } from './smpp.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const never = new Promise<never>(() => {})

async function start(options: TestSmscOptions = {}, way = async (port: number) => port) {
  const t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8', TANDEM_LOG_LEVEL: 'fatal' } })
  open.push(() => t.close())
  const side = await startSide(options)
  const settings = { host: '127.0.0.1', port: await way(side.port), systemId: 'tandem', password: 'secret' }
  const body = { kind: 'smpp', name: 'Remote', settings }
  const { status, text } = await t.call('POST', '/v2/carriers', { as: t.main.liveKey, body })
  assert.equal(status, 201, text)
  return { t, side }
}

async function startSide(options: TestSmscOptions = {}): Promise<TestSmsc> {
  const side = await startSmsc(options)
  open.push(() => side.close())
  return side
}

/** A way to a port that loses what goes there while it `swallows`, as a network does that fails without a word. */
async function startWay(port: number) {
  const way = { swallows: false, port: 0 }
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    near.on('data', chunk => void (way.swallows || far.write(chunk)))
    far.on('data', chunk => near.write(chunk))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => {}).on('close', () => other.destroy())
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  open.push(async () => void server.close())
  way.port = (server.address() as AddressInfo).port
  return way
}

type Holder = {
  /** What the queue does every second. */
  round(): Promise<void>
  isUp(): boolean
  /** Ends in order. */
  stop(): Promise<void>
  /** Nothing that it does reaches database or carrier from now on, and its locks are free. */
  die(): Promise<void>
}

type HolderOptions = {
  dies?: () => boolean
  /** Settings other than those that the carrier has. */
  more?: Record<string, unknown>
  /** It runs so much later. */
  laterMs?: number
}

/** What holds the links in a process of its own. Once `dies` says so, texts are stored, but nothing else is done with the database. */
function startHolder(t: TestApp, { dies = () => false, more = {}, laterMs = 0 }: HolderOptions = {}): Holder {
  const { services } = t.app
  const { db } = services
  let isDead = false
  let isOpened = false
  let session: DbSession | undefined
  let carrier: LinkedCarrier | undefined
  const isSilent = () => isDead || (isOpened && dies())
  const own: Services = {
    ...services,
    clock: { now: () => services.clock.now() + laterMs },
    wake() {},
    db: {
      ...db,
      inTenant: (scope, work) => (isDead ? never : db.inTenant(scope, work)),
      work: (name, text, values) => (isSilent() ? never : db.work(name, text, values)),
      session: async () => (session = await db.session()),
    },
  }
  const kind: CarrierKind = {
    ...smppCarriers,
    open(settings, surroundings) {
      isOpened = true
      const { context } = surroundings
      carrier = smppCarriers.open(Object.assign({}, settings, more), {
        ...surroundings,
        context: {
          ...context,
          async receiveInbound(batch) {
            await context.receiveInbound(batch)
            if (isSilent()) await never
          },
        },
      })
      return carrier
    },
  }
  const queue = { name: '', wake() {}, async stop() {} }
  const keeper = holdCarrierLinks([kind])(own, { start: () => queue })
  async function die(): Promise<void> {
    isDead = true
    carrier?.abort('killed')
    await session?.close()
  }
  open.push(die)
  return {
    round: async () => void (await keeper.claim('', 1)),
    isUp: () => carrier?.reports()[0]?.state === 'up',
    stop: async () => void (await keeper.closed?.()),
    die,
  }
}

const yes = { sourceAddr: '4915112345678', sourceAddrTon: 1, destinationAddr: '15005550006', destAddrTon: 1 }
const text = (body: string) => ({ ...yes, shortMessage: Buffer.from(body) })

const stored = async (t: TestApp) =>
  (
    await t.ownerSql<{ body: string }>("select body from messages where direction = 'inbound' order by created_at, id")
  ).map(({ body }) => body)

/** Starts one that holds the links, and waits until they are up. */
async function take(t: TestApp, options: HolderOptions = {}): Promise<Holder> {
  const holder = startHolder(t, options)
  const round = holder.round()
  // One that dies does not end its round.
  if (options.dies === undefined) await round
  await eventually('up', () => holder.isUp())
  return holder
}

test('a process that dies before it has reported its links leaves no text to be stored twice', async () => {
  const { t, side } = await start()
  const first = await take(t)
  assert.equal(await side.deliver(text('before')), 0)
  await first.stop()

  const second = await take(t, { dies: () => true })
  const cut = side.deliver(text('once')).catch(() => 'not acknowledged')
  await eventually('it is stored', async () => (await stored(t)).length === 2)
  await second.die()
  assert.equal(await cut, 'not acknowledged')

  const third = await take(t)
  assert.equal(await side.deliver(text('once')), 0)
  assert.deepEqual(await stored(t), ['before', 'once'])
  // What ended in order before has said its last word: the same words are another text.
  assert.equal(await side.deliver(text('before')), 0)
  assert.equal(await side.deliver(text('once')), 0)
  assert.deepEqual(await stored(t), ['before', 'once', 'before', 'once'])
  await third.stop()
})

test('nor does the first one that a carrier ever has', async () => {
  const { t, side } = await start()
  const first = await take(t, { dies: () => true })
  void side.deliver(text('once')).catch(() => {})
  await eventually('it is stored', async () => (await stored(t)).length === 1)
  await first.die()
  const second = await take(t)
  assert.equal(await side.deliver(text('once')), 0)
  assert.deepEqual(await stored(t), ['once'])
  await second.stop()
})

test('nor does one after which nobody took the links for hours', async () => {
  const { t, side } = await start()
  let isDying = false
  const first = await take(t, { dies: () => isDying })
  isDying = true
  void side.deliver(text('once')).catch(() => {})
  await eventually('it is stored', async () => (await stored(t)).length === 1)
  await first.die()
  const second = await take(t, { laterMs: 2 * 3_600_000 })
  assert.equal(await side.deliver(text('once')), 0)
  assert.equal(await side.deliver(text('another')), 0)
  assert.deepEqual(await stored(t), ['once', 'another'])
  await second.stop()
})

test('nor one that ends in order before what was left to it has come again', async () => {
  const { t, side } = await start()
  let isDying = false
  const first = await take(t, { dies: () => isDying })
  isDying = true
  void side.deliver(text('once')).catch(() => {})
  await eventually('it is stored', async () => (await stored(t)).length === 1)
  await first.die()

  const second = await take(t)
  await second.stop()

  const third = await take(t)
  assert.equal(await side.deliver(text('once')), 0)
  assert.deepEqual(await stored(t), ['once'])
  // It has come again: from now on an end in order is one.
  await third.stop()
  const fourth = await take(t)
  assert.equal(await side.deliver(text('once')), 0)
  assert.deepEqual(await stored(t), ['once', 'once'])
  await fourth.stop()
})

test('nor does a link that falls silent, however late that is found out', async () => {
  const ways: { swallows: boolean }[] = []
  const { t, side } = await start({}, async port => {
    const way = await startWay(port)
    ways.push(way)
    return way.port
  })
  const [way] = ways
  const holder = await take(t, { more: { enquireLinkSeconds: 3, responseTimeoutSeconds: 2 } })
  way!.swallows = true
  void side.deliver(text('once')).catch(() => {})
  await eventually('it is stored', async () => (await stored(t)).length === 1)
  await eventually('the link is given up', () => !holder.isUp())
  way!.swallows = false
  await eventually('up', () => holder.isUp())
  assert.equal(await side.deliver(text('once')), 0)
  assert.deepEqual(await stored(t), ['once'])
  assert.equal(await side.deliver(text('once')), 0)
  assert.deepEqual(await stored(t), ['once', 'once'])
  await holder.stop()
})
