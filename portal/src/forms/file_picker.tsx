// The files that go with what is written, such as a note or a mail, before it is sent.
import { Paperclip, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button, IconButton, sizeText } from '../ui/index.ts'
import { type FileLimits, type RefusedFile, takeFiles } from './file_limits.ts'
import styles from './file_picker.module.css'
import { t } from './texts.ts'

export type FilePickerProps = { files: readonly File[]; limits: FileLimits; onChange(files: readonly File[]): void }

export function FilePicker({ files, limits, onChange }: FilePickerProps) {
  const input = useRef<HTMLInputElement>(null)
  const adding = useRef<HTMLButtonElement>(null)
  const [refused, setRefused] = useState<RefusedFile>()
  const add = (chosen: readonly File[]) => {
    const next = takeFiles(files, chosen, limits)
    setRefused(next.refused)
    onChange(next.all)
  }
  return (
    <div className={styles['files']}>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('filesChoose')}
        onChange={({ target }) => {
          add([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <Button
        ref={adding}
        size="sm"
        variant="ghost"
        icon={<Paperclip size={14} />}
        onClick={() => input.current?.click()}
      >
        {t('filesAdd')}
      </Button>
      {files.length > 0 && (
        <ul aria-label={t('files')}>
          {files.map((file, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file can be chosen twice
            <li key={index} className={styles['file']}>
              <span dir="auto">{file.name}</span>
              <small>{sizeText(file.size)}</small>
              <IconButton
                size="sm"
                label={t('filesRemove', { name: file.name })}
                icon={<X size={12} />}
                onClick={() => {
                  onChange(files.filter(other => other !== file))
                  adding.current?.focus()
                }}
              />
            </li>
          ))}
        </ul>
      )}
      {refused !== undefined && <p role="alert">{textOf(refused)}</p>}
    </div>
  )
}

function textOf({ why, name, limit }: RefusedFile): string {
  if (why === 'empty') return t('filesEmpty', { name })
  if (why === 'too many') return t('filesTooMany', { name, count: limit })
  return t(why === 'too large' ? 'filesLarge' : 'filesLargeAll', { name, size: sizeText(limit) })
}
