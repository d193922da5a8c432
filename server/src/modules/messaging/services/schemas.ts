// What a messaging service looks like from outside, in and out.
import { Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/schema.ts'
import { defaultKeywords } from './keyword_table.ts'
import { unknownOutcomes } from './rules.ts'

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', errorMessage: 'must not be empty' })
const Language = Type.String({
  pattern: '^[a-z]{2}$',
  errorMessage: 'must be an ISO 639-1 code in lower case, such as en',
  description: 'ISO 639-1 code, such as en.',
})
const Word = Type.String({ minLength: 1, maxLength: 20 })
const Reply = Nullable(
  Type.String({ minLength: 1, maxLength: 480, description: 'What is answered; null answers nothing.' }),
)

const text = {
  name: 'A name of your own.',
  senders: 'Ids of the numbers it sends from; a number belongs to one service at most.',
  stickySender: 'Whether a recipient always hears from the same sender.',
  smartEncoding:
    'Whether look-alikes of characters outside the GSM alphabet (curly quotes, long dashes) are replaced, so that texts need fewer segments.',
  unknownOutcome:
    'What happens to a message whose carrier never answered: hold (it ends unconfirmed, and is never sent twice) or resend (it is sent again, and may arrive twice: for one-time codes).',
  validityPeriod: 'Seconds within which its messages may be delivered, where they name none; null is four hours.',
  callbackUrl:
    'Address that gets the events of its messages that name none, and of what comes in to those of its senders without one.',
  duplicateWindow: 'Seconds within which the same text is not sent to the same recipient again; 0 does not look.',
  keywords:
    'The single words that recipients may answer with, by language. The word tells the language of the answer; STOP, START and HELP are understood in any case.',
}

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

export const Service = Type.Object({
  serviceId: Type.String({ description: 'Identifier, `msv_…`.' }),
  name: Type.String({ description: text.name }),
  senders: Type.Array(Type.String(), { description: text.senders }),
  stickySender: Type.Boolean({ description: text.stickySender }),
  smartEncoding: Type.Boolean({ description: text.smartEncoding }),
  unknownOutcome: OneOf(unknownOutcomes, { description: text.unknownOutcome }),
  validityPeriod: Nullable(Type.Integer({ description: text.validityPeriod })),
  callbackUrl: Nullable(Type.String({ description: text.callbackUrl })),
  duplicateWindow: Type.Integer({ description: text.duplicateWindow }),
  keywords: Type.Array(
    Type.Object({ language: Language, stop: keyword(stop), start: keyword(start), help: keyword(help) }),
    { description: text.keywords },
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

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

const settings = {
  senders: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), { maxItems: 400, uniqueItems: true, description: text.senders }),
  ),
  stickySender: Type.Optional(Type.Boolean({ description: text.stickySender })),
  smartEncoding: Type.Optional(Type.Boolean({ description: text.smartEncoding })),
  unknownOutcome: Type.Optional(OneOf(unknownOutcomes, { description: text.unknownOutcome })),
  validityPeriod: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 36_000, description: text.validityPeriod })),
  ),
  callbackUrl: Type.Optional(Nullable(Type.String({ format: 'url', maxLength: 2_048, description: text.callbackUrl }))),
  duplicateWindow: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400, description: text.duplicateWindow })),
  keywords: Type.Optional(
    Type.Array(
      Type.Object({
        language: Language,
        stop: keywordInput(stop),
        start: keywordInput(start),
        help: keywordInput(help),
      }),
      {
        minItems: 1,
        maxItems: 30,
        description: `${text.keywords} Of a language in ${defaultKeywords.map(entry => entry.language).join(', ')} what is left out is filled in.`,
      },
    ),
  ),
}

export const NewServiceBody = Type.Object({
  name: Type.Unsafe<string>({ ...Name, description: text.name }),
  ...settings,
})
export const ServicePatchBody = Type.Object(
  { name: Type.Optional(Type.Unsafe<string>({ ...Name, description: text.name })), ...settings },
  { minProperties: 1 },
)
export const ServiceParams = Type.Object({
  serviceId: Type.String({ minLength: 1, maxLength: 100, description: 'Identifier of the messaging service.' }),
})

export const sampleService = {
  serviceId: 'msv_01k9r7d3w2v8e6q4n5m1b0c9xz',
  name: 'Appointments',
  senders: ['num_01k9r7d3w2v8e6q4n5m1b0c9xz'],
  stickySender: true,
  smartEncoding: false,
  unknownOutcome: 'hold',
  validityPeriod: null,
  callbackUrl: null,
  duplicateWindow: 60,
  keywords: [defaultKeywords[0]],
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}
