// Clients that hang up before they have their answer: they keep no place among the requests under way, and what they asked
// for stands in the log of requests, as it was done.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { Type } from 'typebox'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { listen } from '../../../test/wire.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import { Problem } from '../values/problem.ts'

/** Which endpoints were called, and what those that are slow wait for. */
const called: string[] = []
let working: PromiseWithResolvers<void>

function trial(name: string, work: () => Promise<string>) {
  return endpoint({
    id: `trial.${name}`,
    version: 'v2',
    method: 'POST',
    path: `/trial/${name}`,
    category: 'Developer',
    name: 'Try something',
    description: 'An endpoint of this test only.',
    permission: 'profile:read',
    envelope: 'data',
    reply: Type.Object({ text: Type.String() }),
    sample: { reply: { text: '' } },
    handle: async () => {
      called.push(name)
      return { text: await work() }
    },
  })
}

const endpoints = [
  trial('quick', async () => ''),
  trial('slow', async () => working.promise.then(() => '')),
  trial('refused', async () => {
    await working.promise
    throw new Problem('call_not_active')
  }),
  // Larger than what the system takes for a client that reads nothing.
  trial('large', async () => 'x'.repeat(32 * 1024 * 1024)),
]

let t: TestApp
let port: number
before(async () => {
  t = await startTestApp({ endpoints })
  port = await listen(t)
})
after(() => t?.close())

async function ask(name: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').pause()
  await once(socket, 'connect')
  const lines = [`POST /v2/trial/${name} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${t.main.testKey}`]
  socket.write(`${lines.join('\r\n')}\r\nContent-Length: 0\r\n\r\n`)
  return socket
}

/** Hangs up, and waits until the server knows. */
async function hangUp(sockets: readonly Socket[]): Promise<void> {
  for (const socket of sockets) socket.destroy()
  const open = () => new Promise<number>(resolve => t.app.http.server.getConnections((_, count) => resolve(count)))
  await eventually('the end of the connections', async () => (await open()) === 0)
}

/** The status that the log has of the only request to an endpoint. */
function loggedStatus(name: string): Promise<number> {
  return eventually(`the line of ${name} in the log`, async () => {
    await t.app.flush()
    const rows = await t.sql<{ status: number }>('select status from request_log where endpoint_id = $1', [
      `trial.${name}`,
    ])
    assert.ok(rows.length <= 1)
    return rows[0]?.status
  })
}

test('who hangs up while a credential is looked up keeps no place among the requests under way', async context => {
  const { authenticator, connections } = t.app.services
  const { authenticate } = authenticator
  const lookups = Promise.withResolvers<void>()
  let asked = 0
  authenticator.authenticate = async (credential, nowMs) => {
    asked++
    await lookups.promise
    return authenticate(credential, nowMs)
  }
  context.after(() => {
    authenticator.authenticate = authenticate
  })
  const principal = await authenticate(t.main.testKey, t.clock.now())
  const sockets = await Promise.all(Array.from({ length: 20 }, () => ask('quick')))
  await eventually('twenty lookups', () => asked === 20)
  await hangUp(sockets)
  lookups.resolve()
  await eventually('twenty handlers', () => called.length === 20)
  assert.equal(connections.held(principal), 0)
})

for (const [name, status] of [
  ['slow', 200],
  ['refused', 409],
] as const)
  test(`what a client hung up on is in the log of requests with the answer it was to have (${status})`, async () => {
    working = Promise.withResolvers()
    const socket = await ask(name)
    await eventually('the handler', () => called.includes(name))
    await hangUp([socket])
    working.resolve()
    assert.equal(await loggedStatus(name), status)
  })

test('an answer that breaks off while it is written is in the log of requests', async () => {
  const socket = await ask('large')
  await once(socket, 'readable')
  await hangUp([socket])
  assert.equal(await loggedStatus('large'), 200)
})
