// Categories that are planned and have no endpoint yet: what comes in which order, and what does the work meanwhile. They are never
// in the OpenAPI document, which holds what there is; the Explorer shows them beside it, as planned. A category leaves this list with
// its first endpoint, which a test makes sure of.

export type Planned = {
  /** The name of the category. */
  name: string
  /** What it will hold, in a sentence. */
  description: string
  /** What comes first, and then. */
  steps: readonly string[]
  /** What is there today that comes closest, with the ids of its endpoints. */
  meanwhile: readonly { text: string; endpoints: readonly string[] }[]
  /** Words that people look for it by, in small letters, beside its name. */
  words: readonly string[]
}

export const planned: readonly Planned[] = [
  {
    name: 'Video',
    description: 'Rooms for video meetings: made, joined from a browser, watched over and recorded.',
    steps: [
      'Rooms: make one, list them, end one, and see who is in it.',
      'Tokens that let a person join a room from a browser.',
      'People in a room: mute or remove them, with events as they come and go.',
      'Recordings of rooms, kept where recordings of calls are.',
    ],
    meanwhile: [
      {
        text: 'Talk by voice with several people in a conference.',
        endpoints: ['calls.create', 'conferences.list', 'conferences.update_participant'],
      },
      { text: 'Call from a browser, with a token for its phone.', endpoints: ['client_tokens.create'] },
    ],
    words: [
      'video',
      'videos',
      'meeting',
      'meetings',
      'room',
      'rooms',
      'camera',
      'webcam',
      'screen share',
      'screen sharing',
    ],
  },
  {
    name: 'Contact Center',
    description: 'Queues of people who wait, agents who answer, and the tasks between them.',
    steps: [
      'Queues and agents: who is there, with which skills, and in which state.',
      'Tasks of calls: routed to an agent, reserved, answered, wrapped up.',
      'Call-backs for those who do not want to wait, and an estimate for those who do.',
      'Tasks of messages and chats, and the figures of a shift.',
    ],
    meanwhile: [
      {
        text: 'Let callers wait in a queue with music, and connect them.',
        endpoints: ['calls.command', 'numbers.voice.set'],
      },
      {
        text: 'Ring colleagues in their browsers, and take what they miss as voicemail.',
        endpoints: ['client_tokens.create', 'recordings.list'],
      },
      { text: 'Keep tasks on leads, contacts and companies.', endpoints: ['tasks.create', 'tasks.list'] },
    ],
    words: ['contact center', 'contact centre', 'call center', 'call centre', 'skills', 'shift', 'wallboard'],
  },
  {
    name: 'AI',
    description: 'What was said, written down and summed up, and answers that are proposed.',
    steps: [
      'Transcripts of recordings and voicemails.',
      'Summaries of calls and conversations, put on the timeline.',
      'Kinds of messages: what a text is about, and how its writer feels.',
      'Agents that talk and write under your rules.',
    ],
    meanwhile: [
      {
        text: 'Fetch recordings and hand them to a service of your own.',
        endpoints: ['recordings.list', 'recordings.media'],
      },
      {
        text: 'Speak texts in calls, and hear whether a machine answered.',
        endpoints: ['calls.create', 'calls.command'],
      },
      { text: 'Let an assistant work with your records over OAuth.', endpoints: ['apps.create'] },
    ],
    words: [
      'ai',
      'artificial intelligence',
      'transcript',
      'transcripts',
      'transcription',
      'transcribe',
      'summary',
      'summarize',
      'sentiment',
      'llm',
      'gpt',
      'chatbot',
      'bot',
    ],
  },
  {
    name: 'Billing',
    description: 'What your organization used of messages and calls, and what that costs.',
    steps: [
      'Usage with its cost, by day and by kind.',
      'Rates of carriers and trunks, and an estimate before something is sent.',
      'Limits that stop spending, with a warning ahead.',
      'A balance, and a statement for each month.',
    ],
    meanwhile: [
      { text: 'Count messages, calls and their minutes.', endpoints: ['analytics.messaging', 'analytics.voice'] },
      { text: 'Set ceilings for what calls and texts may cost.', endpoints: ['destination_policies.update'] },
      { text: 'Bill your own customers.', endpoints: ['invoices.create', 'payments.create'] },
    ],
    words: [
      'billing',
      'cost',
      'costs',
      'price',
      'prices',
      'pricing',
      'balance',
      'credit',
      'credits',
      'spend',
      'spending',
    ],
  },
]

/** The planned category of a name, whatever its case. */
export function plannedCategory(name: string): Planned | undefined {
  return planned.find(one => one.name.toLowerCase() === name.trim().toLowerCase())
}

/**
 * Planned categories that the words typed are about. The beginning of a name is enough, once it can be no other word: `vid`, `contact c`.
 */
export function searchPlanned(typed: string): Planned[] {
  const text = typed.trim().toLowerCase().replaceAll(/\s+/g, ' ')
  if (text === '') return []
  return planned.filter(({ name, words }) => {
    const whole = name.toLowerCase()
    const [first = ''] = whole.split(' ')
    const isBegun = text.length >= 3 && whole.startsWith(text) && (first === whole || text.length > first.length)
    return isBegun || [whole, ...words].some(word => ` ${text} `.includes(` ${word} `))
  })
}
