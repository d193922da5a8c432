// The undo of an import or of a change of many: what it takes and leaves is said before, and how far it is while it runs.
import type { Batch } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type NounDescription, permissionOf } from '../nouns/noun.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ConfirmDialog } from '../ui/index.ts'
import { useChanged } from './data.ts'
import styles from './imports.module.css'
import { countOf, type Entry, undoableOf, undoTexts } from './rules.ts'

/** Whether the person may undo something. */
export function useMayUndo() {
  const { permissions } = useSession()
  return (noun: NounDescription, entry: Entry) => {
    const undoable = undoableOf(entry)
    if (undoable === undefined || !permissions.has('batches:revert')) return false
    return undoable.needs.every(right => permissions.has(permissionOf(noun, right)))
  }
}

export type UndoButtonProps = {
  noun: NounDescription
  entry: Entry
  /** What it is called: "Undo this import". */
  label: string
  size?: 'sm' | 'md'
  /** Beside the label, for those who do not see what stands beside the button. */
  of?: string
  onBegun?(batch: Batch): void
}

/** Nothing where it cannot be undone, or not by this person. */
export function UndoButton({ noun, entry, label, size = 'md', of, onBegun }: UndoButtonProps) {
  const mayUndo = useMayUndo()
  const api = useApi()
  const changed = useChanged()
  const [open, setOpen] = useState(false)
  const undoable = undoableOf(entry)
  const undo = useMutation({
    mutationFn: async () => (await api.batches.revert({ id: undoable?.batchId ?? '' })).batch,
    onSuccess(batch) {
      setOpen(false)
      changed(noun.many)
      onBegun?.(batch)
    },
  })
  if (undoable === undefined || !mayUndo(noun, entry)) return null
  const texts = entry.kind === 'import' ? undoTexts(noun, entry.record) : textsOfBatch(noun, entry.record)
  return (
    <>
      <Button
        size={size}
        icon={<Undo2 size={14} />}
        aria-label={of === undefined ? undefined : `${label}: ${of}`}
        onClick={() => setOpen(true)}
      >
        {label}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={next => {
          setOpen(next)
          undo.reset()
        }}
        title={`${label}?`}
        description="It goes on in the background, and can itself be undone."
        confirmLabel="Undo"
        danger
        busy={undo.isPending}
        {...(undo.error !== null && { error: undo.error.message })}
        onConfirm={() => undo.mutate()}
      >
        <ul className={styles['texts']}>
          {texts.map(text => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  )
}

function textsOfBatch(noun: NounDescription, { changed, action, source }: Batch): string[] {
  const which = countOf(noun, changed)
  const one = changed === 1
  const back =
    source === 'revert'
      ? `${which} ${one ? 'is' : 'are'} put back to what the undo took away.`
      : action === 'delete'
        ? `${which} ${one ? 'comes' : 'come'} out of the trash.`
        : action === 'restore'
          ? `${which} ${one ? 'goes' : 'go'} to the trash again.`
          : `${which} ${one ? 'gets' : 'get'} the values from before; those that were set are lost here.`
  return [back, `Kept as they are: ${noun.words.many} that somebody changed since. They are named afterwards.`]
}
