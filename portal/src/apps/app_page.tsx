// One app: what it is called in either mode, what it may do at most, whom it acts for, and what it was refused, with causes that it is
// not given.

import type { App, AppsListErrorsItem } from '@tandem/sdk'
import { useParams } from '@tanstack/react-router'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { HoldsDialog } from '../lists/held_dialog.tsx'
import { chosenOf } from '../navigation/params.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { CopyButton } from '../ui/code.tsx'
import type { Column } from '../ui/data_table.tsx'
import { Card, Chip, CodeLink, DescriptionList, PageHeader, TextLink, Time, Toolbar } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { AppActions } from './app_actions.tsx'
import { AppAuthorizations } from './app_authorizations.tsx'
import { AppStatus } from './app_status.tsx'
import styles from './apps.module.css'
import { kinds } from './kinds.ts'
import { t } from './texts.ts'

export function AppScreen() {
  const { id } = useParams({ strict: false }) as { id: string }
  return (
    <InLiveMode>
      <HoldsDialog>
        <AppPage key={id} id={id} />
      </HoldsDialog>
    </InLiveMode>
  )
}

function AppPage({ id }: { id: string }) {
  const query = useRecord('app', id)
  const { permissions } = useSession()
  return (
    <>
      <PageHeader
        title={query.data?.name ?? t('appTitle', { id })}
        heading={query.data?.name ?? t('app')}
        description={
          <>
            <TextLink to="/apps">{t('allApps')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={query.data !== undefined && permissions.has('apps:manage') && <AppActions app={query.data} />}
      />
      <RecordStates kind="app" id={id} query={query}>
        {app => (
          <div className={styles['stack']}>
            <AppFacts app={app} />
            {app.kind !== 'machine' && <AppAuthorizations app={app} />}
            <AppErrors app={app} />
          </div>
        )}
      </RecordStates>
    </>
  )
}

function AppFacts({ app }: { app: App }) {
  const { kind, status, clients, redirectUris, scopes, description, createdAt, tokensNotBefore } = app
  return (
    <Card title={t('whatItIs')}>
      <DescriptionList
        items={[
          ...(description === null ? [] : [{ term: t('description'), detail: description }]),
          { term: t('status'), detail: <AppStatus status={status} /> },
          { term: t('kindTerm'), detail: kinds().find(({ value }) => value === kind)?.label ?? kind },
          ...clients.map(({ mode, clientId }) => ({
            term: t(mode === 'live' ? 'liveClientId' : 'testClientId'),
            detail: (
              <span className={styles['id']}>
                <code>{clientId}</code>
                <CopyButton text={clientId} label={t('copyClientId', { mode })} />
              </span>
            ),
          })),
          {
            term: t('redirects'),
            detail: redirectUris.length === 0 ? t('noRedirects') : redirectUris.map(uri => <div key={uri}>{uri}</div>),
          },
          { term: t('scopes'), detail: scopes.join(', ') },
          ...(tokensNotBefore === null ? [] : [{ term: t('signedOutTerm'), detail: <Time iso={tokensNotBefore} /> }]),
          { term: t('created'), detail: <Time iso={createdAt} /> },
        ]}
      />
    </Card>
  )
}

const columns = byLanguage((): readonly Column<AppsListErrorsItem>[] => [
  { key: 'createdAt', header: t('when'), nowrap: true, render: ({ createdAt }) => <Time iso={createdAt} /> },
  {
    key: 'mode',
    header: t('mode'),
    nowrap: true,
    render: ({ mode }) => <Chip tone={mode === 'live' ? 'neutral' : 'warn'}>{t(`mode.${mode}`)}</Chip>,
  },
  { key: 'error', header: t('error'), render: ({ error }) => <CodeLink code={error} /> },
  {
    key: 'answer',
    header: t('answer'),
    render: ({ description, detail }) => (
      <>
        <div>{description ?? '–'}</div>
        {detail !== null && <div className={styles['detail']}>{detail}</div>}
      </>
    ),
  },
  { key: 'path', header: t('where'), hideOnNarrow: true, render: ({ path }) => <code>{path}</code> },
  { key: 'ip', header: t('from'), hideOnNarrow: true, nowrap: true, render: ({ ip }) => ip ?? '–' },
])

const filterNames = ['mode', 'error'] as const

function AppErrors({ app: { appId } }: { app: App }) {
  const [params, change] = useParamsOfAddress()
  const filters = chosenOf(params, filterNames)
  const list = useCursorList<AppsListErrorsItem>('app errors', { appId, ...filters }, (cursor, signal) =>
    apiOf('live').apps.listErrors({ appId, ...filters, limit: 50, ...(cursor ? { cursor } : {}) } as never, { signal }),
  )
  return (
    <Card flush title={t('refusedTitle')}>
      <div className={styles['filters']}>
        <Toolbar label={t('errorFilters')}>
          <SelectFilter
            name="mode"
            label={t('mode')}
            params={params}
            onChange={change}
            all={t('all')}
            options={[
              { value: 'live', label: t('live') },
              { value: 'test', label: t('test') },
            ]}
          />
          <TextFilter name="error" label={t('error')} placeholder={t('errorHint')} params={params} onChange={change} />
        </Toolbar>
      </div>
      <CursorTable
        caption={t('errorsOfApp')}
        list={list}
        columns={columns()}
        rowKey={({ errorId }) => errorId}
        isFiltered={Object.keys(filters).length > 0}
        onClearFilters={() => change(Object.fromEntries(filterNames.map(name => [name, undefined])))}
        empty={{
          title: t('nothingRefused'),
          text: t('nothingRefusedText'),
        }}
      />
    </Card>
  )
}
