// What can be done with an app: make and delete secrets, suspend and resume it, sign it out, delete it.
import type { App } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { apiOf } from '../session/api.ts'
import type { Mode } from '../session/session.ts'
import { ConfirmDialog, IconButton, Menu, toast } from '../ui/index.ts'
import { isOfApps } from './app_form.tsx'

type Change = { title: string; text: string; label: string; done: string; act(): Promise<unknown> }

/** Everything that is asked about first. */
function changesOf({ appId, name, status, clients }: App): Record<string, Change> {
  const api = apiOf('live')
  const isActive = status === 'active'
  const secrets = clients.flatMap(({ mode, secrets }) => secrets.map(secret => ({ ...secret, mode })))
  return {
    status: {
      title: `${isActive ? 'Suspend' : 'Resume'} ${name}`,
      text: isActive
        ? 'Its tokens are refused within two seconds, and it gets none. It goes on where it was when it is resumed.'
        : 'Its tokens are taken again, and it gets new ones.',
      label: isActive ? 'Suspend' : 'Resume',
      done: `${name} is ${isActive ? 'suspended' : 'active again'}.`,
      act: () => api.apps.update({ appId, status: isActive ? 'suspended' : 'active' }),
    },
    tokens: {
      title: `Sign ${name} out everywhere`,
      text: 'All its tokens end within two seconds, and people must let it in again. Its secrets stay.',
      label: 'Sign out',
      done: `${name} was signed out everywhere.`,
      act: () => api.apps.signOut({ appId }),
    },
    delete: {
      title: `Delete ${name}`,
      text: 'Its secrets and all that people let it do end with it, for good.',
      label: 'Delete',
      done: `${name} was deleted.`,
      act: () => api.apps.delete({ appId }),
    },
    ...Object.fromEntries(
      secrets.map(({ secretId, lastFour, mode }) => [
        secretId,
        {
          title: `Delete the ${mode} secret …${lastFour}`,
          text: 'Programs that use it get no more tokens from now on.',
          label: 'Delete',
          done: `The secret …${lastFour} was deleted.`,
          act: () => api.appSecrets.delete({ appId, secretId }),
        },
      ]),
    ),
  }
}

export function AppActions({ app }: { app: App }) {
  const show = useHeldDialog()
  const cache = useQueryClient()
  const [asked, setAsked] = useState<string>()
  const changes = changesOf(app)
  const change = asked === undefined ? undefined : changes[asked]
  const refresh = () => void cache.invalidateQueries({ predicate: isOfApps })
  const act = useMutation({
    mutationFn: (one: Change) => one.act(),
    onSuccess: (_, one) => {
      refresh()
      toast({ text: one.done })
      setAsked(undefined)
    },
  })
  const makeSecret = useMutation({
    mutationFn: (mode: Mode) => apiOf('live').appSecrets.create({ appId: app.appId, mode }),
    gcTime: 0,
    onSuccess: ({ secret }, mode) => {
      refresh()
      show(onDone => (
        <SecretDialog
          title={`The ${mode} secret of ${app.name}`}
          description="Copy it now. It is not stored, and nobody can show it to you again."
          secret={secret}
          onDone={onDone}
        />
      ))
    },
    onError: error => toast({ text: error.message }),
  })
  const isFull = (mode: Mode) =>
    app.kind === 'public' || (app.clients.find(client => client.mode === mode)?.secrets.length ?? 0) >= 2
  const isActive = app.status === 'active'
  return (
    <>
      <Menu
        trigger={<IconButton size="sm" label={`Actions for ${app.name}`} icon={<MoreHorizontal size={16} />} />}
        items={[
          {
            key: 'test',
            label: 'New test secret',
            disabled: isFull('test'),
            onSelect: () => makeSecret.mutate('test'),
          },
          {
            key: 'live',
            label: 'New live secret',
            disabled: isFull('live'),
            onSelect: () => makeSecret.mutate('live'),
          },
          ...app.clients.flatMap(({ mode, secrets }) =>
            secrets.map(({ secretId, lastFour }) => ({
              key: secretId,
              label: `Delete ${mode} secret …${lastFour}`,
              onSelect: () => setAsked(secretId),
            })),
          ),
          { key: 'status', label: isActive ? 'Suspend' : 'Resume', onSelect: () => setAsked('status') },
          { key: 'tokens', label: 'Sign out everywhere', onSelect: () => setAsked('tokens') },
          { key: 'delete', label: 'Delete', danger: true, onSelect: () => setAsked('delete') },
        ]}
      />
      {change !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={open => !open && setAsked(undefined)}
          title={change.title}
          description={change.text}
          confirmLabel={change.label}
          danger={change.label !== 'Resume'}
          busy={act.isPending}
          error={act.error?.message}
          onConfirm={() => act.mutate(change)}
        />
      )}
    </>
  )
}
