// Files on a record: put there, downloaded and deleted.
import type { Attachment } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { Download, Trash2, Upload } from 'lucide-react'
import { useRef } from 'react'
import { saveFile } from '../../data/save_file.ts'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { Button, Card, ErrorNote, ErrorState, IconButton, LoadingRows, sizeText, Time, toast } from '../../ui/index.ts'
import styles from '../nouns.module.css'
import { useAct } from '../use_act.ts'
import { UserName } from '../user_name.tsx'
import { useAttached } from './use_attached.ts'

const maxShown = 100

export function Files({ recordId, mayWrite }: { recordId: string; mayWrite: boolean }) {
  const api = useApi()
  const { permissions } = useSession()
  const input = useRef<HTMLInputElement>(null)
  const { query, items, changed } = useAttached('attachment', recordId, async signal => {
    const reply = await api.attachments.list({ record_id: recordId, limit: maxShown }, { signal })
    return reply.attachments as Attachment[]
  })
  const upload = useMutation({
    async mutationFn(files: readonly File[]) {
      for (const file of files) await api.attachments.create({ record_id: recordId, name: file.name, file })
    },
    onSettled: changed,
    onSuccess: (_none, files) =>
      toast({ text: files.length === 1 ? `${files[0]?.name} was added.` : `${files.length} files were added.` }),
  })
  const mayAdd = mayWrite && permissions.has('attachments:create')
  return (
    <Card
      title="Files"
      actions={
        mayAdd && (
          <Button size="sm" icon={<Upload size={14} />} busy={upload.isPending} onClick={() => input.current?.click()}>
            Add files
          </Button>
        )
      }
    >
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to add"
        onChange={event => {
          const files = [...(event.target.files ?? [])]
          event.target.value = ''
          if (files.length > 0) upload.mutate(files)
        }}
      />
      {upload.error !== null && <ErrorNote text={upload.error.message} />}
      {query.isPending ? (
        <LoadingRows label="Loading the files" rows={2} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : items.length === 0 ? (
        <p className={styles['faint']}>No files yet.</p>
      ) : (
        <ul className={styles['related']} aria-label="Files">
          {items.map(file => (
            <OneFile key={file.id} file={file} mayWrite={mayWrite} onChanged={changed} />
          ))}
        </ul>
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
        toast({ text: `${name} was deleted.`, action: { label: 'Undo', onSelect: undo } })
      },
    })
  return (
    <li>
      <span>
        {name}
        <span className={styles['faint']}>
          {` ${sizeText(file.size_bytes)}, `}
          <UserName id={file.uploaded_by} /> <Time iso={file.created_at} />
        </span>
      </span>
      <span>
        <IconButton
          size="sm"
          label={`Download ${name}`}
          busy={download.isPending}
          icon={<Download size={14} />}
          onClick={() => download.mutate(async () => saveFile(await api.attachments.content({ id }), name))}
        />
        {mayWrite && <IconButton size="sm" label={`Delete ${name}`} icon={<Trash2 size={14} />} onClick={remove} />}
      </span>
    </li>
  )
}
