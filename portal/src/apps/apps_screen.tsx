// Apps: programs that use the API by OAuth, with their client ids, secrets and what they may do at most.
import type { App } from '@tandem/sdk'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { InLiveMode } from '../session/shared.tsx'
import { IdLink, StatusChip } from '../ui/index.ts'
import { AppActions } from './app_actions.tsx'
import { AppForm } from './app_form.tsx'

const clientIdOf = ({ clients }: App, mode: 'live' | 'test') =>
  clients.find(client => client.mode === mode)?.clientId ?? ''

const apps: Resource<App> = {
  many: 'apps',
  about:
    'Programs that use the API by OAuth: for people who let them in, or in their own name. Each has a client id for live and one for test mode.',
  from: api => api.apps.list,
  id: 'appId',
  nameOf: ({ name }) => name,
  filters: [
    {
      name: 'status',
      label: 'Status',
      options: [
        { value: 'active', label: 'Active' },
        { value: 'suspended', label: 'Suspended' },
      ],
    },
  ],
  columns: [
    { name: 'name', label: 'Name', px: 160 },
    { name: 'kind', label: 'Kind', px: 110, atFirst: 'wide' },
    { name: 'status', label: 'Status', px: 110, cell: ({ status }) => <StatusChip status={status} /> },
    {
      name: 'test',
      label: 'Test client id',
      px: 200,
      hasControls: true,
      cell: app => <IdLink id={clientIdOf(app, 'test')} />,
    },
    {
      name: 'live',
      label: 'Live client id',
      px: 200,
      hasControls: true,
      atFirst: 'wide',
      cell: app => <IdLink id={clientIdOf(app, 'live')} />,
    },
    {
      name: 'secrets',
      label: 'Secrets',
      px: 120,
      cell: ({ clients }) => clients.map(({ mode, secrets }) => `${secrets.length} ${mode}`).join(', '),
    },
    {
      name: 'scopes',
      label: 'May at most',
      px: 220,
      atFirst: 'wide',
      cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
    },
    { name: 'createdAt', label: 'Created', kind: 'time', atFirst: 'wide' },
  ],
  actions: { px: 80, needs: 'apps:manage', cell: app => <AppActions app={app} /> },
  create: {
    label: 'Register an app',
    needs: 'apps:manage',
    Form: ({ onClose, onSaved }) => <AppForm onClose={onClose} onSaved={onSaved} />,
  },
  empty: {
    title: 'No apps yet',
    text: 'An app asks people for what it may do for them, or acts in its own name. A script of your own is better off with an API key.',
  },
}

export const AppsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={apps} />
  </InLiveMode>
)
