// The list of a v2 resource, drawn from what its screen declares (`resource.ts`): newest first, turned by cursor, followed by the stream.
// Keys: j and k walk, Enter or o opens, c creates, e edits, / searches.
import { useNavigate, useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { ComponentType, ReactNode } from 'react'
import { type CursorList, useCursorList } from '../data/lists.ts'
import { useLiveRecords } from '../data/live_records.ts'
import { useCurrentScreen } from '../navigation/current_screen.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useInspect } from '../navigation/inspect.ts'
import { chosenOf, without } from '../navigation/params.ts'
import type { NamedScreen } from '../navigation/screen.ts'
import { ScreenIcon } from '../navigation/screen_icon.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useListKeys } from '../navigation/shortcuts.ts'
import { usePeople } from '../people/who.ts'
import { useApi } from '../session/api.ts'
import { type Mode, useSession } from '../session/session.ts'
import {
  Button,
  ButtonLink,
  Card,
  CodeLink,
  countText,
  IdLink,
  ListStates,
  LoadMore,
  NewOnTop,
  PageHeader,
  StatusChip,
  Time,
  Toolbar,
  toast,
} from '../ui/index.ts'
import { type ColumnChoice, type ColumnSet, useColumns } from './columns.ts'
import { ColumnsButton } from './columns_button.tsx'
import { HoldsDialog } from './held_dialog.tsx'
import type { Creation, Resource, ResourceColumn } from './resource.ts'
import { askedOf, fitsAll, ResourceFilters } from './resource_filters.tsx'
import { Table, type TableColumn, type TableProps } from './table.tsx'
import { t } from './texts.ts'

/** What has texts is made by the language that was chosen: `byLanguage(() => ({ … }))`. */
export type ResourceScreenProps<Item> = {
  of: Resource<Item> | (() => Resource<Item>)
  page?: ComponentType<{ id: string }>
}

/** The list, or the page of the one that the address names. */
export function ResourceScreen<Item>({ of, page: Page }: ResourceScreenProps<Item>) {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions } = useSession()
  const screen = useCurrentScreen()
  const { name, needs } = screen
  if (needs !== undefined && !permissions.has(needs)) return <Refused title={name} />
  if (id !== undefined && Page !== undefined) return <Page key={id} id={id} />
  return (
    <HoldsDialog>
      <ResourceList of={{ ...(typeof of === 'function' ? of() : of), screen }} />
    </HoldsDialog>
  )
}

type Drawn<Item> = Resource<Item> & { screen: NamedScreen }

const pageSize = 50

function ResourceList<Item>({ of }: { of: Drawn<Item> }) {
  const { screen, many, things = many, filters = [], create, live, useNews, byTime = true, Dialogs } = of
  const api = useApi()
  const { mode } = useSession()
  const [params, change] = useParamsOfAddress()
  const names = filters.map(({ name }) => name)
  const chosen = chosenOf(params, names)
  const asked = { ...askedOf(filters, chosen), limit: pageSize }
  const list = useCursorList<Item>(many, chosen, (cursor, signal) =>
    of.from(api)({ ...asked, ...(cursor !== undefined && { cursor }) } as never, { signal }),
  )
  usePeople(list.items, of.addressesOf)
  const set = columnSetOf(of, mode)
  const { columns, choose } = useColumns(set)
  const creation = useCreation(create)
  const opening = useOpening(of)
  const table = useTableColumns(of, columns)
  return (
    <>
      <PageHeader
        title={screen.name}
        description={of.about}
        actions={
          <>
            {of.tools}
            {creation.button}
          </>
        }
      />
      <Toolbar label={t('filters', { things })}>
        <ResourceFilters filters={filters} params={params} onChange={change} />
        <ColumnsButton set={set} columns={columns} onChoose={choose} />
      </Toolbar>
      <Card flush>
        {live !== undefined && <News list={list} live={live} of={of} fits={item => fitsAll(filters, chosen, item)} />}
        {useNews !== undefined && <Following list={list} useNews={useNews} />}
        <ListStates
          label={t('loading', { things })}
          query={list.query}
          isEmpty={list.items.length === 0}
          isFiltered={Object.keys(chosen).length > 0}
          onClearFilters={() => change(without(names))}
          empty={emptyOf(of, { mode, mayCreate: creation.may }, creation.button)}
        >
          <Table
            caption={screen.name}
            listed={JSON.stringify([mode, chosen])}
            columns={table}
            rows={list.items}
            idOf={item => String(item[of.id])}
            {...opening}
            toneOf={of.toneOf}
            onResize={(name, width) => choose(columns.map(one => (one.name === name ? { name, width } : one)))}
            onEnd={() => list.hasMore && !list.loadingMore && list.loadMore()}
          />
          <LoadMore
            shown={list.items.length}
            hasMore={list.hasMore}
            busy={list.loadingMore}
            byTime={byTime}
            onMore={list.loadMore}
          />
        </ListStates>
      </Card>
      {of.below}
      {creation.may && create?.Form !== undefined && params[create.param ?? 'create'] !== undefined && (
        <CreationForm of={of} create={create} Form={create.Form} />
      )}
      {Dialogs !== undefined && <Dialogs items={list.items} />}
    </>
  )
}

