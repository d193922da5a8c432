// Two people wrote on one request: who was quicker, what differs, and which of both stays.
import { Button, Dialog, Time } from '../../ui/index.ts'
import type { Saved } from '../state/use_saved.ts'

export function ConflictDialog({ saved }: { saved: Saved }) {
  const { conflict, settle } = saved
  if (conflict === undefined) return null
  const { theirs, differing } = conflict
  return (
    <Dialog
      open
      onOpenChange={open => !open && void settle('later')}
      title={`${theirs.updatedBy.name} changed this request`}
      description="It was saved after you opened it. Nothing of yours is lost: choose what stays."
      footer={
        <>
          <Button onClick={() => void settle('later')}>Decide later</Button>
          <Button onClick={() => void settle('theirs')}>Show theirs</Button>
          <Button variant="danger" onClick={() => void settle('mine')}>
            Overwrite with mine
          </Button>
        </>
      }
    >
      <p>
        {theirs.name}, saved <Time iso={theirs.updatedAt} />.{' '}
        {differing.length === 0 ? 'Both say the same.' : `Yours differs in ${listed(differing)}.`}
      </p>
    </Dialog>
  )
}

function listed(words: readonly string[]): string {
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(words)
}
