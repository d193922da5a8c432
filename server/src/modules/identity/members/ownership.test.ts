// A transfer of ownership: who offered it gets in to take it back, whatever the new owner sets; and what its mails link to.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { owned, settle } from '../../../../test/contracts/members.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  codeOf,
  logIn,
  ownPassword,
  type Somebody,
  type Strong,
  somebody,
  strongSomebody,
} from '../../../../test/people.ts'
import { enforceSso } from '../../../../test/sso.ts'
import { tickets } from '../sso/attempt.ts'
import { ticketCookie } from '../sso/index.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({ env: { TANDEM_PUBLIC_URL: 'https://example.com/crm/' } })
})
after(() => t?.close())

const hours = 3_600_000
const step = (path: string, as: string, body?: object) =>
  t.call('POST', `/v2/organization/transfer${path}`, { as, ...(body && { body }) })
const restrict = (as: string, allowedAddresses: string[]) =>
  t.call('PATCH', '/v2/organization/security', { as, body: { allowedAddresses } })
const endSessions = (id: number, as: string) => t.call('DELETE', `/v2/users/${id}/sessions`, { as })

/** As if the newest transfer had been decided so long ago. */
const age = (ms: number) =>
  t.ownerSql(
    `update ownership_transfers set undo_until = undo_until - $1 * interval '1 ms', decided_at = decided_at - $1 * interval '1 ms'
     where id = (select max(id) from ownership_transfers)`,
    [ms],
  )

/** The owner has a second factor, which is good for a new proof. */
async function strongOwner(): Promise<{ owner: Strong; heir: Somebody }> {
  const { heir } = await owned(t)
  const owner = await strongSomebody(t, 'Admin')
  await t.ownerSql('update organizations set owner_user_id = $2 where id = $1', [t.main.organizationId, owner.userId])
  return { owner, heir }
}

async function handedOver<Owner extends Somebody>({ owner, heir }: { owner: Owner; heir: Somebody }) {
  const offered = await step('', owner.as, { toUserId: heir.userId })
  assert.equal(offered.status, 201, offered.text)
  const accepted = await step('/accept', heir.as)
  assert.equal(accepted.status, 200, accepted.text)
}

const endEnforcing = () => t.ownerSql('delete from sso_connections')

test('mails link to the organization below the path at which the server is reached', async () => {
  const { owner, heir } = await owned(t)
  assert.equal((await step('', owner.as, { toUserId: heir.userId })).status, 201)
  const mails = await t.ownerSql<{ text: string }>("select text from mails where template = 'ownership_offered'")
  assert.equal(mails.length, 2)
  for (const { text } of mails) assert.match(text, /\nhttps:\/\/example\.com\/crm\/organization\n/)
})

test('from the offer on nobody else makes the allowed addresses fewer, until 72 hours after it was accepted, or taken back', async () => {
  const { owner, heir } = await owned(t)
  const code = async (as: string, ranges: string[]) => (await restrict(as, ranges)).json.error?.code
  assert.equal((await step('', owner.as, { toUserId: heir.userId })).status, 201)
  assert.equal(
    await code(heir.as, ['127.0.0.1']),
    'transfer_open',
    'before it is accepted, so that it is of no use to be quick',
  )
  assert.equal(await code(owner.as, ['127.0.0.0/8']), undefined, 'they know from where they come')
  assert.equal((await step('/accept', heir.as)).status, 200)
  assert.equal(await code(heir.as, ['127.0.0.1']), 'transfer_open')
  const preview = { as: heir.as, body: { allowedAddresses: ['127.0.0.1'] } }
  const previewed = await t.call('POST', '/v2/organization/security/preview', preview)
  assert.equal(previewed.json.error?.code, 'transfer_open', previewed.text)
  assert.equal(await code(heir.as, ['127.0.0.0/8', '203.0.113.0/24']), undefined, 'more are no harm')
  assert.equal(await code(heir.as, []), undefined)
  await age(71 * hours)
  assert.equal(await code(heir.as, ['127.0.0.1']), 'transfer_open')
  const undone = await step('/undo', owner.as)
  assert.equal(undone.status, 200, undone.text)
  assert.equal(await code(heir.as, ['127.0.0.1']), 'transfer_open', 'who took it back has time to put things in order')
  await age(72 * hours)
  assert.equal(await code(heir.as, ['127.0.0.0/8']), undefined)
  assert.equal(await code(heir.as, []), undefined)
})

