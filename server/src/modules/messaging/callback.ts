// The addresses that customers name for events: whether we may call them is judged when they are saved, with a fault that
// says what to change. Whoever calls judges again, when the name has become an address.
import { type CallbackFault, type Cidr, checkCallbackUrl, parseCidr } from '../../kernel/egress.ts'
import type { Services } from '../../kernel/endpoint.ts'
import { Problem } from '../../kernel/problem.ts'

const parsedRanges = new WeakMap<readonly string[], Cidr[]>()

const callbackFaults: Record<CallbackFault, string> = {
  not_a_url: 'is not an address',
  too_long: 'is longer than 2048 characters',
  scheme_not_allowed: 'must begin with https://',
  credentials_in_url: 'must not hold a user name or password',
  port_not_allowed: 'names a port that callbacks do not use (443 and 8443 are good)',
  host_not_public: 'names a host of an inner network',
  address_not_allowed: 'names an address that callbacks may not reach',
}

/** The address of a field `callbackUrl` in its normal form. @throws Problem `invalid_callback_url` */
export function callbackOf(text: string, { allow, allowHttp }: Services['egress']): string {
  let ranges = parsedRanges.get(allow)
  if (ranges === undefined) {
    ranges = allow.map(parseCidr).filter(range => range !== undefined)
    parsedRanges.set(allow, ranges)
  }
  const checked = checkCallbackUrl(text, { allow: ranges, allowHttp })
  if (checked.ok) return checked.url.href
  const message = callbackFaults[checked.reason]
  throw new Problem('invalid_callback_url', { details: [{ field: 'callbackUrl', code: checked.reason, message }] })
}
