// An address of this machine that no connection can be made to, and that does not refuse one either: it listens, nobody takes
// what comes, and its backlog is full.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'

/** Listens, says where, and then stands still for good: nothing is accepted any more. */
const listener = `
const { createServer } = require('node:net')
const { parentPort } = require('node:worker_threads')
const server = createServer()
server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
  parentPort.postMessage(server.address().port)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})`

export type FullBacklog = { port: number; close(): Promise<void> }

export async function startFullBacklog(): Promise<FullBacklog> {
  const worker = new Worker(listener, { eval: true })
  const [port] = (await once(worker, 'message')) as [number]
  const sockets: Socket[] = []
  // Those the system takes in our place; the first that it does not shows that the backlog is full.
  for (let isFull = false; !isFull; ) {
    if (sockets.length > 50) throw new Error('the backlog does not become full')
    const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {})
    sockets.push(socket)
    isFull = (await Promise.race([once(socket, 'connect'), sleep(500, 'full')])) === 'full'
  }
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy()
      await worker.terminate()
    },
  }
}
