// Callback URLs: what was sent to the addresses that messages and calls name themselves, and the secret that signs it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { Secret } from '../forms/secret_dialog.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, ErrorState, LoadingRows, PageHeader, TextLink, Time, toast } from '../ui/index.ts'
import { Deliveries } from './deliveries.tsx'
import { Readable } from './readable.tsx'
import { RotateDialog } from './rotate_dialog.tsx'
import { Verification } from './webhook_secret.tsx'
import styles from './webhooks.module.css'

export function CallbacksScreen() {
  return (
    <Readable>
      <CallbacksPage />
    </Readable>
  )
}

function CallbacksPage() {
  const { permissions } = useSession()
  return (
    <>
      <PageHeader
        title="Callback URLs"
        description={
          <>
            A message or call can name a callbackUrl, which hears of that one only. Events of everything go to{' '}
            <TextLink to="/webhooks">webhooks</TextLink>.
          </>
        }
      />
      <div className={styles['stack']}>
        {permissions.has('webhooks:manage') && <SigningSecret />}
        <Deliveries webhook={null} />
      </div>
    </>
  )
}

/** Fetched when it is asked for, and forgotten with the page. */
function SigningSecret() {
  const api = useApi()
  const cache = useQueryClient()
  const { mode } = useSession()
  const [shown, setShown] = useState(false)
  const [rotating, setRotating] = useState(false)
  const queryKey = [mode, 'signing secret']
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.webhooks.signingSecret({}, { signal }),
    enabled: shown || rotating,
    gcTime: 0,
  })
  const rotate = useMutation({
    gcTime: 0,
    mutationFn: (overlapSeconds: number) => api.webhooks.rotateSigningSecret({ overlapSeconds }),
    onSuccess: reply => {
      setShown(true)
      setRotating(false)
      cache.setQueryData(queryKey, reply)
      toast({ text: 'What goes to callback URLs is signed by the new secret.' })
    },
  })
  return (
    <Card
      title="Signing secret"
      actions={
        <>
          <Button
            size="sm"
            icon={<Eye size={14} />}
            aria-expanded={shown}
            onClick={() => {
              setShown(!shown)
              if (shown) cache.removeQueries({ queryKey })
            }}
          >
            {shown ? 'Hide' : 'Show'}
          </Button>
          <Button size="sm" onClick={() => setRotating(true)}>
            Rotate
          </Button>
        </>
      }
    >
      <div className={styles['stack']}>
        <p>
          One secret signs what goes to all callback URLs of {mode} data. Webhooks have secrets of their own.
          {query.data?.previousSecretUntil != null && (
            <>
              {' '}
              Until <Time iso={query.data.previousSecretUntil} exact /> the one before signs as well.
            </>
          )}
        </p>
        {shown &&
          (query.isPending ? (
            <LoadingRows label="Loading the secret" rows={1} />
          ) : query.data === undefined ? (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <>
              <Secret secret={query.data.secret} />
              <Verification />
            </>
          ))}
      </div>
      {rotating && (
        <RotateDialog
          previousSecretUntil={query.data?.previousSecretUntil ?? null}
          onRotate={rotate.mutate}
          busy={rotate.isPending}
          error={rotate.error?.message}
          onClose={() => {
            rotate.reset()
            setRotating(false)
          }}
        />
      )}
    </Card>
  )
}
