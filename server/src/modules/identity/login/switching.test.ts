// From one organization into another: the login grows no younger by it, and shows what the other one asks of a login.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { logIn, somebody, strongSomebody } from '../../../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
  for (const { organizationId } of [t.main, t.other])
    await t.ownerSql('insert into security_policies (organization_id) values ($1) on conflict do nothing', [
      organizationId,
    ])
})
after(() => t?.close())
beforeEach(() =>
  t.ownerSql(
    "update security_policies set session_max_hours = 2160, allowed_addresses = '{}', require_second_factor = false",
  ),
)

async function memberOfBoth(isStrong = false) {
  const person = await (isStrong ? strongSomebody(t) : somebody(t))
  await t.ownerSql(
    `insert into users (organization_id, account_id, email, name, role)
     select $1, id, email, name, 'Sales Manager' from accounts where email = $2`,
    [t.other.organizationId, person.email],
  )
  return person
}

const asks = (organizationId: number, change: string) =>
  t.ownerSql(`update security_policies set ${change} where organization_id = $1`, [organizationId])
const switchTo = (as: string, { organizationId }: { organizationId: number }, ip = '198.51.100.7') =>
  t.call('POST', '/v2/auth/switch', { as, body: { organizationId }, ip })
const refresh = (refreshToken: string) => t.call('POST', '/v1/api/auth/refresh', { body: { refreshToken } })
const age = (userId: number, hours: number) =>
  t.ownerSql('update sessions set created_at = created_at - make_interval(hours => $2) where user_id = $1', [
    userId,
    hours,
  ])
const codeOf = ({ json }: { json: { code?: string; error?: { code?: string } } }) => json.error?.code ?? json.code

test('a session that another opened is as old as the login, also in the same organization', async () => {
  const { as, userId } = await memberOfBoth()
  await age(userId, 5)
  const switched = await switchTo(as, t.main)
  assert.equal(switched.status, 200, switched.text)
  await asks(t.main.organizationId, 'session_max_hours = 4')
  assert.equal(codeOf(await refresh(switched.json.data.refreshToken)), 'invalid_refresh_token')
  assert.equal(codeOf(await switchTo(as, t.main)), 'switch_needs_login')
  assert.equal((await switchTo(as, t.other)).status, 200)
  await asks(t.other.organizationId, 'session_max_hours = 4')
  assert.equal(codeOf(await switchTo(as, t.other)), 'switch_needs_login')
})

test('it comes from an address that the other organization lets people in from', async () => {
  const { as } = await memberOfBoth()
  await asks(t.other.organizationId, "allowed_addresses = '{203.0.113.0/24}'")
  assert.equal(codeOf(await switchTo(as, t.other)), 'address_not_allowed')
  assert.equal((await switchTo(as, t.other, '203.0.113.9')).status, 200)
})

test('it showed a second factor where the other organization asks for one, or the account has one', async () => {
  const [weak, strong] = [await memberOfBoth(), await memberOfBoth(true)]
  await asks(t.other.organizationId, 'require_second_factor = true')
  assert.equal(codeOf(await switchTo(weak.as, t.other)), 'switch_needs_login')
  // The session in which the factor was set up showed a code of it; one whose device stood for it did not.
  assert.equal((await switchTo(strong.as, t.other)).status, 200)
  await t.ownerSql('update sessions set factor_at = null where user_id = $1', [strong.userId])
  assert.equal(codeOf(await switchTo(strong.as, t.other)), 'switch_needs_login')
  assert.equal(
    (await logIn(t, weak.email, { organizationId: t.other.organizationId })).code,
    'second_factor_setup_required',
  )
})
