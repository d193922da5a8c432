// The guarded client: what a receiver may do to us, and in which word each is reported.
// test: waits
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from 'node:net'
import { after, before, test } from 'node:test'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { startFullBacklog } from '../../../test/full_backlog.ts'
import { type NameServer, startNameServer } from '../../../test/name_server.ts'
import { createOutbound, type Outbound, type OutboundReply, type OutboundRequest } from './outbound.ts'

// Of hooks.example.com, signed by itself, made for this test.
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiM9xsZtehJVd/Psk
zzpsXOWGeI8A370Pjkpw/Eks3XWhRANCAAS9/ulvk7R0w++NuuptV1toqIK8IYb0
sMYNbMdU34hZdsot6s18b5jWqEYsr5UgDQzEpxKyLzz9zWq8/ogHxvqB
-----END PRIVATE KEY-----`
const certificate = `-----BEGIN CERTIFICATE-----
MIIBrjCCAVOgAwIBAgIUaMBsIF4XAEBF4EdqQiYr4vbNlD4wCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wIBcNMjYxMTIxMTU0NjQzWhgP
MjEyNjEwMjgxNTQ2NDNaMBwxGjAYBgNVBAMMEWhvb2tzLmV4YW1wbGUuY29tMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEvf7pb5O0dMPvjbrqbVdbaKiCvCGG9LDG
DWzHVN+IWXbKLerNfG+Y1qhGLK+VIA0MxKcSsi88/c1qvP6IB8b6gaNxMG8wHQYD
VR0OBBYEFDbGL47bO7FBhDDLcnqbuC+7wNLDMB8GA1UdIwQYMBaAFDbGL47bO7FB
hDDLcnqbuC+7wNLDMA8GA1UdEwEB/wQFMAMBAf8wHAYDVR0RBBUwE4IRaG9va3Mu
ZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDSQAwRgIhANEnODD/ug5D6MSC/kL5rERC
nHpR5nHjUHspAOSDqHp9AiEA/ZC3yEzPW8nlAF+sktz+L2qIFb6FpNwJ5qr9Hnw/
kLM=
-----END CERTIFICATE-----`

let names: NameServer
let out: Outbound
const servers: (Server | TcpServer)[] = []

before(async () => {
  names = await startNameServer(({ name }) => ({
    addresses: [name === 'public.example' ? '93.184.216.34' : '127.0.0.1'],
  }))
  out = createOutbound({ allow: ['127.0.0.0/8'], nameServers: [names.address], connectTimeoutMs: 500 })
})
after(async () => {
  await out?.close()
  await names?.close()
  for (const server of servers) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  }
})

async function listening(server: Server | TcpServer): Promise<string> {
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

const http = async (listener: RequestListener) => `http://${await listening(createServer(listener))}/hook`
const tcp = async (listener: (socket: Socket) => void) => {
  return `http://${await listening(createTcpServer(socket => listener(socket.on('error', () => {}))))}/hook`
}

function send(url: string, more: Partial<OutboundRequest> = {}): Promise<OutboundReply> {
  return out.send({ url: new URL(url), headers: [], body: Buffer.from('{}'), timeoutMs: 3_000, ...more })
}

async function answered(url: string, more: Partial<OutboundRequest> = {}) {
  const reply = await send(url, more)
  assert.ok(reply.ok, JSON.stringify(reply))
  return reply
}

async function failed(url: string, more: Partial<OutboundRequest> = {}) {
  const reply = await send(url, more)
  assert.ok(!reply.ok, JSON.stringify(reply))
  return reply.error
}

test('a request goes out as it was given, and the reply comes back', async () => {
  let seen = ''
  const url = await http((request, response) => {
    request.setEncoding('utf8').on('data', text => {
      seen += `${request.method} ${request.url} ${request.headers['x-a']} ${request.headers['content-length']} ${text}`
    })
    request.on('end', () => response.writeHead(201, { 'x-b': 'c' }).end('made'))
  })
  const reply = await answered(`${url}?x=1`, { headers: ['x-a', 'b'], body: Buffer.from('{"é":1}') })
  assert.equal(seen, 'POST /hook?x=1 b 8 {"é":1}')
  assert.equal(reply.status, 201)
  assert.equal(reply.headers['x-b'], 'c')
  assert.equal(reply.body.toString(), 'made')
  assert.equal(reply.cut, undefined)
})

test('connections are kept for the next request to the same place', async () => {
  const sockets = new Set<unknown>()
  const url = await http((request, response) => {
    sockets.add(request.socket)
    request.resume().on('end', () => response.writeHead(204).end())
  })
  for (let n = 0; n < 20; n++) await answered(url)
  // A second one, because the first is not at once ready again.
  assert.ok(sockets.size <= 2, `${sockets.size} connections`)
})

