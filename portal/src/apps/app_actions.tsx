// What can be done with an app: change it, make and delete secrets, suspend and resume it, sign it out, delete it.

import type { App } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { MoreHorizontal } from 'lucide-react'
import { useState } from 'react'
import { SecretDialog } from '../forms/secret_dialog.tsx'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { apiOf } from '../session/api.ts'
import type { Mode } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { ConfirmDialog, IconButton, Menu, type MenuItem, toast } from '../ui/index.ts'
import { isOfApps } from './app_form.tsx'
import { t } from './texts.ts'
import { UpdateApp } from './update_app.tsx'

type Change = { title: string; text: string; label: string; done: string; danger: boolean; act(): Promise<unknown> }

/** Everything that is asked about first. */
function changesOf({ appId, name, status, clients }: App): Record<string, Change> {
  const api = apiOf('live')
  const isActive = status === 'active'
  const secrets = clients.flatMap(({ mode, secrets }) => secrets.map(secret => ({ ...secret, mode })))
  return {
    status: {
      title: t(isActive ? 'suspendTitle' : 'resumeTitle', { name }),
      text: t(isActive ? 'suspendText' : 'resumeText'),
      label: t(isActive ? 'suspend' : 'resume'),
      done: t(isActive ? 'suspended' : 'resumed', { name }),
      danger: isActive,
      act: () => api.apps.update({ appId, status: isActive ? 'suspended' : 'active' }),
    },
    tokens: {
      title: t('signOutTitle', { name }),
      text: t('signOutText'),
      label: t('signOut'),
      done: t('signedOut', { name }),
      danger: true,
      act: () => api.apps.signOut({ appId }),
    },
    delete: {
      title: t('deleteTitle', { name }),
      text: t('deleteText'),
      label: t('delete'),
      done: t('deleted', { name }),
      danger: true,
      act: () => api.apps.delete({ appId }),
    },
    ...Object.fromEntries(
      secrets.map(({ secretId, lastFour, mode }) => [
        secretId,
        {
          title: t('deleteSecretTitle', { mode, lastFour }),
          text: t('deleteSecretText'),
          label: t('delete'),
          done: t('secretDeleted', { lastFour }),
          danger: true,
          act: () => api.appSecrets.delete({ appId, secretId }),
        },
      ]),
    ),
  }
}

/** What the menu offers. @param onAsk gets the key of a change, or the id of a secret to delete */
function itemsOf(
  app: App,
  onEdit: () => void,
  onSecret: (mode: Mode) => void,
  onAsk: (what: string) => void,
): MenuItem[] {
  const isFull = (mode: Mode) =>
    app.kind === 'public' || (app.clients.find(client => client.mode === mode)?.secrets.length ?? 0) >= 2
  return [
    { key: 'edit', label: t('edit'), onSelect: onEdit },
    { key: 'test', label: t('newTestSecret'), disabled: isFull('test'), onSelect: () => onSecret('test') },
    { key: 'live', label: t('newLiveSecret'), disabled: isFull('live'), onSelect: () => onSecret('live') },
    ...app.clients.flatMap(({ mode, secrets }) =>
      secrets.map(({ secretId, lastFour }) => ({
        key: secretId,
        label: t('deleteSecret', { mode, lastFour }),
        onSelect: () => onAsk(secretId),
      })),
    ),
    { key: 'status', label: t(app.status === 'active' ? 'suspend' : 'resume'), onSelect: () => onAsk('status') },
    { key: 'tokens', label: t('signOutEverywhere'), onSelect: () => onAsk('tokens') },
    { key: 'delete', label: t('delete'), danger: true, onSelect: () => onAsk('delete') },
  ]
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
          title={t('secretTitle', { mode, name: app.name })}
          description={t('secretText')}
          secret={secret}
          onDone={onDone}
        />
      ))
    },
    onError: error => toast({ text: faultText(error) }),
  })
  const edit = () => show(onDone => <UpdateApp app={app} onClose={onDone} />)
  return (
    <>
      <Menu
        trigger={
          <IconButton size="sm" label={t('actionsFor', { name: app.name })} icon={<MoreHorizontal size={16} />} />
        }
        items={itemsOf(app, edit, makeSecret.mutate, setAsked)}
      />
      {change !== undefined && (
        <ConfirmDialog
          open
          onOpenChange={open => !open && setAsked(undefined)}
          title={change.title}
          description={change.text}
          confirmLabel={change.label}
          danger={change.danger}
          busy={act.isPending}
          error={act.error === null ? undefined : faultText(act.error)}
          onConfirm={() => act.mutate(change)}
        />
      )}
    </>
  )
}
