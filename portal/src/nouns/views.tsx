// Saved views of a list: how it was looked at, under a name, for oneself or for everybody.
import type { View as SavedView, Tandem } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Bookmark } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { faultsOf } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import type { ColumnChoice } from '../lists/columns.ts'
import type { Params } from '../navigation/params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, CheckboxField, Menu, type MenuItem, TextField, toast } from '../ui/index.ts'
import type { NounDescription } from './noun.ts'
import { t } from './texts.ts'
import { useAct } from './use_act.ts'
import { boardOf, filtersOf, parametersOf } from './view_state.ts'

export type ViewsProps = {
  noun: NounDescription
  params: Params
  columns: readonly ColumnChoice[]
  /** Looks at the list so; undefined columns are the usual ones. */
  onApply(params: Params, columns: readonly ColumnChoice[] | undefined): void
}

/** What a view keeps of an address and the columns. */
function contentOf(noun: NounDescription, params: Params, columns: readonly ColumnChoice[]) {
  return {
    layout: params['layout'] === 'board' ? ('board' as const) : ('list' as const),
    columns: columns.map(({ name, width }) => ({ field: name, ...(width !== undefined && { width }) })),
    filters: filtersOf(noun, params),
    sort: params['sort'] ?? null,
    group_by: params['layout'] === 'board' ? (params['group'] ?? boardOf(noun)?.name ?? null) : null,
  }
}

/** The change of the address that looks at the list as a view does: what it does not say is taken away. */
export function paramsOf(noun: NounDescription, view: SavedView | undefined): Params {
  const none = Object.fromEntries(
    ['q', 'deleted', 'sort', 'layout', 'group', ...parametersOf(noun)].map(name => [name, undefined]),
  )
  if (view === undefined) return { ...none, view: undefined }
  const { id, filters, sort, layout, group_by: group } = view
  return {
    ...none,
    ...filters,
    sort: sort ?? undefined,
    layout: layout === 'board' ? 'board' : undefined,
    group: layout === 'board' ? (group ?? undefined) : undefined,
    view: id,
  }
}

const columnsOf = ({ columns }: SavedView): readonly ColumnChoice[] | undefined =>
  columns.length === 0
    ? undefined
    : columns.map(({ field, width }) => ({ name: field, ...(width !== null && { width }) }))

function stateOf({ shared, is_default: isDefault }: SavedView): 'both' | 'shared' | 'first' | 'plain' {
  if (shared && isDefault) return 'both'
  return shared ? 'shared' : isDefault ? 'first' : 'plain'
}

export function Views({ noun, params, columns, onApply }: ViewsProps) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const [naming, setNaming] = useState(false)
  const queryKey = [mode, 'views', noun.many]
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => (await api.views.list({ noun: noun.many }, { signal })).views,
    enabled: permissions.has('views:read'),
  })
  const views = query.data ?? []
  const current = views.find(({ id }) => id === params['view'])
  const apply = (view: SavedView | undefined) => onApply(paramsOf(noun, view), view && columnsOf(view))
  useDefault(noun, params, query.data, apply)
  const act = useAct(() => cache.invalidateQueries({ queryKey }))
  const mayWrite = permissions.has('views:write')
  const content = contentOf(noun, params, columns)
  const items: MenuItem[] = [
    { key: 'usual', label: t('allMany', { many: noun.words.many }), onSelect: () => apply(undefined) },
    ...views.map(view => ({
      key: view.id,
      label: t('viewItem', { name: view.name, state: stateOf(view) }),
      onSelect: () => apply(view),
    })),
    ...(mayWrite ? [{ key: 'save', label: t('viewSave'), onSelect: () => setNaming(true) }] : []),
    ...(mayWrite && current !== undefined
      ? currentItems({ noun, view: current, api, act: act.mutate, content, apply })
      : []),
  ]
  // Lists of which the server keeps no views, and people who may not read them.
  if (query.isError || !permissions.has('views:read')) return null
  return (
    <>
      <Menu
        trigger={
          <Button icon={<Bookmark size={14} />}>
            {current === undefined ? t('views') : t('viewNow', { name: current.name })}
          </Button>
        }
        items={items}
      />
      {naming && (
        <NameDialog
          noun={noun}
          content={content}
          onClose={() => setNaming(false)}
          onSaved={view => {
            setNaming(false)
            void cache.invalidateQueries({ queryKey })
            toast({ text: t('viewSaved', { name: view.name }) })
            apply(view)
          }}
        />
      )}
    </>
  )
}

type CurrentOptions = {
  noun: NounDescription
  view: SavedView
  api: Tandem
  act(work: () => Promise<unknown>): void
  content: ReturnType<typeof contentOf>
  apply(view: SavedView | undefined): void
}

/** What is done with the view that the list is looked at by. */
function currentItems({ noun, view, api, act, content, apply }: CurrentOptions): MenuItem[] {
  const { id, name, is_default: isDefault } = view
  const setDefault = () => act(() => api.views.setDefault({ noun: noun.many, view_id: isDefault ? null : id }))
  return [
    {
      key: 'default',
      label: isDefault ? t('viewOpenAll', { many: noun.words.many }) : t('viewOpen', { name }),
      onSelect: setDefault,
    },
    ...(view.may_change
      ? [
          {
            key: 'change',
            label: t('viewChange', { name }),
            onSelect: () => act(() => api.views.update({ id, ...content })),
          },
          {
            key: 'delete',
            label: t('deleteNamed', { name }),
            danger: true,
            onSelect() {
              act(() => api.views.delete({ id }))
              apply(undefined)
            },
          },
        ]
      : []),
  ]
}

/** Opens the list with the person's own view, where the address asks for nothing. */
function useDefault(
  noun: NounDescription,
  params: Params,
  views: readonly SavedView[] | undefined,
  apply: (view: SavedView) => void,
): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || views === undefined) return
    isDone.current = true
    const asks =
      ['view', 'sort', 'layout', 'create', 'with'].some(name => params[name]) ||
      Object.keys(filtersOf(noun, params)).length > 0
    const own = views.find(view => view.is_default)
    if (own !== undefined && !asks) apply(own)
  })
}

type NameDialogProps = {
  noun: NounDescription
  content: ReturnType<typeof contentOf>
  onClose(): void
  onSaved(view: SavedView): void
}

function NameDialog({ noun, content, onClose, onSaved }: NameDialogProps) {
  const api = useApi()
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const save = useMutation({
    mutationFn: () => api.views.create({ noun: noun.many, name, shared, ...content }),
    onSuccess: reply => onSaved(reply.view),
  })
  const { fields, general } = faultsOf(save.error, ['name'])
  return (
    <FormDialog
      title={t('viewSave')}
      description={t('viewSaveText')}
      faults={{ general }}
      action={t('save')}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t('viewName')}
        required
        value={name}
        {...(fields['name'] !== undefined && { error: fields['name'] })}
        onChange={event => setName(event.target.value)}
      />
      <CheckboxField label={t('viewShared')} checked={shared} onChange={event => setShared(event.target.checked)} />
    </FormDialog>
  )
}
