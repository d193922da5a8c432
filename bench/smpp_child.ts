// One side of the SMPP bench in a process of its own: `node smpp_child.ts server|client ours|npm`. It talks to its parent by
// IPC: a server sends its port, a client gets it and sends until it is ended; both report what they did since a mark.
import type { AddressInfo } from 'node:net'
import { createEsme, createSmsc } from '@tandem/smpp'
import smpp from 'smpp'

/** `pdus`: submit_sm and their responses, both counted once; CPU time is the process's own, in microseconds. */
export type SideFigures = { submits: number; cpuUs: number; wallMs: number }
export type ChildOrder = { port: number } | 'mark' | 'report'

const window = 50
const content = Buffer.from('Your code is 12345678')

let submits = 0
let marked = { submits: 0, cpuUs: 0, wallMs: 0 }

function figuresNow(): SideFigures {
  const { user, system } = process.cpuUsage()
  return { submits, cpuUs: user + system, wallMs: performance.now() }
}

function figuresSinceMark(): SideFigures {
  const now = figuresNow()
  return { submits: now.submits - marked.submits, cpuUs: now.cpuUs - marked.cpuUs, wallMs: now.wallMs - marked.wallMs }
}

const servers = {
  async ours(): Promise<number> {
    const smsc = createSmsc({
      authenticate: () => 0,
      onSubmit: () => ({ status: 0, messageId: (++submits).toString(16) }),
    })
    return (await smsc.listen({ port: 0 })).port
  },
  npm: () =>
    new Promise<number>(resolve => {
      const server = smpp.createServer(session => {
        session.on('error', () => {})
        session.on('bind_transceiver', pdu => void session.send(pdu.response()))
        session.on('submit_sm', pdu => void session.send(pdu.response({ message_id: (++submits).toString(16) })))
      })
      server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
    }),
}

const clients = {
  async ours(port: number): Promise<void> {
    const esme = createEsme({ host: '127.0.0.1', port, systemId: 'bench', password: 'bench', window })
    await esme.bound()
    const fields = {
      sourceAddr: 'Tandem',
      sourceAddrTon: 5,
      destinationAddr: '4915112345678',
      destAddrTon: 1,
      destAddrNpi: 1,
      registeredDelivery: 1,
      shortMessage: content,
    }
    const next = () => {
      submits += 1
      esme.submit({ ...fields }).then(next, fail)
    }
    for (let i = 0; i < window; i++) next()
  },
  npm: (port: number) =>
    new Promise<void>(resolve => {
      const session = smpp.connect({ url: `smpp://127.0.0.1:${port}` })
      session.on('error', () => fail(new Error('the link failed')))
      session.bind_transceiver({ system_id: 'bench', password: 'bench' }, () => {
        const next = () => {
          submits += 1
          const fields = {
            source_addr: 'Tandem',
            source_addr_ton: 5,
            destination_addr: '4915112345678',
            dest_addr_ton: 1,
            dest_addr_npi: 1,
            registered_delivery: 1,
            short_message: content,
          }
          session.submit_sm(fields, next)
        }
        for (let i = 0; i < window; i++) next()
        resolve()
      })
    }),
}

function fail(error: unknown): void {
  console.error(error)
  process.exit(1)
}

const [side, stack] = process.argv.slice(2) as ['server' | 'client', 'ours' | 'npm']
process.on('disconnect', () => process.exit())
process.on('message', (order: ChildOrder) => {
  if (order === 'mark') marked = figuresNow()
  else if (order === 'report') process.send?.(figuresSinceMark())
  else clients[stack](order.port).then(() => process.send?.('sending'), fail)
})
if (side === 'server') servers[stack]().then(port => process.send?.(port), fail)
else process.send?.('ready')
