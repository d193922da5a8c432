// Guards: no spelling of an address that means this machine, its network or a cloud's metadata gets past the checks;
// ordinary public addresses and URLs do; what the operator opens never opens metadata.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type CallbackFault,
  type CallbackOptions,
  checkCallbackUrl,
  forbiddenAddress,
  isListedHost,
  parseCidr,
  unlistedHost,
} from './egress.ts'

const cidrs = (...texts: string[]) => texts.map(text => parseCidr(text)!)

test('the first and last address of every special range are denied, their public neighbours are not', () => {
  const denied: [first: string, last: string][] = [
    ['0.0.0.0', '0.255.255.255'],
    ['10.0.0.0', '10.255.255.255'],
    ['100.64.0.0', '100.127.255.255'],
    ['127.0.0.0', '127.255.255.255'],
    ['169.254.0.0', '169.254.255.255'],
    ['172.16.0.0', '172.31.255.255'],
    ['192.0.0.0', '192.0.0.255'],
    ['192.0.2.0', '192.0.2.255'],
    ['192.88.99.0', '192.88.99.255'],
    ['192.168.0.0', '192.168.255.255'],
    ['198.18.0.0', '198.19.255.255'],
    ['198.51.100.0', '198.51.100.255'],
    ['203.0.113.0', '203.0.113.255'],
    ['224.0.0.0', '239.255.255.255'],
    ['240.0.0.0', '255.255.255.255'],
    ['::', '::1'],
    ['::7f00:1', '::127.0.0.1'],
    ['::ffff:0.0.0.0', '::ffff:255.255.255.255'],
    ['::ffff:8.8.8.8', '::ffff:808:808'],
    ['::ffff:0:8.8.8.8', '::ffff:0:7f00:1'],
    ['64:ff9b::', '64:ff9b::ffff:ffff'],
    ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
    ['100::', '100::ffff:ffff:ffff:ffff'],
    ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['2002:808:808::1', '2002:7f00:1::1'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
    ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ]
  for (const pair of denied) for (const ip of pair) assert.equal(forbiddenAddress(ip), true, ip)
  const open = ['1.0.0.0', '8.8.8.8', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255']
  const open2 = [
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.0.1.0',
    '192.0.3.0',
  ]
  const open3 = ['192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0', '203.0.112.255', '223.255.255.255']
  const open6 = [
    '2001:200::',
    '2001:4860:4860::8888',
    '2001:db7::',
    '2001:db9::',
    '2003::',
    '2606:4700::1111',
    '3ffe::1',
  ]
  for (const ip of [...open, ...open2, ...open3, ...open6]) assert.equal(forbiddenAddress(ip), false, ip)
})

test('what is not a plain address is denied', () => {
  const none = ['', 'localhost', '127.1', '010.0.0.1', '0x7f000001', '2130706433', '8.8.8.8.', ' 8.8.8.8', '8.8.8.8/32']
  for (const ip of [...none, '[2606:4700::1111]', '2606:4700::1111%eth0', 'fe80::1%eth0', '1.2.3', '1.2.3.4.5', '::g'])
    assert.equal(forbiddenAddress(ip, cidrs('0.0.0.0/0', '::/0')), true, ip)
})

test('the operator opens private ranges, and never metadata or link-local, not even wrapped', () => {
  const allow = cidrs('127.0.0.0/8', '10.1.0.0/16', 'fd12::/16')
  for (const ip of ['127.0.0.1', '10.1.255.1', 'fd12::1']) assert.equal(forbiddenAddress(ip, allow), false, ip)
  for (const ip of ['10.2.0.1', '192.168.1.1', 'fd13::1', '::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1'])
    assert.equal(forbiddenAddress(ip, allow), true, ip)
  const all = cidrs('0.0.0.0/0', '::/0')
  for (const ip of ['192.168.1.1', '::1', 'fd00::1']) assert.equal(forbiddenAddress(ip, all), false, ip)
  const metadata = [
    '169.254.169.254',
    '169.254.170.2',
    '100.100.100.200',
    '168.63.129.16',
    'fd00:ec2::254',
    'fe80::a9fe:a9fe',
  ]
  const wrapped = [
    '::ffff:169.254.169.254',
    '::169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '::ffff:0:a9fe:a9fe',
  ]
  for (const ip of [...metadata, ...wrapped, '0.0.0.0', '::', '255.255.255.255', 'ff02::1', '224.0.0.1'])
    assert.equal(forbiddenAddress(ip, all), true, ip)
})

test('only global unicast IPv6 is ever open', () => {
  fc.assert(
    fc.property(fc.ipV6(), ip => {
      const first = Number.parseInt(ip, 16)
      const global = !ip.startsWith(':') && first >= 0x2000 && first <= 0x3fff
      if (!global) assert.equal(forbiddenAddress(ip), true, ip)
    }),
    { numRuns: 2000 },
  )
})

test('ranges are read strictly', () => {
  for (const text of ['10.0.0.0/8', ' 10.0.0.1 ', '::/0', 'fd00::/8', '192.0.2.1/32']) assert.ok(parseCidr(text), text)
  for (const text of [
    '',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10/8',
    'fd00::/129',
    'lan',
    '010.0.0.0/8',
  ])
    assert.equal(parseCidr(text), undefined, text)
})

function reason(url: string, options?: CallbackOptions): CallbackFault | 'ok' {
  const checked = checkCallbackUrl(url, options)
  return checked.ok ? 'ok' : checked.reason
}

test('ordinary callback URLs pass, in their normal form', () => {
  for (const url of [
    'https://example.com/hooks',
    'https://hooks.example.com:8443/a?b=c',
    'https://8.8.8.8/x',
    'https://bücher.example/',
  ])
    assert.equal(reason(url), 'ok', url)
  for (const url of [
    'https://[2606:4700::1111]/',
    'https://example.com.',
    'https://my_host.example.com/',
    'https://EXAMPLE.com:443',
  ])
    assert.equal(reason(url), 'ok', url)
  const checked = checkCallbackUrl('HTTPS://Example.COM:443/a/../b')
  assert.ok(checked.ok && checked.url.href === 'https://example.com/b')
})

test('literal addresses in denied ranges are refused in every spelling', () => {
  const loopback = [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
  ]
  const dressed = ['１２７.０.０.１', '127。0。0。1', '%31%32%37.0.0.1', '①②⑦.0.0.1', '0x7F.0x0.0x0.0x1', '00000177.1']
  const six = [
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::127.0.0.1]',
  ]
  const metadata = [
    '169.254.169.254',
    '0xa9fea9fe',
    '2852039166',
    '169.254.43518',
    '[fd00:ec2::254]',
    '[::ffff:a9fe:a9fe]',
  ]
  const others = [
    '10.0.0.1',
    '192.168.0.1',
    '172.16.0.1',
    '0',
    '0.0.0.0',
    '[::]',
    '255.255.255.255',
    '100.64.0.1',
    '[fe80::1]',
  ]
  for (const host of [...loopback, ...dressed, ...six, ...metadata, ...others])
    for (const url of [`https://${host}/hook`, `https:${host}`, `https:\\\\${host}\\hook`, ` https://${host}`])
      assert.equal(reason(url), 'address_not_allowed', url)
})

test('any spelling of any IPv4 address is checked like its plain one', () => {
  const spell = [
    (n: number) => String(n),
    (n: number) => `0x${n.toString(16)}`,
    (n: number) => `0${n.toString(8)}`,
    (n: number) => `${n >>> 24}.${n & 0xffffff}`,
    (n: number) => `0x${(n >>> 24).toString(16)}.${(n >>> 16) & 255}.0${(n & 0xffff).toString(8)}`,
  ]
  const special = fc.constantFrom(0x7f000001, 0x0a000001, 0xa9fea9fe, 0xc0a80101, 0x08080808, 0x64400001)
  fc.assert(
    fc.property(fc.oneof(special, fc.nat(0xffffffff)), fc.constantFrom(...spell), (n, spell) => {
      const plain = [24, 16, 8, 0].map(shift => (n >>> shift) & 255).join('.')
      assert.equal(reason(`https://${spell(n)}/`) === 'ok', !forbiddenAddress(plain), spell(n))
    }),
    { numRuns: 2000 },
  )
})

test('every other reason to refuse', () => {
  const cases: [string, CallbackFault][] = [
    ['', 'not_a_url'],
    ['example.com/hook', 'not_a_url'],
    ['/hook', 'not_a_url'],
    ['https://', 'not_a_url'],
    ['https://256.1.1.1/', 'not_a_url'],
    ['https://[fe80::1%25eth0]/', 'not_a_url'],
    ['https://a..example.com/', 'not_a_url'],
    ['https://.example.com/', 'not_a_url'],
    [`https://${'a'.repeat(64)}.example.com/`, 'not_a_url'],
    [`https://example.com/${'a'.repeat(2048)}`, 'too_long'],
    ['http://example.com/', 'scheme_not_allowed'],
    ['ftp://example.com/', 'scheme_not_allowed'],
    ['file:///etc/passwd', 'scheme_not_allowed'],
    ['javascript:alert(1)', 'scheme_not_allowed'],
    ['gopher://example.com:70/', 'scheme_not_allowed'],
    ['https://user@example.com/', 'credentials_in_url'],
    ['https://user:secret@example.com/', 'credentials_in_url'],
    ['https://8.8.8.8@127.0.0.1/', 'credentials_in_url'],
    ['https://example.com:22/', 'port_not_allowed'],
    ['https://example.com:80/', 'port_not_allowed'],
    ['https://8.8.8.8:5432/', 'port_not_allowed'],
    ['https://localhost/', 'host_not_public'],
    ['https://localhost./', 'host_not_public'],
    ['https://LOCALHOST:8443/', 'host_not_public'],
    ['https://app/', 'host_not_public'],
    ['https://a.localhost/', 'host_not_public'],
    ['https://printer.local/', 'host_not_public'],
    ['https://metadata.google.internal/', 'host_not_public'],
    ['https://router.home.arpa./', 'host_not_public'],
  ]
  for (const [url, expected] of cases) assert.equal(reason(url), expected, url.slice(0, 80))
})

test('a list of hosts is the only way out, where the operator has one', () => {
  const hosts = ['hooks.example.com', '*.carrier.example', '93.184.216.34']
  for (const url of [
    'https://hooks.example.com/x',
    'https://HOOKS.example.com./',
    'https://a.b.carrier.example',
    'https://93.184.216.34',
  ])
    assert.equal(checkCallbackUrl(url, { hosts }).ok, true, url)
  for (const url of [
    'https://example.com',
    'https://x.hooks.example.com',
    'https://carrier.example',
    'https://evilcarrier.example',
    'https://93.184.216.35',
  ])
    assert.deepEqual(checkCallbackUrl(url, { hosts }), { ok: false, reason: 'host_not_listed' }, url)
  assert.equal(isListedHost('anything.example', []), true)
  assert.match(unlistedHost('sip.other.example', hosts) ?? '', /TANDEM_EGRESS_HOSTS/)
  assert.equal(unlistedHost('sbc.carrier.example', hosts), undefined)
})

test('what the operator opens: http, ranges with any port, inner names', () => {
  assert.equal(reason('http://example.com/', { allowHttp: true }), 'ok')
  assert.equal(reason('http://example.com:8080/', { allowHttp: true }), 'ok')
  assert.equal(reason('http://example.com:25/', { allowHttp: true }), 'port_not_allowed')
  assert.equal(reason('https://example.com:9000/', { ports: [9000] }), 'ok')
  const allow = cidrs('127.0.0.0/8')
  assert.equal(reason('http://127.0.0.1:4000/hook', { allowHttp: true, allow }), 'ok')
  assert.equal(reason('http://127.1:4000/hook', { allow }), 'ok', 'an opened address needs no certificate')
  assert.equal(reason('http://localhost/hook', { allow }), 'scheme_not_allowed')
  assert.equal(reason('http://192.0.3.1/hook', { allow }), 'scheme_not_allowed')
  assert.equal(reason('https://10.0.0.1/', { allow }), 'address_not_allowed')
  assert.equal(reason('https://169.254.169.254/', { allow: cidrs('0.0.0.0/0') }), 'address_not_allowed')
  assert.equal(reason('https://localhost/', { allow }), 'ok')
  assert.equal(reason('https://hooks.internal/', { allow }), 'ok')
})
