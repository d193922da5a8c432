// Imports of files and changes of many records, of one noun or of all, the newest first; each can be undone where it stands.
import type { Batch, Import } from '@tandem/sdk'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { SelectFilter } from '../data/filters.tsx'
import { useLiveRelated } from '../data/live_records.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { importedNouns, type KnownNoun } from '../nouns/known.ts'
import { upper } from '../nouns/noun.ts'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { type Column, DataTable } from '../ui/data_table.tsx'
import { Button, Card, Chip, ListStates, LoadMore, Menu, PageHeader, Time, type Tone, Toolbar } from '../ui/index.ts'
import { useNoun } from './data.ts'
import { batchText, countOf, type Entry, newestFirst, outcomeTexts } from './rules.ts'
import { StartImport } from './start_dialog.tsx'
import { t } from './texts.ts'
import { UndoButton } from './undo.tsx'

export function ImportsScreen() {
  const { permissions } = useSession()
  if (!permissions.has('imports:read')) return <Refused title={t('title')} />
  return <Screen />
}

function Screen() {
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const [starting, setStarting] = useState<KnownNoun>()
  const noun = params['noun'] || undefined
  const list = useEntries(noun)
  const nouns = importedNouns()
  const mine = nouns.filter(({ many }) => permissions.has('imports:run') && permissions.has(`${many}:create`))
  const start = mine.length > 0 && <StartMenu nouns={mine} onChoose={setStarting} />
  return (
    <>
      <PageHeader title={t('title')} description={t('about')} actions={start} />
      <Toolbar label={t('filters')}>
        <SelectFilter
          name="noun"
          label={t('records')}
          all={t('all')}
          params={params}
          onChange={change}
          options={nouns.map(({ many }) => ({ value: many, label: upper(many.replaceAll('_', ' ')) }))}
        />
      </Toolbar>
      <Card flush>
        <ListStates
          label={t('loading')}
          query={list}
          isEmpty={list.entries.length === 0}
          isFiltered={noun !== undefined}
          onClearFilters={() => change({ noun: undefined })}
          empty={{
            icon: <FileUp size={20} />,
            title: t('empty'),
            text: t('emptyText'),
            ...(start !== false && { action: start }),
          }}
        >
          <DataTable
            caption={t('newest')}
            columns={columnsOf()}
            rows={list.entries}
            rowKey={({ record }) => record.id}
            rowLink={({ record }) => ({ to: '/imports/$id', params: { id: record.id } })}
            subline={entry => <Result entry={entry} />}
          />
          <LoadMore shown={list.entries.length} hasMore={list.hasMore} busy={list.isBusy} onMore={list.more} />
        </ListStates>
      </Card>
      {starting !== undefined && (
        <StartImport
          noun={{ many: starting.many, words: { one: starting.word, many: starting.many.replaceAll('_', ' ') } }}
          onClose={() => setStarting(undefined)}
        />
      )}
    </>
  )
}

function StartMenu({ nouns, onChoose }: { nouns: readonly KnownNoun[]; onChoose(noun: KnownNoun): void }) {
  return (
    <Menu
      trigger={
        <Button variant="primary" icon={<FileUp size={14} />}>
          {t('importFile')}
        </Button>
      }
      items={nouns.map(noun => ({
        key: noun.many,
        label: upper(noun.many.replaceAll('_', ' ')),
        onSelect: () => onChoose(noun),
      }))}
    />
  )
}

const columnsOf = (): readonly Column<Entry>[] => [
  { key: 'what', header: t('what'), render: entry => <What entry={entry} /> },
  {
    key: 'noun',
    header: t('records'),
    hideOnNarrow: true,
    render: ({ record }) => <Noun many={record.noun} />,
  },
  { key: 'who', header: t('by'), hideOnNarrow: true, render: ({ record }) => <UserName id={record.user_id} /> },
  {
    key: 'when',
    header: t('when'),
    nowrap: true,
    hideOnNarrow: true,
    render: ({ record }) => <Time iso={record.created_at} />,
  },
  { key: 'result', header: t('result'), hideOnNarrow: true, render: entry => <Result entry={entry} /> },
  { key: 'state', header: t('state'), nowrap: true, render: entry => <State entry={entry} /> },
  { key: 'undo', header: t('undo'), nowrap: true, render: entry => <Undo entry={entry} /> },
]

