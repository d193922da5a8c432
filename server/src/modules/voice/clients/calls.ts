// Calls of phones in browsers over the API: one takes a call that rings, refuses it, or hangs up. What it says reaches the process
// that holds the call as a command; what that answers comes by the stream.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { type Context, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf } from '../../../kernel/endpoint/schema.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { isSimulatorNumber } from '../../../kernel/values/phone.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import type { Call } from '../call_records/index.ts'
import { insertCommand } from '../call_records/index.ts'
import { lockLive } from '../calls/index.ts'
import type { ClientSignal } from '../engine/index.ts'
import { phoneHint } from './feed.ts'
import { offerFault } from './offer.ts'
import { type ClientLegRow, identityOf } from './rules.ts'
import { ClientCallParams, ClientCallReply, Offer, sampleOffer } from './schemas.ts'
import { findClientLeg, takeClientLeg } from './store.ts'

type Asking = Pick<Context<unknown, unknown, unknown>, 'tx' | 'principal' | 'now' | 'afterCommit' | 'services'>

/** @throws Problem `invalid_offer` */
export function checkOffer(sdp: string): void {
  const fault = offerFault(sdp)
  if (fault === undefined) return
  throw new Problem('invalid_offer', {
    message: `sdp ${fault}.`,
    details: [{ field: 'sdp', code: 'not_allowed', message: fault }],
  })
}

/** A call under way of the phone that asks, or of a handset. @throws Problem `not_found`, `call_not_active` */
async function ownCall(
  { tx, principal }: Asking,
  callId: string,
): Promise<{ call: Call; kind: ClientLegRow['kind']; taken: boolean }> {
  const leg = await findClientLeg(tx, principal, callId)
  if (leg === undefined || !isTheirs(principal, leg.identity))
    throw new Problem('not_found', { message: 'No call of this phone has this id.' })
  return { ...leg, call: await lockLive(tx, principal, callId) }
}

/** A handset belongs to nobody in particular; a token of a phone reaches that phone only. */
function isTheirs(principal: Principal, identity: string): boolean {
  return identity === identityOf(principal) || (principal.phone === null && isSimulatorNumber(identity))
}

async function say({ tx, principal, now, afterCommit, services }: Asking, call: Call, signal: ClientSignal) {
  await insertCommand(tx, principal, call, newId('cmd', now), { kind: 'client', signal })
  afterCommit(() => {
    services.wake('call_jobs')
    services.wake(phoneHint)
  })
  return { callId: call.id, state: call.state }
}

const sampleReply: Static<typeof ClientCallReply> = { callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3', state: 'ringing' }
const params = { callId: sampleReply.callId }

export const answer = endpoint({
  id: 'client_calls.answer',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/client-calls/{callId}/answer',
  name: 'Answer a call in the browser',
  description:
    'Takes a call that rings in this browser. Send an offer of your RTCPeerConnection; the SDP to answer it with comes as ' +
    '`answer` on the client stream, and with it the sound. The first browser to answer has the call.',
  permission: 'phone:use',
  params: ClientCallParams,
  body: Type.Object({ sdp: Offer }),
  reply: ClientCallReply,
  envelope: 'data',
  problems: ['not_found', 'call_not_active', 'call_taken', 'invalid_offer'],
  sample: { params, body: { sdp: sampleOffer }, reply: sampleReply },
  async handle(context) {
    const { params, body, tx, principal } = context
    checkOffer(body.sdp)
    const { call, kind } = await ownCall(context, params.callId)
    if (kind !== 'rings') throw new Problem('not_found', { message: 'This call does not ring here: it was made here.' })
    if (!(await takeClientLeg(tx, principal, call.id))) throw new Problem('call_taken')
    return say(context, call, { type: 'answer', sdp: body.sdp })
  },
})

export const reject = endpoint({
  id: 'client_calls.reject',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/client-calls/{callId}/reject',
  name: 'Reject a call in the browser',
  description: 'Refuses a call that rings in this browser; it stops ringing in all of them.',
  permission: 'phone:use',
  params: ClientCallParams,
  body: Type.Object({
    reason: Type.Optional(
      OneOf(['declined', 'busy'], {
        description: 'declined ends the call as rejected, busy as busy.',
        default: 'declined',
      }),
    ),
  }),
  reply: ClientCallReply,
  envelope: 'data',
  problems: ['not_found', 'call_not_active', 'call_taken'],
  sample: { params, body: { reason: 'busy' }, reply: sampleReply },
  async handle(context) {
    const { call, taken } = await ownCall(context, context.params.callId)
    // Who was late must not end what another one has started.
    if (taken) throw new Problem('call_taken')
    return say(context, call, { type: 'reject', isBusy: context.body.reason === 'busy' })
  },
})

export const hangup = endpoint({
  id: 'client_calls.hangup',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/client-calls/{callId}/hangup',
  name: 'Hang up a call in the browser',
  description: 'Ends a call of this phone as its user: before the answer it is canceled, after it completed.',
  permission: 'phone:use',
  params: ClientCallParams,
  reply: ClientCallReply,
  envelope: 'data',
  problems: ['not_found', 'call_not_active'],
  sample: { params, reply: { ...sampleReply, state: 'answered' } },
  async handle(context) {
    const { call } = await ownCall(context, context.params.callId)
    return say(context, call, { type: 'hangup' })
  },
})
