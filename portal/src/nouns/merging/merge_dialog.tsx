// Makes one record of several: they stand side by side, one of them is chosen to stay, and of each field that differs the value to keep.
import { type QueryKey, useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../../forms/form.tsx'
import { useSession } from '../../session/session.ts'
import { countText, ErrorState, LoadingRows, toast } from '../../ui/index.ts'
import { useNounApi } from '../api.ts'
import type { NounDescription, NounRecord } from '../noun.ts'
import { titleOf } from '../noun.ts'
import { MergeTable } from './merge_table.tsx'
import styles from './merging.module.css'
import { type Choices, oldestOf, takeOf } from './rules.ts'

export type MergeDialogProps = {
  noun: NounDescription
  ids: readonly string[]
  /** The one that stays until another is chosen; the oldest where it is left out. */
  into?: string
  onClose(): void
  /** @param id the one that stays */
  onMerged(id: string): void
}

export function MergeDialog({ noun, ids, into, onClose, onMerged }: MergeDialogProps) {
  const own = useNounApi(noun)
  const { mode } = useSession()
  const cache = useQueryClient()
  const [left, setLeft] = useState<readonly string[]>([])
  const [chosen, setChosen] = useState(into)
  const [choices, setChoices] = useState<Choices>({})
  // Lists leave long texts out.
  const queries = useQueries({
    queries: ids.map(id => ({
      queryKey: [mode, noun.one, id],
      queryFn: ({ signal }: { signal: AbortSignal }) => own.get(id, signal),
    })),
  })
  const failed = queries.find(({ isError }) => isError)
  const all = queries.flatMap(({ data }) => data ?? []) as NounRecord[]
  const records = all.filter(({ id }) => !left.includes(String(id)))
  const isComplete = all.length === ids.length
  const survivor = chosen !== undefined && records.some(({ id }) => id === chosen) ? chosen : oldestOf(records)
  const merge = useMutation({
    mutationFn() {
      const others = records.map(({ id }) => String(id)).filter(id => id !== survivor)
      return own.merge(survivor, others, takeOf(noun, records, survivor, choices))
    },
    onSuccess(merged) {
      // Much names what has gone, and nothing asks for that again.
      const gone = new Set(records.map(({ id }) => String(id)).filter(id => id !== survivor))
      const isOfGone = ({ queryKey }: { queryKey: QueryKey }) => queryKey.some(part => gone.has(String(part)))
      void cache.invalidateQueries({ queryKey: [mode], predicate: query => !isOfGone(query) })
      toast({ text: `${titleOf(noun, merged)} is one of ${countText(records.length)} ${noun.words.many} now.` })
      onMerged(String(merged.id))
    },
  })
  return (
    <FormDialog
      wide
      title={`Merge ${countText(records.length)} ${noun.words.many}`}
      description="Choose the one that stays, and of each field that differs the value to keep."
      faults={merge.error === null ? {} : { general: merge.error.message }}
      className={styles['form']}
      action="Merge"
      busy={merge.isPending}
      disabled={!isComplete}
      onSubmit={() => merge.mutate()}
      onClose={onClose}
    >
      {failed !== undefined ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : isComplete ? (
        <>
          <MergeTable
            noun={noun}
            records={records}
            survivor={survivor}
            choices={choices}
            onSurvivor={setChosen}
            onChoose={(name, id) => setChoices(old => ({ ...old, [name]: id }))}
            {...(records.length > 2 && { onLeaveOut: (id: string) => setLeft(old => [...old, id]) })}
          />
          <Consequences noun={noun} others={records.length - 1} />
        </>
      ) : (
        <LoadingRows label={`Loading ${noun.words.many}`} rows={4} />
      )}
    </FormDialog>
  )
}

function Consequences({ noun, others }: { noun: NounDescription; others: number }) {
  const one = others === 1
  const { many } = noun.words
  return (
    <ul className={styles['consequences']}>
      {noun.holds === true && (
        <li>
          {`Notes, tasks, files and tags of the other${one ? '' : 's'} go along, and the timeline shows what was exchanged with the numbers of all.`}
        </li>
      )}
      <li>{`Records that name the other${one ? '' : 's'} name the one that stays.`}</li>
      <li>
        {one
          ? 'The other moves to the trash, and its address leads to the one that stays.'
          : `The other ${countText(others)} ${many} move to the trash, and their addresses lead to the one that stays.`}
      </li>
      <li>A merge cannot be undone.</li>
    </ul>
  )
}
