// What the tests of webhooks share: the set-up of a file, a receiver that answers as configured, senders that can be
// stopped or killed, and events to send.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach } from 'node:test'
import type { Db, Scope } from '../src/kernel/data/db.ts'
import { emit, type NewEvent } from '../src/kernel/data/events.ts'
import type { Services } from '../src/kernel/endpoint/endpoint.ts'
import { startQueue } from '../src/kernel/jobs/queue.ts'
import { newId } from '../src/kernel/values/ids.ts'
import { sendWebhooks } from '../src/modules/webhooks/jobs.ts'
import { eventTypes } from '../src/nouns.ts'
import { eventually } from './eventually.ts'
import { startTestApp, type TestApp, type TestOrganization } from './harness.ts'

/** Loopback is opened to deliveries, so that receivers of the tests can be reached. */
const testEnv = { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' }

export type WebhookTest = {
  t: TestApp
  receiver: Receiver
  /** Stopped at the end. A test that stops it puts another in its place. */
  sender: RunningSender | undefined
}

/**
 * What a file of tests begins with: an application that may reach loopback, a receiver that answers 204, and a sender. After
 * each test no webhook is left and nothing waits; after the last all of it ends.
 * @param options.sender false where the tests start senders of their own
 */
export async function startWebhookTest(options: { sender?: boolean } = {}): Promise<WebhookTest> {
  const t = await startTestApp({ env: testEnv })
  const receiver = await startReceiver()
  const running: WebhookTest = { t, receiver, sender: options.sender === false ? undefined : startSender(t) }
  after(async () => {
    await running.sender?.stop()
    await receiver.close()
    await t.close()
  })
  afterEach(async () => {
    receiver.answer = answering(204)
    receiver.received.length = 0
    receiver.most = 0
    for (const table of ['endpoints', 'jobs', 'lanes', 'walks', 'deliveries'])
      await t.ownerSql(`delete from webhook_${table}`)
  })
  return running
}

export type Received = { path: string; headers: Record<string, string>; body: string; atMs: number }

export type Receiver = {
  origin: string
  /** All requests so far, in the order they came. */
  received: Received[]
  /** What is answered from now on; 204 at first. */
  answer: (request: Received, response: ServerResponse, raw: IncomingMessage) => void | Promise<void>
  /** Ids of events received below a path. */
  ids(path?: string): string[]
  /** Most requests that were under way at once. */
  most: number
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  let underWay = 0
  const server = createServer((request, response) => {
    underWay++
    receiver.most = Math.max(receiver.most, underWay)
    response.once('close', () => underWay--)
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      const seen = { path: request.url ?? '', headers, body, atMs: performance.now() }
      receiver.received.push(seen)
      void receiver.answer(seen, response, request)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: (_request, response) => void response.writeHead(204).end(),
    ids: (path = '/') =>
      receiver.received
        .filter(request => request.path.startsWith(path))
        .map(request => request.headers['webhook-id'] as string),
    most: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

export function answering(status: number, headers: Record<string, string> = {}, body = ''): Receiver['answer'] {
  return (_request, response) => void response.writeHead(status, headers).end(body)
}

export type RunningSender = {
  wake(): void
  stop(): Promise<void>
  /** From now on it sends nothing and reaches the database no more, as if its process had died; its leases stay. */
  kill(): void
}

/** A sender as one process would run it. */
export function startSender(
  t: TestApp,
  { db: givenDb, ...options }: Parameters<typeof sendWebhooks>[0] & { db?: Db } = {},
): RunningSender {
  const { services } = t.app
  const reached = givenDb ?? services.db
  let dead = false
  const never = new Promise<never>(() => {})
  const db: Db = { ...reached, work: (...call) => (dead ? never : reached.work(...call)) }
  const { outbound: real } = services
  const outbound: Services['outbound'] = { ...real, send: request => (dead ? never : real.send(request)) }
  const log = { ...services.log, warn() {}, error() {} } as unknown as Services['log']
  const make = sendWebhooks({ graceMs: 1_000, lingerMs: 50, ...options })
  const queueOptions = make({ ...services, db, outbound, log })
  const queue = startQueue(queueOptions, { log: services.log, newToken: () => newId('lse') })
  return {
    wake: () => queue.wake(),
    async stop() {
      if (!dead) await queue.stop()
    },
    kill() {
      dead = true
    },
  }
}

export function scopeOf(organization: TestOrganization): Scope {
  return { tenantId: organization.liveTenantId, organizationId: organization.organizationId }
}

/** All types but those of webhooks themselves, which one hears of others. */
const otherTypes = [...new Set(Object.keys(eventTypes).map(type => `${type.split('.')[0]}.*`))].filter(
  filter => filter !== 'webhook.*' && filter !== 'signing_secret.*',
)

/** Creates a webhook that hears of all that is not about webhooks, or of these types; its id and secret. */
export async function newWebhook(
  t: TestApp,
  url: string,
  more: { eventTypes?: string[]; organization?: TestOrganization; as?: string } = {},
): Promise<{ webhookId: string; secret: string }> {
  const { organization = t.main, as = organization.liveKey, eventTypes = otherTypes } = more
  const body = { url, eventTypes }
  const { json, status, text } = await t.call('POST', '/v2/webhooks', { as, body })
  if (status !== 201) throw new Error(text)
  return json.data
}

let reported = 0

/** Writes events as a module would; their ids. */
export function emitEvents(
  t: TestApp,
  events: Partial<NewEvent>[] | number = 1,
  organization: TestOrganization = t.main,
): Promise<string[]> {
  const list = typeof events === 'number' ? Array.from({ length: events }, () => ({})) : events
  const scope = scopeOf(organization)
  return t.app.services.db.inTenant(scope, tx =>
    emit(
      tx,
      scope,
      ...list.map(event => ({
        type: 'lead.updated' as const,
        resourceId: ++reported,
        sequence: 1,
        data: { id: reported },
        ...event,
      })),
    ),
  )
}

/** Waits until something holds, at most half a minute. */
export async function until(holds: () => unknown, what = 'the condition'): Promise<void> {
  await eventually(what, holds, { withinMs: 30_000, everyMs: 10 })
}

/** A delivery with its attempts. */
export async function deliveryOf(t: TestApp, deliveryId: string, organization: TestOrganization = t.main) {
  const { json } = await t.call('GET', `/v2/webhooks/deliveries/${deliveryId}`, { as: organization.liveKey })
  return json.data
}

/** Deliveries of a webhook, or to callbacks. */
export async function deliveriesOf(t: TestApp, webhookId: string | undefined, query = '') {
  const path = webhookId === undefined ? '/v2/webhooks/callbacks/deliveries' : `/v2/webhooks/${webhookId}/deliveries`
  const { json, text } = await t.call('GET', `${path}${query}`, { as: t.main.liveKey })
  if (json.data === undefined) throw new Error(text)
  return json.data
}

/** What the owner of webhooks, in the live mode of the first organization, does and sees over the API. */
export function ownerOf(t: TestApp) {
  const as = () => t.main.liveKey
  const change = (webhookId: string, body: object) => t.call('PATCH', `/v2/webhooks/${webhookId}`, { as: as(), body })
  const get = async (webhookId: string) => (await t.call('GET', `/v2/webhooks/${webhookId}`, { as: as() })).json.data
  const replay = async (webhookId: string, body: object) => {
    const { json, text } = await t.call('POST', `/v2/webhooks/${webhookId}/replay`, { as: as(), body })
    assert.ok(json.data, text)
    return json.data
  }

  const settled = (webhookId: string | undefined, count: number) =>
    until(async () => {
      const list = await deliveriesOf(t, webhookId, '?limit=200')
      return list.filter((row: { status: string }) => row.status !== 'pending').length === count
    }, `${count} settled deliveries`)
  return { as, change, get, replay, settled }
}

/** Mails about the webhook whose address ends so, the oldest first. */
export function mailsAbout(t: TestApp, ending: string) {
  return t.ownerSql<{ to: string; subject: string; text: string }>(
    `select r.address as to, m.subject, m.text
     from mails m join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id
     where m.template in ('webhook_failing', 'webhook_disabled') and position($1 || chr(10) in m.text) > 0 order by m.id`,
    [ending],
  )
}
