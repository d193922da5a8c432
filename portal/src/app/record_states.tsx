// Where a record is not found: live and test data are two worlds, so the other one is asked whether the record is there.
import { isTandemError, type Tandem } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { Button, ButtonLink, EmptyState, ErrorState, LoadingRows } from '../ui/index.ts'
import { apiOf } from './api.ts'
import { setMode, useSession } from './session.ts'

export type MissingRecordProps = {
  /** What the record is: "message". */
  noun: string
  /** As it stands in the address. */
  id: string
  /** Why it is not here. */
  error: unknown
  onRetry(): void
  /** Reads the record with a client of the other mode; rejects when it is not there either. */
  find(api: Tandem, signal: AbortSignal): Promise<unknown>
  /** The list it would stand in. */
  list: '/messages' | '/calls' | '/leads' | '/invoices'
}

/** One more request when the record is not in this mode; any other failure is shown as it is. */
export function MissingRecord({ noun, id, error, onRetry, find, list }: MissingRecordProps) {
  const { mode } = useSession()
  const other = mode === 'live' ? 'test' : 'live'
  const missing = isTandemError(error) && error.status === 404
  const elsewhere = useQuery({
    queryKey: [other, 'is it there', noun, id],
    queryFn: async ({ signal }) => {
      try {
        await find(apiOf(other), signal)
        return true
      } catch (failure) {
        if (isTandemError(failure) && failure.status === 404) return false
        throw failure
      }
    },
    enabled: missing,
  })
  if (!missing) return <ErrorState error={error} onRetry={onRetry} />
  if (elsewhere.isPending) return <LoadingRows label={`Loading the ${noun}`} />
  if (elsewhere.data === true) {
    return (
      <EmptyState
        icon={<ArrowLeftRight size={20} />}
        title={`This ${noun} is in the ${other} data`}
        text={`You are looking at ${mode} data, and the two are never mixed. Switch to see it.`}
        action={
          <>
            <Button variant="primary" onClick={() => setMode(other)}>
              Switch to {other} mode
            </Button>
            <ButtonLink to={list}>All {noun}s</ButtonLink>
          </>
        }
      />
    )
  }
  const where = elsewhere.data === false ? 'in neither the live nor the test data' : `not in the ${mode} data`
  return (
    <EmptyState
      title={`There is no such ${noun}`}
      text={`It is ${where} of your organization, or your role may not see it. The id may be mistyped.`}
      action={<ButtonLink to={list}>All {noun}s</ButtonLink>}
    />
  )
}
