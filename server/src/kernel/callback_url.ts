// The addresses that customers name for callbacks and webhooks, as they are saved: in their normal form, or refused with a
// fault that says what to change. Whoever calls them judges again, when the name has become an address (outbound.ts).
import { type Cidr, callbackFaults, checkCallbackUrl, parseCidr } from './egress.ts'
import type { Services } from './endpoint.ts'
import { Problem } from './problem.ts'

/** What of a request decides which addresses it may name. */
export type Asking = { services: Pick<Services, 'egress'>; principal: { mode: 'live' | 'test' } }

const parsedRanges = new WeakMap<readonly string[], Cidr[]>()

/**
 * The address in its normal form.
 * @param options.mode in the test mode plain http is taken too: there it is tried out, often on one's own machine
 * @param options.stored what is stored already is taken as it is
 * @param options.field the field it came in: `url` of a webhook has a problem of its own
 * @throws Problem `invalid_callback_url` or `invalid_webhook_url`
 */
export function customerUrl(
  text: string,
  { allow, allowHttp }: Services['egress'],
  {
    mode,
    field = 'callbackUrl',
    stored,
  }: { mode: 'live' | 'test'; field?: 'callbackUrl' | 'fallbackUrl' | 'url'; stored?: string | null },
): string {
  if (text === stored) return stored
  let ranges = parsedRanges.get(allow)
  if (ranges === undefined) {
    ranges = allow.map(parseCidr).filter(range => range !== undefined)
    parsedRanges.set(allow, ranges)
  }
  const checked = checkCallbackUrl(text, { allow: ranges, allowHttp: allowHttp || mode === 'test' })
  if (checked.ok) return checked.url.href
  const message = callbackFaults[checked.reason]
  throw new Problem(field === 'url' ? 'invalid_webhook_url' : 'invalid_callback_url', {
    message: `${field} ${message}.`,
    details: [{ field, code: checked.reason, message }],
  })
}
