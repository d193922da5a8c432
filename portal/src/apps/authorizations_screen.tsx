// Authorizations: what people let apps and other clients do. Each sees and ends their own; who may see apps, those of everybody.
import type { Authorization } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { apiOf } from '../session/api.ts'
import { InLiveMode } from '../session/shared.tsx'
import { Button, Chip, ConfirmDialog, toast } from '../ui/index.ts'

const reasons: Record<string, string> = {
  person: 'Ended by the person',
  admin: 'Ended by an Admin',
  app: 'Ended by the app',
  reuse: 'A refresh token was used twice',
  app_deleted: 'The app was deleted',
  blocked: 'The client was blocked',
  newer: 'Newer ones took its place',
}

function stateOf({ revokedBecause, expiresAt }: Authorization): string {
  if (revokedBecause !== null) return reasons[revokedBecause] ?? 'Ended'
  return Date.parse(expiresAt) < Date.now() ? 'Expired' : 'Stands'
}

const authorizations: Resource<Authorization> = {
  many: 'authorizations',
  about: 'What people let apps and other clients do for them. Ending one acts within two seconds.',
  from: api => api.authorizations.list,
  id: 'authorizationId',
  nameOf: ({ clientName }) => `the authorization of ${clientName}`,
  filters: [
    {
      name: 'active',
      label: 'State',
      all: 'Standing',
      options: [
        { value: 'no', label: 'Ended' },
        { value: 'any', label: 'All' },
      ],
      asked: value => (value === 'any' ? {} : { active: value !== 'no' }),
    },
  ],
  columns: [
    { name: 'clientName', label: 'App', px: 180 },
    { name: 'userName', label: 'Acts for', px: 160 },
    {
      name: 'mode',
      label: 'Mode',
      px: 80,
      cell: ({ mode }) => <Chip tone={mode === 'live' ? 'neutral' : 'warn'}>{mode.toUpperCase()}</Chip>,
    },
    {
      name: 'scopes',
      label: 'May',
      px: 240,
      atFirst: 'wide',
      cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
    },
    { name: 'state', label: 'State', px: 200, cell: stateOf },
    { name: 'lastUsedAt', label: 'Last token', kind: 'time', px: 120 },
    { name: 'createdAt', label: 'Since', kind: 'time', atFirst: 'wide' },
    { name: 'expiresAt', label: 'Until', kind: 'time', atFirst: 'wide' },
  ],
  actions: { px: 80, cell: one => stateOf(one) === 'Stands' && <End authorization={one} /> },
  empty: {
    title: 'No authorizations',
    text: 'When somebody lets an app act for them, it stands here, and can be ended.',
  },
}

function End({ authorization: { authorizationId, clientName } }: { authorization: Authorization }) {
  const cache = useQueryClient()
  const [open, setOpen] = useState(false)
  const revoke = useMutation({
    mutationFn: () => apiOf('live').authorizations.revoke({ authorizationId }),
    onSuccess: () => {
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'authorizations' })
      toast({ text: `${clientName} may do nothing here any more.` })
      setOpen(false)
    },
  })
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)} aria-label={`End the authorization of ${clientName}`}>
        End
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={`End the authorization of ${clientName}`}
        description="Its tokens are refused within two seconds, and it must ask again."
        confirmLabel="End"
        danger
        busy={revoke.isPending}
        error={revoke.error?.message}
        onConfirm={() => revoke.mutate()}
      />
    </>
  )
}

export const AuthorizationsScreen = () => (
  <InLiveMode>
    <ResourceScreen of={authorizations} />
  </InLiveMode>
)
