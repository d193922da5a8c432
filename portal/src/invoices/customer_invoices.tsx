// The newest invoices to a customer of this name, on the page of the company or contact; for those who may read invoices.
import { useQuery } from '@tanstack/react-query'
import related from '../nouns/nouns.module.css'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Card, ErrorState, Money, StatusChip, TextLink } from '../ui/index.ts'
import { statusText } from './invoice_noun.ts'
import { t } from './texts.ts'

const maxShown = 5

export function CustomerInvoices({ name }: { name: string }) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const isAllowed = permissions.has('invoices:read')
  const query = useQuery({
    queryKey: [mode, 'invoices', 'of a customer', name],
    queryFn: ({ signal }) => api.invoices.list({ 'customer[is]': name, limit: maxShown }, { signal }),
    enabled: isAllowed,
  })
  if (!isAllowed || query.isPending) return null
  const found = query.data?.invoices ?? []
  const total = query.data?.pagination.totalCount ?? 0
  if (query.data !== undefined && found.length === 0) return null
  return (
    <Card title={query.data === undefined ? t('invoices') : t('invoicesCounted', { count: total })}>
      {query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <>
          <ul className={related['related']}>
            {found.map(({ id, number, amount, currency, status }) => (
              <li key={id}>
                <TextLink to="/invoices/$id" params={{ id: String(id) }}>
                  {number}
                </TextLink>
                <span className={related['cell']}>
                  <Money amount={amount} currency={currency} />
                  <StatusChip status={status} label={statusText(status)} />
                </span>
              </li>
            ))}
          </ul>
          {total > maxShown && (
            <TextLink to="/invoices" search={{ 'customer[is]': name }}>
              {t('all', { count: total })}
            </TextLink>
          )}
        </>
      )}
    </Card>
  )
}
