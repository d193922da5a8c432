// The bytes of a recording, out of the store that its row names.
import type { Readable } from 'node:stream'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { ByteRange } from '../../../kernel/objects/object_store.ts'
import { isObjectMissing } from '../../../kernel/values/object_key.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import type { Recording } from './rules.ts'

/** @throws Problem `recording_unreachable`; the log says why */
export async function openMedia(
  { objects, log }: Pick<Services, 'objects' | 'log'>,
  { id, storage, storage_key, folder }: Recording,
  range: ByteRange | undefined,
): Promise<Readable> {
  const name = storage ?? ''
  const store = objects.at(name)
  if (store === undefined) {
    log.error({ recordingId: id, storage: name }, 'no key to the storage of a recording; set TANDEM_S3_ACCESS_KEY_ID')
    throw new Problem('recording_unreachable')
  }
  try {
    return await store.read(storage_key ?? '', range)
  } catch (error) {
    const why = isObjectMissing(error)
      ? store.local && folder !== objects.folder.id()
        ? 'a recording lies on the disk of another machine; let machines share a bucket by TANDEM_RECORDINGS'
        : 'the file of a recording is gone from its storage'
      : 'the storage of a recording cannot be read'
    log.error({ recordingId: id, storage: name, err: error }, why)
    throw new Problem('recording_unreachable')
  }
}
