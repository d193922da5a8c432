// Two telephones and the wire between them, for tests of dialogs: every message is written out and read again, and proxies put
// their Record-Route in.
import assert from 'node:assert/strict'
import type { MessageCore } from '../src/core.ts'
import { readCore } from '../src/core.ts'
import { nextRequest } from '../src/dialog/requests.ts'
import type { DialogState } from '../src/dialog/state.ts'
import { dialogFromRequest, dialogFromResponse, planCall } from '../src/dialog/state.ts'
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../src/message.ts'
import { isFault } from '../src/message.ts'
import { parseMessage } from '../src/parse.ts'
import type { ResponseParts } from '../src/replies.ts'
import { createResponse } from '../src/replies.ts'
import { serializeMessage } from '../src/serialize.ts'

export const via = 'SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bKtest;rport'

/** A value that must be no fault. */
export function good<Value>(value: Value): Exclude<Value, { fault: string }> {
  assert.ok(!isFault(value), isFault(value) ? value.detail : '')
  return value as Exclude<Value, { fault: string }>
}

/** As it arrives at the remote party. */
export function overWire<Message extends SipMessage>(message: Message): { message: Message; core: MessageCore } {
  const read = good(parseMessage(serializeMessage(message)))
  assert.equal(read.kind, message.kind)
  return { message: read as Message, core: good(readCore(read)) }
}

export function requestOf(...lines: string[]): { message: SipRequest; core: MessageCore } {
  const read = good(parseMessage(Buffer.from([...lines, 'Content-Length: 0', '', ''].join('\r\n'))))
  assert.ok(read.kind === 'request')
  return { message: read, core: good(readCore(read)) }
}

export const headersOf = (...lines: string[]): SipHeader[] =>
  lines.map(line => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon), value: line.slice(colon + 1).trim() }
  })

/** Values of one header, in their order. */
export function valuesOf(message: SipMessage, name: string): string[] {
  return message.headers.filter(line => line.name === name).map(line => line.value)
}

export const alice = {
  callId: 'a84b4c76e66710@pc33.atlanta.example',
  localTag: '1928301774',
  from: '"Alice" <sip:alice@atlanta.example>',
  to: '<sip:bob@biloxi.example>',
  target: 'sip:bob@biloxi.example',
  contact: '<sip:alice@pc33.atlanta.example>',
}

export const bob = { localTag: 'a6c85cf', contact: '<sip:bob@192.0.2.4>' }

export function respond(
  request: SipRequest,
  status: number,
  parts: ResponseParts & { contact?: string } = {},
): { message: SipResponse; core: MessageCore } {
  const { toTag = bob.localTag, contact = bob.contact, headers = [] } = parts
  return overWire(
    createResponse(request, status, { ...parts, toTag, headers: [{ name: 'Contact', value: contact }, ...headers] }),
  )
}

/** A request with the Record-Route of each proxy it went through, the last one on top. */
export function throughProxies(request: SipRequest, proxies: readonly string[]): SipRequest {
  const lines = proxies.map(value => ({ name: 'Record-Route', value })).reverse()
  return { ...request, headers: [...lines, ...request.headers] }
}

export type Call = { caller: DialogState; called: DialogState; invite: SipRequest }

/** A call set up through these proxies, answered with 180 and 200. */
export function setUp(proxies: readonly string[] = []): Call {
  const { request, dialog } = nextRequest(planCall(alice), 'INVITE', { via })
  const arrived = overWire(throughProxies(request, proxies))
  const called = dialogFromRequest(arrived.message, arrived.core, bob)
  const ringing = respond(arrived.message, 180)
  const early = dialogFromResponse(dialog, ringing.message, ringing.core)
  assert.equal(early?.phase, 'early')
  const answer = respond(arrived.message, 200)
  const caller = dialogFromResponse(early, answer.message, answer.core)
  assert.ok(caller)
  return { caller, called: { ...called, phase: 'confirmed' }, invite: arrived.message }
}
