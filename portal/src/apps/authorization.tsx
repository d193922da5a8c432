// One authorization in a list: how it stands, and the button that ends it, for the person and for those who manage apps.
import type { Authorization } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Chip, ConfirmDialog, toast } from '../ui/index.ts'
import { t } from './texts.ts'

/** Of the lists that hold authorizations, the second part of the key. */
export const authorizationLists: readonly unknown[] = ['authorizations', 'app authorizations']

const isStanding = ({ revokedBecause, expiresAt }: Authorization) =>
  revokedBecause === null && Date.parse(expiresAt) >= Date.now()

export function stateOf(authorization: Authorization): string {
  if (isStanding(authorization)) return t('stands')
  const { revokedBecause } = authorization
  return revokedBecause === null ? t('expired') : (t.of('ended', revokedBecause) ?? t('ended'))
}

export function ModeChip({ mode }: Pick<Authorization, 'mode'>) {
  return <Chip tone={mode === 'live' ? 'neutral' : 'warn'}>{t(`mode.${mode}`)}</Chip>
}

/** What is asked of the API for the state that is chosen: those that stand where none is. */
export const askedOfState = (state: string | undefined) => (state === 'any' ? {} : { active: state !== 'no' })

export const stateOptions = () => [
  { value: 'no', label: t('ended') },
  { value: 'any', label: t('all') },
]

type EndProps = {
  authorization: Authorization
  /** What it is called here: by the client, or by the person that it acts for. */
  name: string
}

/** Nothing where it has ended, or where it is somebody else's and one may not manage apps. */
export function End({ authorization, name }: EndProps) {
  const { user, permissions } = useSession()
  const mayEnd = authorization.userId === user.id || permissions.has('apps:manage')
  return isStanding(authorization) && mayEnd ? <EndButton authorization={authorization} name={name} /> : null
}

function EndButton({ authorization: { authorizationId, clientName, userName }, name }: EndProps) {
  const cache = useQueryClient()
  const [open, setOpen] = useState(false)
  const revoke = useMutation({
    mutationFn: () => apiOf('live').authorizations.revoke({ authorizationId }),
    onSuccess: () => {
      void cache.invalidateQueries({ predicate: ({ queryKey }) => authorizationLists.includes(queryKey[1]) })
      toast({
        text:
          name === clientName
            ? t('authorizationEnded', { name })
            : t('authorizationEndedFor', { app: clientName, name: userName }),
      })
      setOpen(false)
    },
  })
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)} aria-label={t('endTitle', { name })}>
        {t('end')}
      </Button>
      <ConfirmDialog
        open={open}
        onOpenChange={setOpen}
        title={t('endTitle', { name })}
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
