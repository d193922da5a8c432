// The button at the end of a row of mail settings that deletes it, after a question.
import type { Tandem } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ConfirmDialog, toast } from '../ui/index.ts'

export type RemoveProps = {
  /** The list it is in. */
  many: string
  /** In texts: `the sender office@example.com`. */
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
      aria-label={`Delete ${props.name}`}
      onClick={() => show(onDone => <RemoveDialog {...props} onClose={onDone} />)}
    >
      Delete
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
      toast({ text: `${name.charAt(0).toUpperCase()}${name.slice(1)} was deleted.` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Delete ${name}`}
      description={text}
      confirmLabel="Delete"
      danger
      busy={mutation.isPending}
      {...(mutation.error === null ? {} : { error: mutation.error.message })}
      onConfirm={() => mutation.mutate()}
    />
  )
}
