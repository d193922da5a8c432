// Traces: off, nothing of the SDK is loaded; on, a message is one trace from the request that sends it to its carrier and its webhook, with
// nothing personal in it, as a collector of OTLP over HTTP gets it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { noTracer } from '../src/kernel/observe/tracing.ts'
import { eventually } from './eventually.ts'
import { startTestApp, type TestApp } from './harness.ts'

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean; doubleValue?: number }
type Span = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: { key: string; value: Value }[]
}

let t: TestApp
const spans: Span[] = []
let sentText = ''
let resource: Record<string, string | undefined> = {}
const sink: { url: string; headers: Record<string, string | string[] | undefined> }[] = []

/** Takes traces, and deliveries of webhooks. */
const collector = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    if (request.url === '/v1/traces') {
      const text = Buffer.concat(chunks).toString('utf8')
      sentText += text
      for (const part of JSON.parse(text).resourceSpans) {
        resource = attributesOf(part.resource) as typeof resource
        for (const scope of part.scopeSpans) spans.push(...scope.spans)
      }
      assert.equal(request.headers['x-api-key'], 'secret')
    } else sink.push({ url: request.url ?? '', headers: request.headers })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

const attributesOf = ({ attributes }: Pick<Span, 'attributes'>) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue ?? value.boolValue]))

const observe = join(import.meta.dirname, '../src/kernel/observe')

let origin: string
before(async () => {
  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
  t = await startTestApp({
    work: true,
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=secret',
      OTEL_SERVICE_NAME: 'crm',
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
      TANDEM_EGRESS_ALLOW: '127.0.0.0/8',
    },
  })
})
after(async () => {
  await t?.close()
  collector.closeAllConnections()
  await new Promise(resolve => collector.close(resolve))
})

const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

test('a message is one trace: its request, its statements, its carrier, its webhook', async () => {
  const hook = await t.call('POST', '/v2/webhooks', {
    as: t.main.testKey,
    body: { url: `${origin}/hook`, eventTypes: ['message.delivered'] },
  })
  assert.equal(hook.status, 201, hook.text)
  const body = { from: '+15005550006', to: '+15005550100', body: 'A very private text.' }
  const { status, json } = await t.call('POST', '/v2/messages/sms', {
    as: t.main.testKey,
    body,
    headers: { traceparent },
  })
  assert.equal(status, 200)
  const own = () => spans.filter(span => span.traceId === '4bf92f3577b34da6a3ce929d0e0e4736')
  const named = (name: string) => own().find(span => span.name === name)
  const delivered = await eventually('the delivery is in the trace', () => named('webhooks.deliver'))
  const request = named('messages.sms.send')!
  assert.equal(request.parentSpanId, '00f067aa0ba902b7')
  assert.equal(request.kind, 2, 'of the kind server')
  assert.equal(attributesOf(request)['http.response.status_code'], 200)
  assert.equal(attributesOf(request)['http.route'], '/v2/messages/sms')
  const submitted = named('messages.submit')!
  assert.equal(submitted.parentSpanId, request.spanId)
  assert.deepEqual(
    [attributesOf(submitted)['tandem.message_id'], attributesOf(submitted)['tandem.outcome']],
    [json.messageId, 'accepted'],
  )
  assert.equal(delivered.parentSpanId, request.spanId)
  const post = own().find(span => span.name === 'POST' && span.parentSpanId === delivered.spanId)!
  assert.equal(attributesOf(post)['server.address'], '127.0.0.1')
  const [got] = sink
  assert.equal(got?.headers['traceparent'], `00-${post.traceId}-${post.spanId}-01`, 'the receiver can go on with it')
  assert.ok(
    own().some(span => span.parentSpanId === request.spanId && attributesOf(span)['db.system.name'] === 'postgresql'),
  )
  assert.deepEqual([resource['service.name'], resource['service.version']], ['crm', '0.1.0'])
})

test('nothing personal, and no credential, leaves with a trace', async () => {
  const before = spans.length
  const body = { name: 'Ada Lovelace', email: 'ada@example.com', company: 'Analytical Engines' }
  const created = await t.call('POST', '/v1/api/leads', { as: t.main.tokens.Admin, body })
  assert.ok(created.status < 300, created.text)
  await t.call('GET', '/v1/api/leads?search=ada@example.com', { as: t.main.tokens.Admin })
  await eventually('both are sent', () => spans.slice(before).some(span => span.name === 'leads.list'))
  for (const secret of ['private text', '+1500', '5005550', 'ada@example', 'Lovelace', 'tdm_', 'eyJ', '/hook'])
    assert.ok(!sentText.includes(secret), secret)
})

test('polls of queues are no traces, and neither is a mistaken traceparent an error', async () => {
  const before = spans.length
  const headers = { traceparent: '00-00000000000000000000000000000000-00f067aa0ba902b7-01' }
  assert.equal((await t.call('GET', '/v2/organization', { as: t.main.tokens.Admin, headers })).status, 200)
  const found = await eventually('the request', () =>
    spans.slice(before).find(span => span.name === 'organization.get'),
  )
  assert.notEqual(found.traceId, '0'.repeat(32))
  const roots = new Set(spans.filter(span => span.parentSpanId === undefined).map(span => span.name))
  assert.ok(![...roots].some(name => name.startsWith('claim_')), [...roots].join())
})

test('without a collector nothing of the SDK is loaded', () => {
  const program = `
    import { registerHooks } from 'node:module'
    const seen = []
    registerHooks({ resolve(specifier, context, next) {
      const found = next(specifier, context)
      if (found.url.includes('@opentelemetry')) seen.push(found.url)
      return found
    } })
    await import(${JSON.stringify(join(import.meta.dirname, '../src/app.ts'))})
    const { openTracer } = await import(${JSON.stringify(join(observe, 'open_tracer.ts'))})
    const { noTracer } = await import(${JSON.stringify(join(observe, 'tracing.ts'))})
    const tracer = await openTracer({ endpoint: undefined, headers: {}, serviceName: 'x', sampler: 'always_on', ratio: 1, version: '', instanceId: '' })
    console.log(JSON.stringify({ seen, isOff: tracer === noTracer }))`
  const output = execFileSync(process.execPath, ['--conditions=source', '--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  const { seen, isOff } = JSON.parse(output.trim().split('\n').at(-1)!)
  assert.ok(isOff)
  // prom-client asks for the API, a few kilobytes without a tracer; the SDK and the exporter stay where they are.
  assert.deepEqual(
    seen.filter((url: string) => !url.includes('/@opentelemetry/api/')),
    [],
  )
})

test('off, what is traced runs as it is', async () => {
  const work = async () => 'done'
  assert.equal(await noTracer.child('x', {}, work), 'done')
  assert.equal(
    noTracer.within(noTracer.begin('x'), () => 1),
    1,
  )
  assert.equal(noTracer.traceparent(), undefined)
})
