// What happens below requests: bytes that never became one, and addresses that open too many connections.
import { type ServerResponse, STATUS_CODES } from 'node:http'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { newId } from '../values/ids.ts'
import { Problem, type ProblemCode } from '../values/problem.ts'
import { closedHeaders } from './closed_headers.ts'
import { renderProblem } from './render_problem.ts'

const connectionsPerIp = 200

/** Tests whether an address is within ranges (an address, or network/prefix), also when it is written as IPv6 (`::ffff:192.0.2.1`). */
export function rangeTest(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/')
    const family = isIPv6(network) ? 'ipv6' : 'ipv4'
    if (prefix === undefined) list.addAddress(network, family)
    else list.addSubnet(network, Number(prefix), family)
  }
  return address => isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
}

/** Whether a connection comes from this very machine. */
export const isLoopback = rangeTest(['127.0.0.1', '::1'])

/**
 * Bytes that never became a request: answered in JSON as everything else, then closed. Requests that arrived whole
 * before them on the same connection get their own answers first, or a client would take the refusal for one of those.
 */
export function clientErrorHandler(this: FastifyInstance, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) {
    socket.destroy(error)
    return
  }
  const underWay = answerUnderWay(socket)
  if (underWay?.req.complete === true) underWay.once('close', () => clientErrorHandler.call(this, error, socket))
  // What was begun cannot be taken back; anything more would look like a part of it.
  else if (underWay?.headersSent === true) socket.destroy(error)
  else refuse(error.code, socket, this.onlyByTls)
}

/** The answer that Node is writing to a connection; it has no public name (`_httpMessage`). */
function answerUnderWay(socket: Socket): ServerResponse | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? undefined
}

function refuse(errorCode: string | undefined, socket: Socket, onlyByTls: string | undefined): void {
  const code: ProblemCode =
    errorCode === 'HPE_HEADER_OVERFLOW'
      ? 'headers_too_large'
      : errorCode === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? 'request_timeout'
        : 'bad_request'
  const problem = new Problem(code)
  const requestId = newId('req')
  // Which version was meant is unknown here, so the answer carries the fields of both.
  const body = JSON.stringify({
    ...JSON.parse(renderProblem(problem, 'v2', requestId, 0)),
    ...JSON.parse(renderProblem(problem, 'v1', requestId, 0)),
  })
  const { status } = problem.entry
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    ...closedHeaders,
    ...(onlyByTls !== undefined && { 'strict-transport-security': onlyByTls }),
    'x-request-id': requestId,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
}

/** Cuts connections beyond 200 of one address. A reverse proxy brings many clients, and so may the loopback address. */
export function limitConnections(app: FastifyInstance, trustedProxies: readonly string[]): void {
  const open = new Map<string, number>()
  const isProxy = rangeTest(trustedProxies)
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    if (count > connectionsPerIp && !isLoopback(address) && !isProxy(address)) {
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left === 0) open.delete(address)
      else open.set(address, left)
    })
  })
}
