// What lists that are exported as CSV (RFC 4180) have in common: how the first line is asked for and written, and the file that is answered.
import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { isoMs } from '../values/clock.ts'
import { csvLine } from '../values/csv.ts'
import type { FileReply } from './reply.ts'
import { FileBytes, OneOf } from './schema.ts'

export const csvQuery = {
  header: Type.Optional(
    OneOf(['names', 'labels'], {
      default: 'names',
      description: 'Whether the first line has the names of the API or words for people.',
    }),
  ),
  bom: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'Begins with a byte order mark, without which Excel reads no UTF-8.',
    }),
  ),
}
export type CsvQuery = { header?: 'names' | 'labels'; bom?: boolean }

export const CsvBytes = FileBytes('The lines of the CSV file, the first with the names of the columns.')

/** The first line, behind a byte order mark where one is asked for. */
export function csvHead(columns: readonly { name: string; label: string }[], { header, bom }: CsvQuery): string {
  const line = csvLine(columns.map(({ name, label }) => (header === 'labels' ? label : name)))
  return bom === true ? `\ufeff${line}` : line
}

/** The file of a list, called by what it lists and its day. */
export function csvFile(things: string, nowMs: number, open: () => Promise<Readable>): FileReply {
  return {
    mediaType: 'text/csv; charset=utf-8',
    fileName: `${things}-${isoMs(nowMs).slice(0, 10)}.csv`,
    asDownload: true,
    open,
  }
}
