// Putting files on records, and downloading them. The rest of attachments is what all nouns do.
import { Type } from 'typebox'
import { type Endpoint, endpoint, type StoredUpload } from '../../../kernel/endpoint/endpoint.ts'
import type { FileReply } from '../../../kernel/endpoint/reply.ts'
import { FileBytes, OneOf, RecordId } from '../../../kernel/endpoint/schema.ts'
import { decideCreation } from '../../../kernel/noun/decide.ts'
import { factsOf } from '../../../kernel/noun/named.ts'
import { readBody, showRecord } from '../../../kernel/noun/records.ts'
import { tableNamed } from '../../../kernel/noun/registry.ts'
import { recordSchema } from '../../../kernel/noun/schemas.ts'
import { findRecord, readingOf } from '../../../kernel/noun/verbs_read.ts'
import { requestOrigin } from '../../../kernel/noun/verbs_write.ts'
import { writeRecords } from '../../../kernel/noun/write.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { openContent, readHead } from './content.ts'
import { attachments } from './noun.ts'
import { isMisnamed, mayShowInline, plainName, typeOf } from './rules.ts'
import { findFile, insertFile } from './store.ts'

const noun = tableNamed('attachment')
const { spec } = noun
const maxBytes = 25 * 1024 * 1024
const { record_id, name } = spec.fields
const sampleId = 'att_01k9r7d3w2v8e6q4n5m1b0c9xz'
const sample = (attachments.endpointOf.get.sample.reply as { attachment: Record<string, unknown> }).attachment

export const create = endpoint({
  version: 'v1',
  category: 'CRM',
  envelope: 'success',
  versioned: true,
  id: 'attachments.create',
  method: 'POST',
  path: '/api/attachments',
  name: 'Create an attachment',
  description:
    'Puts a file of up to 25 MiB on a record: its bytes are the body, its name and the record stand in the query. What it is, its bytes say; a name that says something else is refused. Writes attachment.created.',
  permission: 'attachments:create',
  status: 201,
  logBody: 'never',
  transaction: 'none',
  upload: {
    mediaType: 'application/octet-stream',
    maxBytes,
    folder: 'attachments',
    about: 'The bytes of the file, up to 25 MiB.',
  },
  query: Type.Object({
    record_id: record_id!.parts.sent,
    name: { ...name!.parts.sent, description: 'What the file is called, such as offer.pdf.' },
  }),
  reply: Type.Unsafe<Record<string, unknown>>(Type.Object({ attachment: recordSchema(spec) })),
  problems: ['record_not_found'],
  sample: {
    query: { record_id: String(sample['record_id']), name: 'offer.pdf' },
    body: '%PDF-1.7 …',
    reply: { attachment: sample },
  },
  async handle({ body, query, principal, now, services, transact, setVersion }) {
    const stored = body as unknown as StoredUpload
    const head = await readHead(services, stored)
    const given = String(query.name)
    const type = typeOf(head, given, stored.isUtf8)
    if (isMisnamed(type, given))
      throw invalid({
        field: 'name',
        code: 'not_allowed',
        message: `says another kind of file than its bytes, which are ${type}`,
      })
    return transact(async tx => {
      const sent = readBody(spec, query as Record<string, unknown>, readingOf(principal))
      const facts = await factsOf(tx, principal, noun, sent)
      const content = {
        content_type: type,
        size_bytes: stored.size,
        sha256: stored.sha256,
      }
      const write = decideCreation(noun, principal, { ...sent, ...content }, facts, now)
      const { storage, key: storage_key, folder } = stored
      await writeRecords(tx, principal, noun, [write], requestOrigin(now))
      await insertFile(tx, principal, { attachment_id: write.after.id, storage, storage_key, folder })
      setVersion(1)
      return { attachment: showRecord(spec, write.after) }
    })
  },
})

export const content = endpoint({
  version: 'v1',
  category: 'CRM',
  id: 'attachments.content',
  method: 'GET',
  path: '/api/attachments/{id}/content',
  name: 'Get the file of an attachment',
  description:
    'Its bytes, whole or the part that Range asks for. Browsers save it under its name; with inline they show images and plain text instead, in a sandbox. The ETag is the SHA-256 of the file.',
  permission: 'attachments:read',
  params: Type.Object({ id: RecordId('att', 'Identifier of the attachment.') }),
  query: Type.Object({
    inline: Type.Optional(OneOf(['1', '0'], { description: '1 has browsers show an image or a plain text.' })),
  }),
  reply: FileBytes('The bytes of the file.'),
  envelope: 'file',
  // As the file is.
  mediaType: '*/*',
  problems: ['not_found', 'file_unreachable'],
  sample: { params: { id: sampleId }, reply: '%PDF-1.7 …' },
  async handle({ tx, params, query, principal, services }): Promise<FileReply> {
    const attachment = await findRecord(tx, principal, noun, params.id)
    const file = await findFile(tx, principal, params.id)
    if (file === undefined) throw new Problem('not_found')
    const type = String(attachment['content_type'])
    const fullName = String(attachment['name'])
    return {
      mediaType: type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
      size: Number(attachment['size_bytes']),
      tag: String(attachment['sha256']),
      fileName: plainName(fullName),
      fullName,
      asDownload: query.inline !== '1' || !mayShowInline(type),
      open: range => openContent(services, file, range),
    }
  },
})

export const endpoints: readonly Endpoint[] = [create, content, ...attachments.endpoints]
