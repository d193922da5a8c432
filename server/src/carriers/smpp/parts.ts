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

/** `form`: coding and division of a text in parts, in which its other parts must go as well. */
export type Composed = { carried: Carried[]; form?: string } | { refused: { code: ProblemCode; carrierCode: string } }

const alphabets = { gsm7: 'gsm', latin1: 'latin1', ascii: 'ascii' } as const

/** What data_coding 0 means at this carrier. */
export function profileOf({ defaultAlphabet }: Pick<SmppSettings, 'defaultAlphabet'>): TextProfile {
  return { defaultAlphabet: alphabets[defaultAlphabet] }
}

/** The submit_sm of the parts that are still to be handed over, in their order. */
export function composeSubmission(submission: Submission, settings: SmppSettings, nowMs: number): Composed {
  const { parts, form } = submission
  const divided = divide(submission, settings)
  if (divided === undefined) {
    const carrierCode =
      form === undefined ? 'character not in textCoding' : `begun as ${form}, which the settings no longer allow`
    return { refused: { code: 'message_rejected', carrierCode } }
  }
  const { messages } = divided
  const common = commonFields(submission, settings, nowMs)
  if (messages.length === 1) return { carried: [{ parts, fields: { ...common, ...messages[0] } }] }
  const carried = parts.map(part => ({ parts: [part], fields: { ...common, ...messages[part - 1] } }))
  return { carried, form: divided.form }
}

/** As many as the message has segments, or one for all of them; undefined when the coding cannot carry the text. */
function divide(submission: Submission, settings: SmppSettings): { messages: MessagePart[]; form: string } | undefined {
  const { body, segments, reference } = submission
  const profile = profileOf(settings)
  const isWhole = (messages: MessagePart[]) =>
    messages.length === segments || (messages.length === 1 && isUndivided(submission, settings))
  for (const { coding, form, name } of choicesOf(submission, settings)) {
    const messages = composed(body, { profile, encoding: coding, form, reference })
    if (messages !== undefined && isWhole(messages)) return { messages, form: name }
  }
  return undefined
}

type Form = 'udh8' | 'udh16' | 'sar' | 'payload'
type Choice = { coding: TextEncoding; form: Form; name: string }

/** Codings and forms to be tried, the best first. What was begun goes on as it was, whatever the settings say now. */
function choicesOf(submission: Submission, settings: SmppSettings): Choice[] {
  const { encoding, form: begun } = submission
  const { textCoding, defaultAlphabet } = settings
  const of = (codings: readonly TextEncoding[], forms: readonly Form[]): Choice[] =>
    codings.flatMap(coding => forms.map(form => ({ coding, form, name: `${coding} ${form}` })))
  if (begun === undefined) {
    const wanted = alphabets[textCoding === 'default' ? defaultAlphabet : textCoding]
    return of(encoding === 'UCS-2' ? ['ucs2'] : [wanted, 'ucs2'], formsOf(submission, settings))
  }
  // Only data_coding 0 says that a text is in the alphabet of GSM.
  const codings = (['gsm', 'latin1', 'ascii', 'ucs2'] as const).filter(
    coding => coding !== 'gsm' || defaultAlphabet === 'gsm7',
  )
  return of(codings, ['udh8', 'udh16', 'sar']).filter(({ name }) => name === begun)
}

/** What is left of a text goes in parts, also where the settings were changed since it began: undivided, it would arrive twice. */
function isUndivided({ parts, segments }: Submission, { longMessages }: SmppSettings): boolean {
  return longMessages === 'message_payload' && parts.length === segments
}

function formsOf(submission: Submission, settings: SmppSettings): Form[] {
  if (isUndivided(submission, settings)) return ['payload']
  // A header with a 16-bit reference leaves less room: where that makes one part more, an 8-bit one does.
  if (settings.longMessages === 'udh16') return ['udh16', 'udh8']
  return [settings.longMessages === 'sar' ? 'sar' : 'udh8']
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
