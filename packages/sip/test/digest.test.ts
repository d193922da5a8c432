// Digest: the vectors of RFC 2617 §3.5 and RFC 7616 §3.9, the rules of RFC 8760 and RFC 3261 §22, and both sides together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DigestAlgorithm, DigestChallenge } from '../src/digest.ts'
import {
  answerChallenge,
  authHeader,
  challengesOf,
  credentialsOf,
  digestAlgorithms,
  digestResponse,
  digestSecret,
  formatChallenge,
  isRightResponse,
} from '../src/digest.ts'
import { createDigestGuard } from '../src/digest_guard.ts'
import type { SipHeader, SipRequest } from '../src/message.ts'
import { emptyBody, isFault } from '../src/message.ts'
import { createResponse } from '../src/replies.ts'

const request = (headers: SipHeader[], method = 'INVITE', body = emptyBody): SipRequest => ({
  kind: 'request',
  method,
  uri: 'sip:bob@biloxi.com',
  headers,
  body,
})

const challenged = (...values: string[]) =>
  challengesOf(
    createResponse(request([]), 401, { headers: values.map(value => ({ name: 'WWW-Authenticate', value })) }),
    'WWW-Authenticate',
  )

test('RFC 2617 §3.5, RFC 7616 §3.9.1 and §3.9.2 with its erratum 4897', () => {
  const get = (algorithm: DigestAlgorithm, person: string[], nonce: string, cnonce: string, uri: string) => {
    const secret = digestSecret(algorithm, person[0]!, person[1]!, person[2]!)
    return digestResponse({ algorithm, secret, nonce, method: 'GET', uri, qop: 'auth', nonceCount: '00000001', cnonce })
  }
  assert.equal(
    get(
      'MD5',
      ['Mufasa', 'testrealm@host.com', 'Circle Of Life'],
      'dcd98b7102dd2f0e8b11d0f600bfb0c093',
      '0a4f113b',
      '/dir/index.html',
    ),
    '6629fae49393a05397450978507c4ef1',
  )
  const mufasa = ['Mufasa', 'http-auth@example.org', 'Circle of Life']
  const nonce = '7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v'
  const cnonce = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ'
  assert.equal(get('MD5', mufasa, nonce, cnonce, '/dir/index.html'), '8ca523f5e9506fed4657c9700eebdbec')
  assert.equal(
    get('SHA-256', mufasa, nonce, cnonce, '/dir/index.html'),
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  )
  assert.equal(
    get(
      'SHA-512-256',
      ['Jäsøn Doe', 'api@example.org', 'Secret, or not?'],
      '5TsQWLVdgBdmrQ0XsxbDODV+57QdFR34I9HAbC/RVvkK',
      'NTg6RKcb9boFIAS3KrFK9BGeh+iDa/sm6jUMp2wds69v',
      '/doe.json',
    ),
    '3798d4131c277846293534c3edc11bd8a5e4cdcbff78b05db9d95eeb1cec68a5',
  )
})

test('RFC 2069, as corrected: no qop', () => {
  const secret = digestSecret('MD5', 'Mufasa', 'testrealm@host.com', 'CircleOfLife')
  const nonce = 'dcd98b7102dd2f0e8b11d0f600bfb0c093'
  const response = digestResponse({ algorithm: 'MD5', secret, nonce, method: 'GET', uri: '/dir/index.html' })
  assert.equal(response, '1949323746fe6a43ef61f9606e7febea')
})

test('RFC 3261 §20.44 and RFC 8760 §2.3: the first challenge we know of each realm', () => {
  const [first, ...others] = challenged(
    'Digest realm="atlanta.com", domain="sip:boxesbybob.com", qop="auth", nonce="f84f1cec", opaque="", stale=FALSE, algorithm=MD5',
  )
  assert.deepEqual(others, [])
  assert.deepEqual(first, {
    realm: 'atlanta.com',
    nonce: 'f84f1cec',
    opaque: '',
    isStale: false,
    algorithm: 'MD5',
    qop: ['auth'],
  })
  const offered = challenged(
    'Basic realm="a"',
    'Digest realm="a", nonce="n1", algorithm=SHA-1024, qop="auth"',
    'Digest realm="a" nonce="broken"',
    'Digest realm="a", nonce="n0", qop="other"',
    'digest Realm = "a" , NONCE="n2",algorithm="sha-256",qop="auth,auth-int",STALE=true',
    'Digest realm="a", nonce="n3", algorithm=MD5',
    'Digest realm="b", nonce="n4"',
  )
  assert.deepEqual(
    offered.map(({ realm, nonce, algorithm, isStale, qop }) => [realm, nonce, algorithm, isStale, qop.join()]),
    [
      ['a', 'n2', 'SHA-256', true, 'auth,auth-int'],
      ['b', 'n4', 'MD5', false, ''],
    ],
  )
})

