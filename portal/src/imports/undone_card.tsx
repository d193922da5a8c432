// How far an undo is, and what stayed as it was, with the reason.
import type { Batch } from '@tandem/sdk'
import type { NounDescription } from '../nouns/noun.ts'
import { UserName } from '../nouns/user_name.tsx'
import { RecordName } from '../nouns/values.tsx'
import { DataTable } from '../ui/data_table.tsx'
import { Card, countText, ErrorNote, TextLink, Time } from '../ui/index.ts'
import styles from './imports.module.css'
import { countOf } from './rules.ts'

type BatchProps = { batch: Batch; noun: NounDescription }

const titles: Readonly<Record<Batch['state'], string>> = {
  running: 'It is being undone',
  completed: 'It was undone',
  canceled: 'The undo was stopped',
  failed: 'The undo failed',
}

export function UndoneCard({ batch, noun }: BatchProps) {
  return (
    <Card title={titles[batch.state]}>
      <div className={styles['stack']}>
        <p>
          By <UserName id={batch.user_id} /> <Time iso={batch.created_at} />.{' '}
          <TextLink to="/imports/$id" params={{ id: batch.id }}>
            More of this undo
          </TextLink>
        </p>
        {batch.reverted_by !== null && (
          <p>
            That was undone in turn:{' '}
            <TextLink to="/imports/$id" params={{ id: batch.reverted_by }}>
              what came back
            </TextLink>
            .
          </p>
        )}
        <BatchCounts batch={batch} noun={noun} />
      </div>
    </Card>
  )
}

/** How far a change of many is, what came of it, and which records stayed as they were. */
export function BatchCounts({ batch, noun }: BatchProps) {
  const { state, total, changed, unchanged, failed, failures = [], problem, source } = batch
  const isUndo = source === 'revert'
  return (
    <>
      {state === 'running' && (
        <progress
          className={styles['progress']}
          aria-label={isUndo ? 'Undoing' : 'Changing the records'}
          max={Math.max(total, 1)}
          value={changed + unchanged + failed}
        />
      )}
      <ul className={styles['texts']} aria-live="polite">
        <li>{`${countText(changed)} of ${countOf(noun, total)} ${isUndo ? 'are as before' : 'changed'}.`}</li>
        {unchanged > 0 && <li>{`${countOf(noun, unchanged)} needed no change.`}</li>}
        {failed > 0 && <li>{`${countOf(noun, failed)} stayed as they were.`}</li>}
      </ul>
      {problem !== null && <ErrorNote text={problem} />}
      {failures.length > 0 && (
        <DataTable
          caption="Records that stayed as they were"
          rows={failures.slice(0, maxNamed)}
          rowKey={({ id }) => id}
          columns={[
            { key: 'record', header: 'Record', render: ({ id }) => <RecordName of={noun.one} id={id} /> },
            { key: 'message', header: 'Why', render: ({ message }) => message },
          ]}
        />
      )}
      {failures.length > maxNamed && (
        <p className={styles['faint']}>{`The first ${maxNamed} of ${countText(failed)} are named here.`}</p>
      )}
    </>
  )
}

/** Each is asked for by itself. */
const maxNamed = 20
