// The rows of a file in the object store, as they are read: never more of them in memory than are asked for.
import type { Readable } from 'node:stream'
import { parse } from 'csv-parse'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { ByteRange, ObjectStore } from '../../../kernel/objects/object_store.ts'
import { isObjectMissing } from '../../../kernel/values/object_key.ts'
import { Problem } from '../../../kernel/values/problem.ts'

export type CsvForm = { encoding: string; delimiter: string }
export type FilePlace = { storage: string | null; storage_key: string | null }

/** Of one row; a cell with more is no cell. */
const maxRowBytes = 1024 * 1024

/** The rows of text, the first one too; an empty line is a row without cells. @throws CsvError */
export async function* rowsIn(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<string[], void> {
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: maxRowBytes,
  })
  const fed = feed(text, parser)
  fed.catch(error => parser.destroy(error))
  try {
    for await (const row of parser) yield row as string[]
    await fed
  } finally {
    parser.destroy()
  }
}

async function feed(text: AsyncIterable<string>, parser: ReturnType<typeof parse>): Promise<void> {
  for await (const part of text) {
    if (parser.destroyed) return
    if (!parser.write(part))
      await new Promise<void>(resolve => {
        const go = () => {
          parser.off('drain', go).off('close', go)
          resolve()
        }
        parser.on('drain', go).on('close', go)
      })
  }
  if (!parser.destroyed) parser.end()
}

type FileServices = Pick<Services, 'objects' | 'log'>

/** @throws Problem `import_file_gone` where the store has it no longer, `file_unreachable` where that cannot be said; the log says why */
async function openFile(services: FileServices, file: FilePlace, range?: ByteRange): Promise<Readable> {
  const { log } = services
  const store = storeOf(services, file)
  try {
    return await store.read(file.storage_key!, range)
  } catch (error) {
    if (isObjectMissing(error)) throw new Problem('import_file_gone')
    log.error({ storage: file.storage, err: error }, 'the file of an import cannot be read')
    throw new Problem('file_unreachable')
  }
}

/** The store of a file that is kept. @throws Problem `import_file_gone`, `file_unreachable` */
export function storeOf({ objects, log }: FileServices, { storage, storage_key: key }: FilePlace): ObjectStore {
  if (storage === null || key === null) throw new Problem('import_file_gone')
  const store = objects.at(storage)
  if (store !== undefined) return store
  log.error({ storage }, 'no key to the storage of the file of an import; set TANDEM_S3_ACCESS_KEY_ID')
  throw new Problem('file_unreachable')
}

/** @throws Problem `import_file_gone`, `file_unreachable` */
export async function* rowsOfFile(services: FileServices, file: FilePlace & CsvForm): AsyncGenerator<string[], void> {
  yield* rowsIn(decoded(await openFile(services, file), file.encoding), file.delimiter)
}

async function* decoded(bytes: AsyncIterable<Uint8Array>, encoding: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const part of bytes) yield decoder.decode(part, { stream: true })
  yield decoder.decode()
}

const headBytes = 64 * 1024

/** The first bytes of a file. @throws Problem `import_file_gone`, `file_unreachable` */
export async function headOf(services: FileServices, file: FilePlace, size: number): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of await openFile(services, file, { from: 0, to: Math.min(size, headBytes) - 1 }))
    parts.push(part)
  return Buffer.concat(parts)
}

/** The first rows of a file of which only the beginning is there: the last one may be cut, and is left out. */
export async function firstRows(text: string, delimiter: string, isWhole: boolean, count: number): Promise<string[][]> {
  const rows: string[][] = []
  const all = isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1)
  async function* once() {
    yield all
  }
  try {
    for await (const row of rowsIn(once(), delimiter)) {
      rows.push(row)
      if (rows.length > count) break
    }
  } catch (error) {
    // A quote that is open where the beginning of the file ends.
    if (rows.length === 0) throw error
  }
  return rows
}
