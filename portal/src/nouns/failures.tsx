// What stayed as it was of many records that were to be changed, by name and with its reason.
import record from '../data/record.module.css'
import { countText, ErrorNote } from '../ui/index.ts'
import type { BulkReply } from './api.ts'
import { type NounDescription, type NounRecord, titleOf } from './noun.ts'

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
      <ErrorNote text={`${countText(failed.length)} stayed as they were:`} />
      <ul>
        {failed.slice(0, maxShown).map(({ id, message }) => (
          <li key={id}>{`${nameOf(id)}: ${message}`}</li>
        ))}
      </ul>
    </div>
  )
}
