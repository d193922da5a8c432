// Where a response goes and which transport a request takes (RFC 3261 §18, RFC 3581): pure rules over the topmost Via.
import { isIP } from 'node:net'
import type { MessageCore } from '../core.ts'
import { readAll } from '../headers.ts'
import type { SipResponse } from '../message.ts'
import { isFault } from '../message.ts'
import type { Endpoint } from '../rtp/latch.ts'
import { param } from '../scan.ts'
import type { Via } from '../values.ts'
import type { SipFlow, Target, TransportName } from './types.ts'
import { defaultPort } from './types.ts'

/** Above this a request over UDP might be fragmented, where the path's MTU is not known (RFC 3261 §18.1.1). */
export const maxDatagramRequest = 1300

/**
 * The transport of a request of this size: what is larger than 1,300 octets goes over TCP (§18.1.1), at the same port, as a
 * server that takes UDP must take TCP there. When that cannot be reached, the request may go over UDP all the same.
 */
export function targetForSize(target: Target, octets: number): Target {
  return target.transport === 'udp' && octets > maxDatagramRequest ? { ...target, transport: 'tcp' } : target
}

/**
 * Where the response to a request goes (RFC 3261 §18.2.2). `core` is of the request as `onMessage` gave it, with `received`
 * and `rport` written into its Via; the topmost Via of the response is the same.
 *
 * - TCP, TLS: the connection the request came over, while it lives; this target is where to connect when it is gone.
 * - `maddr` means nothing to us: with it anybody could have us send to addresses of others, and to those behind our firewall.
 * - `rport`: the port the request came from (RFC 3581 §4).
 * - else the port of sent-by, or the transport's default.
 */
export function responseTarget({ via }: Pick<MessageCore, 'via'>, flow: SipFlow): Target {
  const { transport } = flow
  const { address, port } = responseEndpoint(via, transport, flow.remote.address)
  if (transport !== 'tls') return { transport, address, port }
  const host = bareHost(via.host)
  return { transport, address, port, serverName: isIP(host) === 0 ? host : undefined }
}

function responseEndpoint(via: Via, transport: TransportName, source: string): Endpoint {
  const sentPort = via.port || defaultPort(transport)
  const address = bareHost(param(via, 'received') ?? '') || source
  const rport = transport === 'udp' ? Number(param(via, 'rport') || 0) : 0
  const hasPort = Number.isInteger(rport) && rport > 0 && rport <= 65_535
  return { address: isIP(address) === 0 ? source : address, port: hasPort ? rport : sentPort }
}

/** The topmost Via of a response; undefined when there is none that can be read. */
export function topVia(response: SipResponse): Via | undefined {
  const vias = readAll(response, 'Via')
  return isFault(vias) ? undefined : vias[0]
}

/** A host as it is written, without the brackets of IPv6, for comparing and for sockets. */
export function bareHost(host: string): string {
  return (host.startsWith('[') ? host.slice(1, -1) : host).toLowerCase()
}

/** What is in the Via of our requests and in our Contact: `host` is written for a URI, with brackets where needed. */
export type SentBy = { readonly host: string; readonly port: number }

/** One spelling for one sent-by, so that a response can be recognized as for us (§18.1.2). */
export function sentByKey(host: string, port: number | undefined, transport: TransportName): string {
  return `${bareHost(host)} ${port || defaultPort(transport)}`
}

/** An address as the host of a URI. */
export function uriHost(address: string): string {
  return isIP(address) === 6 ? `[${address}]` : address
}

/** Whose connection it counts as: of IPv6 the /64, which is what one customer gets. */
export function sourceKey(address: string): string {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = address.split('%', 1)[0]!.split('::', 2)
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const rest = tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0)
    while (groups.length + rest < 8) groups.push('0')
  }
  return groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** Whether an address means every address of the machine. */
export function isWildcard(address: string): boolean {
  return address === '0.0.0.0' || /^[0:]+$/.test(address)
}
