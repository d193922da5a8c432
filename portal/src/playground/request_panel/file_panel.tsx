// The body of a request that sends a file: its text, or a file of this machine, which is sent byte for byte.
import { Upload, X } from 'lucide-react'
import { useRef } from 'react'
import { Button, sizeText, TextArea } from '../../ui/index.ts'
import styles from '../parts/screen.module.css'
import type { DraftState } from '../state/use_draft.ts'
import type { FileState } from '../state/use_file.ts'
import { t } from './texts.ts'

export function FilePanel({ draft, file: { chosen, dropped, choose } }: { draft: DraftState; file: FileState }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles['filePanel']}>
      <div className={styles['bodyTools']}>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={t('fileToSend')}
          onChange={event => {
            const file = event.target.files?.[0]
            if (file !== undefined) choose(file)
            event.target.value = ''
          }}
        />
        <Button size="sm" icon={<Upload size={13} />} onClick={() => input.current?.click()}>
          {t('chooseFile')}
        </Button>
        {chosen === undefined ? (
          dropped === undefined ? (
            <span className={styles['hint']}>{t('fileOrText')}</span>
          ) : (
            <span role="status">{t('fileDropped', { name: dropped })}</span>
          )
        ) : (
          <>
            <span role="status">{t('fileChosen', { name: chosen.name, size: sizeText(chosen.size) })}</span>
            <Button size="sm" variant="ghost" icon={<X size={13} />} onClick={() => choose(undefined)}>
              {t('removeFile')}
            </Button>
          </>
        )}
      </div>
      {chosen === undefined ? (
        <TextArea
          label={t('fileText')}
          mono
          rows={10}
          spellCheck={false}
          value={draft.draft.body}
          onChange={event => draft.change({ body: event.target.value })}
        />
      ) : (
        <p className={styles['quiet']}>{t('fileKept')}</p>
      )}
    </div>
  )
}
