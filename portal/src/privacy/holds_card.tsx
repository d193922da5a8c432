// What must not be deleted: legal holds that stand, a new one, and the release of one.
import type { LegalHold } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, ConfirmDialog, Moment, TextField, toast } from '../ui/index.ts'
import { addressed } from './addressed.ts'
import styles from './privacy.module.css'
import { t } from './texts.ts'

const queryKey = ['live', 'legal_holds']
const api = () => apiOf('live')

export function HoldsCard() {
  const { permissions } = useSession()
  const [places, setPlaces] = useState(false)
  const [released, setReleased] = useState<LegalHold>()
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api().legalHolds.list.all({}, { signal }).toArray() })
  const mayManage = permissions.has('legal_holds:manage')
  return (
    <Card title={t('holds')} actions={mayManage && <Button onClick={() => setPlaces(true)}>{t('hold')}</Button>}>
      <p>{t('holdsText')}</p>
      <ul className={styles['list']}>
        {query.data?.map(hold => (
          <li key={hold.holdId}>
            <span>
              <b>{nameOf(hold)}</b>, <Moment iso={hold.placedAt} />: {hold.reason}
            </span>
            {mayManage && (
              <Button aria-label={t('releaseOf', { about: nameOf(hold) })} onClick={() => setReleased(hold)}>
                {t('release')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {query.data?.length === 0 && <p>{t('holdsNone')}</p>}
      {places && <PlaceDialog onClose={() => setPlaces(false)} />}
      {released !== undefined && <ReleaseDialog hold={released} onClose={() => setReleased(undefined)} />}
    </Card>
  )
}

const nameOf = ({ about }: LegalHold) => about ?? t('wholeOrganization')

function PlaceDialog({ onClose }: { onClose(): void }) {
  const cache = useQueryClient()
  const [values, setValues] = useState({ address: '', reason: '' })
  const place = useMutation({
    mutationFn: () => {
      const { address, reason } = values
      return api().legalHolds.place({ ...(address.trim() !== '' && addressed(address)), reason })
    },
    onSuccess() {
      void cache.invalidateQueries({ queryKey })
      toast({ text: t('held') })
      onClose()
    },
  })
  const {
    text,
    put: _put,
    fields: _,
    ...faults
  } = useFormFields({ values, change: setValues }, place.error, ['reason'])
  return (
    <FormDialog
      title={t('holdTitle')}
      description={t('holdText')}
      className={record['form']}
      faults={faults}
      action={t('holdAction')}
      busy={place.isPending}
      onSubmit={place.mutate}
      onClose={onClose}
    >
      <TextField label={t('holdAddress')} className={record['wide']} {...text('address')} />
      <TextField label={t('reason')} hint={t('reasonHint')} className={record['wide']} required {...text('reason')} />
    </FormDialog>
  )
}

function ReleaseDialog({ hold: { holdId }, onClose }: { hold: LegalHold; onClose(): void }) {
  const cache = useQueryClient()
  const release = useMutation({
    mutationFn: () => api().legalHolds.release({ holdId }),
    onSuccess() {
      void cache.invalidateQueries({ queryKey })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('releaseTitle')}
      description={t('releaseText')}
      confirmLabel={t('release')}
      danger
      busy={release.isPending}
      error={release.error === null ? undefined : faultText(release.error)}
      onConfirm={() => release.mutate()}
    />
  )
}
