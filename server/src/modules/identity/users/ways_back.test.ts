// Another password or address leaves no way back in to who had the old one: links that were mailed before, and what programs may do.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { ownPassword, type Somebody, somebody, tokenMailed } from '../../../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const newPassword = 'seven brass lanterns drift'
const codeOf = ({ json }: { json: { error?: { code: string } } }) => json.error?.code
const confirm = (token: string) => t.call('POST', '/v2/auth/password-resets/confirm', { body: { token, newPassword } })
const undo = (token: string) => t.call('POST', '/v2/auth/email-changes/undo', { body: { token } })

async function resetLink({ email }: Somebody): Promise<string> {
  await t.call('POST', '/v2/auth/password-resets', { body: { email } })
  return tokenMailed(t, email)
}

async function undoLink({ email }: Somebody): Promise<string> {
  const token = randomUUID()
  await t.ownerSql(
    `insert into account_links (hash, kind, account_id, address, expires_at)
     select $1, 'email_undo', id, $2, now() + interval '1 day' from accounts where email = $3`,
    [createHash('sha256').update(token).digest(), `${token}@example.com`, email],
  )
  return token
}

async function grant({ userId }: Somebody): Promise<() => Promise<boolean>> {
  const id = `gra_${randomUUID()
    .replaceAll('-', '')
    .slice(0, 26)
    .replace(/^./, '0')
    .replaceAll(/[^0-9a-hjkmnp-tv-z]/g, '0')}`
  await t.ownerSql(
    `insert into oauth_grants (organization_id, id, tenant_id, mode, client_id, client_name, user_id, scopes, resource, expires_at)
     values ($1, $2, $3, 'live', 'tdm_playground', 'Playground', $4, '{leads:read}', 'x', now() + interval '1 day')`,
    [t.main.organizationId, id, t.main.liveTenantId, userId],
  )
  return async () =>
    (await t.ownerSql('select from oauth_grants where id = $1 and revoked_at is null', [id])).length === 1
}

test('a password or an address that an Admin sets ends them all', async () => {
  for (const change of [{ password: newPassword }, { email: `${randomUUID()}@example.com` }]) {
    const person = await somebody(t)
    const [reset, back, stands] = [await resetLink(person), await undoLink(person), await grant(person)]
    const as = t.main.tokens.Admin
    const { status, text } = await t.call('PATCH', `/v1/api/users/${person.userId}`, { as, body: change })
    assert.equal(status, 200, text)
    assert.equal(codeOf(await confirm(reset)), 'link_expired')
    assert.equal(codeOf(await undo(back)), 'link_expired')
    assert.equal(await stands(), change.password === undefined, 'what a person lets programs do ends with the password')
  }
})

test("one's own password ends links that set another, and keeps the way back to an address before", async () => {
  const person = await somebody(t)
  const [reset, back] = [await resetLink(person), await undoLink(person)]
  const body = { currentPassword: ownPassword, newPassword }
  const { status, text } = await t.call('POST', '/v2/users/me/password', { as: person.as, body })
  assert.equal(status, 200, text)
  assert.equal(codeOf(await confirm(reset)), 'link_expired')
  assert.equal((await undo(back)).status, 200)
})
