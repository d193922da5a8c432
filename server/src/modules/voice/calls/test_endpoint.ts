// A call that comes in without a phone: how instructions for inbound calls are tried. The caller is simulated by the engine that
// carries calls where no phone network is there.
import { Type } from 'typebox'
import { emit } from '../../../kernel/data/events.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { PhoneInput } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { parsePhone } from '../../../kernel/values/phone.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { assertInjectable } from '../../messaging/inbound/index.ts'
import {
  initialCall,
  initiatedEvent,
  insertCall,
  insertOriginateJob,
  type NewCall,
  presentCall,
} from '../call_records/index.ts'
import { closeInstructions } from '../instructions/index.ts'
import { handlingOf } from '../numbers/index.ts'
import { hasTrunk } from '../trunks/index.ts'
import { FastClockHeader, isFastClock } from './fast_clock.ts'
import { CallRecord, sampleCall } from './schemas.ts'

const defaultSeconds = 30
/** How long a simulated caller lets it ring. */
const patienceSeconds = 60

export const testCall = endpoint({
  id: 'calls.test_inbound',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/test/calls',
  name: 'Inject an inbound call',
  description:
    'Lets a call come in as if a phone had called one of your numbers, with all that follows: the instructions of the ' +
    'number, requests to its callback address, events. Once answered, the simulated caller says hello, types `digits`, answers for three ' +
    'seconds whenever it was said something (+15005550211 never does), and hangs up after `seconds`. In the test mode always; in the live mode as long as the organization has no trunk, and only from numbers of the simulator (+1 500 555 xxxx): no live call is reported that no phone made. PUT /v2/numbers/{numberId}/voice says what calls to a number start with.',
  permission: 'calls:create',
  status: 201,
  headers: FastClockHeader,
  body: Type.Object({
    from: Type.Unsafe<string>({
      ...PhoneInput,
      description: 'The phone that calls, best in E.164; in the live mode a number of the simulator.',
    }),
    to: Type.Unsafe<string>({
      ...PhoneInput,
      description: 'The number of yours that is called; any will do, though only one of yours has instructions.',
    }),
    digits: Type.Optional(
      Type.String({
        maxLength: 100,
        pattern: '^[0-9*#A-DwW]*$',
        errorMessage: 'may hold 0-9, *, #, A-D, and w and W for pauses',
        description:
          'Keys to press, one each half second, from one second after the answer; w and W wait half a second and a second.',
      }),
    ),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 600,
        default: defaultSeconds,
        description: 'The caller hangs up so long after the answer.',
      }),
    ),
  }),
  reply: CallRecord,
  envelope: 'data',
  problems: ['invalid_from_number', 'invalid_to_number', 'handset_not_in_use'],
  sample: {
    body: { from: '+15005550100', to: '+15005550006', digits: 'WW1', seconds: 20 },
    reply: {
      ...sampleCall,
      from: '+15005550100',
      to: '+15005550006',
      direction: 'inbound',
      state: 'initiated',
      callerName: null,
      tags: [],
      metadata: {},
      answeredBy: null,
      hangupCause: null,
      hangupBy: null,
      sipCode: null,
      q850: null,
      ringSeconds: null,
      durationSeconds: null,
      billableSeconds: null,
      dialedAt: null,
      ringingAt: null,
      answeredAt: null,
      endedAt: null,
    },
  },
  async handle({ body, header, tx, principal, now, afterCommit, services }) {
    const { mode, settings } = principal
    if (mode === 'live' && (await hasTrunk(tx, principal))) throw new Problem('handset_not_in_use')
    const numberIn = (field: 'from' | 'to', code: 'invalid_from_number' | 'invalid_to_number') => {
      const number = parsePhone(body[field], settings.defaultCountry ?? undefined)
      if (number !== undefined) return number
      throw new Problem(code, { details: [{ field, code: 'wrong_format', message: 'is not a telephone number' }] })
    }
    const from_number = numberIn('from', 'invalid_from_number')
    assertInjectable(mode, from_number)
    const to_number = numberIn('to', 'invalid_to_number')
    const { keyring } = services
    const { instructions, ...given } = await handlingOf(tx, principal, keyring, to_number)
    const id = newId('call', now)
    const call: NewCall = {
      id,
      direction: 'inbound',
      from_number,
      to_number,
      caller_name: null,
      ...given,
      instructions: instructions && closeInstructions(keyring, principal, id, instructions),
      timeout_seconds: patienceSeconds,
      time_limit_seconds: 4 * 3_600,
      simulated: { digits: body.digits ?? '', seconds: body.seconds ?? defaultSeconds },
      tags: [],
      metadata: {},
      fast_clock: isFastClock(header, mode),
      created_at: isoMs(now),
    }
    const row = initialCall(principal, call)
    // The job that has other calls dialled lets this one ring.
    await Promise.all([
      insertCall(tx, principal, call),
      insertOriginateJob(tx, principal, id),
      emit(tx, principal, initiatedEvent(row)),
    ])
    afterCommit(() => services.wake('call_jobs'))
    return presentCall(row)
  },
})
