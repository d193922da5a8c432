// What can be done with a key: rotate it with an overlap, revoke it, see its requests.

import type { ApiKey } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ConfirmDialog, Dialog, ErrorNote, IconButton, Menu, SelectField, toast } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { KeySecret } from './key_secret.tsx'
import { isOfKeys, stateOfKey } from './key_state.ts'
import styles from './keys.module.css'
import { t } from './texts.ts'

// Fetched when it is wanted: with it come the names of all countries.
const KeyPolicyDialog = lazyPart(() => import('../destinations/key_policy.tsx').then(module => module.KeyPolicyDialog))

/** In seconds. */
const overlaps = ['0', '900', '3600', '21600', '86400', '604800'] as const

export function KeyActions({ apiKey }: { apiKey: ApiKey }) {
  const navigate = useNavigate()
  const { setMode, permissions } = useSession()
  const [asked, setAsked] = useState<'policy' | 'rotate' | 'revoke'>()
  const state = stateOfKey(apiKey, Date.now())
  const dead = state === 'revoked' || state === 'expired'
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={t('actionsFor', { name: apiKey.name })} icon={<MoreHorizontal size={16} />} />
        }
        items={[
          {
            key: 'logs',
            label: t('keyRequests'),
            onSelect: () => {
              setMode(apiKey.mode)
              void navigate({ to: '/logs', search: { keyId: apiKey.keyId } })
            },
          },
          {
            key: 'policy',
            label: t('keyPolicy'),
            disabled: dead || !permissions.has('destinations:read'),
            onSelect: () => setAsked('policy'),
          },
          { key: 'rotate', label: t('rotate'), disabled: dead, onSelect: () => setAsked('rotate') },
          { key: 'revoke', label: t('revoke'), disabled: dead, danger: true, onSelect: () => setAsked('revoke') },
        ]}
      />
      {asked === 'policy' && (
        <Suspense fallback={null}>
          <KeyPolicyDialog apiKey={apiKey} onClose={() => setAsked(undefined)} />
        </Suspense>
      )}
      {asked === 'rotate' && <RotateDialog apiKey={apiKey} onClose={() => setAsked(undefined)} />}
      {asked === 'revoke' && <RevokeDialog apiKey={apiKey} onClose={() => setAsked(undefined)} />}
    </>
  )
}

function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const show = useHeldDialog()
  // Live keys are dealt with in live mode, whatever mode the portal is in.
  const api = apiOf(apiKey.mode)
  const cache = useQueryClient()
  const [overlap, setOverlap] = useState('86400')
  const rotate = useMutation({
    gcTime: 0,
    mutationFn: () => api.apiKeys.rotate({ keyId: apiKey.keyId, overlapSeconds: Number(overlap) }),
    onSuccess: reply => {
      void cache.invalidateQueries({ predicate: isOfKeys })
      onClose()
      show(onDone => <KeySecret made={reply} onDone={onDone} />)
    },
  })
  return (
    <Dialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('rotateTitle', { name: apiKey.name })}
      description={t('rotateText')}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button variant="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            {t('rotate')}
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {rotate.error !== null && <ErrorNote text={faultText(rotate.error)} />}
        <SelectField
          label={t('oldSecret')}
          options={overlaps.map(value => ({ value, label: t(`overlap.${value}`) }))}
          value={overlap}
          hint={t('oldSecretHint')}
          onChange={event => setOverlap(event.target.value)}
        />
      </div>
    </Dialog>
  )
}

function RevokeDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const api = apiOf(apiKey.mode)
  const cache = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => api.apiKeys.revoke({ keyId: apiKey.keyId }),
    onSuccess: () => {
      void cache.invalidateQueries({ predicate: isOfKeys })
      toast({ text: t('revoked', { name: apiKey.name }) })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={t('revokeTitle', { name: apiKey.name })}
      description={t('revokeText')}
      confirmLabel={t('revoke')}
      typeToConfirm={apiKey.name}
      danger
      busy={revoke.isPending}
      error={revoke.error === null ? undefined : faultText(revoke.error)}
      onConfirm={() => revoke.mutate()}
    />
  )
}
