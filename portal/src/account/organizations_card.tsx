// The organizations that the person is a member of: to go to another one, and to leave one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { endSession, switchOrganization, useSession } from '../session/session.ts'
import { Button, Card, Chip, ConfirmDialog, ErrorState, LoadingRows, Time, toast } from '../ui/index.ts'
import { type Kept, useKept } from '../users/member.ts'
import styles from './account.module.css'

const keptTexts: Readonly<Record<Kept, string>> = {
  owner: 'You own it: hand it over to another Admin before you leave.',
  was_owner: 'You can still take the ownership back, and can leave when that is over.',
  last_admin: 'You are its only active Admin: make somebody else one before you leave.',
}

type Own = { organizationId: number; name: string; role: string; isCurrent: boolean; lastUsedAt: string | null }

export function OrganizationsCard() {
  const api = useApi()
  const { user } = useSession()
  const query = useQuery({
    queryKey: ['live', 'own_organizations', user.id],
    queryFn: ({ signal }) => api.ownOrganizations.list({}, { signal }),
  })
  const [leaves, setLeaves] = useState<Own>()
  if (query.isPending) return <LoadingRows label="Loading your organizations" rows={2} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { organizations } = query.data
  return (
    <Card title="Organizations">
      <ul className={styles['rows']} aria-label="Your organizations">
        {organizations.map(one => (
          <Row key={one.organizationId} one={one} onLeave={() => setLeaves(one)} />
        ))}
      </ul>
      {leaves !== undefined && (
        <LeaveDialog one={leaves} count={organizations.length} onClose={() => setLeaves(undefined)} />
      )}
    </Card>
  )
}

function Row({ one: { organizationId, name, role, isCurrent, lastUsedAt }, onLeave }: { one: Own; onLeave(): void }) {
  const { user } = useSession()
  const kept = useKept({ role: user.role, roleId: null, state: 'active', userId: user.id })
  // Whether an Admin may leave is known only there.
  const mayLeave = isCurrent ? kept === null : role !== 'Admin'
  const change = useMutation({
    mutationFn: () => switchOrganization(organizationId),
    onSuccess: refusal => refusal !== undefined && toast({ text: refusal.message, tone: 'bad' }),
  })
  return (
    <li>
      <div>
        {name} {isCurrent && <Chip tone="ok">Here</Chip>}
        <small>
          {role}
          {lastUsedAt !== null && (
            <>
              {' '}
              · last used <Time iso={lastUsedAt} />
            </>
          )}
          {isCurrent && kept != null && ` · ${keptTexts[kept]}`}
          {!isCurrent && !mayLeave && ' · go there to leave it'}
        </small>
      </div>
      <span className={styles['actions']}>
        {!isCurrent && (
          <Button aria-label={`Go to ${name}`} busy={change.isPending} onClick={() => change.mutate()}>
            Go there
          </Button>
        )}
        {mayLeave && (
          <Button aria-label={`Leave ${name}`} onClick={onLeave}>
            Leave
          </Button>
        )}
      </span>
    </li>
  )
}

type LeaveDialogProps = { one: Own; count: number; onClose(): void }

function LeaveDialog({ one: { organizationId, name, isCurrent }, count, onClose }: LeaveDialogProps) {
  const api = useApi()
  const cache = useQueryClient()
  const leave = useMutation({
    mutationFn: () => api.ownOrganizations.leave({ organizationId }),
    onSuccess() {
      const text = `You are no member of ${name} any more.`
      if (isCurrent) return endSession(count > 1 ? `${text} Log in again for your other organizations.` : text)
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'own_organizations' })
      toast({ text })
      return onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Leave ${name}`}
      description="What you own there goes to its owner. Your API keys and authorizations of apps there end at once. Your account stays; to come back you must be invited."
      confirmLabel="Leave"
      typeToConfirm={name}
      danger
      busy={leave.isPending}
      {...(leave.error !== null && { error: leave.error.message })}
      onConfirm={() => leave.mutate()}
    />
  )
}
