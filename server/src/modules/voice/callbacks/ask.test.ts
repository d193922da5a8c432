// Guards: whatever an address does that is asked for instructions (takes no connection, never answers, answers wrong), the caller
// is never left in silence: three tries, the fallback address, the instructions of the number, an apology; all signed.
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FullBacklog, startFullBacklog } from '../../../../test/full_backlog.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type SeenCall, seeCall } from '../../../../test/voice/calls.ts'
import { createTestEngine, createTestLeg, quietTools } from '../../../../test/voice/engine.ts'
import { callbackKeys, sign } from '../../../kernel/data/signature.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { OutboundRequest } from '../../../kernel/outbound/outbound.ts'
import { initialCall } from '../call_records/store.ts'
import type { InstructionList } from '../instructions/schema.ts'
import type { HeldLeg } from '../legs/held_leg.ts'
import { VoiceNode } from '../node/node.ts'
import { askLimits, createAsker } from './ask.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
type Request = { path: string; headers: Record<string, any>; text: string; json: any }

let t: TestApp
let nowhere: FullBacklog
const servers: ReturnType<typeof createServer>[] = []
let base = ''
/** What the server does with a request to each path; it keeps silent on every other. */
const answers = new Map<string, RequestListener>()
let asked: Request[] = []
/** Sent by us, whether somebody got it or not. */
let sent: OutboundRequest[] = []

before(async () => {
  const server = createServer((incoming, reply) => {
    const chunks: Buffer[] = []
    incoming.on('data', chunk => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      asked.push({ path: incoming.url ?? '', headers: incoming.headers, text, json: JSON.parse(text) })
      answers.get(incoming.url ?? '')?.(incoming, reply)
    })
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  nowhere = await startFullBacklog()
  t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.1/32' } })
})
after(async () => {
  await t?.close()
  await nowhere?.close()
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
})
beforeEach(() => {
  answers.clear()
  asked = []
  sent = []
})

const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })
const answering =
  (status: number, text: string): RequestListener =>
  (_, reply) =>
    void reply.writeHead(status).end(text)
const notify = (from: string): InstructionList => [{ verb: 'notify', data: { from } }, { verb: 'hangup' }]

type Given = { callback_url: string; fallback_url?: string; instructions?: InstructionList }

/** A call that comes in to a number with these settings, once it is over; and what the caller heard. */
async function callIn({
  callback_url,
  fallback_url,
  instructions,
}: Given): Promise<{ call: SeenCall; said: string[] }> {
  const said: string[] = []
  const made = createTestEngine(() => t.clock.now())
  const services: Services = t.app.services
  const outbound: Services['outbound'] = {
    ...services.outbound,
    send(request) {
      sent.push(request)
      return services.outbound.send(request)
    },
  }
  const node = new VoiceNode(services, {
    engines: [() => made.engine],
    drainMs: 0,
    tools: () => ({
      ...quietTools,
      ask: createAsker({ ...services, outbound }, { connectMs: 300, answerMs: 1_000, pausesMs: [10, 10] }),
      handlingOf: async () => ({
        callback_url,
        fallback_url: fallback_url ?? null,
        instructions: instructions ?? null,
      }),
      async say({ text }) {
        said.push(text)
        return { PCMU: Buffer.alloc(160), PCMA: Buffer.alloc(160), durationMs: 20 }
      },
    }),
  })
  await node.ready()
  const [from, to] = ['+15550100003', '+15550100001']
  const host = made.host()
  const stored = await host.store(scope(), { from, to, callerName: null, trunkId: null, mode: 'test' })
  const callId = stored.id
  const leg = createTestLeg({ callId, from, to, callerName: null, timeoutSeconds: 60 }, () => t.clock.now())
  host.run(stored, leg)
  const beat = setInterval(() => leg.frame(), 5)
  const deadline = performance.now() + 30_000
  while (node.held(callId) !== undefined) {
    if (performance.now() > deadline) throw new Error('the call does not end')
    await sleep(10)
  }
  clearInterval(beat)
  await node.flush()
  await node.close()
  return { call: await seeCall(t, callId), said }
}

const failures = (call: SeenCall) =>
  call.history.filter(entry => entry.type === 'call.instructions_failed').map(entry => entry.details)
const notified = (call: SeenCall) => call.history.find(entry => entry.type === 'call.notified')?.details

