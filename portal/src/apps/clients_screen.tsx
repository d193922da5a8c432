// Clients of others: assistants and tools that nobody here registered and that somebody wanted to use. An Admin allows or blocks them.

import type { OauthClient } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { UserName } from '../nouns/user_name.tsx'
import { apiOf } from '../session/api.ts'
import { InLiveMode } from '../session/shared.tsx'
import { faultText } from '../ui/faults.ts'
import { Button, Chip, toast } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'

const clients = byLanguage(
  (): Resource<OauthClient> => ({
    many: 'clients',
    things: t('clientThings'),
    about: t('clientsAbout'),
    from: api => api.oauthClients.list,
    id: 'clientId',
    nameOf: ({ name }) => name,
    columns: [
      { name: 'name', label: t('callsItself'), px: 180 },
      { name: 'clientId', label: t('id'), px: 280 },
      {
        name: 'decision',
        label: t('decision'),
        px: 120,
        cell: ({ decision }) => (
          <Chip tone={decision === 'allowed' ? 'ok' : decision === 'blocked' ? 'bad' : 'warn'}>
            {t(`decision.${decision ?? 'undecided'}`)}
          </Chip>
        ),
      },
      {
        name: 'askedBy',
        label: t('askedBy'),
        px: 150,
        cell: ({ askedBy }) => askedBy !== null && <UserName id={askedBy} />,
      },
      { name: 'createdAt', label: t('firstSeen'), kind: 'time', atFirst: 'wide' },
    ],
    actions: { px: 170, needs: 'apps:manage', cell: client => <Decide client={client} /> },
    empty: {
      title: t('noClients'),
      text: t('noClientsText'),
    },
  }),
)

function Decide({ client: { clientId, name, decision } }: { client: OauthClient }) {
  const cache = useQueryClient()
  const decide = useMutation({
    mutationFn: (next: 'allowed' | 'blocked') => apiOf('live').oauthClients.setPolicy({ clientId, decision: next }),
    onSuccess: (_, next) => {
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'clients' })
      toast({ text: t(next === 'allowed' ? 'nowAllowed' : 'nowBlocked', { name }) })
    },
    onError: error => toast({ text: faultText(error) }),
  })
  return (
    <>
      {decision !== 'allowed' && (
        <Button
          size="sm"
          busy={decide.isPending}
          aria-label={t('allowNamed', { name })}
          onClick={() => decide.mutate('allowed')}
        >
          {t('allow')}
        </Button>
      )}
      {decision !== 'blocked' && (
        <Button
          size="sm"
          busy={decide.isPending}
          aria-label={t('blockNamed', { name })}
          onClick={() => decide.mutate('blocked')}
        >
          {t('block')}
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
