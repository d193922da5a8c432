// What is put on a record: notes, tasks and files, and for nouns without a timeline of their own that too.
import record from '../../data/record.module.css'
import { useSession } from '../../session/session.ts'
import { type NounDescription, type NounRecord, recordIdOf } from '../noun.ts'
import styles from '../nouns.module.css'
import { Files } from './files.tsx'
import { Notes } from './notes.tsx'
import { Tasks } from './tasks.tsx'

export type AttachedTabProps = { noun: NounDescription; record: NounRecord; mayWrite: boolean }

export function AttachedTab({ noun, record: shown, mayWrite }: AttachedTabProps) {
  const { permissions } = useSession()
  const recordId = recordIdOf(noun, shown.id)
  const may = (many: string) => permissions.has(`${many}:read`)
  return (
    <div className={record['columns']}>
      {may('notes') && <Notes recordId={recordId} mayWrite={mayWrite && permissions.has('notes:create')} />}
      <div className={styles['stack']}>
        {may('tasks') && <Tasks recordId={recordId} mayWrite={mayWrite} />}
        {may('attachments') && <Files recordId={recordId} mayWrite={mayWrite} />}
      </div>
    </div>
  )
}
