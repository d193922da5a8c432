// A record on its page: loading, there, or not found. Live and test data are two worlds, so where it is not found the
// other one is asked.
import { isTandemError } from '@tandem/sdk'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { apiOf } from '../session/api.ts'
import { setMode, useSession } from '../session/session.ts'
import { Button, ButtonLink, EmptyState, ErrorState, LoadingRows } from '../ui/index.ts'
import { homeOf, type RecordKind, type RecordOf, readRecord } from './records.ts'
import { t } from './texts.ts'

export type RecordStatesProps<Kind extends RecordKind> = {
  kind: Kind
  /** As it is in the address. */
  id: string
  query: UseQueryResult<RecordOf<Kind>>
  children(record: RecordOf<Kind>): ReactNode
}

/** Shows the one state that holds: the record once it is there. */
export function RecordStates<Kind extends RecordKind>({ kind, id, query, children }: RecordStatesProps<Kind>) {
  if (query.isPending) return <LoadingRows label={t('loading')} />
  if (query.data !== undefined) return children(query.data)
  return <MissingOf kind={kind} id={id} error={query.error} onRetry={() => void query.refetch()} />
}

function MissingOf({ kind, ...rest }: { kind: RecordKind; id: string; error: unknown; onRetry(): void }) {
  const { mode } = useSession()
  const other = apiOf(mode === 'live' ? 'test' : 'live')
  return (
    <MissingRecord
      {...rest}
      word={kind}
      home={homeOf(kind)}
      read={signal => readRecord(kind, other, rest.id, signal)}
    />
  )
}

export type MissingRecordProps = {
  /** What it is: "lead". */
  word: string
  /** Where all of them are listed. */
  home: { to: string; name: string }
  id: string
  error: unknown
  /** Reads it in the other mode. */
  read(signal: AbortSignal): Promise<unknown>
  onRetry(): void
}

/** One more request when the record is not in this mode; any other failure is shown as it is. */
export function MissingRecord({ word: kind, home, id, error, read, onRetry }: MissingRecordProps) {
  const { mode } = useSession()
  const other = mode === 'live' ? 'test' : 'live'
  const missing = isTandemError(error) && error.status === 404
  const elsewhere = useQuery({
    queryKey: [other, 'is it there', kind, id],
    queryFn: async ({ signal }) => {
      try {
        await read(signal)
        return true
      } catch (failure) {
        if (isTandemError(failure) && failure.status === 404) return false
        throw failure
      }
    },
    enabled: missing,
  })
  if (!missing) return <ErrorState error={error} onRetry={onRetry} />
  if (elsewhere.isPending) return <LoadingRows label={t('loading')} />
  if (elsewhere.data === true) {
    return (
      <EmptyState
        icon={<ArrowLeftRight size={20} />}
        title={t('otherMode', { mode: other })}
        text={t('otherModeText', { mode })}
        action={
          <>
            <Button variant="primary" onClick={() => setMode(other)}>
              {t('switchMode', { mode: other })}
            </Button>
            <ButtonLink to={home.to}>{t('all', { things: home.name })}</ButtonLink>
          </>
        }
      />
    )
  }
  return (
    <EmptyState
      title={t('missing')}
      text={t('missingText')}
      action={<ButtonLink to={home.to}>{t('all', { things: home.name })}</ButtonLink>}
    />
  )
}
