// Checks that the invoice numbers of a year have neither gap nor double.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, countText, Dialog, ErrorState, LoadingRows, SelectField } from '../ui/index.ts'
import styles from './invoices.module.css'

const yearsBack = 10

export function NumberCheck({ onClose }: { onClose(): void }) {
  const api = useApi()
  const { mode } = useSession()
  const thisYear = new Date().getFullYear()
  const [year, setYear] = useState(thisYear)
  const query = useQuery({
    queryKey: [mode, 'invoices', 'numbers', year],
    queryFn: ({ signal }) => api.invoices.numberAudit({ year }, { signal }),
  })
  return (
    <Dialog
      open
      onOpenChange={next => !next && onClose()}
      title="Check the numbers"
      description="Each invoice has a number of its own, and none is left out. Auditors ask for that."
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <SelectField
        label="Year"
        options={Array.from({ length: yearsBack }, (_, back) => String(thisYear - back)).map(value => ({
          value,
          label: value,
        }))}
        value={String(year)}
        onChange={event => setYear(Number(event.target.value))}
      />
      {query.isPending ? (
        <LoadingRows label="Checking" rows={2} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Result {...query.data} />
      )}
    </Dialog>
  )
}

type ResultProps = { year: number; assigned: number; gaps: { from: string; to: string }[]; duplicates: string[] }

function Result({ year, assigned, gaps, duplicates }: ResultProps) {
  if (assigned === 0 && gaps.length === 0)
    return <p role="status" className={styles['result']}>{`No invoice has a number of ${year}.`}</p>
  return (
    <div role="status" className={styles['result']}>
      <p>{`${countText(assigned)} ${assigned === 1 ? 'invoice has a number' : 'invoices have numbers'} of ${year}.`}</p>
      {gaps.length === 0 && duplicates.length === 0 && <p>None is missing, and none is there twice.</p>}
      {gaps.length > 0 && (
        <p>{`Missing: ${gaps.map(({ from, to }) => (from === to ? from : `${from} to ${to}`)).join(', ')}.`}</p>
      )}
      {duplicates.length > 0 && <p>{`There more than once: ${duplicates.join(', ')}.`}</p>}
    </div>
  )
}
