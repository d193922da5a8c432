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
import { Button, Chip, Moment } from '../ui/index.ts'
import { Initials } from '../ui/initials.tsx'
import { lazyPart, readyPart } from '../ui/lazy_part.tsx'
import { byLanguage } from '../words/words.ts'
import { isOver, type Listed, listed, useMembersChanged } from './member.ts'
import { MemberActions } from './member_actions.tsx'
import { StateChip } from './state_chip.tsx'
import { t } from './texts.ts'
import { roles } from './user_noun.ts'
import styles from './users.module.css'

const InviteForm = readyPart(() => import('./invite_form.tsx').then(module => module.InviteForm))
const NewUser = lazyPart(() => import('./new_user.tsx').then(module => module.NewUser))
const InvitationDialog = lazyPart(() => import('./invitation_dialogs.tsx').then(module => module.InvitationDialog))
const HandOverDialog = lazyPart(() => import('./hand_over_dialog.tsx').then(module => module.HandOverDialog))
const PastDialog = lazyPart(() => import('./past_dialog.tsx').then(module => module.PastDialog))

const kinds = ['person', 'app', 'invitation'] as const
const states = ['active', 'disabled', 'invited', 'expired'] as const

const members = byLanguage(
  (): Resource<Listed> => ({
    many: 'members',
    things: t('members'),
    byTime: false,
    about: t('about'),
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
      { name: 'q', label: t('search'), placeholder: t('searchHint') },
      { name: 'kind', label: t('kind'), options: kinds.map(value => ({ value, label: t(`kinds.${value}`) })) },
      { name: 'role', label: t('role'), options: roles },
      { name: 'state', label: t('state'), options: states.map(value => ({ value, label: t(`state.${value}`) })) },
    ],
    columns: [
      { name: 'name', label: t('name'), px: 200, cell: Named },
      {
        name: 'email',
        label: t('email'),
        px: 190,
        atFirst: 'wide',
        cell: ({ kind, email }) => kind === 'person' && email,
      },
      { name: 'role', label: t('role'), px: 140, cell: ({ role, roleName }) => roleName ?? role },
      { name: 'state', label: t('state'), px: 170, cell: State },
      { name: 'kind', label: t('kind'), px: 90, atFirst: 'wide', cell: ({ kind }) => t(`kind.${kind}`) },
      { name: 'lastSeenAt', label: t('lastSeen'), kind: 'time', px: 110, atFirst: 'wide' },
      { name: 'hasSecondFactor', label: t('secondFactor'), px: 130, atFirst: 'wide', cell: SecondFactor },
      { name: 'expiresAt', label: t('expires'), px: 130, atFirst: 'never', cell: Until },
      { name: 'createdAt', label: t('since'), kind: 'time', px: 120, atFirst: 'wide' },
    ],
    actions: { px: 80, needs: 'users:manage', cell: member => <MemberActions member={member} /> },
    create: {
      label: t('invite'),
      needs: 'users:manage',
      param: 'invite',
      Form: ({ onClose }) => <InviteForm onClose={onClose} />,
    },
    useNews,
    tools: <Tools />,
    Dialogs,
    empty: { title: t('none'), text: t('noneText') },
  }),
)

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

function State({ state, isOwner, passwordEndsAt }: Listed) {
  return (
    <span className={styles['state']}>
      <StateChip state={state} />
      {isOwner && <Chip tone="accent">{t('owner')}</Chip>}
      {isOver(passwordEndsAt) && <Chip tone="warn">{t('passwordExpired')}</Chip>}
    </span>
  )
}

function SecondFactor({ hasSecondFactor }: Listed) {
  if (hasSecondFactor === null) return null
  return hasSecondFactor ? t('secondFactorOn') : <Chip tone="warn">{t('secondFactorOff')}</Chip>
}

function Until({ expiresAt }: Listed) {
  return expiresAt !== null && <Moment iso={expiresAt} />
}

/** The list stands by name: whatever happens to a member, it is read again. */
function useNews(list: CursorList<Listed>): void {
  const { permissions } = useSession()
  const changed = useMembersChanged()
  useLive(
    [{ events: ['user.*', 'invitation.*', 'ownership.*', 'app.*'] }],
    message => {
      if (message.event !== 'gap' && message.event !== 'event') return
      changed()
      void list.query.refetch()
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
      <Button onClick={() => change({ past: '1' }, { push: true })}>{t('past')}</Button>
      <Button icon={<Plus size={14} />} onClick={() => change({ create: '1' }, { push: true })}>
        {t('create')}
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
