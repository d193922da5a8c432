// No spelling of an address that is ours, our network's or a cloud's is ever dialled: more than three hundred of them are tried
// against a listener that must see nobody, as literal addresses and as what a name server says, with minds changed between
// one look and the next. That the listener would see a call is proved first.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { after, before, test } from 'node:test'
import { type NameServer, startNameServer } from '../../../test/name_server.ts'
import { checkCallbackUrl } from '../outbound/egress.ts'
import { createOutbound, type Outbound } from '../outbound/outbound.ts'

let canary: Server
let port: number
let connections = 0
let names: NameServer

before(async () => {
  canary = createServer(socket => {
    connections++
    socket.end('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
  })
  // Every address of this machine, of both families where it has both.
  canary.listen(0, '::')
  await Promise.race([once(canary, 'listening'), once(canary, 'error').then(() => canary.listen(0, '0.0.0.0'))])
  if (!canary.listening) await once(canary, 'listening')
  port = (canary.address() as AddressInfo).port
  // Whatever is taken for a name leads home.
  names = await startNameServer(() => ({ addresses: ['127.0.0.1', '::1'], ttl: 0 }))
})
after(async () => {
  canary?.close()
  await names?.close()
})

function outbound(allow: string[] = [], own?: { address: string; port: number }): Outbound {
  return createOutbound({ allow, nameServers: [names.address], own: () => own, connectTimeoutMs: 2_000 })
}

/** The four numbers of an IPv4 address. */
type V4 = readonly [number, number, number, number]

const forbidden: readonly V4[] = [
  [127, 0, 0, 1],
  [127, 255, 255, 254],
  [10, 0, 0, 1],
  [172, 16, 0, 1],
  [192, 168, 1, 1],
  [169, 254, 169, 254],
  [100, 64, 0, 1],
  [100, 100, 100, 200],
  [0, 0, 0, 0],
  [224, 0, 0, 1],
  [255, 255, 255, 255],
]

const hex = (n: number, width = 0) => n.toString(16).padStart(width, '0')
const octal = (n: number, width = 0) => `0${n.toString(8).padStart(width, '0')}`
const numberOf = ([a, b, c, d]: V4) => a * 2 ** 24 + b * 2 ** 16 + c * 2 ** 8 + d
const fullWidth = (text: string) => text.replace(/\d/g, digit => String.fromCodePoint(0xff10 + Number(digit)))
const enclosed = (text: string) =>
  text.replace(/\d/g, digit => (digit === '0' ? '⓪' : String.fromCodePoint(0x2460 + Number(digit) - 1)))
const bold = (text: string) => text.replace(/\d/g, digit => String.fromCodePoint(0x1d7ce + Number(digit)))
const superscript = (text: string) => text.replace(/\d/g, digit => '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)] as string)
const percent = (text: string) => text.replace(/./g, char => `%${hex(char.charCodeAt(0), 2)}`)

/** Spellings of one IPv4 address, as a host of a URL. */
function spellings(address: V4): string[] {
  const [a, b, c, d] = address
  const plain = address.join('.')
  const n = numberOf(address)
  const [high, low] = [(a << 8) | b, (c << 8) | d]
  const pair = `${hex(high)}:${hex(low)}`
  const dotted = [
    plain,
    `${plain}.`,
    address.map(part => octal(part)).join('.'),
    address.map(part => octal(part, 3)).join('.'),
    address.map(part => octal(part, 8)).join('.'),
    address.map(part => `0x${hex(part)}`).join('.'),
    address.map(part => `0X${hex(part, 2).toUpperCase()}`).join('.'),
    `0x${hex(a)}.${b}.${octal(c)}.${d}`,
    `${a}.${b * 2 ** 16 + c * 2 ** 8 + d}`,
    `${a}.${b}.${low}`,
    `0x${hex(a)}.0x${hex(b)}.0x${hex(low)}`,
    `${octal(a)}.${octal(n % 2 ** 24)}`,
    `${n}`,
    `${n}.`,
    `0x${hex(n)}`,
    `0X${hex(n, 8).toUpperCase()}`,
    `0x00000000${hex(n, 8)}`,
    octal(n),
    octal(n, 16),
    fullWidth(plain),
    fullWidth(String(n)),
    enclosed(plain),
    bold(plain),
    superscript(plain),
    percent(plain),
    percent(String(n)),
    plain.replaceAll('.', '。'),
    plain.replaceAll('.', '．'),
    plain.replaceAll('.', '｡'),
    plain.replaceAll('.', '%2e'),
    plain.replaceAll('.', '%E3%80%82'),
    `\u00ad${plain}`,
    plain.split('').join('\u200b'),
    ` ${plain}`,
    `\t${plain}`,
    `${plain}\n`,
    `user@${plain}`,
    `8.8.8.8@${plain}`,
    `8.8.8.8:80@${plain}`,
    `example.com%2f@${plain}`,
  ]
  const six = [
    `::ffff:${plain}`,
    `::FFFF:${pair}`,
    `0:0:0:0:0:ffff:${pair}`,
    `0000:0000:0000:0000:0000:ffff:${plain}`,
    `::${plain}`,
    `::${pair}`,
    `::ffff:0:${plain}`,
    `::ffff:0:${pair}`,
    `64:ff9b::${plain}`,
    `64:ff9b::${pair}`,
    `64:ff9b:1::${plain}`,
    `64:ff9b:1:ffff:ffff:ffff:${pair}`,
    `2002:${pair}::`,
    `2002:${pair}::1`,
    `::ffff:${plain}%25eth0`,
    `::ffff:${plain}%eth0`,
  ]
  return [...dotted, ...six.map(text => `[${text}]`)]
}

const otherHosts = [
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::1%25lo]', '[::1%lo]', '[fe80::1]', '[fe80::1%25eth0]'],
  ...[
    '[fc00::1]',
    '[fd00:ec2::254]',
    '[fd20:ce::254]',
    '[ff02::1]',
    '[100::1]',
    '[2001::1]',
    '[2001:db8::1]',
    '[5f00::1]',
  ],
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'ｌｏｃａｌｈｏｓｔ',
    'loc%61lhost',
    'a.localhost',
    'metadata.google.internal',
  ],
  ...['169.254.169.254.nip.example', '127.0.0.1.nip.example', 'home', 'printer.local', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'xn--localhost-'],
]

