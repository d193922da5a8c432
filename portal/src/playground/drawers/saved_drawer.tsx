// Requests that were saved by name: open, rename by saving again, remove, take along as a file.
import { Download, Trash2, Upload } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { saveFile } from '../../data/save_file.ts'
import { Button, Drawer, EmptyState, IconButton, MethodBadge, TextField, useToast } from '../../ui/index.ts'
import { exportSaved, importSaved, listSaved, removeSaved, type SavedRequest, saveRequest } from '../kept/saved.ts'
import type { Store } from '../kept/store.ts'
import type { Draft } from '../request/request.ts'
import styles from './drawers.module.css'

export type SavedDrawerProps = {
  open: boolean
  onOpenChange(open: boolean): void
  store: Store | undefined
  /** What is on the screen, and a name to offer for it. */
  draft: Draft
  suggestedName: string
  secrets(): string[]
  onPick(saved: SavedRequest): void
}
export function SavedDrawer({ open, onOpenChange, store, draft, suggestedName, secrets, onPick }: SavedDrawerProps) {
  const toast = useToast()
  const [list, setList] = useState<readonly SavedRequest[]>([])
  const [name, setName] = useState('')
  const file = useRef<HTMLInputElement>(null)
  const load = useCallback(async () => setList(store === undefined ? [] : await listSaved(store)), [store])
  useEffect(() => {
    if (!open) return
    setName(suggestedName)
    void load().catch(() => undefined)
  }, [open, load, suggestedName])

  const keep = async (entries: readonly { name: string; draft: Draft }[]) => {
    if (store === undefined) return
    try {
      for (const entry of entries) {
        // The same name is the same request, written again.
        const id = list.find(saved => saved.name === entry.name.trim())?.id ?? crypto.randomUUID()
        await saveRequest(store, { id, ...entry }, { nowMs: Date.now(), secrets: secrets() })
      }
      await load()
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : 'It could not be saved.', tone: 'bad' })
    }
  }
  const remove = async (saved: SavedRequest) => {
    if (store === undefined) return
    await removeSaved(store, saved.id)
    await load()
    toast({ text: `${saved.name} was removed.`, action: { label: 'Undo', onSelect: () => void keep([saved]) } })
  }
  const readFile = async (chosen: File | undefined) => {
    if (chosen === undefined) return
    try {
      const entries = importSaved(await chosen.text())
      await keep(entries)
      toast({ text: `${entries.length} ${entries.length === 1 ? 'request was' : 'requests were'} read in.` })
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : 'The file could not be read.', tone: 'bad' })
    }
  }

  return (
    <Drawer
      open={open}
      onOpenChange={onOpenChange}
      title="Saved requests"
      description="Kept in this browser, without credentials, for test and live mode alike."
      footer={
        <>
          <Button size="sm" icon={<Upload size={14} />} onClick={() => file.current?.click()}>
            Import
          </Button>
          <Button
            size="sm"
            icon={<Download size={14} />}
            disabled={list.length === 0}
            onClick={() => downloadText(exportSaved(list))}
          >
            Export
          </Button>
        </>
      }
    >
      <form
        className={styles['saveForm']}
        onSubmit={event => {
          event.preventDefault()
          void keep([{ name, draft }])
        }}
      >
        <TextField
          label="Name of this request"
          value={name}
          maxLength={120}
          onChange={event => setName(event.target.value)}
        />
        <Button type="submit" variant="primary" disabled={name.trim() === ''}>
          {list.some(saved => saved.name === name.trim()) ? 'Save again' : 'Save'}
        </Button>
      </form>
      {list.length === 0 ? (
        <EmptyState title="Nothing saved yet" text="Give the request on the screen a name to find it again here." />
      ) : (
        <ul className={styles['list']}>
          {list.map(saved => (
            <li key={saved.id} className={styles['pair']}>
              <button type="button" className={styles['row']} onClick={() => onPick(saved)}>
                <MethodBadge method={saved.draft.method} />
                <span className={styles['target']}>
                  <b>{saved.name}</b> <span className={styles['faint']}>{saved.draft.path}</span>
                </span>
              </button>
              <IconButton
                size="sm"
                label={`Remove ${saved.name}`}
                icon={<Trash2 size={14} />}
                onClick={() => void remove(saved)}
              />
            </li>
          ))}
        </ul>
      )}
      <input
        ref={file}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label="File of saved requests"
        onChange={event => {
          void readFile(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </Drawer>
  )
}

function downloadText(text: string): void {
  saveFile(new Blob([text], { type: 'application/json' }), 'tandem-requests.json')
}
