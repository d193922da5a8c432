// What an agent answers by itself to requests outside of calls: what it can do, and why it cannot do what a request wants.
import type { SipRequest } from '../message.ts'
import { methods } from '../message.ts'
import { refusal } from '../replies.ts'
import { sdpType } from './body.ts'
import { abilities, allow, allowedMethods, supported } from './core.ts'
import type { SipReply } from './types.ts'

/** Requests that only live within a call. */
const inner = ['BYE', 'PRACK', 'UPDATE', 'INFO', 'NOTIFY']
const outside = allowedMethods.filter(method => method !== 'REFER')

/** To a request outside of calls that nobody else answers. */
export function usualReply(request: SipRequest): SipReply {
  // §15.1.2, RFC 3311 §5.2 and others: without a dialog these mean nothing.
  if (inner.includes(request.method)) return { status: 481 }
  const headers = [allow, supported, { name: 'Accept', value: sdpType }]
  return beyondUs(request, outside) ?? { status: 200, headers }
}

/** The refusal of a request that this agent cannot serve; undefined for one that it can. */
export function beyondUs(request: SipRequest, can: readonly string[] = allowedMethods): SipReply | undefined {
  const refused = refusal(request, { ...abilities, methods: can }, methods)
  return refused && { status: refused.status, headers: refused.headers ?? [] }
}
