// A record as developers see it: its id, what happened to it, the requests about it, and what the API gives.
import type { ReactNode } from 'react'
import record from '../data/record.module.css'
import { setMode, useSession } from '../session/session.ts'
import { CodeBlock, CopyButton } from '../ui/code.tsx'
import { ButtonLink, Card, DescriptionList, Moment } from '../ui/index.ts'
import { type NounDescription, type NounRecord, recordIdOf, upper } from './noun.ts'
import styles from './nouns.module.css'
import { t } from './texts.ts'

export type DeveloperTabProps = { noun: NounDescription; record: NounRecord; children?: ReactNode }

export function DeveloperTab({ noun, record: shown, children }: DeveloperTabProps) {
  const { mode } = useSession()
  const id = recordIdOf(noun, shown.id)
  return (
    <div className={record['columns']}>
      <Card title={t('api.title')}>
        <CodeBlock
          code={JSON.stringify(shown, null, 2)}
          language="json"
          label={t('api.titleOf', { one: upper(noun.words.one) })}
        />
      </Card>
      <div className={styles['stack']}>
        <Card
          title={t('api.identity')}
          actions={
            // What was done by this portal is about it, too.
            <ButtonLink size="sm" to="/logs" onClick={() => setMode(mode)} search={{ resourceId: id, source: 'all' }}>
              {t('api.requests')}
            </ButtonLink>
          }
        >
          <DescriptionList
            items={[
              {
                term: t('api.id'),
                detail: (
                  <>
                    <code>{id}</code> <CopyButton text={id} label={t('api.copy')} />
                  </>
                ),
              },
              { term: t('api.version'), detail: String(shown.version) },
              { term: t('createdAt'), detail: <Moment iso={shown.created_at} /> },
              { term: t('updatedAt'), detail: <Moment iso={shown.updated_at} /> },
            ]}
          />
        </Card>
        {children}
      </div>
    </div>
  )
}
