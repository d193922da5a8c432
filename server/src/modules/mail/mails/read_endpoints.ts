// Mails as they are read: the list like that of a mail program, one mail with its words, attempts and history, and its source.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { ownersSeen } from '../../../kernel/noun/registry.ts'
import { cleanEmail } from '../../../kernel/values/email.ts'
import { isPersonSeen } from '../records/index.ts'
import { streams } from '../templates/index.ts'
import { mailRows } from './noun.ts'
import { comparedAddress, type MailRow, mailStates } from './rules.ts'
import { Mail, presentMail, sampleMail } from './schemas.ts'
import { findMail, listAttachments, listAttempts, listHistory, listMails } from './store.ts'

const prefix = 'mail'

/** Whose mails somebody sees, and whether those that open something are among them. */
function seenBy(principal: Principal) {
  const withSecurity = principal.permissions.has('mail:manage')
  return { userIds: ownersSeen('mails', mailRows, principal), withSecurity }
}

/** The mail, where the principal may see it: their own, or one on a record that they see. @throws Problem `not_found` */
export async function requireSeen(tx: Tx, row: MailRow | undefined, principal: Principal): Promise<MailRow> {
  const found = requireRecord(row)
  const { userIds, withSecurity } = seenBy(principal)
  const mayRead = withSecurity || found.stream !== 'security'
  const isSeen =
    mayRead &&
    (userIds === undefined ||
      userIds.includes(found.user_id ?? 0) ||
      (await isPersonSeen(tx, principal, found.record_id)))
  return requireRecord(isSeen ? found : undefined)
}

export const mailParams = Type.Object({ mailId: RecordId(prefix, 'Identifier of the mail.') })

const list = endpoint({
  id: 'mails.list',
  rowKind: 'mails',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/mails',
  name: 'List mails',
  description:
    'The mails of this tenant and mode, newest first and without their words. Sales Executives see those that they had sent, and with recordId those of a record that they see; mails that open something, such as a reset, are listed for those who hold mail:manage.',
  permission: 'mail:read',
  query: Type.Object({
    state: Type.Optional(OneOf(mailStates, { description: 'Only mails in this state.' })),
    stream: Type.Optional(OneOf(streams, { description: 'Only mails of this sort.' })),
    to: Type.Optional(
      Type.String({ minLength: 3, maxLength: 254, description: 'Only mails to this address, copies included.' }),
    ),
    recordId: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 60,
        description: 'Only mails that were written to this lead (`lead:17`) or contact (`con_…`).',
      }),
    ),
    template: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only mails made of the template with this key.' }),
    ),
    ...v2PageQuery,
  }),
  reply: Mail,
  envelope: 'page',
  sample: { query: { state: 'sent', limit: 20 }, reply: sampleMail },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const beforeId = cursorId(prefix, cursor, filter) ?? `${prefix}_z`
    const { state, stream, template, recordId } = filter
    const to = filter.to === undefined ? undefined : comparedAddress(cleanEmail(filter.to))
    const seen = seenBy(principal)
    if (recordId !== undefined && (await isPersonSeen(tx, principal, recordId))) seen.userIds = undefined
    const rows = await listMails(tx, principal, { beforeId, state, stream, template, to, recordId, ...seen }, limit)
    const page = cutPage(rows, limit, row => [row.id], filter)
    return { items: page.rows.map(presentMail), limit, nextCursor: page.nextCursor }
  },
})

const Attempt = Type.Object({
  number: Type.Integer({ description: 'From 1.' }),
  transport: Type.String({ description: 'What it was handed to: `outbox`, `installation`, `mtr_…`.' }),
  host: Nullable(Type.String({ description: 'The server that was spoken to.' })),
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp),
  outcome: Nullable(
    OneOf(['kept', 'accepted', 'deferred', 'refused', 'unconfirmed', 'given_back'], {
      description: 'Null while it is under way. given_back: the process ended before anything was said.',
    }),
  ),
  replyCode: Nullable(Type.Integer({ description: 'SMTP reply code, such as 250.' })),
  enhancedStatus: Nullable(Type.String({ description: 'Enhanced status code (RFC 3463), such as 5.1.1.' })),
  reply: Nullable(Type.String({ description: 'What the server said, its beginning.' })),
  code: Nullable(Type.String({ description: 'Why it was not accepted: a problem code.' })),
})

const get = endpoint({
  id: 'mails.get',
  rowKind: 'mails',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/mails/{mailId}',
  name: 'Get a mail and its attempts',
  description:
    'One mail with its words, its attachments, each attempt with what the server said, and its history. The words of a mail that opens something are removed when it has left; while it is kept in the outbox they are here.',
  permission: 'mail:read',
  params: mailParams,
  reply: Type.Object({
    ...Mail.properties,
    text: Nullable(Type.String({ description: 'Null where its words are not kept.' })),
    html: Nullable(Type.String({ description: 'The same as HTML. Show it in a sandboxed frame only.' })),
    attachments: Type.Array(
      Type.Object({ fileName: Type.String(), mediaType: Type.String(), sizeBytes: Type.Integer() }),
      { description: 'Files that go with it.' },
    ),
    attemptLog: Type.Array(Attempt, { description: 'First to last.' }),
    history: Type.Array(
      Type.Object({
        state: Type.String({ description: 'As in its events.' }),
        at: Timestamp,
        code: Nullable(Type.String({ description: 'Why, where that needs a reason.' })),
      }),
      { description: 'First to last.' },
    ),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { mailId: sampleMail.mailId },
    reply: {
      ...sampleMail,
      text: 'Dear Ada,\n\nsee you on Monday.',
      html: '<p>Dear Ada,</p>\n<p>see you on Monday.</p>',
      attachments: [],
      attemptLog: [
        {
          number: 1,
          transport: 'outbox',
          host: null,
          startedAt: '2026-11-21T08:44:00.290Z',
          endedAt: '2026-11-21T08:44:00.301Z',
          outcome: 'kept',
          replyCode: null,
          enhancedStatus: null,
          reply: null,
          code: 'kept_in_outbox',
        },
      ],
      history: [
        { state: 'queued', at: '2026-11-21T08:44:00.123Z', code: null },
        { state: 'sent', at: '2026-11-21T08:44:00.301Z', code: 'kept_in_outbox' },
      ],
    },
  },
  async handle({ tx, principal, params }) {
    const row = await requireSeen(tx, await findMail(tx, principal, params.mailId), principal)
    const [attachments, attempts, history] = [
      await listAttachments(tx, principal, row.id),
      await listAttempts(tx, principal, row.id),
      await listHistory(tx, principal, row.id),
    ]
    return {
      ...presentMail(row),
      text: row.text,
      html: row.html,
      attachments: attachments.map(({ fileName, mediaType, content }) => ({
        fileName,
        mediaType,
        sizeBytes: content.length,
      })),
      attemptLog: attempts.map(one => ({
        number: one.number,
        transport: one.transport,
        host: one.host,
        startedAt: one.started_at,
        endedAt: one.ended_at,
        outcome: one.outcome as null,
        replyCode: one.reply_code,
        enhancedStatus: one.enhanced_status,
        reply: one.reply,
        code: one.code,
      })),
      history,
    }
  },
})

export const readEndpoints = [list, get]
