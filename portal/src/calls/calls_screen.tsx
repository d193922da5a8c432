// Calls: a list that follows what happens, and one call with everything that happened in it.
import type { CallsListItem } from '@tandem/sdk'
import { Play } from 'lucide-react'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { priceText } from '../messages/price.tsx'
import { Party } from '../people/party.tsx'
import { PhoneNumber } from '../people/phone_number.tsx'
import { clientOf } from '../people/phone_text.ts'
import { outcomes, outcomeWords } from '../softphone/outcomes.ts'
import { underWay } from './call_commands.tsx'
import { secondsText } from './call_facts.tsx'
import { CallPage } from './call_page.tsx'

const final: CallsListItem['state'][] = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

const calls: Resource<CallsListItem> = {
  many: 'calls',
  about: 'Every call that was made or taken, newest first, with how it went.',
  from: api => api.calls.list,
  id: 'callId',
  nameOf: ({ to, state }) => `the call to ${to}, ${state.replaceAll('_', ' ')}`,
  filters: [
    { name: 'to', label: 'To', kind: 'number', placeholder: '+1 500 555 0200' },
    { name: 'from', label: 'From', kind: 'number', placeholder: '+1 500 555 0006' },
    { name: 'state', label: 'State', options: [...underWay, ...final] },
    {
      name: 'direction',
      label: 'Direction',
      all: 'Both',
      options: [
        { value: 'outbound', label: 'Outbound' },
        { value: 'inbound', label: 'Inbound' },
      ],
    },
    {
      name: 'outcome',
      label: 'Outcome',
      options: outcomes.map(value => ({ value, label: outcomeWords[value] })),
    },
    { name: 'createdAfter', label: 'Started since', kind: 'day' },
    {
      name: 'legs',
      label: 'Legs',
      all: 'Left out',
      options: [{ value: 'true', label: 'Shown too' }],
      more: true,
      asked: value => ({ legs: value === 'true' }),
      fits: () => true,
      fitsUnchosen: ({ parentCallId }) => parentCallId === null,
    },
  ],
  columns: [
    { name: 'to', label: 'To', px: 250, hasControls: true, cell: To },
    { name: 'from', label: 'From', px: 250, atFirst: 'wide', cell: From },
    { name: 'state', label: 'State', px: 240, kind: 'status', code: 'errorCode' },
    { name: 'outcome', label: 'Outcome', px: 150, cell: ({ outcome }) => outcome && outcomeWords[outcome] },
    {
      name: 'direction',
      label: 'Direction',
      atFirst: 'wide',
      // A leg is a call that another one dialled.
      cell: ({ parentCallId, direction }) => (parentCallId === null ? direction : `${direction}, leg`),
    },
    { name: 'billableSeconds', label: 'Talked', px: 110, align: 'end', cell: one => secondsText(one.billableSeconds) },
    { name: 'createdAt', label: 'Started', kind: 'time' },
    { name: 'callId', label: 'Id', kind: 'id', atFirst: 'wide' },
    {
      name: 'ringSeconds',
      label: 'Rang',
      px: 110,
      align: 'end',
      atFirst: 'never',
      cell: one => secondsText(one.ringSeconds),
    },
    { name: 'endedAt', label: 'Ended', kind: 'time', atFirst: 'never' },
    { name: 'hangupBy', label: 'Ended by', atFirst: 'never' },
    { name: 'answeredBy', label: 'Answered by', atFirst: 'never' },
    { name: 'trunkId', label: 'Trunk', px: 260, atFirst: 'never' },
    {
      name: 'price',
      label: 'Price',
      px: 120,
      align: 'end',
      atFirst: 'never',
      cell: one => one.price && priceText(one.price, one.currency),
    },
    { name: 'tags', label: 'Tags', atFirst: 'never' },
  ],
  create: {
    label: 'Start a call',
    icon: <Play size={14} />,
    link: { to: '/playground', search: { endpoint: 'calls.create' } },
  },
  addressesOf: ({ to, from }) => [to, from],
  live: { events: 'call.', isMoving: ({ state }) => underWay.includes(state) },
  empty: {
    text: 'Start the first one from the Playground. In test mode +1 500 555 0200 is always answered by a person.',
  },
}

const isOurs = (address: string, direction: string, side: 'to' | 'from') =>
  clientOf(address) === undefined && (direction === 'outbound') === (side === 'from')

function To({ to, direction }: CallsListItem) {
  return isOurs(to, direction, 'to') ? <PhoneNumber number={to} /> : <Party address={to} />
}

function From({ from, direction, callerName }: CallsListItem) {
  return isOurs(from, direction, 'from') ? <PhoneNumber number={from} /> : <Party address={from} name={callerName} />
}

export const CallsScreen = () => <ResourceScreen of={calls} page={CallPage} />
