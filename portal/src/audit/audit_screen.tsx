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
import { actorText } from './actor.tsx'
import { ChainState } from './chain_state.tsx'
import { ExportMenu } from './export_menu.tsx'
import { actionText, changedNames } from './words.ts'

const AuditEventPage = readyPart(() => import('./event_page.tsx').then(module => module.AuditEventPage))

const lookEveryMs = 5_000

/** What people look for; any other action or noun can be searched for by its name. */
const groups = [
  { value: 'user.*', label: 'Users and sign-ins' },
  { value: 'user.signed_in', label: 'Sign-ins' },
  { value: 'user.sign_in_refused', label: 'Refused sign-ins' },
  { value: 'user.role_changed', label: 'Changes of roles' },
  { value: 'api_key.*', label: 'API keys' },
  { value: 'webhook.*', label: 'Webhooks' },
  { value: 'organization.*', label: 'The organization' },
  { value: 'carrier.*', label: 'Carriers' },
  { value: 'trunk.*', label: 'Trunks' },
  { value: 'number.*', label: 'Numbers' },
  { value: 'permission.denied', label: 'Refused permissions' },
  { value: 'audit_log.*', label: 'This log' },
]

const filters: readonly ListFilter<AuditEvent>[] = [
  { name: 'q', label: 'Search', placeholder: 'Name, address, value, id' },
  { name: 'action', label: 'Action', options: groups },
  {
    name: 'actor',
    label: 'By',
    all: 'Anybody',
    useOptions: () => (useDirectory().data ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
  },
  {
    name: 'outcome',
    label: 'Outcome',
    options: [
      { value: 'ok', label: 'Done' },
      { value: 'denied', label: 'Denied' },
      { value: 'failed', label: 'Failed' },
    ],
  },
  { name: 'from', label: 'Since', kind: 'day', more: true },
  { name: 'to', label: 'Before', kind: 'day', more: true },
  { name: 'target', label: 'Done to', placeholder: 'user:12', more: true },
  { name: 'ip', label: 'IP address', placeholder: '203.0.113.7', more: true },
]
const names = filters.map(({ name }) => name)

const events: Resource<AuditEvent> = {
  many: 'audit events',
  about:
    'Who did what in the organization, in live and test mode: changes of what is set up, sign-ins, exports, refusals.',
  from: api => api.auditEvents.list,
  id: 'auditEventId',
  nameOf: ({ action, actor }) => `${actionText(action)} by ${actorText(actor)}`,
  filters,
  columns: [
    { name: 'action', label: 'Action', px: 210, cell: ({ action }) => actionText(action) },
    { name: 'actor', label: 'By', px: 200, cell: ({ actor }) => actorText(actor) },
    {
      name: 'outcome',
      label: 'Outcome',
      px: 170,
      hasControls: true,
      cell: ({ outcome, reason }) =>
        outcome === 'ok' ? (
          'Done'
        ) : (
          <>
            <Chip tone="bad">{outcome}</Chip> {reason !== null && <CodeLink code={reason} inOneLine />}
          </>
        ),
    },
    {
      name: 'targets',
      label: 'Done to',
      px: 150,
      atFirst: 'wide',
      cell: Targets,
    },
    {
      name: 'changed',
      label: 'Changed',
      px: 170,
      atFirst: 'wide',
      cell: event => (event.before === null && event.outcome !== 'ok' ? null : changedNames(event).join(', ')),
    },
    { name: 'ip', label: 'From', px: 120, atFirst: 'wide', cell: ({ context }) => context.ip },
    { name: 'mode', label: 'Mode', px: 80, atFirst: 'never', cell: ({ context }) => context.mode },
    { name: 'at', label: 'When', kind: 'time' },
    { name: 'auditEventId', label: 'Id', kind: 'id', atFirst: 'never', cell: ({ auditEventId }) => auditEventId },
  ],
  tools: <ExportMenu names={names} asked={chosen => askedOf(filters, chosen)} />,
  useNews: list => usePolled(list, lookEveryMs),
  toneOf: ({ outcome }) => (outcome === 'ok' ? undefined : 'warn'),
  empty: { text: 'Sign-ins and changes of what is set up appear here as they happen.' },
  below: <ChainState />,
}

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
