// URIs: the examples of RFC 3261 §19.1.3 and §19.1.4 and of RFC 3966.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isFault } from '../src/message.ts'
import type { SipUri, Uri } from '../src/uri.ts'
import { escapeUriHeader, escapeUser, formatUri, isSameUri, parseUri, unescapeUri } from '../src/uri.ts'

function uri(text: string): Uri {
  const read = parseUri(text)
  assert.ok(!isFault(read), isFault(read) ? read.detail : '')
  return read
}

test('§19.1.3: URIs are read and written as they are', () => {
  const texts = [
    'sip:alice@atlanta.com',
    'sip:alice:secretword@atlanta.com;transport=tcp',
    'sips:alice@atlanta.com?subject=project%20x&priority=urgent',
    'sip:+1-212-555-1212:1234@gateway.com;user=phone',
    'sips:1212@gateway.com',
    'sip:alice@192.0.2.4',
    'sip:atlanta.com;method=REGISTER?to=alice%40atlanta.com',
    'sip:alice;day=tuesday@atlanta.com',
    'sip:[2001:db8::1]:5061;transport=tls;lr',
    'sip:*21#@10.0.0.1:5060',
    'tel:+1-201-555-0123',
    'tel:7042;phone-context=example.com',
    'http://www.example.com',
  ]
  for (const text of texts) assert.equal(formatUri(uri(text)), text)
  const whole = uri('sip:+1-212-555-1212:1234@gateway.com:5070;user=phone;lr') as SipUri
  assert.deepEqual(whole, {
    scheme: 'sip',
    user: '+1-212-555-1212',
    password: '1234',
    host: 'gateway.com',
    port: 5070,
    params: [
      { name: 'user', value: 'phone' },
      { name: 'lr', value: undefined },
    ],
    headers: [],
  })
})

test('§19.1.4: equal', () => {
  const pairs = [
    ['sip:%61lice@atlanta.com;transport=TCP', 'sip:alice@AtlanTa.CoM;Transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;newparam=5'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com;security=on'],
    [
      'sip:biloxi.com;transport=tcp;method=REGISTER?to=sip:bob%40biloxi.com',
      'sip:biloxi.com;method=REGISTER;transport=tcp?to=sip:bob%40biloxi.com',
    ],
    [
      'sip:alice@atlanta.com?subject=project%20x&priority=urgent',
      'sip:alice@atlanta.com?priority=urgent&subject=project%20x',
    ],
    ['tel:+1-201-555-0123', 'tel:+12015550123'],
    ['tel:7042;phone-context=EXAMPLE.com', 'TEL:70-42;Phone-Context=example.com'],
  ]
  for (const [one, other] of pairs) {
    assert.ok(isSameUri(uri(one!), uri(other!)), `${one} ${other}`)
    assert.ok(isSameUri(uri(other!), uri(one!)), `${other} ${one}`)
  }
})

test('§19.1.4: different', () => {
  const pairs = [
    ['SIP:ALICE@AtLanTa.CoM;Transport=udp', 'sip:alice@AtLanTa.CoM;Transport=UDP'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:5060'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com;transport=udp'],
    ['sip:bob@biloxi.com', 'sip:bob@biloxi.com:6000;transport=tcp'],
    ['sip:carol@chicago.com', 'sip:carol@chicago.com?Subject=next%20meeting'],
    ['sip:bob@phone21.boxesbybob.com', 'sip:bob@192.0.2.4'],
    ['sip:carol@chicago.com;newparam=5', 'sip:carol@chicago.com;newparam=6'],
    ['sip:bob@biloxi.com', 'sips:bob@biloxi.com'],
    ['sip:a%2Fb@c.com', 'sip:a/b@c.com'],
    ['tel:7042;phone-context=example.com', 'tel:7042;phone-context=example.org'],
    ['tel:+1201', 'sip:+1201@example.com'],
  ]
  for (const [one, other] of pairs) {
    assert.ok(!isSameUri(uri(one!), uri(other!)), `${one} ${other}`)
    assert.ok(!isSameUri(uri(other!), uri(one!)), `${other} ${one}`)
  }
})

test('malformed URIs are faults', () => {
  const texts = [
    '',
    'alice',
    'sip:',
    'sip:@host',
    'sip:a@',
    'sip:a b@host',
    'sip:a@host:',
    'sip:a@host:65536',
    'sip:a@host:123456',
    'sip:a@host;',
    'sip:a@host;=x',
    'sip:a@host;x=',
    'sip:a@host;x=1;X=2',
    'sip:a@host?',
    'sip:a@host?x',
    'sip:a%4@host',
    'sip:a%zz@host',
    'sip:a@b@host',
    'sip:a@[::1',
    'sip:a@[host]',
    'sip:a@ho st',
    'tel:',
    'tel:+',
    'tel:hello',
    'http:',
    '1sip:a@b',
    `sip:a@host${Array.from({ length: 70 }, (_, at) => `;p${at}`).join('')}`,
  ]
  for (const text of texts) assert.ok(isFault(parseUri(text)), text)
})

test('texts go into URIs and come out again', () => {
  for (const text of ['alice', 'a b', '50%@x', 'Jürgen', '*21#', '电话', 'a:b;c?d']) {
    const read = uri(`sip:${escapeUser(text)}@host`) as SipUri
    assert.equal(unescapeUri(read.user!), text)
  }
  const replaces = 'a@b;to-tag=1;from-tag=2'
  const refer = uri(`sip:bob@host?Replaces=${escapeUriHeader(replaces)}`) as SipUri
  assert.equal(unescapeUri(refer.headers[0]!.value!), replaces)
})
