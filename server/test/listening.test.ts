// What the server listens on: with default settings loopback alone, as nobody has opened anything, also once telephones may register and
// a call has sound. Read from the kernel for every process of the server.
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { selfSigned } from '../../packages/sip/test/transport_support.ts'
import { freePort } from '../../scripts/testing/free_port.ts'
import { startCarrier } from './engines/sip_carrier.ts'
import { freshFolder, type ReadyServer, soon, startServer } from './server_process.ts'

type Socket = { transport: string; address: string; port: number }

/** The children of a process, theirs, and itself. */
function familyOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`
  const children = unlessGone(() => readdirSync(tasks)).flatMap(task =>
    unlessGone(() => words(readFileSync(`${tasks}/${task}/children`, 'utf8'))),
  )
  return [pid, ...children.map(Number).flatMap(familyOf)]
}

const words = (text: string) => text.split(/\s+/).filter(Boolean)

function inodesOf(pid: number): string[] {
  return unlessGone(() => readdirSync(`/proc/${pid}/fd`)).flatMap(fd =>
    unlessGone(() => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.slice(1) ?? []),
  )
}

/** Nothing of what has ended since it was listed: a process, a thread, a socket. */
function unlessGone<Found>(read: () => Found[]): Found[] {
  try {
    return read()
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** `0100007F` is 127.0.0.1: four octets to a word, the last one first (proc_net_tcp in the kernel's documentation). */
function addressOf(hex: string): string {
  const octets = (hex.match(/.{8}/g) ?? []).flatMap(word => (word.match(/../g) ?? []).reverse())
  if (octets.length === 4) return octets.map(octet => Number.parseInt(octet, 16)).join('.')
  return (octets.join('').match(/.{4}/g) ?? []).join(':').toLowerCase()
}

/** Sockets that take what others send: TCP that listens (state 0A), UDP without a peer (07). */
function listeners(server: ReadyServer): Socket[] {
  const own = new Set(familyOf(server.pid).flatMap(inodesOf))
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap(table =>
    readFileSync(`/proc/net/${table}`, 'utf8')
      .split('\n')
      .slice(1)
      .map(words)
      .filter(({ 3: state, 9: inode }) => own.has(inode ?? '') && state === (table.startsWith('tcp') ? '0A' : '07'))
      .map(([, local = '']) => {
        const [address = '', port = ''] = local.split(':')
        return { transport: table.slice(0, 3), address: addressOf(address), port: Number.parseInt(port, 16) }
      }),
  )
}

const isLoopback = ({ address }: Socket) =>
  address.startsWith('127.') || address === '0000:0000:0000:0000:0000:0000:0000:0001'

const skip = existsSync('/proc/net/udp') ? false : 'there is no /proc/net/udp here'

async function startWithCall(t: Parameters<typeof startServer>[0], env: Record<string, string>) {
  const [sipPort, tlsPort] = [await freePort(), await freePort()]
  const folder = freshFolder()
  const tls = { TANDEM_SIP_TLS_CERT: join(folder, 'cert.pem'), TANDEM_SIP_TLS_KEY: join(folder, 'key.pem') }
  const { cert, key: tlsKey } = selfSigned(t)
  writeFileSync(tls.TANDEM_SIP_TLS_CERT, cert)
  writeFileSync(tls.TANDEM_SIP_TLS_KEY, tlsKey)
  const server = await startServer(t, {
    env: {
      TANDEM_DATA: join(folder, 'data'),
      TANDEM_SIP_PORT: String(sipPort),
      TANDEM_SIP_TLS_PORT: String(tlsPort),
      ...tls,
      TANDEM_RTP_PORTS: '30000-39999',
      TANDEM_EGRESS_ALLOW: '127.0.0.0/8',
      ...env,
    },
  })
  const key = /tdm_live_[0-9A-Za-z]+/.exec(server.stdout())?.[0]
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  async function ask(path: string, body?: unknown) {
    const how = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const reply = await fetch(`${server.address}${path}`, { headers, ...how })
    const { data } = (await reply.json()) as { data: Record<string, unknown> }
    assert.ok(reply.ok, `${path}: ${reply.status}`)
    return data
  }
  const carrier = await startCarrier({ talkMs: 60_000 })
  t.after(() => carrier.close())
  const settings = { host: '127.0.0.1', port: carrier.port, foreignCallerIds: true }
  await ask('/v2/voice/trunks', { name: 'Remote', settings, routes: [{ prefix: '', priority: 10, weight: 1 }] })
  const isSip = ({ port }: Socket) => port === sipPort || port === tlsPort
  assert.ok(await soon(() => listeners(server).filter(isSip).length === 3), 'SIP is listened on, by UDP, TCP and TLS')
  await ask('/v2/voice/calls', {
    from: '+15550100001',
    to: '+15005550299',
    instructions: [{ verb: 'pause', seconds: 50 }],
  })
  const isSound = ({ transport, port }: Socket) => transport === 'udp' && port >= 30_000 && port < 40_000
  assert.ok(await soon(() => listeners(server).filter(isSound).length >= 2), 'sound is taken, RTP and RTCP')
  return { server, ask, all: listeners(server), isSip, isSound }
}

test('with default settings nothing but loopback is listened on, with a trunk and a call too', { skip }, async t => {
  const { server, ask, all } = await startWithCall(t, {})
  assert.deepEqual(
    all.filter(socket => !isLoopback(socket)),
    [],
  )

  // A carrier elsewhere is not left to wonder.
  const reported = /127\.0\.0\.1, which reaches this machine only; set TANDEM_SIP_ADDRESS=0\.0\.0\.0/
  const asterisk = {
    url: 'https://192.88.98.1:8089',
    username: 'tandem',
    password: 'secret',
    endpoint: 'PJSIP/{number}@far',
  }
  for (const [kind, settings] of Object.entries({ sip: { host: '192.88.98.1' }, asterisk })) {
    const { trunkId } = await ask('/v2/voice/trunks', { kind, name: 'Away', settings })
    const trunk = () => ask(`/v2/voice/trunks/${trunkId}`)
    assert.ok(await soon(async () => (await trunk())['state'] === 'down'), `the trunk is down: ${kind}`)
    assert.match(String((await trunk())['error']), reported)
    // The test of an Asterisk asks it first, which is another machine here.
    if (kind === 'sip') assert.match(JSON.stringify(await ask(`/v2/voice/trunks/${trunkId}/test`, {})), reported)
  }
  assert.match(server.stdout(), reported, 'the log reports it')
})

test('an opened HOST opens SIP and sound with it', { skip }, async t => {
  const { all, isSip, isSound } = await startWithCall(t, { HOST: '0.0.0.0' })
  const open = all.filter(({ address }) => address === '0.0.0.0')
  assert.deepEqual([open.filter(isSip).length, open.some(isSound)], [3, true], JSON.stringify(all))
})
