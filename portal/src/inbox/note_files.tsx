// The files that a note takes along, before it is sent.
import { Paperclip, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button, IconButton, sizeText } from '../ui/index.ts'
import styles from './composer.module.css'
import { t } from './texts.ts'

/** As the server takes them. */
const most = 10
const maxBytes = 25 * 1024 * 1024

export type NoteFilesProps = { files: readonly File[]; onChange(files: readonly File[]): void }

export function NoteFiles({ files, onChange }: NoteFilesProps) {
  const input = useRef<HTMLInputElement>(null)
  const adding = useRef<HTMLButtonElement>(null)
  const [tooLarge, setTooLarge] = useState<string>()
  const add = (chosen: readonly File[]) => {
    setTooLarge(chosen.find(({ size }) => size > maxBytes)?.name)
    onChange([...files, ...chosen.filter(({ size }) => size > 0 && size <= maxBytes)].slice(0, most))
  }
  return (
    <div className={styles['files']}>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={t('files.choose')}
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
        {t('files.add')}
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
                label={t('files.remove', { name: file.name })}
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
      {tooLarge !== undefined && <p role="alert">{t('files.large', { name: tooLarge })}</p>}
    </div>
  )
}
