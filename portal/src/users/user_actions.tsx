// What can be done with a user, on their page. An organization keeps its owner, and always has one active Admin: neither is offered
// what would end that.
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/index.ts'
import { useMember, useVerbs, type Verb } from './member.ts'
import { MemberDialog, useEnable, VerbMenu } from './member_actions.tsx'
import { t } from './texts.ts'
import type { UserRecord } from './user_noun.ts'

/** Those that stand beside the name; the others are in the menu. */
const inSight: readonly Verb[] = ['role', 'password', 'disable']

export function UserActions({ user }: { user: UserRecord }) {
  const { permissions } = useSession()
  const member = useMember(user.id, permissions.has('users:manage'))
  const offered = useVerbs(member && { ...member, name: user.name, state: user.disabled ? 'disabled' : 'active' })
  const enable = useEnable({ userId: user.id, name: user.name })
  const [asked, setAsked] = useState<Verb>()
  if (member === undefined) return null
  return (
    <>
      {offered
        .filter(verb => inSight.includes(verb))
        .map(verb => (
          <Button key={verb} onClick={() => setAsked(verb)}>
            {t(`verb.${verb}`)}
          </Button>
        ))}
      {offered.includes('enable') && (
        <Button variant="primary" busy={enable.isPending} onClick={() => enable.mutate()}>
          {t('verb.enable')}
        </Button>
      )}
      <VerbMenu member={member} offered={offered.filter(verb => verb !== 'enable' && !inSight.includes(verb))} />
      {asked !== undefined && <MemberDialog member={member} verb={asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
