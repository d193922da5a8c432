// Collections of requests, the team's and one's own, as a tree: open, run, rename, move, copy, share, take out and in as files of Postman.
import { Plus, Upload } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { apiOf } from '../../session/api.ts'
import { faultText } from '../../ui/faults.ts'
import { Button, Drawer, EmptyState, ErrorState, LoadingRows, useToast } from '../../ui/index.ts'
import { listText } from '../../words/format.ts'
import { inputOf, noChecks, type RunWish } from '../collections/content.ts'
import { fromPostman, type Imported } from '../collections/postman.ts'
import { refreshCollections, refreshEnvironments, useCollections, useRights } from '../collections/queries.ts'
import { type SavedRequest as BrowserRequest, importSaved, listSaved, removeSaved } from '../kept/saved.ts'
import type { Store } from '../kept/store.ts'
import type { EnvironmentState } from '../state/use_environment.ts'
import type { Saved } from '../state/use_saved.ts'
import { CollectionBranch } from './collection_branch.tsx'
import styles from './drawers.module.css'
import { NameDialog } from './name_dialog.tsx'
import { t } from './texts.ts'

export type CollectionsDrawerProps = {
  open: boolean
  onOpenChange(open: boolean): void
  store: Store | undefined
  saved: Saved
  environment: EnvironmentState
  secrets(): string[]
  onRun(wish: RunWish): void
}

export function CollectionsDrawer(props: CollectionsDrawerProps) {
  const { open, onOpenChange, store, saved, environment, secrets, onRun } = props
  const { writes, shares } = useRights()
  const { data, error, refetch } = useCollections(open)
  const [naming, setNaming] = useState(false)
  const file = useRef<HTMLInputElement>(null)

  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      title={t('collections')}
      description={t('collectionsAbout')}
      footer={
        writes ? (
          <>
            <Button size="sm" icon={<Upload size={14} />} onClick={() => file.current?.click()}>
              {t('importPostman')}
            </Button>
            <Button size="sm" icon={<Plus size={14} />} onClick={() => setNaming(true)}>
              {t('newCollection')}
            </Button>
          </>
        ) : undefined
      }
    >
      {writes && <BrowserRequests open={open} store={store} secrets={secrets} />}
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <LoadingRows label={t('loadingCollections')} rows={3} />
      ) : data.length === 0 ? (
        <EmptyState title={t('noCollections')} text={t('noCollectionsText')} />
      ) : (
        <ul className={styles['tree']}>
          {data.map(collection => (
            <CollectionBranch
              key={collection.collectionId}
              collection={collection}
              all={data}
              saved={saved}
              isFirstOpen={data.length === 1 || saved.open?.saved.collectionId === collection.collectionId}
              onOpen={request => {
                onOpenChange(false)
                void saved.show(request, collection)
              }}
              onRun={wish => {
                onOpenChange(false)
                onRun(wish)
              }}
            />
          ))}
        </ul>
      )}
      <NameDialog
        open={naming}
        title={t('newCollection')}
        label={t('name')}
        confirmLabel={t('createShort')}
        {...(shares && { shareLabel: t('shareWithAll') })}
        onClose={() => setNaming(false)}
        onName={async (name, shared) => {
          await apiOf('live').collections.create({ name, shared })
          await refreshCollections()
        }}
      />
      <FileInput file={file} environment={environment} />
    </Drawer>
  )
}

type FileInputProps = { file: RefObject<HTMLInputElement | null>; environment: EnvironmentState }

/** The file that is asked for; a collection is made of it. */
function FileInput({ file, environment }: FileInputProps) {
  const readFile = useImport(environment)
  return (
    <input
      ref={file}
      type="file"
      accept="application/json,.json"
      hidden
      aria-label={t('collectionFile')}
      onChange={event => {
        void readFile(event.target.files?.[0])
        event.target.value = ''
      }}
    />
  )
}

/** Makes a private collection of a file, and an environment of its variables. */
function useImport({ chosen, choose }: EnvironmentState) {
  const toast = useToast()
  return async (file: File | undefined) => {
    if (file === undefined) return
    try {
      const text = await file.text()
      const { left, variables, ...content } = text.includes('"tandem-playground"')
        ? ownFile(text, file.name)
        : fromPostman(text)
      const made = await apiOf('live').collections.create({ ...content, shared: false })
      await refreshCollections()
      const environment = await importVariables(content.name, variables)
      if (environment.id !== undefined && chosen === undefined) choose(environment.id)
      const values = { name: made.name, count: made.requestCount }
      const all = [...left, ...environment.left]
      const notice = all.length === 0 ? t('imported', values) : t('importedPartly', { ...values, left: listText(all) })
      toast({ text: [notice, ...environment.said].join(' '), stayMs: 12_000 })
    } catch (reason) {
      toast({ text: reason instanceof Error ? faultText(reason) : t('fileUnread'), tone: 'bad' })
    }
  }
}

type ImportedVariables = { id?: string; said: string[]; left: string[] }

/** The collection is there already: where they are refused, that is said beside it. */
async function importVariables(name: string, variables: Imported['variables']): Promise<ImportedVariables> {
  if (variables.length === 0) return { said: [], left: [] }
  try {
    const made = await apiOf('live').environments.create({ name, mode: null, variables, shared: false })
    await refreshEnvironments()
    return { id: made.environmentId, said: [t('importedVariables', { name: made.name })], left: [] }
  } catch (reason) {
    const why = reason instanceof Error ? faultText(reason) : ''
    return { said: [], left: [t('variablesLeft', { count: variables.length, why })] }
  }
}

/** A file that the Playground wrote before collections were kept on the server. */
function ownFile(text: string, fileName: string): Imported {
  const requests = importSaved(text).map(({ name, draft }) => inputOf(name, draft, noChecks, []))
  return {
    name: fileName.replace(/\.json$/i, '') || t('importedName'),
    description: '',
    requests,
    folders: [],
    variables: [],
    left: [],
  }
}

type BrowserRequestsProps = { open: boolean; store: Store | undefined; secrets(): string[] }

/** Requests that this browser kept by name, from before there were collections: they move by one press. */
function BrowserRequests({ open, store, secrets }: BrowserRequestsProps) {
  const toast = useToast()
  const [kept, setKept] = useState<readonly BrowserRequest[]>([])
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (open && store !== undefined) listSaved(store).then(setKept, () => setKept([]))
  }, [open, store])
  if (kept.length === 0 || store === undefined) return null
  const move = async () => {
    setBusy(true)
    try {
      const requests = kept.slice(0, 300).map(({ name, draft }) => inputOf(name, draft, noChecks, secrets()))
      const made = await apiOf('live').collections.create({ name: t('fromBrowser'), requests })
      for (const { id } of kept.slice(0, 300)) await removeSaved(store, id)
      setKept(kept.slice(300))
      await refreshCollections()
      toast({ text: t('movedTo', { count: made.requestCount, name: made.name }), tone: 'ok' })
    } catch (reason) {
      toast({ text: reason instanceof Error ? faultText(reason) : t('notMoved'), tone: 'bad' })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className={styles['notice']} data-kept="">
      <p>{t('keptInBrowser', { count: kept.length })}</p>
      <div className={styles['noticeActions']}>
        <Button size="sm" busy={busy} onClick={() => void move()}>
          {t('moveToPrivate')}
        </Button>
      </div>
    </div>
  )
}