test('what the client answers, the server finds right, in every algorithm and qop', () => {
  const body = Buffer.from('v=0\r\n')
  for (const algorithm of digestAlgorithms) {
    for (const qop of [[], ['auth'], ['auth-int'], ['auth-int', 'auth']] as DigestChallenge['qop'][]) {
      const realm = 'say "hi", all'
      const [challenge] = challenged(
        formatChallenge({ realm, nonce: 'n"1', opaque: 'o', isStale: false, algorithm, qop }),
      )
      assert.ok(challenge)
      const person = { username: 'Jürgen "J"', password: 'geheim:ß' }
      const value = answerChallenge(challenge, {
        ...person,
        method: 'INVITE',
        uri: 'sip:bob@biloxi.com',
        nonceCount: 10,
        cnonce: '0a4f113b',
        body,
      })
      const sent = request([authHeader(401, value)], 'INVITE', body)
      const credentials = credentialsOf(sent, 'Authorization', realm)
      assert.ok(credentials && !isFault(credentials), value)
      assert.equal(credentials.qop, qop.includes('auth') ? 'auth' : qop[0])
      assert.equal(credentials.nonceCount, qop.length === 0 ? undefined : '0000000a')
      const secret = digestSecret(algorithm, person.username, realm, person.password)
      assert.ok(isRightResponse(credentials, { secret, method: 'INVITE', body }))
      assert.ok(!isRightResponse(credentials, { secret, method: 'BYE', body }))
      assert.ok(
        !isRightResponse(credentials, { secret: digestSecret(algorithm, 'x', realm, 'y'), method: 'INVITE', body }),
      )
      assert.ok(!isRightResponse({ ...credentials, response: '' }, { secret, method: 'INVITE', body }))
      if (credentials.qop === 'auth-int') {
        assert.ok(!isRightResponse(credentials, { secret, method: 'INVITE', body: Buffer.from('other') }))
      }
    }
  }
})

test('credentials that lack something are faults; those for others are passed over', () => {
  const read = (value: string) => credentialsOf(request([{ name: 'Authorization', value }]), 'Authorization', 'r')
  for (const value of [
    'Digest username="a", realm="r", nonce="n", uri="sip:b"',
    'Digest username="a", realm="r", nonce="n", uri="sip:b", response="x", qop=auth',
    'Digest username="a", realm="r", nonce="n", uri="sip:b", response="x", qop=auth, nc=1, cnonce="c"',
    'Digest username="a", realm="r", nonce="n", uri="sip:b", response="x", qop=other',
    'Digest username="a", realm="r", realm="r"',
    'Digest username="a',
    'Digest',
  ]) {
    const fault = read(value)
    assert.ok(isFault(fault) && fault.status === 400 && fault.header === 'Authorization', value)
  }
  assert.equal(read('Digest username="a", realm="other", nonce="n", uri="sip:b", response="x"'), undefined)
  assert.equal(read('Bearer abc=='), undefined)
  // Without the quotes, as some devices send it.
  const bare = read('Digest username=a, realm=r, nonce=n==, uri=sip:b@c;transport=udp, response=x')
  assert.ok(bare && !isFault(bare))
  assert.deepEqual([bare.nonce, bare.uri], ['n==', 'sip:b@c;transport=udp'])
})

const key = Buffer.alloc(32, 5)
const uri = 'sip:x'
const start = 1_700_000_000_000

function answerOf(
  header: SipHeader | undefined,
  nonceCount: number,
  changes: { password?: string; uri?: string } = {},
) {
  const [challenge] = challenged(header!.value)
  const { password = 'secret', uri: signed = uri } = changes
  const value = answerChallenge(challenge!, {
    username: 'u',
    password,
    method: 'INVITE',
    uri: signed,
    nonceCount,
    cnonce: 'abcdefgh',
  })
  const credentials = credentialsOf(request([authHeader(401, value)]), 'Authorization', 'tandem')
  assert.ok(credentials && !isFault(credentials))
  return credentials
}

const proofOf = (algorithm: DigestAlgorithm) => ({
  secret: digestSecret(algorithm, 'u', 'tandem', 'secret'),
  method: 'INVITE',
  uri,
})

