// What came of a call, as the person who had it says: the disposition of a call center. The network knows that somebody answered; a person
// knows that it was the voicemail, or the wrong number.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Nullable } from '../../../kernel/endpoint/schema.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { changeCalls, lockLegs, outcomeStep, presentCall } from '../call_records/index.ts'
import { CallParams, CallRecord, Outcome, sampleCall } from './schemas.ts'

export const update = endpoint({
  id: 'calls.update',
  version: 'v2',
  category: 'Voice',
  method: 'PATCH',
  path: '/voice/calls/{callId}',
  name: 'Update a call',
  description:
    'Says what came of a call, while it lasts or once it is over. A call made from a browser has a leg to the browser and ' +
    'one to the person: the outcome is that of the conversation, and is set on all of its legs. Each leg whose outcome ' +
    'changes has an event `call.outcome_set`. null takes it back.',
  permission: 'calls:control',
  params: CallParams,
  body: Type.Object({ outcome: Nullable(Outcome) }),
  reply: CallRecord,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params: { callId: sampleCall.callId }, body: { outcome: 'answered' }, reply: sampleCall },
  async handle({ params: { callId }, body: { outcome }, tx, principal, now }) {
    const legs = await lockLegs(tx, principal, callId)
    const steps = legs.flatMap(leg => outcomeStep(leg, outcome, { userId: principal.userId, atMs: now }) ?? [])
    await changeCalls(tx, principal, legs, steps)
    const call = steps.find(step => step.call.id === callId)?.call ?? legs.find(({ id }) => id === callId)
    if (call === undefined) throw new Problem('not_found')
    return presentCall(call)
  },
})
