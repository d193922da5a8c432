// Who is behind an address: only whom one may see, in a fixed order, however the address is spelled.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import type { Role } from '../../../kernel/values/role.ts'
import { preferred } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const find = async (addresses: string, as: string = t.main.tokens.Admin) => {
  const query = new URLSearchParams({ addresses })
  const { status, json, text } = await t.call('GET', `/v1/api/people?${query}`, { as })
  assert.equal(status, 200, text)
  return json.people as { address: string; type: string; id: string; name: string }[]
}

async function create(many: 'leads' | 'contacts', body: object, role: Role = 'Admin') {
  const { status, json, text } = await t.call('POST', `/v1/api/${many}`, { as: t.main.tokens[role], body })
  assert.equal(status, 201, text)
  return many === 'leads' ? `lead:${json.lead.id}` : json.contact.id
}

test('numbers and e-mail addresses are answered with who has them, in the spelling that was asked for', async () => {
  const lead = await create('leads', { name: 'Naomi Tanaka', phone: '+16125550196', email: 'naomi@example.com' })
  const contact = await create('contacts', { name: 'Ada Lovelace', phones: [{ value: '+442079460018' }] })
  const { email, id } = t.main.users['Sales Manager']
  const asked = ['+1 612 555 0196', 'NAOMI@example.com', '+442079460018', email, '+15550199999', 'TANDEM', 'x@y']
  const found = await find(asked.join(', '))
  assert.deepEqual(
    found.map(one => [one.address, one.type, one.id]),
    [
      ['+1 612 555 0196', 'lead', lead],
      ['NAOMI@example.com', 'lead', lead],
      ['+442079460018', 'contact', contact],
      [email, 'user', String(id)],
    ],
  )
  assert.equal(found[0]?.name, 'Naomi Tanaka')
})

test('where several have it a contact is shown rather than a lead, and the newest of a kind', async () => {
  const [, second] = [
    await create('leads', { name: 'First', phone: '+16125550101' }),
    await create('leads', { name: 'Second', phone: '+16125550101' }),
  ]
  assert.deepEqual(
    (await find('+16125550101')).map(one => one.id),
    [second],
  )
  const contact = await create('contacts', { name: 'Third', phones: [{ value: '+16125550101' }] })
  assert.deepEqual(
    (await find('+16125550101')).map(one => [one.type, one.id]),
    [['contact', contact]],
  )
})

test('nobody learns of whom they may not see, of the other mode, or of another organization', async () => {
  const owner_id = t.main.users['Sales Manager'].id
  await create('leads', { name: 'Of another', phone: '+16125550102', owner_id })
  const names = async (token: string) => (await find('+16125550102', token)).map(one => one.name)
  assert.deepEqual(await names(t.main.tokens['Sales Manager']), ['Of another'])
  assert.deepEqual(await names(t.main.tokens['Sales Executive']), [], 'sees only own leads')
  assert.deepEqual(await names(t.main.tokens['Finance Manager']), [], 'has no leads:read')
  assert.deepEqual(await names(t.main.testKey), [])
  assert.deepEqual(await names(t.other.tokens.Admin), [])
})

test('at most a hundred are asked for at once', async () => {
  const addresses = Array.from({ length: 101 }, (_, n) => `+1612555${String(n).padStart(4, '0')}`).join(',')
  const { status, json } = await t.call('GET', `/v1/api/people?${new URLSearchParams({ addresses })}`, {
    as: t.main.tokens.Admin,
  })
  assert.deepEqual([status, json.details[0].field, json.details[0].code], [400, 'addresses', 'too_many'])
})

test('the newest is the one with the greatest number, not the greatest text', () => {
  const rows = ['lead:9', 'lead:10', 'lead:2'].map(id => ({ type: 'lead', key: 'k', id }))
  assert.equal(preferred(rows, ['lead']).get('k')?.id, 'lead:10')
})
