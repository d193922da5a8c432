// Roles: the four that everybody has, and those of the organization's own.
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { InLiveMode } from '../session/shared.tsx'
import { Chip } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { byLanguage } from '../words/words.ts'
import { type RoleRecord, withKey } from './data.ts'
import type { Rows } from './draft.ts'
import { CreateRole, kindWord } from './role_form.tsx'
import { t } from './texts.ts'

/** Kinds of which it sees less than all. */
function limitsOf(rows: Rows): string {
  const limited = Object.entries(rows).filter(([, scope]) => scope !== 'all')
  if (limited.length === 0) return t('seesAll')
  return listText(
    limited.map(([kind, scope]) => t('kindScope', { kind: kindWord(kind), scope: t(`scopeIn.${scope}`) })),
  )
}

const roles = byLanguage(
  (): Resource<RoleRecord> => ({
    many: 'roles',
    things: t('things'),
    byTime: false,
    about: t('about'),
    from: api => async (_query, options) => ({
      items: (await api.roles.list({}, options)).roles.map(withKey),
      nextCursor: null,
      hasMore: false,
    }),
    id: 'key',
    nameOf: ({ name }) => name,
    columns: [
      { name: 'name', label: t('name'), px: 180 },
      {
        name: 'builtIn',
        label: t('kind'),
        px: 110,
        cell: ({ builtIn }) =>
          builtIn ? <Chip>{t('kind.builtIn')}</Chip> : <Chip tone="accent">{t('kind.own')}</Chip>,
      },
      { name: 'members', label: t('members'), kind: 'count', px: 100 },
      { name: 'base', label: t('base'), px: 150, atFirst: 'wide', cell: ({ builtIn, base }) => (builtIn ? '–' : base) },
      {
        name: 'permissions',
        label: t('permissions'),
        px: 120,
        align: 'end',
        atFirst: 'wide',
        cell: ({ permissions }) => permissions.length,
      },
      {
        name: 'rows',
        label: t('sees'),
        px: 260,
        cell: ({ rows }) => <span title={limitsOf(rows as Rows)}>{limitsOf(rows as Rows)}</span>,
      },
      { name: 'description', label: t('description'), px: 260, atFirst: 'wide' },
      { name: 'updatedAt', label: t('updated'), kind: 'time', atFirst: 'never' },
    ],
    create: { label: t('create'), needs: 'roles:manage', Form: CreateRole },
    empty: { text: t('empty') },
  }),
)

export const RolesScreen = () => (
  <InLiveMode>
    <ResourceScreen of={roles} />
  </InLiveMode>
)
