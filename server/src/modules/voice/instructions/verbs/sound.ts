// Verbs that are heard or that listen: say, play, pause, gather, sendDigits, detectMachine.
import { Type } from 'typebox'
import {
  ActionUrl,
  audioAddress,
  Digits,
  decimal,
  FinishOnKey,
  flag,
  Leg,
  nested,
  optional,
  preset,
  text,
  texts,
  verbSchema,
  whole,
  word,
} from '../parts.ts'

const Loop = whole('Loop', 'How often it is heard; 0 means again and again, until something else ends it.', {
  minimum: 0,
  maximum: 1_000,
  examples: [2],
})

const BargeIn = flag(
  'Barge-in',
  'Whether a key pressed ends it. The list goes on, and the digit counts for the next `gather`.',
)

export const Say = verbSchema(
  'say',
  {
    description: 'Speaks a text.',
    examples: [
      { text: 'Welcome to Example Company.' },
      { text: '<speak>Your code is <say-as interpret-as="digits">4711</say-as>.</speak>', language: 'en-GB', loop: 2 },
    ],
  },
  {
    text: text('Text', 'What to say: plain text, or SSML when it begins with `<speak`.', {
      maxLength: 4_096,
      examples: ['Welcome to Example Company.'],
    }),
    language: preset(
      text('Language', 'Language of the text as a BCP 47 tag.', {
        maxLength: 35,
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        errorMessage: 'must be a language tag, such as en-US or de',
        examples: ['de-DE', 'en-GB'],
      }),
      'en-US',
    ),
    voice: optional(
      text('Voice', "A voice of the speech engine by its name; without it, the engine's voice for the language.", {
        maxLength: 64,
        pattern: '^[A-Za-z0-9_.+-]+$',
        errorMessage: 'must consist of letters, digits, _, ., + and -',
        examples: ['en-us+f3'],
      }),
    ),
    loop: preset(Loop, 1),
    bargeIn: preset(BargeIn, false),
  },
)

export const tones = ['ringback', 'busy', 'congestion', 'dial', 'beep', 'hold'] as const

export const Play = verbSchema(
  'play',
  {
    description: 'Plays a file of sound, or a tone. Give one of `url` and `tone`.',
    examples: [{ url: 'https://example.com/sounds/welcome.wav' }, { tone: 'ringback', loop: 3 }],
  },
  {
    url: optional(audioAddress('Address', 'The file to play.')),
    tone: optional(
      word('Tone', 'A tone of ours instead of a file: one period of it, or with `hold` a piece of music.', tones),
    ),
    loop: preset(Loop, 1),
    seekSeconds: preset(
      decimal('Seek', 'Where in the file to begin, in seconds.', { minimum: 0, maximum: 86_400, examples: [12.5] }),
      0,
    ),
    bargeIn: preset(BargeIn, false),
  },
)

export const Pause = verbSchema(
  'pause',
  {
    description: 'Waits in silence. At the start of an inbound call it lets the phone ring meanwhile.',
    examples: [{ seconds: 2 }],
  },
  {
    seconds: preset(decimal('Seconds', 'How long to wait.', { minimum: 0.1, maximum: 3_600, examples: [2, 0.5] }), 1),
  },
)

// One kind so far; a list, because more may be listened for at once.
const Input = Type.Unsafe<'dtmf'[]>({
  type: 'array',
  minItems: 1,
  maxItems: 1,
  items: { type: 'string', enum: ['dtmf'] },
  title: 'Input',
  description: 'What to listen for: `dtmf`, digits of the keypad.',
  examples: [['dtmf']],
})

