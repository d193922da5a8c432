// A legal hold stops purges and erasures of what it is about until it is released; only Admins place one, with a reason.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { answerPrivacyRequests } from '../requests/jobs.ts'
import { purgeByAge } from '../retention/jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: string, path: string, body?: object, as = t.main.tokens.Admin) =>
  t.call(method, `/v2/privacy${path}`, { as, ...(body && { body }) })
const place = (body: object, as?: string) => call('POST', '/holds', { reason: 'Lawsuit 3 O 123/26.', ...body }, as)
const release = (id: string) => call('POST', `/holds/${id}/release`)
const lead = async (name: string, phone: string) =>
  (await t.call('POST', '/v1/api/leads', { as: t.main.liveKey, body: { name, phone } })).json.lead.id as number

async function oldMessage(to: string): Promise<void> {
  await t.ownerSql(
    `insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments, created_at)
     values ($1, left(first_id_at('msg', now() - interval '1100 days'), -4) || right($2, 4), 'outbound', 'delivered', 'simulator',
       '+15005550006', $2, 'hello', 'GSM-7', 1, now() - interval '1100 days')`,
    [t.main.liveTenantId, to],
  )
}
const messagesTo = async (to: string) => (await t.ownerSql('select from messages where to_address = $1', [to])).length
const purge = async () => {
  await t.ownerSql('delete from retention_positions')
  await purgeByAge(t.app.services).run()
}

async function work(): Promise<void> {
  await t.ownerSql(
    "update privacy_requests set due_at = now(), lease_until = now() where state = 'queued' or waits_for is null",
  )
  const queue = answerPrivacyRequests()(t.app.services)
  await queue.work(await queue.claim('lse_1', 1), 'lse_1', () => false)
}

test('a hold on a person keeps what is about them from purges, and its release lets it go', async () => {
  const id = await lead('Ada Lovelace', '+14155550101')
  const placed = await place({ recordId: `lead:${id}` })
  assert.equal(placed.status, 201, placed.text)
  assert.deepEqual([placed.json.data.scope, placed.json.data.about], ['person', `lead:${id}`])
  await oldMessage('+14155550101')
  await oldMessage('+14155550102')
  await purge()
  assert.deepEqual([await messagesTo('+14155550101'), await messagesTo('+14155550102')], [1, 0])
  assert.equal((await release(placed.json.data.holdId)).status, 200)
  await purge()
  assert.equal(await messagesTo('+14155550101'), 0)
  assert.equal((await release(placed.json.data.holdId)).json.error.code, 'hold_released')
})

test('a hold on the organization keeps all of it, in both modes, and is listed until it is released', async () => {
  const placed = await place({})
  await oldMessage('+14155550103')
  await purge()
  assert.equal(await messagesTo('+14155550103'), 1)
  const listed = await call('GET', '/holds')
  assert.deepEqual(
    listed.json.data.map((one: { scope: string }) => one.scope),
    ['organization'],
  )
  const [row] = await t.ownerSql<{ n: number }>('select count(*)::int as n from organizations_to_erase(now(), 1)')
  assert.equal(row?.n, 0)
  await release(placed.json.data.holdId)
  assert.equal((await call('GET', '/holds')).json.data.length, 0)
  assert.equal((await call('GET', '/holds?released=true')).json.data.length, 2)
  await purge()
  assert.equal(await messagesTo('+14155550103'), 0)
})

test('an erasure is refused while a hold stands, and waits for one that is placed meanwhile', async () => {
  const id = await lead('Mary Somerville', '+14155550104')
  const first = await place({ phone: '+1 415 555 0104' })
  const erase = () =>
    call('POST', '/requests', {
      kind: 'erasure',
      recordId: `lead:${id}`,
      confirm: 'Mary Somerville',
      reason: 'By letter.',
    })
  assert.equal((await erase()).json.error.code, 'legal_hold')
  await release(first.json.data.holdId)
  const asked = await erase()
  assert.equal(asked.status, 201, asked.text)
  const second = await place({ recordId: `lead:${id}` })
  await work()
  const see = async () => (await call('GET', `/requests/${asked.json.data.privacyRequestId}`)).json.data
  assert.deepEqual([(await see()).state, (await see()).waitsFor], ['running', 'legal_hold'])
  assert.equal((await t.ownerSql("select from leads where name = 'Mary Somerville'")).length, 1)
  await release(second.json.data.holdId)
  for (let round = 0; round < 3; round++) await work()
  assert.equal((await see()).state, 'completed')
  assert.equal((await t.ownerSql("select from leads where name = 'Mary Somerville'")).length, 0)
  // What the released holds said of her is gone too.
  const [left] = await t.ownerSql<{ n: number }>(
    "select count(*)::int as n from legal_holds x where x::text like '%4155550104%'",
  )
  assert.equal(left?.n, 0)
})

test('of very many holds each keeps its person, is listed, and is forgotten once it is released and the person erased', async () => {
  const email = 'hypatia@museum.example'
  const hold = (await place({ email })).json.data.holdId
  await t.ownerSql(
    `insert into legal_holds (organization_id, id, tenant_id, subject, pattern, reason, placed_by, placed_at)
     select $1, left(first_id_at('lgh', now() + interval '1 minute'), -4) || lpad(n::text, 4, '0'), $2,
       json_build_object('person', json_build_object('names', '[]'::json, 'records', '[]'::json, 'phones', '[]'::json,
         'emails', json_build_array('nobody' || n || '@museum.example'))), 'nobody' || n, 'Lawsuit 3 O 123/26.', $3, now()
     from generate_series(1, 600) n`,
    [t.main.organizationId, t.main.liveTenantId, t.main.users.Admin.id],
  )
  const erase = () => call('POST', '/requests', { kind: 'erasure', email, confirm: email, reason: 'By letter.' })
  assert.equal((await erase()).json.error.code, 'legal_hold')
  const listed: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await call('GET', `/holds?limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
    assert.equal(page.status, 200, page.text)
    listed.push(...page.json.data.map(({ holdId }: { holdId: string }) => holdId))
    cursor = page.json.meta.pagination.nextCursor
  }
  assert.deepEqual([listed.length, listed.at(-1)], [601, hold])
  await release(hold)
  assert.equal((await erase()).status, 201)
  for (let round = 0; round < 3; round++) await work()
  const [left] = await t.ownerSql<{ subject: object }>('select subject from legal_holds where id = $1', [hold])
  assert.deepEqual(left?.subject, {})
  await t.ownerSql("delete from legal_holds where pattern like 'nobody%'")
})

test('only Admins place holds, with a reason, and every one is in the audit log', async () => {
  assert.equal((await place({}, t.main.tokens['Sales Manager'])).status, 403)
  assert.match((await place({ reason: '' })).text, /"field":"reason"/)
  assert.match((await place({ phone: 'none' })).text, /"field":"phone"/)
  const { json } = await t.call('GET', '/v2/audit-events?action=legal_hold.*', { as: t.main.tokens.Admin })
  assert.ok(json.data.length >= 8)
})
