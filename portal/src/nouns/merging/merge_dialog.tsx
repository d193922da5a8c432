// Makes one record of several: they stand side by side, one of them is chosen to stay, and of each field that differs the value to keep.
import { type QueryKey, useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog } from '../../forms/form.tsx'
import { useSession } from '../../session/session.ts'
import { faultText } from '../../ui/faults.ts'
import { ErrorState, LoadingRows, toast } from '../../ui/index.ts'
import { useNounApi } from '../api.ts'
import type { NounDescription, NounRecord } from '../noun.ts'
import { titleOf } from '../noun.ts'
import { t as tNouns } from '../texts.ts'
import { MergeTable } from './merge_table.tsx'
import styles from './merging.module.css'
import { type Choices, oldestOf, takeOf } from './rules.ts'
import { t } from './texts.ts'

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
      toast({ text: t('done', { name: titleOf(noun, merged), count: records.length, many: noun.words.many }) })
      onMerged(String(merged.id))
    },
  })
  return (
    <FormDialog
      wide
      title={t('title', { count: records.length, many: noun.words.many })}
      description={t('text')}
      faults={merge.error === null ? {} : { general: faultText(merge.error) }}
      className={styles['form']}
      action={tNouns('merge')}
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
        <LoadingRows label={tNouns('loadingMany', { many: noun.words.many })} rows={4} />
      )}
    </FormDialog>
  )
}

function Consequences({ noun, others }: { noun: NounDescription; others: number }) {
  return (
    <ul className={styles['consequences']}>
      {noun.holds === true && <li>{t('attached', { count: others })}</li>}
      <li>{t('references', { count: others })}</li>
      <li>{t('trash', { count: others, many: noun.words.many })}</li>
      <li>{t('final')}</li>
    </ul>
  )
}
