// Tandem behind the reverse proxies of docs/examples, nginx and Caddy, with TLS: the real command, the real programs, the files as they
// are shipped but for names, ports and certificates.
// test: programs
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type ConnectionOptions, connect } from 'node:tls'
import { selfSigned } from '../../packages/sip/test/transport_support.ts'
import { freePort } from '../../scripts/testing/free_port.ts'
import { freshFolder, soon, startServer } from './server_process.ts'

const examples = join(import.meta.dirname, '../../docs/examples')
const isThere = (program: string) => {
  try {
    execFileSync('/bin/sh', ['-c', `PATH="$PATH:/usr/sbin" command -v ${program}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
const without = (program: string) => (isThere(program) ? false : `MISSING: ${program} (bash scripts/system_tools.sh)`)

type Files = { certFile: string; keyFile: string }

function certificateIn(folder: string, context: TestContext): Files {
  const { cert, key } = selfSigned(context, 'DNS:localhost')
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
  writeFileSync(certFile, cert)
  writeFileSync(keyFile, key)
  return { certFile, keyFile }
}

type Ports = { http: number; https: number; tandem: number }
/** The lines of an example with its names, ports and certificate replaced. Each must be there: the example would else be another. */
function filled(name: string, replaced: readonly (readonly [string, string])[]): string {
  return replaced.reduce(
    (text, [from, to]) => {
      assert.ok(text.includes(from), `${name} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(examples, name), 'utf8'),
  )
}

function nginxFile(folder: string, { http, https, tandem }: Ports, cert: Files): string {
  const server = filled('nginx.conf', [
    ['127.0.0.1:3000;', `127.0.0.1:${tandem};`],
    ['  listen 80;\n  listen [::]:80;', `  listen 127.0.0.1:${http};`],
    ['  listen 443 ssl http2;\n  listen [::]:443 ssl http2;', `  listen 127.0.0.1:${https} ssl http2;`],
    ['server_name tandem.example.com;', 'server_name localhost;'],
    ['https://$host$request_uri', `https://$host:${https}$request_uri`],
    ['/etc/letsencrypt/live/tandem.example.com/fullchain.pem', cert.certFile],
    ['/etc/letsencrypt/live/tandem.example.com/privkey.pem', cert.keyFile],
  ])
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(kind => `${kind}_temp_path ${folder}/${kind};`)
  return `pid ${folder}/nginx.pid;\nerror_log ${folder}/error.log;\nevents {}\nhttp {\naccess_log off;\n${paths.join('\n')}\n${server}\n}\n`
}

function caddyFile({ http, https, tandem }: Ports, cert: Files): string {
  const site = filled('Caddyfile', [
    ['\nhttp://tandem.example.com {\n', `\nhttp://localhost:${http} {\n  bind 127.0.0.1\n`],
    [
      '\ntandem.example.com {\n',
      `\nhttps://localhost:${https} {\n  bind 127.0.0.1\n  tls ${cert.certFile} ${cert.keyFile}\n`,
    ],
    ['reverse_proxy 127.0.0.1:3000', `reverse_proxy 127.0.0.1:${tandem}`],
  ])
  return `{\n  admin off\n  http_port ${http}\n  https_port ${https}\n  default_bind 127.0.0.1\n}\n${site}`
}

/** Starts a program that runs until the test ends. */
function runs(context: TestContext, folder: string, file: string, args: readonly string[]): void {
  const child = spawn(file, args, {
    env: { PATH: `${process.env['PATH']}:/usr/sbin`, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let words = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    words += text
  })
  context.after(async () => {
    if (child.exitCode !== null) return context.diagnostic(`${file} ended: ${words}`)
    child.kill('SIGTERM')
    await new Promise(done => child.once('close', done))
  })
}

type Answer = { status: number; headers: IncomingMessage['headers']; text: string }
type Asked = { method?: string; headers?: Record<string, string>; body?: string | Buffer }

/** Asks by TLS, and holds the certificate against the one that the proxy was given. */
function client(address: string, certFile: string) {
  const agent = new Agent({ ca: readFileSync(certFile), keepAlive: true, maxSockets: 4 })
  const open = (path: string, { method = 'GET', headers = {}, body }: Asked = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(new URL(path, address), { agent, method, headers, timeout: 20_000 }, resolve)
      sent.once('error', reject).once('timeout', () => sent.destroy(new Error(`${path} took 20 s`)))
      sent.end(body)
    })
  const ask = async (path: string, asked?: Asked): Promise<Answer> => {
    const answer = await open(path, asked)
    const chunks: Buffer[] = []
    for await (const chunk of answer) chunks.push(chunk as Buffer)
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }
  }
  return { open, ask, close: () => agent.destroy() }
}

const hsts = 'max-age=31536000; includeSubDomains'

