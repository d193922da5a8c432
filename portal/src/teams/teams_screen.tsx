// Teams: groups of members, by whom roles may see each other's records.
import type { Team } from '@tandem/sdk'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { countText } from '../ui/index.ts'
import { CreateTeam } from './team_form.tsx'

const leadsOf = ({ members }: Team) =>
  members
    .filter(({ lead }) => lead)
    .map(({ name }) => name)
    .join(', ')

const teams: Resource<Team> = {
  many: 'teams',
  byTime: false,
  about:
    'Groups of members. Who has a role that sees the records of teams sees those of everybody who is in a team with them.',
  from: api => api.teams.list,
  id: 'teamId',
  nameOf: ({ name }) => name,
  filters: [{ name: 'userId', label: 'With', all: 'Anybody', useOptions: useSelf, asked: askedOf }],
  columns: [
    { name: 'name', label: 'Name', px: 180 },
    { name: 'members', label: 'Members', px: 100, align: 'end', cell: ({ members }) => countText(members.length) },
    { name: 'leads', label: 'Led by', px: 200, cell: leadsOf },
    { name: 'description', label: 'For', px: 260, atFirst: 'wide' },
    { name: 'updatedAt', label: 'Updated', kind: 'time', atFirst: 'wide' },
    { name: 'createdAt', label: 'Created', kind: 'time', atFirst: 'never' },
  ],
  create: {
    label: 'Create a team',
    needs: 'teams:manage',
    Form: CreateTeam,
    saved: ({ name }) => `The team ${name} was created. Put its members in.`,
  },
  empty: {
    text: ({ mayCreate }) =>
      mayCreate
        ? 'Make one of the people who work together; then a role can let them see each other’s records.'
        : 'Somebody who may manage teams makes them.',
  },
}

/** One's own teams are what most look for. */
function useSelf() {
  const { user } = useSession()
  return [{ value: String(user.id), label: 'Me' }]
}

function askedOf(value: string | undefined): Readonly<Record<string, unknown>> {
  return value === undefined ? {} : { userId: Number(value) }
}

export const TeamsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={teams} />
  </InLiveMode>
)
