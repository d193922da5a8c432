// The columns of a noun in a spreadsheet: what exports write, and what imports read back.
import { defused } from '../values/csv.ts'
import { type Cells, textCells } from './cells.ts'
import type { AnyField, NounRecord } from './field.ts'
import { idsOf, ownIdOf } from './record_ids.ts'
import { fieldsOf, idsNamed } from './records.ts'
import { words } from './schemas.ts'
import type { AnySpec } from './spec.ts'

export const cellsOf = ({ parts }: AnyField): Cells => parts.cells ?? textCells

/** `annual_revenue.currency` */
export const columnName = (field: string, part: string): string => (part === '' ? field : `${field}.${part}`)

/** As people read it: SMS consent, Annual revenue (currency). */
export function columnLabel(field: string, { label }: Pick<AnyField, 'label'>, part: string): string {
  const whole = label ?? sentence(words(field).replace(/ id$/, ''))
  return part === '' ? whole : `${whole} (${words(part)})`
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export type Titles = Readonly<Record<string, Readonly<Record<string, { title: string }>>>>

/** A column of an export. */
export type Column = { name: string; label: string; write(record: NounRecord, titles: Titles): string }

const stamp = (name: 'created_at' | 'updated_at', label: string): Column => ({
  name,
  label,
  write: record => record[name],
})

/** The columns of these fields, the id in front and the times behind; references have one more, with what is named. */
export function columnsFor(spec: AnySpec, names: ReadonlySet<string>): Column[] {
  const own = fieldsOf(spec).flatMap(([name, field]) => (names.has(name) ? columnsOfField(name, field) : []))
  const ids = idsOf(spec)
  const id: Column = { name: 'id', label: 'ID', write: record => String(ownIdOf(ids, record.id)) }
  return [id, ...own, stamp('created_at', 'Created at'), stamp('updated_at', 'Updated at')]
}

function columnsOfField(name: string, field: AnyField): Column[] {
  const cells = cellsOf(field)
  const columns = cells.parts.map((part, at): Column => {
    const write = (record: NounRecord) => textsOf(cells, record[name])?.[at] ?? ''
    return {
      name: columnName(name, part),
      label: columnLabel(name, field, part),
      write: cells.isText ? record => defused(write(record)) : write,
    }
  })
  const { of } = field
  if (of === undefined) return columns
  const title = (titles: Titles, id: string | number) => titles[of]?.[id]?.title ?? ''
  return [
    ...columns,
    {
      name: columnName(name, 'title'),
      label: columnLabel(name, field, 'title'),
      write: (record, titles) =>
        defused(
          idsNamed(field, record[name])
            .map(id => title(titles, id))
            .join('; '),
        ),
    },
  ]
}

function textsOf(cells: Cells, value: unknown): readonly string[] | undefined {
  const isEmpty = value === null || value === undefined || (Array.isArray(value) && value.length === 0)
  return isEmpty ? undefined : cells.write(value)
}