/** The protocol that is agreed on. */
function handshake(port: number, options: ConnectionOptions): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, servername: 'localhost', rejectUnauthorized: false, ...options })
    socket.once('secureConnect', () => {
      resolve(socket.getProtocol())
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

for (const proxy of ['nginx', 'caddy'] as const) {
  test(`behind ${proxy}: TLS, whose requests they are, sessions, streams as they come, large files`, {
    skip: without(proxy),
  }, async context => {
    const folder = freshFolder()
    const [http, https, tandem] = [await freePort(), await freePort(), await freePort()]
    const cert = certificateIn(folder, context)
    const address = `https://localhost:${https}`
    await startServer(context, {
      env: {
        TANDEM_DATA: join(folder, 'data'),
        PORT: String(tandem),
        TANDEM_PUBLIC_URL: address,
        TANDEM_TRUSTED_PROXIES: '127.0.0.1/32',
        TANDEM_ADMIN_PASSWORD: 'correct horse battery',
        TANDEM_SECURITY_CONTACT: 'security@example.com',
      },
    })
    const config = join(folder, proxy === 'nginx' ? 'nginx.conf' : 'Caddyfile')
    writeFileSync(
      config,
      proxy === 'nginx' ? nginxFile(folder, { http, https, tandem }, cert) : caddyFile({ http, https, tandem }, cert),
    )
    mkdirSync(join(folder, 'logs'), { recursive: true })
    if (proxy === 'nginx') runs(context, folder, 'nginx', ['-p', folder, '-c', config, '-g', 'daemon off;'])
    else runs(context, folder, 'caddy', ['run', '--config', config, '--adapter', 'caddyfile'])
    const { open, ask, close } = client(address, cert.certFile)
    context.after(close)
    assert.ok(
      await soon(() =>
        ask('/healthz').then(
          ({ status }) => status === 200,
          () => false,
        ),
      ),
      `${proxy} does not answer`,
    )

    // Plain HTTP leads people to TLS and refuses programs, and TLS is where browsers stay.
    for (const path of [
      '/v2/catalog',
      '/v1/api/auth/login',
      '/api/leads',
      '/oauth/token',
      '/scim/v2/Users',
      '/portal/session',
    ])
      assert.equal(
        (await fetch(`http://localhost:${http}${path}`, { method: 'POST', redirect: 'manual' })).status,
        403,
        path,
      )
    const plain = await fetch(`http://localhost:${http}/leads?limit=1`, { redirect: 'manual' })
    assert.equal(plain.status, 308)
    // Caddy takes it for granted that people come by port 443.
    const leadsTo = proxy === 'nginx' ? address : 'https://localhost'
    assert.equal(plain.headers.get('location'), `${leadsTo}/leads?limit=1`)
    for (const path of ['/', '/v2/catalog', '/nowhere', '/oauth/token'])
      assert.equal((await ask(path)).headers['strict-transport-security'], hsts, path)
    // Neither an older protocol nor a cipher of it is spoken.
    for (const version of ['TLSv1', 'TLSv1.1'] as const)
      await assert.rejects(
        handshake(https, { minVersion: version, maxVersion: version, ciphers: 'ALL:@SECLEVEL=0' }),
        version,
      )
    assert.equal(await handshake(https, {}), 'TLSv1.3')
    for (const ciphers of ['aNULL:eNULL', '3DES', 'RC4', 'kRSA+AES', 'ECDHE+SHA1'])
      await assert.rejects(handshake(https, { maxVersion: 'TLSv1.2', ciphers: `${ciphers}:@SECLEVEL=0` }), ciphers)

    const security = await ask('/.well-known/security.txt')
    assert.match(
      security.text,
      new RegExp(`^Contact: mailto:security@example.com\nExpires: 20.*Z\nCanonical: ${address}/`),
    )

    // A session, by the address that people use.
    const login = await ask('/portal/session', {
      method: 'POST',
      headers: { 'x-tandem-portal': '1', origin: address, 'content-type': 'application/json' },
      body: JSON.stringify({ emailOrAdminId: 'admin@tandem.localhost', password: 'correct horse battery' }),
    })
    assert.equal(login.status, 200, login.text)
    for (const cookie of login.headers['set-cookie'] ?? []) assert.match(cookie, /; Secure/i)
    const authorization = { authorization: `Bearer ${JSON.parse(login.text).accessTokens.live.accessToken}` }

    // Anyone who says to come from elsewhere is known by the address that the proxy saw.
    await ask('/v2/messages?limit=1', { headers: { ...authorization, 'x-forwarded-for': '203.0.113.9' } })
    assert.ok(
      await soon(async () => {
        const { text } = await ask('/v2/requests?limit=20', { headers: authorization })
        const seen = JSON.parse(text).data.filter(({ path }: { path: string }) => path.startsWith('/v2/messages'))
        return seen.length > 0 && seen.every(({ ip }: { ip: string }) => ip === '127.0.0.1')
      }),
    )

    // What happens is said at once, not when a buffer is full.
    const stream = await open('/v2/stream?topics=events', { headers: authorization })
    assert.equal(stream.statusCode, 200)
    let heard = ''
    // It is left in the middle.
    stream.on('error', () => {})
    stream.setEncoding('utf8').on('data', text => {
      heard += text
    })
    const lead = await ask('/v1/api/leads', {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' }),
    })
    assert.equal(lead.status, 201, lead.text)
    assert.ok(await soon(() => heard.includes('lead.created')), heard)
    stream.destroy()

    // A file of 20 MB goes up and comes back.
    const file = Buffer.alloc(20_000_000, 'tandem ')
    const up = await ask(`/v1/api/attachments?record_id=lead:${JSON.parse(lead.text).lead.id}&name=large.bin`, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/octet-stream', 'content-length': String(file.length) },
      body: file,
    })
    assert.equal(up.status, 201, up.text)
    const down = await ask(`/v1/api/attachments/${JSON.parse(up.text).attachment.id}/content`, {
      headers: authorization,
    })
    assert.equal(down.text.length, file.length)
  })
}
