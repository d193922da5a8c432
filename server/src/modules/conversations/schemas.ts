// What conversations and their items look like from outside.
import { type Static, Type } from 'typebox'
import { IntegerId, Nullable, OneOf, RecordId, Timestamp } from '../../kernel/endpoint/schema.ts'
import { senderChecks } from '../mail/inbound/index.ts'
import { recordingStates } from '../voice/recordings/index.ts'
import { channels, conversationStates, eventKinds, itemKinds, partyKinds } from './rules.ts'

export const prefix = 'cnv'
export const ConversationParams = Type.Object({
  conversationId: RecordId(prefix, 'Identifier of the conversation.'),
})

export const Person = Type.Object({
  userId: IntegerId,
  name: Type.String({ description: 'Name of the person.' }),
})

const TeamName = Type.Object({ teamId: Type.String(), name: Type.String() })

export const Presence = Type.Object({
  userId: IntegerId,
  name: Type.String({ description: 'Name of the person.' }),
  state: OneOf(['viewing', 'composing'], { description: 'Whether they look at the conversation, or write an answer.' }),
  since: Type.Unsafe<string>({ ...Timestamp, description: 'When they began.' }),
  expiresAt: Type.Unsafe<string>({
    ...Timestamp,
    description: 'They are gone from then on, unless they say it again.',
  }),
})

const directions = ['inbound', 'outbound'] as const

export const Activity = Type.Object({
  itemId: Type.String({ description: 'Identifier of the item.' }),
  kind: OneOf(itemKinds, { description: 'What it is.' }),
  direction: Nullable(OneOf(directions, { description: 'Inbound came from the person; null of notes.' })),
  sender: Nullable(
    OneOf(senderChecks, {
      description:
        'Of a mail that came in: whether it is from whom it says, by DMARC. unverified: anybody may have written it.',
    }),
  ),
  at: Timestamp,
  preview: Type.String({
    description:
      'How its words begin, or what happened: `Missed call`; empty where the caller may not read such items.',
  }),
})

