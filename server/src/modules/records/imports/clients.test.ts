// Imports that a client of OAuth begins: in the background they may do what its token could, while what lets it in stands, and no more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { basic, startOAuth } from '../../../../test/oauth.ts'
import { sendFile, workOnRecords } from '../../../../test/record_work.ts'

const { t, newApp, post } = await startOAuth()
const scopes = ['imports:run', 'leads:read', 'leads:create', 'leads:update']

async function begun(scope: string, csv: string) {
  const app = await newApp({ scopes })
  const form = { grant_type: 'client_credentials', scope }
  const as = (await post('/oauth/token', form, basic(app.live.clientId, app.live.secret))).json.access_token as string
  const sent = await sendFile(t, 'leads', csv, { as })
  assert.equal(sent.status, 201, JSON.stringify(sent.json))
  const { id } = sent.json['import'] as { id: string }
  const { status, text } = await t.call('POST', `/v1/api/imports/${id}/run`, { as })
  assert.equal(status, 200, text)
  return { id, app }
}

async function ended(id: string) {
  await workOnRecords(t)
  return (await t.call('GET', `/v1/api/imports/${id}`, { as: t.main.tokens.Admin })).json.import
}

const fresh = (n: number) => `first_name,last_name,email\nAda,Park,client${n}@lead.example\n`

test('a token without leads:update changes none, though its app acts as an Admin', async () => {
  const first = await ended((await begun(scopes.join(' '), fresh(1))).id)
  assert.deepEqual([first.created, first.refused], [1, 0], JSON.stringify(first))
  const [lead] = await t.ownerSql<{ id: number }>(
    "select id::int as id from leads where email = 'client1@lead.example'",
  )
  const change = `id,first_name\n${lead?.id},Grace\n`
  const less = await ended((await begun('imports:run leads:read leads:create', change)).id)
  assert.deepEqual([less.updated, less.refused], [0, 1], JSON.stringify(less))
  const more = await ended((await begun(scopes.join(' '), change)).id)
  assert.deepEqual([more.updated, more.refused], [1, 0], JSON.stringify(more))
})

test('nothing goes on of an app that was suspended meanwhile', async () => {
  const { id, app } = await begun(scopes.join(' '), fresh(2))
  await t.ownerSql("update oauth_apps set status = 'suspended' where id = $1", [app.appId])
  const { state, created } = await ended(id)
  assert.deepEqual([state, created], ['failed', 0])
})