test('where plain text may go to private addresses only, a name that leads elsewhere is not dialled', async () => {
  assert.equal(await failed('http://public.example:8088/ari', { innerOnly: true }), 'blocked_address')
  const heard = { onText() {}, onClosed() {} }
  const socket = await out.socket(new URL('ws://public.example:8088/ari/events'), heard, { innerOnly: true })
  assert.deepEqual(socket, { ok: false, error: 'blocked_address' })
})

test('no host is dialled that is not on the list of the operator, though its address is open', async () => {
  const url = await http((_request, response) => response.writeHead(204).end())
  const { port } = new URL(url)
  const listed = createOutbound({ allow: ['127.0.0.0/8'], nameServers: [names.address], hosts: ['*.example.com'] })
  const ask = (host: string) => listed.send({ url: new URL(`http://${host}:${port}/`), headers: [] })
  try {
    assert.equal((await ask('hooks.example.com')).ok, true)
    for (const host of ['example.com', 'other.example', '127.0.0.1'])
      assert.deepEqual(await ask(host), { ok: false, error: 'blocked_address' }, host)
  } finally {
    await listed.close()
  }
})

test('redirects are answers like others', async () => {
  let hits = 0
  const url = await http((_request, response) => {
    hits++
    response.writeHead(302, { location: '/elsewhere' }).end()
  })
  assert.equal((await answered(url)).status, 302)
  assert.equal(hits, 1)
})

test('a proxy of the environment is not asked', async () => {
  let asked = 0
  const proxy = new URL(await tcp(() => asked++)).origin
  const saved = { ...process.env }
  Object.assign(process.env, { HTTP_PROXY: proxy, http_proxy: proxy, HTTPS_PROXY: proxy, ALL_PROXY: proxy })
  const other = createOutbound({ allow: ['127.0.0.0/8'] })
  try {
    const url = await http((_request, response) => void response.end())
    assert.equal((await other.send({ url: new URL(url), headers: [] })).ok, true)
    assert.equal(asked, 0)
  } finally {
    process.env = saved
    await other.close()
  }
})

test('a long reply is cut at 64 KiB and its connection ended', async () => {
  let closed = false
  const url = await http((_request, response) => {
    response.on('close', () => {
      closed = true
    })
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(10_000, 'x')));
    }
    response.on('drain', more)
    more()
  })
  const reply = await answered(url)
  assert.equal(reply.cut, 'reply_too_large')
  assert.equal(reply.body.length, 65_536)
  while (!closed) await new Promise(resolve => setTimeout(resolve, 5))
  const exact = await http((_request, response) => void response.end(Buffer.alloc(65_536, 'x')))
  const whole = await answered(exact)
  assert.equal(whole.cut, undefined)
  assert.equal(whole.body.length, 65_536)
})

test('a packed reply is not unpacked', async () => {
  for (const coding of ['gzip', 'br', 'deflate', 'zstd', 'unheard-of']) {
    const url = await http((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(Buffer.from('1f8b', 'hex'))
    })
    const reply = await answered(url)
    assert.equal(reply.cut, 'encoded')
    assert.equal(reply.body.length, 0)
  }
  const plain = await http((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'identity' }).end('as it is')
  })
  assert.equal((await answered(plain)).body.toString(), 'as it is')
})

test('the whole call has one time, however slowly the bytes drip', async () => {
  const silent = await http(() => {})
  const startedMs = performance.now()
  assert.equal(await failed(silent, { timeoutMs: 200 }), 'timeout')
  assert.ok(performance.now() - startedMs < 1_000)

  const dripping = await tcp(socket => {
    const head = 'HTTP/1.1 200 OK\r\nx-slow: '
    let at = 0
    const timer = setInterval(() => (socket.writable ? socket.write(head[at++] ?? 'x') : clearInterval(timer)), 20)
    socket.on('close', () => clearInterval(timer))
  })
  assert.equal(await failed(dripping, { timeoutMs: 300 }), 'timeout')

  const drippingBody = await http((_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('x'), 20)
    response.on('close', () => clearInterval(timer))
  })
  const reply = await answered(drippingBody, { timeoutMs: 300 })
  assert.equal(reply.cut, 'timeout')
  assert.match(reply.body.toString(), /^x+$/)
})

test('many slow calls do not hold up a quick one to the same place', async () => {
  const held: (() => void)[] = []
  const url = await http((request, response) => {
    request.resume()
    if (request.headers['x-slow'] === undefined) response.end()
    else held.push(() => response.end())
  })
  const slow = Array.from({ length: 30 }, () => answered(url, { headers: ['x-slow', '1'] }))
  while (held.length < 30) await new Promise(resolve => setTimeout(resolve, 5))
  assert.equal((await answered(url)).status, 200)
  for (const release of held) release()
  await Promise.all(slow)
})

