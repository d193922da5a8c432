// Callback URLs: what was sent to the addresses that messages and calls name themselves, and the secret that signs it.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { useState } from 'react'
import { Secret } from '../forms/secret_dialog.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, ErrorState, LoadingRows, PageHeader, TextLink, Time, toast } from '../ui/index.ts'
import { Deliveries } from './deliveries.tsx'
import { Readable } from './readable.tsx'
import { RotateDialog } from './rotate_dialog.tsx'
import { t } from './texts.ts'
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
        title={t('callbacks')}
        description={t.rich('callbacksAbout', { link: text => <TextLink to="/webhooks">{text}</TextLink> })}
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
      toast({ text: t('callbackRotated') })
    },
  })
  const until = query.data?.previousSecretUntil
  return (
    <Card
      title={t('signingSecret')}
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
            {t(shown ? 'hide' : 'show')}
          </Button>
          <Button size="sm" onClick={() => setRotating(true)}>
            {t('rotate')}
          </Button>
        </>
      }
    >
      <div className={styles['stack']}>
        <p>
          {until == null
            ? t('callbackSecretAbout', { mode })
            : t.rich('callbackSecretAboutBoth', {
                mode,
                until: () => <Time iso={until} exact />,
              })}
        </p>
        {shown &&
          (query.isPending ? (
            <LoadingRows label={t('loadingSecret')} rows={1} />
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
          previousSecretUntil={until ?? null}
          onRotate={rotate.mutate}
          busy={rotate.isPending}
          error={rotate.error === null ? undefined : faultText(rotate.error)}
          onClose={() => {
            rotate.reset()
            setRotating(false)
          }}
        />
      )}
    </Card>
  )
}
