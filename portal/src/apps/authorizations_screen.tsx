// Authorizations: what people let apps and other clients do. Each sees and ends their own; who may see apps, those of everybody.

import type { Authorization } from '@tandem/sdk'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { InLiveMode } from '../session/shared.tsx'
import { byLanguage } from '../words/words.ts'
import { askedOfState, End, ModeChip, stateOf, stateOptions } from './authorization.tsx'
import { t } from './texts.ts'

const authorizations = byLanguage(
  (): Resource<Authorization> => ({
    many: 'authorizations',
    things: t('authorizationThings'),
    about: t('authorizationsAbout'),
    from: api => api.authorizations.list,
    id: 'authorizationId',
    nameOf: ({ clientName }) => t('authorizationOf', { name: clientName }),
    filters: [
      {
        name: 'active',
        label: t('state'),
        all: t('standing'),
        options: stateOptions(),
        asked: askedOfState,
      },
    ],
    columns: [
      { name: 'clientName', label: t('app'), px: 180 },
      { name: 'userName', label: t('acts'), px: 160 },
      {
        name: 'mode',
        label: t('mode'),
        px: 80,
        cell: ModeChip,
      },
      {
        name: 'scopes',
        label: t('may'),
        px: 240,
        atFirst: 'wide',
        cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
      },
      { name: 'state', label: t('state'), px: 200, cell: stateOf },
      { name: 'lastUsedAt', label: t('lastToken'), kind: 'time', px: 120 },
      { name: 'createdAt', label: t('since'), kind: 'time', atFirst: 'wide' },
      { name: 'expiresAt', label: t('until'), kind: 'time', atFirst: 'wide' },
    ],
    actions: { px: 80, cell: one => <End authorization={one} name={one.clientName} /> },
    empty: {
      title: t('noAuthorizations'),
      text: t('noAuthorizationsText'),
    },
  }),
)

export const AuthorizationsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={authorizations} />
  </InLiveMode>
)
