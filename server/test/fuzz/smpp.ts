// Mutated SMPP at both sides of a link: at a message centre that lets everybody in, beside an honest client whose messages must be
// answered all the time, and at a client that a message centre sends them to. Behind each input goes an enquire_link: the input has been
// read when it is answered, or when the connection has been closed for the input's sake.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createEsme, createPduReader, createSmsc, encodePdu, isFault, type Pdu } from '@tandem/smpp'
import { samples } from '../../../packages/smpp/test/samples.ts'
import type { Random } from '../crash/random.ts'
import { mutate } from './mutate.ts'
import type { FuzzKind, FuzzTarget } from './runner.ts'

const captures = Object.values(samples).map(sample => encodePdu(sample))
const account = { systemId: 'fuzz', password: 'fuzz' }
const patienceMs = 10_000

export const smppFuzz: FuzzKind = {
  name: 'smpp',
  description: 'mutated PDUs at a message centre and at a client',
  batch: 500,
  open,
}

/** Of the right length nearly always, or a stream would end with its first fault. */
function pdu(random: Random): { bytes: Buffer; isFramed: boolean } {
  const bytes = mutate(random, random.pick(captures) as Buffer)
  const isFramed = bytes.length >= 16 && !random.oneIn(50)
  if (isFramed) bytes.writeUInt32BE(bytes.length, 0)
  return { bytes, isFramed }
}

/** No capture counts as far. */
const firstProbe = 0x40000000

/** One end of a connection by hand. */
type Rogue = {
  /** Resolves when what is sent has been read. Rejects where the peer neither answers nor closes. */
  sendReceipt(random: Random): Promise<void>
  isOver(): boolean
  close(): void
}

/** @param onPdu what else comes */
function rogueOn(socket: Socket, onPdu: (item: Pdu) => void = () => {}): Rogue {
  const reader = createPduReader()
  let probes = firstProbe
  let waiting: { sequence: number; resolve(): void } | undefined
  socket.setNoDelay(true)
  socket.on('error', () => {})
  socket.on('close', () => waiting?.resolve())
  socket.on('data', (bytes: Buffer) => {
    for (const item of reader.push(bytes)) {
      if (isFault(item)) continue
      if (item.command === 'enquire_link_resp' && item.sequence === waiting?.sequence) waiting.resolve()
      else onPdu(item)
    }
  })
  return {
    async sendReceipt(random) {
      const { bytes, isFramed } = pdu(random)
      const sequence = ++probes
      const read = new Promise<void>((resolve, reject) => {
        const timer = setTimeout(reject, patienceMs, new Error('what was sent is neither answered nor refused'))
        waiting = {
          sequence,
          resolve() {
            clearTimeout(timer)
            resolve()
          },
        }
      })
      if (isFramed) socket.write(Buffer.concat([bytes, encodePdu({ command: 'enquire_link', sequence })]))
      // Of another length the reader waits for the rest, or takes what follows for it: nothing follows.
      else socket.end(bytes)
      if (socket.destroyed) waiting?.resolve()
      await read
      waiting = undefined
    },
    isOver: () => socket.destroyed || socket.writableEnded,
    close: () => void socket.destroy(),
  }
}

async function open(): Promise<FuzzTarget> {
  const centre = createSmsc({
    authenticate: () => 0,
    onSubmit: () => ({ status: 0, messageId: '1' }),
    limits: { connections: 1_000, bindsPerSystemId: 1_000 },
  })
  const { port } = await centre.listen({ port: 0, host: '127.0.0.1' })
  const honest = createEsme({ host: '127.0.0.1', port, ...account })
  await honest.bound()
  const rogue = await openRogueCentre()
  const victim = createEsme({
    host: '127.0.0.1',
    port: rogue.port,
    ...account,
    onDeliver: () => 0,
    reconnect: { minMs: 1, maxMs: 5, refusedMs: 5 },
  })
  await victim.bound()
  let stranger: Rogue | undefined
  let ended = 0

  function atCentre(): Rogue {
    if (stranger === undefined || stranger.isOver()) {
      if (stranger !== undefined) ended++
      const socket = connect(port, '127.0.0.1')
      stranger = rogueOn(socket)
      socket.write(encodePdu({ ...samples.bind_transceiver, systemId: 'stranger' }))
    }
    return stranger
  }

  return {
    async send(random): Promise<'read'> {
      if (random.oneIn(2)) await atCentre().sendReceipt(random)
      else await (await rogue.bound()).sendReceipt(random)
      return 'read'
    },
    async check() {
      const answer = await honest.submit({ destinationAddr: '4915112345678', shortMessage: Buffer.from('here') })
      if (answer.status !== 0) throw new Error(`the message centre answered an honest message with ${answer.status}`)
      await rogue.bound()
      const count = ended + rogue.taken()
      ended = 0
      return count
    },
    async close() {
      stranger?.close()
      await Promise.all([victim.close({ drainMs: 0 }), honest.close({ drainMs: 0 })])
      rogue.close()
      await centre.close({ drainMs: 0 })
    },
  }
}

/** A message centre that lets everybody in and answers nothing else but binds. */
async function openRogueCentre() {
  let latest: Rogue | undefined
  let connections = 0
  let announce = () => {}
  const server: Server = createServer(socket => {
    const own = rogueOn(socket, ({ command, sequence }) => {
      if (command !== 'bind_transceiver') return
      connections++
      socket.write(encodePdu({ command: 'bind_transceiver_resp', sequence, systemId: 'rogue' }))
      latest = own
      announce()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** The connection over which the client is bound, once it is again. */
  async function bound(): Promise<Rogue> {
    const deadline = performance.now() + patienceMs
    while (latest === undefined || latest.isOver()) {
      if (performance.now() > deadline) throw new Error('the client does not bind any more')
      await new Promise<void>(resolve => {
        announce = resolve
        setTimeout(resolve, 200)
      })
    }
    return latest
  }

  return {
    port: (server.address() as AddressInfo).port,
    bound,
    /** Connections since this was asked last that took the place of another. */
    taken() {
      const count = connections - 1
      connections = 1
      return Math.max(0, count)
    },
    close() {
      latest?.close()
      server.close()
    },
  }
}
