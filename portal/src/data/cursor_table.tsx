// The table of nearly every list of v2: newest first, turned by cursor, whatever state the list is in.
import { DataTable, type DataTableProps } from '../ui/data_table.tsx'
import { type EmptyStateProps, ListStates, LoadMore } from '../ui/index.ts'
import type { CursorList } from './lists.ts'
import { t } from './texts.ts'

export type CursorTableProps<Row> = Omit<DataTableProps<Row>, 'rows'> & {
  list: CursorList<Row>
  empty: EmptyStateProps
  isFiltered?: boolean
  onClearFilters?(): void
}

/** A list by cursor in whatever state it is: loading, failed, empty, or the table with its foot. */
export function CursorTable<Row>(props: CursorTableProps<Row>) {
  const { list, empty, isFiltered = false, onClearFilters = () => undefined, ...table } = props
  return (
    <ListStates
      label={t('loading')}
      query={list.query}
      isEmpty={list.items.length === 0}
      isFiltered={isFiltered}
      onClearFilters={onClearFilters}
      empty={empty}
    >
      <DataTable {...table} rows={list.items} />
      <LoadMore shown={list.items.length} hasMore={list.hasMore} busy={list.loadingMore} onMore={list.loadMore} />
    </ListStates>
  )
}
