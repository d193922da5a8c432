// The status pages' endpoints: what they find, who may read them, and that an organization sees what is its own and nothing else.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { operatorToken } from '../../../test/operators.ts'
import { watchQueues } from './watching.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const statusOf = async (as: string) => {
  const { json, status, text } = await t.call('GET', '/v2/status', { as })
  assert.equal(status, 200, text)
  return json.data
}

/** A carrier and a trunk of the live tenant of an organization that are down. */
async function breakLinks(tenantId: number, name: string) {
  await t.ownerSql(
    `insert into carriers (tenant_id, id, kind, name, settings, routes, currency) values ($1, 'car_a', 'smpp', $2, '{}', '[]', 'EUR')`,
    [tenantId, name],
  )
  await t.ownerSql(
    `insert into carrier_links (tenant_id, carrier_id, link, role, state, state_since, owner, last_error, counters)
     values ($1, 'car_a', 0, 'transceiver', 'down', now() - interval '5 minutes', 'x', 'The carrier refused the password.', '{}')`,
    [tenantId],
  )
  await t.ownerSql(`insert into trunks (tenant_id, id, name, settings, routes) values ($1, 'trk_a', $2, '{}', '[]')`, [
    tenantId,
    `${name} calls`,
  ])
}

test('what is down, late or failing of an organization is a finding of its own alone', async () => {
  const { liveTenantId } = t.main
  assert.equal((await statusOf(t.main.tokens.Admin)).state, 'ok')
  await breakLinks(liveTenantId, 'Example Telecom')
  await t.ownerSql(
    `insert into message_jobs (tenant_id, id, carrier, due_at, message_ids) values ($1, 'job_a', 'car_x', now() - interval '10 minutes', '{a,b}')`,
    [liveTenantId],
  )
  await t.ownerSql(
    `insert into webhook_endpoints (tenant_id, id, url, enabled, disabled_reason, disabled_at, secret)
     values ($1, 'wh_a', 'https://a.example', false, 'gone', now(), 's'), ($1, 'wh_b', 'https://b.example', false, 'request', now(), 's')`,
    [liveTenantId],
  )
  await t.ownerSql(`insert into sending_hold (because, since) values ('Restored.', now())`)
  const status = await statusOf(t.main.tokens.Admin)
  await t.ownerSql('delete from sending_hold')
  assert.equal(status.state, 'failing')
  assert.deepEqual(
    status.findings.map(({ code, subject }: { code: string; subject: string }) => [code, subject]),
    [
      ['sending_held', null],
      ['queue_late', 'messages'],
      ['carrier_down', 'Example Telecom'],
      ['trunk_down', 'Example Telecom calls'],
      ['webhook_disabled', 'https://a.example'],
    ],
  )
  assert.equal(status.carriers[0].error, 'The carrier refused the password.')
  const messages = status.queues.find(({ queue }: { queue: string }) => queue === 'messages')
  assert.deepEqual([messages.waiting, messages.due, messages.isLate], [2, 2, true])
  for (const as of [t.other.tokens.Admin, t.main.testKey]) {
    const other = await statusOf(as)
    assert.equal(other.state, 'ok')
    assert.deepEqual([other.carriers, other.trunks, other.webhooks.troubled], [[], [], []])
    assert.ok(other.queues.every(({ waiting }: { waiting: number }) => waiting === 0))
  }
})

test('Admins alone read it, unless a role of the organization holds status:read', async () => {
  for (const role of ['Sales Manager', 'Sales Executive', 'Finance Manager'] as const) {
    const { json, status } = await t.call('GET', '/v2/status', { as: t.main.tokens[role] })
    assert.deepEqual([status, json.error.code], [403, 'insufficient_role'])
  }
})

test('the operator sees all organizations, the database and the processes; Admins do not', async () => {
  await t.ownerSql(
    `select beat_node('node_a', 'one', 1, '0.1.0', '26.10.0', '{api}', '[{"folder":"data","freeBytes":5,"sizeBytes":100}]', now()),
            beat_node('node_b', 'two', 2, '0.0.9', '26.10.0', '{worker}', '[]', now()),
            beat_node('node_c', 'three', 3, '0.1.0', '26.10.0', '{voice}', '[]', now())`,
  )
  await t.ownerSql("update nodes set heartbeat_at = now() - interval '5 minutes' where id = 'node_c'")
  const { json, status, text } = await t.call('GET', '/v2/operator/status', { as: await operatorToken(t, 'support') })
  assert.equal(status, 200, text)
  const { data } = json
  // The database of tests has its durability switched off.
  const found = data.findings.filter(({ code }: { code: string }) => code !== 'setting_unsafe')
  assert.deepEqual(
    found.map(({ code, subject }: { code: string; subject: string | null }) => [code, subject]),
    [
      ['node_silent', 'three'],
      ['versions_differ', null],
      ['disk_low', 'one'],
      ['queue_late', 'messages'],
    ],
  )
  assert.deepEqual(
    data.downLinks.map(({ noun, organizationId, mode }: Record<string, unknown>) => [noun, organizationId, mode]),
    [
      ['carrier', t.main.organizationId, 'live'],
      ['trunk', t.main.organizationId, 'live'],
    ],
  )
  assert.match(data.database.schema, /^\d{4}_\w+$/)
  assert.ok(data.database.sizeBytes > 1_000_000)
  assert.ok(!text.includes('Example Telecom'), 'it shows no record of an organization')
  assert.equal((await t.call('GET', '/v2/operator/status', { as: t.main.tokens.Admin })).status, 401)
})

test('the log says once that a queue is late, and once that it has caught up', async () => {
  const lines: string[] = []
  const say = (fields: { queue: string }, text: string) => void lines.push(`${text}: ${fields.queue}`)
  const log = { ...t.app.services.log, info: say, warn: say } as unknown as typeof t.app.services.log
  const { claim } = watchQueues({ ...t.app.services, log })
  await claim('token', 1)
  await claim('token', 1)
  await t.ownerSql("delete from message_jobs where id = 'job_a'")
  await claim('token', 1)
  await claim('token', 1)
  assert.deepEqual(lines, ['a queue is late: messages', 'a queue has caught up: messages'])
})
