// Messages that follow from another one: the response to a request (RFC 3261 §8.2.6), the ACK of a refused INVITE
// (§17.1.1.3), CANCEL (§9.1), and the marks that a server leaves in the Via it received (§18.2.1, RFC 3581).
import { header, readAll, readOne } from './headers.ts'
import type { SipFault, SipHeader, SipRequest, SipResponse } from './message.ts'
import { createFault, emptyBody, isFault, reasons } from './message.ts'
import { param, withParam } from './scan.ts'
import { parseUri } from './uri.ts'
import { formatMediaType, formatVia } from './values.ts'

export type ResponseParts = {
  /** Left out: the standard's phrase. */
  reason?: string
  /** Ours, put on To when it has none; needed for every status above 100. */
  toTag?: string
  headers?: readonly SipHeader[]
  body?: Buffer
  contentType?: string
}

/**
 * A response with Via, From, To, Call-ID and CSeq of its request, Record-Route where it may make a dialog (1xx, 2xx; §12.1.1)
 * and Timestamp in a 100 (§8.2.6.1). Works on a faulty request as well: what it lacks, the response lacks.
 */
export function createResponse(request: SipRequest, status: number, parts: ResponseParts = {}): SipResponse {
  const { toTag, body = emptyBody, contentType } = parts
  const mayMakeDialog = status > 100 && status < 300
  const headers: SipHeader[] = []
  for (const line of request.headers) {
    const { name } = line
    if (name === 'Via' || name === 'From' || name === 'Call-ID' || name === 'CSeq') headers.push(line)
    else if (name === 'To') headers.push(toTag === undefined || status === 100 ? line : tagged(request, line, toTag))
    else if (name === 'Record-Route' && mayMakeDialog) headers.push(line)
    else if (name === 'Timestamp' && status === 100) headers.push(line)
  }
  headers.push(...(parts.headers ?? []))
  if (contentType !== undefined) headers.push({ name: 'Content-Type', value: contentType })
  return { kind: 'response', status, reason: parts.reason ?? reasons[status] ?? '', headers, body }
}

/** To keeps its text, so that the client sees what it sent. */
function tagged(request: SipRequest, line: SipHeader, toTag: string): SipHeader {
  const to = readOne(request, 'To')
  if (to === undefined || isFault(to) || param(to, 'tag') !== undefined) return line
  return { name: line.name, value: `${line.value};tag=${toTag}` }
}

/**
 * What a message with a fault is answered: undefined for a response, for an ACK, and where no Via says where to.
 * `toTag` as in `createResponse`.
 */
export function faultReply({ status, detail, message, headers }: SipFault, toTag: string): SipResponse | undefined {
  if (message?.kind !== 'request' || message.method === 'ACK') return undefined
  const vias = readAll(message, 'Via')
  if (isFault(vias) || vias.length === 0) return undefined
  // 400 should say what the problem was (§21.4.1), on one line.
  const reason = status === 400 ? `Bad Request (${detail.replace(/[^ -~]/g, '?')})` : undefined
  return createResponse(message, status, { toTag, reason, headers })
}

/**
 * The ACK of a final response of 300 to 699: of the same transaction, so its branch is the INVITE's. The ACK of a 2xx belongs
 * to the dialog (§13.2.2.4) and is not made here.
 */
export function createAck(invite: SipRequest, response: SipResponse): SipRequest {
  return followUp(invite, 'ACK', header(response, 'To') ?? header(invite, 'To') ?? '')
}

/** To be sent only once a provisional response has come (§9.1). */
export function createCancel(invite: SipRequest): SipRequest {
  return followUp(invite, 'CANCEL', header(invite, 'To') ?? '')
}

function followUp(invite: SipRequest, method: 'ACK' | 'CANCEL', to: string): SipRequest {
  const vias = readAll(invite, 'Via')
  const via = isFault(vias) || vias[0] === undefined ? undefined : formatVia(vias[0])
  const cseq = readOne(invite, 'CSeq')
  if (via === undefined || cseq === undefined || isFault(cseq))
    throw new RangeError(`${method}: the INVITE is not whole`)
  const headers: SipHeader[] = [{ name: 'Via', value: via }]
  for (const line of invite.headers) {
    if (line.name === 'Route' || line.name === 'From' || line.name === 'Call-ID') headers.push(line)
  }
  headers.push(
    { name: 'To', value: to },
    { name: 'CSeq', value: `${cseq.number} ${method}` },
    { name: 'Max-Forwards', value: '70' },
  )
  return { kind: 'request', method, uri: invite.uri, headers, body: emptyBody }
}

export type Source = { readonly address: string; readonly port: number }

