// Rules of what an organization asks of logins.
import ipaddr from 'ipaddr.js'

/** Whether a text is a range of addresses, `203.0.113.0/24` or `2001:db8::/48`, or one address. */
export function isAddressRange(text: string): boolean {
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)
}

type Network = [ReturnType<typeof ipaddr.process>, number]

function networkOf(range: string): Network {
  if (range.includes('/')) return ipaddr.parseCIDR(range)
  const address = ipaddr.process(range)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

/** Whether people may log in from an address: from everywhere where no ranges are named. */
export function isAllowedAddress(ip: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true
  if (!ipaddr.isValid(ip)) return false
  return ranges.some(range => holds(networkOf(range), networkOf(ip)))
}

/** Whether a network is part of another one. */
function holds([network, bits]: Network, [inner, innerBits]: Network): boolean {
  return network.kind() === inner.kind() && bits <= innerBits && inner.match(network, bits)
}

/** Whether people could log in from an address before, and could not any more. A range that is cut into several counts as taken away. */
export function isNarrower(before: readonly string[], after: readonly string[]): boolean {
  if (after.length === 0) return false
  return before.length === 0 || !before.every(range => after.some(kept => holds(networkOf(kept), networkOf(range))))
}
