// Members: people, what apps act as, and invitations, in one table. Live and test mode share them.
import { Plus } from 'lucide-react'
import { Suspense } from 'react'
import type { CursorList } from '../data/lists.ts'
import { useLive } from '../data/live.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Button, Chip, Moment, StatusChip } from '../ui/index.ts'
import { Initials } from '../ui/initials.tsx'
import { lazyPart, readyPart } from '../ui/lazy_part.tsx'
import { type Listed, listed, useMembersChanged } from './member.ts'
import { MemberActions } from './member_actions.tsx'
import { roles } from './user_noun.ts'
import styles from './users.module.css'

const InviteForm = readyPart(() => import('./invite_form.tsx').then(module => module.InviteForm))
const NewUser = lazyPart(() => import('./new_user.tsx').then(module => module.NewUser))
const InvitationDialog = lazyPart(() => import('./invitation_dialogs.tsx').then(module => module.InvitationDialog))
const HandOverDialog = lazyPart(() => import('./hand_over_dialog.tsx').then(module => module.HandOverDialog))
const PastDialog = lazyPart(() => import('./past_dialog.tsx').then(module => module.PastDialog))

const kinds = [
  { value: 'person', label: 'People' },
  { value: 'app', label: 'Apps' },
  { value: 'invitation', label: 'Invitations' },
]

const members: Resource<Listed> = {
  many: 'members',
  byTime: false,
  about: 'People, what apps act as, and who was invited. Live and test data have the same members.',
  from: api => async (query, options) => {
    const page = await api.members.list(query, options)
    return { ...page, items: page.items.map(listed) }
  },
  id: 'id',
  nameOf: ({ name }) => name,
  pageOf: ({ kind, userId, appId }) => {
    if (kind === 'invitation') return undefined
    return kind === 'app' && appId !== null
      ? { to: '/apps/$id', params: { id: appId } }
      : { to: '/users/$id', params: { id: String(userId) } }
  },
  opened: 'invitation',
  filters: [
    { name: 'q', label: 'Search', placeholder: 'Name or e-mail' },
    { name: 'kind', label: 'Kind', options: kinds },
    { name: 'role', label: 'Role', options: roles },
    { name: 'state', label: 'State', options: ['active', 'disabled', 'invited', 'expired'] },
  ],
  columns: [
    { name: 'name', label: 'Name', px: 210, cell: Named },
    { name: 'email', label: 'E-mail', px: 190, atFirst: 'wide', cell: ({ kind, email }) => kind === 'person' && email },
    { name: 'role', label: 'Role', px: 140, cell: ({ role, roleName }) => roleName ?? role },
    { name: 'state', label: 'State', px: 160, cell: State },
    { name: 'kind', label: 'Kind', px: 90, atFirst: 'wide' },
    { name: 'lastSeenAt', label: 'Last seen', kind: 'time', px: 110, atFirst: 'wide' },
    { name: 'hasSecondFactor', label: 'Second factor', px: 110, atFirst: 'wide', cell: SecondFactor },
    { name: 'expiresAt', label: 'Can be accepted', px: 130, atFirst: 'never', cell: Until },
    { name: 'createdAt', label: 'Since', kind: 'time', px: 110, atFirst: 'wide' },
  ],
  actions: { px: 80, needs: 'users:manage', cell: member => <MemberActions member={member} /> },
  create: {
    label: 'Invite people',
    needs: 'users:manage',
    param: 'invite',
    Form: ({ onClose }) => <InviteForm onClose={onClose} />,
  },
  useNews,
  tools: <Tools />,
  Dialogs,
  empty: { title: 'No members', text: 'Invite people by their addresses; they get a mail with a link.' },
}

export const MembersScreen = () => (
  <InLiveMode>
    <ResourceScreen of={members} />
  </InLiveMode>
)

function Named({ name, kind }: Listed) {
  return (
    <span className={styles['named']}>
      <Initials name={name} size="sm" shape={kind === 'app' ? 'company' : 'person'} />
      <span dir="auto">{name}</span>
    </span>
  )
}

function State({ state, isOwner }: Listed) {
  return (
    <span className={styles['state']}>
      <StatusChip status={state} />
      {isOwner && <Chip tone="accent">Owner</Chip>}
    </span>
  )
}

function SecondFactor({ hasSecondFactor }: Listed) {
  if (hasSecondFactor === null) return null
  return hasSecondFactor ? 'On' : <Chip tone="warn">None</Chip>
}

function Until({ expiresAt }: Listed) {
  return expiresAt !== null && <Moment iso={expiresAt} />
}

const heard = /^(user|invitation|ownership|app)\./

/** The list stands by name: whatever happens to a member, it is read again. */
function useNews(list: CursorList<Listed>): void {
  const { permissions } = useSession()
  const changed = useMembersChanged()
  useLive(
    ['events'],
    message => {
      if (message.event === 'gap' || (message.event === 'event' && heard.test(message.data.type))) {
        changed()
        void list.query.refetch()
      }
    },
    permissions.has('events:read'),
  )
}

function Tools() {
  const { permissions } = useSession()
  const [, change] = useParamsOfAddress()
  if (!permissions.has('users:manage')) return null
  return (
    <>
      <Button onClick={() => change({ past: '1' }, { push: true })}>Who left or was invited</Button>
      <Button icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
        Create a user
      </Button>
    </>
  )
}

/** What the address asks for, besides inviting. */
function Dialogs({ items }: { items: readonly Listed[] }) {
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  if (!permissions.has('users:manage')) return null
  const invitation = items.find(({ invitationId }) => invitationId !== null && invitationId === params['invitation'])
  const handOver = params['hand_over']
  return (
    <Suspense fallback={null}>
      {params['create'] !== undefined && <NewUser onClose={() => change({ create: undefined })} />}
      {params['past'] !== undefined && <PastDialog onClose={() => change({ past: undefined })} />}
      {handOver !== undefined && <HandOverDialog id={handOver} onDone={() => change({ hand_over: undefined })} />}
      {invitation !== undefined && (
        <InvitationDialog member={invitation} onClose={() => change({ invitation: undefined })} />
      )}
    </Suspense>
  )
}
