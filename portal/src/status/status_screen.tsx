// How the server does for the organization, for its Admins: what needs attention first, then queues, carriers, trunks, webhooks, mail, storage.
import type { StatusGetReply } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Refused } from '../navigation/fallbacks.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Card, Chip, ErrorState, LoadingRows, PageHeader, StatusChip, sizeText, TextLink, Time } from '../ui/index.ts'
import { Columns, type Finding, Page, QueuesCard, Quiet, Row, Rows, refreshMs, StandingCard } from './parts.tsx'
import { t } from './texts.ts'

export function StatusScreen() {
  const { permissions, mode } = useSession()
  const api = useApi()
  const isAllowed = permissions.has('status:read')
  const query = useQuery({
    queryKey: [mode, 'status'],
    enabled: isAllowed,
    queryFn: ({ signal }) => api.status.get({}, { signal }),
    refetchInterval: refreshMs,
  })
  if (!isAllowed) return <Refused title={t('title')} />
  const { data } = query
  return (
    <>
      <PageHeader title={t('title')} description={t('about')} />
      {query.isPending ? (
        <LoadingRows label={t('loading')} />
      ) : data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Page>
          <StandingCard of={data} isStale={query.isError} linked={linked} />
          <Columns
            left={
              <>
                <QueuesCard queues={data.queues} />
                <Storage storage={data.storage} />
                <Server {...data} />
              </>
            }
            right={
              <>
                <Carriers carriers={data.carriers} />
                <Trunks trunks={data.trunks} />
                <Webhooks {...data.webhooks} />
                <Mail {...data.mail} />
              </>
            }
          />
        </Page>
      )}
    </>
  )
}

const pages: Readonly<Record<string, string>> = {
  carrier: '/carriers/$id',
  trunk: '/trunks/$id',
  webhook: '/webhooks/$id',
}

/** The way to where it is mended. */
function linked({ code, id }: Finding, text: string): ReactNode {
  if (code === 'mailbox_failing') return <TextLink to="/mailboxes">{text}</TextLink>
  const to = pages[code.split('_')[0] ?? '']
  if (to === undefined || id === null) return text
  return (
    <TextLink to={to as '/carriers/$id'} params={{ id }}>
      {text}
    </TextLink>
  )
}

type Link = { id: string; name: string; kind: string; state: string; since: string | null; error: string | null }

function LinkRow({ to, link }: { to: '/carriers/$id' | '/trunks/$id'; link: Link }) {
  const { id, name, kind, state, since, error } = link
  return (
    <Row
      name={
        <TextLink to={to} params={{ id }}>
          {name}
        </TextLink>
      }
      detail={
        <>
          {since === null ? kind : t.rich('since', { kind, time: () => <Time iso={since} /> })}
          {error !== null && `: ${error}`}
        </>
      }
      value={<StatusChip status={state} />}
    />
  )
}

function Carriers({ carriers }: Pick<StatusGetReply, 'carriers'>) {
  return (
    <Card title={t('carriers')}>
      {carriers.length === 0 && <Quiet>{t('noCarriers')}</Quiet>}
      <Rows>
        {carriers.map(one => (
          <LinkRow key={one.carrierId} to="/carriers/$id" link={{ ...one, id: one.carrierId }} />
        ))}
      </Rows>
    </Card>
  )
}

function Trunks({ trunks }: Pick<StatusGetReply, 'trunks'>) {
  return (
    <Card title={t('trunks')}>
      {trunks.length === 0 && <Quiet>{t('noTrunks')}</Quiet>}
      <Rows>
        {trunks.map(one => (
          <LinkRow key={one.trunkId} to="/trunks/$id" link={{ ...one, id: one.trunkId }} />
        ))}
      </Rows>
    </Card>
  )
}

function Webhooks({ enabled, troubled }: StatusGetReply['webhooks']) {
  return (
    <Card title={t('webhooks')}>
      <Rows>
        <Row name={t('webhooksOn')} value={enabled} />
        {troubled.map(({ webhookId, url, disabledReason, failingSince, error }) => (
          <Row
            key={webhookId}
            name={
              <TextLink to="/webhooks/$id" params={{ id: webhookId }}>
                {url}
              </TextLink>
            }
            detail={
              failingSince !== null && (
                <>
                  {t.rich('failingSince', { time: () => <Time iso={failingSince} /> })}
                  {error !== null && `: ${error}`}
                </>
              )
            }
            value={
              disabledReason === null ? (
                <StatusChip status="failing" />
              ) : (
                <Chip tone={disabledReason === 'request' ? 'neutral' : 'warn'}>{t(`disabled.${disabledReason}`)}</Chip>
              )
            }
          />
        ))}
      </Rows>
    </Card>
  )
}

function Mail({ transports, mailboxes }: StatusGetReply['mail']) {
  return (
    <Card title={t('mail')}>
      {transports.length === 0 && <Quiet>{t('mailInstallation')}</Quiet>}
      <Rows>
        {transports.map(({ transportId, name, enabled, isDefault }) => (
          <Row
            key={transportId}
            name={name}
            detail={t(isDefault ? 'mailDefault' : 'mailServer')}
            value={<Chip dot>{t(enabled ? 'on' : 'off')}</Chip>}
          />
        ))}
        {mailboxes.map(({ mailboxId, name, status }) => (
          <Row key={mailboxId} name={name} detail={t('mailbox')} value={<StatusChip status={status} />} />
        ))}
      </Rows>
    </Card>
  )
}

function Storage({ storage }: Pick<StatusGetReply, 'storage'>) {
  return (
    <Card title={t('storage')}>
      <Rows>
        {storage.map(({ kind, files, bytes, isMore }) => (
          <Row
            key={kind}
            name={t(`storage.${kind}`)}
            detail={t(isMore ? 'filesMore' : 'files', { count: files })}
            value={isMore ? t('sizeMore', { size: sizeText(bytes) }) : sizeText(bytes)}
          />
        ))}
      </Rows>
    </Card>
  )
}

function Server({ version, nodes }: Pick<StatusGetReply, 'version' | 'nodes'>) {
  return (
    <Card title={t('server')}>
      <Rows>
        <Row name={t('version')} value={version} />
        {nodes.map(node => (
          <Row
            key={`${node.startedAt} ${node.roles.join()}`}
            name={t('process', { roles: node.roles.join(', ') })}
            detail={t.rich('started', { time: () => <Time iso={node.startedAt} /> })}
            value={
              <Chip tone={node.state === 'live' ? 'ok' : 'warn'} dot={node.state === 'live'}>
                {t(`node.${node.state}`)}
              </Chip>
            }
          />
        ))}
      </Rows>
    </Card>
  )
}
