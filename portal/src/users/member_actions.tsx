// What can be done with a member: the same in a row of the list and on the page of a person.
import type { Member } from '@tandem/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { IconButton, Menu, type MenuItem, toast } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { InvitationActions } from './invitation_actions.tsx'
import { useMembersChanged, useVerbs, type Verb } from './member.ts'
import { t } from './texts.ts'
import type { UserRecord } from './user_noun.ts'

const parts = {
  role: lazyPart(() => import('./role_dialog.tsx').then(module => module.RoleDialog)),
  password: lazyPart(() => import('./password_dialog.tsx').then(module => module.PasswordDialog)),
  disable: lazyPart(() => import('./disable_dialog.tsx').then(module => module.DisableDialog)),
}
const SessionsDialog = lazyPart(() => import('./sessions_dialog.tsx').then(module => module.SessionsDialog))
const FactorsDialog = lazyPart(() => import('./factors_dialog.tsx').then(module => module.FactorsDialog))
const OfferDialog = lazyPart(() => import('./offer_dialog.tsx').then(module => module.OfferDialog))
const RemoveDialog = lazyPart(() => import('./remove_dialog.tsx').then(module => module.RemoveDialog))

export function MemberActions({ member }: { member: Member }) {
  if (member.kind === 'invitation') return <InvitationActions member={member} />
  return member.kind === 'person' ? <PersonActions member={member} /> : null
}

function PersonActions({ member }: { member: Member }) {
  const offered = useVerbs(member)
  return <VerbMenu member={member} offered={offered} />
}

export function VerbMenu({ member, offered }: { member: Member; offered: readonly Verb[] }) {
  const [asked, setAsked] = useState<Verb>()
  const enable = useEnable(member)
  if (offered.length === 0) return null
  const items = offered.map(
    (verb): MenuItem => ({
      key: verb,
      label: t(`verb.${verb}`),
      ...(verb === 'remove' && { danger: true }),
      onSelect: () => (verb === 'enable' ? enable.mutate() : setAsked(verb)),
    }),
  )
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={t('actions', { name: member.name })} icon={<MoreHorizontal size={16} />} />
        }
        items={items}
      />
      {asked !== undefined && <MemberDialog member={member} verb={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}

type MemberDialogProps = { member: Member; verb: Verb; onClose(): void }

export function MemberDialog({ member, verb, onClose }: MemberDialogProps) {
  const shared = { member, onClose }
  const draw = (): ReactNode => {
    if (verb === 'role' || verb === 'password' || verb === 'disable') {
      const Part = parts[verb]
      return <WithUser id={member.userId ?? 0}>{user => <Part user={user} onClose={onClose} />}</WithUser>
    }
    if (verb === 'sessions') return <SessionsDialog {...shared} />
    if (verb === 'factors') return <FactorsDialog {...shared} />
    if (verb === 'offer') return <OfferDialog {...shared} />
    return verb === 'remove' ? <RemoveDialog {...shared} /> : null
  }
  return <Suspense fallback={null}>{draw()}</Suspense>
}

/** The user of a member, with the version that a change of it is held to. */
function WithUser({ id, children }: { id: number; children(user: UserRecord): ReactNode }) {
  const api = useApi()
  const query = useQuery({
    queryKey: ['live', 'user', String(id)],
    queryFn: async ({ signal }) => (await api.users.get({ id }, { signal })).user as UserRecord,
  })
  return query.data === undefined ? null : children(query.data)
}

export function useEnable({ userId, name }: Pick<Member, 'userId' | 'name'>) {
  const api = useApi()
  const changed = useMembersChanged()
  return useMutation({
    mutationFn: () => api.users.update({ id: userId ?? 0, disabled: false }),
    onSuccess() {
      changed()
      toast({ text: t('enabled', { name }) })
    },
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
}
