// By what a message finds its transaction (RFC 3261 §17.1.3, §17.2.3): branch and method, and for a server the sent-by of the
// top Via too. Requests in the way of RFC 2543, whose branch identifies nothing, are matched by all that makes them one.
import type { MessageCore } from '../core.ts'
import { branchOf, isUniqueBranch } from '../core.ts'
import type { SipRequest } from '../message.ts'
import { withoutParam } from '../scan.ts'
import { formatVia } from '../values.ts'

/** §17.1.3: the branch of the top Via and the method of CSeq, as a CANCEL has the branch of its INVITE. */
export function clientId(branch: string, method: string): string {
  return `> ${method} ${branch}`
}

/** The id that a response belongs to; undefined when it has no branch of ours. */
export function responseId({ via, cseq }: MessageCore): string | undefined {
  const branch = branchOf(via)
  return branch === undefined ? undefined : clientId(branch, cseq.method)
}

/**
 * §17.2.3. `method` is INVITE for an ACK, and of a CANCEL what it may cancel. `toTag` matters in the way of RFC 2543 only; '' as
 * if it had none.
 */
export function serverId(
  request: SipRequest,
  core: MessageCore,
  method: string = request.method,
  toTag: string = core.toTag ?? '',
): string {
  const branch = branchOf(core.via)
  if (!isUniqueBranch(branch)) return oldServerId(request, core, method, toTag)
  const { host, port, transport } = core.via
  return `< ${method} ${host.toLowerCase()}:${port ?? (transport === 'TLS' ? 5061 : 5060)} ${branch}`
}

/** No value of a header has a line end, so nothing can run over into its neighbour. */
function oldServerId(request: SipRequest, core: MessageCore, method: string, toTag: string): string {
  // Our own marks may differ from one copy to the next.
  const via = withoutParam(withoutParam(core.via, 'received'), 'rport')
  return ['<', method, request.uri, core.callId, core.cseq.number, core.fromTag, toTag, formatVia(via)].join('\n')
}

export function isOldStyle(core: MessageCore): boolean {
  return !isUniqueBranch(branchOf(core.via))
}

/**
 * What copies of one request have in common that came over different ways (§8.2.2.2), and what an ACK or a PRACK has in common
 * with its INVITE.
 */
export function sequenceKey({ callId, fromTag }: MessageCore, cseq: number, method: string): string {
  return `${callId}\n${fromTag ?? ''}\n${cseq} ${method}`
}