test('nobody offers it from where they could not log in again', async () => {
  const { owner, heir } = await owned(t)
  const set = (ranges: string[]) =>
    t.ownerSql('update security_policies set allowed_addresses = $2 where organization_id = $1', [
      t.main.organizationId,
      ranges,
    ])
  await set(['203.0.113.0/24'])
  const offered = await step('', owner.as, { toUserId: heir.userId })
  await set([])
  assert.equal(offered.json.error?.code, 'would_lock_out', offered.text)
})

test('sessions of who can take it back are not ended by others; sessions of others are', async () => {
  const { owner, heir } = await owned(t)
  await handedOver({ owner, heir })
  assert.equal((await endSessions(owner.userId, heir.as)).json.error?.code, 'transfer_open')
  const other = await somebody(t)
  assert.equal((await endSessions(other.userId, heir.as)).status, 200)
  assert.equal((await endSessions(owner.userId, owner.as)).status, 200, 'they may')
  await age(72 * hours)
  assert.equal((await endSessions(owner.userId, heir.as)).status, 200)
})

test('an identity provider is neither switched on nor changed against them', async () => {
  const { owner, heir } = await owned(t)
  await handedOver({ owner, heir })
  await enforceSso(t, t.main.organizationId)
  const [row] = await t.ownerSql<{ id: string }>("update sso_connections set status = 'active' returning id")
  const update = async (as: string, body: object) =>
    (await t.call('PATCH', `/v2/organization/sso-connections/${row!.id}`, { as, body })).json
  const enforce = { status: 'enforced', breakGlassUserIds: [heir.userId, t.main.users.Admin.id] }
  assert.equal((await update(heir.as, enforce)).error?.code, 'transfer_open')
  assert.equal((await update(heir.as, { createsMembers: true })).error?.code, 'transfer_open')
  assert.equal(
    (await update(heir.as, { clientSecret: 'another' })).data?.status,
    'active',
    'the one before may have run out',
  )
  assert.equal((await update(heir.as, { name: 'Renamed' })).data?.name, 'Renamed')
  assert.equal((await update(owner.as, enforce)).data?.status, 'enforced', 'by them it is')
  assert.equal((await update(heir.as, { breakGlassUserIds: [heir.userId] })).error?.code, 'transfer_open')
  assert.equal((await update(heir.as, { status: 'disabled' })).data?.status, 'disabled')
  await age(72 * hours)
  assert.equal((await update(heir.as, { status: 'draft' })).data?.status, 'draft')
  await endEnforcing()
})

test('where there is a provider, it is offered by who gets in without it', async () => {
  const { owner, heir } = await owned(t)
  await enforceSso(t, t.main.organizationId)
  const refused = await step('', owner.as, { toUserId: heir.userId })
  assert.equal(refused.json.error?.code, 'would_lock_out', refused.text)
  assert.match(refused.json.error.message, /passkey, or a password and a second factor/)
  const strong = await strongOwner()
  await enforceSso(t, t.main.organizationId)
  await t.ownerSql('update accounts set password_hash = null where email = $1', [strong.owner.email])
  assert.equal((await step('', strong.owner.as, { toUserId: heir.userId })).json.error?.code, 'would_lock_out')
  await endEnforcing()
})

