// Clients of others: assistants and tools that nobody here registered and that somebody wanted to use. An Admin allows or blocks them.
import type { OauthClient } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { UserName } from '../nouns/user_name.tsx'
import { apiOf } from '../session/api.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Button, Chip, toast } from '../ui/index.ts'

const clients: Resource<OauthClient> = {
  many: 'clients',
  about:
    'Assistants and tools that somebody here wanted to use and that the organization did not register. Until they are allowed, only Admins use them.',
  from: api => api.oauthClients.list,
  id: 'clientId',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'name', label: 'Calls itself', px: 180 },
    { name: 'clientId', label: 'Id', px: 280 },
    {
      name: 'decision',
      label: 'Decision',
      px: 120,
      cell: ({ decision }) => (
        <Chip tone={decision === 'allowed' ? 'ok' : decision === 'blocked' ? 'bad' : 'warn'}>
          {decision ?? 'undecided'}
        </Chip>
      ),
    },
    {
      name: 'askedBy',
      label: 'Asked for by',
      px: 150,
      cell: ({ askedBy }) => askedBy !== null && <UserName id={askedBy} />,
    },
    { name: 'createdAt', label: 'First seen', kind: 'time', atFirst: 'wide' },
  ],
  actions: { px: 170, needs: 'apps:manage', cell: client => <Decide client={client} /> },
  empty: {
    title: 'No clients of others',
    text: 'When somebody connects an assistant or a tool, it stands here, to be allowed or blocked.',
  },
}

function Decide({ client: { clientId, name, decision } }: { client: OauthClient }) {
  const cache = useQueryClient()
  const decide = useMutation({
    mutationFn: (next: 'allowed' | 'blocked') => apiOf('live').oauthClients.setPolicy({ clientId, decision: next }),
    onSuccess: (_, next) => {
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'clients' })
      toast({ text: `${name} is ${next}.` })
    },
    onError: error => toast({ text: error.message }),
  })
  return (
    <>
      {decision !== 'allowed' && (
        <Button size="sm" busy={decide.isPending} aria-label={`Allow ${name}`} onClick={() => decide.mutate('allowed')}>
          Allow
        </Button>
      )}
      {decision !== 'blocked' && (
        <Button size="sm" busy={decide.isPending} aria-label={`Block ${name}`} onClick={() => decide.mutate('blocked')}>
          Block
        </Button>
      )}
    </>
  )
}

export const ClientsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={clients} />
  </InLiveMode>
)
