/**
 * The receiver of callbacks for benches: counts Kannel's delivery reports (`GET …?n=00000012`) and our webhooks (POST with
 * the text of the message in it), and answers 200. It reads just enough of HTTP/1.1 for these two senders. Of our webhooks
 * it checks one signature in 64. Runs in a process of its own (`sinks.ts` starts it).
 */
import { createHmac } from 'node:crypto'
import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { createTally, serveOrders } from './sink_tally.ts'

const ok = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')
const numberInText = 'Your code is '
const numberInPath = '?n='
const numberDigits = 8
const checkEvery = 64

const tally = createTally()
let key: Buffer | undefined
let posts = 0

function onData(socket: Socket, state: { carry: Buffer | null }, chunk: Buffer): void {
  const bytes = state.carry === null ? chunk : Buffer.concat([state.carry, chunk])
  state.carry = null
  let at = 0
  let answers = 0
  while (at < bytes.length) {
    const headEnd = bytes.indexOf('\r\n\r\n', at, 'latin1')
    if (headEnd === -1) break
    const head = bytes.toString('latin1', at, headEnd)
    const bodyAt = headEnd + 4
    const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0)
    if (bytes.length - bodyAt < length) break
    onRequest(head, bytes, at, bodyAt, bodyAt + length)
    at = bodyAt + length
    answers += 1
  }
  if (at < bytes.length) state.carry = Buffer.from(bytes.subarray(at))
  if (answers > 0) socket.write(answers === 1 ? ok : Buffer.concat(new Array<Buffer>(answers).fill(ok)))
}

function onRequest(head: string, bytes: Buffer, at: number, bodyAt: number, end: number): void {
  if (end === bodyAt) {
    const found = head.indexOf(numberInPath)
    if (found !== -1) tally.note(bytes, at + found + numberInPath.length, numberDigits)
    return
  }
  const found = bytes.indexOf(numberInText, bodyAt, 'latin1')
  if (found !== -1 && found < end) tally.note(bytes, found + numberInText.length, numberDigits)
  else tally.count('unreadable')
  if (posts++ % checkEvery === 0) tally.count(isSigned(head, bytes.subarray(bodyAt, end)) ? 'signed' : 'unsigned')
}

/** Standard Webhooks: HMAC-SHA-256 over `id.timestamp.body`. */
function isSigned(head: string, body: Buffer): boolean {
  if (key === undefined) return false
  const value = (name: string) => new RegExp(`\\r\\n${name}: *([^\\r]+)`, 'i').exec(head)?.[1] ?? ''
  const signed = createHmac('sha256', key)
    .update(`${value('webhook-id')}.${value('webhook-timestamp')}.`)
    .update(body)
  return value('webhook-signature')
    .split(' ')
    .includes(`v1,${signed.digest('base64')}`)
}

const server = createServer({ noDelay: true }, socket => {
  const state: { carry: Buffer | null } = { carry: null }
  socket.on('data', (chunk: Buffer) => onData(socket, state, chunk))
  socket.on('error', () => {})
})

serveOrders(server, tally, secret => {
  key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
})
