// A task, in the composer.
import { toast } from '../../ui/index.ts'
import type { ComposerProps } from './composing.ts'
import { NewTask } from './tasks.tsx'

export function TaskPanel({ recordId, onDone }: ComposerProps & { onDone(): void }) {
  return (
    <NewTask
      recordId={recordId}
      onCreated={() => {
        toast({ text: 'The task was added.' })
        onDone()
      }}
    />
  )
}
