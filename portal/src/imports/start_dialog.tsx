// The dialog that takes a file to be imported: chosen or dropped. It goes on at the page of the import, which is found again later.

import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { fileTimeoutMs } from '../data/file_timeout.ts'
import type { NounDescription } from '../nouns/noun.ts'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Dialog, ErrorNote, sizeText, TextLink } from '../ui/index.ts'
import styles from './imports.module.css'
import { t } from './texts.ts'

/** As the server takes it: 100 MiB. */
const maxBytes = 100 * 1024 * 1024
const maxNameLength = 200

export type StartImportProps = { noun: Pick<NounDescription, 'many' | 'words'>; onClose(): void }

function faultOf({ size, name }: File): string | undefined {
  if (size === 0) return t('fileEmpty', { name })
  if (size > maxBytes) return t('fileTooLarge', { name, size: sizeText(size), limit: sizeText(maxBytes) })
  return undefined
}

export function StartImport({ noun, onClose }: StartImportProps) {
  const api = useApi()
  const navigate = useNavigate()
  const [file, setFile] = useState<File>()
  const [stop] = useState(() => new AbortController())
  const send = useMutation({
    async mutationFn(chosen: File) {
      const name = chosen.name.slice(-maxNameLength)
      const params = { noun: noun.many, ...(name !== '' && { file_name: name }), file: chosen }
      return (await api.imports.create(params, { timeoutMs: fileTimeoutMs, signal: stop.signal })).import
    },
  })
  const close = () => {
    stop.abort()
    onClose()
  }
  useEffect(() => {
    // A file that is dropped beside the zone would be opened in place of the portal.
    const stay = (event: Event) => event.preventDefault()
    for (const name of ['dragover', 'drop']) window.addEventListener(name, stay)
    return () => {
      for (const name of ['dragover', 'drop']) window.removeEventListener(name, stay)
    }
  }, [])
  const fault =
    file === undefined ? undefined : (faultOf(file) ?? (send.error === null ? undefined : faultText(send.error)))
  const take = (chosen: File | undefined) => {
    if (chosen === undefined || send.isPending) return
    send.reset()
    setFile(chosen)
    if (faultOf(chosen) !== undefined) return
    // Only while the dialog stands: who closed it does not want to be taken away.
    send.mutate(chosen, { onSuccess: ({ id }) => void navigate({ to: '/imports/$id', params: { id } }) })
  }
  return (
    <Dialog
      open
      onOpenChange={open => !open && close()}
      title={t('import', { things: noun.words.many })}
      description={t('startText')}
      footer={
        <>
          <TextLink className={styles['earlier']} to="/imports" search={{ noun: noun.many }}>
            {t('earlier')}
          </TextLink>
          <Button onClick={close}>{t('cancel')}</Button>
          {fault !== undefined && file !== undefined && faultOf(file) === undefined && (
            <Button variant="primary" onClick={() => take(file)}>
              {t('again')}
            </Button>
          )}
        </>
      }
    >
      <div className={styles['stack']}>
        {fault !== undefined && <ErrorNote text={fault} />}
        <DropZone file={file} busy={send.isPending} onFile={take} />
      </div>
    </Dialog>
  )
}

type DropZoneProps = { file: File | undefined; busy: boolean; onFile(file: File | undefined): void }

function DropZone({ file, busy, onFile }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const sending = busy && file !== undefined ? t('uploading', { name: file.name, size: sizeText(file.size) }) : ''
  return (
    <>
      <span className="visually-hidden" role="status">
        {sending}
      </span>
      <input
        ref={input}
        type="file"
        hidden
        accept=".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain"
        aria-label={t('fileLabel')}
        onChange={event => {
          const [chosen] = event.target.files ?? []
          event.target.value = ''
          onFile(chosen)
        }}
      />
      <button
        type="button"
        className={styles['drop']}
        data-over={over}
        aria-busy={busy || undefined}
        onClick={() => input.current?.click()}
        onDragOver={event => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={event => {
          event.preventDefault()
          setOver(false)
          onFile(event.dataTransfer.files[0])
        }}
      >
        <FileUp size={24} aria-hidden="true" />
        <span className={styles['strong']}>{sending || (file?.name ?? t('drop'))}</span>
        <span className={styles['faint']}>{t('dropHint')}</span>
      </button>
    </>
  )
}
