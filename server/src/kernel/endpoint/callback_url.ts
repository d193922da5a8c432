// The addresses that customers name for callbacks and webhooks, as they are saved: in their normal form, or refused with a
// fault that says what to change. Anyone who calls them checks again, when the name has become an address (outbound.ts).
import { type Cidr, callbackFaults, checkCallbackUrl, parseCidr } from '../outbound/egress.ts'
import { Problem, type ProblemCode } from '../values/problem.ts'
import type { Services } from './endpoint.ts'

/** What of a request decides which addresses it may name. */
export type Asking = { services: Pick<Services, 'egress'>; principal: { mode: 'live' | 'test' } }

const parsedRanges = new WeakMap<readonly string[], Cidr[]>()

/**
 * The address in its normal form.
 * @param options.mode in the test mode plain http is taken too: there it is tried out, often on one's own machine
 * @param options.stored what is stored already is taken as it is
 * @param options.field the field it came in
 * @param options.problem the problem of addresses that are refused
 * @throws Problem `invalid_callback_url`, or the one given
 */
export function customerUrl(
  text: string,
  { allow, allowHttp, hosts }: Services['egress'],
  {
    mode,
    field = 'callbackUrl',
    problem = 'invalid_callback_url',
    stored,
  }: { mode: 'live' | 'test'; field?: string; problem?: ProblemCode; stored?: string | null },
): string {
  if (text === stored) return stored
  let ranges = parsedRanges.get(allow)
  if (ranges === undefined) {
    ranges = allow.map(parseCidr).filter(range => range !== undefined)
    parsedRanges.set(allow, ranges)
  }
  const checked = checkCallbackUrl(text, { allow: ranges, hosts, allowHttp: allowHttp || mode === 'test' })
  if (checked.ok) return checked.url.href
  const message = callbackFaults[checked.reason]
  throw new Problem(problem, {
    message: `${field} ${message}.`,
    details: [{ field, code: checked.reason, message }],
  })
}