export const Conversation = Type.Object({
  conversationId: Type.String({ description: 'Identifier, `cnv_…`.' }),
  party: Type.Object(
    {
      kind: OneOf(partyKinds, { description: 'Unknown: an address that belongs to nobody.' }),
      recordId: Nullable(Type.String({ description: 'The lead (`lead:17`) or contact (`con_…`).' })),
      name: Type.String({ description: 'Name of the person; of an unknown one the address.' }),
      ownerId: Nullable(Type.Integer({ description: 'Who owns the record.' })),
    },
    { description: 'Who it is with.' },
  ),
  addresses: Type.Array(
    Type.Object({
      channel: OneOf(channels),
      address: Type.String({ description: 'Telephone number in E.164, or e-mail address.' }),
    }),
    { description: 'Where they write and call from.' },
  ),
  state: OneOf(conversationStates, {
    description: 'Snoozed ones are open again at snoozedUntil. What comes in opens snoozed and closed ones.',
  }),
  snoozedUntil: Nullable(Timestamp),
  assignee: Nullable(Person),
  team: Nullable(TeamName),
  waitingSince: Nullable(
    Type.Unsafe<string>({
      ...Timestamp,
      description:
        'When the oldest text, missed call, voicemail or mail came in that nobody answered; null when nothing waits.',
    }),
  ),
  lastActivity: Activity,
  unread: Type.Boolean({ description: 'Whether there is something that the caller has not read.' }),
  mentioned: Type.Boolean({ description: 'Whether a note mentions the caller.' }),
  participants: Type.Array(Person, { description: 'Who is mentioned in notes.' }),
  presence: Type.Array(Presence, { description: 'Who else looks at it or writes an answer, at this moment.' }),
  version: Type.Integer({ description: 'Counts up with each change by people.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

/** A single one has more: what an answer needs. */
export const OneConversation = Type.Object({
  ...Conversation.properties,
  reply: Type.Object(
    {
      text: Nullable(
        Type.Object({
          from: Nullable(
            Type.String({
              description:
                'The number or sender id of the organization that the last text was exchanged with; null when none is known: name one in `from`.',
            }),
          ),
          to: Type.String({ description: 'The number that is texted.' }),
        }),
      ),
      mail: Nullable(
        Type.Object({
          to: Type.String({ description: 'The address that is written to.' }),
          subject: Nullable(
            Type.String({ description: 'Of the mail that is answered; null when there is none: name a subject.' }),
          ),
          answersInboundId: Nullable(Type.String({ description: 'The mail that is answered, `inm_…`.' })),
        }),
      ),
    },
    { description: 'How the caller can answer them; null where they cannot.' },
  ),
  leftOut: Type.Array(
    Type.Object({
      kind: OneOf(['text', 'call', 'recording', 'mail', 'note']),
      permission: Type.String({ description: 'What one needs to see these.' }),
    }),
    { description: 'Kinds of items that the caller may not read.' },
  ),
})

export const Item = Type.Object({
  itemId: Type.String({ description: 'Identifier: of the text, the call, the mail, the note or the event.' }),
  kind: OneOf(itemKinds, {
    description:
      'Voicemail: an inbound call that nobody took and that was recorded. Event: what was done with the conversation.',
  }),
  at: Timestamp,
  direction: Nullable(OneOf(directions, { description: 'Inbound came from the person; null of notes and events.' })),
  author: Nullable(
    Type.Object(Person.properties, {
      description: 'Who wrote or did it, where that is known; null for what came in, and for what programs sent.',
    }),
  ),
  from: Nullable(Type.String({ description: 'Sender or caller.' })),
  to: Nullable(Type.String({ description: 'Recipient or callee.' })),
  subject: Nullable(Type.String({ description: 'Of a mail.' })),
  body: Nullable(Type.String({ description: 'The words: of a text (null when taken away), a mail, a note.' })),
  quoted: Nullable(Type.String({ description: 'What a mail quotes at its end.' })),
  status: Nullable(
    Type.String({
      description:
        'Of a text, a call or a mail that was sent as it is now; of a mail that came in whether its sender is verified.',
    }),
  ),
  code: Nullable(
    Type.String({ description: 'Why, where that needs a reason: a problem code, or a cause of hanging up.' }),
  ),
  missed: Type.Boolean({ description: 'Of an inbound call: whether nobody took it.' }),
  durationSeconds: Nullable(Type.Integer({ description: 'Of a call that has ended.' })),
  recordings: Type.Array(
    Type.Object({
      recordingId: Type.String({ description: 'Identifier of the recording, `rec_…`.' }),
      state: OneOf(recordingStates, {
        description: 'available can be heard at GET /v2/voice/recordings/{recordingId}/media.',
      }),
      durationSeconds: Nullable(Type.Integer()),
    }),
    { description: 'What was recorded of a call, oldest first.' },
  ),
  mentions: Type.Array(Person, { description: 'Whom a note mentions.' }),
  attachments: Type.Array(
    Type.Object({
      attachmentId: Type.String({
        description: 'Identifier, `att_…`: GET /v1/api/attachments/{id}/content has the bytes.',
      }),
      name: Type.String(),
      contentType: Type.String(),
      sizeBytes: Type.Integer(),
    }),
    { description: 'Files of a note that are there still.' },
  ),
  event: Nullable(
    Type.Object(
      {
        type: OneOf(eventKinds, {
          description:
            'Woken: the time of a snoozed one had come. Merged: another conversation became part of this one.',
        }),
        assignee: Nullable(Person),
        team: Nullable(TeamName),
        snoozedUntil: Nullable(Timestamp),
        recordId: Nullable(Type.String({ description: 'The lead or contact that it was put on.' })),
      },
      { description: 'Of an event: what was done.' },
    ),
  ),
})
export type ShownItem = Static<typeof Item>
export type ShownConversation = Static<typeof Conversation>

const sampleId = 'cnv_01k9r7d3w2v8e6q4n5m1b0c9xz'
const at = '2026-11-21T08:44:00.123Z'

export const sampleConversation: Static<typeof Conversation> = {
  conversationId: sampleId,
  party: { kind: 'lead', recordId: 'lead:17', name: 'Ada Lovelace', ownerId: 12 },
  addresses: [{ channel: 'phone', address: '+15550100001' }],
  state: 'open',
  snoozedUntil: null,
  assignee: { userId: 12, name: 'Grace Hopper' },
  team: null,
  waitingSince: at,
  lastActivity: {
    itemId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
    kind: 'text',
    direction: 'inbound',
    sender: null,
    at,
    preview: 'Does Monday suit you?',
  },
  unread: true,
  mentioned: false,
  participants: [],
  presence: [],
  version: 1,
  createdAt: at,
  updatedAt: at,
}

export const sampleOne: Static<typeof OneConversation> = {
  ...sampleConversation,
  reply: { text: { from: '+15005550006', to: '+15550100001' }, mail: null },
  leftOut: [],
}

export const blankItem = {
  direction: null,
  author: null,
  from: null,
  to: null,
  subject: null,
  body: null,
  quoted: null,
  status: null,
  code: null,
  missed: false,
  durationSeconds: null,
  recordings: [],
  mentions: [],
  attachments: [],
  event: null,
} satisfies Partial<ShownItem>

export const sampleText: ShownItem = {
  ...blankItem,
  itemId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz',
  kind: 'text',
  at,
  direction: 'inbound',
  from: '+15550100001',
  to: '+15005550006',
  body: 'Does Monday suit you?',
  status: 'received',
}
