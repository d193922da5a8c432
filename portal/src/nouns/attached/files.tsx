// Files on a record: put there, downloaded and deleted.

import type { Attachment } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { Download, Trash2, Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { fileTimeoutMs } from '../../data/file_timeout.ts'
import { saveFile } from '../../data/save_file.ts'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { faultText } from '../../ui/faults.ts'
import { Button, Card, ErrorNote, ErrorState, IconButton, LoadingRows, sizeText, Time, toast } from '../../ui/index.ts'
import styles from '../nouns.module.css'
import { t as tNouns } from '../texts.ts'
import { useAct } from '../use_act.ts'
import { UserName } from '../user_name.tsx'
import { t } from './texts.ts'
import { useAttached } from './use_attached.ts'

const shownAtFirst = 20
const page = 200

export function Files({ recordId, mayWrite }: { recordId: string; mayWrite: boolean }) {
  const api = useApi()
  const { permissions } = useSession()
  const input = useRef<HTMLInputElement>(null)
  const [limit, setLimit] = useState(shownAtFirst)
  const { query, changed } = useAttached({ kind: 'attachment', recordId, limit }, async signal => {
    const of = { record_id: recordId, sort: '-created_at' }
    if (limit > shownAtFirst) {
      const all = await Array.fromAsync(api.attachments.list.all({ ...of, limit: page }, { signal }))
      return { files: all as Attachment[], hidden: 0 }
    }
    const { attachments, pagination } = await api.attachments.list({ ...of, limit }, { signal })
    return { files: attachments as Attachment[], hidden: pagination.totalCount - attachments.length }
  })
  const { files: items, hidden } = query.data ?? { files: [], hidden: 0 }
  const upload = useMutation({
    async mutationFn(files: readonly File[]) {
      for (const file of files)
        await api.attachments.create({ record_id: recordId, name: file.name, file }, { timeoutMs: fileTimeoutMs })
    },
    onSettled: changed,
    onSuccess: (_none, files) => toast({ text: t('filesAdded', { count: files.length, name: files[0]?.name ?? '' }) }),
  })
  const mayAdd = mayWrite && permissions.has('attachments:create')
  return (
    <Card
      title={t('files')}
      actions={
        mayAdd && (
          <Button size="sm" icon={<Upload size={14} />} busy={upload.isPending} onClick={() => input.current?.click()}>
            {t('filesAdd')}
          </Button>
        )
      }
    >
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('filesToAdd')}
        onChange={event => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) upload.mutate(files)
        }}
      />
      {upload.error !== null && <ErrorNote text={faultText(upload.error)} />}
      {query.isPending ? (
        <LoadingRows label={t('filesLoading')} rows={2} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : items.length === 0 ? (
        <p className={styles['faint']}>{t('filesNone')}</p>
      ) : (
        <ul className={styles['related']} aria-label={t('files')}>
          {items.map(file => (
            <OneFile key={file.id} file={file} mayWrite={mayWrite} onChanged={changed} />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <Button size="sm" busy={query.isPlaceholderData} onClick={() => setLimit(Number.POSITIVE_INFINITY)}>
          {t('filesMore', { count: hidden })}
        </Button>
      )}
    </Card>
  )
}

function OneFile({ file, mayWrite, onChanged }: { file: Attachment; mayWrite: boolean; onChanged(): void }) {
  const api = useApi()
  const act = useAct(onChanged)
  const { id, name } = file
  const download = useAct(() => undefined)
  const remove = () =>
    act.mutate(() => api.attachments.delete({ id }), {
      onSuccess() {
        const undo = () => act.mutate(() => api.attachments.restore({ id }))
        toast({ text: t('deleted', { name }), action: { label: tNouns('undo'), onSelect: undo } })
      },
    })
  return (
    <li>
      <span>
        {name}
        <span className={styles['faint']}>
          {' '}
          {t.rich('fileFacts', {
            size: sizeText(file.size_bytes),
            who: () => <UserName id={file.uploaded_by} />,
            time: () => <Time iso={file.created_at} />,
          })}
        </span>
      </span>
      <span>
        <IconButton
          size="sm"
          label={t('download', { name })}
          busy={download.isPending}
          icon={<Download size={14} />}
          onClick={() =>
            download.mutate(async () =>
              saveFile(await api.attachments.content({ id }, { timeoutMs: fileTimeoutMs }), name),
            )
          }
        />
        {mayWrite && (
          <IconButton size="sm" label={tNouns('deleteNamed', { name })} icon={<Trash2 size={14} />} onClick={remove} />
        )}
      </span>
    </li>
  )
}