function Noun({ many }: { many: string }) {
  const { data } = useNoun(many)
  return upper(data?.words.many ?? many.replaceAll('_', ' '))
}

function What({ entry }: { entry: Entry }) {
  const noun = useNoun(entry.record.noun)
  if (entry.kind === 'import') return t('importOfFile', { file: fileOf(entry) })
  return noun.data === undefined ? t('word.change') : batchText(entry.record, noun.data)
}

const fileOf = ({ record }: { record: Pick<Import, 'file_name'> }) => record.file_name ?? t('aFile')

function Result({ entry }: { entry: Entry }) {
  const { data: noun } = useNoun(entry.record.noun)
  if (noun === undefined) return null
  if (entry.kind === 'batch') {
    const { changed, failed } = entry.record
    return failed > 0 ? t('changedSome', { what: countOf(noun, changed), failed }) : countOf(noun, changed)
  }
  const { state, batch_id: batchId } = entry.record
  if (state === 'draft' || state === 'checking' || (state === 'canceled' && batchId === null)) return t('nothingYet')
  return outcomeTexts(noun, entry.record, state === 'checked').join(' ') || t('noRowsShort')
}

const tones: Readonly<Record<(Import | Batch)['state'], Tone>> = {
  draft: 'neutral',
  checking: 'info',
  checked: 'neutral',
  running: 'info',
  completed: 'ok',
  canceled: 'neutral',
  failed: 'bad',
}

function State({ entry: { record } }: { entry: Entry }) {
  const isUndone = record.reverted_by !== null
  return (
    <Chip dot tone={isUndone ? 'neutral' : tones[record.state]}>
      {t(`state.${isUndone ? 'undone' : record.state}`)}
    </Chip>
  )
}

function Undo({ entry }: { entry: Entry }) {
  const { data: noun } = useNoun(entry.record.noun)
  if (noun === undefined) return null
  const of = entry.kind === 'import' ? fileOf(entry) : batchText(entry.record, noun)
  return <UndoButton noun={noun} entry={entry} label={t('undo')} size="sm" of={of} />
}

const pageSize = 50
type EntryPage<Item> = { items: Item[]; nextCursor: string | null }

function useEntries(noun: string | undefined) {
  const api = useApi()
  const { mode } = useSession()
  const asked = { limit: pageSize, ...(noun !== undefined && { noun }) }
  const pageOf = (cursor: string | undefined) => ({ ...asked, ...(cursor !== undefined && { cursor }) })
  const imports = useInfiniteQuery({
    ...paged<Import>([mode, 'imports and changes', 'imports', noun]),
    queryFn: async ({ pageParam, signal }) => {
      const reply = await api.imports.list(pageOf(pageParam), { signal })
      return { items: reply.imports, nextCursor: reply.pagination.nextCursor }
    },
  })
  const batches = useInfiniteQuery({
    ...paged<Batch>([mode, 'imports and changes', 'batches', noun]),
    queryFn: async ({ pageParam, signal }) => {
      const reply = await api.batches.list(pageOf(pageParam), { signal })
      return { items: reply.batches, nextCursor: reply.pagination.nextCursor }
    },
  })
  const refetch = () => void Promise.all([imports.refetch(), batches.refetch()])
  useLiveRelated({ events: ['import.*', 'batch.*'], isMine: () => true, onChange: refetch })
  const listed = <Item,>(data: InfiniteData<EntryPage<Item>> | undefined, hasMore: boolean) => ({
    items: data?.pages.flatMap(page => page.items) ?? [],
    hasMore,
  })
  return {
    isPending: imports.isPending || batches.isPending,
    error: imports.error ?? batches.error,
    refetch,
    entries: newestFirst(listed(imports.data, imports.hasNextPage), listed(batches.data, batches.hasNextPage)),
    hasMore: imports.hasNextPage || batches.hasNextPage,
    isBusy: imports.isFetchingNextPage || batches.isFetchingNextPage,
    more() {
      if (imports.hasNextPage) void imports.fetchNextPage()
      if (batches.hasNextPage) void batches.fetchNextPage()
    },
  }
}

function paged<Item>(queryKey: readonly unknown[]) {
  return {
    queryKey,
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page: EntryPage<Item>) => page.nextCursor ?? undefined,
    staleTime: 0,
  }
}