const hosts = [...new Set([...forbidden.flatMap(spellings), ...otherHosts])]

test('there are enough spellings', () => {
  assert.ok(hosts.length >= 300, `${hosts.length} spellings`)
})

test('the listener is seen by a call that is allowed, in whatever spelling', async () => {
  const out = outbound(['127.0.0.0/8'])
  const reached: string[] = []
  for (const host of spellings([127, 0, 0, 1])) {
    const url = URL.parse(`http://${host}:${port}/hook`)
    if (url === null) continue
    const reply = await out.send({ url, headers: [], body: Buffer.from('{}') })
    if (reply.ok) reached.push(host)
  }
  await out.close()
  assert.equal(connections, reached.length)
  assert.ok(reached.length >= 20, `only ${reached.length} spellings led there: ${reached}`)
  for (const host of ['127.0.0.1', '2130706433', '0x7f000001', '017700000001', '①②⑦.⓪.⓪.①', '127.0.0.1.'])
    assert.ok(reached.includes(host), host)
})

test('no spelling is dialled: every one is refused with a word', async () => {
  connections = 0
  const out = outbound()
  let tried = 0
  for (const host of hosts) {
    for (const scheme of ['http', 'https']) {
      const text = `${scheme}://${host}:${port}/hook`
      const saved = checkCallbackUrl(text, { allowHttp: true, ports: [port] })
      const isName = saved.ok && /[a-z]/.test(saved.url.hostname) && !saved.url.hostname.startsWith('[')
      assert.ok(!saved.ok || isName, `${text} could be saved`)
      const url = URL.parse(text)
      if (url === null) continue
      tried++
      const reply = await out.send({ url, headers: [], body: Buffer.from('{}') })
      assert.ok(!reply.ok, `${text} was answered`)
      assert.ok(['blocked_address', 'dns_failed'].includes(reply.error), `${text}: ${reply.error}`)
    }
  }
  await out.close()
  assert.ok(tried >= 600, `${tried} were tried`)
  assert.equal(connections, 0)
})

test('with everything open, metadata, link-local and what wraps them stay forbidden', async () => {
  const out = outbound(['0.0.0.0/0', '::/0'])
  for (const address of [
    [169, 254, 169, 254],
    [169, 254, 170, 2],
    [100, 100, 100, 200],
    [168, 63, 129, 16],
    [0, 0, 0, 0],
    [255, 255, 255, 255],
  ] as const) {
    for (const host of spellings(address)) {
      const url = URL.parse(`http://${host}:${port}/latest/meta-data`)
      // What is no address is a name for the resolver, and leads to a listener that is open here.
      if (url === null || !/^[\d.]+$|^\[/.test(url.hostname)) continue
      const reply = await out.send({ url, headers: [] })
      assert.deepEqual(reply, { ok: false, error: 'blocked_address' }, host)
    }
  }
  await out.close()
})

test('the own listener is never dialled, although its range is open', async () => {
  connections = 0
  for (const address of ['127.0.0.1', '0.0.0.0', '::']) {
    const out = outbound(['127.0.0.0/8', '::1/128'], { address, port })
    for (const host of [...spellings([127, 0, 0, 1]), '[::1]', 'tandem.example.com']) {
      const url = URL.parse(`http://${host}:${port}/v2/webhooks`)
      if (url === null) continue
      const reply = await out.send({ url, headers: [] })
      assert.ok(!reply.ok && ['blocked_address', 'dns_failed'].includes(reply.error), host)
    }
    const elsewhere = await out.send({ url: new URL(`http://127.0.0.1:${port === 1 ? 2 : port - 1}/`), headers: [] })
    assert.notDeepEqual(elsewhere, { ok: false, error: 'blocked_address' }, 'another port is another server')
    await out.close()
  }
  assert.equal(connections, 0)
})
