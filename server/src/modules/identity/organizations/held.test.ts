// A large backlog of an organization for which nothing leaves: no claim costs more for it, nobody else waits for it, and all of it is there when
// the organization is active again.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { operatorToken } from '../../../../test/operators.ts'
import { claimMails } from '../../mail/mails/sending_store.ts'
import { claimMoves } from '../../messaging/sms/jobs.ts'
import { claimMessages } from '../../messaging/sms/store.ts'
import { claimLanes } from '../../webhooks/sender_store.ts'

const backlog = 3_000
const maxAside = 500
const mailId = (n: number | string) => `mail_${String(n).padStart(26, '0')}`

let t: TestApp
let operator: string
before(async () => {
  t = await startTestApp()
  operator = await operatorToken(t)
})
after(() => t?.close())

const act = (event: string) =>
  t.call('POST', `/v2/operator/organizations/${t.other.organizationId}/${event}`, {
    as: operator,
    body: { reason: 'An invoice is not paid.' },
  })
const countOf = async (table: string, rows: string) => {
  const [row] = await t.ownerSql<{ n: number }>(
    `select count(*)::int as n from ${table} where tenant_id = $1 and ${rows}`,
    [t.other.liveTenantId],
  )
  return row!.n
}

test('texts', async () => {
  const sms = { from: '+15550100001', to: '+15005550006', body: 'hello' }
  const ours = await t.call('POST', '/v2/messages/sms', { as: t.main.liveKey, body: sms })
  assert.equal(ours.status, 200, ours.text)
  const [job] = await t.ownerSql<{ carrier: string }>('select carrier from message_jobs where $1 = any (message_ids)', [
    ours.json.messageId,
  ])
  await t.ownerSql(
    `insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
     select $1, 'held_' || n, $3, now() - interval '1 hour', array['msg_' || n] from generate_series(1, $2) as n`,
    [t.other.liveTenantId, backlog, job?.carrier],
  )
  assert.equal((await act('suspend')).status, 200)
  const claim = (token: string) =>
    claimMessages(t.app.services.db, job!.carrier, { token, limit: 100, leaseMs: 60_000, moves: claimMoves })
  const first = await claim('lse_1')
  assert.deepEqual(
    first.map(({ id }) => id),
    [ours.json.messageId],
    'another organization is served by the first claim',
  )
  for (let aside = maxAside; aside <= backlog; aside += maxAside) {
    assert.equal(await countOf('message_jobs', "due_at = 'infinity'"), aside)
    assert.deepEqual(await claim(`lse_${aside}`), [])
  }
  assert.equal((await act('resume')).status, 200)
  assert.equal(await countOf('message_jobs', 'due_at <= now()'), backlog)
})

test('mails; what people need to log in is sent all the same', async () => {
  await t.ownerSql('delete from mail_jobs')
  const mail = { to: [{ address: 'ada@example.com' }], subject: 'Ours', text: 'Hello.' }
  const ours = await t.call('POST', '/v2/mails', { as: t.main.liveKey, body: mail })
  assert.equal(ours.status, 201, ours.text)
  await t.ownerSql(
    `insert into mails (tenant_id, id, stream, state, subject, expires_at, created_at, updated_at)
     select $1, 'mail_' || lpad(n::text, 26, '0'), case n when $2 then 'security' else 'transactional' end, 'queued', 'Later',
       now() + interval '1 day', now(), now()
     from generate_series(1, $2) as n`,
    [t.other.liveTenantId, backlog],
  )
  await t.ownerSql(
    `insert into mail_jobs (tenant_id, organization_id, mail_id, is_urgent, due_at)
     select $1, $2, 'mail_' || lpad(n::text, 26, '0'), n = $3, now() - interval '1 hour' + make_interval(secs => n) from generate_series(1, $3) as n`,
    [t.other.liveTenantId, t.other.organizationId, backlog],
  )
  assert.equal((await act('suspend')).status, 200)
  await t.ownerSql(
    "delete from mail_jobs j using mails m where m.id = j.mail_id and m.template = 'organization_suspended'",
  )
  let claims = 0
  const claim = async () => {
    const options = { limit: 100, tenantRoom: 50, leaseSeconds: 60, behindTenant: 0, busy: new Map() }
    const rows = await claimMails(t.app.services.db, { token: `lse_${++claims}`, ...options })
    return rows.map(({ mail_id }) => mail_id)
  }
  const first = await claim()
  assert.deepEqual(
    first.toSorted(),
    [ours.json.data.mailId, mailId(backlog)].toSorted(),
    'another organization is served by the first claim, and of all that waits what is about logging in',
  )
  assert.equal(await countOf('mail_jobs', "due_at = 'infinity'"), maxAside)
  const later: string[] = []
  while (claims < backlog / maxAside) later.push(...(await claim()))
  assert.deepEqual(later, [], 'nothing else leaves')
  assert.equal(await countOf('mail_jobs', "due_at = 'infinity'"), backlog - 1)
  assert.equal((await act('resume')).status, 200)
  assert.equal(await countOf('mail_jobs', "mail_id like 'mail_00000%' and due_at <= now()"), backlog - 1)
})

test('webhooks: what waits is left as it is', async () => {
  const lane = "'cb:https://' || lpad(n::text, 7, '0') || '.example'"
  const insert = (tenant: number, count: number) =>
    t.ownerSql(
      `insert into webhook_jobs (tenant_id, lane, due_at, tries, event_ids)
       select $1, ${lane}, now() - interval '1 hour', 0, array['evt_' || lpad(n::text, 26, '0')] from generate_series(1, $2) as n`,
      [tenant, count],
    )
  await t.ownerSql('delete from webhook_jobs')
  await insert(t.other.liveTenantId, backlog)
  await insert(t.main.liveTenantId, 3)
  assert.equal((await act('suspend')).status, 200)
  const options = { token: 'lse_1', maxLanes: 1_000, tenantSlots: 50, leaseSeconds: 45, nowMs: t.clock.now() }
  const lanes = await claimLanes(t.app.services.db, options)
  assert.deepEqual([...new Set(lanes.map(one => one.tenant_id))], [t.main.liveTenantId])
  assert.equal(lanes.length, 3)
  assert.equal(await countOf('webhook_jobs', 'due_at <= now()'), backlog)
  assert.equal((await act('resume')).status, 200)
})
