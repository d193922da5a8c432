// A lead of a mere number: like one made by hand, once, and only where nobody has the number.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { addLeadsOfPhones } from './index.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const scope = () => ({ tenantId: t.main.liveTenantId, organizationId: t.main.organizationId })
const addAll = (phones: string[], of = scope()) =>
  t.app.services.db.inTenant(of, tx => addLeadsOfPhones(tx, of, { phones, source: 'sms' }, t.clock.now()))
const add = async (phone: string, of = scope()) => (await addAll([phone], of))[0]
const get = async (path: string) => (await t.call('GET', `/v1/api/leads/${path}`, { as: t.main.tokens.Admin })).json

test('it is a lead like others: status, history, event, counted, changeable', async () => {
  const made = await add('+4915123456789')
  const id = Number(/^lead:(\d+)$/.exec(made?.id ?? '')?.[1])
  const { lead } = await get(`${id}`)
  assert.deepEqual(
    { ...lead, created_at: '', updated_at: '' },
    {
      ...{ id, tenant_id: t.main.liveTenantId, name: '+4915123456789', email: null, phone: '+4915123456789' },
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
  const [event] = await t.sql('select type, sequence, data from event_log where resource_id = $1', [String(id)])
  assert.deepEqual(event, { type: 'lead.created', sequence: 1, data: lead })
  const list = await t.call('GET', '/v1/api/leads', { as: t.main.tokens.Admin })
  assert.equal(list.json.pagination.totalCount, 1)
  const body = { name: 'Ada', status: 'Contacted' }
  const changed = await t.call('PATCH', `/v1/api/leads/${id}`, { as: t.main.tokens['Sales Manager'], body })
  assert.equal(changed.status, 200, changed.text)
  const { changes } = await get(`${id}/history`)
  assert.deepEqual(
    changes.map((change: { version: number; user_id: number | null; key_id: string | null; source: string }) => [
      change.version,
      change.user_id,
      change.key_id,
      change.source,
    ]),
    [
      [2, t.main.users['Sales Manager'].id, null, 'request'],
      [1, null, null, 'inbound'],
    ],
  )
  assert.deepEqual(changes[1].fields, [])
  // Its number is looked for and searched like that of any other.
  for (const query of ['phone=%2B49%20151%2023456789', 'q=15123456789'])
    assert.deepEqual(
      (await get(`?${query}`)).leads.map((found: { id: number }) => found.id),
      [id],
    )
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

test('several at once: each number that no lead has, once; two that do it in other orders do not wait for each other for ever', async () => {
  const phones = Array.from({ length: 40 }, (_, n) => `+49151777000${String(n).padStart(2, '0')}`)
  await add(phones[3]!)
  const made = (await Promise.all([addAll([...phones, phones[0]!]), addAll(phones.toReversed())])).flat()
  assert.deepEqual(made.map(lead => lead['phone']).sort(), phones.filter((_, n) => n !== 3).sort())
})
