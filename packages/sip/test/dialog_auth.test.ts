// Digest in a call (RFC 3261 §22): a proxy and a server that both ask, requests inside the dialog that bring their credentials
// along, and a redirected call (§8.1.3.4).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDigestClient } from '../src/dialog/digest_client.ts'
import { redirectCall, redirectTargets } from '../src/dialog/redirect.ts'
import { ackOf2xx, nextRequest } from '../src/dialog/requests.ts'
import { dialogFromResponse, planCall } from '../src/dialog/state.ts'
import { credentialsOf, digestSecret } from '../src/digest.ts'
import type { DigestGuard } from '../src/digest_guard.ts'
import { createDigestGuard } from '../src/digest_guard.ts'
import type { SipRequest } from '../src/message.ts'
import { isFault } from '../src/message.ts'
import { alice, overWire, respond, setUp, valuesOf, via } from './dialog_support.ts'

const account = { username: 'alice', password: 'secret' }
const random = (bytes: number) => Buffer.alloc(bytes, 9)
const guardOf = (realm: string) => createDigestGuard({ realm, key: Buffer.alloc(16, 3), algorithms: ['MD5'] })

function check(guard: DigestGuard, request: SipRequest, status: 401 | 407, realm: string) {
  const credentials = credentialsOf(request, status === 401 ? 'Authorization' : 'Proxy-Authorization', realm)
  if (credentials === undefined || isFault(credentials)) return 'none'
  assert.equal(credentials.uri, request.uri)
  const secret = digestSecret(credentials.algorithm, account.username, realm, account.password)
  return guard.check(credentials, { secret, method: request.method, uri: request.uri }, 0)
}

test('a proxy and a server ask one after the other; the ACK and the BYE have what they want', () => {
  const [proxy, server] = [guardOf('proxy.example'), guardOf('server.example')]
  const digest = createDigestClient(account, random)
  const { credentials } = digest
  const first = nextRequest(planCall(alice), 'INVITE', { via, credentials })
  assert.equal(
    digest.challenged(respond(first.request, 407, { headers: proxy.challenge(407, 0) }).message, first.request),
    'retry',
  )
  const second = nextRequest(first.dialog, 'INVITE', { via, credentials })
  assert.equal(check(proxy, second.request, 407, 'proxy.example'), 'right')
  assert.equal(
    digest.challenged(respond(second.request, 401, { headers: server.challenge(401, 0) }).message, second.request),
    'retry',
  )
  const third = nextRequest(second.dialog, 'INVITE', { via, credentials })
  assert.equal(check(proxy, third.request, 407, 'proxy.example'), 'right')
  assert.equal(check(server, third.request, 401, 'server.example'), 'right')
  digest.accepted()
  const answer = respond(third.request, 200)
  const caller = dialogFromResponse(third.dialog, answer.message, answer.core)!
  const ack = ackOf2xx(caller, { via, invite: third.request })
  assert.deepEqual(valuesOf(ack.request, 'Authorization'), valuesOf(third.request, 'Authorization'))
  assert.deepEqual(valuesOf(ack.request, 'Proxy-Authorization'), valuesOf(third.request, 'Proxy-Authorization'))
  const bye = nextRequest(caller, 'BYE', { via, credentials })
  assert.equal(check(proxy, bye.request, 407, 'proxy.example'), 'right')
  assert.equal(check(server, bye.request, 401, 'server.example'), 'right')
})

test('after a crash a new client answers the challenge to the BYE', () => {
  const guard = guardOf('server.example')
  const digest = createDigestClient(account, random)
  const { caller } = setUp()
  const bye = nextRequest(caller, 'BYE', { via, credentials: digest.credentials })
  assert.equal(
    digest.challenged(respond(bye.request, 401, { headers: guard.challenge(401, 0) }).message, bye.request),
    'retry',
  )
  const again = nextRequest(bye.dialog, 'BYE', { via, credentials: digest.credentials })
  assert.equal(check(guard, again.request, 401, 'server.example'), 'right')
  assert.deepEqual(valuesOf(again.request, 'CSeq'), ['3 BYE'])
})

test('a second challenge for the same nonce means the password is wrong', () => {
  const guard = guardOf('server.example')
  const digest = createDigestClient({ ...account, password: 'other' }, random)
  const first = nextRequest(planCall(alice), 'INVITE', { via, credentials: digest.credentials })
  const challenge = () => guard.challenge(401, 0)
  assert.equal(digest.challenged(respond(first.request, 401, { headers: challenge() }).message, first.request), 'retry')
  const second = nextRequest(first.dialog, 'INVITE', { via, credentials: digest.credentials })
  assert.equal(check(guard, second.request, 401, 'server.example'), 'wrong')
  assert.equal(
    digest.challenged(respond(second.request, 401, { headers: challenge() }).message, second.request),
    'wrong',
  )
  assert.equal(digest.challenged(respond(second.request, 401).message, second.request), 'unknown')
})

test('a 3xx names others, best first, and the call goes on to them', () => {
  const first = nextRequest(planCall(alice), 'INVITE', { via })
  const contacts =
    '<sip:a@one.example?Route=x>;q=0.3, <sip:b@two.example>;q=0.8, <mailto:c@d>, <tel:+4930123>, <sip:b@two.example>'
  const moved = overWire({
    ...respond(first.request, 302).message,
    headers: respond(first.request, 302, { contact: contacts }).message.headers,
  })
  assert.deepEqual(redirectTargets(moved.core), ['tel:+4930123', 'sip:b@two.example', 'sip:a@one.example'])
  const next = nextRequest(redirectCall(first.dialog, 'sip:b@two.example'), 'INVITE', { via })
  assert.equal(next.request.uri, 'sip:b@two.example')
  assert.deepEqual(valuesOf(next.request, 'CSeq'), ['2 INVITE'])
  for (const name of ['From', 'To', 'Call-ID'])
    assert.deepEqual(valuesOf(next.request, name), valuesOf(first.request, name))
  assert.throws(() => redirectCall(setUp().caller, 'sip:x@y'), /has a dialog already/)
})
