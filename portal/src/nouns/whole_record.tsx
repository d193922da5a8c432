// A record read whole before it is edited: lists leave long texts and lines out.
import { type ReactNode, useEffect } from 'react'
import { Dialog, ErrorState, LoadingRows } from '../ui/index.ts'
import { spoken } from './described/spoken.ts'
import type { NounDescription, NounRecord } from './noun.ts'
import { useNounRecord } from './records.ts'
import { t } from './texts.ts'

export type WholeRecordProps = {
  noun: NounDescription
  /** The record as the list or the page has it. */
  listed: NounRecord
  /** Of the dialog in which it is waited for. */
  title: string
  onClose(): void
  /** @param whole follows what others do @param reread resolves once it was read again, and when it could not be */
  children(whole: NounRecord, reread: () => Promise<unknown>): ReactNode
}

export function WholeRecord({ noun, listed, title, onClose, children }: WholeRecordProps) {
  const { data, error, refetch } = useNounRecord(noun, String(listed.id))
  // What was read before may be older than what the list shows.
  const isBehind = data !== undefined && data.version < listed.version
  useEffect(() => {
    if (isBehind) void refetch()
  }, [isBehind, refetch])
  if (data !== undefined && !isBehind) return children(data, refetch)
  return (
    <Dialog open wide title={title} onOpenChange={open => !open && onClose()}>
      {error === null ? (
        <LoadingRows label={t('loadingOne', { one: spoken(noun).words.one })} />
      ) : (
        <ErrorState error={error} onRetry={() => void refetch()} />
      )}
    </Dialog>
  )
}
