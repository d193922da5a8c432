// Rules of what an organization asks of logins.
import ipaddr from 'ipaddr.js'

/** Whether a text is a range of addresses, `203.0.113.0/24` or `2001:db8::/48`, or one address. */
export function isAddressRange(text: string): boolean {
  return text.includes('/') ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text)
}

/** Whether people may log in from an address: from everywhere where no ranges are named. */
export function isAllowedAddress(ip: string, ranges: readonly string[]): boolean {
  if (ranges.length === 0) return true
  if (!ipaddr.isValid(ip)) return false
  const address = ipaddr.process(ip)
  return ranges.some(range => {
    const [network, bits] = range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.process(range), 128]
    if (network.kind() !== address.kind()) return false
    return address.match(network, Math.min(bits, network.kind() === 'ipv4' ? 32 : 128))
  })
}
