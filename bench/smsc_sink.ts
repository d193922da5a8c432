/**
 * A carrier's side for benches: takes every submit_sm, answers it at once and, when asked, sends a receipt for it a moment
 * later. It reads just enough of SMPP 3.4 and writes many answers in one piece, so that it costs the machine as little as
 * it can; whether peers speak SMPP properly is for the tests to say. Runs in a process of its own (`sinks.ts` starts it).
 */
import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { createTally, nowUs, serveOrders } from './sink_tally.ts'

const commands = {
  bindReceiver: 0x01,
  bindTransmitter: 0x02,
  submit: 0x04,
  deliver: 0x05,
  unbind: 0x06,
  bindTransceiver: 0x09,
  enquireLink: 0x15,
  isAnswer: 0x80000000,
}
const headLength = 16
/** Receipts that may be without an answer on one link. */
const receiptWindow = 200
/** Digits at the end of each text that say which message it is. */
const numberDigits = 8
const receiptedMessageId = 0x001e
const messageState = 0x0427
const delivered = 2

type Link = {
  socket: Socket
  carry: Buffer | null
  /** Whether receipts may come this way. */
  receives: boolean
  receiptsOpen: number
  sequence: number
}

type DueReceipt = { dueUs: number; id: string; from: string; to: string; toNpi: number; toTon: number }

const receiptDelayMs = Number(process.env['BENCH_RECEIPT_DELAY_MS'] ?? 500)
const tally = createTally()
const links = new Set<Link>()
const receipts: DueReceipt[] = []
let receiptsBegun = 0
let lastId = 0
let out: Buffer[] = []

const text = (id: string) =>
  `id:${id} sub:001 dlvrd:001 submit date:2611210900 done date:2611210900 stat:DELIVRD err:000 text:`

function pdu(command: number, sequence: number, body: Buffer | null): Buffer {
  const length = headLength + (body === null ? 0 : body.length)
  const bytes = Buffer.allocUnsafe(length)
  bytes.writeUInt32BE(length, 0)
  bytes.writeUInt32BE(command, 4)
  bytes.writeUInt32BE(0, 8)
  bytes.writeUInt32BE(sequence, 12)
  body?.copy(bytes, headLength)
  return bytes
}

function answer(command: number, sequence: number, body: Buffer | null = null): void {
  out.push(pdu((command | commands.isAnswer) >>> 0, sequence, body))
}

function onData(link: Link, chunk: Buffer): void {
  const bytes = link.carry === null ? chunk : Buffer.concat([link.carry, chunk])
  link.carry = null
  let at = 0
  while (bytes.length - at >= headLength) {
    const length = bytes.readUInt32BE(at)
    if (length < headLength || length > 65_536) {
      link.socket.destroy()
      return
    }
    if (bytes.length - at < length) break
    onPdu(link, bytes, at, at + length)
    at += length
  }
  if (at < bytes.length) link.carry = Buffer.from(bytes.subarray(at))
  flush(link)
}

function flush(link: Link): void {
  if (out.length === 0) return
  const pieces = out
  out = []
  if (!link.socket.destroyed) link.socket.write(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))
}

function onPdu(link: Link, bytes: Buffer, at: number, end: number): void {
  const command = bytes.readUInt32BE(at + 4)
  const sequence = bytes.readUInt32BE(at + 12)
  switch (command) {
    case commands.submit:
      onSubmit(bytes, at + headLength, end, sequence)
      break
    case (commands.deliver | commands.isAnswer) >>> 0:
      link.receiptsOpen -= 1
      tally.count('receiptsAnswered')
      sendReceipts()
      break
    case commands.bindReceiver:
    case commands.bindTransceiver:
      link.receives = true
      answer(command, sequence, Buffer.from('sink\0'))
      break
    case commands.bindTransmitter:
      answer(command, sequence, Buffer.from('sink\0'))
      break
    case commands.unbind:
      answer(command, sequence)
      flush(link)
      link.socket.end()
      break
    default:
      if (command < commands.isAnswer) answer(command, sequence)
  }
}

/** Fields in their order (SMPP 3.4 §4.4.1); only what the receipt repeats is read. */
function onSubmit(bytes: Buffer, start: number, end: number, sequence: number): void {
  let at = bytes.indexOf(0, start) + 1 + 2
  const fromEnd = bytes.indexOf(0, at)
  const from = bytes.toString('latin1', at, fromEnd)
  const toTon = bytes[fromEnd + 1]!
  const toNpi = bytes[fromEnd + 2]!
  at = fromEnd + 3
  const toEnd = bytes.indexOf(0, at)
  const to = bytes.toString('latin1', at, toEnd)
  const validityAt = bytes.indexOf(0, toEnd + 4) + 1
  const flagsAt = bytes.indexOf(0, validityAt) + 1
  const wantsReceipt = (bytes[flagsAt]! & 1) === 1
  const textEnd = flagsAt + 5 + bytes[flagsAt + 4]!
  if (textEnd <= end) tally.note(bytes, textEnd - numberDigits, numberDigits)
  const id = String(++lastId)
  answer(commands.submit, sequence, Buffer.from(`${id}\0`, 'latin1'))
  if (wantsReceipt) {
    receipts.push({ dueUs: nowUs() + receiptDelayMs * 1000, id, from, to, toTon, toNpi })
    if (receiptDelayMs === 0) setImmediate(sendReceipts)
  }
}

/** What is due goes out on the links that take it, as far as their windows allow. */
function sendReceipts(): void {
  const present = nowUs()
  for (const link of links) {
    if (!link.receives) continue
    const pieces: Buffer[] = []
    while (link.receiptsOpen < receiptWindow && receiptsBegun < receipts.length) {
      const due = receipts[receiptsBegun]!
      if (due.dueUs > present) break
      receiptsBegun += 1
      link.receiptsOpen += 1
      pieces.push(pdu(commands.deliver, ++link.sequence, receiptBody(due)))
    }
    if (pieces.length > 0) {
      tally.count('receipts', pieces.length)
      link.socket.write(Buffer.concat(pieces))
    }
  }
  if (receiptsBegun > 10_000) {
    receipts.splice(0, receiptsBegun)
    receiptsBegun = 0
  }
}

function receiptBody({ id, from, to, toTon, toNpi }: DueReceipt): Buffer {
  const words = text(id)
  const head = Buffer.from(`\0\0\0${to}\0\0\0${from}\0\x04\0\0\0\0\0\0\0\0\0${words}`, 'latin1')
  head[1] = toTon
  head[2] = toNpi
  head[head.length - words.length - 1] = words.length
  const tlvs = Buffer.alloc(4 + id.length + 1 + 5)
  tlvs.writeUInt16BE(receiptedMessageId, 0)
  tlvs.writeUInt16BE(id.length + 1, 2)
  tlvs.write(id, 4, 'latin1')
  tlvs.writeUInt16BE(messageState, 5 + id.length)
  tlvs.writeUInt16BE(1, 7 + id.length)
  tlvs[9 + id.length] = delivered
  return Buffer.concat([head, tlvs])
}

const server = createServer({ noDelay: true }, socket => {
  const link: Link = { socket, carry: null, receives: false, receiptsOpen: 0, sequence: 0 }
  links.add(link)
  socket.on('data', (chunk: Buffer) => onData(link, chunk))
  socket.on('error', () => {})
  socket.on('close', () => links.delete(link))
})

setInterval(sendReceipts, 5)
serveOrders(server, tally)
