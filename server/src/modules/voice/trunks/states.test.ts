// What the process that watches trunks reports: written down, shown, and reported by events, each once.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import type { Scope } from '../../../kernel/data/db.ts'
import { trunkEndpoints } from './endpoints.ts'
import type { TrunkReport } from './kind.ts'
import { createTrunkReporter, type TrunkStatus } from './reporter.ts'
import { listEnabledTrunks, tryLockTrunks, unlockTrunk, writeStates } from './store.ts'
import { openTrunk } from './stored_settings.ts'

let t: TestApp
let scope: Scope
before(async () => {
  t = await startTestApp({ endpoints: trunkEndpoints({}), env: { TANDEM_LOG_LEVEL: 'fatal' } })
  scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
})
after(() => t?.close())
beforeEach(() => t.ownerSql('delete from trunks'))

const as = () => t.main.liveKey

async function add(more: object = {}, key = as()): Promise<string> {
  const settings = { host: 'sip.example.com', username: 'tandem', password: 'pa55word' }
  const { status, text, json } = await t.call('POST', '/v2/voice/trunks', {
    as: key,
    body: { name: 'Remote', settings, ...more },
  })
  assert.equal(status, 201, text)
  return json.data.trunkId
}

const read = async (id: string) => (await t.call('GET', `/v2/voice/trunks/${id}`, { as: as() })).json.data

async function patch(id: string, body: object): Promise<void> {
  const { status, text } = await t.call('PATCH', `/v2/voice/trunks/${id}`, { as: as(), body })
  assert.equal(status, 200, text)
}

const eventsOf = async (id: string) => {
  const rows = await t.ownerSql<{ type: string; data: { reason?: string } }>(
    "select type, data from event_log where resource_id = $1 and type !~ 'created|updated' order by sequence",
    [id],
  )
  return rows.map(({ type, data }) => (data.reason === undefined ? type : `${type} ${data.reason}`))
}

const report = (more: Partial<TrunkReport> = {}): TrunkReport => ({
  state: 'up',
  stateSinceMs: t.clock.now(),
  lastError: null,
  throttled: false,
  counters: { calls: 7, failed: 1, active: 2 },
  ...more,
})

test('states are shown while they are reported', async () => {
  const id = await add()
  const write = (more: Partial<TrunkReport>) =>
    writeStates(t.app.services.db, 'here', [{ ...report(more), tenantId: scope.tenantId, trunkId: id }])
  const sinceMs = Math.floor(t.clock.now()) - 60_000
  await write({ stateSinceMs: sinceMs })
  const up = await read(id)
  assert.deepEqual([up.state, up.since, up.error], ['up', new Date(sinceMs).toISOString(), null])
  assert.deepEqual(up.counters, { calls: 7, failed: 1, active: 2 })
  await write({ state: 'unregistered', lastError: 'The carrier refuses the password.' })
  const refused = await read(id)
  assert.deepEqual([refused.state, refused.error], ['unregistered', 'The carrier refuses the password.'])
  await t.ownerSql("update trunk_states set updated_at = now() - interval '1 minute'")
  const silent = await read(id)
  assert.deepEqual([silent.state, silent.since, silent.error, silent.counters.active], ['unknown', null, null, 0])
  await write({})
  await patch(id, { enabled: false })
  assert.equal((await read(id)).state, 'disabled')
  // One that is gone is passed over, and so is one named by another tenant.
  const db = t.app.services.db
  await writeStates(db, 'here', [
    { ...report(), tenantId: scope.tenantId, trunkId: 'trk_gone' },
    { ...report(), tenantId: t.other.liveTenantId, trunkId: id },
  ])
  await t.call('DELETE', `/v2/voice/trunks/${id}`, { as: as() })
  assert.deepEqual(await t.ownerSql('select * from trunk_states'), [])
})

test('events report changes once, no matter who watches', async () => {
  const id = await add()
  const current: TrunkStatus = { scope, id, opening: {}, report: report({ state: 'registering' }) }
  const reporter = createTrunkReporter(t.app.services, 'here', () => [current])
  const round = async (more: Partial<TrunkReport>, laterMs = 0) => {
    t.clock.advance(laterMs)
    current.report = report(more)
    await reporter.round()
  }
  await round({ state: 'registering' })
  assert.deepEqual(await eventsOf(id), [])
  await round({})
  await round({})
  assert.deepEqual(await eventsOf(id), ['trunk.up'])
  // Back within three seconds: it was not down.
  await round({ state: 'down', lastError: 'No answer.' })
  await round({}, 2_000)
  assert.deepEqual(await eventsOf(id), ['trunk.up'])
  await round({ state: 'down', lastError: 'No answer.' })
  await round({ state: 'down', lastError: 'No answer.' }, 3_000)
  assert.deepEqual(await eventsOf(id), ['trunk.up', 'trunk.down No answer.'])
  // Another process takes over and finds it down too.
  const next = createTrunkReporter(t.app.services, 'there', () => [{ ...current, opening: {} }])
  await next.round()
  t.clock.advance(3_000)
  await next.round()
  assert.equal((await eventsOf(id)).length, 2)
  await round({ throttled: true })
  await round({ throttled: true })
  assert.deepEqual((await eventsOf(id)).slice(2), ['trunk.up', 'trunk.throttled'])
  await round({ throttled: true }, 60_000)
  assert.equal((await eventsOf(id)).length, 5)
  // Switched off and on, it says again how it is.
  await patch(id, { enabled: false })
  await round({ state: 'down' }, 3_000)
  assert.equal((await eventsOf(id)).length, 5)
  reporter.stop()
  next.stop()
})

test('those that are switched on are listed for anyone who carries calls, with all they need', async () => {
  const id = await add()
  const other = await add({}, t.other.liveKey)
  await add({ enabled: false })
  const { db } = t.app.services
  const rows = await listEnabledTrunks(db)
  assert.deepEqual(
    rows.map(row => [row.tenant_id, row.organization_id, row.id, row.settings_version]).sort(),
    [
      [t.main.liveTenantId, t.main.organizationId, id, 1],
      [t.other.liveTenantId, t.other.organizationId, other, 1],
    ].sort(),
  )
  const open = await db.inTenant(scope, tx => openTrunk(t.app.services, tx, scope, id))
  assert.ok(open !== undefined && typeof open.opened !== 'string' && open.opened.kind === 'sip')
  assert.deepEqual(
    [open.opened.settings.password, open.opened.settings.register, open.settingsVersion],
    ['pa55word', false, 1],
  )
  assert.equal(await db.inTenant(scope, tx => openTrunk(t.app.services, tx, scope, other)), undefined)
  await t.ownerSql("update trunks set secrets = 'sealed.1.AAAA'")
  const sealed = await db.inTenant(scope, tx => openTrunk(t.app.services, tx, scope, id))
  assert.match(String(sealed?.opened), /cannot be read/)
})

test('one process at a time watches a trunk', async () => {
  const { db } = t.app.services
  const trunks = [{ tenant_id: 1, id: 'trk_a' }]
  const [one, two] = [await db.session(), await db.session()]
  try {
    assert.deepEqual([...(await tryLockTrunks(one, trunks))], ['1 trk_a'])
    assert.deepEqual([...(await tryLockTrunks(two, trunks))], [])
    await unlockTrunk(one, 1, 'trk_a')
    assert.deepEqual([...(await tryLockTrunks(two, trunks))], ['1 trk_a'])
    assert.deepEqual([...(await tryLockTrunks(one, []))], [])
  } finally {
    await one.close()
    await two.close()
  }
})
