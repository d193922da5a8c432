// What stayed as it was of many records that were to be changed, by name and with its reason.
import record from '../data/record.module.css'
import { problemText } from '../ui/faults.ts'
import { ErrorNote } from '../ui/index.ts'
import type { BulkReply } from './api.ts'
import { type NounDescription, type NounRecord, titleOf } from './noun.ts'
import { t } from './texts.ts'

type FailuresProps = {
  noun: NounDescription
  failed: BulkReply['failed']
  recordOf(id: string | number): NounRecord | undefined
}

const maxShown = 20

export function Failures({ noun, failed, recordOf }: FailuresProps) {
  if (failed.length === 0) return null
  const nameOf = (id: string | number) => {
    const found = recordOf(id)
    return found === undefined ? String(id) : titleOf(noun, found)
  }
  return (
    <div className={record['wide']}>
      <ErrorNote text={t('unchanged', { count: failed.length })} />
      <ul>
        {failed.slice(0, maxShown).map(({ id, code, message }) => (
          <li key={id}>{t('failedNamed', { name: nameOf(id), fault: problemText(code, message) })}</li>
        ))}
      </ul>
    </div>
  )
}
