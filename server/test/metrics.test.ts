// /metrics as Prometheus takes it: promtool checks real output, the alert rules of docs/examples and what they fire on; and every metric that
// rules and dashboard name is there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startQueue } from '../src/kernel/jobs/queue.ts'
import { createMetrics } from '../src/kernel/observe/metrics.ts'
import { version } from '../src/kernel/values/version.ts'
import { createFigureReader, heartbeats, measureInstallation } from '../src/modules/operations/index.ts'
import { eventually } from './eventually.ts'
import { startTestApp, type TestApp } from './harness.ts'

const root = join(import.meta.dirname, '../..')
const examples = join(root, 'docs/examples/prometheus')
const isMissing = spawnSync('promtool', ['--version']).error !== undefined
const skip = isMissing && 'MISSING: promtool (bash scripts/system_tools.sh)'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

function promtool(args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync('promtool', args, { input, encoding: 'utf8', cwd: examples })
  assert.equal(status, 0, `promtool ${args.join(' ')}\n${stdout}${stderr}`)
  return stdout + stderr
}

const scrape = async () => (await t.call('GET', '/metrics')).text

test('promtool accepts the metrics of a server', { skip }, async () => {
  await t.call('GET', '/v1/api/leads', { as: t.main.tokens.Admin })
  const calls = createMetrics()
  t.app.services.metrics.besides(() => calls.ofProcess('calls'))
  assert.match(await scrape(), /^process_cpu_seconds_total\{process="calls"\} /m)
  assert.equal(promtool(['check', 'metrics'], await scrape()), '')
})

test('promtool accepts the alert rules and the scrape job, and rules fire when they should', { skip }, () => {
  promtool(['check', 'rules', 'tandem_rules.yml'])
  promtool(['check', 'config', '--syntax-only', 'prometheus.yml'])
  promtool(['test', 'rules', 'tandem_rules_test.yml'])
})

test('the version is that of package.json', async () => {
  const { version: packaged } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  assert.equal(version, packaged)
  const [{ server_version: postgres }] = (await t.ownerSql('show server_version')) as [{ server_version: string }]
  assert.ok(
    (await scrape()).includes(
      `tandem_build_info{version="${packaged}",node="${process.versions.node}",postgres="${postgres}"} 1`,
    ),
  )
})

