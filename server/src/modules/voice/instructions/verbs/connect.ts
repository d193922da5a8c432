// Verbs that join the call with others: dial, conference, transfer, and what is done to a leg that is joined.
import {
  ActionUrl,
  audioAddress,
  callbackAddress,
  FinishOnKey,
  flag,
  Leg,
  nested,
  optional,
  phone,
  preset,
  RecordCall,
  RingSeconds,
  TimeLimitSeconds,
  text,
  verbSchema,
  whole,
  word,
} from '../parts.ts'
import { oneOfTargets, Targets, type TransferTarget, transferTargets } from './targets.ts'

const CallerId = phone(
  'Caller id',
  'Number to show; without it, the number of ours that the call came in on or went out from.',
  '+15550100001',
)

const Confirm = nested(
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
      nested(
        'prompt',
        {
          title: 'On answer',
          description: 'What the caller hears when a target has taken the call, before both are joined.',
        },
        [{ verb: 'say', text: 'This call is recorded.' }],
      ),
    ),
    onEnd: optional(
      nested(
        'any',
        {
          title: 'On end',
          description: 'What to do when a conversation took place and the other side has left; then the list goes on.',
        },
        [{ verb: 'say', text: 'Thank you for calling.' }, { verb: 'hangup' }],
      ),
    ),
    onFail: optional(
      nested(
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
      nested(
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
      'Hands the call over. `blind` asks the remote party to call the target (SIP REFER) and ends the call here; ' +
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
      nested(
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
