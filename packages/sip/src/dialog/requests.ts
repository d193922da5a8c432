// Requests inside a dialog (RFC 3261 §12.2.1.1), the INVITE that begins one, and the ACK of its 2xx (§13.2.2.4). Anyone who sends
// one keeps the dialog that comes with it: its CSeq has moved on.
import { isSameName } from '../header_names.ts'
import type { SipHeader, SipRequest } from '../message.ts'
import { emptyBody, isFault } from '../message.ts'
import { createCancel } from '../replies.ts'
import { isFlaw, param } from '../scan.ts'
import type { Uri } from '../uri.ts'
import { formatUri, isSipUri, parseUri } from '../uri.ts'
import { readAddress } from '../values.ts'
import type { DigestClient } from './digest_client.ts'
import type { DialogState } from './state.ts'
import { asRequestUri, endDialog } from './state.ts'

export type RequestParts = {
  /** The top Via with its sent-by, as `SIP/2.0/UDP 192.0.2.1:5060;rport`; the transaction layer puts its branch in. */
  via: string
  /** A new Contact of ours, which the dialog keeps. Left out: the dialog's. Goes with target refresh requests only. */
  contact?: string
  headers?: readonly SipHeader[]
  /** `credentials` of a digest client: asked when the Request-URI is known, which they are made of. */
  credentials?: DigestClient['credentials']
  body?: Buffer
  contentType?: string
}

/** `nextHop`: the URI to send it to (RFC 3263 says where that is). */
export type DialogRequest = { readonly request: SipRequest; readonly nextHop: Uri; readonly dialog: DialogState }

/** Methods that carry a Contact, and by it move the target of the dialog (§12.2, RFC 3311, RFC 6665, RFC 3515). */
export const targetRefreshMethods: readonly string[] = ['INVITE', 'UPDATE', 'SUBSCRIBE', 'NOTIFY', 'REFER']

/** CSeq numbers are below 2**31 (§8.1.1.5). */
const maxCSeq = 2 ** 31 - 1

/**
 * The next request of a dialog, with its CSeq one higher. In a call that has no dialog yet only INVITE may be sent: the
 * first, and the next one after 401, 407, 422 or a 3xx. BYE ends the dialog, and only BYE may be sent (again) in an ended one. Not for ACK and CANCEL. Throws a RangeError
 * where no request may be sent: an error of the program.
 */
export function nextRequest(dialog: DialogState, method: string, parts: RequestParts): DialogRequest {
  const { phase, localCSeq } = dialog
  if (method === 'ACK' || method === 'CANCEL')
    throw new RangeError(`${method}: it repeats a CSeq, it has none of its own`)
  // BYE is sent again after 401, and is owed to a dialog that 408 or 481 has ended.
  if (phase === 'ended' && method !== 'BYE') throw new RangeError(`${method}: the dialog has ended`)
  if (phase === 'calling' && method !== 'INVITE') throw new RangeError(`${method}: there is no dialog yet`)
  // §15.1.1: who was called may not hang up before it has answered; it refuses the INVITE instead.
  if (method === 'BYE' && phase === 'early' && dialog.role === 'uas') {
    throw new RangeError('BYE: the INVITE has no answer yet')
  }
  if (localCSeq >= maxCSeq) throw new RangeError('CSeq: the dialog has used up its numbers')
  const cseq = localCSeq + 1
  const withContact = parts.contact === undefined ? dialog : { ...dialog, localContact: parts.contact }
  const next: DialogState = {
    ...withContact,
    localCSeq: cseq,
    localInviteCSeq: method === 'INVITE' ? cseq : dialog.localInviteCSeq,
  }
  const { request, nextHop } = build(next, method, cseq, parts)
  return { request, nextHop, dialog: method === 'BYE' ? endDialog(next) : next }
}

export type AckParts = Omit<RequestParts, 'credentials'> & {
  /** The INVITE that was answered: its credentials go into the ACK too (§13.2.2.4). After a crash it is not known. */
  invite?: SipRequest
}

