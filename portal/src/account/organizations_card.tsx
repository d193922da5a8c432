// The organizations that the person is a member of: to go to another one, and to leave one.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../session/api.ts'
import { endSession, switchOrganization, useSession } from '../session/session.ts'
import { faultText, problemText } from '../ui/faults.ts'
import { Button, Card, Chip, ConfirmDialog, ErrorState, LoadingRows, Time, toast } from '../ui/index.ts'
import { useKept } from '../users/member.ts'
import styles from './account.module.css'
import { t } from './texts.ts'

type Own = { organizationId: number; name: string; role: string; isCurrent: boolean; lastUsedAt: string | null }

export function OrganizationsCard() {
  const api = useApi()
  const { user } = useSession()
  const query = useQuery({
    queryKey: ['live', 'own_organizations', user.id],
    queryFn: ({ signal }) => api.ownOrganizations.list({}, { signal }),
  })
  const [leaves, setLeaves] = useState<Own>()
  if (query.isPending) return <LoadingRows label={t('loading')} rows={2} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { organizations } = query.data
  return (
    <Card title={t('organizations')}>
      <ul className={styles['rows']} aria-label={t('organizationsLabel')}>
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
    onSuccess: refusal =>
      refusal !== undefined && toast({ text: problemText(refusal.code, refusal.message), tone: 'bad' }),
  })
  return (
    <li>
      <div>
        {name} {isCurrent && <Chip tone="ok">{t('here')}</Chip>}
        <small>
          {role}
          {lastUsedAt !== null && (
            <>
              {' · '}
              {t.rich('lastUsed', { time: () => <Time iso={lastUsedAt} /> })}
            </>
          )}
          {isCurrent && kept != null && ` · ${t(`kept.${kept}`)}`}
          {!isCurrent && !mayLeave && ` · ${t('leaveThere')}`}
        </small>
      </div>
      <span className={styles['actions']}>
        {!isCurrent && (
          <Button aria-label={t('switchTo', { name })} busy={change.isPending} onClick={() => change.mutate()}>
            {t('switch')}
          </Button>
        )}
        {mayLeave && (
          <Button aria-label={t('leaveNamed', { name })} onClick={onLeave}>
            {t('leave')}
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
      const text = t('left', { name })
      if (isCurrent) return endSession(count > 1 ? t('leftOthers', { name }) : text)
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'own_organizations' })
      toast({ text })
      return onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('leaveTitle', { name })}
      description={t('leaveText')}
      confirmLabel={t('leave')}
      typeToConfirm={name}
      danger
      busy={leave.isPending}
      {...(leave.error !== null && { error: faultText(leave.error) })}
      onConfirm={() => leave.mutate()}
    />
  )
}
