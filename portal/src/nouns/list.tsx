// The list of a noun's records: searched, filtered, sorted by several columns, as a table or on a board; with what can be done to those
// that are selected. Keys: j and k walk, x selects, e edits, c creates, / searches.
import { useNavigate } from '@tanstack/react-router'
import { Inbox, Plus, X } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { useColumns } from '../lists/columns.ts'
import { ColumnsButton } from '../lists/columns_button.tsx'
import { Refused } from '../navigation/fallbacks.tsx'
import type { Params } from '../navigation/params.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { Button, PageHeader, SegmentedControl, Toolbar, toast } from '../ui/index.ts'
import { useLanguage } from '../words/language.ts'
import { byLanguage } from '../words/words.ts'
import { spoken } from './described/spoken.ts'
import type { Drafts } from './drafts.ts'
import { AllFilters, GroupSelect, ToolbarFilters } from './filter_fields.tsx'
import type { EditFormProps, Saved } from './form.tsx'
import { ListTable } from './list_table.tsx'
import {
  aOne,
  isBatched,
  type NounDescription,
  type NounField,
  type NounRecord,
  pathOf,
  permissionOf,
  titleOf,
  upper,
} from './noun.ts'
import { Board, CreateForm, ListTools, TagFilterChips } from './parts.ts'
import { useMayChange } from './rights.ts'
import { t } from './texts.ts'
import { boardOf, columnSetOf, filtersOf, sortOf, sortText } from './view_state.ts'

export type NounListProps = {
  noun: NounDescription
  description?: ReactNode
  /** Beside "Create". */
  actions?: ReactNode
  /** Forms of its own, in place of those of the fields. */
  createForm?: ComponentType<{ onClose(): void; onSaved(saved: Saved): void }>
  editForm?: ComponentType<EditFormProps>
  /** A move on the board that asks for more; answers whether it did. */
  onMove?(record: NounRecord, to: string): boolean
  mayMove?(record: NounRecord, to: string): boolean
  /** Between the filters and the records: what these come to as they are filtered. */
  summary?(filters: Readonly<Record<string, string>>): ReactNode
  /** Draws a cell of the table by other means; undefined where it is drawn as usual. */
  cell?(field: NounField, record: NounRecord): ReactNode
}

export function NounList(props: NounListProps) {
  const { permissions } = useSession()
  useLanguage()
  const noun = spoken(props.noun)
  const needed = permissionOf(noun, 'read')
  if (!permissions.has(needed)) return <Refused title={upper(noun.words.many)} />
  return <List {...props} noun={noun} />
}

const layouts = byLanguage(
  () =>
    [
      { value: 'table', label: t('table') },
      { value: 'board', label: t('board') },
    ] as const,
)

function List(props: NounListProps) {
  const { noun, description = noun.about, actions } = props
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const set = columnSetOf(noun)
  const { columns, choose } = useColumns(set)
  const filters = filtersOf(noun, params)
  const sort = sortOf(noun, params)
  const boardField = noun.fields.find(({ name }) => name === params['group']) ?? boardOf(noun)
  const isBoard = params['layout'] === 'board' && boardField !== undefined
  const mayCreate = noun.verbs.includes('create') && permissions.has(permissionOf(noun, 'create'))
  const mayEdit = useMayChange(noun)
  const create = () => change({ create: '1' }, { push: true })
  const createButton = mayCreate && (
    <Button variant="primary" icon={<Plus size={14} />} onClick={create}>
      {t('create', { a: aOne(noun) })}
    </Button>
  )
  const order = sortText(sort) || noun.sort
  const query = { ...filters, ...(order !== undefined && { sort: order }) }
  return (
    <>
      <PageHeader
        title={upper(noun.words.many)}
        description={description}
        actions={
          <>
            {actions}
            {createButton}
          </>
        }
      />
      <ListToolbar
        noun={noun}
        params={params}
        onChange={change}
        board={boardField}
        isBoard={isBoard}
        columnsButton={<ColumnsButton set={set} columns={columns} onChoose={choose} />}
      >
        <ListTools noun={noun} params={params} columns={columns} query={query} onParams={change} onColumns={choose} />
      </ListToolbar>
      {(params['tags'] ?? params['tags[all]']) !== undefined && <TagFilterChips params={params} onChange={change} />}
      {props.summary?.(filters)}
      {isBoard ? (
        <Board
          noun={noun}
          field={boardField}
          query={query}
          mayEdit={mayEdit}
          {...(props.onMove && { onMove: props.onMove })}
          {...(props.mayMove && { mayMove: props.mayMove })}
        />
      ) : (
        <ListTable
          noun={noun}
          params={params}
          columns={columns}
          mayEdit={mayEdit}
          {...(props.cell && { cell: props.cell })}
          mayMove={props.mayMove}
          query={query}
          onColumns={choose}
          onParams={change}
          onCreate={mayCreate ? create : undefined}
          editForm={props.editForm}
          empty={{
            icon: <Inbox size={20} />,
            title: params['deleted'] === 'true' ? t('trashEmpty') : t('listEmpty', { many: noun.words.many }),
            ...(params['deleted'] !== 'true' && mayCreate && { text: howToBegin(noun), action: createButton }),
          }}
        />
      )}
      {params['create'] !== undefined && mayCreate && <Creation {...props} />}
    </>
  )
}

