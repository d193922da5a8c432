// A task, in the composer.
import { toast } from '../../ui/index.ts'
import type { ComposerProps } from './composing.ts'
import { NewTask } from './tasks.tsx'
import { t } from './texts.ts'

export function TaskPanel({ recordId, onDone }: ComposerProps & { onDone(): void }) {
  return (
    <NewTask
      recordId={recordId}
      onCreated={() => {
        toast({ text: t('taskAdded') })
        onDone()
      }}
    />
  )
}
