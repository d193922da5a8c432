// The rows that an import refuses, as a file: their own cells, the number of the row, and what is wrong with it.
import { Readable } from 'node:stream'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { csvLine, defused } from '../../../kernel/values/csv.ts'
import { rowsOfFile } from './csv_file.ts'
import { columnOf } from './present.ts'
import { type ImportRow, listFaults, type RowFaults } from './store.ts'

const atOnce = 1_000

/** @throws Problem `import_file_gone`, `file_unreachable`, before anything is sent */
export async function refusedLines(services: Services, principal: Principal, row: ImportRow): Promise<Readable> {
  const rows = rowsOfFile(services, row)
  const first = await rows.next()
  async function* lines() {
    yield csvLine([...(first.value ?? []).map(defused), 'row', 'problem'])
    let place = 1
    for await (const { place: refused, faults } of allFaults(services, principal, row)) {
      for (;;) {
        const next = await rows.next()
        if (next.done === true) return
        place++
        if (place < refused) continue
        yield csvLine([...cellsOf(next.value, row), String(refused), defused(textOf(row, faults))])
        break
      }
    }
  }
  // Also of one that nobody reads to its end, or at all.
  return Readable.from(lines(), { objectMode: false }).once('close', () => void rows.return())
}

function cellsOf(cells: readonly string[], { columns }: ImportRow): string[] {
  return columns.map((_, at) => defused(cells[at] ?? ''))
}

function textOf(row: ImportRow, faults: RowFaults['faults']): string {
  return faults
    .map(({ field, message }) => {
      const place = columnOf(row, field) ?? field
      return place === '' ? message : `${place}: ${message}`
    })
    .join('; ')
}

async function* allFaults({ db }: Services, principal: Principal, row: ImportRow): AsyncGenerator<RowFaults, void> {
  let behind = 0
  for (;;) {
    const page = await db.inTenant(principal, tx => listFaults(tx, principal, row, behind, atOnce))
    yield* page
    behind = page.at(-1)?.place ?? 0
    if (page.length < atOnce) return
  }
}
