// Mails that came in, as they are read: the tray, one mail with its words, its files, and its source.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import type { FileReply } from '../../../kernel/endpoint/reply.ts'
import { FileBytes, Nullable, OneOf, RecordId } from '../../../kernel/endpoint/schema.ts'
import { findHosts, hostOf } from '../../../kernel/noun/hosts.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { partQuoted } from './quoted.ts'
import { readRaw } from './raw.ts'
import { readMail } from './read_mime.ts'
import { inboundStates } from './rules.ts'
import { Inbound, presentInbound, sampleInbound } from './schemas.ts'
import { findInbound, listInbound } from './store.ts'

const prefix = 'inm'
export const inboundParams = Type.Object({ inboundId: RecordId(prefix, 'Identifier of the mail.') })
const common = { version: 'v2', category: 'Messaging', permission: 'mail:read' } as const

const list = endpoint({
  ...common,
  id: 'inbound_mails.list',
  method: 'GET',
  path: '/mail/inbound',
  name: 'List mails that came in',
  description:
    'Mails that came in, newest first, with the beginning of their words. Sales Executives see those on leads and contacts that they see; mails that stand on none are seen by the other roles, and by who sent the copy.',
  query: Type.Object({
    state: Type.Optional(OneOf(inboundStates, { description: 'Only mails in this state.' })),
    recordId: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 60,
        description: 'Only mails of this lead (`lead:17`) or contact (`con_…`).',
      }),
    ),
    mailboxId: Type.Optional(
      Type.String({ minLength: 5, maxLength: 60, description: 'Only mails that this mailbox brought.' }),
    ),
    ...v2PageQuery,
  }),
  reply: Type.Object({
    ...Inbound.properties,
    preview: Type.String({ description: 'How its words begin.' }),
  }),
  envelope: 'page',
  sample: {
    query: { state: 'unmatched', limit: 20 },
    reply: { ...sampleInbound, preview: 'Monday suits me well.' },
  },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const beforeId = cursorId(prefix, cursor, filter)
    const { state, recordId, mailboxId } = filter
    const rows = await listInbound(tx, principal, { beforeId, state, recordId, mailboxId }, limit)
    const page = cutPage(rows, limit, row => [row.id], filter)
    const items = page.rows.map(row => ({ ...presentInbound(row), preview: previewOf(row.beginning) }))
    return { items, limit, nextCursor: page.nextCursor }
  },
})

const previewOf = (text: string) => partQuoted(text).written.replaceAll(/\s+/g, ' ').trim().slice(0, 200).toWellFormed()

const get = endpoint({
  ...common,
  id: 'inbound_mails.get',
  method: 'GET',
  path: '/mail/inbound/{inboundId}',
  name: 'Get a mail that came in',
  description:
    'One mail with its words: what its writer wrote, and what is quoted below. With what was found out about its sender, and the records that it may belong to, as far as the caller sees them.',
  params: inboundParams,
  reply: Type.Object({
    ...Inbound.properties,
    text: Type.String({ description: 'What was written, without what is quoted at the end.' }),
    quotedText: Nullable(Type.String({ description: 'What is quoted at the end.' })),
    html: Nullable(
      Type.String({
        description: 'As it came. Show it in a sandboxed frame only, without scripts and addresses elsewhere.',
      }),
    ),
    authentication: Type.Object({
      by: Nullable(Type.String({ description: 'Who found out; null where nothing was.' })),
      dmarc: Nullable(Type.String({ description: 'pass, fail, none, …' })),
      spf: Nullable(Type.String()),
      dkim: Type.Array(Type.String(), { description: 'Of each signature.' }),
    }),
    records: Type.Array(
      Type.Object({
        recordId: Type.String(),
        noun: Type.String({ description: 'lead or contact.' }),
        title: Type.String(),
        isCandidate: Type.Boolean({ description: 'Whether it is one of several that the mail may belong to.' }),
      }),
      { description: 'The record that it stands on, and those that it may belong to.' },
    ),
  }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { inboundId: sampleInbound.inboundId },
    reply: {
      ...sampleInbound,
      text: 'Monday suits me well.',
      quotedText: 'On Saturday, Example Company wrote:\n> see you on Monday.',
      html: null,
      authentication: { by: 'this server', dmarc: 'pass', spf: 'pass', dkim: ['pass example.com'] },
      records: [{ recordId: 'lead:17', noun: 'lead', title: 'Ada Park', isCandidate: false }],
    },
  },
  async handle({ tx, principal, params }) {
    const row = requireRecord(await findInbound(tx, principal, params.inboundId))
    const { written, quoted } = partQuoted(row.text)
    const ids = [...new Set([...(row.record_id === null ? [] : [row.record_id]), ...row.candidates])]
    const found = await findHosts(tx, principal, ids)
    const records = ids.flatMap(recordId => {
      const [host, record] = [hostOf(recordId), found.get(recordId)]
      if (host === undefined || record === undefined) return []
      return [{ recordId, noun: host.name, title: String(record[host.title]), isCandidate: recordId !== row.record_id }]
    })
    const authentication = { ...row.auth, dkim: [...row.auth.dkim] }
    return { ...presentInbound(row), text: written, quotedText: quoted, html: row.html, authentication, records }
  },
})

