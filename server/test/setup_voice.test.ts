// The process for calls, as an operator sees it: absent while there is nothing for it, there for the first call, trunk or phone, which lose
// nothing by that, and after the next start again only where there is something.
// test: programs
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../scripts/testing/free_port.ts'
import { endServer, freshFolder, type ReadyServer, soon, startServer } from './server_process.ts'

/** The processes for calls of a server. */
function callProcesses({ pid }: ReadyServer): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
        const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
        return Number(parent) === pid && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('\0calls\0')
      } catch {
        return false
      }
    })
    .map(Number)
}

async function ask(server: ReadyServer, key: string, method: string, path: string, body?: object) {
  const response = await fetch(`${server.address}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  assert.ok(response.ok, `${method} ${path}: ${text}`)
  return JSON.parse(text)
}

const keyOf = (server: ReadyServer, mode: 'Live' | 'Test') =>
  new RegExp(`${mode} API key +(\\S+)`).exec(server.stdout())?.[1] ?? assert.fail(server.stdout())

/** On a machine with much else to do a call takes its time. */
const eventually = async (check: () => boolean | Promise<boolean>) =>
  (await soon(check)) || (await soon(check)) || soon(check)

/** Longer than the server takes to look whether there is something. */
const looked = () => sleep(2_500)

async function installation(context: TestContext) {
  const env = {
    TANDEM_DATA: freshFolder(),
    TANDEM_SIP_PORT: String(await freePort()),
    TANDEM_EGRESS_ALLOW: '127.0.0.1',
  }
  return { sipPort: Number(env.TANDEM_SIP_PORT), start: () => startServer(context, { env }) }
}

test('a call is carried by a process that it brings about; the next start does without', async t => {
  const { start } = await installation(t)
  const first = await start()
  const key = keyOf(first, 'Test')
  await ask(first, key, 'GET', '/v2/voice/calls')
  await looked()
  assert.deepEqual(callProcesses(first), [], 'nothing was asked for')
  const { data: call } = await ask(first, key, 'POST', '/v2/voice/calls', {
    from: '+15550100001',
    to: '+15005550200',
    instructions: [{ verb: 'say', text: 'Good morning' }, { verb: 'hangup' }],
  })
  const state = async () => (await ask(first, key, 'GET', `/v2/voice/calls/${call.callId}`)).data
  assert.ok(await eventually(async () => (await state()).endedAt !== null), JSON.stringify(await state()))
  const { state: last, answeredAt } = await state()
  assert.equal(last, 'completed')
  assert.notEqual(answeredAt, null)
  const [running] = callProcesses(first)
  assert.notEqual(running, undefined)
  const figures = await (await fetch(`${first.address}/metrics`)).text()
  assert.match(figures, /^process_resident_memory_bytes\{process="calls"\} \d+$/m)

  process.kill(running as number, 'SIGKILL')
  assert.ok(await eventually(() => callProcesses(first).some(pid => pid !== running)), 'once there it is kept')
  assert.equal((await endServer(first)).code, 0)

  const second = await start()
  await looked()
  assert.deepEqual(callProcesses(second), [], 'the call is over')
  assert.equal((await endServer(second)).code, 0)
})

test('a softphone is answered from its credential on, and a trunk brings the process with every start until it is off', async t => {
  const { start, sipPort } = await installation(t)
  const first = await start()
  const key = keyOf(first, 'Live')
  await looked()
  assert.deepEqual(callProcesses(first), [])
  const { data } = await ask(first, key, 'POST', '/v2/voice/sip-credentials', {
    username: 'desk',
    password: 'a-long-enough-password',
  })
  assert.match(await registered(sipPort), /^SIP\/2\.0 401 /, 'it is asked for its password')
  assert.equal(callProcesses(first).length, 1)
  await ask(first, key, 'DELETE', `/v2/voice/sip-credentials/${data.credentialId}`)
  assert.equal((await endServer(first)).code, 0)

  const second = await start()
  await looked()
  assert.deepEqual(callProcesses(second), [])
  const settings = { host: '127.0.0.1', port: await freePort() }
  const { data: trunk } = await ask(second, key, 'POST', '/v2/voice/trunks', { name: 'carrier', settings })
  assert.ok(await eventually(() => callProcesses(second).length === 1))
  assert.equal((await endServer(second)).code, 0)

  const third = await start()
  assert.ok(await eventually(() => callProcesses(third).length === 1), 'the trunk is still there')
  await ask(third, key, 'PATCH', `/v2/voice/trunks/${trunk.trunkId}`, { enabled: false })
  assert.equal((await endServer(third)).code, 0)

  const fourth = await start()
  await looked()
  assert.deepEqual(callProcesses(fourth), [])
  assert.equal((await endServer(fourth)).code, 0)
})

/** What a phone is answered that registers as phones do: again and again until somebody answers. */
async function registered(port: number): Promise<string> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const own = socket.address().port
  const text = [
    'REGISTER sip:127.0.0.1 SIP/2.0',
    `Via: SIP/2.0/UDP 127.0.0.1:${own};branch=z9hG4bKfirst;rport`,
    'From: <sip:desk@127.0.0.1>;tag=1',
    'To: <sip:desk@127.0.0.1>',
    'Call-ID: first-registration',
    'CSeq: 1 REGISTER',
    `Contact: <sip:desk@127.0.0.1:${own}>`,
    'Max-Forwards: 70',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n')
  // A port that nobody listens on yet refuses.
  socket.on('error', () => {})
  const again = setInterval(() => socket.send(text, port, '127.0.0.1'), 500)
  try {
    // The time a phone gives it (RFC 3261, timer F).
    const [answer] = (await once(socket, 'message', { signal: AbortSignal.timeout(32_000) })) as [Buffer]
    return answer.toString()
  } finally {
    clearInterval(again)
    socket.close()
  }
}
