// The schemas of timelines.
import { Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../kernel/endpoint/schema.ts'
import { callOutcomes } from '../voice/call_records/index.ts'
import { recordingStates } from '../voice/recordings/index.ts'
import { changeKinds, entryKinds, leftOutKinds } from './entries.ts'

export const Entry = Type.Object({
  id: Type.String({
    description: 'Identifier of the entry: of the message, the call, the change or what was put on the record.',
  }),
  kind: OneOf(entryKinds, {
    description:
      'A text message, a call, a mail, what was changed of the record, and what was put on it: a note, a task, a file.',
  }),
  at: Timestamp,
  direction: Nullable(
    OneOf(['inbound', 'outbound'], { description: 'Inbound came from the person; null for others.' }),
  ),
  title: Type.String({ description: 'What happened, in one line.' }),
  subject: Nullable(
    Type.String({
      description:
        'What a mail, a task or a file is called; of a merge the records that were taken in. Null for others, and of a mail without a subject.',
    }),
  ),
  change_kind: Nullable(
    OneOf(changeKinds, {
      description:
        'What a change of the record was, for a title in other words: moved is a change of where it stands, reference_removed that a record it named is gone for good. Null for others.',
    }),
  ),
  body: Nullable(
    Type.String({
      description:
        'The text of a message (null when it was taken away), what was written in a mail, the text of a note or a task, or the reason that a change of status gives.',
    }),
  ),
  quoted: Nullable(Type.String({ description: 'What a mail quotes at its end.' })),
  status: Nullable(
    Type.String({
      description:
        'Of the message, the call, the mail that was sent or the task as it is now; of a mail that came in whether its sender is verified; of a change the status that it led to; of a file its content type.',
    }),
  ),
  code: Nullable(
    Type.String({ description: 'Why, where that needs a reason: a problem code, or a cause of hanging up.' }),
  ),
  from: Nullable(Type.String({ description: 'Sender or caller.' })),
  to: Nullable(Type.String({ description: 'Recipient or callee.' })),
  duration_seconds: Nullable(Type.Integer({ description: 'Of a call that has ended.' })),
  outcome: Nullable(
    OneOf(callOutcomes, { description: 'What came of a call, as the person who had it says; null where nobody did.' }),
  ),
  changes: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Name of the field.' }),
      from: Nullable(Type.String()),
      to: Nullable(Type.String()),
    }),
    { description: 'What a change of the record changed.' },
  ),
  recordings: Type.Array(
    Type.Object({
      recording_id: Type.String({ description: 'Identifier of the recording, `rec_…`.' }),
      state: OneOf(recordingStates, {
        description:
          'available can be heard at GET /v2/voice/recordings/{recordingId}/media; deleted, absent and failed have no audio.',
      }),
      duration_seconds: Nullable(Type.Integer({ description: 'Length of the audio, each second begun counts.' })),
      code: Nullable(Type.String({ description: 'Why it failed, as in GET /v2/problems.' })),
    }),
    { description: 'What was recorded of a call, oldest first.' },
  ),
  user_id: Nullable(
    Type.Integer({
      description:
        'Who did it, where that is known: of changes, mails that were sent, notes, tasks and files; of calls the person who said what came of it.',
    }),
  ),
  resource_id: Type.String({
    description: 'What it is about, to read more of it: the message, the note, or the record itself.',
  }),
})

const maxLimit = 100

export const TimelineQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: maxLimit, default: 20, description: `Entries per page, 1 to ${maxLimit}.` }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 500, description: 'The `nextCursor` of the last answer: goes on with what is older.' }),
  ),
})

export const TimelineReply = Type.Object({
  entries: Type.Array(Entry, { description: 'Newest first.' }),
  left_out: Type.Array(
    Type.Object({
      kind: OneOf(leftOutKinds),
      permission: Type.String({ description: 'What one needs to see these.' }),
    }),
    { description: 'What one may not read; recordings stand with their calls.' },
  ),
  pagination: Type.Object({
    limit: Type.Integer({ description: 'The limit used.' }),
    nextCursor: Nullable(Type.String({ description: 'Cursor of what is older; null at the beginning.' })),
  }),
})
