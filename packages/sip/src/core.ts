// The part of a message that transactions and dialogs stand on (RFC 3261 §8.1.1, §12.1), read in one pass and checked whole:
// a message with a core can be matched, routed and answered.
import { faultOf, requestUri, scanList, scanOne } from './headers.ts'
import type { SipFault, SipMessage } from './message.ts'
import { createFault, isFault } from './message.ts'
import { param } from './scan.ts'
import type { Uri } from './uri.ts'
import { isSipUri } from './uri.ts'
import type { CSeq, NameAddress, Via } from './values.ts'

/**
 * - `via` is the topmost of `vias`. A client drops a response with more than one (§8.1.3.3).
 * - Tags are undefined where there are none: From of RFC 2543 had not to have one (§12.1.1), and it is still seen.
 * - `maxForwards` is undefined when it is not there: taken for 70 (§8.1.1.6).
 * - `uri` is the Request-URI; undefined in a response.
 * - `contacts` of a REGISTER may be the one with scheme '*'.
 */
export type MessageCore = {
  readonly via: Via
  readonly vias: readonly Via[]
  readonly from: NameAddress
  readonly to: NameAddress
  readonly fromTag: string | undefined
  readonly toTag: string | undefined
  readonly callId: string
  readonly cseq: CSeq
  readonly maxForwards: number | undefined
  readonly uri: Uri | undefined
  readonly contacts: readonly NameAddress[]
  readonly routes: readonly NameAddress[]
  readonly recordRoutes: readonly NameAddress[]
}

type Parts = {
  -readonly [Key in keyof Omit<MessageCore, 'vias' | 'contacts' | 'routes' | 'recordRoutes'>]?: MessageCore[Key]
}

/** The branch of a Via; undefined when there is none, as with RFC 2543. */
export function branchOf(via: Via): string | undefined {
  return param(via, 'branch')
}

/**
 * Whether a branch identifies a transaction by itself (§8.1.1.7): the magic cookie and something behind it. Others are
 * matched as RFC 2543 did (§17.2.3).
 */
export function isUniqueBranch(branch: string | undefined): boolean {
  return branch !== undefined && branch.length > 7 && branch.startsWith('z9hG4bK')
}

const required = ['Via', 'From', 'To', 'Call-ID', 'CSeq'] as const

/** Reads and checks; the first thing wrong is the fault. */
export function readCore(message: SipMessage): MessageCore | SipFault {
  const vias: Via[] = []
  const contacts: NameAddress[] = []
  const routes: NameAddress[] = []
  const recordRoutes: NameAddress[] = []
  const parts: Parts = {}
  for (const { name, value } of message.headers) {
    try {
      switch (name) {
        case 'Via':
          scanList(name, value, vias)
          break
        case 'Contact':
          scanList(name, value, contacts)
          break
        case 'Route':
          scanList(name, value, routes)
          break
        case 'Record-Route':
          scanList(name, value, recordRoutes)
          break
        default:
          if (!readPart(parts, name, value))
            return createFault('duplicate', `${name} comes twice`, { header: name, message })
      }
    } catch (thrown) {
      return faultOf(thrown, name, message)
    }
  }
  const { from, to, callId, cseq, maxForwards } = parts
  const via = vias[0]
  if (!via || !from || !to || callId === undefined || !cseq) return missing(message, { ...parts, via })
  if (contacts.length > 1 && contacts.some(contact => contact.uri.scheme === '*')) {
    return createFault('header', '* must be the only Contact', { header: 'Contact', message })
  }
  const uri = message.kind === 'request' ? requestUriOf(message, cseq) : undefined
  if (isFault(uri)) return uri
  const [fromTag, toTag] = [param(from, 'tag'), param(to, 'tag')]
  if (fromTag === '' || toTag === '') return createFault('header', 'a tag is empty', { message })
  return { via, vias, from, to, fromTag, toTag, callId, cseq, maxForwards, uri, contacts, routes, recordRoutes }
}

/** Puts a header of one value into its place; false when it is taken. */
function readPart(parts: Parts, name: string, value: string): boolean {
  switch (name) {
    case 'From':
      if (parts.from !== undefined) return false
      parts.from = scanOne(name, value)
      return true
    case 'To':
      if (parts.to !== undefined) return false
      parts.to = scanOne(name, value)
      return true
    case 'Call-ID':
      if (parts.callId !== undefined) return false
      parts.callId = scanOne(name, value)
      return true
    case 'CSeq':
      if (parts.cseq !== undefined) return false
      parts.cseq = scanOne(name, value)
      return true
    case 'Max-Forwards':
      if (parts.maxForwards !== undefined) return false
      parts.maxForwards = scanOne(name, value)
      return true
    default:
      return true
  }
}

function missing(message: SipMessage, { via, from, to, callId, cseq }: Parts): SipFault {
  const name = required[[via, from, to, callId, cseq].indexOf(undefined)]
  return createFault('missing', `${name} is missing`, { header: name, message })
}

function requestUriOf(request: SipMessage & { kind: 'request' }, cseq: CSeq): Uri | SipFault {
  if (cseq.method !== request.method) {
    const detail = `CSeq is of ${cseq.method}, but the request is ${request.method}`
    return createFault('header', detail, { header: 'CSeq', message: request })
  }
  const uri = requestUri(request)
  if (!isFault(uri) && isSipUri(uri) && uri.headers.length > 0) {
    return createFault('header', 'Request-URI: headers may not stand in it', {
      header: 'Request-URI',
      message: request,
    })
  }
  return uri
}