/** Names of metrics in an expression of PromQL, or wherever one stands in a text. */
const namesIn = (text: string) => new Set(text.match(/\b(?:tandem|nodejs|process)_\w+\b(?=[{[)\s]|$)/gm) ?? [])

test('every metric that rules and dashboard name is there', async () => {
  const served = await scrape()
  const there = new Set(
    [...served.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  )
  const rules = readFileSync(join(examples, 'tandem_rules.yml'), 'utf8')
  const expressions = rules.replaceAll(/^\s+(?:annotations|labels):\n(?:\s{10,}.*\n|\n)*/gm, '\n')
  const dashboard = JSON.parse(readFileSync(join(examples, 'tandem_dashboard.json'), 'utf8'))
  const shown = dashboard.panels.flatMap((panel: { targets?: { expr: string }[] }) => panel.targets ?? [])
  const named = new Set([
    ...namesIn(expressions),
    ...namesIn(shown.map(({ expr }: { expr: string }) => expr).join('\n')),
  ])
  assert.ok(named.size > 20, `only ${[...named]} are named`)
  assert.deepEqual(
    [...named].filter(name => !there.has(name)),
    [],
  )
})

test('what waits is shown by queue, what is late by its age, and what is held is not late', async () => {
  const { liveTenantId: tenantId } = t.main
  const due = "now() - interval '90 seconds'"
  await t.ownerSql(
    `insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
     values ($1, 'job_a', 'car_x', ${due}, '{a,b}'), ($1, 'job_b', 'car_x', now() + interval '1 hour', '{c}')`,
    [tenantId],
  )
  const valueIn = (text: string, series: string) =>
    Number(
      text
        .split('\n')
        .find(line => line.startsWith(`${series} `))
        ?.slice(series.length + 1),
    )
  t.clock.advance(10_000)
  let text = await scrape()
  assert.equal(valueIn(text, 'tandem_queue_depth{queue="messages"}'), 3)
  assert.equal(valueIn(text, 'tandem_queue_due{queue="messages"}'), 2)
  const age = valueIn(text, 'tandem_queue_oldest_due_age_seconds{queue="messages"}')
  assert.ok(age >= 90 && age < 200, String(age))
  await t.ownerSql('insert into held_tenants (tenant_id) values ($1)', [tenantId])
  assert.equal(await scrape().then(again => valueIn(again, 'tandem_queue_due{queue="messages"}')), 2, 'kept 5 seconds')
  t.clock.advance(10_000)
  text = await scrape()
  assert.equal(valueIn(text, 'tandem_queue_depth{queue="messages"}'), 3)
  assert.equal(valueIn(text, 'tandem_queue_due{queue="messages"}'), 0)
  assert.equal(valueIn(text, 'tandem_queue_oldest_due_age_seconds{queue="messages"}'), 0)
  await t.ownerSql("delete from held_tenants; delete from message_jobs where carrier = 'car_x'")
})

test('10,000 rows of a queue are looked at, and more are estimated', async () => {
  const { liveTenantId: tenantId } = t.main
  await t.ownerSql(
    `insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
     select $1, 'job_' || n, 'car_y', now() - interval '1 minute', '{a,b}' from generate_series(1, 15000) n`,
    [tenantId],
  )
  await t.ownerSql('analyze message_jobs')
  const [row] = await t.ownerSql<{ waiting: string; due: string; is_estimate: boolean }>(
    "select * from queue_backlog() where queue = 'messages'",
  )
  assert.ok(row?.is_estimate)
  assert.ok(Math.abs(Number(row.waiting) - 30_000) < 1_000, row.waiting)
  assert.ok(Math.abs(Number(row.due) - 30_000) < 1_000, row.due)
  await t.ownerSql("delete from message_jobs where carrier = 'car_y'")
})

test('a message is counted when it is accepted', async () => {
  const count = async () =>
    Number(/^tandem_messages_accepted_total\{carrier_kind="simulator"\} (\d+)/m.exec(await scrape())?.[1])
  const before = await count()
  const body = { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' }
  assert.equal((await t.call('POST', '/v2/messages/sms', { as: t.main.testKey, body })).status, 200)
  const messages = [body, { ...body, to: '+15005550004' }, { ...body, body: 'Twice.' }]
  const batch = await t.call('POST', '/v2/messages/sms/batch', { as: t.main.testKey, body: { messages } })
  assert.equal(batch.json.accepted ?? batch.json.data?.accepted, 2, batch.text)
  assert.equal(await count(), before + 3)
})

test('a gauge that cannot be read has no value, and all else is shown', async () => {
  const metrics = createMetrics()
  let fails = false
  metrics.gauge('tandem_first', 'One.', () => {
    if (fails) throw new Error('no')
    return 1
  })
  metrics.gauges('tandem_second', 'Two.', ['state'], () => [{ labels: { state: fails ? 'b' : 'a' }, value: 2 }])
  const lines = async () =>
    (await metrics.render()).text.split('\n').filter(line => /^tandem_(first|second)/.test(line))
  assert.deepEqual(await lines(), ['tandem_first 1', 'tandem_second{state="a"} 2'])
  fails = true
  assert.deepEqual(await lines(), ['tandem_second{state="b"} 2'])
})

test('a process that works gives signs of life, and takes itself from the list when it ends', async () => {
  const { id } = t.app.services.node
  const listed = async () => (await t.ownerSql<{ id: string }>('select id from nodes')).map(node => node.id)
  const heartbeat = startQueue(heartbeats(t.app.services), { log: t.app.services.log, newToken: () => 'lse_x' })
  heartbeat.wake()
  await eventually('it is listed', async () => (await listed()).includes(id))
  t.clock.advance(10_000)
  assert.match(await scrape(), /^tandem_nodes\{state="live"\} 1$/m)
  await t.ownerSql("update nodes set heartbeat_at = now() - interval '2 minutes' where id = $1", [id])
  t.clock.advance(10_000)
  assert.match(await scrape(), /^tandem_nodes\{state="silent"\} 1$/m)
  await heartbeat.stop()
  assert.deepEqual(await listed(), [])
})

test('without its database a node shows what it knows by itself', async () => {
  const metrics = createMetrics()
  const db = { ...t.app.services.db, work: () => Promise.reject(new Error('the database is away')) }
  const services = { ...t.app.services, metrics, db }
  measureInstallation(services, createFigureReader(services))
  const { text } = await metrics.render()
  assert.match(text, /^tandem_database_up 0$/m)
  assert.match(text, /^tandem_streams_open 0$/m)
  assert.doesNotMatch(text, /^tandem_queue_depth\{/m)
  if (!isMissing) promtool(['check', 'metrics'], text)
})
