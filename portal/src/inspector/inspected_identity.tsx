// What the inspector shows of apps, of the audit log, and of mails with what is set up for them.

import type { Tandem } from '@tandem/sdk'
import type { ReactNode } from 'react'
import { readRecord } from '../data/records.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Card, Chip, DescriptionList, IdLink, Moment, StatusChip } from '../ui/index.ts'
import { listText, nameOfCode } from '../words/format.ts'
import { Hidden, Inspected, type InspectedProps } from './inspected_object.tsx'
import { t } from './texts.ts'

type Facts = { title: string; items: { term: string; detail: ReactNode }[] }

type Kind<Value> = {
  needs: string
  read(api: Tandem, id: string, signal: AbortSignal): Promise<Value>
  facts(value: Value): Facts
}

/** What is read by its id and shown as a list of facts. */
function inspected<Value>({ needs, read, facts }: Kind<Value>) {
  return function InspectedFacts(props: InspectedProps) {
    const api = useApi()
    const { permissions } = useSession()
    if (!permissions.has(needs)) return <Hidden permission={needs} />
    return (
      <Inspected {...props} fetchIt={signal => read(api, props.id, signal)}>
        {value => {
          const { title, items } = facts(value as Value)
          return (
            <Card title={title}>
              <DescriptionList items={items} />
            </Card>
          )
        }}
      </Inspected>
    )
  }
}

const since = (createdAt: string) => ({ term: t('created'), detail: <Moment iso={createdAt} /> })
const listed = (values: readonly string[]) => (values.length === 0 ? '–' : listText(values))

export const InspectedApp = inspected({
  needs: 'apps:read',
  read: (api, id, signal) => api.apps.get({ appId: id }, { signal }),
  facts: ({ name, status, kind, scopes, redirectUris, clients, createdAt }) => ({
    title: name,
    items: [
      { term: t('status'), detail: <StatusChip status={status} /> },
      { term: t('kind'), detail: kind },
      { term: t('mayAtMost'), detail: scopes.length === 0 ? '–' : scopes.join(', ') },
      { term: t('redirects'), detail: listed(redirectUris) },
      ...clients.map(({ mode, clientId }) => ({ term: t('clientId', { mode }), detail: <code>{clientId}</code> })),
      since(createdAt),
    ],
  }),
})

export const InspectedRole = inspected({
  needs: 'users:read',
  read: (api, id, signal) => api.roles.get({ roleId: id }, { signal }),
  facts: ({ name, base, description, members, permissions, rows }) => ({
    title: name,
    items: [
      { term: t('madeOf'), detail: base },
      { term: t('for'), detail: description === '' ? '–' : description },
      { term: t('members'), detail: members },
      { term: t('permissions'), detail: permissions.length },
      { term: t('whose'), detail: listed(Object.entries(rows).map(([kind, scope]) => `${kind}: ${scope}`)) },
    ],
  }),
})

export const InspectedTeam = inspected({
  needs: 'teams:read',
  read: (api, id, signal) => api.teams.get({ teamId: id }, { signal }),
  facts: ({ name, description, members, createdAt }) => ({
    title: name,
    items: [
      { term: t('for'), detail: description === '' ? '–' : description },
      {
        term: t('members'),
        detail: listed(members.map(member => (member.lead ? t('lead', { name: member.name }) : member.name))),
      },
      since(createdAt),
    ],
  }),
})

export const InspectedHandOver = inspected({
  needs: 'users:manage',
  read: (api, id, signal) => api.handOvers.get({ handOverId: id }, { signal }),
  facts: ({ state, kinds, createdAt, finishedAt }) => ({
    title: t('handOver'),
    items: [
      { term: t('state'), detail: <StatusChip status={state} /> },
      ...kinds.map(({ kind, mode, given, total }) => ({
        term: `${kind} (${mode})`,
        detail: t('givenOf', { given, total }),
      })),
      { term: t('finished'), detail: finishedAt === null ? '–' : <Moment iso={finishedAt} /> },
      since(createdAt),
    ],
  }),
})

export const InspectedAuditEvent = inspected({
  needs: 'audit:read',
  read: (api, id, signal) => api.auditEvents.get({ auditEventId: id }, { signal }),
  facts: ({ action, outcome, at, targets, context }) => ({
    title: action,
    items: [
      { term: t('outcome'), detail: <Chip tone={outcome === 'ok' ? 'ok' : 'bad'}>{outcome}</Chip> },
      { term: t('when'), detail: <Moment iso={at} /> },
      { term: t('doneTo'), detail: listed(targets.map(({ type, id }) => `${type} ${id}`)) },
      { term: t('ip'), detail: context.ip ?? '–' },
      { term: t('request'), detail: context.requestId === null ? '–' : <IdLink id={context.requestId} /> },
    ],
  }),
})

