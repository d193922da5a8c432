// The bytes of a mail, in the store that its row names.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import type { InboundRow } from './store.ts'

/** @throws Problem `file_unreachable`; the log says why */
export async function readRaw(
  { objects, log }: Pick<Services, 'objects' | 'log'>,
  { id, storage, storage_key }: Pick<InboundRow, 'id' | 'storage' | 'storage_key'>,
): Promise<Buffer> {
  const store = objects.at(storage)
  if (store === undefined) {
    log.error({ inboundId: id, storage }, 'no key to the storage of a mail; set TANDEM_S3_ACCESS_KEY_ID')
    throw new Problem('file_unreachable')
  }
  try {
    return Buffer.concat(await Array.fromAsync(await store.read(storage_key)))
  } catch (error) {
    log.error({ inboundId: id, storage, err: error }, 'the bytes of a mail cannot be read')
    throw new Problem('file_unreachable')
  }
}
