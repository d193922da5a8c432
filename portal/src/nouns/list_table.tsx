// The table of a noun's list: its fields as columns, what is done with the records that are selected, and the form that edits one.
import { type ComponentType, type ReactNode, useState } from 'react'
import record from '../data/record.module.css'
import type { ColumnChoice } from '../lists/columns.ts'
import { Table, type TableColumn } from '../lists/table.tsx'
import { type Params, without } from '../navigation/params.ts'
import type { useParamsOfAddress } from '../navigation/search_params.ts'
import { useListKeys } from '../navigation/shortcuts.ts'
import { Card, countText, ListStates, NewOnTop, toast } from '../ui/index.ts'
import { BulkBar } from './bulk_bar.tsx'
import type { EditFormProps } from './form.tsx'
import { InlineEditor } from './inline_editor.tsx'
import {
  fieldNamed,
  fieldValue,
  isSelectable,
  type NounDescription,
  type NounField,
  type NounRecord,
  pathOf,
  recordIdOf,
  titleOf,
  upper,
  within,
} from './noun.ts'
import styles from './nouns.module.css'
import { EditForm } from './parts.ts'
import { useRecords } from './records.ts'
import { useTagsOf } from './tagging/use_tags.ts'
import { t } from './texts.ts'
import { FieldValue } from './values.tsx'
import { filtersOf, nextSort, sortOf, sortText } from './view_state.ts'

export type ListTableProps = {
  noun: NounDescription
  params: Params
  columns: readonly ColumnChoice[]
  mayEdit(record: NounRecord, field?: NounField): boolean
  query: Readonly<Record<string, string>>
  /** Draws a cell by other means; undefined where it is drawn as usual. */
  cell?(field: NounField, record: NounRecord): ReactNode
  mayMove?: ((record: NounRecord, to: string) => boolean) | undefined
  onColumns(columns: readonly ColumnChoice[]): void
  onParams: ReturnType<typeof useParamsOfAddress>[1]
  onCreate: (() => void) | undefined
  /** A form of its own, in place of that of the fields. */
  editForm?: ComponentType<EditFormProps> | undefined
  empty: Parameters<typeof ListStates>[0]['empty']
}

export function ListTable(props: ListTableProps) {
  const { noun, params, columns, mayEdit, query, onColumns, onParams, editForm: Edit = EditForm } = props
  const list = useRecords(noun, query)
  const records = useTagged(noun, list.records, columns)
  const sort = sortOf(noun, params)
  const filters = filtersOf(noun, params)
  const [edited, setEdited] = useState<NounRecord>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  useListKeys({ c: () => props.onCreate?.() })
  const saved: EditFormProps['onSaved'] = ({ record: after }) => {
    list.put(after)
    setEdited(undefined)
    toast({ text: t('saved', { name: titleOf(noun, after) }) })
  }
  const chosen = records.filter(({ id }) => selected.has(String(id)))
  return (
    <>
      {chosen.length > 0 && (
        <BulkBar noun={noun} records={chosen} mayMove={props.mayMove} onClear={() => setSelected(new Set())} />
      )}
      <Card flush className={list.query.isPlaceholderData ? record['dim'] : undefined}>
        <NewOnTop count={list.unseen} onShow={list.show} />
        <ListStates
          label={t('loadingMany', { many: noun.words.many })}
          query={list.query}
          isEmpty={records.length === 0}
          isFiltered={Object.keys(filters).some(name => name !== 'deleted')}
          onClearFilters={() => onParams(without(Object.keys(filters)))}
          empty={props.empty}
        >
          <Table
            caption={upper(noun.words.many)}
            listed={new URLSearchParams(query).toString()}
            columns={tableColumns(props)}
            rows={records}
            idOf={({ id }) => String(id)}
            opens={{
              label: one => t('open', { name: titleOf(noun, one) }),
              link: ({ id }) => ({ to: `${pathOf(noun)}/$id`, params: { id: String(id) } }),
            }}
            onEdit={one => mayEdit(one) && setEdited(one)}
            onResize={(name, width) =>
              onColumns(columns.map(column => (column.name === name ? { name, width } : column)))
            }
            onEnd={() => list.query.hasNextPage && !list.query.isFetching && void list.query.fetchNextPage()}
            selection={
              isSelectable(noun) ? { selected, titleOf: one => titleOf(noun, one), onSelect: setSelected } : undefined
            }
            sorting={{
              keys: sort,
              onSort(name, adds) {
                const next = sortText(nextSort(sort, name, adds))
                onParams({ sort: next === '' || next === noun.sort ? undefined : next })
              },
            }}
            editing={editingOf(props, list.put)}
          />
          <Foot list={list} />
        </ListStates>
      </Card>
      {edited !== undefined && (
        <Edit noun={noun} record={edited} onClose={() => setEdited(undefined)} onSaved={saved} />
      )}
    </>
  )
}

/** How wide columns are until somebody chooses another width, by their kinds. */
const standardPx: Record<string, number> = {
  text: 180,
  emails: 210,
  email: 180,
  phones: 150,
  phone: 200,
  choice: 120,
  state: 130,
  money: 160,
  long_text: 260,
  tags: 220,
}

function tableColumns({ noun, columns, cell }: ListTableProps): TableColumn<NounRecord>[] {
  const known = columns.flatMap(({ name, width }) => {
    const field = fieldNamed(noun, name)
    return field === undefined ? [] : [{ field, width }]
  })
  return known.map(({ field, width }, place) => {
    const { name, label, kind, sortable = false } = field
    const usual = (one: NounRecord) => <FieldValue field={field} value={fieldValue(field, one)} compact />
    return {
      name,
      label,
      px: width ?? field.px ?? standardPx[kind] ?? 140,
      isResized: width !== undefined,
      align: kind === 'money' || kind === 'integer' ? 'end' : undefined,
      sortable,
      cell: one =>
        place > 0 ? (cell?.(field, one) ?? usual(one)) : name === noun.title ? titleOf(noun, one) : usual(one),
    }
  })
}

function editingOf({ noun, mayEdit }: ListTableProps, onSaved: (record: NounRecord) => void) {
  const editor = (one: NounRecord, name: string, onClose: () => void) => {
    const field = fieldNamed(noun, name)
    if (field === undefined) return null
    const saved = (after: NounRecord) => {
      onSaved(after)
      onClose()
    }
    return <InlineEditor noun={noun} record={one} field={field} onClose={onClose} onSaved={saved} />
  }
  return {
    editor,
    mayEdit: (one: NounRecord, name: string) => mayEdit(one, fieldNamed(noun, name)),
    labelOf: (one: NounRecord, name: string) =>
      t('editOf', { field: within(fieldNamed(noun, name)?.label ?? name), name: titleOf(noun, one) }),
  }
}

function Foot({ list: { records, total, isExact, query } }: { list: ReturnType<typeof useRecords> }) {
  return (
    <p className={styles['foot']}>
      {t(query.isFetchingNextPage ? 'shownMore' : 'shown', {
        count: countText(records.length),
        total: countText(total, isExact),
      })}
    </p>
  )
}

/** The records with their tags, where a column shows these. */
function useTagged(noun: NounDescription, records: readonly NounRecord[], columns: readonly ColumnChoice[]) {
  const isShown = columns.some(({ name }) => fieldNamed(noun, name)?.kind === 'tags')
  const tags = useTagsOf(noun, records, isShown)
  return isShown ? records.map(one => ({ ...one, tags: tags.get(recordIdOf(noun, one.id)) })) : records
}
