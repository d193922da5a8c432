// Who lets an app act for them, what it may do, and when it last got a token; each ends here, too.
import type { App, Authorization } from '@tandem/sdk'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { UserLink } from '../nouns/user_name.tsx'
import { apiOf } from '../session/api.ts'
import type { Column } from '../ui/data_table.tsx'
import { Card, Time, Toolbar } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import styles from './apps.module.css'
import { askedOfState, End, ModeChip, stateOf, stateOptions } from './authorization.tsx'
import { t } from './texts.ts'

const columns = byLanguage((): readonly Column<Authorization>[] => [
  { key: 'user', header: t('acts'), render: ({ userId }) => <UserLink id={userId} /> },
  { key: 'mode', header: t('mode'), nowrap: true, render: ModeChip },
  { key: 'scopes', header: t('may'), render: ({ scopes }) => scopes.join(', ') },
  { key: 'state', header: t('state'), render: stateOf },
  {
    key: 'lastUsedAt',
    header: t('lastToken'),
    nowrap: true,
    render: ({ lastUsedAt }) => (lastUsedAt === null ? '–' : <Time iso={lastUsedAt} />),
  },
  {
    key: 'createdAt',
    header: t('since'),
    nowrap: true,
    hideOnNarrow: true,
    render: ({ createdAt }) => <Time iso={createdAt} />,
  },
  {
    key: 'expiresAt',
    header: t('until'),
    nowrap: true,
    hideOnNarrow: true,
    render: ({ expiresAt }) => <Time iso={expiresAt} />,
  },
  {
    key: 'end',
    header: t('end'),
    render: authorization => <End authorization={authorization} name={authorization.userName} />,
  },
])

const filterName = 'authorizations'

export function AppAuthorizations({ app: { appId } }: { app: App }) {
  const [params, change] = useParamsOfAddress()
  const state = params[filterName]
  const list = useCursorList<Authorization>('app authorizations', { appId, state }, (cursor, signal) =>
    apiOf('live').apps.listAuthorizations(
      { appId, ...askedOfState(state), limit: 50, ...(cursor !== undefined && { cursor }) },
      { signal },
    ),
  )
  return (
    <Card flush title={t('letIn')}>
      <div className={styles['filters']}>
        <Toolbar label={t('authorizationFilters')}>
          <SelectFilter
            name={filterName}
            label={t('state')}
            params={params}
            onChange={change}
            all={t('standing')}
            options={stateOptions()}
          />
        </Toolbar>
      </div>
      <CursorTable
        caption={t('authorizationsOfApp')}
        list={list}
        columns={columns()}
        rowKey={({ authorizationId }) => authorizationId}
        isFiltered={state !== undefined}
        onClearFilters={() => change({ [filterName]: undefined })}
        empty={{ title: t('noAuthorizations'), text: t('letInNone') }}
      />
    </Card>
  )
}
