// Takes batches back and waits until it is done: the Undo of a notice, where no page says how far it is.
import type { Batch, Tandem } from '@tandem/sdk'
import { type ToastOptions, toast } from '../ui/toast.tsx'

const firstWaitMs = 250
const maxWaitMs = 2_000

/** The newest batch first. @throws TandemError */
async function undoBatches(api: Tandem, ids: readonly string[]): Promise<Batch[]> {
  const done: Batch[] = []
  for (const id of [...ids].reverse()) {
    let { batch } = await api.batches.revert({ id })
    for (let waitMs = firstWaitMs; batch.state === 'running'; waitMs = Math.min(waitMs * 2, maxWaitMs)) {
      await new Promise(resolve => setTimeout(resolve, waitMs))
      batch = (await api.batches.get({ id: batch.id })).batch
    }
    done.push(batch)
  }
  return done
}

export type UndoOptions = {
  api: Tandem
  ids: readonly string[]
  /** "12 companies" */
  countOf(count: number): string
  onDone(): void
}

/** What a notice offers after a change of many. */
export function undoAction({ api, ids, countOf, onDone }: UndoOptions): NonNullable<ToastOptions['action']> {
  const work = async () => {
    try {
      const batches = await undoBatches(api, ids)
      const sum = (name: 'changed' | 'failed') => batches.reduce((all, batch) => all + batch[name], 0)
      const problem = batches.find(batch => batch.problem !== null)?.problem
      const stayed = sum('failed') > 0 ? ` ${countOf(sum('failed'))} changed since and stayed.` : ''
      toast({
        text: problem ?? `Undone: ${countOf(sum('changed'))} as before.${stayed}`,
        ...((problem !== undefined || stayed !== '') && { tone: 'bad' }),
      })
    } catch (error) {
      toast({ text: error instanceof Error ? error.message : 'It could not be undone.', tone: 'bad' })
    } finally {
      onDone()
    }
  }
  return { label: 'Undo', onSelect: () => void work() }
}
