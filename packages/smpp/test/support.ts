// What the tests of sessions share: a clock that is moved by hand, waiting for conditions, and a peer that writes and
// reads raw PDUs on a socket, for all that a well-behaved one would not do.
import assert from 'node:assert/strict'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import type { TestContext } from 'node:test'
import type { Clock, Esme, EsmeOptions, Pdu, PduFault, PduInput, Smsc, SmscOptions, StateChange } from '../src/index.ts'
import { createEsme, createPduReader, createSmsc, encodePdu, isFault, isRequestFailure } from '../src/index.ts'

export type FakeClock = Clock & {
  /** Moves time on; timers that are due fire in their order, each at its own time. */
  advance(ms: number): void
  /** The waits of all timers that are set. */
  waits(): number[]
}

export function fakeClock(): FakeClock {
  let nowMs = 1000
  let lastId = 0
  const timers = new Map<number, { atMs: number; callback: () => void }>()
  return {
    now: () => nowMs,
    setTimeout(callback, ms) {
      timers.set(++lastId, { atMs: nowMs + ms, callback })
      return lastId
    },
    clearTimeout(id) {
      timers.delete(id as number)
    },
    advance(ms) {
      const untilMs = nowMs + ms
      for (;;) {
        const due = [...timers].filter(([, { atMs }]) => atMs <= untilMs).sort((a, b) => a[1].atMs - b[1].atMs)[0]
        if (due === undefined) break
        timers.delete(due[0])
        nowMs = Math.max(nowMs, due[1].atMs)
        due[1].callback()
      }
      nowMs = untilMs
    },
    waits: () => [...timers.values()].map(({ atMs }) => atMs - nowMs).sort((a, b) => a - b),
  }
}

/** Waits until a condition holds, for at most 20 s. */
export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  const endMs = performance.now() + 20_000
  while (!condition()) {
    assert.ok(performance.now() < endMs, `${what} did not come true: ${condition}`)
    await new Promise(resolve => setTimeout(resolve, 2))
  }
}

/** Lets everything that is on its way between two sockets arrive. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise(resolve => setImmediate(resolve))
}

export type RawPeer = {
  socket: Socket
  received: (Pdu | PduFault)[]
  isClosed: boolean
  send(...pdus: PduInput[]): void
  write(octets: Buffer): void
  /** Waits for the next PDU of this command that was not taken yet. */
  next<Name extends Pdu['command']>(command: Name): Promise<Extract<Pdu, { command: Name }>>
}

export function rawPeer(socket: Socket): RawPeer {
  const reader = createPduReader()
  const peer: RawPeer = {
    socket,
    received: [],
    isClosed: false,
    send: (...pdus) => void socket.write(Buffer.concat(pdus.map(pdu => encodePdu(pdu)))),
    write: octets => void socket.write(octets),
    async next(command) {
      const find = () => peer.received.findIndex(item => !isFault(item) && item.command === command)
      await until(() => find() >= 0, `a ${command}`)
      return peer.received.splice(find(), 1)[0] as never
    },
  }
  socket.on('data', (chunk: Buffer) => peer.received.push(...reader.push(chunk)))
  socket.on('error', () => {})
  socket.on('close', () => {
    peer.isClosed = true
  })
  return peer
}

/** A message centre that does only what a test makes it do. */
export async function rawServer(context: TestContext): Promise<{ port: number; peers: RawPeer[]; server: Server }> {
  const peers: RawPeer[] = []
  const server = createServer(socket => peers.push(rawPeer(socket)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    for (const { socket } of peers) socket.destroy()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, peers, server }
}

export type TestedEsme = Esme & { changes: StateChange[] }

export function startEsme(context: TestContext, options: Partial<EsmeOptions> & { port: number }): TestedEsme {
  const changes: StateChange[] = []
  const esme = createEsme({
    host: '127.0.0.1',
    systemId: 'tandem',
    password: 'secret',
    random: () => 0,
    onState: change => changes.push(change),
    ...options,
  })
  context.after(() => esme.close({ drainMs: 0 }))
  return Object.assign(esme, { changes })
}

/** An ESME that a raw message centre has let in. */
export async function boundEsme(context: TestContext, options: Partial<EsmeOptions> = {}) {
  const { port, peers, server } = await rawServer(context)
  const esme = startEsme(context, { port, ...options })
  const peer = await acceptBind(peers, 0)
  await esme.bound()
  return { esme, peer, peers, server, port }
}

export async function acceptBind(peers: RawPeer[], index: number, status = 0): Promise<RawPeer> {
  await until(() => peers.length > index, `connection ${index + 1}`)
  const peer = peers[index]!
  await until(() => peer.received.length > 0, 'a bind')
  const bind = peer.received.shift() as Pdu
  assert.match(bind.command, /^bind_/)
  peer.send({ command: `${bind.command}_resp`, status, sequence: bind.sequence } as PduInput)
  return peer
}

export async function startSmsc(
  context: TestContext,
  options: Partial<SmscOptions> = {},
): Promise<{ smsc: Smsc; port: number }> {
  const smsc = createSmsc({ authenticate: () => 0, onSubmit: () => ({ status: 0, messageId: 'm' }), ...options })
  const { port } = await smsc.listen({ port: 0 })
  context.after(() => smsc.close({ drainMs: 0 }))
  return { smsc, port }
}

/** Of a message that is not looked at. */
export const fields = { sourceAddr: 'Tandem', destinationAddr: '4915112345678', shortMessage: Buffer.from('hi') }

/** How a request failed, in two words. */
export async function failureOf(request: Promise<unknown>): Promise<string> {
  const error = await request.then(
    () => assert.fail('it was answered'),
    (reason: unknown) => reason,
  )
  assert.ok(isRequestFailure(error), String(error))
  return `${error.outcome} ${error.reason}`
}
