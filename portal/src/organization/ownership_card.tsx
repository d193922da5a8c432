// Whose the organization is, and its way to another Admin: offered, accepted or declined, taken back.
import type { Ownership } from '@tandem/sdk'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { useLiveRelated } from '../data/live_records.ts'
import record from '../data/record.module.css'
import { FormDialog } from '../forms/form.tsx'
import { UserName } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, ConfirmDialog, ErrorState, LoadingRows, Moment, SelectField, toast } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { useMembersChanged } from '../users/member.ts'
import { useOwnership } from '../users/ownership.ts'
import { t } from './texts.ts'

const OfferDialog = lazyPart(() => import('../users/offer_dialog.tsx').then(module => module.OfferDialog))

export function OwnershipCard() {
  const query = useOwnership()
  const { user } = useSession()
  useLiveRelated({ events: ['ownership.*'], isMine: () => true, onChange: () => void query.refetch() })
  if (query.isPending) return <LoadingRows label={t('ownerLoading')} rows={2} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { ownerUserId, transfer } = query.data
  const isOwner = ownerUserId === user.id
  return (
    <Card title={t('owner')} actions={<Steps ownership={query.data} />}>
      <p>
        {ownerUserId === null
          ? t('ownerNobody')
          : isOwner
            ? t('ownerYou')
            : t.rich('ownerOther', { user: () => <UserName id={ownerUserId} /> })}{' '}
        {t('ownerText')}
      </p>
      {transfer !== null && <Transfer transfer={transfer} />}
    </Card>
  )
}

type Open = NonNullable<Ownership['transfer']>

function Transfer({ transfer: { state, fromUserId, toUserId, expiresAt, undoUntil } }: { transfer: Open }) {
  const from = () => <UserName id={fromUserId} />
  return (
    <p>
      {state === 'pending'
        ? t.rich('transferPending', {
            from,
            to: () => <UserName id={toUserId} />,
            until: () => <Moment iso={expiresAt} />,
          })
        : t.rich('transferAccepted', { from, until: () => <Moment iso={undoUntil} /> })}
    </p>
  )
}

type Step = 'accept' | 'decline' | 'cancel' | 'undo'

/** Those of the two whose turn it is. */
function stepsOf({ transfer }: Ownership, userId: number): readonly Step[] {
  if (transfer === null) return []
  const isFrom = transfer.fromUserId === userId
  if (transfer.state === 'accepted') return isFrom ? ['undo'] : []
  if (isFrom) return ['cancel']
  return transfer.toUserId === userId ? ['decline', 'accept'] : []
}

function Steps({ ownership }: { ownership: Ownership }) {
  const { user } = useSession()
  const [asked, setAsked] = useState<Step | 'offer'>()
  const close = () => setAsked(undefined)
  const mayOffer = ownership.ownerUserId === user.id && ownership.transfer === null
  return (
    <>
      {mayOffer && <Button onClick={() => setAsked('offer')}>{t('handOver')}</Button>}
      {stepsOf(ownership, user.id).map(step => (
        <Button key={step} variant={step === 'accept' ? 'primary' : 'secondary'} onClick={() => setAsked(step)}>
          {t(`step.${step}`)}
        </Button>
      ))}
      {asked === 'offer' ? (
        <ChooseDialog onClose={close} />
      ) : (
        asked !== undefined && <StepDialog step={asked} onClose={close} />
      )}
    </>
  )
}

function StepDialog({ step, onClose }: { step: Step; onClose(): void }) {
  const api = useApi()
  const changed = useMembersChanged()

  const take = useMutation({
    mutationFn: () => api.ownership[step]({}),
    onSuccess() {
      changed()
      toast({ text: t(`stepDone.${step}`) })
      onClose()
    },
    // Somebody was quicker: what is shown is no longer so.
    onError: () => changed(),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t(`stepTitle.${step}`)}
      description={t(`stepText.${step}`)}
      confirmLabel={t(`step.${step}`)}
      busy={take.isPending}
      {...(take.error !== null && { error: faultText(take.error) })}
      onConfirm={() => take.mutate()}
    />
  )
}

/** Who of the other Admins gets it. */
function ChooseDialog({ onClose }: { onClose(): void }) {
  const api = useApi()
  const { user } = useSession()
  const query = useQuery({
    queryKey: ['live', 'members', 'active Admins'],
    queryFn: ({ signal }) =>
      api.members.list({ kind: 'person', role: 'Admin', state: 'active', limit: 200 }, { signal }),
  })
  const [chosen, setChosen] = useState('')
  const [offered, setOffered] = useState(false)
  const others = (query.data?.items ?? []).filter(({ userId, roleId }) => userId !== user.id && roleId === null)
  const heir = others.find(({ userId }) => String(userId) === chosen) ?? others[0]
  if (offered && heir !== undefined)
    return (
      <Suspense fallback={null}>
        <OfferDialog member={heir} onClose={onClose} />
      </Suspense>
    )
  return (
    <FormDialog
      title={t('handOverTitle')}
      description={t('handOverText')}
      className={record['form']}
      faults={query.error === null ? {} : { general: faultText(query.error) }}
      action={t('handOverAction')}
      busy={query.isPending}
      disabled={heir === undefined}
      onSubmit={() => setOffered(true)}
      onClose={onClose}
    >
      {query.isSuccess && others.length === 0 ? (
        <p className={record['wide']}>{t('handOverNobody')}</p>
      ) : (
        <SelectField
          label={t('newOwner')}
          className={record['wide']}
          options={others.map(({ userId, name, email }) => ({
            value: String(userId),
            label: t('adminOption', { name, email: email ?? '' }),
          }))}
          value={chosen === '' ? String(heir?.userId ?? '') : chosen}
          onChange={event => setChosen(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
