// Who may do something with some records and not read others learns nothing of these: neither by duplicates nor by their names.
// Keys have few rights here, as that of a form on a website has.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const path = '/v1/api/leads'
const admin = () => t.main.tokens.Admin
const create = (body: object, as = admin(), mode = 'warn') =>
  t.call('POST', path, { as, body, headers: { 'x-duplicate-mode': mode } })

async function keyWith(scopes: string[]): Promise<string> {
  const body = { name: scopes.join(), mode: 'live', scopes }
  return (await t.call('POST', '/v2/auth/api-keys', { as: admin(), body })).json.data.secret
}

test('who may create leads and read none learns nothing of those there are', async () => {
  await create({ name: 'Secret name', email: 'secret@example.com' })
  const as = await keyWith(['leads:create'])
  const warned = await create({ name: 'x', email: 'secret@example.com' }, as)
  assert.deepEqual([warned.status, warned.json.duplicates], [201, []])
  const blocked = await create({ name: 'x', email: 'secret@example.com' }, as, 'block')
  assert.equal(blocked.status, 409)
  assert.ok(!/Secret|lead:\d/.test(blocked.text), blocked.text)
})

test('names of records are shown to those who may read these records', async () => {
  const company = await t.call('POST', '/v1/api/companies', { as: admin(), body: { name: 'Confidential' } })
  const { id } = company.json.company
  const { lead } = (await create({ name: 'Ann', email: 'ann@example.com', company_id: id })).json
  const isNamed = async (scopes: string[]) => {
    const as = await keyWith(scopes)
    const { status, text } = await t.call('GET', `${path}?company_id=${id}&include=company_id`, { as })
    assert.ok(status === 200 && text.includes(lead.name), text)
    return text.includes('Confidential')
  }
  assert.deepEqual([await isNamed(['leads:read', 'companies:read']), await isNamed(['leads:read'])], [true, false])
})