test('the guard: each count once, old and foreign nonces are stale', () => {
  const guard = createDigestGuard({ realm: 'tandem', key, lifetimeMs: 1000 })
  const headers = guard.challenge(401, start)
  assert.deepEqual(
    headers.map(({ value }) => /algorithm=([^,]+)/.exec(value)![1]),
    ['SHA-256', 'MD5'],
  )
  for (const [header, algorithm] of [
    [headers[0], 'SHA-256'],
    [guard.challenge(401, start)[1], 'MD5'],
  ] as const) {
    const check = (count: number, at = start) => guard.check(answerOf(header, count), proofOf(algorithm), at)
    assert.equal(check(1), 'right')
    assert.equal(check(1), 'stale')
    assert.equal(check(3), 'right')
    assert.equal(check(2), 'stale')
    assert.equal(check(4, start + 1000), 'right')
    assert.equal(check(5, start + 1001), 'stale')
    assert.equal(guard.check(answerOf(header, 9, { password: 'no' }), proofOf(algorithm), start), 'wrong')
  }
  const other = createDigestGuard({ realm: 'tandem', key: Buffer.alloc(32, 6) })
  assert.equal(other.check(answerOf(headers[0], 1), proofOf('SHA-256'), start), 'stale')
  assert.match(guard.challenge(407, start, { isStale: true })[0]!.value, /stale=true/)
  assert.equal(guard.challenge(407, start)[0]!.name, 'Proxy-Authenticate')
  assert.notEqual(guard.challenge(401, start)[0]!.value, guard.challenge(401, start)[0]!.value)
})

test('the guard keeps no more counts than it may, and forgets none in a way that lets credentials in twice', () => {
  const guard = createDigestGuard({ realm: 'tandem', key, maxNonces: 10 })
  const used = Array.from({ length: 30 }, (_, at) => answerOf(guard.challenge(401, start + at)[0], 1))
  for (const credentials of used) assert.equal(guard.check(credentials, proofOf('SHA-256'), start + 100), 'right')
  assert.equal(guard.kept, 10)
  for (const credentials of used) assert.equal(guard.check(credentials, proofOf('SHA-256'), start + 100), 'stale')
})

test('the guard: credentials are good for the URI they are for, as phones spell it, and for nobody else', () => {
  const guard = createDigestGuard({ realm: 'tandem', key })
  const verdict = (signed: string, requested: string) =>
    guard.check(
      answerOf(guard.challenge(401, start)[0], 1, { uri: signed }),
      { ...proofOf('SHA-256'), uri: requested },
      start,
    )
  const called = 'sip:+15550100@tandem.example'
  for (const spelt of [
    called,
    `${called};transport=tcp`,
    `${called}:5060`,
    'sip:+%315550100@TANDEM.example;user=phone',
  ])
    assert.equal(verdict(spelt, called), 'right', spelt)
  const others = [
    'sip:+15550101@tandem.example',
    'sip:tandem.example',
    'sips:+15550100@tandem.example',
    'sip:+15550100@x',
  ]
  for (const spelt of [...others, 'tel:+15550100', 'no URI']) assert.equal(verdict(spelt, called), 'elsewhere', spelt)
  assert.equal(verdict('tel:+1-555-0100', 'tel:+15550100'), 'right')
})

test('the guard: a nonce is good for the address it was made for, and not after a restart', () => {
  const guard = createDigestGuard({ realm: 'tandem', key, startedAt: start })
  const [header] = guard.challenge(401, start, { address: '192.0.2.1' })
  const { nonce } = answerOf(header, 1)
  const check = (address: string, count: number, by = guard) =>
    by.check(answerOf(header, count), { ...proofOf('SHA-256'), address }, start + 1)
  assert.deepEqual([guard.isFresh(nonce, start, '192.0.2.1'), guard.isFresh(nonce, start, '192.0.2.2')], [true, false])
  assert.equal(check('192.0.2.2', 1), 'stale')
  assert.equal(check('192.0.2.1', 1), 'right')
  // Another node takes it, one that began later does not: there nobody knows which counts were used.
  const node = (startedAt: number) => createDigestGuard({ realm: 'tandem', key, startedAt })
  assert.equal(check('192.0.2.1', 2, node(start)), 'right')
  assert.equal(check('192.0.2.1', 2, node(start + 1)), 'stale')
  for (const wrong of ['', `${nonce}=`, `${nonce}A`, nonce.slice(1), 'AAAA']) assert.ok(!guard.isFresh(wrong, start))
})
