// Records of another noun that name this one: the newest few, and the way to all of them.

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { ButtonLink, Card, countText, ErrorState, LoadingRows, StatusChip, TextLink } from '../ui/index.ts'
import type { ListPagination } from './api.ts'
import { spoken } from './described/spoken.ts'
import { knownNounBy, loadNoun } from './known.ts'
import { methodsOf } from './methods.ts'
import { fieldNamed, type NounRecord, type Related, within, wordOf } from './noun.ts'
import styles from './nouns.module.css'
import { t } from './texts.ts'

const maxShown = 5

/** Where a record stands, as its noun calls that. */
function Status({ one, status }: { one: string; status: string }) {
  const noun = useQuery({ queryKey: ['noun', one], queryFn: () => loadNoun(one), staleTime: Number.POSITIVE_INFINITY })
  if (noun.isPending) return null
  const field = noun.data && fieldNamed(spoken(noun.data), 'status')
  return <StatusChip status={status} label={field && wordOf(field, status)} />
}

export function RelatedList({ related, id }: { related: Related; id: string }) {
  const { noun: many, title, parameter } = related
  const { mode, permissions } = useSession()
  const known = knownNounBy(many)
  const query = useQuery({
    queryKey: [mode, many, 'related', parameter, id],
    queryFn: async ({ signal }) => {
      const reply = await methodsOf(apiOf(mode), many).list({ [parameter]: id, limit: maxShown }, { signal })
      const { totalCount, totalIsExact } = reply['pagination'] as ListPagination
      return {
        records: (reply[many] ?? []) as NounRecord[],
        total: totalCount,
        totalText: countText(totalCount, totalIsExact),
      }
    },
  })
  const path = `/${many}`
  const mayCreate = related.fixed !== true && permissions.has(`${many}:create`)
  // What is not there, and cannot be created here, is not worth a look.
  if (query.data?.total === 0 && !mayCreate) return null
  return (
    <Card
      title={query.data === undefined ? title : t('titleCounted', { title, count: query.data.totalText })}
      actions={
        mayCreate && (
          <ButtonLink
            size="sm"
            icon={<Plus size={14} />}
            to={path as '/leads'}
            search={{ create: '1', with: `${related.field}:${id}` }}
            aria-label={t('createIn', { title: within(title) })}
          >
            {t('createShort')}
          </ButtonLink>
        )
      }
    >
      {query.isPending ? (
        <LoadingRows label={t('loadingTitle', { title: within(title) })} rows={2} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.total === 0 ? (
        <p className={styles['faint']}>{t('noneYet')}</p>
      ) : (
        <>
          <ul className={styles['related']}>
            {query.data.records.map(record => (
              <li key={record.id}>
                <TextLink to={`${path}/$id` as '/leads/$id'} params={{ id: String(record.id) }}>
                  {String(record[known?.title ?? 'name'] ?? record.id)}
                </TextLink>
                {typeof record['status'] === 'string' && <Status one={known?.one ?? ''} status={record['status']} />}
              </li>
            ))}
          </ul>
          {query.data.total > maxShown && (
            <TextLink to={path as '/leads'} search={{ [parameter]: id }}>
              {t('allCounted', { count: query.data.totalText })}
            </TextLink>
          )}
        </>
      )}
    </Card>
  )
}
