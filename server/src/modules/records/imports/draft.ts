// What a file that was sent looks like: its columns with their first values, and how it is probably meant.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Services, StoredUpload } from '../../../kernel/endpoint/endpoint.ts'
import { manyNamed } from '../../../kernel/noun/registry.ts'
import { rowTargets } from '../../../kernel/noun/row_reader.ts'
import type { AnySpec } from '../../../kernel/noun/spec.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { firstRows, headOf } from './csv_file.ts'
import { delimiters, type FileFormAsked } from './present.ts'
import { guessDates, guessDecimal, guessDelimiter, guessEncoding, guessMapping } from './rules.ts'
import type { NewImport } from './store.ts'

export const maxUploadBytes = 100 * 1024 * 1024
const maxColumns = 500
const sampledRows = 20
const shownSamples = 5
const shownCharacters = 100

export type UploadQuery = FileFormAsked & { noun: string; file_name?: string }

/** @throws Problem `csv_unreadable` */
export async function draftOf(
  services: Services,
  { userId, keyId, settings }: Principal,
  file: StoredUpload,
  query: UploadQuery,
  id: string,
  nowMs: number,
): Promise<NewImport> {
  const { spec } = manyNamed(query.noun)
  const form = await formOf(services, file, { spec, ...query })
  const { samplesOf, ...read } = form
  const kindsAt = (...kinds: string[]) =>
    read.mapping.flatMap((name, at) =>
      name !== null && kinds.includes(spec.fields[name]?.kind ?? '') ? samplesOf(at) : [],
    )
  return {
    ...read,
    id,
    created_at: isoMs(nowMs),
    noun: query.noun,
    file_name: query.file_name ?? null,
    user_id: userId,
    key_id: keyId,
    options: {
      duplicates: 'skip',
      match: [...(spec.match ?? [])],
      lists: 'add',
      dates: guessDates(kindsAt('date', 'moment'), settings.defaultCountry),
      decimal: guessDecimal(kindsAt('money', 'integer'), read.delimiter),
    },
    file,
  }
}

type FormAsked = FileFormAsked & { spec: AnySpec }
type SentFile = Pick<StoredUpload, 'storage' | 'key' | 'size'> & Partial<Pick<StoredUpload, 'isUtf8'>>

/**
 * How a file is read, and the columns that it has then; what is not asked for is guessed. `row_count` is null where the file is too long
 * to be counted at once. @throws Problem `csv_unreadable`, `import_file_gone`, `file_unreachable`
 */
export async function formOf(services: Services, file: SentFile, asked: FormAsked) {
  const { spec } = asked
  const head = await headOf(services, { storage: file.storage, storage_key: file.key }, file.size)
  const encoding = asked.encoding ?? guessEncoding(head, file.isUtf8 === true)
  const text = new TextDecoder(encoding).decode(head, { stream: true })
  const delimiter = asked.delimiter === undefined ? guessDelimiter(text) : delimiters[asked.delimiter]
  const isWhole = head.length === file.size
  const [headers = [], ...all] = await readFirst(text, delimiter, isWhole)
  const isTable = headers.some(header => header.trim() !== '') && !text.includes('\0')
  if (!isTable) throw new Problem('csv_unreadable')
  if (headers.length > maxColumns)
    throw new Problem('csv_unreadable', {
      message: `The file has ${headers.length} columns, more than ${maxColumns}. Leave out those that are not imported.`,
    })
  const filled = all.filter(row => row.some(cell => cell.trim() !== ''))
  const rows = filled.slice(0, sampledRows)
  const names = headers.map((header, at) => shown(header) || `Column ${at + 1}`)
  const samplesOf = (at: number) => rows.map(row => row[at]?.trim() ?? '').filter(sample => sample !== '')
  const columns = names.map((name, at) => ({
    name,
    samples: samplesOf(at).slice(0, shownSamples).map(shown),
    cells: rows.slice(0, shownSamples).map(row => shown(row[at] ?? '')),
  }))
  const mapping = guessMapping(names, rowTargets(spec), { title: spec.title, one: spec.names[0].replaceAll('_', ' ') })
  return { encoding, delimiter, columns, mapping, row_count: isWhole ? filled.length : null, samplesOf }
}

async function readFirst(text: string, delimiter: string, isWhole: boolean): Promise<string[][]> {
  try {
    return await firstRows(text, delimiter, isWhole, isWhole ? Number.POSITIVE_INFINITY : sampledRows)
  } catch (error) {
    throw new Problem('csv_unreadable', {
      message: `The first lines of the file cannot be read: ${(error as Error).message}. Mend them, and send the file again.`,
    })
  }
}

const shown = (text: string) => text.trim().replaceAll('\0', '').slice(0, shownCharacters).toWellFormed()