/**
 * The request with the source it really came from in its top Via: `received` when sent-by is another address or a name
 * (§18.2.1), and both `received` and `rport` when the client asked for it (RFC 3581 §4).
 */
export function withReceived(request: SipRequest, { address, port }: Source): SipRequest {
  const index = request.headers.findIndex(line => line.name === 'Via')
  const vias = readAll(request, 'Via')
  if (isFault(vias) || vias[0] === undefined) return request
  let via = vias[0]
  // What the client wrote there itself is overwritten: it would send our response to somebody else.
  const asksPort = param(via, 'rport') !== undefined
  if (asksPort) via = withParam(via, 'rport', String(port))
  const isElsewhere = via.host.replace(/^\[|\]$/g, '').toLowerCase() !== address.toLowerCase()
  if (asksPort || isElsewhere || param(via, 'received') !== undefined) via = withParam(via, 'received', address)
  if (via === vias[0]) return request
  // The line may hold several; they become lines of their own.
  const lines = vias.map(other => ({ name: 'Via', value: formatVia(other === vias[0] ? via : other) }))
  const others = request.headers.slice(index + 1).filter(line => line.name !== 'Via')
  return { ...request, headers: [...request.headers.slice(0, index), ...lines, ...others] }
}

/** What a server can do, by which it refuses what it cannot (§8.2). Names of extensions and media types in lower case. */
export type Abilities = {
  methods: readonly string[]
  /** Left out: sip, sips, tel. */
  schemes?: readonly string[]
  /** Option tags for Require. */
  extensions: readonly string[]
  /** Media types of bodies that are understood, as application/sdp. */
  contentTypes: readonly string[]
  /** The media type an answer to an INVITE would have. Left out: application/sdp. */
  answerType?: string
}

/**
 * Inspects a request in the order of §8.2: method (501 when it is no method we ever heard of, else 405), scheme (416),
 * Require (420), body (415), and Accept of an INVITE (406). Undefined when all is well. CANCEL and ACK pass (§8.2.2.3).
 */
export function refusal(
  request: SipRequest,
  abilities: Abilities,
  known: readonly string[] = [],
): SipFault | undefined {
  const { method } = request
  if (method === 'ACK' || method === 'CANCEL') return undefined
  const allow = { name: 'Allow', value: abilities.methods.join(', ') }
  if (!abilities.methods.includes(method)) {
    return refused(request, known.includes(method) ? 405 : 501, `method ${method} is not for us`, allow)
  }
  const uri = parseUri(request.uri)
  if (isFault(uri)) return uri
  if (!(abilities.schemes ?? ['sip', 'sips', 'tel']).includes(uri.scheme)) {
    return refused(request, 416, `the Request-URI has the scheme ${uri.scheme}`)
  }
  const needed = readAll(request, 'Require')
  if (isFault(needed)) return needed
  const unknown = needed.filter(option => !abilities.extensions.includes(option.toLowerCase()))
  if (unknown.length > 0) {
    const value = unknown.join(', ')
    return refused(request, 420, `Require asks for ${value}`, { name: 'Unsupported', value })
  }
  return refusedBody(request, abilities) ?? refusedAnswer(request, abilities)
}

function refusedBody(request: SipRequest, { contentTypes }: Abilities): SipFault | undefined {
  if (request.body.length === 0) return undefined
  const type = readOne(request, 'Content-Type')
  if (isFault(type)) return type
  const disposition = readOne(request, 'Content-Disposition')
  const isOptional = disposition && !isFault(disposition) && param(disposition, 'handling') === 'optional'
  const name = type && `${type.type}/${type.subtype}`
  if (isOptional || (name !== undefined && contentTypes.includes(name))) return undefined
  const accept = { name: 'Accept', value: contentTypes.join(', ') }
  return refused(request, 415, `a body of ${type ? formatMediaType(type) : 'no type'} is not understood`, accept)
}

function refusedAnswer(request: SipRequest, { answerType = 'application/sdp' }: Abilities): SipFault | undefined {
  if (request.method !== 'INVITE' || header(request, 'Accept') === undefined) return undefined
  const accept = readAll(request, 'Accept')
  if (isFault(accept)) return accept
  const [type, subtype] = answerType.split('/')
  const takes = accept.some(
    range => (range.type === '*' || range.type === type) && (range.subtype === '*' || range.subtype === subtype),
  )
  return takes ? undefined : refused(request, 406, `Accept leaves no room for ${answerType}`)
}

function refused(request: SipRequest, status: number, detail: string, extra?: SipHeader): SipFault {
  return { ...createFault('refused', detail, { status, message: request }), headers: extra ? [extra] : [] }
}
