// A name server for tests, over UDP: answers addresses and texts as a function says, and may lie, change its mind or keep silent.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ipaddr from 'ipaddr.js'

export type Question = {
  name: string
  type: 'A' | 'AAAA' | 'TXT' /** How often this was asked before. */
  before: number
}

/** Addresses with the seconds they hold; null: the name does not exist; undefined: no answer at all. */
export type NameAnswer = { addresses?: string[]; texts?: string[]; ttl?: number } | null | undefined

export type NameServer = {
  /** `127.0.0.1:port` */
  address: string
  asked: Question[]
  close(): Promise<void>
}

const types: Record<number, Question['type']> = { 1: 'A', 16: 'TXT', 28: 'AAAA' }

export async function startNameServer(answer: (question: Question) => NameAnswer): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked: Question[] = []
  socket.on('message', (message, peer) => {
    const { name, end } = readName(message)
    const code = message.readUInt16BE(end)
    const type = types[code]
    if (type === undefined) return
    const before = asked.filter(question => question.name === name && question.type === type).length
    const question = { name, type, before }
    asked.push(question)
    const reported = answer(question)
    if (reported === undefined) return
    socket.send(reply(message, end + 4, code, reported), peer.port, peer.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    asked,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Labels of the first question (RFC 1035 §4.1.2). */
function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] as number; length > 0; length = message[at] as number) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

function reply(message: Buffer, questionEnd: number, code: number, reported: NonNullable<NameAnswer> | null): Buffer {
  const wanted = code === 1 ? 'ipv4' : 'ipv6'
  const addresses = (reported?.addresses ?? [])
    .map(text => ipaddr.parse(text))
    .filter(address => address.kind() === wanted)
    .map(address => Buffer.from(address.toByteArray()))
  // Texts of one part (RFC 1035 §3.3.14).
  const texts = (reported?.texts ?? []).map(text => Buffer.concat([Buffer.from([text.length]), Buffer.from(text)]))
  const records = code === 16 ? texts : addresses
  const head = Buffer.alloc(12)
  message.copy(head, 0, 0, 2)
  head.writeUInt16BE(reported === null ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  const answers = records.map(bytes => {
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc00c, 0) // the name of the question
    record.writeUInt16BE(code, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(reported?.ttl ?? 60, 6)
    record.writeUInt16BE(bytes.length, 10)
    return Buffer.concat([record, bytes])
  })
  return Buffer.concat([head, message.subarray(12, questionEnd), ...answers])
}
