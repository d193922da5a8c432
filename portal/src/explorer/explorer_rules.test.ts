// The rules behind the Explorer's list: who may call what and why not, and which letters of a result are marked.
import '../../test/words.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pieces, typedWords } from './highlight.ts'
import { type Caller, mayCall } from './may_call.ts'

const sending = { level: 'messages:send', roles: ['Admin', 'Sales Manager'] }
const keyOf = (role: string, scopes: string[] | null): Caller => ({ role, key: { name: 'dev', scopes } })

test('a role may call what it holds, and sees whom to ask otherwise', () => {
  assert.equal(mayCall(sending, { role: 'Admin' }).allowed, true)
  const refused = mayCall(sending, { role: 'Finance Manager' })
  assert.equal(refused.allowed, false)
  assert.match(
    refused.reason,
    /Finance Manager, doesn’t include messages:send\. Ask an admin .* Admin or Sales Manager\./,
  )
})

test('a key needs the right of its owner and the scope', () => {
  assert.equal(mayCall(sending, keyOf('Admin', null)).allowed, true)
  assert.equal(mayCall(sending, keyOf('Admin', ['messages:send'])).allowed, true)
  assert.match(mayCall(sending, keyOf('Admin', ['leads:read'])).reason, /“dev” can’t .*scope messages:send/)
  // A scope outlives the role it was given under, but gives nothing by itself.
  const demoted = mayCall(sending, keyOf('Finance Manager', ['messages:send']))
  assert.equal(demoted.allowed, false)
  assert.match(demoted.reason, /owner’s role/)
})

test('what both modes share is not offered in test mode, and the way to live mode is named', () => {
  const shared = { level: 'users:manage', roles: ['Admin'], liveOnly: true as const }
  assert.equal(mayCall(shared, { role: 'Admin', mode: 'live' }).allowed, true)
  const inTest = mayCall(shared, { role: 'Admin', mode: 'test' })
  assert.equal(inTest.allowed, false)
  assert.match(inTest.reason, /Switch to live mode/)
  assert.match(mayCall(shared, { ...keyOf('Admin', null), mode: 'test' }).reason, /Use a live key/)
  assert.equal(mayCall(sending, { role: 'Admin', mode: 'test' }).allowed, true)
})

test('public endpoints are open to all', () => {
  assert.equal(mayCall({ level: 'public', roles: [] }, keyOf('Finance Manager', [])).allowed, true)
})

const marked = (text: string, typed: string) =>
  pieces(text, typedWords(typed))
    .map(({ text: part, hit }) => (hit ? `[${part}]` : part))
    .join('')

test('what was typed is marked where a word begins with it', () => {
  assert.equal(marked('Send an SMS', 'sms sen'), '[Sen]d an [SMS]')
  assert.equal(marked('/v2/messages/{messageId}', 'mess id'), '/v2/[mess]ages/{[mess]age[Id]}')
  assert.equal(marked('Send an SMS', ''), 'Send an SMS')
  assert.equal(marked('List leads', 'invoice'), 'List leads')
})

test('a word that is a typo away is marked whole', () => {
  assert.equal(marked('Create an invoice', 'invioce'), 'Create an [invoice]')
  assert.equal(marked('List messages', 'mesage'), 'List [messages]')
  assert.equal(marked('Get a call', 'gt'), 'Get a call')
})
