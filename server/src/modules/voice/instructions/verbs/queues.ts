// Verbs of call queues: enqueue, dequeue, leave.
import {
  ActionUrl,
  callbackAddress,
  flag,
  nested,
  optional,
  preset,
  Queue,
  RecordCall,
  Skills,
  TimeLimitSeconds,
  text,
  verbSchema,
  whole,
} from '../parts.ts'

export const Leave = verbSchema(
  'leave',
  {
    description: 'Leaves the queue or the conference the call is in; the list that brought it there goes on.',
    examples: [{}],
  },
  {},
)

export const Enqueue = verbSchema(
  'enqueue',
  {
    description:
      'Puts the call into a queue, where it waits until somebody takes it out (`dequeue`, or `dial` to the queue). ' +
      'The list goes on when that conversation is over, or when the call leaves the queue.',
    examples: [
      { queue: 'support' },
      {
        queue: 'support',
        priority: 10,
        maxWaitSeconds: 600,
        wait: [
          { verb: 'say', text: 'All our people are on the phone. Please wait.' },
          { verb: 'play', tone: 'hold', loop: 6 },
        ],
        onFail: [
          { verb: 'say', text: 'Please leave a message.' },
          { verb: 'record', maxSeconds: 120 },
        ],
      },
    ],
  },
  {
    queue: Queue,
    priority: preset(
      whole('Priority', 'Calls of a higher priority are taken first; among equals, the one that waits longest.', {
        minimum: 0,
        maximum: 100,
        examples: [10],
      }),
      0,
    ),
    skills: optional(
      Skills(
        'What the one who takes the call must be able to do: all of these must be among the `skills` of the `dequeue`.',
      ),
    ),
    wait: optional(
      nested(
        'wait',
        {
          title: 'Wait',
          description:
            'What is heard while waiting, again and again: `say`, `play`, `pause`, `gather`, `leave`; without it, music. ' +
            'A branch of `gather` to a label outside leaves the queue.',
        },
        [{ verb: 'play', tone: 'hold' }],
      ),
    ),
    waitUrl: optional(
      callbackAddress(
        'Wait address',
        'Asked, instead of `wait`, what is heard next while waiting, with the place in the queue.',
        'of the verbs that `wait` takes',
      ),
    ),
    maxWaitSeconds: preset(
      whole('Longest wait', 'After how many seconds the call leaves the queue.', {
        minimum: 5,
        maximum: 86_400,
        examples: [600],
      }),
      3_600,
    ),
    onFail: optional(
      nested(
        'any',
        {
          title: 'On failure',
          description: 'What to do when nobody took the call out of the queue; then the list goes on.',
        },
        [{ verb: 'say', text: 'Please call again later.' }, { verb: 'hangup' }],
      ),
    ),
    actionUrl: ActionUrl('when the call has left the queue, with why,'),
  },
)

export const Dequeue = verbSchema(
  'dequeue',
  {
    description: 'Takes the next caller out of a queue and joins both. The list goes on when the conversation is over.',
    examples: [{ queue: 'support', timeoutSeconds: 60, beep: true }],
  },
  {
    queue: Queue,
    skills: optional(
      Skills(
        'What the one who takes calls can do. Callers who need something else are passed over, and go on waiting.',
      ),
    ),
    callId: optional(
      text('Call', 'A certain caller of the queue, instead of the next one, whatever skills are needed.', {
        maxLength: 64,
        pattern: '^call_[a-z0-9]+$',
        errorMessage: 'must be the id of a call, call_…',
        examples: ['call_01kahm3zr4q8n5t2w7x9y0b1c3'],
      }),
    ),
    timeoutSeconds: preset(
      whole('Timeout', 'How long to wait for a caller when the queue is empty, in seconds.', {
        minimum: 0,
        maximum: 3_600,
        examples: [60],
      }),
      30,
    ),
    timeLimitSeconds: preset(TimeLimitSeconds, 14_400),
    beep: preset(flag('Beep', 'Whether the caller hears a tone before both are joined.'), false),
    record: preset(RecordCall(), 'none'),
    actionUrl: ActionUrl('when the conversation is over, or nobody came,'),
  },
)
