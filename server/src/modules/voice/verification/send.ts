// Brings a code to a number, by a text or a call of the organization that runs this installation. The carriers and trunks of
// anyone who asks would prove nothing: what goes out by them can be read there.

import type { Scope } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { admitCall, defaultPolicy, destinationRefusal } from '../../destinations/index.ts'
import { directoryOf, firstVoiceNumber } from '../../messaging/numbers/index.ts'
import { acceptSms } from '../../messaging/sms/index.ts'
import { initialCall, initiatedEvent, insertCall, insertOriginateJob, type NewCall } from '../call_records/index.ts'
import { hasTrunk } from '../trunks/index.ts'
import { codeSpeech, codeText, type Method } from './rules.ts'

const ringSeconds = 40
const limitSeconds = 120

/** @throws Problem `number_verification_unavailable` when the operator has no way to the number */
export async function sendCode(
  services: Services,
  operator: Scope,
  { method, to, code }: { method: Method; to: string; code: string },
): Promise<void> {
  // What the operator opened is open to the operator, not to anyone who may add a number.
  const isShut = destinationRefusal([defaultPolicy('live')], to, null) !== undefined
  const isSent = !isShut && (await (method === 'text' ? textCode : callWithCode)(services, operator, to, code))
  if (!isSent) throw new Problem('number_verification_unavailable')
}

async function textCode(services: Services, operator: Scope, to: string, code: string): Promise<boolean> {
  const directory = await directoryOf(services.db, operator.tenantId)
  const sender = [...directory.numbers.values()].find(number => number.sms && !number.contested)
  if (sender === undefined || directory.carriers.length === 0) return false
  try {
    await acceptSms(
      services,
      { tenantId: operator.tenantId, mode: 'live', keyId: null },
      { from: sender.address, to, body: codeText(code) },
    )
    return true
  } catch (error) {
    // No route, opted out, …: why the operator cannot text a number is not for the organization that asks.
    if (error instanceof Problem && error.entry.status < 500) return false
    throw error
  }
}

async function callWithCode(services: Services, operator: Scope, to: string, code: string): Promise<boolean> {
  const hasStarted = await services.db.inTenant(operator, async tx => {
    const [from, mayCall] = await Promise.all([firstVoiceNumber(tx, operator), hasTrunk(tx, operator)])
    if (from === undefined || !mayCall) return false
    const nowMs = services.clock.now()
    const asker = { mode: 'live', keyId: null, defaultCountry: null } as const
    if ((await admitCall(tx, operator, { ...asker, to, nowMs })) !== undefined) return false
    const call: NewCall = {
      id: newId('call', nowMs),
      direction: 'outbound',
      from_number: from,
      to_number: to,
      caller_name: null,
      callback_url: null,
      instructions: [{ verb: 'say', text: codeSpeech(code), loop: 3 }],
      timeout_seconds: ringSeconds,
      time_limit_seconds: limitSeconds,
      tags: ['number_verification'],
      metadata: {},
      created_at: isoMs(nowMs),
      counted: true,
    }
    await Promise.all([
      insertCall(tx, operator, call),
      insertOriginateJob(tx, operator, call.id),
      emit(tx, operator, initiatedEvent(initialCall(operator, call))),
    ])
    return true
  })
  if (hasStarted) services.wake('call_jobs')
  return hasStarted
}
