// All that the organization has as one archive; and its end: closed by its owner, and taken back until the day.
import type { Organization } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePolled } from '../data/polled.ts'
import { saveFile } from '../data/save_file.ts'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Card, Chip, ConfirmDialog, ErrorNote, Moment, sizeText, toast, toneOfState } from '../ui/index.ts'
import styles from './organization.module.css'
import { t } from './texts.ts'

const exportsKey = ['live', 'organization_exports']
const failed = (error: Error) => toast({ text: faultText(error), tone: 'bad' })

export function ExportCard() {
  const api = apiOf('live')
  const cache = useQueryClient()
  const query = useQuery({
    queryKey: exportsKey,
    queryFn: ({ signal }) => api.organizationExports.list({}, { signal }),
  })
  const exports = query.data?.exports ?? []
  const isUnderWay = exports.some(({ state }) => state === 'queued' || state === 'running')
  usePolled({ query }, isUnderWay ? 2_000 : 60_000)
  const ask = useMutation({
    mutationFn: () => api.organizationExports.create({}),
    onSuccess: () => void cache.invalidateQueries({ queryKey: exportsKey }),
    onError: failed,
  })
  const save = useMutation({
    mutationFn: async (exportId: string) =>
      saveFile(await api.organizationExports.download({ exportId }, { timeoutMs: 3_600_000 }), `${exportId}.tar.gz`),
    onError: failed,
  })
  return (
    <Card
      title={t('export')}
      actions={
        <Button busy={ask.isPending} disabled={isUnderWay} onClick={() => ask.mutate()}>
          {t('exportAction')}
        </Button>
      }
    >
      <p>{t('exportText')}</p>
      <ul className={styles['exports']}>
        {exports.map(({ exportId, state, createdAt, sizeBytes, rows, expiresAt, error }) => (
          <li key={exportId}>
            <span>
              <Chip tone={toneOfState(state)} dot>
                {t(`exportState.${state}`)}
              </Chip>{' '}
              <Moment iso={createdAt} />
              {sizeBytes !== null && `, ${t('exportSize', { size: sizeText(sizeBytes), rows: rows ?? 0 })}`}
              {state === 'ready' && expiresAt !== null && (
                <>, {t.rich('exportUntil', { time: () => <Moment iso={expiresAt} /> })}</>
              )}
              {error !== null && `: ${error}`}
            </span>
            {state === 'ready' && (
              <Button
                aria-label={t('downloadOf', { time: createdAt.slice(0, 16) })}
                busy={save.isPending && save.variables === exportId}
                onClick={() => save.mutate(exportId)}
              >
                {t('download')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

export function ClosingCard({ organization }: { organization: Organization }) {
  const { user } = useSession()
  const cache = useQueryClient()
  const [asks, setAsks] = useState(false)
  const { name, state, closesAt, ownerUserId } = organization
  const isOwner = ownerUserId === user.id
  const done = (text: string) => {
    setAsks(false)
    void cache.invalidateQueries()
    toast({ text })
  }
  const close = useMutation({
    mutationFn: () => apiOf('live').organization.close({ name }),
    onSuccess: () => done(t('closed')),
  })
  const reopen = useMutation({
    mutationFn: () => apiOf('live').organization.reopen({}),
    onSuccess: () => done(t('reopened')),
    onError: failed,
  })
  if (state === 'suspended') return null
  return (
    <Card
      title={t(state === 'closing' ? 'closing' : 'close')}
      actions={
        isOwner &&
        (state === 'closing' ? (
          <Button variant="primary" busy={reopen.isPending} onClick={() => reopen.mutate()}>
            {t('reopen')}
          </Button>
        ) : (
          <Button variant="danger" onClick={() => setAsks(true)}>
            {t('close')}
          </Button>
        ))
      }
    >
      {state === 'closing' && <p>{t.rich('closingText', { time: () => <Moment iso={closesAt} /> })}</p>}
      {state === 'active' && <p>{t('closeText')}</p>}
      {!isOwner && <p>{t('closeOwner')}</p>}
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('closeTitle')}
        description={t('closeConfirm')}
        confirmLabel={t('closeAction')}
        typeToConfirm={name}
        danger
        busy={close.isPending}
        onConfirm={() => close.mutate()}
      >
        {close.error !== null && <ErrorNote text={faultText(close.error)} />}
      </ConfirmDialog>
    </Card>
  )
}
