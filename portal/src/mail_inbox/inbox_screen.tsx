// The inbox: mail that came in, and what of it waits to be put on a lead or contact.
import type { InboundMailsListItem } from '@tandem/sdk'
import { useLiveRelated } from '../data/live_records.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { AddressName } from '../people/party.tsx'
import { Chip, StatusChip } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { t } from './texts.ts'

const inbox = byLanguage(
  (): Resource<InboundMailsListItem> => ({
    many: 'mails that came in',
    things: t('things'),
    about: t('about'),
    from: api => api.inboundMails.list,
    id: 'inboundId',
    nameOf: ({ subject }) => subject || t('noSubject'),
    filters: [{ name: 'state', label: t('state'), options: ['unmatched', 'matched', 'ignored'] }],
    columns: [
      {
        name: 'from',
        label: t('from'),
        px: 230,
        cell: mail => (
          <>
            {mail.from === null ? t('noSender') : <AddressName {...mail.from} />}{' '}
            {mail.sender === 'unverified' && <Chip tone="warn">{t('sender.unverified')}</Chip>}
          </>
        ),
      },
      {
        name: 'subject',
        label: t('subject'),
        cell: ({ subject, preview }) => `${subject || t('noSubject')} — ${preview}`,
      },
      { name: 'state', label: t('state'), px: 120, cell: ({ state }) => <StatusChip status={state} /> },
      { name: 'door', label: t('via'), px: 130, atFirst: 'wide', cell: ({ door }) => t(`door.${door}`) },
      { name: 'receivedAt', label: t('received'), kind: 'time' },
      { name: 'inboundId', label: t('id'), kind: 'id', atFirst: 'never' },
    ],
    addressesOf: ({ from }) => (from === null ? [] : [from.address]),
    useNews: list =>
      useLiveRelated({
        events: ['mail.*'],
        isMine: data => data['inboundId'] !== undefined,
        onChange: () => void list.query.refetch(),
      }),
    empty: {
      title: t('empty'),
      text: t('emptyText'),
    },
  }),
)

export const MailInboxScreen = () => <ResourceScreen of={inbox} />
