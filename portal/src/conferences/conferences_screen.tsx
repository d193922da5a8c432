// Conferences: a list of those that are under way and those that are over, which follows what happens; and one with who is in it.
import type { ConferencesListItem } from '@tandem/sdk'
import { Play } from 'lucide-react'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useSession } from '../session/session.ts'
import { ButtonLink } from '../ui/index.ts'
import { ConferencePage } from './conference_page.tsx'
import { endWords, stateWords } from './conference_words.ts'
import { StateChip } from './state_chip.tsx'

const conferences: Resource<ConferencesListItem> = {
  many: 'conferences',
  about: 'Calls that several people are in, newest first. One opens when the first call joins it by its name.',
  from: api => api.conferences.list,
  id: 'conferenceId',
  nameOf: ({ name, state }) => `the conference ${name}, ${stateWords[state].word}`,
  filters: [
    { name: 'name', label: 'Name', placeholder: 'daily' },
    {
      name: 'state',
      label: 'State',
      options: Object.entries(stateWords).map(([value, { word }]) => ({ value, label: word })),
    },
  ],
  columns: [
    { name: 'name', label: 'Name', px: 240 },
    { name: 'state', label: 'State', cell: ({ state }) => <StateChip state={state} /> },
    { name: 'participantCount', label: 'In it now', kind: 'count' },
    { name: 'createdAt', label: 'Opened', kind: 'time' },
    { name: 'endedAt', label: 'Ended', kind: 'time', atFirst: 'wide' },
    {
      name: 'endReason',
      label: 'Because',
      px: 220,
      atFirst: 'wide',
      cell: ({ endReason }) => endReason !== null && endWords[endReason],
    },
    { name: 'conferenceId', label: 'Id', kind: 'id', atFirst: 'never' },
  ],
  live: { events: 'conference.', isMoving: ({ state }) => state !== 'ended' },
  empty: {
    text: 'Calls join one by the instruction "conference" with a name; the first one opens it.',
    action: <StartCall />,
  },
}

function StartCall() {
  const { permissions } = useSession()
  if (!permissions.has('calls:create')) return null
  return (
    <ButtonLink to="/playground" search={{ endpoint: 'calls.create' }} icon={<Play size={14} />}>
      Start a call
    </ButtonLink>
  )
}

export const ConferencesScreen = () => <ResourceScreen of={conferences} page={ConferencePage} />
