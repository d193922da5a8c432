// Takes batches back and waits until it is done: the Undo of a notice, where no page says how far it is.
import type { Batch, Tandem } from '@tandem/sdk'
import { faultText } from '../../ui/faults.ts'
import { type ToastOptions, toast } from '../../ui/toast.tsx'
import { t } from './texts.ts'

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
      const what = countOf(sum('changed'))
      const isPartial = sum('failed') > 0
      const done = isPartial ? t('undoneSome', { what, others: countOf(sum('failed')) }) : t('undone', { what })
      toast({ text: problem ?? done, ...((problem !== undefined || isPartial) && { tone: 'bad' }) })
    } catch (error) {
      toast({ text: faultText(error), tone: 'bad' })
    } finally {
      onDone()
    }
  }
  return { label: t('undo'), onSelect: () => void work() }
}
