// The addresses that customers name for callbacks and webhooks, as they are saved: in their normal form, or refused with a
// fault that says what to change. Whoever calls them judges again, when the name has become an address (outbound.ts).
import { type Cidr, callbackFaults, checkCallbackUrl, parseCidr } from './egress.ts'
import type { Services } from './endpoint.ts'
import { Problem } from './problem.ts'

const parsedRanges = new WeakMap<readonly string[], Cidr[]>()

/**
 * The address in its normal form.
 * @param field the field it came in: `url` of a webhook has a problem of its own
 * @throws Problem `invalid_callback_url` or `invalid_webhook_url`
 */
export function customerUrl(
  text: string,
  { allow, allowHttp }: Services['egress'],
  field: 'callbackUrl' | 'url' = 'callbackUrl',
): string {
  let ranges = parsedRanges.get(allow)
  if (ranges === undefined) {
    ranges = allow.map(parseCidr).filter(range => range !== undefined)
    parsedRanges.set(allow, ranges)
  }
  const checked = checkCallbackUrl(text, { allow: ranges, allowHttp })
  if (checked.ok) return checked.url.href
  const message = callbackFaults[checked.reason]
  throw new Problem(field === 'url' ? 'invalid_webhook_url' : 'invalid_callback_url', {
    message: `${field} ${message}.`,
    details: [{ field, code: checked.reason, message }],
  })
}
