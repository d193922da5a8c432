// One messaging service to be read: for the inspector, and for those who may not change it.
import type { MessagingService } from '@tandem/sdk'
import { useNumbers } from '../data/messaging_lists.ts'
import { spanText } from '../messages/span.ts'
import { Card, DescriptionList, Moment } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { languageName } from './keywords_editor.tsx'
import styles from './services.module.css'
import { t } from './texts.ts'

export function ServiceFacts({ service }: { service: MessagingService }) {
  const numbers = useNumbers(service.senders.length > 0)
  const nameOf = (id: string) => numbers.items.find(({ numberId }) => numberId === id)?.number ?? id
  return (
    <Card title={service.name}>
      <DescriptionList
        items={[
          {
            term: t('senders'),
            detail: service.senders.length === 0 ? t('noneYet') : listText(service.senders.map(nameOf)),
          },
          { term: t('stickySender'), detail: t(service.stickySender ? 'yes' : 'no') },
          { term: t('smartEncoding'), detail: t(service.smartEncoding ? 'yes' : 'no') },
          { term: t('outcome'), detail: t(`outcomeFact.${service.unknownOutcome}`) },
          { term: t('validity'), detail: spanText(service.validityPeriod ?? 14_400) },
          {
            term: t('duplicates'),
            detail:
              service.duplicateWindow === 0
                ? t('duplicatesAny')
                : t('duplicatesWithin', { span: spanText(service.duplicateWindow) }),
          },
          { term: t('callback'), detail: service.callbackUrl ?? '–' },
          {
            term: t('words'),
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
          { term: t('createdAt'), detail: <Moment iso={service.createdAt} /> },
          { term: t('updatedAt'), detail: <Moment iso={service.updatedAt} /> },
        ]}
      />
    </Card>
  )
}
