// Apps: programs that use the API by OAuth, with their client ids, secrets and what they may do at most.

import type { App } from '@tandem/sdk'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { InLiveMode } from '../session/shared.tsx'
import { IdLink } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { AppActions } from './app_actions.tsx'
import { AppForm } from './app_form.tsx'
import { AppStatus } from './app_status.tsx'
import { t } from './texts.ts'

const clientIdOf = ({ clients }: App, mode: 'live' | 'test') =>
  clients.find(client => client.mode === mode)?.clientId ?? ''

const apps = byLanguage(
  (): Resource<App> => ({
    many: 'apps',
    things: t('things'),
    about: t('appsAbout'),
    from: api => api.apps.list,
    id: 'appId',
    nameOf: ({ name }) => name,
    filters: [
      {
        name: 'status',
        label: t('status'),
        options: [
          { value: 'active', label: t('active') },
          { value: 'suspended', label: t('suspendedState') },
        ],
      },
    ],
    columns: [
      { name: 'name', label: t('name'), px: 160 },
      { name: 'kind', label: t('kindTerm'), px: 110, atFirst: 'wide', cell: ({ kind }) => t(`short.${kind}`) },
      { name: 'status', label: t('status'), px: 110, cell: ({ status }) => <AppStatus status={status} /> },
      {
        name: 'test',
        label: t('testClientId'),
        px: 200,
        hasControls: true,
        cell: app => <IdLink id={clientIdOf(app, 'test')} />,
      },
      {
        name: 'live',
        label: t('liveClientId'),
        px: 200,
        hasControls: true,
        atFirst: 'wide',
        cell: app => <IdLink id={clientIdOf(app, 'live')} />,
      },
      {
        name: 'secrets',
        label: t('secrets'),
        px: 150,
        cell: ({ clients }) =>
          listText(clients.map(({ mode, secrets }) => t('secretCount', { mode, count: secrets.length }))),
      },
      {
        name: 'scopes',
        label: t('scopes'),
        px: 200,
        atFirst: 'wide',
        cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
      },
      { name: 'createdAt', label: t('created'), kind: 'time', atFirst: 'wide' },
    ],
    actions: { px: 80, needs: 'apps:manage', cell: app => <AppActions app={app} /> },
    create: {
      label: t('register'),
      needs: 'apps:manage',
      Form: ({ onClose, onSaved }) => <AppForm onClose={onClose} onSaved={onSaved} />,
    },
    empty: {
      title: t('none'),
      text: t('noneText'),
    },
  }),
)

export const AppsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={apps} />
  </InLiveMode>
)
