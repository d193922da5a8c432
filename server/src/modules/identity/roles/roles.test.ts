// Roles of an organization's own: what they may hold, who makes and gives them, and what an Admin is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused, startUsers } from '../../../../test/users.ts'
import { rolePermissions } from '../../../nouns.ts'

const { t, admin, login, newUser } = await startUsers()
const as = () => t.main.tokens.Admin

async function role(body: object) {
  const answer = await t.call('POST', '/v2/roles', {
    as: as(),
    body: { base: 'Sales Executive', permissions: [], ...body },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.json.data
}

test('a role holds what it may, and what is said to be in every role', async () => {
  const never = { name: 'No', base: 'Sales Manager', permissions: ['security:manage'] }
  const refusal = await t.call('POST', '/v2/roles', { as: as(), body: never })
  assert.equal(refusal.status, 400)
  assert.match(refusal.json.error.details[0].message, /made of Admin only/)
  const partly = { name: 'No', base: 'Sales Manager', permissions: ['webhooks:manage'], rows: { leads: 'own' } }
  assert.equal((await t.call('POST', '/v2/roles', { as: as(), body: partly })).status, 400)
  const { permissions, rows } = await role({ name: 'Little' })
  assert.deepEqual(permissions, ['profile:read', 'profile:update', 'stream:open'])
  assert.equal(rows.leads, 'own')
})

test('the archive of the organization is for roles that see all records', async () => {
  const body = { name: 'Archivist', base: 'Sales Manager', permissions: ['organization:export'] }
  const partly = await t.call('POST', '/v2/roles', { as: as(), body: { ...body, rows: { leads: 'own' } } })
  assert.equal(partly.status, 400, partly.text)
  const { roleId } = await role(body)
  const { email } = await newUser({ role: undefined, roleId })
  const archivist = (await login(email)).json.accessToken
  const made = await t.call('POST', '/v2/organization/exports', { as: archivist })
  assert.equal(made.status, 201, made.text)
  // As one that was made before this was asked for.
  await t.ownerSql(`update roles set rows = jsonb_set(rows::jsonb, '{leads}', '"own"')::json where id = $1`, [roleId])
  t.app.services.authenticator.forget()
  for (const [method, path] of [
    ['POST', '/v2/organization/exports'],
    ['GET', `/v2/organization/exports/${made.json.data.exportId}/file`],
  ] as const) {
    const { status, json } = await t.call(method, path, { as: archivist })
    assert.deepEqual([status, json.error?.code], [403, 'insufficient_role'])
  }
})

test('a change is revoked on every node; the session stays', async () => {
  const { roleId } = await role({ name: 'Reader', permissions: ['leads:read'] })
  const { email } = await newUser({ role: undefined, roleId })
  const token = (await login(email)).json.accessToken
  const status = async () => (await t.call('GET', '/v1/api/leads', { as: token })).status
  assert.equal(await status(), 200)
  const [before] = await t.ownerSql<{ max: number }>('select coalesce(max(id), 0) as max from revocations')
  const changed = await t.call('PATCH', `/v2/roles/${roleId}`, { as: as(), body: { permissions: [] } })
  assert.equal(changed.status, 200, changed.text)
  assert.equal(await status(), 403)
  const [after] = await t.ownerSql<{ kind: string }>(
    "select kind from revocations where id > $1 and kind = 'organization'",
    [before!.max],
  )
  assert.equal(after?.kind, 'organization')
  assert.equal((await t.call('GET', '/v1/api/auth/me', { as: token })).status, 200)
})

test('nobody gives a role that holds more than they do', async () => {
  const held = [...rolePermissions['Sales Manager'], 'users:manage']
  const deputy = await role({ name: 'Deputy', base: 'Sales Manager', permissions: held })
  const more = await role({ name: 'More', base: 'Finance Manager', permissions: ['invoices:create'] })
  const { email } = await newUser({ role: undefined, roleId: deputy.roleId })
  const token = (await login(email)).json.accessToken
  const { id } = await newUser()
  const options = { as: token }
  await refused(admin('PATCH', `/${id}`, { role: 'Admin' }, options), 403, 'scope_not_held')
  if (!rolePermissions['Sales Manager'].has('invoices:create'))
    await refused(admin('PATCH', `/${id}`, { roleId: more.roleId }, options), 403, 'scope_not_held')
  assert.equal((await admin('PATCH', `/${id}`, { roleId: deputy.roleId }, options)).status, 200)
})

test('the last Admin gets no role made of Admin, not even of two at once', async () => {
  const less = await role({ name: 'Less', base: 'Admin', permissions: ['roles:manage', 'users:read'], rows: {} })
  const other = await newUser({ role: 'Admin' })
  const second = (await login(other.email)).json.accessToken
  const answers = await Promise.all([
    admin('PATCH', `/${t.main.users.Admin.id}`, { roleId: less.roleId }, { as: second }),
    admin('PATCH', `/${other.id}`, { roleId: less.roleId }),
  ])
  const codes = answers.map(({ status, json }) => (status === 200 ? 'ok' : json.code)).sort()
  assert.equal(codes.filter(code => code === 'ok').length, 1, JSON.stringify(codes))
  const { json } = await t.call('GET', '/v1/api/users?role=Admin', { as: answers[0]!.status === 200 ? second : as() })
  assert.equal(json.users.filter((user: { roleId: null }) => user.roleId === null).length, 1)
})

test('with a role go expired invitations to it, which sent again would give all that its base may', async () => {
  const little = await role({ name: 'Auditor', base: 'Admin', permissions: ['audit:read'], rows: {} })
  const body = { email: 'auditor@example.com', roleId: little.roleId }
  const invited = await t.call('POST', '/v2/invitations', { as: as(), body })
  assert.equal(invited.status, 201, invited.text)
  const { invitationId } = invited.json.data
  const remove = () => t.call('DELETE', `/v2/roles/${little.roleId}`, { as: as() })
  assert.equal((await remove()).json.error.code, 'role_in_use')
  await t.ownerSql("update invitations set expires_at = now() - interval '1 hour' where id = $1", [invitationId])
  const removed = await remove()
  assert.equal(removed.status, 200, removed.text)
  const again = await t.call('POST', `/v2/invitations/${invitationId}/resend`, { as: as() })
  assert.equal(again.json.error?.code, 'invitation_decided', again.text)
  const [event, ...more] = await t.ownerSql<{ data: { state: string; roleId: string; by: { userId: number } } }>(
    "select data from events where type = 'invitation.revoked' and resource_id = $1",
    [invitationId],
  )
  assert.deepEqual(more, [], 'once')
  const { state, roleId, by } = event!.data
  assert.deepEqual([state, roleId, by.userId], ['revoked', little.roleId, t.main.users.Admin.id])
  const [entry] = await t.ownerSql<{ target_types: string[]; target_ids: string[]; before: { name: string } }>(
    "select target_types, target_ids, before from audit_events where action = 'role.deleted' and $1 = any (target_ids)",
    [little.roleId],
  )
  assert.deepEqual(entry?.target_types, ['role', 'invitation'])
  assert.deepEqual(entry.target_ids, [little.roleId, invitationId])
  assert.equal(entry.before.name, 'Auditor')
})