function emptyOf<Item>(
  { many, things = many, screen, empty }: Drawn<Item>,
  now: { mode: Mode; mayCreate: boolean },
  button: ReactNode,
) {
  const action = (button !== null || empty.action !== undefined) && {
    action: (
      <>
        {button}
        {empty.action}
      </>
    ),
  }
  return {
    title: t('empty', { things }),
    icon: <ScreenIcon id={screen.id} size={20} />,
    ...empty,
    text: typeof empty.text === 'string' ? empty.text : empty.text(now),
    ...action,
  }
}

/** Whether one may create, and the button and the key c that begin it. */
function useCreation<Item>(create: Creation<Item> | undefined) {
  const { permissions } = useSession()
  const navigate = useNavigate()
  const [, change] = useParamsOfAddress()
  const may = create !== undefined && (create.needs === undefined || permissions.has(create.needs))
  const begin = () => {
    if (create?.link !== undefined) void navigate(create.link as { to: '/' })
    else change({ [create?.param ?? 'create']: '1' }, { push: true })
  }
  useListKeys({ c: () => may && begin() })
  if (!may) return { may, button: null }
  const { label, link, icon = <Plus size={14} /> } = create
  const shared = { variant: 'primary', icon, children: label } as const
  return {
    may,
    button:
      link === undefined ? (
        <Button {...shared} onClick={begin} />
      ) : (
        <ButtonLink {...(link as { to: '/' })} {...shared} />
      ),
  }
}

type CreationFormProps<Item> = { of: Drawn<Item>; create: Creation<Item>; Form: NonNullable<Creation<Item>['Form']> }
function CreationForm<Item>({ of, create, Form }: CreationFormProps<Item>) {
  const navigate = useNavigate()
  const [, change] = useParamsOfAddress()
  const close = () => change({ [create.param ?? 'create']: undefined })
  const link = linkOf(of)
  const saved = (made: Item) => {
    if (create.saved !== undefined) toast({ text: create.saved(made) })
    if (link === undefined) close()
    else void navigate({ ...(link(made) as { to: '/' }), search: {}, replace: true })
  }
  return <Form onClose={close} onSaved={saved} />
}

/** The page of a row, where the screen has such. */
function linkOf<Item>({ screen: { path, pages = [] }, id }: Drawn<Item>) {
  const to = `${path}/$id`
  return pages.some(page => page.path === to) ? (item: Item) => ({ to, params: { id: String(item[id]) } }) : undefined
}

