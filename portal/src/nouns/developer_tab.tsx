// A record as developers see it: its id, what happened to it, the requests about it, and what the API gives.
import type { ReactNode } from 'react'
import record from '../data/record.module.css'
import { setMode, useSession } from '../session/session.ts'
import { CodeBlock, CopyButton } from '../ui/code.tsx'
import { ButtonLink, Card, DescriptionList, Moment } from '../ui/index.ts'
import { type NounDescription, type NounRecord, recordIdOf, upper } from './noun.ts'
import styles from './nouns.module.css'

export type DeveloperTabProps = { noun: NounDescription; record: NounRecord; children?: ReactNode }

export function DeveloperTab({ noun, record: shown, children }: DeveloperTabProps) {
  const { mode } = useSession()
  const id = recordIdOf(noun, shown.id)
  return (
    <div className={record['columns']}>
      <Card title="As the API gives it">
        <CodeBlock
          code={JSON.stringify(shown, null, 2)}
          language="json"
          label={`${upper(noun.words.one)} as the API gives it`}
        />
      </Card>
      <div className={styles['stack']}>
        <Card
          title="Identity"
          actions={
            // What was done by this portal is about it, too.
            <ButtonLink size="sm" to="/logs" onClick={() => setMode(mode)} search={{ resourceId: id, source: 'all' }}>
              Requests about it
            </ButtonLink>
          }
        >
          <DescriptionList
            items={[
              {
                term: 'Id',
                detail: (
                  <>
                    <code>{id}</code> <CopyButton text={id} label="Copy the id" />
                  </>
                ),
              },
              { term: 'Version', detail: String(shown.version) },
              { term: 'Created', detail: <Moment iso={shown.created_at} /> },
              { term: 'Updated', detail: <Moment iso={shown.updated_at} /> },
            ]}
          />
        </Card>
        {children}
      </div>
    </div>
  )
}
