// One app: what it is called in either mode, what it may do at most, and what it was refused, with causes that it is not given.
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
import { InLiveMode } from '../session/shared.tsx'
import { CopyButton } from '../ui/code.tsx'
import type { Column } from '../ui/data_table.tsx'
import { Card, Chip, CodeLink, DescriptionList, PageHeader, StatusChip, TextLink, Time, Toolbar } from '../ui/index.ts'
import { AppActions } from './app_actions.tsx'
import styles from './apps.module.css'
import { kinds } from './kinds.ts'

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
  return (
    <>
      <PageHeader
        title={query.data?.name ?? `App ${id}`}
        heading={query.data?.name ?? 'App'}
        description={
          <>
            <TextLink to="/apps">All apps</TextLink> / <code>{id}</code>
            <CopyButton text={id} label="Copy the id" />
          </>
        }
        actions={query.data !== undefined && <AppActions app={query.data} />}
      />
      <RecordStates kind="app" id={id} query={query}>
        {app => (
          <div className={styles['stack']}>
            <AppFacts app={app} />
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
    <Card title="What it is">
      <DescriptionList
        items={[
          ...(description === null ? [] : [{ term: 'Description', detail: description }]),
          { term: 'Status', detail: <StatusChip status={status} /> },
          { term: 'Kind', detail: kinds.find(({ value }) => value === kind)?.label ?? kind },
          ...clients.map(({ mode, clientId }) => ({
            term: mode === 'live' ? 'Live client id' : 'Test client id',
            detail: (
              <span className={styles['id']}>
                <code>{clientId}</code>
                <CopyButton text={clientId} label={`Copy the ${mode} client id`} />
              </span>
            ),
          })),
          {
            term: 'Redirect addresses',
            detail:
              redirectUris.length === 0
                ? 'None: it sends nobody anywhere'
                : redirectUris.map(uri => <div key={uri}>{uri}</div>),
          },
          { term: 'May at most', detail: scopes.join(', ') },
          ...(tokensNotBefore === null
            ? []
            : [{ term: 'Signed out everywhere', detail: <Time iso={tokensNotBefore} /> }]),
          { term: 'Created', detail: <Time iso={createdAt} /> },
        ]}
      />
    </Card>
  )
}

const columns: readonly Column<AppsListErrorsItem>[] = [
  { key: 'createdAt', header: 'When', nowrap: true, render: ({ createdAt }) => <Time iso={createdAt} /> },
  {
    key: 'mode',
    header: 'Mode',
    nowrap: true,
    render: ({ mode }) => <Chip tone={mode === 'live' ? 'neutral' : 'warn'}>{mode.toUpperCase()}</Chip>,
  },
  { key: 'error', header: 'Error', render: ({ error }) => <CodeLink code={error} /> },
  {
    key: 'answer',
    header: 'Answer, and the cause',
    render: ({ description, detail }) => (
      <>
        <div>{description ?? '–'}</div>
        {detail !== null && <div className={styles['detail']}>{detail}</div>}
      </>
    ),
  },
  { key: 'path', header: 'Where', hideOnNarrow: true, render: ({ path }) => <code>{path}</code> },
  { key: 'ip', header: 'From', hideOnNarrow: true, nowrap: true, render: ({ ip }) => ip ?? '–' },
]

const filterNames = ['mode', 'error'] as const

function AppErrors({ app: { appId } }: { app: App }) {
  const [params, change] = useParamsOfAddress()
  const filters = chosenOf(params, filterNames)
  const list = useCursorList<AppsListErrorsItem>('app errors', { appId, ...filters }, (cursor, signal) =>
    apiOf('live').apps.listErrors({ appId, ...filters, limit: 50, ...(cursor ? { cursor } : {}) } as never, { signal }),
  )
  return (
    <Card flush title="What it was refused">
      <div className={styles['filters']}>
        <Toolbar label="Filters of errors">
          <SelectFilter
            name="mode"
            label="Mode"
            params={params}
            onChange={change}
            all="All"
            options={[
              { value: 'live', label: 'Live' },
              { value: 'test', label: 'Test' },
            ]}
          />
          <TextFilter name="error" label="Error" placeholder="invalid_grant" params={params} onChange={change} />
        </Toolbar>
      </div>
      <CursorTable
        caption="Errors of the app"
        list={list}
        columns={columns}
        rowKey={({ errorId }) => errorId}
        isFiltered={Object.keys(filters).length > 0}
        onClearFilters={() => change(Object.fromEntries(filterNames.map(name => [name, undefined])))}
        empty={{
          title: 'Nothing was refused',
          text: 'What goes wrong when the app asks for tokens stands here for 30 days, with causes that it is not given.',
        }}
      />
    </Card>
  )
}
