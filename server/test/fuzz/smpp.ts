// Mutated SMPP at both sides of a link: at a message centre that lets everybody in, beside an honest client whose messages must be
// answered all the time, and at a client that a message centre sends them to.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { createEsme, createPduReader, createSmsc, encodePdu, isFault } from '@tandem/smpp'
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
function pdu(random: Random): Buffer {
  const bytes = mutate(random, random.pick(captures) as Buffer)
  if (bytes.length >= 16 && !random.oneIn(50)) bytes.writeUInt32BE(bytes.length, 0)
  return bytes
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
  let stranger: Socket | undefined

  function atCentre(bytes: Buffer): void {
    if (stranger === undefined || stranger.destroyed) {
      stranger = connect(port, '127.0.0.1').on('error', () => {})
      stranger.resume()
      stranger.write(encodePdu({ ...samples.bind_transceiver, systemId: 'stranger' }))
    }
    stranger.write(bytes)
  }

  return {
    send(random) {
      const bytes = pdu(random)
      if (random.oneIn(2)) atCentre(bytes)
      else rogue.write(bytes)
      return 'sent'
    },
    async check() {
      const answer = await honest.submit({ destinationAddr: '4915112345678', shortMessage: Buffer.from('here') })
      if (answer.status !== 0) throw new Error(`the message centre answered an honest message with ${answer.status}`)
      await Promise.race([
        victim.bound(),
        new Promise((_, reject) =>
          setTimeout(reject, patienceMs, new Error('the client does not bind any more')).unref(),
        ),
      ])
      return rogue.taken() - 1
    },
    async close() {
      stranger?.destroy()
      await Promise.all([victim.close({ drainMs: 0 }), honest.close({ drainMs: 0 })])
      rogue.close()
      await centre.close({ drainMs: 0 })
    },
  }
}

/** A message centre that lets everybody in and answers nothing else; what is written goes to the latest connection. */
async function openRogueCentre() {
  let latest: Socket | undefined
  let connections = 0
  const server: Server = createServer(socket => {
    connections++
    latest = socket.on('error', () => {})
    const reader = createPduReader()
    socket.on('data', (bytes: Buffer) => {
      for (const item of reader.push(bytes))
        if (!isFault(item) && item.command === 'bind_transceiver')
          socket.write(encodePdu({ command: 'bind_transceiver_resp', sequence: item.sequence, systemId: 'rogue' }))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    write: (bytes: Buffer) => void latest?.write(bytes),
    /** Connections since this was asked last, and one. */
    taken() {
      const count = connections
      connections = 1
      return count
    },
    close() {
      latest?.destroy()
      server.close()
    },
  }
}