const howToBegin = ({ verbs }: NounDescription) => t(verbs.includes('import') ? 'howToBeginImport' : 'howToBegin')

type ListToolbarProps = {
  noun: NounDescription
  params: Params
  onChange(patch: Params): void
  /** What a board has columns for, where there may be one. */
  board: NounField | undefined
  isBoard: boolean
  columnsButton: ReactNode
  children?: ReactNode
}

function ListToolbar({ noun, params, onChange, board, isBoard, columnsButton, children }: ListToolbarProps) {
  return (
    <Toolbar
      label={t('toolbar', { many: noun.words.many })}
      tools={
        <>
          <AllFilters noun={noun} params={params} onChange={onChange} count={countOf(filtersOf(noun, params), noun)} />
          <TrashToggle noun={noun} params={params} onChange={onChange} />
          {board !== undefined && (
            <SegmentedControl
              label={t('layout')}
              options={layouts()}
              value={isBoard ? 'board' : 'table'}
              onChange={value => onChange({ layout: value === 'board' ? value : undefined })}
            />
          )}
          {isBoard && board !== undefined ? (
            <GroupSelect noun={noun} value={board.name} onChange={group => onChange({ group })} />
          ) : (
            columnsButton
          )}
          {children}
        </>
      }
    >
      <ToolbarFilters noun={noun} params={params} onChange={onChange} />
      {isBatched(noun) && params['batch_id'] !== undefined && (
        <Button icon={<X size={14} />} onClick={() => onChange({ batch_id: undefined })}>
          {t('oneBatch')}
        </Button>
      )}
    </Toolbar>
  )
}

function Creation({ noun, createForm: Own }: NounListProps) {
  const navigate = useNavigate()
  const [params, change] = useParamsOfAddress()
  const form = {
    onClose: () => change({ create: undefined, with: undefined }),
    onSaved({ record: made }: Saved) {
      toast({ text: t('created', { name: titleOf(noun, made) }) })
      void navigate({ to: `${pathOf(noun)}/$id` as '/leads/$id', params: { id: String(made.id) }, replace: true })
    },
  }
  if (Own !== undefined) return <Own {...form} />
  return <CreateForm noun={noun} start={startOf(noun, params['with'])} {...form} />
}

/** What a form begins with where a record is created from the page of another: `company_id:cmp_…`. */
function startOf(noun: NounDescription, text: string | undefined): Drafts {
  const [, name = '', id = ''] = /^(\w+):(\w+)$/.exec(text ?? '') ?? []
  const field = noun.fields.find(one => one.name === name)
  if (field?.kind === 'refs') return { [name]: [{ value: id, label: '', is_primary: true }] }
  return field?.kind === 'ref' ? { [name]: id } : {}
}

/** Filters that the toolbar shows by other means. */
const shownApart = ['q', 'deleted', 'batch_id']

/** Filters that the toolbar does not show. */
function countOf(filters: Readonly<Record<string, string>>, { facets }: NounDescription): number {
  return Object.keys(filters).filter(name => !shownApart.includes(name) && !facets.includes(name)).length
}

function TrashToggle({
  noun,
  params,
  onChange,
}: {
  noun: NounDescription
  params: Params
  onChange(patch: Params): void
}) {
  const { permissions } = useSession()
  if (!noun.verbs.includes('restore') || !permissions.has(permissionOf(noun, 'delete'))) return null
  const isTrash = params['deleted'] === 'true'
  return (
    <Button aria-pressed={isTrash} onClick={() => onChange({ deleted: isTrash ? undefined : 'true' })}>
      {t('trash')}
    </Button>
  )
}
