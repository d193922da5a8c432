// What a messaging service looks like from outside, in and out.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { callbackUrl, resourceFields, settable, shown, wording } from '../../../kernel/resource/fields.ts'
import { defaultKeywords } from './keyword_table.ts'
import { type LanguageInput, readKeywords, unknownOutcomes } from './rules.ts'

const Language = Type.String({
  pattern: '^[a-z]{2}$',
  errorMessage: 'must be an ISO 639-1 code in lower case, such as en',
  description: 'ISO 639-1 code, such as en.',
})
const keywordsText =
  'The single words that recipients may answer with, by language. The word decides the language of the answer; STOP, START and HELP are understood in any case.'
const Word = Type.String({ minLength: 1, maxLength: 20 })
const Reply = Nullable(
  Type.String({ minLength: 1, maxLength: 480, description: 'What is answered; null answers nothing.' }),
)

const keyword = (meaning: string) =>
  Type.Object(
    {
      words: Type.Array(Type.String(), { description: 'In capitals. Letter case and accents do not matter.' }),
      reply: Reply,
    },
    { description: meaning },
  )
const stop = 'Lets nothing more be sent to the recipient.'
const start = 'Lets a recipient who opted out be texted again.'
const help = 'Is answered, at most once in ten minutes, and does nothing else.'

const keywordInput = (meaning: string) =>
  Type.Optional(
    Type.Object(
      {
        words: Type.Optional(
          Type.Array(Word, { minItems: 1, maxItems: 20, description: 'Words of letters and digits, each used once.' }),
        ),
        reply: Type.Optional(Reply),
      },
      { description: meaning },
    ),
  )

const KeywordsInput = Type.Array(
  Type.Object({
    language: Language,
    stop: keywordInput(stop),
    start: keywordInput(start),
    help: keywordInput(help),
  }),
  {
    minItems: 1,
    maxItems: 30,
    description: `${keywordsText} Of a language in ${defaultKeywords.map(entry => entry.language).join(', ')} what is left out is filled in.`,
  },
)

export const serviceFields = resourceFields({
  serviceId: shown(Type.String({ description: 'Identifier, `msv_…`.' }), { column: 'id' }),
  name: wording('A name of your own.'),
  senders: settable(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 400,
      uniqueItems: true,
      description: 'Ids of the numbers it sends from; a number belongs to one service at most.',
    }),
    { isApart: true },
  ),
  stickySender: settable(Type.Boolean({ description: 'Whether a recipient always hears from the same sender.' })),
  smartEncoding: settable(
    Type.Boolean({
      description:
        'Whether look-alikes of characters outside the GSM alphabet (curly quotes, long dashes) are replaced, so that texts need fewer segments.',
    }),
  ),
  unknownOutcome: settable(
    OneOf(unknownOutcomes, {
      description:
        'What happens to a message whose carrier never answered: hold (it ends unconfirmed, and is never sent twice) or resend (it is sent again, and may arrive twice: for one-time codes).',
    }),
  ),
  validityPeriod: settable(
    Nullable(
      Type.Integer({
        minimum: 1,
        maximum: 36_000,
        description: 'Seconds within which its messages may be delivered, where they name none; null is four hours.',
      }),
    ),
    { column: 'validity_seconds' },
  ),
  callbackUrl: callbackUrl(
    'Address that gets the events of its messages that name none, and of what comes in to those of its senders without one.',
  ),
  duplicateWindow: settable(
    Type.Integer({
      minimum: 0,
      maximum: 86_400,
      description:
        'Seconds within which the same text is not sent to the same recipient again, by the times at which texts are to be sent; 0 does not look.',
    }),
    {
      column: 'duplicate_window_seconds',
      show: (seconds: number | null) => seconds ?? 0,
      read: (seconds: number) => seconds || null,
    },
  ),
  keywords: settable(KeywordsInput, {
    shown: Type.Array(
      Type.Object({ language: Language, stop: keyword(stop), start: keyword(start), help: keyword(help) }),
      { description: keywordsText },
    ),
    read: (keywords: LanguageInput[]) => readKeywords(keywords, defaultKeywords).keywords,
  }),
  createdAt: shown(Timestamp),
  updatedAt: shown(Timestamp),
})

export const Service = serviceFields.Shown
export const NewServiceBody = Type.Object({ ...serviceFields.settable, name: serviceFields.schemas.name })
export const ServicePatchBody = Type.Object(serviceFields.settable)

export const sampleService: Static<typeof Service> = {
  serviceId: 'msv_01k9r7d3w2v8e6q4n5m1b0c9xz',
  name: 'Appointments',
  senders: ['num_01k9r7d3w2v8e6q4n5m1b0c9xz'],
  stickySender: true,
  smartEncoding: false,
  unknownOutcome: 'hold',
  validityPeriod: null,
  callbackUrl: null,
  duplicateWindow: 60,
  keywords: defaultKeywords.slice(0, 1),
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}
