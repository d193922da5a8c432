// Tables of what belongs to one thing: parts of a message, legs of a call, lines of an invoice. Lists have a table of their own (lists/).
import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { classes, TextLink } from './button.tsx'
import type { Tone } from './chips.tsx'
import styles from './data_table.module.css'
import type { RowLink } from './table.tsx'

export type Column<Row> = {
  key: string
  header: string
  render(row: Row): ReactNode
  align?: 'end'
  /** Left out where the screen is narrow. */
  hideOnNarrow?: boolean
  /** Kept in one line: numbers, states. */
  nowrap?: boolean
}

export type DataTableProps<Row> = {
  /** What the table shows; read by screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey(row: Row): string
  /** Opens a row: a press anywhere on it, and a button around its first cell for the keyboard. */
  onOpen?(row: Row): void
  /** The same for rows with an address of their own: a link, which can be opened in another tab and copied. */
  rowLink?(row: Row): RowLink
  /** The name of that button or link, such as "Open message msg_1". */
  openLabel?(row: Row): string
  /** Shown under the first cell where the screen is narrow, in place of columns that are left out there. */
  subline?(row: Row): ReactNode
  rowTone?(row: Row): Tone | undefined
  selectedKey?: string
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const { caption, columns, rows, rowKey, rowLink, openLabel, subline, rowTone, selectedKey } = props
  const navigate = useNavigate()
  const onOpen = props.onOpen ?? (rowLink && ((row: Row) => void navigate(rowLink(row) as { to: '/' })))
  const pressed = (event: MouseEvent, row: Row) => {
    // What is pressed in a menu or dialog that the row opened comes here too: React bubbles by components, not by place.
    if (!event.currentTarget.contains(event.target as Node)) return
    // A press on a control inside the row, or the end of a selection of text, is not meant for the row.
    if ((event.target as Element).closest('a, button, input, select, label')) return
    if (window.getSelection()?.toString()) return
    onOpen?.(row)
  }
  return (
    // A region that scrolls sideways must be reachable by the keyboard (WCAG 2.1.1).
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className={styles['scroll']} aria-label={caption} tabIndex={0}>
      <table className={styles['table']}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map(column => (
              <th key={column.key} scope="col" className={cellClass(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr
              key={rowKey(row)}
              className={onOpen && styles['opens']}
              data-tone={rowTone?.(row)}
              data-selected={selectedKey === rowKey(row) || undefined}
              onClick={onOpen && (event => pressed(event, row))}
            >
              {columns.map((column, index) => (
                <td key={column.key} className={cellClass(column)} dir="auto">
                  {index === 0 && rowLink ? (
                    <TextLink
                      {...(rowLink(row) as { to: '/' })}
                      className={styles['open']}
                      aria-label={openLabel?.(row)}
                    >
                      {column.render(row)}
                    </TextLink>
                  ) : index === 0 && onOpen ? (
                    <button
                      type="button"
                      className={styles['open']}
                      aria-label={openLabel?.(row)}
                      onClick={() => onOpen(row)}
                    >
                      {column.render(row)}
                    </button>
                  ) : (
                    column.render(row)
                  )}
                  {index === 0 && subline && <div className={styles['subline']}>{subline(row)}</div>}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function cellClass<Row>({ align, hideOnNarrow, nowrap }: Column<Row>): string | undefined {
  const names = [align === 'end' && styles['end'], hideOnNarrow && styles['wide'], nowrap && styles['nowrap']]
  return classes(...names) || undefined
}
