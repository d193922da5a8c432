// A call that is sent elsewhere by a 3xx (RFC 3261 §8.1.3.4): where to, in which order, and the same call to the next address.
import type { MessageCore } from '../core.ts'
import { param } from '../scan.ts'
import { formatUri, isSipUri } from '../uri.ts'
import type { DialogState } from './state.ts'
import { asRequestUri } from './state.ts'

/** More than anybody would wait for. */
const maxTargets = 10

/**
 * The Contacts of a 3xx that can be called, best q first, each once; headers in them are left out, as they would let the other
 * side write into our INVITE. It is for the caller to say whether a trunk may send its calls there at all: toll fraud goes
 * this way.
 */
export function redirectTargets({ contacts }: MessageCore): string[] {
  const targets = contacts.flatMap(contact => {
    const { uri } = contact
    if (!isSipUri(uri)) return uri.scheme === 'tel' ? [{ target: formatUri(uri), q: qOf(contact) }] : []
    return [{ target: formatUri(asRequestUri(uri)), q: qOf(contact) }]
  })
  const sorted = targets.sort((one, other) => other.q - one.q).map(({ target }) => target)
  return [...new Set(sorted)].slice(0, maxTargets)
}

function qOf(contact: Parameters<typeof param>[0]): number {
  const written = param(contact, 'q')
  return written !== undefined && /^[01](\.\d{0,3})?$/.test(written) ? Number(written) : 1
}

/**
 * The call with another Request-URI: To, From and Call-ID stay, and `nextRequest` makes its INVITE with the next CSeq. `call` is
 * the one that was planned and refused.
 */
export function redirectCall(call: DialogState, target: string): DialogState {
  if (call.phase !== 'calling') throw new RangeError('redirect: the call has a dialog already')
  return { ...call, remoteTarget: target, isSecure: /^sips:/i.test(target) }
}
