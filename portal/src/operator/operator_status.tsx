// The status of the installation, for those who run it: processes and their disks, queues and links over all organizations, the database.
import { type OperatorStatusGetReply, TandemError } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Columns, Page, QueuesCard, Quiet, Row, Rows, refreshMs, StandingCard } from '../status/parts.tsx'
import { ButtonLink, Card, Chip, ErrorState, LoadingRows, PageHeader, StatusChip, sizeText, Time } from '../ui/index.ts'
import { numberText } from '../words/format.ts'
import { forgetOperator, operatorApi } from './client.ts'
import { SendingCard } from './sending_card.tsx'
import { t } from './texts.ts'

export function OperatorStatus() {
  useEffect(() => forgetOperator, [])
  const query = useQuery({
    queryKey: ['operator', 'status'],
    gcTime: 0,
    queryFn: ({ signal }) => operatorApi.operatorStatus.get({}, { signal }),
    refetchInterval: ({ state }) => (state.data === undefined ? false : refreshMs),
  })
  const { data } = query
  return (
    <>
      <PageHeader
        title={t('statusTitle')}
        description={t('statusAbout')}
        actions={<ButtonLink to="/operator">{t('organizations')}</ButtonLink>}
      />
      {query.isPending ? (
        <LoadingRows label={t('statusLoading')} />
      ) : data === undefined ? (
        <ErrorState
          error={query.error}
          {...(query.error instanceof TandemError && query.error.code === 'not_operator' && { title: t('refused') })}
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Page>
          <StandingCard of={data} isStale={query.isError} />
          <Columns
            left={
              <>
                <Processes nodes={data.nodes} />
                <SendingCard />
                <QueuesCard queues={data.queues} />
                <Links {...data} />
                <Backup backup={data.backup} />
                {data.archive !== null && <Archive archive={data.archive} />}
              </>
            }
            right={
              <>
                <Database {...data.database} />
                <Settings settings={data.database.settings} />
              </>
            }
          />
        </Page>
      )}
    </>
  )
}

function Processes({ nodes }: Pick<OperatorStatusGetReply, 'nodes'>) {
  return (
    <Card title={t('processes')}>
      {nodes.length === 0 && <Quiet>{t('processesNone')}</Quiet>}
      <Rows>
        {nodes.map(({ nodeId, host, pid, version, runtime, roles, startedAt, lastSeenAt, state, disks }) => (
          <Row
            key={nodeId}
            name={<b>{t('process', { host, pid: String(pid) })}</b>}
            detail={
              <>
                {t('processVersions', { roles: roles.join(', '), version, runtime })}
                <br />
                {t.rich(state === 'live' ? 'processStarted' : 'processSilent', {
                  time: () => <Time iso={state === 'live' ? startedAt : lastSeenAt} />,
                })}
                {disks.map(({ folder, freeBytes, sizeBytes }) => (
                  <span key={folder}>
                    <br />
                    {t('disk', {
                      folder: t.of('folder', folder) ?? folder,
                      free: sizeText(freeBytes),
                      size: sizeText(sizeBytes),
                    })}
                  </span>
                ))}
              </>
            }
            value={
              <Chip tone={state === 'live' ? 'ok' : 'warn'} dot={state === 'live'}>
                {t(`node.${state}`)}
              </Chip>
            }
          />
        ))}
      </Rows>
    </Card>
  )
}

function Links({ links, downLinks, calls }: Pick<OperatorStatusGetReply, 'links' | 'downLinks' | 'calls'>) {
  const underWay = calls.reduce((sum, one) => sum + one.calls, 0)
  return (
    <Card title={t('links')}>
      <Rows>
        <Row name={t('callsUnderWay')} value={numberText(underWay)} />
        {links.map(({ noun, kind, state, links: count }) => (
          <Row
            key={`${noun} ${kind} ${state}`}
            name={t(`link.${noun}`, { count, kind })}
            value={<StatusChip status={state} />}
          />
        ))}
        {downLinks.map(({ noun, id, organizationId, mode, state, since }) => (
          <Row
            key={`${noun} ${id} ${state} ${since}`}
            name={<code>{id}</code>}
            detail={
              <>
                {t('linkOf', { organization: String(organizationId), mode: t(`mode.${mode}`) })}
                {since !== null && <>, {t.rich('linkSince', { time: () => <Time iso={since} /> })}</>}
              </>
            }
            value={<StatusChip status={state} />}
          />
        ))}
      </Rows>
      {links.length === 0 && <Quiet>{t('linksNone')}</Quiet>}
    </Card>
  )
}

function Database(database: OperatorStatusGetReply['database']) {
  const { version, schema, sizeBytes, connections, maxConnections, transactionAge, deadlocks, cacheHitShare } = database
  return (
    <Card title={t('database')}>
      <Rows>
        <Row name={t('postgres')} value={version} />
        <Row name={t('schema')} value={schema} />
        <Row name={t('databaseSize')} value={sizeText(sizeBytes)} />
        <Row
          name={t('connections')}
          value={t('connectionsOf', { open: numberText(connections), most: numberText(maxConnections) })}
        />
        {cacheHitShare !== null && (
          <Row
            name={t('cacheHits')}
            value={t('percent', { share: numberText(Math.round(cacheHitShare * 1000) / 10) })}
          />
        )}
        <Row name={t('deadlocks')} value={numberText(deadlocks)} />
        <Row name={t('transactionAge')} value={numberText(transactionAge)} />
      </Rows>
    </Card>
  )
}

function Backup({ backup }: Pick<OperatorStatusGetReply, 'backup'>) {
  return (
    <Card title={t('backup')}>
      {backup === null ? (
        <Quiet>{t('backupNone')}</Quiet>
      ) : (
        <Rows>
          <Row
            name={t('backupLast')}
            detail={backup.sizeBytes === null ? undefined : sizeText(backup.sizeBytes)}
            value={<Time iso={backup.finishedAt} />}
          />
        </Rows>
      )}
    </Card>
  )
}

function Archive({ archive }: { archive: NonNullable<OperatorStatusGetReply['archive']> }) {
  const time = (iso: string | null) => (iso === null ? t('archiveNever') : <Time iso={iso} />)
  return (
    <Card title={t('archive')}>
      <Rows>
        <Row name={t('archiveFrom')} value={time(archive.earliest)} />
        <Row name={t('archiveUntil')} value={time(archive.latest)} />
        <Row name={t('archiveBase')} value={time(archive.lastBaseBackupAt)} />
        <Row name={t('archiveWaiting')} value={numberText(archive.waiting)} />
      </Rows>
    </Card>
  )
}

function Settings({ settings }: Pick<OperatorStatusGetReply['database'], 'settings'>) {
  return (
    <Card title={t('databaseSettings')}>
      <Rows>
        {settings.map(({ name, value }) => (
          <Row key={name} name={<code>{name}</code>} value={value} />
        ))}
      </Rows>
    </Card>
  )
}