/** Each request is signed for itself, with the secret of the organization; tries of one are the same event. */
async function checkSignatures() {
  const keys = await t.app.services.db.inTenant(scope(), tx => callbackKeys(tx, scope(), t.app.services.keyring))
  assert.ok(sent.length > 0)
  for (const { headers, body = Buffer.alloc(0) } of sent) {
    const header = (name: string) => headers[headers.indexOf(name) + 1] ?? ''
    const [id, at] = [header('webhook-id'), Number(header('webhook-timestamp'))]
    assert.equal(header('webhook-signature'), sign(keys, id, at, body))
    const { id: own, type, expectsInstructions } = JSON.parse(body.toString())
    assert.deepEqual([own, type, expectsInstructions], [id, 'instructions.requested', true])
  }
}
const ids = () => sent.map(({ headers }) => headers[headers.indexOf('webhook-id') + 1])

test('there are 3 s to connect, 5 s from then on to answer, and three tries', async () => {
  assert.deepEqual(askLimits, { connectMs: 3_000, answerMs: 5_000, pausesMs: [250, 1_000] })
  const requests: OutboundRequest[] = []
  const outbound: Services['outbound'] = {
    ...t.app.services.outbound,
    async send(request) {
      requests.push(request)
      return { ok: false, error: 'connection_refused' }
    },
  }
  const call = initialCall(scope(), {
    id: 'call_1',
    direction: 'outbound',
    from_number: '+15550100001',
    to_number: '+15550100003',
    caller_name: null,
    callback_url: null,
    timeout_seconds: 60,
    time_limit_seconds: 60,
    tags: [],
    metadata: {},
    created_at: '2026-11-21T08:44:00.123Z',
  })
  const held = { ref: { ...scope(), callId: call.id }, mode: 'test', call, isAnswered: true } as HeldLeg
  const ask = createAsker({ ...t.app.services, outbound })
  const outcome = await ask(held, `${base}/x`, 'answered', {}, new AbortController().signal)
  assert.deepEqual(outcome, { ok: false, why: 'connection_refused' })
  assert.deepEqual(
    requests.map(({ connectTimeoutMs, answerTimeoutMs, timeoutMs }) => [connectTimeoutMs, answerTimeoutMs, timeoutMs]),
    Array(3).fill([3_000, 5_000, 8_000]),
  )
})

test('an address that takes no connection is tried three times; the fallback address says how to go on', async () => {
  answers.set('/fallback', answering(200, JSON.stringify(notify('fallback'))))
  const callback_url = `http://127.0.0.1:${nowhere.port}/start`
  const { call, said } = await callIn({ callback_url, fallback_url: `${base}/fallback` })
  assert.deepEqual(notified(call), { from: 'fallback' })
  assert.deepEqual(failures(call), [
    { url: callback_url, reason: 'received', code: 'instruction_fetch_failed', why: 'connect_timeout' },
  ])
  assert.deepEqual(
    asked.map(({ path, json }) => [path, json.data.failedUrl, json.data.failure]),
    [['/fallback', callback_url, 'connect_timeout']],
  )
  assert.equal(sent.length, 4)
  assert.equal(new Set(ids().slice(0, 3)).size, 1, 'three tries of one request')
  assert.deepEqual(said, [])
  await checkSignatures()
})

test('where neither address ever answers, the instructions of the number stand in', async () => {
  const urls = { callback_url: `${base}/silent`, fallback_url: `${base}/silent_too` }
  const { call, said } = await callIn({ ...urls, instructions: notify('the number') })
  assert.deepEqual(notified(call), { from: 'the number' })
  assert.deepEqual(
    failures(call).map(details => [details?.['url'], details?.['why']]),
    [
      [urls.callback_url, 'timeout'],
      [urls.fallback_url, 'timeout'],
    ],
  )
  assert.deepEqual(
    asked.map(({ path }) => path),
    [...Array(3).fill('/silent'), ...Array(3).fill('/silent_too')],
  )
  assert.deepEqual(said, [])
  await checkSignatures()
})

for (const [name, [status, text], why, tries] of [
  ['a fault', [503, 'down'], /answered 503/, 3],
  ['a refusal', [404, 'gone'], /answered 404/, 1],
  ['something else than JSON', [200, '<xml/>'], /not JSON/, 1],
  ['an unknown verb', [200, '[{"verb":"sing"}]'], /invalid_instructions.*sing/, 1],
] as const) {
  test(`where an address answers ${name} and nobody else knows better, the caller hears an apology`, async () => {
    answers.set('/wrong', answering(status, text))
    const { call, said } = await callIn({ callback_url: `${base}/wrong` })
    assert.equal(asked.length, tries)
    const [failure, ...more] = failures(call)
    assert.match(String(failure?.['why']), why)
    assert.deepEqual(more, [])
    const isWrong = String(failure?.['why']).startsWith('invalid')
    assert.equal(failure?.['code'], isWrong ? 'invalid_instructions' : 'instruction_fetch_failed')
    assert.equal(said.length, 1)
    assert.match(said[0] ?? '', /sorry/)
    assert.deepEqual([call.state, call.hangupBy], ['completed', 'system'])
    await checkSignatures()
  })
}
