// Whom the verbs dial and transfer call: numbers, SIP addresses, users in the browser, queues.
import { type Static, Type } from 'typebox'
import { Digits, optional, phone, Queue, Skills, text, texts, whole } from '../parts.ts'

const OwnRingSeconds = whole(
  'Timeout',
  'How long to let this target ring, in seconds, when not as long as the others.',
  {
    minimum: 5,
    maximum: 600,
    examples: [15],
  },
)

function target<const T extends string, P extends Parameters<typeof Type.Object>[0]>(
  type: T,
  description: string,
  examples: readonly object[],
  properties: P,
) {
  return Type.Object(
    {
      type: Type.Literal(type, { title: 'Type', description: `Always \`${type}\`.`, examples: [type] }),
      ...properties,
    },
    {
      title: type,
      description,
      examples: examples.map(example => ({ type, ...example })),
      additionalProperties: false,
    },
  )
}

export const NumberTarget = target(
  'number',
  'A telephone number, by one of your trunks.',
  [{ number: '+15550100002' }],
  {
    number: phone('Number', 'Telephone number, best in international format with +.'),
    sendDigits: optional(Digits('Typed after the answer, before both are joined, such as an extension:')),
    timeoutSeconds: optional(OwnRingSeconds),
  },
)

export const SipTarget = target(
  'sip',
  'A SIP address.',
  [{ uri: 'sip:desk@pbx.example.com', user: 'tandem', password: 'correct horse', headers: { 'X-Ticket': '42' } }],
  {
    uri: text('Address', 'SIP address to call, such as `sip:desk@pbx.example.com;transport=tls`.', {
      maxLength: 255,
      pattern: '^[sS][iI][pP][sS]?:[^\\s<>"\\p{Cc}]+$',
      errorMessage: 'must be a SIP address, such as sip:desk@pbx.example.com',
      examples: ['sip:desk@pbx.example.com'],
    }),
    user: optional(
      text('User', 'Name to answer a digest challenge with.', {
        maxLength: 128,
        pattern: '^[^"\\p{Cc}]+$',
        errorMessage: 'must not contain quotes or control characters',
        examples: ['tandem'],
      }),
    ),
    password: optional(
      text('Password', 'Password to answer a digest challenge with. It is never shown again.', {
        maxLength: 128,
        pattern: '^[^\\p{Cc}]+$',
        errorMessage: 'must not contain control characters',
        writeOnly: true,
        examples: ['correct horse'],
      }),
    ),
    headers: optional(
      texts('Headers', 'Headers to add to the INVITE: names that begin with `X-`, or `User-to-User`.', {
        maxProperties: 20,
        maxLength: 256,
        names: {
          pattern: '^([xX]-[A-Za-z0-9-]{1,60}|[uU]ser-[tT]o-[uU]ser)$',
          errorMessage: 'must be X-… or User-to-User',
        },
        example: { 'X-Ticket': '42' },
      }),
    ),
    timeoutSeconds: optional(OwnRingSeconds),
  },
)

export const maxIdentityLength = 254

export const ClientTarget = target(
  'client',
  'The phone of a user in the browser. It rings in every window the user has open.',
  [{ identity: 'ada@example.com' }],
  {
    identity: text('Identity', 'The user: e-mail address, or the identity its client token was made for.', {
      maxLength: maxIdentityLength,
      pattern: '^[^\\s<>"\\p{Cc}]+$',
      errorMessage: 'must not contain blanks, quotes or brackets',
      examples: ['ada@example.com'],
    }),
    timeoutSeconds: optional(OwnRingSeconds),
  },
)

export const QueueTarget = target(
  'queue',
  'The caller who waits longest in a queue. It must be the only target.',
  [{ queue: 'support' }],
  {
    queue: Queue,
    skills: optional(
      Skills(
        'What the one who takes the call can do. Callers who need something else are passed over, and go on waiting.',
      ),
    ),
  },
)

export const dialTargets = [NumberTarget, SipTarget, ClientTarget, QueueTarget] as const
export type DialTarget = Static<(typeof dialTargets)[number]>
export const transferTargets = [NumberTarget, SipTarget, ClientTarget] as const
export type TransferTarget = Static<(typeof transferTargets)[number]>

export function oneOfTargets<T>(title: string, description: string, schemas: readonly object[], example: object) {
  return Type.Unsafe<T>({
    anyOf: schemas,
    discriminator: { propertyName: 'type' },
    title,
    description,
    examples: [example],
  })
}

export const Targets = Type.Unsafe<DialTarget[]>({
  type: 'array',
  minItems: 1,
  maxItems: 10,
  items: oneOfTargets<DialTarget>('Target', 'Whom to call.', dialTargets, { type: 'number', number: '+15550100002' }),
  title: 'Targets',
  description: 'Whom to call: numbers, SIP addresses, users in the browser, or a queue.',
  examples: [[{ type: 'number', number: '+15550100002' }]],
})
