// All that the organization has as one archive; and its end: closed by its owner, and taken back until the day.
import type { Organization } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePolled } from '../data/polled.ts'
import { saveFile } from '../data/save_file.ts'
import { apiOf } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, ConfirmDialog, ErrorNote, Moment, StatusChip, sizeText, toast } from '../ui/index.ts'
import styles from './organization.module.css'

const exportsKey = ['live', 'organization_exports']
const failed = (error: Error) => toast({ text: error.message, tone: 'bad' })

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
      title="Export everything"
      actions={
        <Button busy={ask.isPending} disabled={isUnderWay} onClick={() => ask.mutate()}>
          Make an archive
        </Button>
      }
    >
      <p>
        One archive (tar, gzip) of all records of both modes, a file of JSON lines for each table, with attachments and
        recordings, and without secrets. It can be downloaded for a week.
      </p>
      <ul className={styles['exports']}>
        {exports.map(({ exportId, state, createdAt, sizeBytes, rows, expiresAt, error }) => (
          <li key={exportId}>
            <span>
              <StatusChip status={state} /> <Moment iso={createdAt} />
              {sizeBytes !== null && `, ${sizeText(sizeBytes)}, ${rows} rows`}
              {state === 'ready' && expiresAt !== null && (
                <>
                  , until <Moment iso={expiresAt} />
                </>
              )}
              {error !== null && `: ${error}`}
            </span>
            {state === 'ready' && (
              <Button
                aria-label={`Download the archive of ${createdAt.slice(0, 16)}`}
                busy={save.isPending && save.variables === exportId}
                onClick={() => save.mutate(exportId)}
              >
                Download
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
    onSuccess: () => done('The organization is being closed. You can take that back until the day.'),
  })
  const reopen = useMutation({
    mutationFn: () => apiOf('live').organization.reopen({}),
    onSuccess: () => done('The organization is open again.'),
    onError: failed,
  })
  if (state === 'suspended') return null
  return (
    <Card
      title={state === 'closing' ? 'The organization is being closed' : 'Close the organization'}
      actions={
        isOwner &&
        (state === 'closing' ? (
          <Button variant="primary" busy={reopen.isPending} onClick={() => reopen.mutate()}>
            Take the closing back
          </Button>
        ) : (
          <Button variant="danger" onClick={() => setAsks(true)}>
            Close the organization
          </Button>
        ))
      }
    >
      {state === 'closing' && (
        <p>
          On <Moment iso={closesAt} /> everything is erased, but for numbered invoices and payments. Until then it can
          be read and exported.
        </p>
      )}
      {state === 'active' && (
        <p>
          At once nothing is changed and sent any more, and calls are refused; everything can be read and exported. When
          the time to take it back is over, everything is erased, but for numbered invoices and payments, which are kept
          as the law asks.
        </p>
      )}
      {!isOwner && <p>Only the owner closes the organization, and takes that back.</p>}
      <ConfirmDialog
        open={asks}
        onOpenChange={setAsks}
        title="Close the organization"
        description="Nothing is changed or sent from now on. Owner and Admins get mails with the day on which it is erased; until then you can take it back here."
        confirmLabel="Close it"
        typeToConfirm={name}
        danger
        busy={close.isPending}
        onConfirm={() => close.mutate()}
      >
        {close.error !== null && <ErrorNote text={close.error.message} />}
      </ConfirmDialog>
    </Card>
  )
}
