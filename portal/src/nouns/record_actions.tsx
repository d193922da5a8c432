// Takes a record that nobody owns, deletes one, and restores it from the trash.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button, ConfirmDialog, toast } from '../ui/index.ts'
import { useNounApi } from './api.ts'
import { type NounDescription, type NounRecord, pathOf, permissionOf, titleOf } from './noun.ts'
import { useMayTake } from './rights.ts'

export type RecordActionsProps = { noun: NounDescription; record: NounRecord; onChanged(record: NounRecord): void }

export function RecordActions({ noun, record, onChanged }: RecordActionsProps) {
  const own = useNounApi(noun)
  const { mode, permissions, user } = useSession()
  const mayTake = useMayTake(noun)
  const cache = useQueryClient()
  const navigate = useNavigate()
  const [asked, setAsked] = useState(false)
  const title = titleOf(noun, record)
  const settle = () => void cache.invalidateQueries({ queryKey: [mode, noun.many] })
  const restore = useMutation({
    mutationFn: () => own.restore(record.id),
    onSuccess(restored) {
      settle()
      onChanged(restored)
      toast({ text: `${title} was restored.` })
    },
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  const remove = useMutation({
    mutationFn: () => own.remove(record.id),
    onSuccess() {
      settle()
      cache.removeQueries({ queryKey: [mode, noun.one, String(record.id)] })
      toast({ text: `${title} was deleted.`, action: { label: 'Undo', onSelect: () => restore.mutate() } })
      void navigate({ to: pathOf(noun) as '/leads' })
    },
  })
  const take = useMutation({
    mutationFn: () => own.update(record.id, { [noun.rows?.owner ?? '']: user.id }, record.version),
    onSuccess(taken) {
      settle()
      onChanged(taken)
      toast({ text: `${title} is yours now.` })
    },
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  if (mayTake(record))
    return (
      <Button variant="primary" busy={take.isPending} onClick={() => take.mutate()}>
        Take it
      </Button>
    )
  if (!noun.verbs.includes('delete') || !permissions.has(permissionOf(noun, 'delete'))) return null
  if (record.deleted_at != null)
    return (
      <Button icon={<RotateCcw size={14} />} busy={restore.isPending} onClick={() => restore.mutate()}>
        Restore
      </Button>
    )
  return (
    <>
      <Button icon={<Trash2 size={14} />} onClick={() => setAsked(true)}>
        Delete
      </Button>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={`Delete ${title}?`}
        description="It moves to the trash, from which it can be restored."
        confirmLabel="Delete"
        danger
        busy={remove.isPending}
        {...(remove.error !== null && { error: remove.error.message })}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}
