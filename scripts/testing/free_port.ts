// A port for a program or a server that cannot be asked to take any. Ports that the system gives to anyone who asks for none
// (32768 and up, on Linux) are kept out: between the choice and the program's start, any connection could take one of them.
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

const host = '127.0.0.1'
const firstPort = 20_000
const portCount = 9_990

/**
 * A port at which nobody listens: no test of ours opens it, and the system gives it to nobody. A port that was closed a moment ago
 * may be somebody else's by now.
 */
export const closedPort = 2

/** Ports that this process tried: anyone who got one may not have opened it yet. */
const given = new Set<number>()

/** A port of 127.0.0.1 that is free for TCP and UDP, and that nobody else in this process was given. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = firstPort + Math.floor(Math.random() * portCount)
    if (given.has(port)) continue
    given.add(port)
    if ((await isFreeForTcp(port)) && (await isFreeForUdp(port))) return port
  }
  throw new Error(`no free port from ${firstPort} to ${firstPort + portCount - 1} in 100 attempts`)
}

function isFreeForTcp(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

function isFreeForUdp(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = createSocket('udp4')
    socket.once('error', () => {
      socket.close()
      resolve(false)
    })
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(true)))
  })
}
