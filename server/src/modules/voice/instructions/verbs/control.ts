// Verbs that steer: answer, reject, redirect, goto, hangup; and those that report: notify, tag, message.
import { Type } from 'typebox'
import {
  callbackAddress,
  Label,
  noControls,
  noControlsInWords,
  optional,
  phone,
  preset,
  text,
  texts,
  verbSchema,
  whole,
  word,
} from '../parts.ts'

export const Answer = verbSchema(
  'answer',
  { description: 'Answers an inbound call. Verbs that need an answered call do it by themselves.', examples: [{}] },
  {},
)

/** The SIP status each reason is reported by. */
export const rejectCodes = { declined: 603, busy: 486, unavailable: 480 } as const

export const Reject = verbSchema(
  'reject',
  {
    description: 'Refuses an inbound call that is not answered, at no cost for the caller, and ends the list.',
    examples: [{ reason: 'busy' }, { sipCode: 404 }],
  },
  {
    reason: preset(
      word('Reason', 'Why, as the caller is informed: declined (603), busy (486), unavailable (480).', [
        'declined',
        'busy',
        'unavailable',
      ]),
      'declined',
    ),
    sipCode: optional(
      whole('SIP status', 'A status of your own instead of the one of the reason.', {
        minimum: 400,
        maximum: 699,
        examples: [404],
      }),
    ),
  },
)

export const Redirect = verbSchema(
  'redirect',
  {
    description: 'Goes on with another list, fetched from an address.',
    examples: [{ url: 'https://example.com/calls/next' }],
  },
  {
    url: callbackAddress('Address', 'Asked how to go on.'),
    fallbackUrl: optional(callbackAddress('Fallback address', 'Asked when the first address fails.')),
  },
)

export const Goto = verbSchema(
  'goto',
  {
    description: 'Goes on at a label of this list, or of a list around it.',
    examples: [{ to: 'menu', times: 2 }],
  },
  {
    to: { ...Label, title: 'To', description: 'The label to go on at.' } as typeof Label,
    times: preset(
      whole('Times', 'How often it may jump; after that the list goes on behind it, so that no call runs in circles.', {
        minimum: 1,
        maximum: 1_000,
        examples: [2],
      }),
      100,
    ),
  },
)

export const Hangup = verbSchema(
  'hangup',
  { description: 'Ends the call, and with it the list.', examples: [{}, { reason: 'Outside of business hours' }] },
  {
    reason: optional(
      text('Reason', 'Why, in your words, for the history of the call.', {
        maxLength: 128,
        pattern: '^[^\\p{Cc}]+$',
        errorMessage: noControlsInWords,
        examples: ['Outside of business hours'],
      }),
    ),
  },
)

const Data = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  minProperties: 1,
  maxProperties: 50,
  'x-maxBytes': 4_096,
  title: 'Data',
  description: 'What to report: any JSON object of at most 4,096 bytes.',
  examples: [{ step: 'menu', choice: 2 }],
})

export const Notify = verbSchema(
  'notify',
  {
    description:
      'Sends an event with data of your own to the callback address of the call. Its answer does not matter.',
    examples: [{ data: { step: 'menu', choice: 2 } }],
  },
  { data: Data },
)

export const Tag = verbSchema(
  'tag',
  {
    description: 'Adds tags and metadata to the call; they stand in its record and in all later events.',
    examples: [{ tags: ['vip'], metadata: { ticket: '42' } }],
  },
  {
    tags: optional(
      Type.Unsafe<string[]>({
        type: 'array',
        minItems: 1,
        maxItems: 10,
        uniqueItems: true,
        items: { type: 'string', minLength: 1, maxLength: 64, pattern: noControls, errorMessage: noControlsInWords },
        title: 'Tags',
        description: 'Words to add to the tags of the call, which has at most 10.',
        examples: [['vip']],
      }),
    ),
    metadata: optional(
      texts(
        'Metadata',
        'Named texts to add to the metadata of the call, which has at most 20; same names are replaced.',
        {
          maxProperties: 20,
          maxLength: 500,
          names: {
            pattern: '^[^\\p{Cc}]{1,64}$',
            errorMessage: 'must have 1 to 64 characters, and no control characters',
          },
          example: { ticket: '42' },
        },
      ),
    ),
  },
)

export const Message = verbSchema(
  'message',
  {
    description:
      'Sends a text message, to the other side of the call unless stated otherwise. The list goes on at once.',
    examples: [{ body: 'Thank you for calling. Your ticket is 42.' }],
  },
  {
    body: text('Body', 'The text; at most 10 segments (1,530 characters of the GSM alphabet or 670 of others).', {
      maxLength: 1_600,
      examples: ['Thank you for calling. Your ticket is 42.'],
    }),
    to: optional(phone('To', 'Whom to write; without it, the remote party of the call.')),
    from: optional(phone('From', 'A number of yours; without it, the one that is in the call.', '+15550100001')),
  },
)
