// A transfer of ownership: what its mails link to.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { owned } from '../../../../test/contracts/members.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({ env: { TANDEM_PUBLIC_URL: 'https://example.com/crm/' } })
})
after(() => t?.close())

const step = (path: string, as: string, body?: object) =>
  t.call('POST', `/v2/organization/transfer${path}`, { as, ...(body && { body }) })

test('mails link to the organization below the path at which the server is reached', async () => {
  const { owner, heir } = await owned(t)
  assert.equal((await step('', owner.as, { toUserId: heir.userId })).status, 201)
  const mails = await t.ownerSql<{ text: string }>("select text from mails where template = 'ownership_offered'")
  assert.equal(mails.length, 2)
  for (const { text } of mails) assert.match(text, /\nhttps:\/\/example\.com\/crm\/organization\n/)
})
