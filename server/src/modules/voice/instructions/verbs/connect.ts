// Verbs that join the call with others: dial, conference, transfer, and what is done to a leg that is joined.
import { type Static, Type } from 'typebox'
import {
  ActionUrl,
  audioAddress,
  callbackAddress,
  Digits,
  FinishOnKey,
  flag,
  Leg,
  nested,
  optional,
  phone,
  preset,
  Queue,
  RecordCall,
  RingSeconds,
  Skills,
  TimeLimitSeconds,
  text,
  texts,
  verbSchema,
  whole,
  word,
} from '../parts.ts'
import type { InstructionList } from '../schema.ts'
import type { PromptList } from './sound.ts'

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

export const ClientTarget = target(
  'client',
  'The phone of a user in the browser. It rings in every window the user has open.',
  [{ identity: 'ada@example.com' }],
  {
    identity: text('Identity', 'The user: e-mail address, or the identity its client token was made for.', {
      maxLength: 254,
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

const dialTargets = [NumberTarget, SipTarget, ClientTarget, QueueTarget] as const
export type DialTarget = Static<(typeof dialTargets)[number]>
const transferTargets = [NumberTarget, SipTarget, ClientTarget] as const
export type TransferTarget = Static<(typeof transferTargets)[number]>

function oneOfTargets<T>(title: string, description: string, schemas: readonly object[], example: object) {
  return Type.Unsafe<T>({
    anyOf: schemas,
    discriminator: { propertyName: 'type' },
    title,
    description,
    examples: [example],
  })
}

const Targets = Type.Unsafe<DialTarget[]>({
  type: 'array',
  minItems: 1,
  maxItems: 10,
  items: oneOfTargets<DialTarget>('Target', 'Whom to call.', dialTargets, { type: 'number', number: '+15550100002' }),
  title: 'Targets',
  description: 'Whom to call: numbers, SIP addresses, users in the browser, or a queue.',
  examples: [[{ type: 'number', number: '+15550100002' }]],
})

const CallerId = phone(
  'Caller id',
  'Number to show; without it, the number of ours that the call came in on or went out from.',
  '+15550100001',
)

const Confirm = nested<PromptList>(
  'prompt',
  {
    title: 'Confirm',
    description: 'What the one who answers hears before both are joined; the caller hears it ring on.',
  },
  [{ verb: 'say', text: 'A call for support. Press 1 to take it.' }],
)

export const Dial = verbSchema(
  'dial',
  {
    description:
      'Calls somebody and joins both. When the conversation is over, or nobody took the call, the list goes on: give ' +
      '`onEnd` and `onFail` to do different things then.',
    examples: [
      { targets: [{ type: 'number', number: '+15550100002' }] },
      {
        targets: [
          { type: 'client', identity: 'ada@example.com' },
          { type: 'sip', uri: 'sip:desk@pbx.example.com', headers: { 'X-Ticket': '42' } },
        ],
        strategy: 'sequential',
        timeoutSeconds: 20,
        confirm: [{ verb: 'say', text: 'A call for support. Press 1 to take it.' }],
        confirmKey: '1',
        onFail: [
          { verb: 'say', text: 'Please leave a message.' },
          { verb: 'record', maxSeconds: 120 },
        ],
      },
    ],
  },
  {
    targets: Targets,
    strategy: preset(
      word(
        'Strategy',
        '`simultaneous` rings all targets and the first to answer has the call; `sequential` one after another.',
        ['simultaneous', 'sequential'],
      ),
      'simultaneous',
    ),
    callerId: optional(CallerId),
    callerName: optional(
      text('Caller name', 'Name to show, where the carrier passes it on.', {
        maxLength: 64,
        pattern: '^[^\\p{Cc}]+$',
        errorMessage: 'must not contain control characters',
        examples: ['Example Company'],
      }),
    ),
    timeoutSeconds: preset(RingSeconds, 30),
    timeLimitSeconds: preset(TimeLimitSeconds, 14_400),
    answerOnBridge: preset(
      flag('Answer on bridge', 'Whether an inbound call is answered only when a target has taken it; else at once.'),
      false,
    ),
    ringbackUrl: optional(audioAddress('Ringback', 'What the caller hears while it rings, instead of the tone.')),
    confirm: optional(Confirm),
    confirmKey: optional(
      text(
        'Confirm key',
        'The key that takes the call after `confirm`, within 10 seconds; any other answer counts as none.',
        {
          maxLength: 1,
          pattern: '^[0-9A-D*#]$',
          errorMessage: 'must be one key: 0-9, A-D, * or #',
          examples: ['1'],
        },
      ),
    ),
    confirmUrl: optional(
      callbackAddress(
        'Confirm address',
        'Asked when a target answers, before both are joined; `hangup` declines.',
        'for the leg of the target',
      ),
    ),
    onAnswer: optional(
      nested<PromptList>(
        'prompt',
        {
          title: 'On answer',
          description: 'What the caller hears when a target has taken the call, before both are joined.',
        },
        [{ verb: 'say', text: 'This call is recorded.' }],
      ),
    ),
    onEnd: optional(
      nested<InstructionList>(
        'any',
        {
          title: 'On end',
          description: 'What to do when a conversation took place and the other side has left; then the list goes on.',
        },
        [{ verb: 'say', text: 'Thank you for calling.' }, { verb: 'hangup' }],
      ),
    ),
    onFail: optional(
      nested<InstructionList>(
        'any',
        { title: 'On failure', description: 'What to do when nobody took the call; then the list goes on.' },
        [{ verb: 'say', text: 'Please leave a message.' }, { verb: 'record' }],
      ),
    ),
    record: preset(RecordCall(), 'none'),
    finishOnKey: preset(
      FinishOnKey('The key with which the caller leaves the conversation, and the list goes on.'),
      '',
    ),
    actionUrl: ActionUrl('when the dialled call is over, with how it went,'),
  },
)

export const Conference = verbSchema(
  'conference',
  {
    description:
      'Takes the call into a conference; all who name it talk with each other. The list goes on when the call leaves.',
    examples: [
      { name: 'daily' },
      { name: 'briefing', startOnEnter: false, muted: true, wait: [{ verb: 'play', tone: 'hold', loop: 0 }] },
    ],
  },
  {
    name: text('Name', 'Name of the conference within the organization. It begins with its first participant.', {
      maxLength: 128,
      pattern: '^[^\\p{Cc}]+$',
      errorMessage: 'must not contain control characters',
      examples: ['daily'],
    }),
    startOnEnter: preset(
      flag('Start on enter', 'Whether it starts when this call enters; else it waits for one that does.', false),
      true,
    ),
    endOnExit: preset(flag('End on exit', 'Whether it ends for all when this call leaves.'), false),
    muted: preset(flag('Muted', 'Whether the others do not hear this call.'), false),
    coach: optional(
      text('Coach', 'Call id of the one participant who hears this call; it hears all.', {
        maxLength: 64,
        pattern: '^call_[a-z0-9]+$',
        errorMessage: 'must be the id of a call, call_…',
        examples: ['call_01kahm3zr4q8n5t2w7x9y0b1c3'],
      }),
    ),
    maxParticipants: preset(
      whole('Most participants', 'How many may take part; one more is turned away, and its list goes on.', {
        minimum: 2,
        maximum: 250,
        examples: [10],
      }),
      250,
    ),
    beep: preset(
      word('Beep', 'When the others hear a tone: somebody enters, leaves, both or none.', [
        'none',
        'enter',
        'exit',
        'both',
      ]),
      'both',
    ),
    wait: optional(
      nested<PromptList>(
        'prompt',
        {
          title: 'Wait',
          description:
            'What is heard until it has started and somebody else is there, again and again; without it, music.',
        },
        [{ verb: 'play', tone: 'hold', loop: 0 }],
      ),
    ),
    record: preset(RecordCall(['none', 'mono']), 'none'),
    timeLimitSeconds: preset(TimeLimitSeconds, 14_400),
    finishOnKey: preset(FinishOnKey('The key with which one leaves the conference, and the list goes on.'), ''),
    actionUrl: ActionUrl('when the call has left'),
  },
)

export const Transfer = verbSchema(
  'transfer',
  {
    description:
      'Hands the call over. `blind` asks the far side to call the target (SIP REFER) and ends the call here; ' +
      '`attended` calls the target first, and hands over when it has answered.',
    examples: [
      { to: { type: 'number', number: '+15550100002' } },
      {
        to: { type: 'sip', uri: 'sip:desk@pbx.example.com' },
        mode: 'attended',
        confirm: [{ verb: 'say', text: 'A call from reception.' }],
        onFail: [{ verb: 'say', text: 'Nobody is there at the moment.' }],
      },
    ],
  },
  {
    to: oneOfTargets<TransferTarget>(
      'To',
      'Whom to hand the call to: a number, a SIP address, or a user in the browser.',
      transferTargets,
      {
        type: 'number',
        number: '+15550100002',
      },
    ),
    mode: preset(
      word('Mode', 'Whether the target is asked first (`attended`) or not (`blind`).', ['blind', 'attended']),
      'blind',
    ),
    leg: preset(Leg, 'self'),
    callerId: optional(CallerId),
    timeoutSeconds: preset(RingSeconds, 30),
    confirm: optional(Confirm),
    onFail: optional(
      nested<InstructionList>(
        'any',
        {
          title: 'On failure',
          description: 'What to do when the target did not take the call; then the list goes on.',
        },
        [{ verb: 'say', text: 'Nobody is there at the moment.' }],
      ),
    ),
    actionUrl: ActionUrl('when the transfer has failed'),
  },
)

export const Hold = verbSchema(
  'hold',
  {
    description: 'Puts a leg on hold: it hears music, and neither side hears the other.',
    examples: [{}, { leg: 'peer' }],
  },
  {
    leg: preset(Leg, 'self'),
    musicUrl: optional(audioAddress('Music', 'What is heard meanwhile, again and again; without it, music of ours.')),
  },
)

export const Resume = verbSchema(
  'resume',
  { description: 'Takes a leg back from hold.', examples: [{}] },
  { leg: preset(Leg, 'self') },
)

export const Mute = verbSchema(
  'mute',
  { description: 'Makes a leg silent for the others; it hears them still.', examples: [{}] },
  { leg: preset(Leg, 'self') },
)

export const Unmute = verbSchema(
  'unmute',
  { description: 'Lets a leg be heard again.', examples: [{}] },
  { leg: preset(Leg, 'self') },
)
