// What calls to a number start with, over the API: an address that is asked, or a list of instructions. The number itself, with
// its other settings, is a matter of messaging.
import { Type } from 'typebox'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { customerUrl } from '../../../kernel/endpoint/callback_url.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Nullable, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { refuseRestricted } from '../../destinations/index.ts'
import { numbers } from '../../messaging/numbers/index.ts'
import { checkCallerIds } from '../caller_ids/index.ts'
import {
  closeInstructions,
  InstructionsBody,
  instructionsBodyLimit,
  instructionsProblem,
  openInstructions,
  readInstructions,
  readingContext,
  requireRights,
  sampleInstructions,
  withoutSecrets,
} from '../instructions/index.ts'
import { findNumberVoice, type NumberVoice, writeNumberVoice } from './store.ts'

const callbackText =
  'Asked for instructions when a call comes in (reason received), and sent the events of the call; https.'
const fallbackText = 'Asked where callbackUrl does not answer, or answers with something else than instructions.'
const instructionsText =
  'Carried out when a call comes in and no callbackUrl is set, or neither it nor fallbackUrl answers. See ' +
  'docs/call_instructions.md.'

const NumberVoiceRecord = Type.Object({
  numberId: Type.String({ description: 'Identifier of the number, `num_…`.' }),
  number: Type.String({ description: 'E.164 with +.' }),
  callbackUrl: Nullable(Type.String({ description: callbackText })),
  fallbackUrl: Nullable(Type.String({ description: fallbackText })),
  instructions: Nullable(
    Type.Unsafe<unknown[]>({ ...InstructionsBody, description: `${instructionsText} Passwords are shown as dots.` }),
  ),
  updatedAt: Nullable(Timestamp),
})

const NumberParams = Type.Object({
  numberId: RecordId('num', 'Identifier of the number.'),
})

const params = { numberId: 'num_01k9r7d3w2v8e6q4n5m1b0c9xz' }
const sampleBody = {
  callbackUrl: 'https://example.com/calls',
  fallbackUrl: 'https://backup.example.com/calls',
  instructions: sampleInstructions,
}
const sampleReply = { ...params, number: '+493012345678', ...sampleBody, updatedAt: '2026-11-21T08:44:00.123Z' }

/** The number, where it takes calls. @throws Problem `not_found`, `validation_failed` */
async function callable(tx: Tx, scope: Scope, numberId: string) {
  const number = await numbers.find(tx, scope, numberId)
  if (number === undefined) throw new Problem('not_found')
  const message = 'takes no calls: only a telephone number whose voice is true does'
  if (!number.voice) throw invalid({ field: 'numberId', code: 'not_allowed', message })
  return number
}

function present(
  keyring: Keyring,
  scope: Scope,
  number: { id: string; address: string },
  row: NumberVoice | undefined,
) {
  const { callback_url = null, fallback_url = null, instructions = null, updated_at = null } = row ?? {}
  return {
    numberId: number.id,
    number: number.address,
    callbackUrl: callback_url,
    fallbackUrl: fallback_url,
    instructions:
      instructions === null ? null : withoutSecrets(openInstructions(keyring, scope, number.id, instructions)),
    updatedAt: updated_at,
  }
}

export const getNumberVoice = endpoint({
  id: 'numbers.voice.get',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/numbers/{numberId}/voice',
  name: "Get a number's call settings",
  description: 'What a call to one of your numbers starts with; nulls where nothing is set.',
  permission: 'numbers:read',
  params: NumberParams,
  reply: NumberVoiceRecord,
  envelope: 'data',
  problems: ['not_found'],
  sample: { params, reply: sampleReply },
  async handle({ tx, principal, params, services }) {
    const number = await callable(tx, principal, params.numberId)
    return present(services.keyring, principal, number, await findNumberVoice(tx, principal, number.id))
  },
})

export const setNumberVoice = endpoint({
  id: 'numbers.voice.set',
  version: 'v2',
  category: 'Voice',
  method: 'PUT',
  path: '/numbers/{numberId}/voice',
  name: "Set a number's call settings",
  description:
    'Says what a call to one of your numbers starts with, in the place of what was said before: what is left out or null is ' +
    'empty then. callbackUrl is asked for instructions, then fallbackUrl; where neither answers or is set, instructions are ' +
    'carried out. Calls that come in from now on follow it.',
  permission: 'numbers:manage',
  audit: 'number.voice_updated',
  bodyLimit: instructionsBodyLimit,
  params: NumberParams,
  body: Type.Object({
    callbackUrl: Type.Optional(Nullable(Type.String({ format: 'url', maxLength: 2_048, description: callbackText }))),
    fallbackUrl: Type.Optional(Nullable(Type.String({ format: 'url', maxLength: 2_048, description: fallbackText }))),
    instructions: Type.Optional(
      Nullable(Type.Unsafe<unknown[]>({ ...InstructionsBody, description: instructionsText })),
    ),
  }),
  reply: NumberVoiceRecord,
  envelope: 'data',
  problems: ['not_found', 'invalid_instructions', 'invalid_callback_url', 'caller_id_not_allowed', 'scope_not_held'],
  sample: { params, body: sampleBody, reply: sampleReply },
  async handle({ tx, principal, params, body, now, services }) {
    await numbers.lock(tx, principal, params.numberId)
    const number = await callable(tx, principal, params.numberId)
    await refuseRestricted(tx, principal, 'says nothing of what other calls do')
    const { callbackUrl = null, fallbackUrl = null, instructions = null } = body
    const { mode } = principal
    const address = (url: string | null, field: 'callbackUrl' | 'fallbackUrl') =>
      url && customerUrl(url, services.egress, { mode, field })
    const row: NumberVoice = {
      number_id: number.id,
      callback_url: address(callbackUrl, 'callbackUrl'),
      fallback_url: address(fallbackUrl, 'fallbackUrl'),
      instructions: null,
      updated_at: isoMs(now),
    }
    if (instructions !== null) {
      const { defaultCountry } = principal.settings
      const baseUrl = row.callback_url ?? undefined
      const context = readingContext({ egress: services.egress, mode, defaultCountry, baseUrl })
      const read = readInstructions(instructions, context)
      if ('faults' in read) throw instructionsProblem(read.faults)
      requireRights(principal, read.instructions, 'instructions')
      await checkCallerIds(tx, principal, read.instructions, 'instructions')
      row.instructions = closeInstructions(services.keyring, principal, number.id, read.instructions)
    }
    const before = present(services.keyring, principal, number, await findNumberVoice(tx, principal, number.id))
    await writeNumberVoice(tx, principal, row)
    const record = present(services.keyring, principal, number, row)
    await emitChange(tx, principal, { type: 'number.voice_updated', resourceId: number.id, record, before })
    return record
  },
})

export const endpoints = [getNumberVoice, setNumberVoice]