/**
 * The ACK of a 2xx to the last INVITE of ours: a request with a branch of its own, sent again for every repetition of the 2xx,
 * and never answered. Its body is the answer when the 2xx had the offer (§13.2.2.4).
 */
export function ackOf2xx(dialog: DialogState, parts: AckParts): { request: SipRequest; nextHop: Uri } {
  const cseq = dialog.localInviteCSeq
  if (cseq === null || dialog.remoteTag === null) throw new RangeError('ACK: no INVITE of ours was answered')
  const credentials = (parts.invite?.headers ?? []).filter(
    line => isSameName(line.name, 'Authorization') || isSameName(line.name, 'Proxy-Authorization'),
  )
  return build(dialog, 'ACK', cseq, { ...parts, headers: [...credentials, ...(parts.headers ?? [])] })
}

/**
 * The CANCEL of the INVITE a call was stored with, for anyone who reads it back after a crash. `via` is the whole Via of that
 * INVITE with its branch. While the INVITE is known the transaction layer does this.
 */
export function cancelOf(call: DialogState, via: string): { request: SipRequest; nextHop: Uri } {
  const cseq = call.localInviteCSeq
  if (cseq === null) throw new RangeError('CANCEL: no INVITE was sent')
  // What the INVITE said: an early dialog has a tag, and perhaps other routes, that it did not have. Only its plan had them.
  if (call.phase !== 'calling') throw new RangeError('CANCEL: the call as it was planned is needed')
  const { request, nextHop } = build(call, 'INVITE', cseq, { via })
  return { request: createCancel(request), nextHop }
}

function build(dialog: DialogState, method: string, cseq: number, parts: RequestParts) {
  const { uri, routes, nextHop } = routing(dialog)
  const { local, localTag, remote, remoteTag, callId } = dialog
  const { body = emptyBody, contentType } = parts
  const headers: SipHeader[] = [
    { name: 'Via', value: parts.via },
    ...routes.map(value => ({ name: 'Route', value })),
    { name: 'Max-Forwards', value: '70' },
    { name: 'From', value: `${local};tag=${localTag}` },
    { name: 'To', value: remoteTag === null ? remote : `${remote};tag=${remoteTag}` },
    { name: 'Call-ID', value: callId },
    { name: 'CSeq', value: `${cseq} ${method}` },
  ]
  if (targetRefreshMethods.includes(method)) headers.push({ name: 'Contact', value: dialog.localContact })
  headers.push(...(parts.credentials?.({ method, uri, body }) ?? []), ...(parts.headers ?? []))
  if (contentType !== undefined) headers.push({ name: 'Content-Type', value: contentType })
  const request: SipRequest = { kind: 'request', method, uri, headers, body }
  return { request, nextHop }
}

/** Request-URI, Route and where to send: by loose routing, or as strict routers of RFC 2543 need it (§12.2.1.1). */
function routing(dialog: DialogState): { uri: string; routes: readonly string[]; nextHop: Uri } {
  const routed = routed3261(dialog)
  return dialog.hop === undefined ? routed : { ...routed, nextHop: uriOf(dialog.hop) }
}

function routed3261({ routes, remoteTarget }: DialogState): ReturnType<typeof routing> {
  const first = routes[0]
  if (first === undefined) return { uri: remoteTarget, routes, nextHop: uriOf(remoteTarget) }
  const router = routerOf(first)
  // A target such as tel: (from a From, where there is no Contact) fits no Route, so that a strict router would never see it.
  const isLoose = param(router, 'lr') !== undefined || !isSipUri(uriOf(remoteTarget))
  if (isLoose) return { uri: remoteTarget, routes, nextHop: router }
  const uri = asRequestUri(router)
  return { uri: formatUri(uri), routes: [...routes.slice(1), `<${remoteTarget}>`], nextHop: uri }
}

function routerOf(route: string): Uri {
  try {
    return readAddress(route).uri
  } catch (thrown) {
    if (!isFlaw(thrown)) throw thrown
    throw new RangeError(`routes: ${thrown.flaw}`)
  }
}

function uriOf(text: string): Uri {
  const uri = parseUri(text)
  if (isFault(uri)) throw new RangeError(`target: ${uri.detail}`)
  return uri
}