export const InspectedAuditStream = inspected({
  needs: 'audit:read',
  read: (api, id, signal) => api.auditStreams.get({ streamId: id }, { signal }),
  facts: ({ url, enabled, behind, deliveredAt, lastError, createdAt }) => ({
    title: t('stream'),
    items: [
      { term: t('goesTo'), detail: url },
      { term: t('state'), detail: t(enabled ? 'on' : 'off') },
      { term: t('waitingEvents'), detail: behind },
      { term: t('lastTaken'), detail: deliveredAt === null ? '–' : <Moment iso={deliveredAt} /> },
      { term: t('lastError'), detail: lastError ?? '–' },
      since(createdAt),
    ],
  }),
})

export const InspectedMail = inspected({
  needs: 'mail:read',
  read: (api, id, signal) => readRecord('mail', api, id, signal),
  facts: ({ subject, state, from, to, createdAt }) => ({
    title: subject,
    items: [
      { term: t('state'), detail: <StatusChip status={state} /> },
      { term: t('from'), detail: from?.address ?? '–' },
      { term: t('to'), detail: listed(to.map(({ address }) => address)) },
      since(createdAt),
    ],
  }),
})

export const InspectedMailTemplate = inspected({
  needs: 'mail:read',
  read: (api, id, signal) => api.mailTemplates.get({ templateId: id }, { signal }),
  facts: ({ key, locale, subject, createdAt }) => ({
    title: key,
    items: [
      { term: t('language'), detail: locale === '' ? t('everyOther') : nameOfCode('language', locale) },
      { term: t('subject'), detail: subject },
      since(createdAt),
    ],
  }),
})

export const InspectedMailSender = inspected({
  needs: 'mail:read',
  read: (api, id, signal) => api.mailSenders.get({ senderId: id }, { signal }),
  facts: ({ address, name, replyTo, transportId, defaultFor, createdAt }) => ({
    title: address,
    items: [
      { term: t('name'), detail: name ?? '–' },
      { term: t('answersTo'), detail: replyTo ?? t('sameAddress') },
      { term: t('sendsBy'), detail: transportId === null ? t('defaultServer') : <IdLink id={transportId} /> },
      { term: t('defaultFor'), detail: listed(defaultFor) },
      since(createdAt),
    ],
  }),
})

export const InspectedMailDomain = inspected({
  needs: 'mail:read',
  read: (api, id, signal) => api.mailDomains.get({ domainId: id }, { signal }),
  facts: ({ domain, status, checkedAt, createdAt }) => ({
    title: domain,
    items: [
      { term: t('status'), detail: <StatusChip status={status} /> },
      { term: t('lastLooked'), detail: checkedAt === null ? '–' : <Moment iso={checkedAt} /> },
      since(createdAt),
    ],
  }),
})

export const InspectedMailTransport = inspected({
  needs: 'mail:read',
  read: (api, id, signal) => api.mailTransports.get({ transportId: id }, { signal }),
  facts: ({ name, kind, settings, createdAt }) => ({
    title: name,
    items: [
      { term: t('kind'), detail: kind },
      { term: t('server'), detail: settings.host === null ? '–' : `${settings.host}:${settings.port}` },
      { term: t('encryption'), detail: settings.security },
      since(createdAt),
    ],
  }),
})

export const InspectedInboundMail = inspected({
  needs: 'mail:read',
  read: (api, id, signal) => api.inboundMails.get({ inboundId: id }, { signal }),
  facts: ({ subject, state, from, recordId, sender, receivedAt }) => ({
    title: subject === '' ? t('noSubject') : subject,
    items: [
      { term: t('state'), detail: <StatusChip status={state} /> },
      { term: t('from'), detail: from === null ? '–' : from.address },
      { term: t('sender'), detail: sender },
      { term: t('standsOn'), detail: recordId === null ? '–' : <IdLink id={recordId} /> },
      { term: t('received'), detail: <Moment iso={receivedAt} /> },
    ],
  }),
})

export const InspectedMailbox = inspected({
  needs: 'mail:read',
  read: (api, id, signal) => api.mailboxes.get({ mailboxId: id }, { signal }),
  facts: ({ name, settings, status, fault, readAt, createdAt }) => ({
    title: name,
    items: [
      { term: t('user'), detail: t('userAt', { user: settings.user, host: settings.host }) },
      { term: t('folder'), detail: settings.folder },
      { term: t('state'), detail: <StatusChip status={status} /> },
      { term: t('fault'), detail: fault ?? '–' },
      { term: t('lastRead'), detail: readAt === null ? '–' : <Moment iso={readAt} /> },
      since(createdAt),
    ],
  }),
})
