// The bytes of attachments, in the store that their rows name.
import type { Readable } from 'node:stream'
import type { Services, StoredUpload } from '../../../kernel/endpoint/endpoint.ts'
import type { ByteRange } from '../../../kernel/objects/object_store.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import type { StoredFile } from './store.ts'

/** More is not needed to say what a file is. */
const headBytes = 512

/** The beginning of a file that has just been stored. */
export async function readHead({ objects }: Pick<Services, 'objects'>, { key, size }: StoredUpload): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of await objects.current.read(key, { from: 0, to: Math.min(size, headBytes) - 1 }))
    chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** @throws Problem `file_unreachable`; the log says why */
export async function openContent(
  { objects, log }: Pick<Services, 'objects' | 'log'>,
  { attachment_id: attachmentId, storage, storage_key }: StoredFile,
  range: ByteRange | undefined,
): Promise<Readable> {
  const store = objects.at(storage)
  if (store === undefined) {
    log.error({ attachmentId, storage }, 'no key to the storage of an attachment; set TANDEM_S3_ACCESS_KEY_ID')
    throw new Problem('file_unreachable')
  }
  try {
    return await store.read(storage_key, range)
  } catch (error) {
    log.error({ attachmentId, storage, err: error }, 'the file of an attachment cannot be read')
    throw new Problem('file_unreachable')
  }
}
