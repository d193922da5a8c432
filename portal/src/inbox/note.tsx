// A note in a thread: its words with who is mentioned, and its files. Only colleagues see it.

import { useMutation } from '@tanstack/react-query'
import { Lock, Paperclip } from 'lucide-react'
import type { ReactNode } from 'react'
import { fileTimeoutMs } from '../data/file_timeout.ts'
import { saveFile } from '../data/save_file.ts'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, sizeText, toast } from '../ui/index.ts'
import { t } from './texts.ts'
import styles from './thread.module.css'
import type { Item } from './views.ts'
import { timeText } from './words.ts'

export function Note({ item: { author, at, body, mentions, attachments } }: { item: Item }) {
  return (
    <div className={styles['row']} data-mine>
      <div className={styles['note']}>
        <span className={styles['noteHead']}>
          <Lock size={12} aria-hidden="true" /> {t('note.head')}
        </span>
        <p className={styles['words']} dir="auto">
          {withMentions(
            body ?? '',
            mentions.map(({ name }) => `@${name}`),
          )}
        </p>
        {attachments.length > 0 && <NoteAttachments attachments={attachments} />}
      </div>
      <small className={styles['below']}>
        {author !== null && <span dir="auto">{author.name}</span>}
        <time dateTime={at}>{timeText(at)}</time>
      </small>
    </div>
  )
}

function NoteAttachments({ attachments }: Pick<Item, 'attachments'>) {
  const api = useApi()
  const save = useMutation({
    gcTime: 0,
    mutationFn: async ({ attachmentId, name }: Item['attachments'][number]) =>
      saveFile(await api.attachments.content({ id: attachmentId }, { timeoutMs: fileTimeoutMs }), name),
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  return (
    <ul className={styles['attachments']} aria-label={t('files')}>
      {attachments.map(file => (
        <li key={file.attachmentId}>
          <Button
            size="sm"
            variant="ghost"
            icon={<Paperclip size={14} />}
            aria-label={t('files.download', { name: file.name })}
            busy={save.isPending && save.variables?.attachmentId === file.attachmentId}
            onClick={() => save.mutate(file)}
          >
            <span dir="auto">{file.name}</span> <small>{sizeText(file.sizeBytes)}</small>
          </Button>
        </li>
      ))}
    </ul>
  )
}

/** The words with the names of who is mentioned set off. */
function withMentions(body: string, names: readonly string[]): ReactNode {
  const [name, ...rest] = names
  if (name === undefined) return body
  const at = body.indexOf(name)
  if (at === -1) return withMentions(body, rest)
  return (
    <>
      {withMentions(body.slice(0, at), rest)}
      <b className={styles['mention']}>{name}</b>
      {withMentions(body.slice(at + name.length), names)}
    </>
  )
}
