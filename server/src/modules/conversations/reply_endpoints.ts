// Answers by text and by mail, and notes. An answer says up to which item its writer has read: where somebody answered since, nothing is sent.
import { Type } from 'typebox'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { Email, IntegerId, Nullable, RecordId } from '../../kernel/endpoint/schema.ts'
import { Attachments, attachedBodyLimit, mailQueue } from '../mail/mails/index.ts'
import { messagesAccepted } from '../messaging/sms/index.ts'
import { lockForAnswer, requirePermission } from './answering.ts'
import { answerByMail, answerByText } from './answers.ts'
import { writeNote } from './noting.ts'
import { common } from './read_endpoints.ts'
import { blankItem, ConversationParams, Item, sampleConversation, sampleText } from './schemas.ts'

const { conversationId } = sampleConversation
const author = { userId: 12, name: 'Grace Hopper' }

const lastSeenItemId = Nullable(
  Type.String({
    maxLength: 60,
    description:
      'The newest item that the writer has read; null where the thread was empty. When somebody answered after it, nothing is sent and 412 says who and what.',
  }),
)

const answeredBy =
  'Refused with 412 conversation_answered where somebody answered after lastSeenItemId; `answered` of the error holds that item. Of two that answer at the same moment exactly one gets through.'

const text = endpoint({
  ...common,
  id: 'conversations.reply_by_text',
  method: 'POST',
  path: '/conversations/{conversationId}/texts',
  name: 'Send an answer by text',
  description: `Texts the person from the number that the last text was exchanged with, unless from names another. All rules of POST /v2/messages/sms hold. ${answeredBy} Opens a snoozed or closed conversation, ends its waiting, and gives an unassigned one to who answers. Needs messages:send, too.`,
  permission: 'conversations:write',
  status: 201,
  logBody: 'refusals',
  params: ConversationParams,
  body: Type.Object({
    body: Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S', description: 'The text.' }),
    from: Type.Optional(
      Type.String({ minLength: 1, maxLength: 40, description: 'A number or sender id of the organization.' }),
    ),
    to: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 40,
        description: 'One of the numbers of the conversation; that of the last text when left out.',
      }),
    ),
    lastSeenItemId,
  }),
  reply: Item,
  envelope: 'data',
  problems: [
    'not_found',
    'conversation_answered',
    'conversation_not_reachable',
    'invalid_from_number',
    'body_too_long',
    'no_route',
    'destination_not_allowed',
    'destination_premium',
    'daily_spend_exceeded',
    'recipient_opted_out',
    'sender_not_owned',
    'sender_queue_full',
    'sender_not_capable',
    'duplicate_suppressed',
  ],
  sample: {
    params: { conversationId },
    body: { body: 'Monday suits us well.', lastSeenItemId: 'msg_01k9r7d3w2v8e6q4n5m1b0c9xz' },
    reply: {
      ...sampleText,
      direction: 'outbound',
      author,
      from: '+15005550006',
      to: '+15550100001',
      body: 'Monday suits us well.',
      status: 'queued',
    },
  },
  async handle({ tx, principal, params, body: { body, from, to, lastSeenItemId }, now, services, afterCommit }) {
    requirePermission(principal, 'messages:send', 'A text')
    const row = await lockForAnswer(tx, principal, params.conversationId, { lastSeenItemId, askedMs: now })
    const { item, carrier } = await answerByText(tx, principal, row, { body, from, to }, { services, nowMs: now })
    afterCommit(() => messagesAccepted(services, carrier))
    return item
  },
})

const mail = endpoint({
  ...common,
  id: 'conversations.reply_by_mail',
  method: 'POST',
  path: '/conversations/{conversationId}/mails',
  name: 'Send an answer by mail',
  description: `Mails the person, as an answer to the last mail where there is one. ${answeredBy} Opens a snoozed or closed conversation, ends its waiting, and gives an unassigned one to who answers. Needs mail:send, too.`,
  permission: 'conversations:write',
  status: 201,
  logBody: 'never',
  bodyLimit: attachedBodyLimit,
  params: ConversationParams,
  body: Type.Object({
    text: Type.String({ minLength: 1, maxLength: 100_000, pattern: '\\S', description: 'What is written.' }),
    subject: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        pattern: '\\S',
        description: 'That of the last mail, with Re:, when left out; needed where there is none.',
      }),
    ),
    to: Type.Optional(
      Type.Unsafe<string>({
        ...Email,
        description: 'One of the addresses of the conversation; that of the last mail when left out.',
      }),
    ),
    senderId: Type.Optional(
      Type.String({ maxLength: 100, description: 'Who it is from; the sender of conversations when left out.' }),
    ),
    attachments: Type.Optional(Attachments),
    lastSeenItemId,
  }),
  reply: Item,
  envelope: 'data',
  problems: ['not_found', 'conversation_answered', 'conversation_not_reachable', 'mail_rate_reached', 'mail_too_large'],
  sample: {
    params: { conversationId },
    body: {
      subject: 'Monday',
      text: 'Dear Ada,\n\nMonday suits us well.',
      lastSeenItemId: 'inm_01k9r7d3w2v8e6q4n5m1b0c9xz',
    },
    reply: {
      ...blankItem,
      itemId: 'mail_01k9r7d3w2v8e6q4n5m1b0c9xz',
      kind: 'mail',
      at: sampleText.at,
      direction: 'outbound',
      author,
      to: 'ada@example.com',
      subject: 'Monday',
      body: 'Dear Ada,\n\nMonday suits us well.',
      status: 'queued',
    },
  },
  async handle({ tx, principal, params, body: { lastSeenItemId, ...mail }, now, services, afterCommit }) {
    requirePermission(principal, 'mail:send', 'A mail')
    const row = await lockForAnswer(tx, principal, params.conversationId, { lastSeenItemId, askedMs: now })
    const item = await answerByMail(tx, principal, row, mail, { perDay: services.mail.perDay, nowMs: now })
    afterCommit(() => services.wake(mailQueue))
    return item
  },
})

const note = endpoint({
  ...common,
  id: 'conversations.write_note',
  method: 'POST',
  path: '/conversations/{conversationId}/notes',
  name: 'Create a note in a conversation',
  description:
    'A note that members see and the person does not. Whom it mentions finds the conversation unread and in the view mentioned, and sees it from then on. Of a lead or contact it is a note of the record, too. Writes conversation.noted.',
  permission: 'conversations:write',
  status: 201,
  params: ConversationParams,
  body: Type.Object({
    body: Type.String({ minLength: 1, maxLength: 10_000, pattern: '\\S', description: 'The note, plain or Markdown.' }),
    mentions: Type.Optional(
      Type.Array(IntegerId, { maxItems: 20, description: 'Members whose attention it asks for, by user id.' }),
    ),
    attachments: Type.Optional(
      Type.Array(RecordId('att', 'Identifier of an attachment.'), {
        maxItems: 10,
        description: 'Files that belong to it: attachments of the lead or contact, put there before.',
      }),
    ),
  }),
  reply: Item,
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { conversationId },
    body: { body: 'Can you take this one?' },
    reply: {
      ...blankItem,
      itemId: 'note_01k9r7d3w2v8e6q4n5m1b0c9xz',
      kind: 'note',
      at: sampleText.at,
      author: { userId: 1, name: 'Alan Turing' },
      body: 'Can you take this one?',
    },
  },
  async handle({ tx, principal, params, body: { body, mentions = [], attachments = [] }, now }) {
    return writeNote(tx, principal, params.conversationId, { body, mentions, attachments }, now)
  },
})

export const endpoints = [text, mail, note]
