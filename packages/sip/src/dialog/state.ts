// What two user agents remember of each other while a call lasts (RFC 3261 §12): plain data that goes into a database as JSON
// before an INVITE leaves, and that says BYE when it is read back after a crash. Every function gives a new state.
import type { MessageCore } from '../core.ts'
import type { SipRequest, SipResponse } from '../message.ts'
import { withoutParam } from '../scan.ts'
import type { Uri } from '../uri.ts'
import { formatUri, isSipUri } from '../uri.ts'
import type { NameAddress } from '../values.ts'
import { formatAddress } from '../values.ts'

/**
 * - 'calling': our INVITE is on its way, nobody has answered with a tag. No dialog yet (§12.1.2), but all that one needs.
 * - 'early': a provisional response made it. 'confirmed': a 2xx did. 'ended': no request may be sent or taken any more.
 */
export type DialogPhase = 'calling' | 'early' | 'confirmed' | 'ended'

/**
 * One dialog, or the call that will make some. Texts, numbers, booleans and null only; none of the texts is a slice of a
 * datagram.
 * - `role`: 'uac' sent the INVITE that makes the dialog, and owns the Call-ID.
 * - `local`, `remote`: the address of From or To without its tag, as it goes on the line.
 * - `localContact`: our Contact value. `remoteTarget`: the URI requests go to (§12.2.1.1).
 * - `routes`: the route set in the order we send it, each with its brackets.
 * - `hop`: where all is sent, whatever Contact and routes say: the other end of the way a phone came by, which may be behind NAT.
 * - `localCSeq`: the last one we used; 0 before the first request. `remoteCSeq`: the last one we took; null before.
 * - `localInviteCSeq`, `remoteInviteCSeq`: those of the last INVITE, for its ACK and for CANCEL.
 * - `localTag` is null on our side never, `remoteTag` while calling, and for a caller of RFC 2543 (§12.1.1).
 */
export type DialogState = {
  readonly role: 'uac' | 'uas'
  readonly phase: DialogPhase
  readonly callId: string
  readonly localTag: string
  readonly remoteTag: string | null
  readonly local: string
  readonly remote: string
  readonly localContact: string
  readonly remoteTarget: string
  readonly routes: readonly string[]
  readonly hop?: string
  readonly isSecure: boolean
  readonly localCSeq: number
  readonly remoteCSeq: number | null
  readonly localInviteCSeq: number | null
  readonly remoteInviteCSeq: number | null
}

export type CallPlan = {
  /** Unique in the world; and a tag of at least 32 random bits (§19.3). */
  callId: string
  localTag: string
  /** Addresses without a tag, as `"Alice" <sip:alice@tandem.example>`. */
  from: string
  to: string
  /** The Request-URI. */
  target: string
  /** Our Contact value, in brackets. */
  contact: string
  /** Routes set beforehand, as an outbound proxy `<sip:proxy.example;lr>` (§8.1.2). */
  routes?: readonly string[]
  /** Where all is sent, as `sip:192.0.2.7:40112;transport=tcp`. */
  hop?: string
}

/** A call before its INVITE. `nextRequest` makes the INVITE; store the state it gives before that goes out. */
export function planCall({ callId, localTag, from, to, target, contact, routes = [], hop }: CallPlan): DialogState {
  return copied({
    ...(hop === undefined ? {} : { hop }),
    role: 'uac',
    phase: 'calling',
    callId,
    localTag,
    remoteTag: null,
    local: from,
    remote: to,
    localContact: contact,
    remoteTarget: target,
    routes,
    isSecure: /^sips:/i.test(target),
    localCSeq: 0,
    remoteCSeq: null,
    localInviteCSeq: null,
    remoteInviteCSeq: null,
  })
}

/**
 * The dialog that a response of 101 to 299 to our INVITE makes (§12.1.2), or what it changes in the one it belongs to. `call`
 * is the call itself, or its early dialog with this tag: the route set is taken again from a 2xx (§13.2.2.4). Undefined when
 * the response makes none: 100, above 299, or no tag.
 */