test('a limit of its own for the connection, and one for the answer behind it', async () => {
  const nowhere = await startFullBacklog()
  const fast = createOutbound({ allow: ['127.0.0.0/8'] })
  const ask = (url: string, more: Partial<OutboundRequest>) =>
    fast.send({ url: new URL(url), headers: [], body: Buffer.from('{}'), timeoutMs: 60_000, ...more })
  try {
    const unreached = await ask(`http://127.0.0.1:${nowhere.port}/`, { connectTimeoutMs: 200, answerTimeoutMs: 50_000 })
    assert.deepEqual(unreached, { ok: false, error: 'connect_timeout' })
    const silent = await ask(await tcp(() => {}), { connectTimeoutMs: 50_000, answerTimeoutMs: 200 })
    assert.deepEqual(silent, { ok: false, error: 'timeout' })
    const whole = await ask(await tcp(() => {}), { connectTimeoutMs: 50_000, answerTimeoutMs: 50_000, timeoutMs: 200 })
    assert.deepEqual(whole, { ok: false, error: 'timeout' })
    // Once it is connected the limit of that is over.
    const late = await http((_, response) => setTimeout(() => response.end('late'), 2_500))
    const reply = await ask(late, { connectTimeoutMs: 2_000, answerTimeoutMs: 50_000 })
    assert.ok(reply.ok && reply.body.toString() === 'late', JSON.stringify(reply))
  } finally {
    await fast.close()
    await nowhere.close()
  }
})

test('what comes before an answer is none', async () => {
  const url = await tcp(socket => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n')
      socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok')
    })
  })
  const reply = await answered(url)
  assert.equal(reply.status, 202)
  assert.equal(reply.body.toString(), 'ok')
})

test('every failure has its word', async () => {
  const closed = await listening(createTcpServer())
  await new Promise(resolve => servers.pop()?.close(resolve))
  assert.equal(await failed(`http://${closed}/`), 'connection_refused')

  assert.equal(await failed(await tcp(socket => socket.destroy())), 'reset')
  assert.equal(await failed(await tcp(socket => socket.once('data', () => socket.resetAndDestroy()))), 'reset')
  assert.equal(
    await failed(await tcp(socket => socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n')))),
    'not_http',
  )
  assert.equal(
    await failed(await tcp(socket => socket.once('data', () => socket.end('HTTP/1.1 banana\r\n\r\n')))),
    'not_http',
  )
  const endless = await tcp(socket =>
    socket.once('data', () =>
      socket.write(`HTTP/1.1 200 OK\r\n${'x-a: bbbbbbbbbbbbbbbbbbbbbbbbbbbbb\r\n'.repeat(2_000)}`),
    ),
  )
  assert.equal(await failed(endless), 'reply_too_large')

  const withoutTls = await tcp(socket => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
  assert.equal(await failed(withoutTls.replace('http:', 'https:')), 'tls_failed')
  assert.equal(await failed((await tcp(socket => socket.destroy())).replace('http:', 'https:')), 'tls_failed')
  const startedMs = performance.now()
  assert.equal(await failed((await tcp(() => {})).replace('http:', 'https:')), 'connect_timeout')
  assert.ok(performance.now() - startedMs < 1_500)
})

test('a certificate must be trusted and for the name, which is sent in SNI', async () => {
  const seen: (string | false | null)[] = []
  const server = createTlsServer({ key, cert: certificate }, (request, response) => {
    seen.push((request.socket as unknown as { servername: string | false }).servername, request.headers.host ?? null)
    response.end('safe')
  })
  const { port } = new URL(`http://${await listening(server as unknown as Server)}`)
  assert.equal(await failed(`https://hooks.example.com:${port}/`), 'tls_failed')
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate])
  const other = createOutbound({ allow: ['127.0.0.0/8'], nameServers: [names.address] })
  try {
    const get = (host: string) => other.send({ url: new URL(`https://${host}:${port}/`), headers: [] })
    const reply = await get('hooks.example.com')
    assert.ok(reply.ok, JSON.stringify(reply))
    assert.equal(reply.body.toString(), 'safe')
    assert.deepEqual(seen, ['hooks.example.com', `hooks.example.com:${port}`])
    assert.deepEqual(await get('other.example.com'), { ok: false, error: 'tls_failed' })
    assert.deepEqual(await get('127.0.0.1'), { ok: false, error: 'tls_failed' })
  } finally {
    setDefaultCACertificates(trusted)
    await other.close()
  }
})

test('a call can be ended from outside, and one that waits for its connection is then never sent', async () => {
  let requests = 0
  const url = await http((_request, response) => {
    requests++
    response.on('close', () => {})
  })
  const ending = new AbortController()
  const reply = failed(url, { signal: ending.signal })
  while (requests === 0) await new Promise(resolve => setTimeout(resolve, 5))
  ending.abort()
  assert.equal(await reply, 'reset')
  assert.equal(await failed(url, { signal: AbortSignal.abort() }), 'reset')
  assert.equal(await failed(url, { timeoutMs: 0 }), 'timeout')
  await new Promise(resolve => setTimeout(resolve, 50))
  assert.equal(requests, 1)
  assert.equal(out.count(), 0)
})
