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
import { Button, Card, ConfirmDialog, ErrorState, LoadingRows, Moment, SelectField, toast } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { useMembersChanged } from '../users/member.ts'
import { useOwnership } from '../users/ownership.ts'

const OfferDialog = lazyPart(() => import('../users/offer_dialog.tsx').then(module => module.OfferDialog))

export function OwnershipCard() {
  const query = useOwnership()
  const { user } = useSession()
  useLiveRelated({ eventPrefix: 'ownership.', isMine: () => true, onChange: () => void query.refetch() })
  if (query.isPending) return <LoadingRows label="Loading the owner" rows={2} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { ownerUserId, transfer } = query.data
  const isOwner = ownerUserId === user.id
  return (
    <Card title="Owner" actions={<Steps ownership={query.data} />}>
      <p>
        {ownerUserId === null ? (
          'Nobody owns the organization.'
        ) : isOwner ? (
          'You own the organization.'
        ) : (
          <>
            <UserName id={ownerUserId} /> owns the organization.
          </>
        )}{' '}
        The owner closes it, and can neither leave, nor be removed, disabled or made less than an Admin.
      </p>
      {transfer !== null && <Transfer transfer={transfer} />}
    </Card>
  )
}

type Open = NonNullable<Ownership['transfer']>

function Transfer({ transfer: { state, fromUserId, toUserId, expiresAt, undoUntil } }: { transfer: Open }) {
  const from = <UserName id={fromUserId} />
  return state === 'pending' ? (
    <p>
      {from} offers it to <UserName id={toUserId} />, who can accept until <Moment iso={expiresAt} />.
    </p>
  ) : (
    <p>
      It was handed over. {from} can take it back until <Moment iso={undoUntil} />.
    </p>
  )
}

const steps = {
  accept: {
    label: 'Accept the ownership',
    title: 'Accept the ownership',
    about: 'The organization is yours then. Who owned it before can take it back for 72 hours.',
    done: 'You own the organization now.',
  },
  decline: {
    label: 'Decline',
    title: 'Decline the ownership',
    about: 'Nothing changes. The owner gets a mail.',
    done: 'You declined the ownership.',
  },
  cancel: {
    label: 'Take the offer back',
    title: 'Take the offer back',
    about: 'You stay the owner. The other one gets a mail.',
    done: 'The offer was taken back.',
  },
  undo: {
    label: 'Take the ownership back',
    title: 'Take the ownership back',
    about: 'You own the organization again, and the other one stays an Admin.',
    done: 'You own the organization again.',
  },
} as const
type Step = keyof typeof steps

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
      {mayOffer && <Button onClick={() => setAsked('offer')}>Hand over to another Admin</Button>}
      {stepsOf(ownership, user.id).map(step => (
        <Button key={step} variant={step === 'accept' ? 'primary' : 'secondary'} onClick={() => setAsked(step)}>
          {steps[step].label}
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
  const { title, about, done, label } = steps[step]
  const take = useMutation({
    mutationFn: () => api.ownership[step]({}),
    onSuccess() {
      changed()
      toast({ text: done })
      onClose()
    },
    // Somebody was quicker: what is shown is no longer so.
    onError: () => changed(),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={title}
      description={about}
      confirmLabel={label}
      busy={take.isPending}
      {...(take.error !== null && { error: take.error.message })}
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
      title="Hand the organization over"
      description="To another active Admin, who is asked first."
      className={record['form']}
      faults={query.error === null ? {} : { general: query.error.message }}
      action="Go on"
      busy={query.isPending}
      disabled={heir === undefined}
      onSubmit={() => setOffered(true)}
      onClose={onClose}
    >
      {query.isSuccess && others.length === 0 ? (
        <p className={record['wide']}>There is no other active Admin. Make somebody one first, under Members.</p>
      ) : (
        <SelectField
          label="The new owner"
          className={record['wide']}
          options={others.map(({ userId, name, email }) => ({ value: String(userId), label: `${name}, ${email}` }))}
          value={chosen === '' ? String(heir?.userId ?? '') : chosen}
          onChange={event => setChosen(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
