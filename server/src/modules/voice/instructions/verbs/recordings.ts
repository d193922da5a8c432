// Verbs of recordings: a message that somebody leaves, or the whole call in the background.
import { ActionUrl, decimal, FinishOnKey, flag, optional, preset, verbSchema, whole, word } from '../parts.ts'

/** What `record` takes for a message only: a whole call has no key or silence that ends it. */
export const messageOnly = ['finishOnKey', 'silenceSeconds', 'trim', 'beep', 'actionUrl'] as const

export const Record = verbSchema(
  'record',
  {
    description:
      'Records a message that somebody leaves, or the whole call. `message` records what the caller says, until a key, silence or the longest time ends it, and then the ' +
      'list goes on. `call` records both sides from here in the background, and the list goes on at once; it ends with ' +
      '`recordStop` or with the call.',
    examples: [
      { maxSeconds: 120, actionUrl: 'https://example.com/calls/voicemail' },
      { mode: 'call', channels: 'dual' },
    ],
  },
  {
    mode: preset(word('Mode', 'A message that somebody leaves, or the whole call.', ['message', 'call']), 'message'),
    channels: preset(
      word('Channels', '`mono` mixes both sides; `dual` gives each a channel, for `call` only.', ['mono', 'dual']),
      'mono',
    ),
    maxSeconds: optional(
      whole(
        'Longest time',
        'How long it may get, in seconds. Left out: an hour for a message, the rest of the call for a call.',
        {
          minimum: 1,
          maximum: 86_400,
          examples: [120],
        },
      ),
    ),
    finishOnKey: preset(FinishOnKey('The key that ends a message.'), '#'),
    silenceSeconds: preset(
      decimal('Silence', 'How much silence ends a message, in seconds; 0 for none.', {
        minimum: 0,
        maximum: 60,
        examples: [3],
      }),
      5,
    ),
    trim: preset(flag('Trim', 'Whether silence at begin and end of a message is cut off.', false), true),
    beep: preset(flag('Beep', 'Whether a tone is heard before a message is recorded.', false), true),
    actionUrl: ActionUrl('when a message is recorded, with its id and length,'),
  },
)

export const RecordStop = verbSchema(
  'recordStop',
  {
    description:
      'Ends each recording in which the call is heard, also that of the other side of its conversation, or of its ' +
      'conference. It is stored, and reported by `recording.available`. Where nothing is recorded the event `call.recording_unchanged` says so.',
    examples: [{}],
  },
  {},
)

export const RecordPause = verbSchema(
  'recordPause',
  {
    description:
      'Pauses each recording in which the call is heard, for instance while a card number is read out: also that of the ' +
      'other side of its conversation, or of its conference. The pause lasts until `recordResume`, also with another partner. Where nothing is recorded the event ' +
      '`call.recording_unchanged` says so.',
    examples: [{ behavior: 'skip' }],
  },
  {
    behavior: preset(
      word('Behavior', 'Whether the pause is silence in the recording, or left out of it.', ['silence', 'skip']),
      'silence',
    ),
  },
)

export const RecordResume = verbSchema(
  'recordResume',
  { description: 'Goes on after a pause with each recording in which the call is heard.', examples: [{}] },
  {},
)
