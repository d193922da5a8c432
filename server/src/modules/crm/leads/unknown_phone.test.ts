// A lead of a mere number: like one made by hand, once, and only where nobody has the number.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { addLeadOfPhone } from './index.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const scope = () => ({ tenantId: t.main.liveTenantId, organizationId: t.main.organizationId })
const add = (phone: string, of = scope()) =>
  t.app.services.db.inTenant(of, tx => addLeadOfPhone(tx, of, { phone, source: 'sms' }, t.clock.now()))
const read = async (id: number) => (await t.call('GET', `/v1/api/leads/${id}`, { as: t.main.tokens.Admin })).json.lead

test('it is a lead like others: status, history, event, counted, changeable', async () => {
  const row = await add('+4915123456789')
  const lead = await read(row!.id)
  assert.deepEqual(
    { ...lead, created_at: '', updated_at: '' },
    {
      ...{ id: row!.id, tenant_id: t.main.liveTenantId, name: '+4915123456789', email: null, phone: '+4915123456789' },
      ...{ company: null, priority: 'Warm', status: 'New', created_at: '', owner_id: null, source: 'sms', notes: null },
      ...{
        lost_reason: null,
        first_responded_at: null,
        company_id: null,
        contact_id: null,
        converted_at: null,
        updated_at: '',
        version: 1,
      },
    },
  )
  const [event] = await t.sql('select type, sequence, data from events where resource_id = $1', [String(row!.id)])
  assert.deepEqual(event, { type: 'lead.created', sequence: 1, data: lead })
  const list = await t.call('GET', '/v1/api/leads', { as: t.main.tokens.Admin })
  assert.equal(list.json.pagination.totalCount, 1)
  const body = { name: 'Ada', status: 'Contacted' }
  const changed = await t.call('PATCH', `/v1/api/leads/${row!.id}`, { as: t.main.tokens['Sales Manager'], body })
  assert.equal(changed.status, 200, changed.text)
  const history = await t.ownerSql(
    'select changed_by::int, to_status from lead_status_changes where lead_id = $1 order by version',
    [row!.id],
  )
  assert.deepEqual(history, [
    { changed_by: 0, to_status: 'New' },
    { changed_by: t.main.users['Sales Manager'].id, to_status: 'Contacted' },
  ])
})

test('there is one for a number, in each tenant, whatever the organization thinks of duplicates', async () => {
  await t.call('PATCH', '/v2/organization', { as: t.main.tokens.Admin, body: { duplicateMode: 'off' } })
  assert.equal(await add('+4915123456789'), undefined)
  const both = await Promise.all([add('+4915100000001'), add('+4915100000001'), add('+4915100000001')])
  assert.equal(both.filter(row => row !== undefined).length, 1)
  const theirs = { tenantId: t.other.liveTenantId, organizationId: t.other.organizationId }
  assert.ok(await add('+4915123456789', theirs))
})

test('of a creation that refuses duplicates and a text at the same moment one is there', async () => {
  for (let n = 0; n < 10; n++) {
    const phone = `+49152${10_000_000 + n}`
    const headers = { 'x-duplicate-mode': 'block' }
    const create = () => t.call('POST', '/v1/api/leads', { as: t.main.liveKey, body: { name: 'Ada', phone }, headers })
    const [made, row] = await Promise.all([create(), add(phone)])
    assert.ok((made.status === 201) !== (row !== undefined), `${made.status} ${row?.id}`)
  }
})
