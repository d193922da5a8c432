// Takes a record that nobody owns, restores one from the trash, and keeps what is done seldom in a menu: deleting it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, IconButton, Menu, toast } from '../ui/index.ts'
import { useNounApi } from './api.ts'
import { type NounDescription, type NounRecord, pathOf, permissionOf, titleOf } from './noun.ts'
import { useMayTake } from './rights.ts'
import { t } from './texts.ts'

export type RecordActionsProps = {
  noun: NounDescription
  record: NounRecord
  onChanged(record: NounRecord): void
}

export function RecordActions({ noun, record, onChanged }: RecordActionsProps) {
  const own = useNounApi(noun)
  const { mode, permissions } = useSession()
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
      toast({ text: t('restored', { name: title }) })
    },
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  const remove = useMutation({
    mutationFn: () => own.remove(record.id),
    onSuccess() {
      settle()
      cache.removeQueries({ queryKey: [mode, noun.one, String(record.id)] })
      toast({ text: t('deleted', { name: title }), action: { label: t('undo'), onSelect: () => restore.mutate() } })
      void navigate({ to: pathOf(noun) as '/leads' })
    },
  })
  if (mayTake(record)) return <Take noun={noun} record={record} onTaken={onChanged} />
  const mayDelete = noun.verbs.includes('delete') && permissions.has(permissionOf(noun, 'delete'))
  if (record.deleted_at != null)
    return mayDelete ? (
      <Button
        variant="primary"
        icon={<RotateCcw size={14} />}
        busy={restore.isPending}
        onClick={() => restore.mutate()}
      >
        {t('restore')}
      </Button>
    ) : null
  if (!mayDelete) return null
  return (
    <>
      <Menu
        trigger={<IconButton label={t('moreActions')} variant="secondary" icon={<Ellipsis size={16} />} />}
        items={[
          {
            key: 'delete',
            label: t('delete'),
            icon: <Trash2 size={14} />,
            danger: true,
            onSelect: () => setAsked(true),
          },
        ]}
      />
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={t('deleteAsk', { name: title })}
        description={t('deleteText')}
        confirmLabel={t('delete')}
        danger
        busy={remove.isPending}
        {...(remove.error !== null && { error: faultText(remove.error) })}
        onConfirm={() => remove.mutate()}
      />
    </>
  )
}

/** Makes a record that nobody owns one's own. */
function Take({
  noun,
  record,
  onTaken,
}: {
  noun: NounDescription
  record: NounRecord
  onTaken(record: NounRecord): void
}) {
  const own = useNounApi(noun)
  const { mode, user } = useSession()
  const cache = useQueryClient()
  const take = useMutation({
    mutationFn: () => own.update(record.id, { [noun.rows?.owner ?? '']: user.id }, record.version),
    onSuccess(taken) {
      void cache.invalidateQueries({ queryKey: [mode, noun.many] })
      onTaken(taken)
      toast({ text: t('taken', { name: titleOf(noun, record) }) })
    },
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  return (
    <Button variant="primary" busy={take.isPending} onClick={() => take.mutate()}>
      {t('take')}
    </Button>
  )
}
