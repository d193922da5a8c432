// What came of the rows of an import, or would: counts in words, what is wrong with which row, and how far it is.
import type { Import } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { saveFile } from '../data/save_file.ts'
import type { NounDescription } from '../nouns/noun.ts'
import { useApi } from '../session/api.ts'
import { DataTable } from '../ui/data_table.tsx'
import { Button, countText, toast } from '../ui/index.ts'
import styles from './imports.module.css'
import { isDraft, outcomeTexts } from './rules.ts'

type FoundProps = { found: Import }

export function Outcome({ noun, found }: FoundProps & { noun: NounDescription }) {
  const texts = outcomeTexts(noun, found, isDraft(found))
  return (
    <ul
      className={styles['texts']}
      aria-label={isDraft(found) ? 'What would come of the rows' : 'What came of the rows'}
    >
      {texts.map(text => (
        <li key={text}>{text}</li>
      ))}
      {texts.length === 0 && <li>The file has no rows.</li>}
      {isDraft(found) && found.created + found.updated === 0 && <li>So there is nothing to import.</li>}
    </ul>
  )
}

/** What is wrong with rows that are refused, the first of them, and all as a file. */
export function Faults({ found }: FoundProps) {
  const api = useApi()
  const { id, noun, refused, faults = [] } = found
  const download = useMutation({
    mutationFn: async () => saveFile(await api.imports.refused({ id }, { timeoutMs: 600_000 }), `${noun}-refused.csv`),
    onError: error => toast({ text: error.message, tone: 'bad' }),
  })
  if (refused === 0) return null
  const rows = new Set(faults.map(({ row }) => row)).size
  return (
    <>
      <DataTable
        caption="Refused rows"
        rows={faults.map((fault, at) => ({ ...fault, at }))}
        rowKey={({ at }) => String(at)}
        columns={[
          { key: 'row', header: 'Row', align: 'end', render: ({ row }) => countText(row) },
          { key: 'column', header: 'Column', render: ({ column, field }) => column ?? (field || 'The whole row') },
          { key: 'message', header: 'What is wrong', render: ({ message }) => message },
        ]}
      />
      <div className={styles['actions']}>
        <Button icon={<Download size={14} />} busy={download.isPending} onClick={() => download.mutate()}>
          Download the refused rows
        </Button>
        <span className={styles['faint']}>
          {rows < refused ? `The first ${countText(rows)} of ${countText(refused)} stand here. ` : ''}
          The file has their cells, and what is wrong with each: mend it, and import it by itself.
        </span>
      </div>
    </>
  )
}

/** How far a check or a run is. */
export function Progress({ found, label, text }: FoundProps & { label: string; text: string }) {
  const { done, rows } = found
  return (
    <div className={styles['stack']}>
      <progress
        className={styles['progress']}
        aria-label={label}
        {...(rows !== null && rows > 0 && { max: rows, value: done })}
      />
      <p role="status">
        {`${label}: ${countText(done)}${rows === null ? '' : ` of ${countText(rows)}`} done. ${text}`}
      </p>
    </div>
  )
}
