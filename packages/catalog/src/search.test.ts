// The Explorer finds what people type: a fixed set of queries over the real document, with typos, synonyms, addresses in
// whole and in part, each with the endpoint that is meant.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { catalogIndex, createSearch } from './index.ts'
import { topicIds } from './topics.ts'

const document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const entries = catalogIndex(document)
const search = createSearch(entries)
const idsFor = (typed: string) => search(typed).map(({ id }) => id)

/** What is typed, and the endpoint that is meant. */
const queries: [typed: string, meant: string][] = [
  ['send sms', 'messages.sms.send'],
  ['send text', 'messages.sms.send'],
  ['sned sms', 'messages.sms.send'],
  ['how do i send a text', 'messages.sms.send'],
  ['POST /v2/messages/sms', 'messages.sms.send'],
  ['/v2/messages/sms', 'messages.sms.send'],
  ['http://localhost:3000/v2/messages/sms?x=1', 'messages.sms.send'],
  ['messages/sms', 'messages.sms.send'],
  ['messages.sms.send', 'messages.sms.send'],
  ['list messages', 'messages.list'],
  ['mesages list', 'messages.list'],
  ['list mesage', 'messages.list'],
  ['read a message', 'messages.get'],
  ['start call', 'calls.create'],
  ['phone call', 'calls.create'],
  ['voice v2', 'calls.create'],
  ['hangup', 'calls.hangup'],
  ['hang up', 'calls.hangup'],
  ['list calls', 'calls.list'],
  ['login', 'auth.login'],
  ['log in', 'auth.login'],
  ['logn', 'auth.login'],
  ['sign-in', 'auth.login'],
  ['sign in', 'auth.login'],
  ['refresh token', 'auth.refresh'],
  ['who am i', 'auth.me'],
  ['create lead', 'leads.create'],
  ['new lead', 'leads.create'],
  ['add prospect', 'leads.create'],
  ['craete leed', 'leads.create'],
  ['post leads', 'leads.create'],
  ['delete lead', 'leads.delete'],
  ['DELETE /v1/api/leads/42', 'leads.delete'],
  ['restore lead', 'leads.restore'],
  ['list invoices', 'invoices.list'],
  ['GET /v1/api/finance/invoices', 'invoices.list'],
  ['bill', 'invoices.create'],
  ['cancel invoice', 'invoices.cancel'],
  ['number audit', 'invoices.number_audit'],
  ['record payment', 'payments.create'],
  ['rotate key', 'api_keys.rotate'],
  ['api keys', 'api_keys.list'],
  ['revoke key', 'api_keys.revoke'],
  ['openapi', 'openapi.get'],
  ['error reference', 'problems.list'],
  ['update organization', 'organization.update'],
  ['invite', 'invitations.create'],
  ['invite a user', 'invitations.create'],
  ['role', 'roles.create'],
  ['change the role of a user', 'users.update'],
  ['reset password', 'auth.request_password_reset'],
  ['queue', 'calls.command'],
  ['voicemail', 'recordings.list'],
  ['agent', 'client_tokens.create'],
  ['time zone', 'organization.update'],
]

test('the first hit is right in 85 % of the queries, and the right one is among the first three in all', () => {
  const missed: string[] = []
  const second: string[] = []
  for (const [typed, meant] of queries) {
    const ids = idsFor(typed)
    if (ids[0] !== meant) second.push(`${typed}: ${ids.slice(0, 3).join(', ')}`)
    if (!ids.slice(0, 3).includes(meant)) missed.push(`${typed}: ${ids.slice(0, 3).join(', ')}`)
  }
  assert.deepEqual(missed, [])
  assert.ok(second.length / queries.length <= 0.15, `not first:\n${second.join('\n')}`)
})

test('what there is nothing for finds nothing, and no topic names an endpoint that is not there', () => {
  for (const typed of ['set up saml']) {
    assert.deepEqual(idsFor(typed), [], typed)
  }
  assert.deepEqual(
    topicIds.filter(id => !entries.some(entry => entry.id === id)),
    [],
  )
  for (const typed of ['two factor', 'two-factor', '2FA']) assert.equal(idsFor(typed)[0], 'factors.create_totp', typed)
  assert.equal(idsFor('password login')[0], 'account.change_password')
  assert.ok(idsFor('role of api keys').includes('api_keys.list'), 'other words count too')
})

test('every endpoint is found first by its address and by its id', () => {
  for (const { id, method, path } of entries) {
    assert.equal(idsFor(`${method} ${path}`)[0], id)
    assert.equal(idsFor(`${method.toLowerCase()} ${path.toUpperCase()}`)[0], id)
    assert.equal(idsFor(id)[0], id)
  }
})

test('every endpoint is among the first three by its name, also with one letter missing in its longest word', () => {
  for (const { id, name } of entries) {
    assert.ok(idsFor(name).slice(0, 3).includes(id), name)
    const longest = name.split(/\W+/).sort((a, b) => b.length - a.length)[0] as string
    // What is left of a word of four letters is the beginning of others.
    if (longest.length < 5) continue
    const misspelt = name.replace(longest, longest.slice(0, 2) + longest.slice(3))
    assert.ok(idsFor(misspelt).slice(0, 3).includes(id), `${misspelt}: ${idsFor(misspelt).slice(0, 3)}`)
  }
})

test('category and version alone give all of theirs first', () => {
  for (const word of ['finance', 'messaging', 'crm']) {
    const own = entries.filter(({ category }) => category.toLowerCase() === word).length
    const found = search(word).slice(0, own)
    assert.ok(
      found.every(({ category }) => category.toLowerCase() === word),
      word,
    )
  }
  const v1 = entries.filter(({ version }) => version === 'v1').length
  assert.ok(
    search('v1')
      .slice(0, v1)
      .every(({ version }) => version === 'v1'),
  )
})

test('nothing typed gives all in their order; strange texts give nothing and break nothing', () => {
  assert.deepEqual(search('   '), entries)
  for (const typed of [
    '/',
    '///',
    '(',
    '\\',
    '[a-',
    '*',
    '{}',
    'zzzzqqqq',
    '\u0000',
    '🦆',
    '/v1/api/leads/(',
    'get ',
  ]) {
    assert.ok(Array.isArray(search(typed)), typed)
  }
  assert.deepEqual(search('zzzzqqqq'), [])
  assert.deepEqual(idsFor('constructor'), [])
})
