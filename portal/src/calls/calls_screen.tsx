// Calls: a list that follows what happens, and one call with everything that happened in it.
import type { CallsListItem } from '@tandem/sdk'
import { Play } from 'lucide-react'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
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
  ],
  columns: [
    { name: 'to', label: 'To' },
    { name: 'from', label: 'From', atFirst: 'wide' },
    { name: 'state', label: 'State', px: 260, kind: 'status', code: 'errorCode' },
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
      cell: one => one.price && `${one.price} ${one.currency}`,
    },
    { name: 'tags', label: 'Tags', atFirst: 'never' },
  ],
  create: {
    label: 'Start a call',
    icon: <Play size={14} />,
    link: { to: '/playground', search: { endpoint: 'calls.create' } },
  },
  live: { events: 'call.', isMoving: ({ state }) => underWay.includes(state) },
  empty: {
    text: 'Start the first one from the Playground. In test mode +1 500 555 0200 is always answered by a person.',
  },
}

export const CallsScreen = () => <ResourceScreen of={calls} page={CallPage} />
