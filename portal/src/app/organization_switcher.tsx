// The way to another organization, for who is a member of more than one: the portal begins again there.
import { useQuery } from '@tanstack/react-query'
import { Building2 } from 'lucide-react'
import { apiOf } from '../session/api.ts'
import { switchOrganization, useSession } from '../session/session.ts'
import { IconButton, Menu, toast } from '../ui/index.ts'

/** Nothing for the many who are members of one. */
export function OrganizationSwitcher() {
  return useSession().organizations > 1 ? <Switcher /> : null
}

function Switcher() {
  const { user } = useSession()
  const { data } = useQuery({
    queryKey: ['live', 'own_organizations', user.id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => apiOf('live').ownOrganizations.list({}, { signal }),
  })
  const organizations = data?.organizations ?? []
  const current = organizations.find(({ isCurrent }) => isCurrent)
  const go = async (organizationId: number) => {
    const refusal = await switchOrganization(organizationId)
    if (refusal !== undefined) toast({ text: refusal.message, tone: 'bad' })
  }
  return (
    <Menu
      trigger={<IconButton label={`Organization: ${current?.name ?? ''}`} icon={<Building2 size={18} />} />}
      items={organizations.map(({ organizationId, name, role, isCurrent }) => ({
        key: String(organizationId),
        label: `${name}, ${role}${isCurrent ? ', this one' : ''}`,
        disabled: isCurrent,
        onSelect: () => void go(organizationId),
      }))}
    />
  )
}
