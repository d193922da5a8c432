// What came of the rows of an import, or would: counts in words, what is wrong with which row, and how far it is.

import type { Import } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { fileTimeoutMs } from '../data/file_timeout.ts'
import { saveTable } from '../data/save_file.ts'
import type { NounDescription } from '../nouns/noun.ts'
import { useApi } from '../session/api.ts'
import { DataTable } from '../ui/data_table.tsx'
import { faultText } from '../ui/faults.ts'
import { Button, countText, toast } from '../ui/index.ts'
import styles from './imports.module.css'
import { isDraft, outcomeTexts } from './rules.ts'
import { t } from './texts.ts'

type FoundProps = { found: Import }

export function Outcome({ noun, found }: FoundProps & { noun: NounDescription }) {
  const texts = outcomeTexts(noun, found, isDraft(found))
  return (
    <ul className={styles['texts']} aria-label={t(isDraft(found) ? 'resultOfCheck' : 'resultOfImport')}>
      {texts.map(text => (
        <li key={text}>{text}</li>
      ))}
      {texts.length === 0 && <li>{t('noRows')}</li>}
      {isDraft(found) && found.created + found.updated === 0 && <li>{t('nothing')}</li>}
    </ul>
  )
}

/** What is wrong with rows that are refused, the first of them, and all as a file. */
export function Faults({ found }: FoundProps) {
  const api = useApi()
  const { id, noun, refused, faults = [] } = found
  const download = useMutation({
    mutationFn: async () =>
      saveTable(await api.imports.refused({ id }, { timeoutMs: fileTimeoutMs }), `${noun}-refused.csv`),
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  if (refused === 0) return null
  const rows = new Set(faults.map(({ row }) => row)).size
  return (
    <>
      <DataTable
        caption={t('refused')}
        rows={faults.map((fault, at) => ({ ...fault, at }))}
        rowKey={({ at }) => String(at)}
        columns={[
          { key: 'row', header: t('row'), align: 'end', render: ({ row }) => countText(row) },
          { key: 'column', header: t('column'), render: ({ column, field }) => column ?? (field || t('wholeRow')) },
          { key: 'message', header: t('problem'), render: ({ message }) => message },
        ]}
      />
      <div className={styles['actions']}>
        <Button icon={<Download size={14} />} busy={download.isPending} onClick={() => download.mutate()}>
          {t('download')}
        </Button>
        <span className={styles['faint']}>
          {rows < refused ? t('refusedSome', { shown: rows, all: refused }) : t('refusedAll')}
        </span>
      </div>
    </>
  )
}

/** How far a check or a run is. */
export function Progress({ found, doing }: FoundProps & { doing: 'checking' | 'running' }) {
  const { done, rows } = found
  return (
    <div className={styles['stack']}>
      <progress
        className={styles['progress']}
        aria-label={t(`doing.${doing}`)}
        {...(rows !== null && rows > 0 && { max: rows, value: done })}
      />
      <p role="status">{rows === null ? t(`progress.${doing}`, { done }) : t(`progressOf.${doing}`, { done, rows })}</p>
    </div>
  )
}
