// One messaging service to be read: for the inspector, and for those who may not change it.
import type { MessagingService } from '@tandem/sdk'
import { useNumbers } from '../data/messaging_lists.ts'
import { spanText } from '../messages/span.ts'
import { Card, DescriptionList, Moment } from '../ui/index.ts'
import { languageName } from './keywords_editor.tsx'
import styles from './services.module.css'

export function ServiceFacts({ service }: { service: MessagingService }) {
  const numbers = useNumbers(service.senders.length > 0)
  const nameOf = (id: string) => numbers.items.find(({ numberId }) => numberId === id)?.number ?? id
  return (
    <Card title={service.name}>
      <DescriptionList
        items={[
          {
            term: 'Senders',
            detail: service.senders.length === 0 ? 'None yet' : service.senders.map(nameOf).join(', '),
          },
          { term: 'Sticky sender', detail: service.stickySender ? 'Yes' : 'No' },
          { term: 'Smart encoding', detail: service.smartEncoding ? 'Yes' : 'No' },
          { term: 'Outcome unknown', detail: service.unknownOutcome === 'hold' ? 'Hold: never sent twice' : 'Resend' },
          { term: 'Validity', detail: spanText(service.validityPeriod ?? 14_400) },
          {
            term: 'Duplicates',
            detail:
              service.duplicateWindow === 0 ? 'Not looked for' : `Not within ${spanText(service.duplicateWindow)}`,
          },
          { term: 'Callback', detail: service.callbackUrl ?? '–' },
          {
            term: 'Words',
            detail: (
              <ul className={styles['words']}>
                {service.keywords.map(({ language, stop, start, help }) => (
                  <li key={language}>
                    {languageName(language)}: {[...stop.words, ...start.words, ...help.words].join(', ')}
                  </li>
                ))}
              </ul>
            ),
          },
          { term: 'Created', detail: <Moment iso={service.createdAt} /> },
          { term: 'Updated', detail: <Moment iso={service.updatedAt} /> },
        ]}
      />
    </Card>
  )
}
