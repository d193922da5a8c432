// The audit log: who did what, newest first, with filters in the address; new events come by themselves.
import type { AuditEvent } from '@tandem/sdk'
import { Fragment } from 'react'
import { usePolled } from '../data/polled.ts'
import type { ListFilter, Resource } from '../lists/resource.ts'
import { askedOf } from '../lists/resource_filters.tsx'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useDirectory } from '../nouns/names.ts'
import { UserName } from '../nouns/user_name.tsx'
import { Chip, CodeLink } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import { byLanguage } from '../words/words.ts'
import { actorText } from './actor.tsx'
import { ChainState } from './chain_state.tsx'
import { ExportMenu } from './export_menu.tsx'
import { t } from './texts.ts'
import { actionText, changedNames } from './words.ts'

const AuditEventPage = readyPart(() => import('./event_page.tsx').then(module => module.AuditEventPage))

const lookEveryMs = 5_000

/** What people look for; any other action or noun can be searched for by its name. */
const groups = {
  users: 'user.*',
  signedIn: 'user.signed_in',
  signInRefused: 'user.sign_in_refused',
  roleChanged: 'user.role_changed',
  keys: 'api_key.*',
  webhooks: 'webhook.*',
  organization: 'organization.*',
  carriers: 'carrier.*',
  trunks: 'trunk.*',
  numbers: 'number.*',
  denied: 'permission.denied',
  log: 'audit_log.*',
} as const
const groupIds = Object.keys(groups) as (keyof typeof groups)[]
const outcomes = ['ok', 'denied', 'failed'] as const
const names = ['q', 'action', 'actor', 'outcome', 'from', 'to', 'target', 'ip']
const exampleTarget = 'user:12'

const filters = byLanguage((): readonly ListFilter<AuditEvent>[] => [
  { name: 'q', label: t('search'), placeholder: t('searchHint') },
  { name: 'action', label: t('action'), options: groupIds.map(id => ({ value: groups[id], label: t(`group.${id}`) })) },
  {
    name: 'actor',
    label: t('by'),
    all: t('byAll'),
    useOptions: () => (useDirectory().data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  },
  {
    name: 'outcome',
    label: t('outcome'),
    options: outcomes.map(value => ({ value, label: t(`outcome.${value}`) })),
  },
  { name: 'from', label: t('since'), kind: 'day', more: true },
  { name: 'to', label: t('before'), kind: 'day', more: true },
  { name: 'target', label: t('target'), placeholder: exampleTarget, more: true },
  { name: 'ip', label: t('ip'), placeholder: '203.0.113.7', more: true },
])
const events = byLanguage(
  (): Resource<AuditEvent> => ({
    many: 'audit events',
    things: t('things'),
    about: t('about'),
    from: api => api.auditEvents.list,
    id: 'auditEventId',
    nameOf: ({ action, actor }) => t('eventBy', { action: actionText(action), actor: actorText(actor) }),
    filters: filters(),
    columns: [
      { name: 'action', label: t('action'), px: 210, cell: ({ action }) => actionText(action) },
      { name: 'actor', label: t('by'), px: 200, cell: ({ actor }) => actorText(actor) },
      {
        name: 'outcome',
        label: t('outcome'),
        px: 170,
        hasControls: true,
        cell: ({ outcome, reason }) =>
          outcome === 'ok' ? (
            t('outcome.ok')
          ) : (
            <>
              <Chip tone="bad">{t(`outcome.${outcome}`)}</Chip>{' '}
              {reason !== null && <CodeLink code={reason} inOneLine />}
            </>
          ),
      },
      {
        name: 'targets',
        label: t('target'),
        px: 150,
        atFirst: 'wide',
        cell: Targets,
      },
      {
        name: 'changed',
        label: t('changed'),
        px: 170,
        atFirst: 'wide',
        cell: event => (event.before === null && event.outcome !== 'ok' ? null : changedNames(event).join(', ')),
      },
      { name: 'ip', label: t('from'), px: 120, atFirst: 'wide', cell: ({ context }) => context.ip },
      { name: 'mode', label: t('mode'), px: 80, atFirst: 'never', cell: ({ context }) => context.mode },
      { name: 'at', label: t('at'), kind: 'time' },
      { name: 'auditEventId', label: t('id'), kind: 'id', atFirst: 'never', cell: ({ auditEventId }) => auditEventId },
    ],
    tools: <ExportMenu names={names} asked={chosen => askedOf(filters(), chosen)} />,
    useNews: list => usePolled(list, lookEveryMs),
    toneOf: ({ outcome }) => (outcome === 'ok' ? undefined : 'warn'),
    empty: { text: t('empty') },
    below: <ChainState />,
  }),
)

/** Users by name; what else was changed by its id, which leads to it on the page of the event. */
function Targets({ targets }: AuditEvent) {
  return targets.map(({ type, id }, place) => (
    <Fragment key={`${type} ${id}`}>
      {place > 0 && ', '}
      {type === 'user' ? <UserName id={Number(id)} /> : /^\d+$/.test(id) ? `${type} ${id}` : id}
    </Fragment>
  ))
}

export const AuditScreen = () => <ResourceScreen of={events} page={AuditEventPage} />
