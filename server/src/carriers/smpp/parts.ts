// From a message to the submit_sm that carry it, by the settings of the carrier. Pure.
import {
  composeMessage,
  type FieldsOf,
  formatAbsoluteTime,
  formatRelativeTime,
  type MessagePart,
  type TextEncoding,
  type TextProfile,
} from '@tandem/smpp'
import type { ProblemCode } from '../../kernel/values/problem.ts'
import type { Submission } from '../../modules/messaging/carrier.ts'
import { destinationOf, sourceOf } from './addresses.ts'
import type { SmppSettings } from './settings.ts'

/** One submit_sm, and the parts of the message that it carries: one, or all of them in message_payload. */
export type Carried = { parts: readonly number[]; fields: FieldsOf<'submit_sm'> }

export type Composed = { carried: Carried[] } | { refused: { code: ProblemCode; carrierCode: string } }

const alphabets = { gsm7: 'gsm', latin1: 'latin1', ascii: 'ascii' } as const

/** What data_coding 0 means at this carrier. */
export function profileOf({ defaultAlphabet }: Pick<SmppSettings, 'defaultAlphabet'>): TextProfile {
  return { defaultAlphabet: alphabets[defaultAlphabet] }
}

/** The submit_sm of the parts that are still to be handed over, in their order. */
export function composeSubmission(submission: Submission, settings: SmppSettings, nowMs: number): Composed {
  const messages = partsOf(submission, settings)
  if (messages === undefined)
    return { refused: { code: 'message_rejected', carrierCode: 'character not in textCoding' } }
  const common = commonFields(submission, settings, nowMs)
  if (messages.length === 1) return { carried: [{ parts: submission.parts, fields: { ...common, ...messages[0] } }] }
  const carried = submission.parts.map(part => ({ parts: [part], fields: { ...common, ...messages[part - 1] } }))
  return { carried }
}

/** As many as the message has segments, or one for all of them; undefined when the coding cannot carry the text. */
function partsOf(submission: Submission, settings: SmppSettings): MessagePart[] | undefined {
  const { body, encoding, segments, reference } = submission
  const profile = profileOf(settings)
  const wanted: TextEncoding =
    settings.textCoding === 'default' ? alphabets[settings.defaultAlphabet] : settings.textCoding
  const isWhole = (messages: MessagePart[]) =>
    messages.length === segments || (messages.length === 1 && settings.longMessages === 'message_payload')
  for (const coding of encoding === 'UCS-2' ? (['ucs2'] as const) : ([wanted, 'ucs2'] as const)) {
    // A header with a 16-bit reference leaves less room: where that makes one part more, an 8-bit one does.
    for (const form of formsOf(settings)) {
      const messages = composed(body, { profile, encoding: coding, form, reference })
      if (messages !== undefined && isWhole(messages)) return messages
    }
  }
  return undefined
}

function formsOf({ longMessages }: SmppSettings) {
  if (longMessages === 'udh16') return ['udh16', 'udh8'] as const
  return [longMessages === 'message_payload' ? 'payload' : longMessages] as const
}

function composed(body: string, options: Parameters<typeof composeMessage>[1]): MessagePart[] | undefined {
  try {
    return composeMessage(body, options)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const registeredDeliveries = { all: 1, failures: 2, none: 0 } as const

function commonFields(submission: Submission, settings: SmppSettings, nowMs: number): FieldsOf<'submit_sm'> {
  const { from, to, expiresAt } = submission
  return {
    serviceType: settings.serviceType,
    ...sourceOf(from, settings),
    ...destinationOf(to, settings),
    registeredDelivery: registeredDeliveries[settings.receipts],
    validityPeriod: validityOf(Date.parse(expiresAt), settings, nowMs),
  }
}

/** What a relative time can say. */
const maxValiditySeconds = 99 * 86_400

function validityOf(expiresAtMs: number, { validityPeriod }: SmppSettings, nowMs: number): string {
  if (validityPeriod === 'none') return ''
  if (validityPeriod === 'absolute') return formatAbsoluteTime(Math.max(expiresAtMs, nowMs + 1_000))
  const seconds = Math.ceil((expiresAtMs - nowMs) / 1_000)
  return formatRelativeTime(Math.min(Math.max(seconds, 1), maxValiditySeconds))
}
