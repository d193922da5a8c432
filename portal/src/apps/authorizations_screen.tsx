// Authorizations: what people let apps and other clients do. Each sees and ends their own; who may see apps, those of everybody.

import type { Authorization } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { apiOf } from '../session/api.ts'
import { InLiveMode } from '../session/shared.tsx'
import { faultText } from '../ui/faults.ts'
import { Button, Chip, ConfirmDialog, toast } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'

const isStanding = ({ revokedBecause, expiresAt }: Authorization) =>
  revokedBecause === null && Date.parse(expiresAt) >= Date.now()

function stateOf(authorization: Authorization): string {
  if (isStanding(authorization)) return t('stands')
  const { revokedBecause } = authorization
  return revokedBecause === null ? t('expired') : (t.of('ended', revokedBecause) ?? t('ended'))
}

const authorizations = byLanguage(
  (): Resource<Authorization> => ({
    many: 'authorizations',
    things: t('authorizationThings'),
    about: t('authorizationsAbout'),
    from: api => api.authorizations.list,
    id: 'authorizationId',
    nameOf: ({ clientName }) => t('authorizationOf', { name: clientName }),
    filters: [
      {
        name: 'active',
        label: t('state'),
        all: t('standing'),
        options: [
          { value: 'no', label: t('ended') },
          { value: 'any', label: t('all') },
        ],
        asked: value => (value === 'any' ? {} : { active: value !== 'no' }),
      },
    ],
    columns: [
      { name: 'clientName', label: t('app'), px: 180 },
      { name: 'userName', label: t('acts'), px: 160 },
      {
        name: 'mode',
        label: t('mode'),
        px: 80,
        cell: ({ mode }) => <Chip tone={mode === 'live' ? 'neutral' : 'warn'}>{t(`mode.${mode}`)}</Chip>,
      },
      {
        name: 'scopes',
        label: t('may'),
        px: 240,
        atFirst: 'wide',
        cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopes.join(', ')}</span>,
      },
      { name: 'state', label: t('state'), px: 200, cell: stateOf },
      { name: 'lastUsedAt', label: t('lastToken'), kind: 'time', px: 120 },
      { name: 'createdAt', label: t('since'), kind: 'time', atFirst: 'wide' },
      { name: 'expiresAt', label: t('until'), kind: 'time', atFirst: 'wide' },
    ],
    actions: { px: 80, cell: one => isStanding(one) && <End authorization={one} /> },
    empty: {
      title: t('noAuthorizations'),
      text: t('noAuthorizationsText'),
    },
  }),
)

function End({ authorization: { authorizationId, clientName } }: { authorization: Authorization }) {
  const cache = useQueryClient()
  const [open, setOpen] = useState(false)
  const revoke = useMutation({
    mutationFn: () => apiOf('live').authorizations.revoke({ authorizationId }),
    onSuccess: () => {
      void cache.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === 'authorizations' })
      toast({ text: t('authorizationEnded', { name: clientName }) })
      setOpen(false)
    },
  })
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)} aria-label={t('endTitle', { name: clientName })}>
        {t('end')}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={t('endTitle', { name: clientName })}
        description={t('endText')}
        confirmLabel={t('end')}
        danger
        busy={revoke.isPending}
        error={revoke.error === null ? undefined : faultText(revoke.error)}
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
