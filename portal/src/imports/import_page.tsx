// One import, or one batch, by the id in the address: what it is at, what came of it, and its undo.
import type { Batch, Import } from '@tandem/sdk'
import type { UseQueryResult } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MissingRecord } from '../data/record_states.tsx'
import { Refused } from '../navigation/fallbacks.tsx'
import type { NounDescription } from '../nouns/noun.ts'
import { useSession } from '../session/session.ts'
import { LoadingRows, PageHeader } from '../ui/index.ts'
import { BatchView } from './batch_view.tsx'
import { readBatch, readImport, useBatch, useImport, useNoun } from './data.ts'
import { DraftView } from './draft_view.tsx'
import { ResultView } from './result_view.tsx'
import { isDraft } from './rules.ts'
import { t } from './texts.ts'

export function ImportPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { permissions } = useSession()
  const isBatch = id.startsWith('bat_')
  const needed = isBatch ? 'batches:read' : 'imports:read'
  if (!permissions.has(needed)) return <Refused title={t('title')} />
  return isBatch ? <BatchById id={id} /> : <ImportById id={id} />
}

function ImportById({ id }: { id: string }) {
  const query = useImport(id)
  return (
    <WithNoun id={id} of="import" query={query} read={readImport}>
      {(found, noun) =>
        isDraft(found) || found.state === 'checking' ? (
          <DraftView key={found.id} found={found} noun={noun} />
        ) : (
          <ResultView found={found} noun={noun} />
        )
      }
    </WithNoun>
  )
}

function BatchById({ id }: { id: string }) {
  const query = useBatch(id)
  return (
    <WithNoun id={id} of="change" query={query} read={readBatch}>
      {(batch, noun) => <BatchView batch={batch} noun={noun} />}
    </WithNoun>
  )
}

type WithNounProps<Found> = {
  id: string
  of: 'import' | 'change'
  query: UseQueryResult<Found>
  read: (mode: 'live' | 'test', id: string, signal: AbortSignal) => Promise<Found>
  children(found: Found, noun: NounDescription): ReactNode
}

function WithNoun<Found extends Import | Batch>({ id, of, query, read, children }: WithNounProps<Found>) {
  const { mode } = useSession()
  const noun = useNoun(query.data?.noun)
  if (query.data !== undefined && noun.data !== undefined) return children(query.data, noun.data)
  if (query.isPending || (query.data !== undefined && noun.isFetching))
    return (
      <>
        <PageHeader title={t(`loading.${of}`)} />
        <LoadingRows label={t(`loading.${of}`)} />
      </>
    )
  return (
    <>
      <PageHeader title={t(`word.${of}`)} />
      <MissingRecord
        word={of}
        home={{ to: '/imports', name: t('things') }}
        id={id}
        error={query.error ?? noun.error}
        read={signal => read(mode === 'live' ? 'test' : 'live', id, signal)}
        onRetry={() => void query.refetch()}
      />
    </>
  )
}
