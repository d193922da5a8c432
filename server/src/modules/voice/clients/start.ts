// A call that a browser makes: its first leg is the browser, which is connected at once, and dials from there. With the number of a
// handset it is a call that comes in from that number.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { emit } from '../../../kernel/data/events.ts'
import { customerUrl } from '../../../kernel/endpoint/callback_url.ts'
import { type Context, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { IntegerId, OneOf, PhoneInput } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { findVisibleLead } from '../../crm/leads/index.ts'
import { checkDestination } from '../../destinations/index.ts'
import { firstVoiceNumber } from '../../messaging/numbers/index.ts'
import { initialCall, initiatedEvent, insertCall, insertOriginateJob, type NewCall } from '../call_records/index.ts'
import { checkCallerId } from '../caller_ids/index.ts'
import {
  defaultTimeLimitSeconds,
  defaultTimeoutSeconds,
  dialable,
  Metadata,
  Tags,
  TimeLimitSeconds,
  TimeoutSeconds,
} from '../calls/index.ts'
import {
  closeInstructions,
  InstructionsBody,
  instructionsBodyLimit,
  instructionsProblem,
  readInstructions,
  readingContext,
  requireCreating,
  requireRights,
} from '../instructions/index.ts'
import { handlingOf } from '../numbers/index.ts'
import { ownAddress } from '../sip_credentials/index.ts'
import { hasTrunk } from '../trunks/index.ts'
import { checkOffer } from './calls.ts'
import { phoneHint } from './feed.ts'
import { clientScheme, identityIn, identityOf } from './rules.ts'
import { HandsetNumber, NewClientCall, Offer, sampleOffer } from './schemas.ts'
import { insertClientLegs } from './store.ts'

/** Shown as caller as long as the organization has neither number nor trunk: it belongs to the simulator. */
const simulatorCallerId = '+15005550000'

const Body = Type.Object({
  sdp: Offer,
  to: Type.Optional(
    Type.String({
      minLength: 2,
      maxLength: 261,
      description:
        'Whom to call: a telephone number, a SIP address (`sip:…`), or another phone in the browser (`client:…`). Needed ' +
        'unless there are `instructions` or a `callbackUrl`.',
    }),
  ),
  from: Type.Optional(
    Type.Unsafe<string>({
      ...PhoneInput,
      description: 'Number to show as caller; when left out, the oldest number of the organization that makes calls.',
    }),
  ),
  number: Type.Optional(HandsetNumber),
  leadId: Type.Optional(IntegerId),
  record: Type.Optional(
    OneOf(['none', 'mono', 'dual'], { description: 'Whether to record what is spoken with `to`.', default: 'none' }),
  ),
  instructions: Type.Optional(
    Type.Unsafe<unknown[]>({
      ...InstructionsBody,
      description:
        'What to do with the browser, in place of dialling `to`. Needs the permission calls:create; a token of a phone ' +
        'takes none.',
    }),
  ),
  callbackUrl: Type.Optional(
    Type.String({
      format: 'url',
      maxLength: 2_048,
      description:
        'Where to send the events of this call; asked for instructions where there are neither these nor `to`, which needs ' +
        'the permission calls:create. A token of a phone takes none.',
    }),
  ),
  timeoutSeconds: Type.Optional(TimeoutSeconds),
  timeLimitSeconds: Type.Optional(TimeLimitSeconds),
  tags: Type.Optional(Tags),
  metadata: Type.Optional(Metadata),
})

type Asked = Context<unknown, unknown, Static<typeof Body>>

export const start = endpoint({
  id: 'client_calls.create',
  version: 'v2',
  category: 'Voice',
  method: 'POST',
  path: '/voice/client-calls',
  name: 'Create a call from the browser',
  description:
    'Makes a call from this browser to a number, a SIP address or another browser. Send an offer of your ' +
    'RTCPeerConnection; what to answer it with comes as `answer` on the client stream, which must be open. The call is ' +
    'one from the number shown to `client:<identity>`, and what it dials is a call of its own with it as `parentCallId`. ' +
    'With `number` it is a handset that calls: the call comes in from there, as if a phone had called `to`, a number of ' +
    'yours; in live mode as long as the organization has no trunk.',
  permission: 'phone:use',
  bodyLimit: instructionsBodyLimit,
  body: Body,
  reply: NewClientCall,
  envelope: 'data',
  status: 201,
  problems: [
    'invalid_offer',
    'invalid_to_number',
    'invalid_from_number',
    'invalid_callback_url',
    'invalid_instructions',
    'caller_id_not_allowed',
    'handset_not_in_use',
    'destination_not_allowed',
    'destination_premium',
  ],
  sample: {
    body: { to: '+15005550200', from: '+15550100001', leadId: 42, sdp: sampleOffer },
    reply: {
      callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3',
      from: '+15550100001',
      to: '+15005550200',
      identity: 'ada@example.com',
      state: 'initiated',
      createdAt: '2026-11-21T08:44:00.123Z',
    },
  },
  check: ({ body: { to, instructions, callbackUrl, number } }) => {
    const message = 'must say whom to call; or send instructions or callbackUrl'
    if (to === undefined && (number !== undefined || (instructions === undefined && callbackUrl === undefined)))
      return [{ field: 'to', code: 'required', message }]
    return []
  },
  async handle(context) {
    const { body, tx, principal, now, afterCommit, services } = context
    if (principal.phone?.outgoing === false)
      throw new Problem('insufficient_scope', { message: 'This token makes no calls. Make one with outgoing: true.' })
    checkSteering(principal, body)
    checkOffer(body.sdp)
    const id = newId('call', now)
    const lead_id = body.leadId === undefined ? null : await leadOf(context, body.leadId)
    const { call, identity, to } =
      body.number === undefined ? await callOut(context, id) : await dialIn(context, id, body.number)
    if (lead_id !== null) call.metadata = { ...call.metadata, leadId: String(lead_id) }
    const row = initialCall(principal, call)
    const kind = body.number === undefined ? 'calls' : 'dials_in'
    await insertCall(tx, principal, call)
    await Promise.all([
      insertOriginateJob(tx, principal, id),
      insertClientLegs(tx, principal, [{ call_id: id, identity, kind, lead_id, offer: body.sdp }]),
      emit(tx, principal, initiatedEvent(row)),
    ])
    afterCommit(() => {
      services.wake('call_jobs')
      services.wake(phoneHint)
    })
    return { callId: id, from: call.from_number, to, identity, state: row.state, createdAt: row.created_at }
  },
})

/** Who is a phone says whom to call, and no more. @throws Problem `insufficient_scope`, `insufficient_role` */
function checkSteering(principal: Principal, { to, instructions, callbackUrl }: Static<typeof Body>): void {
  const field = instructions !== undefined ? 'instructions' : callbackUrl !== undefined ? 'callbackUrl' : undefined
  if (field === undefined) return
  if (principal.phone !== null)
    throw new Problem('insufficient_scope', {
      message: `A token of a phone takes no ${field}. Leave ${field} out, and send whom to call as to.`,
      details: [{ field, code: 'not_allowed', message: 'is not for a token of a phone' }],
    })
  // With `to` the callback address hears of the call and is asked for nothing.
  if (field === 'instructions' || to === undefined) requireCreating(principal, field)
}

async function leadOf({ tx, principal }: Asked, leadId: number): Promise<number> {
  const lead = principal.permissions.has('leads:read') ? await findVisibleLead(tx, principal, leadId) : undefined
  if (lead === undefined)
    throw invalid({ field: 'leadId', code: 'not_found', message: 'must be a lead that you can see' })
  return leadId
}

type Made = { call: NewCall; identity: string; to: string | null }

function common({ body, now }: Asked, id: string) {
  const { timeoutSeconds = defaultTimeoutSeconds, timeLimitSeconds = defaultTimeLimitSeconds } = body
  return {
    id,
    caller_name: null,
    timeout_seconds: timeoutSeconds,
    time_limit_seconds: timeLimitSeconds,
    tags: body.tags ?? [],
    metadata: body.metadata ?? {},
    created_at: isoMs(now),
  }
}

/** We call the browser, which is there already, and dial from there. */
async function callOut(context: Asked, id: string): Promise<Made> {
  const { body, tx, principal, services } = context
  const { mode, settings } = principal
  const { keyring, egress } = services
  const from = await callerIdFor(context)
  const identity = identityOf(principal)
  const callback_url =
    body.callbackUrl === undefined ? null : customerUrl(body.callbackUrl, egress, { mode, field: 'callbackUrl' })
  const target = body.to === undefined ? undefined : targetOf(body.to, principal)
  const list =
    body.instructions ??
    (target && [
      {
        verb: 'dial',
        targets: [target],
        ...(target.type === 'client' ? {} : { callerId: from }),
        ...(body.timeoutSeconds === undefined ? {} : { timeoutSeconds: body.timeoutSeconds }),
        ...(body.record === undefined ? {} : { record: body.record }),
      },
    ])
  const call: NewCall = {
    ...common(context, id),
    direction: 'outbound',
    from_number: from,
    to_number: `${clientScheme}${identity}`,
    callback_url,
    key_id: principal.keyId,
  }
  if (list !== undefined) {
    const baseUrl = callback_url ?? undefined
    const read = readInstructions(
      list,
      readingContext({ egress, mode, defaultCountry: settings.defaultCountry, baseUrl }),
    )
    if ('faults' in read) throw body.instructions === undefined ? noAddress(body.to) : instructionsProblem(read.faults)
    if (body.instructions !== undefined) requireRights(principal, read.instructions, 'instructions')
    call.instructions = closeInstructions(keyring, principal, id, read.instructions)
  }
  await checkCallerId(tx, principal, from)
  // It is counted when the browser's leg dials; here it is reported before.
  if (target !== undefined && target.type !== 'client' && ownAddress(addressOf(target), services.sip) === undefined)
    await checkDestination(tx, principal, addressOf(target))
  return { call, identity, to: target === undefined ? null : addressOf(target) }
}

async function callerIdFor({ body, tx, principal }: Asked): Promise<string> {
  if (body.from !== undefined) return dialable(body.from, principal, 'from', 'invalid_from_number')
  const own = await firstVoiceNumber(tx, principal)
  if (own !== undefined) return own
  if (principal.mode === 'test' || !(await hasTrunk(tx, principal))) return simulatorCallerId
  throw new Problem('caller_id_not_allowed', {
    message: 'The organization has no number that makes calls. Add it with POST /v2/numbers, or send from.',
    details: [{ field: 'from', code: 'required', message: 'is needed where there is no number that makes calls' }],
  })
}

type Target = { type: 'number'; number: string } | { type: 'sip'; uri: string } | { type: 'client'; identity: string }

function targetOf(to: string, principal: Asked['principal']): Target {
  const identity = identityIn(to)
  if (identity !== undefined) return { type: 'client', identity }
  if (/^sips?:/i.test(to)) return { type: 'sip', uri: to }
  return { type: 'number', number: dialable(to, principal, 'to', 'invalid_to_number') }
}

function addressOf(target: Target): string {
  if (target.type === 'client') return `${clientScheme}${target.identity}`
  return target.type === 'sip' ? target.uri : target.number
}

function noAddress(to = ''): Problem {
  const message = `${JSON.stringify(to)} is no address that can be called. Use +…, sip:… or client:….`
  const details = [{ field: 'to', code: 'invalid_to_number', message: 'is no address that can be called' }]
  return new Problem('invalid_to_number', { message, details })
}

/** A handset calls a number: the call comes in, with all that its number has it do. */
async function dialIn(context: Asked, id: string, number: string): Promise<Made> {
  const { body, tx, principal, services } = context
  if (principal.phone !== null)
    throw new Problem('insufficient_scope', { message: 'A token of a phone is no handset. Leave number out.' })
  if (principal.mode === 'live' && (await hasTrunk(tx, principal))) throw new Problem('handset_not_in_use')
  const to = dialable(body.to ?? '', principal, 'to', 'invalid_to_number')
  const { instructions, ...given } = await handlingOf(tx, principal, services.keyring, to)
  const call: NewCall = {
    ...common(context, id),
    direction: 'inbound',
    from_number: number,
    to_number: to,
    ...given,
    instructions: instructions && closeInstructions(services.keyring, principal, id, instructions),
  }
  return { call, identity: number, to }
}
