// One collection of the tree, with its folders and requests, and what can be done with each. What would be refused is not offered.
import type { Collection, SavedRequest } from '@tandem/sdk'
import { ChevronRight, Folder, MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { saveFile } from '../../data/save_file.ts'
import { isStale } from '../../forms/faults.ts'
import { useSession } from '../../session/session.ts'
import { faultText } from '../../ui/faults.ts'
import {
  Chip,
  ConfirmDialog,
  classes,
  IconButton,
  LoadingRows,
  Menu,
  type MenuItem,
  MethodBadge,
  useToast,
} from '../../ui/index.ts'
import {
  addFolder,
  changeCollection,
  changeRequest,
  deleteCollection,
  deleteFolder,
  deleteRequest,
  duplicateCollection,
  duplicateRequest,
  moveFolder,
  moveRequest,
  type Undo,
} from '../collections/actions.ts'
import { type Branch, branchesOf, type RunWish, wholeOf } from '../collections/content.ts'
import { toPostman } from '../collections/postman.ts'
import { freshRequests, refreshCollections, useRequests, useRights } from '../collections/queries.ts'
import type { Saved } from '../state/use_saved.ts'
import styles from './drawers.module.css'
import { MoveDialog } from './move_dialog.tsx'
import { NameDialog } from './name_dialog.tsx'
import { t } from './texts.ts'

export type CollectionBranchProps = {
  collection: Collection
  all: readonly Collection[]
  saved: Saved
  isFirstOpen: boolean
  onOpen(request: SavedRequest): void
  onRun(wish: RunWish): void
}

/** What a dialog is about. */
type Asking =
  | { what: 'rename' | 'folder' | 'delete' }
  | { what: 'rename folder' | 'delete folder'; branch: Branch }
  | { what: 'rename request' | 'move request'; request: SavedRequest }

export function CollectionBranch(props: CollectionBranchProps) {
  const { collection, isFirstOpen } = props
  const [isOpen, setIsOpen] = useState(isFirstOpen)
  const [asking, setAsking] = useState<Asking>()
  const { data } = useRequests(collection.collectionId, isOpen)
  const act = useActing(collection.collectionId)
  const branches = branchesOf(collection, data ?? [])
  return (
    <li>
      <div className={styles['branch']}>
        <button
          type="button"
          className={classes(styles['row'], isOpen && styles['open'])}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          <ChevronRight size={14} aria-hidden="true" />
          <span className={styles['target']}>
            <b>{collection.name}</b> <span className={styles['faint']}>{collection.requestCount}</span>
          </span>
          <Chip tone={collection.shared ? 'info' : 'neutral'}>{t(collection.shared ? 'shared' : 'private')}</Chip>
        </button>
        <CollectionMenu {...props} act={act} onAsk={setAsking} />
      </div>
      {isOpen &&
        (data === undefined ? (
          <LoadingRows label={t('loadingNamed', { name: collection.name })} rows={2} />
        ) : (
          <ul aria-label={collection.name}>
            {branches.slice(1).map((branch, index) => (
              <FolderBranch
                key={branch.folderId}
                {...props}
                branch={branch}
                place={{ index, count: branches.length - 1 }}
                act={act}
                onAsk={setAsking}
              />
            ))}
            <RequestRows {...props} requests={branches[0]?.requests ?? []} act={act} onAsk={setAsking} />
            {branches.every(({ requests }) => requests.length === 0) && branches.length === 1 && (
              <li className={styles['quiet']}>{t('emptyCollection')}</li>
            )}
          </ul>
        ))}
      <BranchDialogs {...props} asking={asking} act={act} onClose={() => setAsking(undefined)} />
    </li>
  )
}

type Act = (work: () => Promise<Undo | unknown>, done?: string) => Promise<void>

/** Does something to a collection, says what came of it, and offers to take back what can be. */
function useActing(collectionId: string): Act {
  const toast = useToast()
  return async function act(work, done) {
    try {
      const undo = await work()
      if (done === undefined) return
      toast({
        text: done,
        ...(typeof undo === 'function' && {
          action: { label: t('undo'), onSelect: () => void act(undo as Undo, t('isBack')) },
        }),
      })
    } catch (error) {
      const text = isStale(error) ? t('changedMeanwhile') : error instanceof Error ? faultText(error) : t('notDone')
      toast({ text, tone: 'bad' })
      await refreshCollections(collectionId)
    }
  }
}

type Acting = { act: Act; onAsk(asking: Asking): void }
const more = <MoreHorizontal size={15} />

function CollectionMenu({ collection, onRun, act, onAsk }: CollectionBranchProps & Acting) {
  const { writes, shares } = useRights()
  const userId = useSession().user.id
  const { name, shared, mayChange } = collection
  const mayShare = mayChange && (shared ? collection.owner.userId === userId : shares)
  const items: (MenuItem | false)[] = [
    {
      key: 'run',
      label: t('run'),
      disabled: collection.requestCount === 0,
      onSelect: () =>
        void act(async () => {
          const branches = branchesOf(collection, await freshRequests(collection.collectionId))
          onRun({ name, requests: branches.flatMap(({ requests }) => requests) })
        }),
    },
    mayChange && { key: 'rename', label: t('rename'), onSelect: () => onAsk({ what: 'rename' }) },
    mayChange && { key: 'folder', label: t('newFolder'), onSelect: () => onAsk({ what: 'folder' }) },
    mayShare && {
      key: 'share',
      label: t(shared ? 'makePrivate' : 'share'),
      onSelect: () =>
        void act(
          () => changeCollection(collection, { shared: !shared }),
          t(shared ? 'madePrivate' : 'madeShared', { name }),
        ),
    },
    writes && {
      key: 'copy',
      label: t('duplicate'),
      onSelect: () => void act(() => duplicateCollection(collection, shares), t('copied', { name })),
    },
    {
      key: 'export',
      label: t('exportPostman'),
      onSelect: () =>
        void act(async () => {
          const {
            description = '',
            requests = [],
            folders = [],
          } = wholeOf(collection, await freshRequests(collection.collectionId))
          const file = toPostman({ name, description, requests, folders }, window.location.origin)
          const blob = new Blob([`${JSON.stringify(file, null, 2)}\n`], { type: 'application/json' })
          saveFile(blob, `${name.replaceAll(/[^\w-]+/g, '_')}.postman_collection.json`)
        }),
    },
    mayChange && { key: 'delete', label: t('delete'), danger: true, onSelect: () => onAsk({ what: 'delete' }) },
  ]
  return (
    <Menu
      trigger={<IconButton size="sm" label={t('actionsOf', { name })} icon={more} />}
      items={items.filter(item => item !== false)}
    />
  )
}

type FolderBranchProps = CollectionBranchProps & Acting & { branch: Branch; place: { index: number; count: number } }

function FolderBranch({ branch, place, ...props }: FolderBranchProps) {
  const { collection, onRun, act, onAsk } = props
  const [isOpen, setIsOpen] = useState(true)
  const { name, requests } = branch
  const folderId = branch.folderId ?? ''
  const { mayChange } = collection
  const items: (MenuItem | false)[] = [
    { key: 'run', label: t('run'), disabled: requests.length === 0, onSelect: () => onRun({ name, requests }) },
    mayChange && { key: 'rename', label: t('rename'), onSelect: () => onAsk({ what: 'rename folder', branch }) },
    mayChange && {
      key: 'up',
      label: t('moveUp'),
      disabled: place.index === 0,
      onSelect: () => void act(() => moveFolder(collection, folderId, -1)),
    },
    mayChange && {
      key: 'down',
      label: t('moveDown'),
      disabled: place.index === place.count - 1,
      onSelect: () => void act(() => moveFolder(collection, folderId, 1)),
    },
    mayChange && {
      key: 'delete',
      label: t('delete'),
      danger: true,
      onSelect: () => onAsk({ what: 'delete folder', branch }),
    },
  ]
  return (
    <li>
      <div className={styles['branch']}>
        <button type="button" className={styles['row']} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <Folder size={14} aria-hidden="true" />
          <span className={styles['target']}>
            {name} <span className={styles['faint']}>{requests.length}</span>
          </span>
        </button>
        <Menu
          trigger={<IconButton size="sm" label={t('actionsOfFolder', { name })} icon={more} />}
          items={items.filter(item => item !== false)}
        />
      </div>
      {isOpen && requests.length > 0 && (
        <ul aria-label={name}>
          <RequestRows {...props} requests={requests} />
        </ul>
      )}
    </li>
  )
}

function RequestRows({ requests, ...props }: CollectionBranchProps & Acting & { requests: readonly SavedRequest[] }) {
  const { collection, saved, onOpen, act, onAsk } = props
  const { mayChange } = collection
  return requests.map((request, index) => {
    const { requestId, name, method } = request
    const isCurrent = saved.open?.saved.requestId === requestId
    const move = (by: -1 | 1) => void act(async () => saved.noted(await moveRequest(request, requests, by), requestId))
    const items: MenuItem[] = [
      { key: 'rename', label: t('rename'), onSelect: () => onAsk({ what: 'rename request', request }) },
      { key: 'up', label: t('moveUp'), disabled: index === 0, onSelect: () => move(-1) },
      { key: 'down', label: t('moveDown'), disabled: index === requests.length - 1, onSelect: () => move(1) },
      { key: 'move', label: t('moveTo'), onSelect: () => onAsk({ what: 'move request', request }) },
      {
        key: 'copy',
        label: t('duplicate'),
        onSelect: () => void act(() => duplicateRequest(request, requests), t('copied', { name })),
      },
      {
        key: 'delete',
        label: t('delete'),
        danger: true,
        onSelect: () =>
          void act(
            async () => {
              const undo = await deleteRequest(request)
              saved.noted(undefined, requestId)
              return undo
            },
            t('deleted', { name }),
          ),
      },
    ]
    return (
      <li key={requestId} className={styles['branch']}>
        <button
          type="button"
          className={classes(styles['row'], isCurrent && styles['current'])}
          aria-current={isCurrent || undefined}
          title={`${method} ${request.path}`}
          onClick={() => onOpen(request)}
        >
          <MethodBadge method={method} />
          <span className={styles['target']}>
            {name}
            {request.tests.length > 0 && (
              <span className={styles['faint']}> {t('testCount', { count: request.tests.length })}</span>
            )}
          </span>
        </button>
        {mayChange && (
          <Menu trigger={<IconButton size="sm" label={t('actionsOf', { name })} icon={more} />} items={items} />
        )}
      </li>
    )
  })
}

type BranchDialogsProps = CollectionBranchProps & { asking: Asking | undefined; act: Act; onClose(): void }

function BranchDialogs({ collection, all, saved, asking, act, onClose }: BranchDialogsProps) {
  const { name } = collection
  const named = namingOf(collection, asking, saved)
  const doomed = asking?.what === 'delete folder' ? asking.branch : undefined
  return (
    <>
      <NameDialog
        open={named !== undefined}
        title={named?.title ?? ''}
        label={t('name')}
        confirmLabel={named?.confirmLabel ?? ''}
        initial={named?.initial ?? ''}
        onClose={onClose}
        onName={async next => named?.onName(next)}
      />
      <ConfirmDialog
        open={asking?.what === 'delete' || doomed !== undefined}
        onOpenChange={next => !next && onClose()}
        title={t('deleteNamed', { name: doomed?.name ?? name })}
        description={t(collection.shared ? 'deleteSharedText' : 'deletePrivateText', {
          count: doomed?.requests.length ?? collection.requestCount,
        })}
        confirmLabel={t('delete')}
        danger
        onConfirm={() => {
          onClose()
          const folderId = doomed?.folderId
          if (folderId == null) void act(() => deleteCollection(collection), t('deleted', { name }))
          else void act(() => deleteFolder(collection, folderId), t('deleted', { name: doomed?.name ?? '' }))
        }}
      />
      {asking?.what === 'move request' && (
        <MoveDialog
          request={asking.request}
          collections={all.filter(each => each.mayChange)}
          onMoved={moved => saved.noted(moved, moved.requestId)}
          act={act}
          onClose={onClose}
        />
      )}
    </>
  )
}

/** What a name is asked for, and what is done with it. */
function namingOf(collection: Collection, asking: Asking | undefined, saved: Saved) {
  if (asking?.what === 'rename')
    return {
      title: t('renameNamed', { name: collection.name }),
      confirmLabel: t('rename'),
      initial: collection.name,
      onName: (name: string) => changeCollection(collection, { name }),
    }
  if (asking?.what === 'folder')
    return {
      title: t('newFolderIn', { name: collection.name }),
      confirmLabel: t('createShort'),
      initial: '',
      onName: (name: string) => addFolder(collection, name),
    }
  if (asking?.what === 'rename folder') {
    const { folderId, name: old } = asking.branch
    const renamed = (name: string) =>
      collection.folders.map(folder => (folder.folderId === folderId ? { ...folder, name } : folder))
    return {
      title: t('renameNamed', { name: old }),
      confirmLabel: t('rename'),
      initial: old,
      onName: (name: string) => changeCollection(collection, { folders: renamed(name) }),
    }
  }
  if (asking?.what === 'rename request') {
    const { request } = asking
    return {
      title: t('renameNamed', { name: request.name }),
      confirmLabel: t('rename'),
      initial: request.name,
      onName: async (name: string) => saved.noted(await changeRequest(request, { name }), request.requestId),
    }
  }
  return undefined
}
