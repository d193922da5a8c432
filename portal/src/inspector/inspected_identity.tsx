// What the inspector shows of apps, of the audit log, and of mails with what is set up for them.
import type { Tandem } from '@tandem/sdk'
import type { ReactNode } from 'react'
import { readRecord } from '../data/records.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Card, Chip, DescriptionList, IdLink, Moment, StatusChip } from '../ui/index.ts'
import { Hidden, Inspected, type InspectedProps } from './inspected_object.tsx'

type Facts = { title: string; items: { term: string; detail: ReactNode }[] }

type Kind<Value> = {
  noun: string
  needs: string
  read(api: Tandem, id: string, signal: AbortSignal): Promise<Value>
  facts(value: Value): Facts
}

/** What is read by its id and shown as a list of facts. */
function inspected<Value>({ noun, needs, read, facts }: Kind<Value>) {
  return function InspectedFacts(props: InspectedProps) {
    const api = useApi()
    const { permissions } = useSession()
    if (!permissions.has(needs)) return <Hidden permission={needs} />
    return (
      <Inspected {...props} noun={noun} fetchIt={signal => read(api, props.id, signal)}>
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

const since = (createdAt: string) => ({ term: 'Created', detail: <Moment iso={createdAt} /> })
const listed = (values: readonly string[]) => (values.length === 0 ? '–' : values.join(', '))

export const InspectedApp = inspected({
  noun: 'app',
  needs: 'apps:read',
  read: (api, id, signal) => api.apps.get({ appId: id }, { signal }),
  facts: ({ name, status, kind, scopes, redirectUris, clients, createdAt }) => ({
    title: name,
    items: [
      { term: 'Status', detail: <StatusChip status={status} /> },
      { term: 'Kind', detail: kind },
      { term: 'May at most', detail: listed(scopes) },
      { term: 'Sends people back to', detail: listed(redirectUris) },
      ...clients.map(({ mode, clientId }) => ({ term: `Client id (${mode})`, detail: <code>{clientId}</code> })),
      since(createdAt),
    ],
  }),
})

export const InspectedRole = inspected({
  noun: 'role',
  needs: 'users:read',
  read: (api, id, signal) => api.roles.get({ roleId: id }, { signal }),
  facts: ({ name, base, description, members, permissions, rows }) => ({
    title: name,
    items: [
      { term: 'Made of', detail: base },
      { term: 'For', detail: description === '' ? '–' : description },
      { term: 'Members', detail: members },
      { term: 'Permissions', detail: permissions.length },
      { term: 'Whose records', detail: listed(Object.entries(rows).map(([kind, scope]) => `${kind}: ${scope}`)) },
    ],
  }),
})

export const InspectedTeam = inspected({
  noun: 'team',
  needs: 'teams:read',
  read: (api, id, signal) => api.teams.get({ teamId: id }, { signal }),
  facts: ({ name, description, members, createdAt }) => ({
    title: name,
    items: [
      { term: 'For', detail: description === '' ? '–' : description },
      { term: 'Members', detail: listed(members.map(member => (member.lead ? `${member.name} (lead)` : member.name))) },
      since(createdAt),
    ],
  }),
})

export const InspectedHandOver = inspected({
  noun: 'hand-over',
  needs: 'users:manage',
  read: (api, id, signal) => api.handOvers.get({ handOverId: id }, { signal }),
  facts: ({ state, kinds, createdAt, finishedAt }) => ({
    title: 'Hand-over',
    items: [
      { term: 'State', detail: <StatusChip status={state} /> },
      ...kinds.map(({ kind, mode, given, total }) => ({ term: `${kind} (${mode})`, detail: `${given} of ${total}` })),
      { term: 'Finished', detail: finishedAt === null ? '–' : <Moment iso={finishedAt} /> },
      since(createdAt),
    ],
  }),
})

export const InspectedAuditEvent = inspected({
  noun: 'audit event',
  needs: 'audit:read',
  read: (api, id, signal) => api.auditEvents.get({ auditEventId: id }, { signal }),
  facts: ({ action, outcome, at, targets, context }) => ({
    title: action,
    items: [
      { term: 'Outcome', detail: <Chip tone={outcome === 'ok' ? 'ok' : 'bad'}>{outcome}</Chip> },
      { term: 'When', detail: <Moment iso={at} /> },
      { term: 'Done to', detail: listed(targets.map(({ type, id }) => `${type} ${id}`)) },
      { term: 'IP address', detail: context.ip ?? '–' },
      { term: 'Request', detail: context.requestId === null ? '–' : <IdLink id={context.requestId} /> },
    ],
  }),
})

export const InspectedAuditStream = inspected({
  noun: 'audit stream',
  needs: 'audit:read',
  read: (api, id, signal) => api.auditStreams.get({ streamId: id }, { signal }),
  facts: ({ url, enabled, behind, deliveredAt, lastError, createdAt }) => ({
    title: 'Stream of the audit log',
    items: [
      { term: 'Goes to', detail: url },
      { term: 'State', detail: enabled ? 'on' : 'off' },
      { term: 'Waiting events', detail: behind },
      { term: 'Last taken', detail: deliveredAt === null ? '–' : <Moment iso={deliveredAt} /> },
      { term: 'Last error', detail: lastError ?? '–' },
      since(createdAt),
    ],
  }),
})

export const InspectedMail = inspected({
  noun: 'mail',
  needs: 'mail:read',
  read: (api, id, signal) => readRecord('mail', api, id, signal),
  facts: ({ subject, state, from, to, createdAt }) => ({
    title: subject,
    items: [
      { term: 'State', detail: <StatusChip status={state} /> },
      { term: 'From', detail: from?.address ?? '–' },
      { term: 'To', detail: listed(to.map(({ address }) => address)) },
      since(createdAt),
    ],
  }),
})

export const InspectedMailTemplate = inspected({
  noun: 'mail template',
  needs: 'mail:read',
  read: (api, id, signal) => api.mailTemplates.get({ templateId: id }, { signal }),
  facts: ({ key, locale, subject, createdAt }) => ({
    title: key,
    items: [
      { term: 'Language', detail: locale === '' ? 'every other' : locale },
      { term: 'Subject', detail: subject },
      since(createdAt),
    ],
  }),
})

export const InspectedMailSender = inspected({
  noun: 'mail sender',
  needs: 'mail:read',
  read: (api, id, signal) => api.mailSenders.get({ senderId: id }, { signal }),
  facts: ({ address, name, replyTo, transportId, defaultFor, createdAt }) => ({
    title: address,
    items: [
      { term: 'Name', detail: name ?? '–' },
      { term: 'Answers go to', detail: replyTo ?? 'the same address' },
      { term: 'Sends by', detail: transportId === null ? 'the default mail server' : <IdLink id={transportId} /> },
      { term: 'Default for', detail: listed(defaultFor) },
      since(createdAt),
    ],
  }),
})

export const InspectedMailDomain = inspected({
  noun: 'mail domain',
  needs: 'mail:read',
  read: (api, id, signal) => api.mailDomains.get({ domainId: id }, { signal }),
  facts: ({ domain, status, checkedAt, createdAt }) => ({
    title: domain,
    items: [
      { term: 'Status', detail: <StatusChip status={status} /> },
      { term: 'Last looked up', detail: checkedAt === null ? '–' : <Moment iso={checkedAt} /> },
      since(createdAt),
    ],
  }),
})

export const InspectedMailTransport = inspected({
  noun: 'mail server',
  needs: 'mail:read',
  read: (api, id, signal) => api.mailTransports.get({ transportId: id }, { signal }),
  facts: ({ name, kind, settings, createdAt }) => ({
    title: name,
    items: [
      { term: 'Kind', detail: kind },
      { term: 'Server', detail: settings.host === null ? '–' : `${settings.host}:${settings.port}` },
      { term: 'Encryption', detail: settings.security },
      since(createdAt),
    ],
  }),
})

export const InspectedInboundMail = inspected({
  noun: 'mail that came in',
  needs: 'mail:read',
  read: (api, id, signal) => api.inboundMails.get({ inboundId: id }, { signal }),
  facts: ({ subject, state, from, recordId, sender, receivedAt }) => ({
    title: subject === '' ? '(without a subject)' : subject,
    items: [
      { term: 'State', detail: <StatusChip status={state} /> },
      { term: 'From', detail: from === null ? '–' : from.address },
      { term: 'Sender', detail: sender },
      { term: 'Stands on', detail: recordId === null ? '–' : <IdLink id={recordId} /> },
      { term: 'Received', detail: <Moment iso={receivedAt} /> },
    ],
  }),
})

export const InspectedMailbox = inspected({
  noun: 'mailbox',
  needs: 'mail:read',
  read: (api, id, signal) => api.mailboxes.get({ mailboxId: id }, { signal }),
  facts: ({ name, settings, status, fault, readAt, createdAt }) => ({
    title: name,
    items: [
      { term: 'User', detail: `${settings.user} at ${settings.host}` },
      { term: 'Folder', detail: settings.folder },
      { term: 'State', detail: <StatusChip status={status} /> },
      { term: 'Fault', detail: fault ?? '–' },
      { term: 'Last read', detail: readAt === null ? '–' : <Moment iso={readAt} /> },
      since(createdAt),
    ],
  }),
})
