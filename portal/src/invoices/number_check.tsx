// Checks that the invoice numbers of a year have neither gap nor double.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Dialog, ErrorState, LoadingRows, SelectField } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import styles from './invoices.module.css'
import { t } from './texts.ts'

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
      title={t('check')}
      description={t('checkText')}
      footer={<Button onClick={onClose}>{t('close')}</Button>}
    >
      <SelectField
        label={t('year')}
        options={Array.from({ length: yearsBack }, (_, back) => String(thisYear - back)).map(value => ({
          value,
          label: value,
        }))}
        value={String(year)}
        onChange={event => setYear(Number(event.target.value))}
      />
      {query.isPending ? (
        <LoadingRows label={t('checking')} rows={2} />
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
    return (
      <p role="status" className={styles['result']}>
        {t('checkNone', { year: String(year) })}
      </p>
    )
  return (
    <div role="status" className={styles['result']}>
      <p>{t('checkFound', { count: assigned, year: String(year) })}</p>
      {gaps.length === 0 && duplicates.length === 0 && <p>{t('checkGood')}</p>}
      {gaps.length > 0 && (
        <p>
          {t('checkMissing', {
            numbers: listText(gaps.map(({ from, to }) => (from === to ? from : t('checkRange', { from, to })))),
          })}
        </p>
      )}
      {duplicates.length > 0 && <p>{t('checkTwice', { numbers: listText(duplicates) })}</p>}
    </div>
  )
}
