// What can be done with a key: rotate it with an overlap, revoke it, see its requests.
import type { ApiKey } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { MoreHorizontal } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ConfirmDialog, Dialog, ErrorNote, IconButton, Menu, SelectField, toast } from '../ui/index.ts'
import { lazyPart } from '../ui/lazy_part.tsx'
import { KeySecret } from './key_secret.tsx'
import { isOfKeys, stateOfKey } from './key_state.ts'
import styles from './keys.module.css'

// Fetched when it is wanted: with it come the names of all countries.
const KeyPolicyDialog = lazyPart(() => import('../destinations/key_policy.tsx').then(module => module.KeyPolicyDialog))

const overlaps = [
  { value: '0', label: 'Ends now' },
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: '21600', label: '6 hours' },
  { value: '86400', label: '24 hours' },
  { value: '604800', label: '7 days' },
]

export function KeyActions({ apiKey }: { apiKey: ApiKey }) {
  const navigate = useNavigate()
  const { setMode, permissions } = useSession()
  const [asked, setAsked] = useState<'policy' | 'rotate' | 'revoke'>()
  const state = stateOfKey(apiKey, Date.now())
  const dead = state === 'revoked' || state === 'expired'
  return (
    <>
      <Menu
        trigger={<IconButton size="sm" label={`Actions for ${apiKey.name}`} icon={<MoreHorizontal size={16} />} />}
        items={[
          {
            key: 'logs',
            label: 'Requests of this key',
            onSelect: () => {
              setMode(apiKey.mode)
              void navigate({ to: '/logs', search: { keyId: apiKey.keyId } })
            },
          },
          {
            key: 'policy',
            label: 'What it may call and text',
            disabled: dead || !permissions.has('destinations:read'),
            onSelect: () => setAsked('policy'),
          },
          { key: 'rotate', label: 'Rotate', disabled: dead, onSelect: () => setAsked('rotate') },
          { key: 'revoke', label: 'Revoke', disabled: dead, danger: true, onSelect: () => setAsked('revoke') },
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
      title={`Rotate ${apiKey.name}`}
      description="A new secret with the same name, mode and scopes. The old one goes on working for the overlap."
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" busy={rotate.isPending} onClick={() => rotate.mutate()}>
            Rotate
          </Button>
        </>
      }
    >
      <div className={styles['form']}>
        {rotate.error !== null && <ErrorNote text={rotate.error.message} />}
        <SelectField
          label="The old secret"
          options={overlaps}
          value={overlap}
          hint="Long enough to bring the new one to every program that uses it."
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
      toast({ text: `${apiKey.name} was revoked. Every node refuses it within two seconds.` })
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={open => !open && onClose()}
      title={`Revoke ${apiKey.name}`}
      description="Every program that uses this key, or a key that was made with it, is refused from now on. This cannot be undone."
      confirmLabel="Revoke"
      typeToConfirm={apiKey.name}
      danger
      busy={revoke.isPending}
      error={revoke.error?.message}
      onConfirm={() => revoke.mutate()}
    />
  )
}
