// Nobody gets to be the owner of an organization, who owned it a moment ago, or an operator of the installation, by setting how they log in.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { owned, settle } from '../../../../test/contracts/members.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { newOperator } from '../../../../test/operators.ts'
import { strongSomebody } from '../../../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const password = 'seven brass lanterns drift'
const update = (id: number, body: object, as = t.main.tokens.Admin) =>
  t.call('PATCH', `/v1/api/users/${id}`, { as, body })
const reset = (id: number, as = t.main.tokens.Admin) =>
  t.call('DELETE', `/v2/users/${id}/factors?reason=${encodeURIComponent('lost the phone')}`, { as })

async function isRefused(id: number): Promise<void> {
  const attempts = [
    await update(id, { password, temporaryPassword: false }),
    await update(id, { email: `taken${id}@example.com` }),
    await reset(id),
  ]
  for (const { status, json, text } of attempts) {
    assert.equal(status, 409, text)
    assert.equal(json.code ?? json.error?.code, 'account_protected')
  }
}

test('an operator of the installation', async () => {
  await isRefused((await newOperator(t)).userId)
})

test('the owner, and who may still take the ownership back; not themselves, nor anybody else', async () => {
  const [owner, other] = [await strongSomebody(t, 'Admin'), await strongSomebody(t, 'Admin')]
  const own = (id: number) =>
    t.ownerSql('update organizations set owner_user_id = $2 where id = $1', [t.main.organizationId, id])
  await own(owner.userId)
  await isRefused(owner.userId)
  await own(t.main.users.Admin.id)
  await t.ownerSql(
    `insert into ownership_transfers (organization_id, id, from_user_id, to_user_id, state, expires_at, undo_until, created_at, decided_at)
     values ($1, 'own_01k9r7d3w2v8e6q4n5m1b0c9xz', $2, $3, 'accepted', now(), now() + interval '1 day', now(), now())`,
    [t.main.organizationId, owner.userId, other.userId],
  )
  await isRefused(owner.userId)
  assert.equal((await update(owner.userId, { password, temporaryPassword: false }, owner.as)).status, 200)
  assert.equal((await update(other.userId, { password, temporaryPassword: false })).status, 200)
  assert.equal((await reset(other.userId)).status, 200)
})

test('not by an API key of theirs either, which others may have', async () => {
  const { owner, heir } = await owned(t)
  const key = await t.call('POST', '/v2/auth/api-keys', { as: owner.as, body: { name: 'Integration', mode: 'live' } })
  const { secret } = key.json.data
  for (const handedOver of [false, true]) {
    if (handedOver)
      for (const [path, as] of [['', owner.as] as const, ['/accept', heir.as] as const])
        await t.call('POST', `/v2/organization/transfer${path}`, {
          as,
          body: path === '' ? { toUserId: heir.userId } : {},
        })
    for (const body of [{ password, temporaryPassword: false }, { email: 'taken@example.com' }]) {
      const { json, text } = await update(owner.userId, body, secret)
      assert.equal(json.code, 'account_protected', text)
    }
    assert.equal((await update(owner.userId, { name: 'Renamed' }, secret)).status, 200)
  }
  const ended = await t.call('DELETE', `/v2/users/${owner.userId}/sessions`, { as: secret })
  assert.equal(ended.json.error?.code, 'transfer_open', ended.text)
  await settle(t)
})

test('who owned it takes it back also while the new owner is closing it', async () => {
  const { owner, heir } = await owned(t)
  const post = (path: string, as: string, body?: object) =>
    t.call('POST', `/v2/organization/${path}`, { as, ...(body && { body }) })
  assert.equal((await post('transfer', owner.as, { toUserId: heir.userId })).status, 201)
  assert.equal((await post('transfer/accept', heir.as)).status, 200)
  const [row] = await t.ownerSql<{ name: string }>('select name from organizations where id = $1', [
    t.main.organizationId,
  ])
  assert.equal((await post('close', heir.as, { name: row!.name })).status, 200)
  assert.equal((await post('reopen', owner.as)).json.error.code, 'owner_required')
  const undone = await post('transfer/undo', owner.as)
  assert.equal(undone.json.data?.state, 'undone', undone.text)
  assert.equal((await post('reopen', heir.as)).json.error.code, 'owner_required')
  assert.equal((await post('reopen', owner.as)).json.data.state, 'active')
})
