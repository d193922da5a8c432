// Who has a role of the organization's own.
import { useQuery } from '@tanstack/react-query'
import { apiOf } from '../session/api.ts'
import { Card, ErrorState, LoadingRows, TextLink } from '../ui/index.ts'
import styles from './roles.module.css'
import { t } from './texts.ts'

const shown = 50

export function RoleMembers({ roleId }: { roleId: string }) {
  const query = useQuery({
    queryKey: ['live', 'users', 'with role', roleId],
    queryFn: ({ signal }) => apiOf('live').users.list({ roleId, limit: shown }, { signal }),
  })
  return (
    <Card title={t('who')}>
      {query.isPending ? (
        <LoadingRows label={t('whoLoading')} rows={2} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.users.length === 0 ? (
        <p className={styles['note']}>{t('whoNobody')}</p>
      ) : (
        <>
          <ul className={styles['list']}>
            {query.data.users.map(({ id, name, disabled }) => (
              <li key={id}>
                <TextLink to="/users/$id" params={{ id: String(id) }}>
                  {disabled ? t('whoDisabled', { name }) : name}
                </TextLink>
              </li>
            ))}
          </ul>
          {query.data.pagination.totalCount > shown && (
            <p className={styles['note']}>{t('whoFirst', { shown, count: query.data.pagination.totalCount })}</p>
          )}
        </>
      )}
    </Card>
  )
}
