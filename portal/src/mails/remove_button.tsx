// The button at the end of a row of mail settings that deletes it, after a question.
import type { Tandem } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, toast } from '../ui/index.ts'
import { t } from './texts.ts'

export type RemoveProps = {
  /** The list it is in. */
  many: string
  /** What it is called, `office@example.com`. */
  name: string
  /** What deleting it means. */
  text: string
  remove(api: Tandem): Promise<unknown>
}

export function RemoveButton(props: RemoveProps) {
  const show = useHeldDialog()
  return (
    <Button
      size="sm"
      aria-label={t('deleteName', { name: props.name })}
      onClick={() => show(onDone => <RemoveDialog {...props} onClose={onDone} />)}
    >
      {t('delete')}
    </Button>
  )
}

function RemoveDialog({ many, name, text, remove, onClose }: RemoveProps & { onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const mutation = useMutation({
    mutationFn: () => remove(api),
    onSuccess: () => {
      void cache.invalidateQueries({ queryKey: [mode, many] })
      toast({ text: t('deleted', { name }) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('deleteTitle', { name })}
      description={text}
      confirmLabel={t('delete')}
      danger
      busy={mutation.isPending}
      {...(mutation.error === null ? {} : { error: faultText(mutation.error) })}
      onConfirm={() => mutation.mutate()}
    />
  )
}
