// Ending a call that another process had, by what was stored of it: CANCEL with the branch of its INVITE, repeated as a
// transaction would (RFC 3261 §9.1, §17.1.2), with ACK and BYE for an answer that was faster; or BYE.
import type { MessageCore } from '../core.ts'
import type { DigestAccount } from '../dialog/digest_client.ts'
import { createDigestClient } from '../dialog/digest_client.ts'
import { abandonFork, createFork, receiveForkResponse } from '../dialog/fork.ts'
import { reasonHeader } from '../dialog/q850.ts'
import { ackOf2xx, cancelOf, nextRequest } from '../dialog/requests.ts'
import type { DialogState } from '../dialog/state.ts'
import type { SipHeader, SipRequest, SipResponse } from '../message.ts'
import { createAck } from '../replies.ts'
import type { SipFlow } from '../transport/types.ts'
import { isSipUri } from '../uri.ts'
import { formatVia, readAddress } from '../values.ts'
import type { AgentCore, Receiver } from './core.ts'
import { callKey } from './core.ts'
import type { SipOutcome, StoredCall } from './types.ts'

export type StoredEnding = {
  core: AgentCore
  outcomeOf(request: SipRequest, flow: SipFlow): Promise<SipOutcome>
  profile: string | undefined
  account: DigestAccount | undefined
}

const placeholder = 'SIP/2.0/UDP 192.0.2.1'
/** Requests that were not stored may have used some numbers: any higher one will do (§12.2.1.1). */
const cseqStep = 1_000
const maxBranches = 16

export async function endStoredCall({ dialog, branch }: StoredCall, ending: StoredEnding): Promise<void> {
  const { phase, role } = dialog
  // A call of this very process ends itself, with one BYE or CANCEL: this resolves when that has done what it was sent for.
  const known = ending.core.calls.get(callKey(dialog.callId, dialog.localTag))?.call
  if (known !== undefined) {
    known.end()
    return known.terminated()
  }
  if (phase === 'confirmed') return sayBye(dialog, ending)
  // Who was called and had not answered has nothing to end: the caller's INVITE gets no answer from a new process.
  if (phase === 'ended' || role === 'uas' || branch === null || dialog.localInviteCSeq === null) return
  await sayCancel({ ...dialog, phase: 'calling', remoteTag: null }, branch, ending)
}

async function sayBye(dialog: DialogState, { core, outcomeOf, profile, account }: StoredEnding): Promise<void> {
  const digest = account && createDigestClient(account, core.options.random)
  const { nextHop } = nextRequest(dialog, 'BYE', { via: placeholder })
  const flow = await core.way(nextHop, profile, dialog.hop !== undefined)
  let moved = { ...dialog, localCSeq: Math.min(dialog.localCSeq + cseqStep, 2 ** 31 - 10) }
  for (;;) {
    const next = nextRequest(moved, 'BYE', {
      via: core.via(flow),
      headers: [reasonHeader('Q.850', 41), ...core.headers],
      ...(digest && { credentials: digest.credentials }),
    })
    moved = next.dialog
    const outcome = await outcomeOf(next.request, flow)
    const isChallenged = 'response' in outcome && [401, 407].includes(outcome.response.status)
    if (!isChallenged || digest?.challenged(outcome.response, outcome.request) !== 'retry') return
  }
}

async function sayCancel(call: DialogState, branch: string, { core, profile }: StoredEnding): Promise<void> {
  const { nextHop } = cancelOf(call, `${placeholder};branch=${branch}`)
  const flow = await core.way(nextHop, profile, call.hop !== undefined)
  const via = viaOf(call, core, flow)
  const { request } = cancelOf(call, `${via};branch=${branch}`)
  const cancel = { ...request, headers: [...request.headers, reasonHeader('Q.850', 41)] }
  const invite: SipRequest = { ...request, method: 'INVITE', headers: request.headers.map(asInvite) }
  let fork = abandonFork(createFork(call))
  const answered = new Map<string, number>()
  let stop = () => {}

  const key = callKey(call.callId, call.localTag)
  // Somebody in this process is already at it.
  if (core.calls.has(key)) return

  return new Promise(resolve => {
    const receiver: Receiver = {
      call: undefined,
      dialogs: () => [],
      onRequest: (inner, _core, _flow, server) => void core.respond(server, core.refusal(inner, 481)),
      onAck() {},
      onStrayResponse(response, responseCore) {
        if (responseCore.cseq.number !== call.localInviteCSeq) return
        if (response.status < 200) return
        stop()
        if (responseCore.cseq.method === 'INVITE') onFinal(response, responseCore)
        resolve()
      },
    }
    core.calls.set(key, receiver)
    core.after(core.tailMs, () => {
      stop()
      core.calls.delete(key)
      resolve()
    })
    send(core.t1Ms)

    function send(spanMs: number): void {
      core.send(cancel, flow)
      if (flow.reliable) return
      stop = core.after(spanMs, () => send(Math.min(spanMs * 2, 4_000)))
    }

    function onFinal(response: SipResponse, responseCore: MessageCore): void {
      if (response.status >= 300) {
        core.send(createAck(invite, response), flow)
        return
      }
      const received = receiveForkResponse(fork, response, responseCore)
      fork = received.fork
      const { event } = received
      if (event.kind !== 'unwanted' && event.kind !== 'unwanted_again') return
      const tag = event.dialog.remoteTag ?? ''
      if (answered.size >= maxBranches && !answered.has(tag)) return
      core.sendAck(ackOf2xx(event.dialog, { via: core.via(flow) }).request, flow)
      if (answered.has(tag)) return
      answered.set(tag, 1)
      const parts = { via: core.via(flow), headers: [reasonHeader('Q.850', 41), ...core.headers] }
      core.request(nextRequest(event.dialog, 'BYE', parts).request, flow, { onResponse() {}, onFailure() {} })
    }
  })
}

/** The sent-by of the INVITE belongs to what CANCEL is matched by (§17.2.3); the stored Contact has it. */
function viaOf({ localContact }: DialogState, core: AgentCore, flow: SipFlow): string {
  const { uri } = readAddress(localContact)
  const own = core.transport.via(flow)
  if (!isSipUri(uri) || uri.host === 'invalid') return formatVia(own)
  return formatVia({ ...own, host: uri.host, port: uri.port })
}

function asInvite(line: SipHeader): SipHeader {
  return line.name === 'CSeq' ? { name: 'CSeq', value: line.value.replace('CANCEL', 'INVITE') } : line
}
