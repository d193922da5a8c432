// What the tests of the carrier share: a far side to speak with, a carrier opened against it without a database, and messages.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '../../../test/cluster.ts'
import { type FarSide, type FarSideOptions, startFarSide } from '../../../test/smsc.ts'
import { isoMs, systemClock } from '../../kernel/clock.ts'
import type { Cidr } from '../../kernel/egress.ts'
import { parseCidr } from '../../kernel/egress.ts'
import { newId } from '../../kernel/ids.ts'
import { createTestPace, pacesOf } from '../../kernel/quota.ts'
import { completeSettings, type SettingsSchema } from '../../kernel/settings.ts'
import type {
  CarrierContext,
  InboundMessage,
  LateAnswer,
  PartResult,
  Receipt,
  Submission,
} from '../../modules/messaging/carrier.ts'
import type { LinkedCarrier } from '../../modules/messaging/carriers/index.ts'
import { segmentsOf } from '../../modules/messaging/segments.ts'
import { smppCarriers } from './smpp.ts'

const loopback = [parseCidr('127.0.0.0/8') as Cidr]
export const tenantId = 7

export type Told = { receipts: Receipt[]; inbound: InboundMessage[]; late: LateAnswer[]; wakes: number }

/** What storing does, when a test wants it to fail or to take its time. */
export type Store = { store?: () => Promise<void> }

export function context(told: Told, { store = async () => {} }: Store = {}): CarrierContext {
  return {
    db: undefined as never,
    log: silentLog,
    clock: systemClock,
    wake: () => void told.wakes++,
    testPace: createTestPace({ paces: pacesOf(25) }),
    async receiveReceipts(batch) {
      await store()
      told.receipts.push(...batch)
    },
    async receiveInbound(batch) {
      await store()
      told.inbound.push(...batch)
    },
    receiveLateAnswers: async batch => void told.late.push(...batch),
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
  const told: Told = { receipts: [], inbound: [], late: [], wakes: 0 }
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
    context: context(told, opening),
    tenantId,
    carrierId: 'car_1',
    queue: 'messages_car_1',
    allow: loopback,
    era,
    crashedAtMs,
    storedBefore,
    changed() {},
  })
  return { carrier, told }
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

export async function eventually(what: string, holds: () => boolean, withinMs = 5_000): Promise<void> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; await sleep(5)) if (holds()) return
  assert.fail(`${what} did not come about within ${withinMs} ms`)
}

export async function submitAll(carrier: LinkedCarrier, batch: readonly Submission[]): Promise<PartResult[][]> {
  const results: PartResult[][] = []
  await carrier.submit(batch, (index, parts) => {
    assert.equal(results[index], undefined, 'settled twice')
    results[index] = [...parts]
  })
  return results
}

/** Far sides and carriers of one test, which `close` ends. */
export function createFixture() {
  const open: (() => Promise<unknown>)[] = []

  async function close(): Promise<void> {
    for (const end of open.splice(0).reverse()) await end()
  }

  async function far(options: FarSideOptions = {}): Promise<FarSide> {
    const side = await startFarSide(options)
    open.push(() => side.close())
    return side
  }

  function carrierOn(port: number, opening: Opening = {}) {
    const opened = openCarrier(port, opening)
    open.push(() => opened.carrier.close())
    return opened
  }

  return { far, carrierOn, close }
}

export const isUp = (carrier: LinkedCarrier) => carrier.reports().every(({ state }) => state === 'up')
