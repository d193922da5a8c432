// Files that go with a mail, as requests bring them: in base64, and with the words within the size of a mail.
import { type Static, Type } from 'typebox'
import { Problem } from '../../../kernel/values/problem.ts'
import { limits } from './rules.ts'
import type { Attachment } from './store.ts'

export const Attachments = Type.Array(
  Type.Object({
    fileName: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: '^[^\\p{Cc}/\\\\]+$',
      description: 'Without a path.',
    }),
    mediaType: Type.String({
      pattern: '^[a-z0-9][a-z0-9!#$&^_.+-]*/[a-z0-9][a-z0-9!#$&^_.+-]*$',
      maxLength: 100,
      description: 'Such as application/pdf.',
    }),
    content: Type.String({ pattern: '^[A-Za-z0-9+/]*={0,2}$', description: 'In base64.' }),
  }),
  { maxItems: limits.attachments, description: 'Files that go with it; with the words at most 10 MB.' },
)

/** Bytes of a request that brings as many of them as a mail may have. */
export const attachedBodyLimit = 16 * 1024 * 1024

/** The files of a request. @throws Problem `mail_too_large` where they are, with the words of the mail, more than a mail may be */
export function attachmentsIn(
  asked: Static<typeof Attachments> = [],
  { html, text }: { html: string; text: string },
): Attachment[] {
  const attachments = asked.map(({ fileName, mediaType, content }) => ({
    fileName,
    mediaType,
    content: Buffer.from(content, 'base64'),
  }))
  const bytes = attachments.reduce((sum, { content }) => sum + content.length, 0)
  if (bytes + Buffer.byteLength(html) + Buffer.byteLength(text) > limits.bytes) throw new Problem('mail_too_large')
  return attachments
}
