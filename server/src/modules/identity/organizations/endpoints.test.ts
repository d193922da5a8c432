// The organization's settings: read by all its people, changed by Admins, known on every node within two seconds.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { roles } from '../../../kernel/values/permission.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const get = (as: string) => t.call('GET', '/v2/organization', { as })
const patch = (body: object, as = t.main.tokens.Admin) => t.call('PATCH', '/v2/organization', { as, body })

test('every role reads its own organization, with both tenants, in either mode', async () => {
  for (const role of roles) {
    const { status, json } = await get(t.main.tokens[role])
    assert.equal(status, 200, role)
    const { createdAt, ...rest } = json.data
    assert.match(createdAt, /Z$/)
    assert.deepEqual(rest, {
      organizationId: t.main.organizationId,
      name: 'Example Company',
      timeZone: 'Europe/Berlin',
      currency: 'USD',
      defaultCountry: 'US',
      duplicateMode: 'warn',
      invoiceNumbering: 'on_create',
      state: 'active',
      stateReason: null,
      closesAt: null,
      ownerUserId: t.main.users.Admin.id,
      version: 1,
      tenants: { live: { tenantId: t.main.liveTenantId }, test: { tenantId: t.main.testTenantId } },
    })
  }
  assert.deepEqual((await get(t.main.testKey)).json.data, (await get(t.main.liveKey)).json.data)
  assert.equal((await get(t.other.tokens.Admin)).json.data.organizationId, t.other.organizationId)
})

test('only an Admin changes it, and only their own', async () => {
  for (const role of roles.filter(name => name !== 'Admin')) {
    assert.equal((await patch({ name: 'Mine' }, t.main.tokens[role])).json.error.code, 'insufficient_role')
  }
  const answer = await patch({
    name: ' New Name ',
    defaultCountry: null,
    duplicateMode: 'block',
    invoiceNumbering: 'on_issue',
  })
  assert.equal(answer.status, 200)
  const { name, defaultCountry, duplicateMode, invoiceNumbering, timeZone } = answer.json.data
  assert.deepEqual(
    [name, defaultCountry, duplicateMode, invoiceNumbering, timeZone],
    ['New Name', null, 'block', 'on_issue', 'Europe/Berlin'],
  )
  assert.deepEqual((await get(t.main.tokens.Admin)).json.data, answer.json.data)
  assert.equal((await get(t.other.tokens.Admin)).json.data.name, 'Other Company')
})

test('a change that is meant for an earlier version is refused, and leaves everything as it is', async () => {
  const before = await get(t.main.tokens.Admin)
  const { version } = before.json.data
  assert.equal(before.headers['etag'], `"${version}"`)
  const change = (headers: Record<string, string>, body: object) =>
    t.call('PATCH', '/v2/organization', { as: t.main.tokens.Admin, body, headers })
  const taken = await change({ 'if-match': `"${version}"` }, { name: 'Taken' })
  assert.deepEqual(
    [taken.status, taken.json.data.version, taken.headers['etag']],
    [200, version + 1, `"${version + 1}"`],
  )
  const stale = await change({ 'if-match': `"${version}"` }, { name: 'Stale' })
  assert.deepEqual([stale.status, stale.json.error.code], [412, 'version_mismatch'])
  assert.deepEqual((await get(t.main.tokens.Admin)).json.data, taken.json.data)
})

test('zones, currencies and countries must be real ones, all faults at once', async () => {
  const { status, json } = await patch({ timeZone: 'Mars/Olympus', currency: 'XYZ', defaultCountry: 'ZZ' })
  assert.equal(status, 400)
  assert.equal(json.error.code, 'validation_failed')
  const fields = json.error.details.map((fault: { field: string }) => fault.field)
  assert.deepEqual(fields, ['timeZone', 'currency', 'defaultCountry'])
  for (const body of [
    { timeZone: '+01:00' },
    { timeZone: 'europe/berlin' },
    { currency: 'eur' },
    { currency: 'EURO' },
    { defaultCountry: 'de' },
    { defaultCountry: '' },
    { name: '' },
    { duplicateMode: 'maybe' },
    { organizationId: 1 },
    {},
  ]) {
    assert.equal((await patch(body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await patch({ timeZone: 'Asia/Kolkata', currency: 'JPY', defaultCountry: 'DE' })).status, 200)
})

test('a change is known on another node once it looks', async () => {
  const node = await t.secondApp()
  const settingsOn = async (app: TestApp['app']) =>
    (await app.services.authenticator.authenticate(t.main.liveKey, t.clock.now())).settings.timeZone
  const zone = 'America/New_York'
  assert.notEqual(await settingsOn(node.app), zone)
  await patch({ timeZone: zone })
  assert.equal(await settingsOn(t.app), zone)
  await node.app.services.authenticator.poll()
  assert.equal(await settingsOn(node.app), zone)
})
