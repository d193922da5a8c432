// The undo of an import or of a change of many: what it takes and leaves is said before, and how far it is while it runs.
import type { Batch } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { type NounDescription, permissionOf } from '../nouns/noun.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog } from '../ui/index.ts'
import { useChanged } from './data.ts'
import styles from './imports.module.css'
import { type Entry, undoableOf, undoTexts } from './rules.ts'
import { t } from './texts.ts'

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
  /** What it is called: t('undoImport'). */
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
        aria-label={of === undefined ? undefined : t('undoOf', { label, of })}
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
        title={t('ask', { label })}
        description={t('undoText')}
        confirmLabel={t('undo')}
        danger
        busy={undo.isPending}
        {...(undo.error !== null && { error: faultText(undo.error) })}
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

function textsOfBatch({ words }: NounDescription, { changed, action, source }: Batch): string[] {
  const kind = source === 'revert' ? 'revert' : (action ?? 'values')
  return [t(`back.${kind}`, { count: changed, ...words }), t('undo.kept')]
}
