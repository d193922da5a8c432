// Which of our sockets leads to a peer, and under which name we are known there: what is in the Via of a request and in a
// Contact (RFC 3261 §18.1.1, §8.1.1.8).
import { isIP } from 'node:net'
import type { Endpoint } from '../rtp/latch.ts'
import type { Via } from '../values.ts'
import type { SentBy } from './route.ts'
import { isWildcard, sentByKey, uriHost } from './route.ts'
import type { SipFlow, TransportName } from './types.ts'
import { ownAddress } from './udp.ts'

/** A name or an address, and a port, under which others reach a socket, where that is not its own: behind NAT, in a container. */
export type Advertised = { readonly host: string; readonly port?: number | undefined }

/** A port we listen at; of port 0 the one that the system gave. */
export type Bound = Endpoint & { readonly transport: TransportName; readonly advertise?: Advertised | undefined }

export function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.')
}

/** Where to send from: a port of the peer's address family, at the loopback only for peers that are there. */
export function pickBound<Port extends Endpoint>(ports: readonly Port[], address: string): Port | undefined {
  const fitting = ports.filter(port => isIP(port.address) === isIP(address))
  const suits = (port: Port) => isWildcard(port.address) || isLoopback(port.address) === isLoopback(address)
  return fitting.find(suits) ?? fitting[0]
}

/** The address of ours that a peer is given. `local`: our end of its flow, which may know more than a socket bound to every address. */
export function sentByOf(bound: Bound | undefined, local: Endpoint): SentBy {
  if (bound === undefined) return { host: uriHost(local.address), port: local.port }
  const { advertise, port } = bound
  if (advertise !== undefined) return { host: uriHost(advertise.host), port: advertise.port ?? port }
  const known = [bound.address, local.address].find(address => !isWildcard(address))
  return { host: uriHost(known ?? ownAddress(isIP(bound.address) === 6 ? 6 : 4)), port }
}

export type SentByRegister = {
  of(flow: SipFlow): SentBy
  /** Whether a response with this Via is to one of our requests (RFC 3261 §18.1.2). */
  isOurs(via: Via, flow: SipFlow): boolean
}

/** Remembers the addresses that were given, as responses must bring them back. `boundOf`: the port that belongs to a flow. */
export function createSentByRegister(boundOf: (flow: SipFlow) => Bound | undefined): SentByRegister {
  const given = new Set<string>()
  return {
    of(flow) {
      const bound = boundOf(flow)
      const sentBy = sentByOf(bound, flow.local)
      // Without a port of ours it is the flow's own end, which its responses come to anyway.
      if (bound !== undefined) given.add(sentByKey(sentBy.host, sentBy.port, flow.transport))
      return sentBy
    },
    isOurs(via, flow) {
      const key = sentByKey(via.host, via.port, flow.transport)
      return given.has(key) || key === sentByKey(flow.local.address, flow.local.port, flow.transport)
    },
  }
}
