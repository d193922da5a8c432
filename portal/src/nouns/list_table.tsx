// The table of a list: its rows, what is done with those that are selected, and the form that edits one.
import { type ComponentType, useState } from 'react'
import record from '../data/record.module.css'
import { type Params, without } from '../navigation/params.ts'
import type { useParamsOfAddress } from '../navigation/search_params.ts'
import { useListKeys } from '../navigation/shortcuts.ts'
import { Card, countText, ListStates, NewOnTop, toast } from '../ui/index.ts'
import { BulkBar } from './bulk_bar.tsx'
import type { EditFormProps } from './form.tsx'
import { fieldNamed, isSelectable, type NounDescription, type NounRecord, recordIdOf, titleOf } from './noun.ts'
import styles from './nouns.module.css'
import { EditForm } from './parts.ts'
import { useRecords } from './records.ts'
import { RecordsTable, type RecordsTableProps } from './table.tsx'
import { useTagsOf } from './tagging/use_tags.ts'
import { type ColumnChoice, filtersOf, nextSort, sortOf, sortText } from './view_state.ts'

export type ListTableProps = {
  noun: NounDescription
  params: Params
  columns: readonly ColumnChoice[]
  mayEdit: RecordsTableProps['mayEdit']
  query: Readonly<Record<string, string>>
  cell?: RecordsTableProps['cell']
  onColumns(columns: readonly ColumnChoice[]): void
  onParams: ReturnType<typeof useParamsOfAddress>[1]
  onCreate: (() => void) | undefined
  /** A form of its own, in place of that of the fields. */
  editForm?: ComponentType<EditFormProps> | undefined
  empty: Parameters<typeof ListStates>[0]['empty']
}

export function ListTable({
  noun,
  params,
  columns,
  mayEdit,
  query,
  onColumns,
  onParams,
  onCreate,
  editForm: Edit = EditForm,
  empty,
  cell,
}: ListTableProps) {
  const list = useRecords(noun, query)
  const records = useTagged(noun, list.records, columns)
  const sort = sortOf(noun, params)
  const filters = filtersOf(noun, params)
  const [edited, setEdited] = useState<NounRecord>()
  const listed = new URLSearchParams(query).toString()
  const { selected, setSelected, active, setActive, walked } = useWalk(noun, records, {
    listed,
    onEdit: record => mayEdit(record) && setEdited(record),
    onCreate,
  })
  const chosen = records.filter(({ id }) => selected.has(String(id)))
  return (
    <>
      {chosen.length > 0 && <BulkBar noun={noun} records={chosen} onClear={() => setSelected(new Set())} />}
      <Card flush className={list.query.isPlaceholderData ? record['dim'] : undefined}>
        <NewOnTop count={list.unseen} noun={noun.words.one} onShow={list.show} />
        <ListStates
          label={`Loading ${noun.words.many}`}
          query={list.query}
          isEmpty={records.length === 0}
          isFiltered={Object.keys(filters).some(name => name !== 'deleted')}
          onClearFilters={() => onParams(without(Object.keys(filters)))}
          empty={empty}
        >
          <RecordsTable
            noun={noun}
            records={records}
            query={listed}
            columns={columns}
            sort={sort}
            selected={selected}
            active={active}
            walked={walked}
            mayEdit={mayEdit}
            {...(cell && { cell })}
            onSort={(name, adds) => {
              const next = sortText(nextSort(sort, name, adds))
              onParams({ sort: next === '' || next === noun.sort ? undefined : next })
            }}
            onResize={(name, width) =>
              onColumns(columns.map(column => (column.name === name ? { name, width } : column)))
            }
            onSelect={setSelected}
            onActive={setActive}
            onSaved={list.put}
            onEnd={() => list.query.hasNextPage && !list.query.isFetching && void list.query.fetchNextPage()}
          />
          <Foot list={list} />
        </ListStates>
      </Card>
      {edited !== undefined && (
        <Edit
          noun={noun}
          record={edited}
          onClose={() => setEdited(undefined)}
          onSaved={({ record: saved }) => {
            list.put(saved)
            setEdited(undefined)
            toast({ text: `${titleOf(noun, saved)} was saved.` })
          }}
        />
      )}
    </>
  )
}

function Foot({ list: { records, total, isExact, query } }: { list: ReturnType<typeof useRecords> }) {
  return (
    <p className={styles['foot']}>
      {`${countText(records.length)} of ${countText(total, isExact)}`}
      {query.isFetchingNextPage && ', loading more'}
    </p>
  )
}

/** The records with their tags, where a column shows these. */
function useTagged(noun: NounDescription, records: readonly NounRecord[], columns: readonly ColumnChoice[]) {
  const isShown = columns.some(({ name }) => fieldNamed(noun, name)?.kind === 'tags')
  const tags = useTagsOf(noun, records, isShown)
  return isShown ? records.map(one => ({ ...one, tags: tags.get(recordIdOf(noun, one.id)) })) : records
}

type WalkOptions = {
  /** What is listed, in which order. */
  listed: string
  onEdit(record: NounRecord): unknown
  onCreate: (() => void) | undefined
}

/**
 * The row that the keyboard is at, and those that are selected. The row is that of its record while others come and go above it, and the
 * next one where it is gone; in another list, or another order, there is none.
 */
function useWalk(noun: NounDescription, records: readonly NounRecord[], { listed, onEdit, onCreate }: WalkOptions) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [place, setPlace] = useState<{ id: string; index: number; listed: string }>()
  const [walked, setWalked] = useState(0)
  const active = activeOf(records, place?.listed === listed ? place : undefined)
  const current = records[active]
  const setActive = (index: number) => {
    const next = records[index]
    if (next !== undefined) setPlace({ id: String(next.id), index, listed })
  }
  const walk = (by: number) => {
    setActive(Math.max(0, Math.min(records.length - 1, active + by)))
    setWalked(times => times + 1)
  }
  useListKeys({
    j: () => walk(1),
    k: () => walk(-1),
    x() {
      if (current === undefined || !isSelectable(noun)) return
      const id = String(current.id)
      setSelected(selected.has(id) ? selected.difference(new Set([id])) : new Set([...selected, id]))
    },
    e: () => current !== undefined && onEdit(current),
    c: () => onCreate?.(),
  })
  return { selected, setSelected, active, setActive, walked }
}

function activeOf(records: readonly NounRecord[], place: { id: string; index: number } | undefined): number {
  if (place === undefined) return -1
  const found = records.findIndex(({ id }) => String(id) === place.id)
  return found === -1 ? Math.min(place.index, records.length - 1) : found
}