test('an enforced provider lets them in with password and second factor, in that login, and for this time only', async () => {
  const { owner, heir } = await strongOwner()
  await enforceSso(t, t.main.organizationId)
  const mine = async (more: object = {}) => logIn(t, owner.email, more)
  assert.equal((await mine()).code, 'second_factor_required', 'the owner, where nobody is named for emergencies')
  await t.ownerSql('update sso_connections set break_glass = $1', [[heir.userId]])
  assert.equal((await mine()).code, 'sso_required', 'as long as nothing was handed over')
  await handedOver({ owner, heir })
  const portal = (path: string, body: object, cookie = '') =>
    t.call('POST', `/portal/session${path}`, { headers: { 'x-tandem-portal': '1', cookie }, body })
  const credentials = { emailOrAdminId: owner.email, password: ownPassword }
  const asked = (await portal('', credentials)).json.error
  assert.equal(asked.code, 'second_factor_required')
  const { challengeToken } = asked
  const entered = await portal('/verify', { challengeToken, code: codeOf(t, owner.secret, 1), trustDevice: true })
  assert.equal(entered.status, 200, entered.text)
  const device = [entered.headers['set-cookie'] ?? []].flat().find(cookie => cookie.startsWith('tandem_portal_device='))
  const again = await portal('', credentials, device?.split(';')[0])
  assert.equal(again.json.error?.code, 'second_factor_required', 'a browser that is trusted does not stand for it')
  const undone = await step('/undo', entered.json.accessTokens.live.accessToken)
  assert.equal(undone.json.data?.state, 'undone', undone.text)
  assert.equal((await mine()).code, 'second_factor_required', 'to put things in order')
  await age(72 * hours)
  assert.equal((await mine()).code, 'sso_required')
  await settle(t)
  await endEnforcing()
})

test('a second factor that the provider vouches for does not stand for theirs: others could come as them, and end their sessions', async () => {
  const { owner, heir } = await strongOwner()
  await enforceSso(t, t.main.organizationId)
  const [account] = await t.ownerSql<{ account_id: number }>('select account_id::integer from users where id = $1', [
    owner.userId,
  ])
  const who = { organizationId: t.main.organizationId, userId: owner.userId, accountId: account!.account_id }
  const come = async (nonce: string) => {
    const ticket = { ...who, isStrong: true, authAtMs: null, nonce: `${nonce} ${owner.userId}` }
    const cookie = `tandem_portal_${ticketCookie}=${tickets.close(t.app.services.keyring, ticket, t.clock.now())}`
    const { status, json } = await t.call('POST', '/portal/session/sso', {
      headers: { 'x-tandem-portal': '1', cookie },
    })
    return json.error?.code ?? status
  }
  assert.equal(await come('before'), 200)
  await handedOver({ owner, heir })
  assert.equal(await come('meanwhile'), 'second_factor_required')
  await age(72 * hours)
  assert.equal(await come('after'), 200)
  await settle(t)
  await endEnforcing()
})

test('the way past the provider stays while who took it back offers it once more', async () => {
  const { owner, heir } = await strongOwner()
  await handedOver({ owner, heir })
  assert.equal((await step('/undo', owner.as)).status, 200)
  assert.equal((await step('', owner.as, { toUserId: heir.userId })).status, 201)
  await enforceSso(t, t.main.organizationId)
  await t.ownerSql('update sso_connections set break_glass = $1', [[heir.userId]])
  assert.equal((await logIn(t, owner.email)).code, 'second_factor_required')
  await settle(t)
  await endEnforcing()
})

test('it is no way around the provider for anybody else, nor with the password alone', async () => {
  const { owner, heir } = await owned(t)
  await handedOver({ owner, heir })
  const other = await strongSomebody(t)
  await enforceSso(t, t.main.organizationId)
  await t.ownerSql('update sso_connections set break_glass = $1', [[t.main.users.Admin.id]])
  assert.equal((await logIn(t, other.email)).code, 'sso_required')
  assert.equal((await logIn(t, heir.email)).code, 'sso_required')
  assert.equal((await logIn(t, owner.email)).code, 'sso_required', 'without a second factor')
  await endEnforcing()
})
