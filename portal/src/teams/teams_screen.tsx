// Teams: groups of members, by whom roles may see each other's records.
import type { Team } from '@tandem/sdk'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { countText } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { CreateTeam } from './team_form.tsx'
import { t } from './texts.ts'

const leadsOf = ({ members }: Team) => listText(members.filter(({ lead }) => lead).map(({ name }) => name))

const teams = byLanguage(
  (): Resource<Team> => ({
    many: 'teams',
    things: t('things'),
    byTime: false,
    about: t('about'),
    from: api => api.teams.list,
    id: 'teamId',
    nameOf: ({ name }) => name,
    filters: [{ name: 'userId', label: t('memberFilter'), all: t('anybody'), useOptions: useSelf, asked: askedOf }],
    columns: [
      { name: 'name', label: t('name'), px: 180 },
      { name: 'members', label: t('members'), px: 100, align: 'end', cell: ({ members }) => countText(members.length) },
      { name: 'leads', label: t('leads'), px: 200, cell: leadsOf },
      { name: 'description', label: t('description'), px: 260, atFirst: 'wide' },
      { name: 'updatedAt', label: t('updated'), kind: 'time', atFirst: 'wide' },
      { name: 'createdAt', label: t('createdAt'), kind: 'time', atFirst: 'never' },
    ],
    create: {
      label: t('create'),
      needs: 'teams:manage',
      Form: CreateTeam,
      saved: ({ name }) => t('created', { name }),
    },
    empty: { text: ({ mayCreate }) => t(mayCreate ? 'emptyManager' : 'emptyOther') },
  }),
)

/** One's own teams are what most look for. */
function useSelf() {
  const { user } = useSession()
  return [{ value: String(user.id), label: t('me') }]
}

function askedOf(value: string | undefined): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { userId: Number(value) }
}

export const TeamsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={teams} />
  </InLiveMode>
)
