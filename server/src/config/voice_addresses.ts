// Where calls are taken, when no setting names the address: on this machine alone while HTTP is, and on all addresses once HTTP is
// opened, or an address is named that others reach this server under.
import { isLoopback } from '../kernel/values/loopback.ts'

/** What opens a listener for telephones, and what is listened on then: all of IPv4. */
const everywhere = '0.0.0.0'
const thisMachine = '127.0.0.1'

/** The address of SIP and RTP for a `HOST` and a public address that may be set. */
export function sipAddressFor(host: string, publicAddress: string | undefined): string {
  const isOpen = !isOwnHost(host) || (publicAddress !== undefined && !isLoopback(publicAddress))
  return isOpen ? everywhere : thisMachine
}

/** `localhost` and what ends in it never leave the machine (RFC 6761 §6.3). */
function isOwnHost(host: string): boolean {
  return isLoopback(host) || /(?:^|\.)localhost\.?$/i.test(host)
}

/** The text for anyone who wants calls from or to elsewhere while SIP and RTP are bound to a loopback address. */
export function onlyHere(bound: string): string {
  return `SIP and RTP are bound to ${bound}, which reaches this machine only; set TANDEM_SIP_ADDRESS=0.0.0.0 (unset, it follows HOST) and start this server again`
}
