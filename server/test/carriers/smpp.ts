// What the tests of the carrier share: a peer to speak with, a carrier opened against it without a database, and messages.
import assert from 'node:assert/strict'
import { smppCarriers } from '../../src/carriers/smpp/smpp.ts'
import { createTestPace, pacesOf } from '../../src/kernel/data/quota.ts'
import { completeSettings, type SettingsSchema } from '../../src/kernel/links/settings.ts'
import type { Cidr } from '../../src/kernel/outbound/egress.ts'
import { parseCidr } from '../../src/kernel/outbound/egress.ts'
import { isoMs, systemClock } from '../../src/kernel/values/clock.ts'
import { newId } from '../../src/kernel/values/ids.ts'
import type {
  CarrierContext,
  InboundMessage,
  LateAnswer,
  PartResult,
  Receipt,
  Submission,
} from '../../src/modules/messaging/carrier.ts'
import type { LinkedCarrier } from '../../src/modules/messaging/carriers/index.ts'
import { segmentsOf } from '../../src/modules/messaging/segments.ts'
import { silentLog } from '../cluster.ts'
import { startSmsc, type TestSmsc, type TestSmscOptions } from '../smsc.ts'

const loopback = [parseCidr('127.0.0.0/8') as Cidr]
export const tenantId = 7

export type Reported = { receipts: Receipt[]; inbound: InboundMessage[]; late: LateAnswer[]; wakes: number }

/** What storing does, when a test wants it to fail or to take its time. */
export type Store = { store?: () => Promise<void> }

export function context(reported: Reported, { store = async () => {} }: Store = {}): CarrierContext {
  return {
    db: undefined as never,
    log: silentLog,
    clock: systemClock,
    wake: () => void reported.wakes++,
    testPace: createTestPace({ paces: pacesOf(25) }),
    async receiveReceipts(batch) {
      await store()
      reported.receipts.push(...batch)
    },
    async receiveInbound(batch) {
      await store()
      reported.inbound.push(...batch)
    },
    receiveLateAnswers: async batch => void reported.late.push(...batch),
  }
}

export type Opening = Store & {
  settings?: Record<string, unknown>
  era?: string
  crashedAtMs?: number | null
  storedBefore?: readonly string[]
  port?: number
}

export function openCarrier(port: number, opening: Opening = {}) {
  const reported: Reported = { receipts: [], inbound: [], late: [], wakes: 0 }
  const { settings = {}, era = 'era', crashedAtMs = null, storedBefore = [] } = opening
  const complete = completeSettings(smppCarriers.settings as unknown as SettingsSchema, {
    host: '127.0.0.1',
    port,
    systemId: 'tandem',
    password: 'secret',
    segmentsPerSecond: 5_000,
    responseTimeoutSeconds: 1,
    ...settings,
  })
  const carrier = smppCarriers.open(complete, {
    context: context(reported, opening),
    tenantId,
    carrierId: 'car_1',
    queue: 'messages_car_1',
    allow: loopback,
    era,
    crashedAtMs,
    storedBefore,
    changed() {},
  })
  return { carrier, reported }
}

let references = 1
export function submission(body: string, more: Partial<Submission> = {}): Submission {
  const { encoding, segments } = segmentsOf(body)
  return {
    tenantId,
    messageId: newId('msg'),
    attempt: 1,
    from: '+15005550006',
    to: '+15005550104',
    body,
    encoding,
    segments,
    parts: Array.from({ length: segments }, (_, index) => index + 1),
    reference: references++,
    expiresAt: isoMs(systemClock.now() + 3_600_000),
    ...more,
  }
}

export async function submitAll(carrier: LinkedCarrier, batch: readonly Submission[]): Promise<PartResult[][]> {
  const results: PartResult[][] = []
  await carrier.submit(batch, (index, parts) => {
    assert.equal(results[index], undefined, 'settled twice')
    results[index] = [...parts]
  })
  return results
}

/** Message centres and carriers of one test, which `close` ends. */
export function createFixture() {
  const open: (() => Promise<unknown>)[] = []

  async function close(): Promise<void> {
    for (const end of open.splice(0).reverse()) await end()
  }

  async function smsc(options: TestSmscOptions = {}): Promise<TestSmsc> {
    const side = await startSmsc(options)
    open.push(() => side.close())
    return side
  }

  function carrierOn(port: number, opening: Opening = {}) {
    const opened = openCarrier(port, opening)
    open.push(() => opened.carrier.close())
    return opened
  }

  return { smsc, carrierOn, close }
}

export const isUp = (carrier: LinkedCarrier) => carrier.reports().every(({ state }) => state === 'up')
