// Tables of records, and how more of them is fetched.
import { pluralOf, singularOf } from '@tandem/catalog/plural'
import { useNavigate } from '@tanstack/react-router'
import type { MouseEvent, ReactNode } from 'react'
import { Button, classes, TextLink } from './button.tsx'
import type { Tone } from './chips.tsx'
import { countText } from './format.tsx'
import styles from './table.module.css'

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

/** Route and parameters of the page a row opens. */
export type RowLink = { to: string; params: Record<string, string> }

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
                <td key={column.key} className={cellClass(column)}>
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

export type LoadMoreProps = {
  shown: number
  noun: string
  hasMore: boolean
  busy: boolean
  onMore(): void
}

/** The foot of a list by cursor: how many are shown, and more. */
export function LoadMore({ shown, noun, hasMore, busy, onMore }: LoadMoreProps) {
  return (
    <div className={styles['foot']}>
      <span>
        {countText(shown)} {shown === 1 ? singularOf(noun) : noun} shown{hasMore ? '' : ', no older ones'}
      </span>
      {hasMore && (
        <Button size="sm" busy={busy} onClick={onMore}>
          Show older
        </Button>
      )}
    </div>
  )
}

/** Says that a live list has more at its top than it shows, and shows them when asked: nothing moves by itself. */
export function NewOnTop({ count, noun, onShow }: { count: number; noun: string; onShow(): void }) {
  return (
    <div role="status">
      {count > 0 && (
        <div className={styles['new']}>
          <Button size="sm" variant="ghost" onClick={onShow}>
            {count === 1 ? `Show 1 new ${noun}` : `Show ${countText(count)} new ${pluralOf(noun)}`}
          </Button>
        </div>
      )}
    </div>
  )
}