/** What a row opens: its page, else the form that edits it for those who may, else the inspector. */
function useOpening<Item>(of: Drawn<Item>): Pick<TableProps<Item>, 'opens' | 'onEdit'> {
  const { permissions } = useSession()
  const { inspect } = useInspect()
  const [, change] = useParamsOfAddress()
  const { pageOf, opened } = of
  if (pageOf !== undefined) {
    const press = (item: Item) => opened !== undefined && change({ [opened]: String(item[of.id]) }, { push: true })
    return { opens: { label: item => t('open', { name: of.nameOf(item) }), link: pageOf, press } }
  }
  const link = linkOf(of)
  if (link !== undefined) return { opens: { label: item => t('open', { name: of.nameOf(item) }), link } }
  if (of.edit === undefined || !permissions.has(of.edit))
    return {
      opens: { label: item => t('inspect', { name: of.nameOf(item) }), press: item => inspect(String(item[of.id])) },
    }
  const edit = (item: Item) => change({ edit: String(item[of.id]) }, { push: true })
  return { opens: { label: item => t('edit', { name: of.nameOf(item) }), press: edit }, onEdit: edit }
}

/** Of narrow screens, those that stand there at first are fewer. */
function columnSetOf<Item>({ many, columns }: Resource<Item>, mode: Mode): ColumnSet {
  const isNarrow = window.matchMedia('(max-width: 720px)').matches
  const offered = columns.filter(column => (column.mode ?? mode) === mode)
  const usual = offered.filter(({ atFirst }) => atFirst === undefined || (atFirst === 'wide' && !isNarrow))
  return { list: many, columns: offered, usual: usual.map(({ name }) => name) }
}

const standardPx = { text: 160, time: 130, status: 140, count: 110, id: 105 }

function useTableColumns<Item>(
  { columns, actions }: Resource<Item>,
  chosen: readonly ColumnChoice[],
): TableColumn<Item>[] {
  const { permissions } = useSession()
  const shown = chosen.flatMap(({ name, width }): TableColumn<Item>[] => {
    const column = columns.find(one => one.name === name)
    if (column === undefined) return []
    const { label, kind = 'text', px = standardPx[kind], align = kind === 'count' ? 'end' : undefined } = column
    const hasControls = column.hasControls ?? (kind === 'id' || column.code !== undefined)
    return [
      {
        ...{ name, label, px: width ?? px, isResized: width !== undefined, align, hasControls },
        cell: item => column.cell?.(item) || shownOf(column, item),
      },
    ]
  })
  if (actions === undefined || (actions.needs !== undefined && !permissions.has(actions.needs))) return shown
  return [...shown, { name: 'actions', label: t('actions'), px: actions.px, fixed: true, cell: actions.cell }]
}

function shownOf<Item>({ name, kind, code, cell }: ResourceColumn<Item>, item: Item): ReactNode {
  const value = cell === undefined ? (item as Readonly<Record<string, unknown>>)[name] : null
  if (value === null || value === undefined || value === '') return '–'
  if (kind === 'time') return <Time iso={String(value)} />
  if (kind === 'status') return <Status status={String(value)} code={code && (item[code] as string | null)} />
  if (kind === 'count') return countText(Number(value))
  if (kind === 'id') return <IdLink id={String(value)}>{t('inspectShort')}</IdLink>
  return Array.isArray(value) ? value.join(', ') : String(value)
}

/** A status, and the code that says why. */
export function Status({ status, code }: { status: string; code: string | null | undefined }) {
  return (
    <>
      <StatusChip status={status} /> {code != null && <CodeLink code={code} inOneLine />}
    </>
  )
}

type NewsProps<Item> = {
  list: CursorList<Item>
  of: Resource<Item>
  live: NonNullable<Resource<Item>['live']>
  fits(item: Item): boolean
}
function News<Item>({ list, of, live, fits }: NewsProps<Item>) {
  const { unseen, show } = useLiveRecords<Item>({
    list,
    events: live.events,
    idOf: item => String(item[of.id]),
    isMoving: live.isMoving,
    fits,
  })
  return <NewOnTop count={unseen} onShow={show} />
}

type FollowingProps<Item> = { list: CursorList<Item>; useNews(list: CursorList<Item>): void }
function Following<Item>({ list, useNews }: FollowingProps<Item>) {
  useNews(list)
  return null
}
