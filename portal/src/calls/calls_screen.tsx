// Calls: a list that follows what happens, and one call with everything that happened in it.
import type { CallsListItem } from '@tandem/sdk'
import { Play } from 'lucide-react'
import type { ListFilter, Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { priceText } from '../messages/price.tsx'
import { Party } from '../people/party.tsx'
import { PhoneNumber } from '../people/phone_number.tsx'
import { clientOf } from '../people/phone_text.ts'
import { outcomes, outcomeText } from '../softphone/outcomes.ts'
import { stateText } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { underWay } from './call_commands.tsx'
import { secondsText } from './call_facts.tsx'
import { CallPage } from './call_page.tsx'
import { t } from './texts.ts'

const final: CallsListItem['state'][] = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

const filters = (): readonly ListFilter<CallsListItem>[] => [
  { name: 'to', label: t('to'), kind: 'number', placeholder: '+1 500 555 0200' },
  { name: 'from', label: t('from'), kind: 'number', placeholder: '+1 500 555 0006' },
  { name: 'state', label: t('state'), options: [...underWay, ...final] },
  {
    name: 'direction',
    label: t('direction'),
    all: t('both'),
    options: [
      { value: 'outbound', label: t('direction.outbound') },
      { value: 'inbound', label: t('direction.inbound') },
    ],
  },
  {
    name: 'outcome',
    label: t('outcome'),
    options: outcomes.map(value => ({ value, label: outcomeText(value) })),
  },
  { name: 'createdAfter', label: t('since'), kind: 'day' },
  {
    name: 'legs',
    label: t('legs'),
    all: t('legsOut'),
    options: [{ value: 'true', label: t('legsIn') }],
    more: true,
    asked: value => ({ legs: value === 'true' }),
    fits: () => true,
    fitsUnchosen: ({ parentCallId }) => parentCallId === null,
  },
]

const calls = byLanguage(
  (): Resource<CallsListItem> => ({
    many: 'calls',
    things: t('things'),
    about: t('about'),
    from: api => api.calls.list,
    id: 'callId',
    nameOf: ({ to, state }) => t('nameOf', { to, state: stateText(state) }),
    filters: filters(),
    columns: [
      { name: 'to', label: t('to'), px: 230, hasControls: true, cell: To },
      { name: 'from', label: t('from'), px: 205, atFirst: 'wide', cell: From },
      { name: 'state', label: t('state'), px: 250, kind: 'status', code: 'errorCode' },
      { name: 'outcome', label: t('outcome'), px: 120, cell: ({ outcome }) => outcome && outcomeText(outcome) },
      {
        name: 'direction',
        label: t('direction'),
        px: 110,
        atFirst: 'wide',
        // A leg is a call that another one dialled.
        cell: ({ parentCallId, direction }) =>
          parentCallId === null ? t(`way.${direction}`) : t('wayLeg', { way: t(`way.${direction}`) }),
      },
      {
        name: 'billableSeconds',
        label: t('talked'),
        px: 130,
        align: 'end',
        cell: one => secondsText(one.billableSeconds),
      },
      { name: 'createdAt', label: t('started'), kind: 'time' },
      { name: 'callId', label: t('id'), kind: 'id', atFirst: 'wide' },
      {
        name: 'ringSeconds',
        label: t('rang'),
        px: 110,
        align: 'end',
        atFirst: 'never',
        cell: one => secondsText(one.ringSeconds),
      },
      { name: 'endedAt', label: t('ended'), kind: 'time', atFirst: 'never' },
      {
        name: 'hangupBy',
        label: t('endedBy'),
        atFirst: 'never',
        cell: ({ hangupBy }) => hangupBy && t(`side.${hangupBy}`),
      },
      {
        name: 'answeredBy',
        label: t('answeredBy'),
        atFirst: 'never',
        cell: ({ answeredBy }) => answeredBy && t(`by.${answeredBy}`),
      },
      { name: 'trunkId', label: t('trunk'), px: 260, atFirst: 'never' },
      {
        name: 'price',
        label: t('price'),
        px: 120,
        align: 'end',
        atFirst: 'never',
        cell: one => one.price && priceText(one.price, one.currency),
      },
      { name: 'tags', label: t('tags'), atFirst: 'never' },
    ],
    create: {
      label: t('start'),
      icon: <Play size={14} />,
      link: { to: '/playground', search: { endpoint: 'calls.create' } },
    },
    addressesOf: ({ to, from }) => [to, from],
    live: { events: ['call.*'], isMoving: ({ state }) => underWay.includes(state) },
    empty: {
      text: t('emptyText'),
    },
  }),
)

const isOurs = (address: string, direction: string, side: 'to' | 'from') =>
  clientOf(address) === undefined && (direction === 'outbound') === (side === 'from')

function To({ to, direction }: CallsListItem) {
  return isOurs(to, direction, 'to') ? <PhoneNumber number={to} /> : <Party address={to} />
}

function From({ from, direction, callerName }: CallsListItem) {
  return isOurs(from, direction, 'from') ? <PhoneNumber number={from} /> : <Party address={from} name={callerName} />
}

export const CallsScreen = () => <ResourceScreen of={calls} page={CallPage} />