const fileOf = (content: Buffer): Pick<FileReply, 'size' | 'tag' | 'open'> => ({
  size: content.length,
  tag: createHash('sha256').update(content).digest('hex'),
  open: async range => Readable.from([range === undefined ? content : content.subarray(range.from, range.to + 1)]),
})

/** Letters that a header can hold; the whole name stands beside it. */
const plainName = (name: string) =>
  name
    .normalize('NFKD')
    .replaceAll(/[^\w.-]+/g, '_')
    .replaceAll(/^[._]+|_+$/g, '')
    .slice(-100) || 'file'

const attachment = endpoint({
  ...common,
  id: 'inbound_mails.attachment',
  method: 'GET',
  path: '/mail/inbound/{inboundId}/attachments/{number}',
  name: 'Get a file of a mail that came in',
  description: 'The bytes of a file that came with the mail, whole or the part that Range asks for. Browsers save it.',
  params: Type.Object({
    ...inboundParams.properties,
    number: Type.Integer({ minimum: 1, maximum: 1_000, description: 'Its number in the mail, from 1.' }),
  }),
  reply: FileBytes('The bytes of the file.'),
  envelope: 'file',
  mediaType: '*/*',
  problems: ['not_found', 'file_unreachable'],
  sample: { params: { inboundId: sampleInbound.inboundId, number: 1 }, reply: '%PDF-1.7 …' },
  async handle({ tx, principal, params, services }): Promise<FileReply> {
    const row = requireRecord(await findInbound(tx, principal, params.inboundId))
    const listed = requireRecord(row.attachments.find(({ place }) => place === params.number))
    const file = (await readMail(await readRaw(services, row))).attachments[params.number - 1]
    if (file === undefined) throw new Problem('not_found')
    return {
      ...fileOf(file.content),
      mediaType: listed.media_type,
      fileName: plainName(listed.file_name),
      fullName: listed.file_name,
      asDownload: true,
    }
  },
})

const source = endpoint({
  ...common,
  id: 'inbound_mails.source',
  method: 'GET',
  path: '/mail/inbound/{inboundId}/source',
  name: 'Get the source of a mail that came in',
  description: 'The mail as it came, with its whole head (RFC 5322).',
  params: inboundParams,
  reply: FileBytes('The bytes of the mail.'),
  envelope: 'file',
  mediaType: 'message/rfc822',
  problems: ['not_found', 'file_unreachable'],
  sample: { params: { inboundId: sampleInbound.inboundId }, reply: 'From: Ada Park <ada@example.com>\r\n…' },
  async handle({ tx, principal, params, services }): Promise<FileReply> {
    const row = requireRecord(await findInbound(tx, principal, params.inboundId))
    const content = await readRaw(services, row)
    return { ...fileOf(content), mediaType: 'message/rfc822', fileName: `${row.id}.eml`, asDownload: true }
  },
})

export const readEndpoints = [list, get, attachment, source]