export const Gather = verbSchema(
  'gather',
  {
    description:
      'Collects digits typed on the keypad. It ends at `numDigits` digits, at `finishOnKey`, or when nothing is ' +
      'typed for a while. The digits go to `actionUrl`, choose one of `branches`, and are reported by the event ' +
      '`gather.completed`; without a decision the list goes on.',
    examples: [
      {
        label: 'menu',
        numDigits: 1,
        prompt: [{ verb: 'say', text: 'Press 1 to hear this again, or stay on the line.' }],
        branches: { '1': 'menu' },
      },
      { finishOnKey: '#', timeoutSeconds: 10, sensitive: true, actionUrl: 'https://example.com/calls/pin' },
    ],
  },
  {
    input: preset(Input, ['dtmf']),
    numDigits: optional(
      whole('Number of digits', 'How many digits end it at once; without it, as many as are typed.', {
        minimum: 1,
        maximum: 128,
        examples: [1, 4],
      }),
    ),
    finishOnKey: preset(FinishOnKey('The key that ends it; it is not one of the digits.'), '#'),
    timeoutSeconds: preset(
      decimal('Timeout', 'How long to wait for the first digit after the prompt, in seconds.', {
        minimum: 0.5,
        maximum: 300,
        examples: [10],
      }),
      5,
    ),
    betweenDigitsSeconds: preset(
      decimal('Between digits', 'How long to wait for the next digit, in seconds.', {
        minimum: 0.5,
        maximum: 60,
        examples: [3],
      }),
      5,
    ),
    prompt: optional(
      nested(
        'prompt',
        {
          title: 'Prompt',
          description: 'What is heard first: `say`, `play` and `pause`. Digits count from its start.',
        },
        [{ verb: 'say', text: 'Please type your customer number.' }],
      ),
    ),
    bargeIn: preset(flag('Barge-in', 'Whether the first digit ends the prompt.', false), true),
    sensitive: preset(
      flag('Sensitive', 'Whether the digits are a secret: histories, traces and events then show how many, not which.'),
      false,
    ),
    branches: optional(
      texts('Branches', 'Where to go on: a label of the list for what was typed. For a menu without a server.', {
        maxProperties: 50,
        maxLength: 64,
        names: {
          pattern: '^[0-9A-D*#]{1,32}$',
          errorMessage: 'must be what is typed: 0-9, A-D, *, #',
        },
        example: { '1': 'sales', '2': 'support' },
      }),
    ),
    actionUrl: ActionUrl('with the digits'),
    actionOnEmpty: preset(
      flag('Action on empty', 'Whether `actionUrl` is asked too when nothing was typed; else the list goes on.'),
      false,
    ),
  },
)

export const SendDigits = verbSchema(
  'sendDigits',
  {
    description: 'Types digits for the remote party, such as an extension or the menu of another company.',
    examples: [{ digits: 'ww1234#' }],
  },
  {
    digits: Digits('What to type:'),
    method: preset(
      word('Method', 'How they travel: as RTP events, as SIP INFO, or as tones in the sound.', [
        'rfc4733',
        'info',
        'inband',
      ]),
      'rfc4733',
    ),
    toneMs: preset(
      whole('Tone', 'Length of each digit, in milliseconds.', { minimum: 40, maximum: 2_000, examples: [160] }),
      100,
    ),
    gapMs: preset(
      whole('Gap', 'Silence between digits, in milliseconds.', { minimum: 40, maximum: 2_000, examples: [80] }),
      100,
    ),
    leg: preset(Leg, 'self'),
    sensitive: preset(
      flag('Sensitive', 'Whether the digits are a secret: histories and traces do not show them.'),
      false,
    ),
  },
)

export const DetectMachine = verbSchema(
  'detectMachine',
  {
    description:
      'Listens whether a human or a machine has answered, and reports it by the event `call.machine_detected`. A human ' +
      'speaks shortly and waits; a machine speaks on.',
    examples: [
      {
        mode: 'greetingEnd',
        onMachine: [{ verb: 'say', text: 'Please call us back.' }, { verb: 'hangup' }],
      },
    ],
  },
  {
    mode: preset(
      word(
        'Mode',
        '`result` ends when it is known who answered, `greetingEnd` when a machine has finished its greeting.',
        ['result', 'greetingEnd'],
      ),
      'result',
    ),
    timeoutSeconds: preset(
      whole('Timeout', 'After how many seconds the answer is `unknown`.', { minimum: 3, maximum: 60, examples: [20] }),
      30,
    ),
    speechThresholdMs: preset(
      whole('Speech threshold', 'A first utterance longer than this is a machine, in milliseconds.', {
        minimum: 1_000,
        maximum: 6_000,
        examples: [2_000],
      }),
      2_400,
    ),
    speechEndThresholdMs: preset(
      whole('Speech end threshold', 'How much silence ends an utterance, in milliseconds.', {
        minimum: 500,
        maximum: 5_000,
        examples: [1_500],
      }),
      1_200,
    ),
    silenceTimeoutMs: preset(
      whole('Silence timeout', 'After how much silence from the begin the answer is `unknown`, in milliseconds.', {
        minimum: 2_000,
        maximum: 10_000,
        examples: [4_000],
      }),
      5_000,
    ),
    onMachine: optional(
      nested(
        'any',
        { title: 'On machine', description: 'What to do when a machine answered; then the list goes on.' },
        [{ verb: 'say', text: 'Please call us back.' }, { verb: 'hangup' }],
      ),
    ),
    actionUrl: ActionUrl('with who answered (human, machine, unknown)'),
  },
)
