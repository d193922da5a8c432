// Conferences: a list of those that are under way and those that are over, which follows what happens; and one with who is in it.
import type { ConferencesListItem } from '@tandem/sdk'
import { Play } from 'lucide-react'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useSession } from '../session/session.ts'
import { ButtonLink } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { ConferencePage } from './conference_page.tsx'
import { endText, stateText, stateTones } from './conference_words.ts'
import { StateChip } from './state_chip.tsx'
import { t } from './texts.ts'

const conferences = byLanguage(
  (): Resource<ConferencesListItem> => ({
    many: 'conferences',
    things: t('things'),
    about: t('about'),
    from: api => api.conferences.list,
    id: 'conferenceId',
    nameOf: ({ name, state }) => `${name}, ${stateText(state)}`,
    filters: [
      { name: 'name', label: t('name'), placeholder: t('exampleName') },
      {
        name: 'state',
        label: t('stateLabel'),
        options: (Object.keys(stateTones) as ConferencesListItem['state'][]).map(value => ({
          value,
          label: stateText(value),
        })),
      },
    ],
    columns: [
      { name: 'name', label: t('name'), px: 240 },
      { name: 'state', label: t('stateLabel'), cell: ({ state }) => <StateChip state={state} /> },
      { name: 'participantCount', label: t('participantCount'), kind: 'count' },
      { name: 'createdAt', label: t('opened'), kind: 'time' },
      { name: 'endedAt', label: t('ended'), kind: 'time', atFirst: 'wide' },
      {
        name: 'endReason',
        label: t('endReason'),
        px: 220,
        atFirst: 'wide',
        cell: ({ endReason }) => endReason !== null && endText(endReason),
      },
      { name: 'conferenceId', label: t('id'), kind: 'id', atFirst: 'never' },
    ],
    live: { events: ['conference.*'], isMoving: ({ state }) => state !== 'ended' },
    empty: {
      text: t('emptyText'),
      action: <StartCall />,
    },
  }),
)

function StartCall() {
  const { permissions } = useSession()
  if (!permissions.has('calls:create')) return null
  return (
    <ButtonLink to="/playground" search={{ endpoint: 'calls.create' }} icon={<Play size={14} />}>
      {t('startCall')}
    </ButtonLink>
  )
}

export const ConferencesScreen = () => <ResourceScreen of={conferences} page={ConferencePage} />
