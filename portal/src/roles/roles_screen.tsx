// Roles: the four that everybody has, and those of the organization's own.
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { InLiveMode } from '../session/shared.tsx'
import { Chip } from '../ui/index.ts'
import { type RoleRecord, withKey } from './data.ts'
import { type Rows, scopeWords } from './draft.ts'
import { CreateRole, kindWord } from './role_form.tsx'

/** Kinds of which it sees less than all. */
function limitsOf(rows: Rows): string {
  const limited = Object.entries(rows).filter(([, scope]) => scope !== 'all')
  if (limited.length === 0) return 'All records'
  return limited.map(([kind, scope]) => `${kindWord(kind)}: ${scopeWords[scope].toLowerCase()}`).join(', ')
}

const roles: Resource<RoleRecord> = {
  many: 'roles',
  byTime: false,
  about: 'What people may do, and whose records they see. Four roles are there from the start; up to 50 can be added.',
  from: api => async (_query, options) => ({
    items: (await api.roles.list({}, options)).roles.map(withKey),
    nextCursor: null,
    hasMore: false,
  }),
  id: 'key',
  nameOf: ({ name }) => name,
  columns: [
    { name: 'name', label: 'Name', px: 180 },
    {
      name: 'builtIn',
      label: 'Kind',
      px: 110,
      cell: ({ builtIn }) => (builtIn ? <Chip>Built in</Chip> : <Chip tone="accent">Own</Chip>),
    },
    { name: 'members', label: 'Members', kind: 'count', px: 100 },
    { name: 'base', label: 'Made of', px: 150, atFirst: 'wide', cell: ({ builtIn, base }) => (builtIn ? '–' : base) },
    {
      name: 'permissions',
      label: 'Permissions',
      px: 120,
      align: 'end',
      atFirst: 'wide',
      cell: ({ permissions }) => permissions.length,
    },
    {
      name: 'rows',
      label: 'Sees',
      px: 260,
      cell: ({ rows }) => <span title={limitsOf(rows as Rows)}>{limitsOf(rows as Rows)}</span>,
    },
    { name: 'description', label: 'For', px: 260, atFirst: 'wide' },
    { name: 'updatedAt', label: 'Updated', kind: 'time', atFirst: 'never' },
  ],
  create: { label: 'Create a role', needs: 'roles:manage', Form: CreateRole },
  empty: { text: 'Four roles are there from the start.' },
}

export const RolesScreen = () => (
  <InLiveMode>
    <ResourceScreen of={roles} />
  </InLiveMode>
)
