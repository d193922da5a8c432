// Tokens of operators reach no organization, and those of organizations no operator's endpoint; an operator for support changes nothing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { decodeJwt } from 'jose'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { newOperator } from '../../../../test/operators.ts'
import { somebody } from '../../../../test/people.ts'
import { catalog } from '../../../catalog.ts'
import { fullPath } from '../../../kernel/endpoint/endpoint.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const organizations = '/v2/operator/organizations'
const codeOf = ({ json }: { json: { code?: string; error?: { code?: string } } }) => json?.error?.code ?? json?.code

test('the token of an operator is none at any endpoint of an organization, and the reverse', async () => {
  const { token } = await newOperator(t)
  // What else a token says is refused too: the audience is the first of several bars (RFC 8725 §3.9).
  assert.equal(decodeJwt(token).aud, 'tandem-operator')
  for (const definition of catalog) {
    const url = fullPath(definition).replaceAll(/\{\w+\}/g, '1')
    if (definition.operator !== undefined)
      for (const as of [t.main.tokens.Admin, t.main.liveKey])
        assert.equal(codeOf(await t.call(definition.method, url, { as })), 'invalid_token', definition.id)
    else if (definition.permission !== 'public')
      assert.equal(codeOf(await t.call(definition.method, url, { as: token })), 'invalid_token', definition.id)
  }
})

test('an operator for support looks, and changes nothing', async () => {
  const { token } = await newOperator(t, 'support')
  assert.equal((await t.call('GET', organizations, { as: token })).status, 200)
  const suspend = `${organizations}/${t.other.organizationId}/suspend`
  assert.equal(
    codeOf(await t.call('POST', suspend, { as: token, body: { reason: 'no reason' } })),
    'operator_reads_only',
  )
})

test('a token is for operators with a second factor, and ends with the session and with what the account is', async () => {
  const nobody = await somebody(t)
  assert.equal(codeOf(await t.call('POST', '/v2/operator/tokens', { as: nobody.as })), 'not_operator')
  await t.ownerSql("insert into operators (account_id, level) select id, 'full' from accounts where email = $1", [
    nobody.email,
  ])
  assert.equal(codeOf(await t.call('POST', '/v2/operator/tokens', { as: nobody.as })), 'not_operator')
  const one = await newOperator(t)
  await t.call('POST', '/v1/api/auth/logout', { as: one.as })
  assert.equal(codeOf(await t.call('GET', organizations, { as: one.token })), 'token_revoked')
  const other = await newOperator(t)
  await t.ownerSql('delete from operators where account_id = $1', [other.accountId])
  assert.equal(codeOf(await t.call('GET', organizations, { as: other.token })), 'token_revoked')
})

test('what an operator does is in the audit log of the organization, and in the list of operators', async () => {
  const { token, email } = await newOperator(t)
  const id = t.other.organizationId
  for (const event of ['suspend', 'resume'])
    await t.call('POST', `${organizations}/${id}/${event}`, { as: token, body: { reason: 'a trial' } })
  const { json } = await t.call('GET', '/v2/audit-events', { as: t.other.tokens.Admin })
  const [last] = json.data
  assert.deepEqual([last.action, last.actor.type, last.actor.name], ['organization.resumed', 'operator', email])
  const events = (await t.call('GET', `/v2/operator/audit-events?organizationId=${id}`, { as: token })).json.data
  assert.deepEqual(
    events.map(({ action }: { action: string }) => action),
    ['organization.resume', 'organization.suspend'],
  )
})