export function dialogFromResponse(
  call: DialogState,
  response: SipResponse,
  core: MessageCore,
): DialogState | undefined {
  const { status } = response
  if (status <= 100 || status >= 300 || core.toTag === undefined) return undefined
  if (call.phase === 'ended') return undefined
  // A provisional response that comes after the 2xx says nothing new about the dialog.
  if (call.phase === 'confirmed') return call
  return copied({
    ...call,
    phase: status >= 200 ? 'confirmed' : 'early',
    remoteTag: core.toTag,
    // Some gateways leave Contact out of a 180: the target stays where the INVITE went.
    remoteTarget: targetOf(core) ?? call.remoteTarget,
    routes: status < 200 && call.phase === 'early' ? call.routes : core.recordRoutes.map(formatRoute).reverse(),
  })
}

export type AnsweringParts = {
  /** Of at least 32 random bits; the one `createResponse` gets as `toTag`. */
  localTag: string
  /** Our Contact value, which every response of 101 to 299 has to carry (§12.1.1). */
  contact: string
}

/** The dialog that an INVITE from outside makes with our first response of 101 to 199 (§12.1.1); see `confirmDialog`. */
export function dialogFromRequest(request: SipRequest, core: MessageCore, parts: AnsweringParts): DialogState {
  const { cseq, recordRoutes } = core
  return copied({
    role: 'uas',
    phase: 'early',
    callId: core.callId,
    localTag: parts.localTag,
    remoteTag: core.fromTag ?? null,
    local: partyOf(core.to),
    remote: partyOf(core.from),
    localContact: parts.contact,
    // Contact is a duty of every INVITE (§8.1.1.8); From is the best guess where there is none.
    remoteTarget: targetOf(core) ?? formatUri(asRequestUri(core.from.uri)),
    routes: recordRoutes.map(formatRoute),
    isSecure: /^sips:/i.test(request.uri),
    localCSeq: 0,
    remoteCSeq: cseq.number,
    localInviteCSeq: null,
    remoteInviteCSeq: cseq.number,
  })
}

/** The dialog once we have answered with a 2xx. */
export function confirmDialog(dialog: DialogState): DialogState {
  return dialog.phase === 'early' ? { ...dialog, phase: 'confirmed' } : dialog
}

/** No dialog is left: BYE was sent or taken, or the INVITE was refused. */
export function endDialog(dialog: DialogState): DialogState {
  return dialog.phase === 'ended' ? dialog : { ...dialog, phase: 'ended' }
}

/** What distinguishes dialogs (§12): one text for a map. */
export function dialogKey({ callId, localTag, remoteTag }: Pick<DialogState, 'callId' | 'localTag' | 'remoteTag'>) {
  // Neither a Call-ID nor a tag can have a space in it.
  return `${callId} ${localTag} ${remoteTag ?? ''}`
}

/** The dialog that a request is meant for; undefined when it has no To tag, so is in none. */
export function keyOfRequest({ callId, fromTag, toTag }: MessageCore): string | undefined {
  return toTag === undefined ? undefined : dialogKey({ callId, localTag: toTag, remoteTag: fromTag ?? null })
}

/** The dialog that a response belongs to, or makes; undefined while it has no To tag. */
export function keyOfResponse({ callId, fromTag, toTag }: MessageCore): string | undefined {
  return toTag === undefined || fromTag === undefined
    ? undefined
    : dialogKey({ callId, localTag: fromTag, remoteTag: toTag })
}

/**
 * Without what may not stand in a Request-URI: `method` and headers (§19.1.1). The remote party does not write into our requests.
 */
export function asRequestUri(uri: Uri): Uri {
  if (!isSipUri(uri)) return uri
  return { ...uri, params: uri.params.filter(({ name }) => name.toLowerCase() !== 'method'), headers: [] }
}

/** The URI of the Contact, when there is exactly one and a SIP element can be sent to it: sip or sips (§8.1.1.8). */
export function targetOf({ contacts }: MessageCore): string | undefined {
  const contact = contacts[0]
  return contacts.length === 1 && contact && isSipUri(contact.uri) ? formatUri(asRequestUri(contact.uri)) : undefined
}

function partyOf(address: NameAddress): string {
  return formatAddress(withoutParam(address, 'tag'))
}

function formatRoute(route: NameAddress): string {
  return formatAddress(route)
}

/** The same in texts of its own: a slice would keep the datagram it was cut from in memory for as long as the call lasts. */
function copied(state: DialogState): DialogState {
  return JSON.parse(JSON.stringify(state)) as DialogState
}
